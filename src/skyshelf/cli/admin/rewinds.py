"""`skyshelf admin user rewind`: an account back to a moment, with its owner's consent or for a recorded reason."""

import click

from skyshelf.cli.admin.stores import Result, account_command
from skyshelf.cli.admin.users import user
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.params import PAST_TIME
from skyshelf.cli.base.prompts import confirm, yes_option
from skyshelf.cli.base.rewinds import plan_sentence
from skyshelf.cli.base.text import format_utc
from skyshelf.service.context import ServiceContext
from skyshelf.service.operator import rewinds
from skyshelf.service.retention import load_retention
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.wire.resources.rewind import RewindCounts, RewindPlanRequest, RewindRequest
from skyshelf.wire.sizes import format_size


@account_command(
    user,
    "rewind",
    "skyshelf admin user rewind ada@example.org --to yesterday --dry-run",
    'skyshelf admin user rewind ada@example.org --to 2h --path /Photos --reason "ransomware; Ada asked by phone"',
    asks=False,
)
@click.option("--to", "at", type=PAST_TIME, required=True, help="The moment to go back to: yesterday, 2h, 2026-05-01.")
@click.option("--path", help="Only this folder, by its path then or now.  [default: the whole account]")
@click.option("--reason", help="Why, if the owner has not agreed with `skyshelf account allow-rewind`.")
@click.option("--dry-run", is_flag=True, help="Show how much would change, and change nothing.")
@yes_option
def rewind(
    ctx: ServiceContext, account: Account, *, at: int, path: str | None, reason: str | None, dry_run: bool, yes: bool
) -> Result:
    """Bring an account back to a moment.

    It needs the owner's consent, which counts once (`skyshelf account allow-rewind`), or a reason. The owner finds it
    among the events of the account, gets a message if the server sends any, and can undo it. The running server carries
    it out. For an account under a hold it also brings back what only the hold keeps.
    """
    load_retention(ctx)
    if reason is not None and not reason.strip():
        raise click.UsageError("--reason needs a reason: the owner reads it")
    folder = None if path is None else rewinds.folder_at(ctx, account, path, at)
    counts, size, free = _plan(ctx, account, RewindPlanRequest(to=at, folder_key=folder, limit=500))
    planned = {"emailId": account.email, "to": at, "counts": counts, "sizeInBytes": size, "changed": False}
    sentence = f"Back to {format_utc(at)}: {plan_sentence(counts)}."
    if dry_run or not any(getattr(counts, name) for name in RewindCounts.__struct_fields__ if name != "left"):
        return Result(planned, sentence)
    if size > free:
        raise CommandFailed(
            f"the rewind needs {format_size(size)}, and {account.email} has {format_size(free)} left: raise the quota"
            f" with `skyshelf admin user set-quota {account.email}`, or rewind one folder after the other"
        )
    confirm(f"{sentence} Rewind {account.email}?", yes=yes)
    try:
        started = rewinds.start(ctx, account, RewindRequest(to=at, folder_key=folder), reason)
    except rewinds.NoConsent:
        raise CommandFailed(
            f"{account.email} has not agreed: ask for `skyshelf account allow-rewind`, or for the same in the settings"
            " of the web client; or say why it is right without that, with --reason"
        ) from None
    return Result(
        planned | {"rewindKey": started.rewind_key, "changed": True},
        f"{sentence} The running server carries it out; {account.email} sees it with `skyshelf rewind --list`.",
    )


def _plan(ctx: ServiceContext, account: Account, request: RewindPlanRequest) -> tuple[RewindCounts, int, int]:
    """Return what would change, in all pages of the plan, how much space that needs, and how much is free."""
    from msgspec.structs import replace

    totals, size = dict.fromkeys(RewindCounts.__struct_fields__, 0), 0
    while True:
        page = rewinds.plan(ctx, account, request)
        for name in totals:
            totals[name] += getattr(page.counts, name) or 0
        size += page.size_in_bytes or 0
        if page.next_cursor is None:
            return RewindCounts(**totals), size, page.free_in_bytes or 0
        request = replace(request, cursor=page.next_cursor)
