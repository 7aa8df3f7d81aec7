"""`skyshelf admin user hold`, `release` and `delete`: what is kept of people's data, and what goes."""

from typing import Any

import click

from skyshelf.cli.admin.server_options import with_rules_of_server
from skyshelf.cli.admin.stores import Result, account_command, fields_of
from skyshelf.cli.admin.users import result_of, user
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.progress import LiveLine
from skyshelf.cli.base.prompts import confirm, yes_option
from skyshelf.cli.base.text import format_count, format_utc, visible
from skyshelf.service.accounts import holds
from skyshelf.service.accounts.own_account import schedule_deletion
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs.removal import AccountCounts, begin_removal, counts_of, removal_steps
from skyshelf.service.operator.backups import backup_state
from skyshelf.service.retention import load_retention
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.wire.sizes import format_size

_DAY = 24 * 60 * 60 * 1000


@account_command(user, "hold", 'skyshelf admin user hold ada@example.org --reason "case 12/2026"', asks=False)
@click.option("--reason", required=True, help="Why; recorded in the audit trail and shown to operators.")
def hold(ctx: ServiceContext, account: Account, *, reason: str) -> Result:
    """Keep everything of an account until `release`.

    This is a legal hold, such as for a court. Nothing of the account is deleted for good: no trash, version, history or
    quarantined content, and not the account. Its owner goes on working and sees no difference; what they delete can be
    brought back with `skyshelf admin user rewind`. Contents that history had forgotten before are not held: look at
    `skyshelf admin quarantine ls`.
    """
    _refuse_held(ctx, account)
    holds.hold(ctx, account, _given(reason))
    return result_of(ctx, account, f"Nothing of {account.email} is deleted for good from now on.")


@account_command(user, "end-sessions", "skyshelf admin user end-sessions ada@example.org")
def end_sessions(ctx: ServiceContext, account: Account) -> Result:
    """Log an account out everywhere.

    Its app passwords are revoked, too. `skyshelf admin secrets rotate sessions` logs everybody out.
    """
    event = new_event(ctx, kinds.SESSIONS_ENDED, account)
    ended = recorded(ctx, lambda unit: unit.sessions.revoke_all(account.account_id), event)
    sentence = f"Ended {format_count(ended, 'session')} of {account.email}."
    return result_of(ctx, account, sentence, changed=bool(ended), endedSessions=ended)


@account_command(
    user,
    "release",
    'skyshelf admin user release ada@example.org --reason "case 12/2026 is closed"',
    asks=False,
)
@click.option("--reason", help="Why; recorded in the audit trail.")
@yes_option
def release(ctx: ServiceContext, account: Account, *, reason: str | None, yes: bool) -> Result:
    """End the hold of an account.

    What would have been deleted in the meantime is then deleted, within about an hour, and an account whose deletion is
    due goes.
    """
    load_retention(ctx)
    known = holds.hold_of(ctx, account)
    if known is None:
        return result_of(ctx, account, f"{account.email} is not held.", changed=False)
    deleted = f"The server then deletes {format_size(known[1].size)} for good"
    if 0 < account.delete_at <= ctx.clock.now():
        deleted = "The server then deletes the account with all its files"
    confirm(f"Release {account.email}, held since {format_utc(known[0].at)}? {deleted}.", yes=yes)
    holds.release(ctx, account, reason and _given(reason))
    return result_of(ctx, account, f"{account.email} is no longer held. {deleted}.")


@account_command(
    user,
    "delete",
    "skyshelf admin user delete ada@example.org",
    'skyshelf admin user delete ada@example.org --now --reason "request of 3 May"',
    asks=False,
)
@click.option("--now", "at_once", is_flag=True, help="Delete it at once, without the grace period.")
@click.option("--reason", help="Why, with --now; it is kept as the record, so name nobody in it.")
@yes_option
def delete(ctx: ServiceContext, account: Account, *, at_once: bool, reason: str | None, yes: bool) -> Result:
    """Delete an account after a grace period, or at once.

    All its files are deleted too. Until then the account works as before, and `skyshelf admin user cancel-deletion`
    cancels the deletion. To lock the user out immediately, disable the account as well. With --now nothing brings the
    account back but a backup; the answer says where traces of it are left, and until when. An account under a hold is
    not deleted.
    """
    if at_once != (reason is not None):
        raise click.UsageError("--now and --reason belong together: the record of a deletion says why")
    _refuse_held(ctx, account)
    if reason is not None:
        return _delete_now(ctx, account, _given(reason), yes=yes)
    confirm(f"Delete the account {account.email} and all its files?", yes=yes)
    until = schedule_deletion(with_rules_of_server(ctx), account)
    sentence = (
        f"The running server will delete {account.email} on {format_utc(until)};"
        f" `skyshelf admin user cancel-deletion {account.email}` cancels that."
    )
    return result_of(ctx, account, sentence, deletionDate=until, changed=not account.delete_at)


def _refuse_held(ctx: ServiceContext, account: Account) -> None:
    found = holds.hold_of(ctx, account)
    if found is not None:
        since, why = format_utc(found[0].at), visible(found[0].reason)
        raise CommandFailed(
            f"{account.email} is held since {since}: {why}; `skyshelf admin user release {account.email}` ends that"
        )


def _given(reason: str) -> str:
    if not reason.strip():
        raise click.UsageError("--reason needs a reason: it is the record of what was decided")
    return reason.strip()


def _delete_now(ctx: ServiceContext, account: Account, reason: str, *, yes: bool) -> Result:
    counts = counts_of(ctx, account)
    confirm(f"Delete {account.email} with {_described(counts)} now? Nothing brings it back but a backup.", yes=yes)
    counts = begin_removal(ctx, account, reason)
    steps = 0
    try:
        with LiveLine() as line:
            for steps, _ in enumerate(removal_steps(ctx, account.account_id), 1):
                line.draw(lambda steps=steps: f"deleting, step {steps:,}")  # type: ignore[misc]
    except KeyboardInterrupt:
        raise CommandFailed(
            f"stopped; {account.email} is deleted for everybody already, and the running server removes the rest"
        ) from None
    left = _left(ctx)
    rows = [f"Deleted {account.email} (user id {account.account_key}) with {_described(counts)}.", *_traces(left)]
    record = fields_of(counts, *counts.__struct_fields__)
    data = {"userId": account.account_key, "changed": True, "deleted": record, "reason": reason}
    return Result(data | {"left": left}, "\n".join(rows))


def _described(counts: AccountCounts) -> str:
    parts = [f"{format_count(counts.objects, 'object')} ({format_size(counts.used)})"]
    numbers = ((counts.boards, "album"), (counts.contacts, "contact"), (counts.shares, "share link"))
    parts += [format_count(number, noun) for number, noun in numbers if number]
    if counts.history_used:
        parts.append(f"{format_size(counts.history_used)} of deleted contents")
    return ", ".join(parts)


def _left(ctx: ServiceContext) -> dict[str, Any]:
    """Dates after which traces are gone, for programs; a backup's is not known here."""
    kept, now, backup = load_retention(ctx), ctx.clock.now(), backup_state(ctx).success
    return {
        "quarantineUntil": now + kept.quarantine_days * _DAY,
        "auditUntil": now + kept.audit_days * _DAY,
        "lastBackupDate": backup.at if backup is not None else None,
    }


def _traces(left: dict[str, Any]) -> list[str]:
    cuts = "`skyshelf admin cuts DEST` lists the cuts: each one made before now has it until it is pruned."
    known = "This store knows of no backup; if you make any,"
    if left["lastBackupDate"] is not None:
        known = f"The last backup, of {format_utc(left['lastBackupDate'])}, has the account;"
    return [
        f"Contents of no other account stay in quarantine until {format_utc(left['quarantineUntil'])} or an hour later;"
        " `skyshelf admin quarantine empty` deletes them now.",
        f"The audit trail keeps its events, under the user id, until {format_utc(left['auditUntil'])}.",
        f"{known} {cuts}",
    ]
