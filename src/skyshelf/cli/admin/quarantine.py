"""`skyshelf admin quarantine`: contents that no file refers to, before they are deleted for good."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from skyshelf.cli.admin.stores import Result, both_store_options, fields_of, open_context, print_result, store_command
from skyshelf.cli.admin.which_store import StoreCommand
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import ListingGroup, examples
from skyshelf.cli.base.output import table
from skyshelf.cli.base.params import FOLDER, PAST_TIME, number_option, shown_option
from skyshelf.cli.base.progress import Meter
from skyshelf.cli.base.prompts import confirm, yes_option
from skyshelf.cli.base.text import format_count, format_utc, visible
from skyshelf.service.accounts.accounts import find_account
from skyshelf.service.context import ServiceContext
from skyshelf.service.importing.recovery import NotRecoverable, recover_to_account, recover_to_folder
from skyshelf.service.integrity.quarantine import delete_quarantined, emptied, note_emptied
from skyshelf.service.jobs.brakes import BrakePulled, check_halves
from skyshelf.service.retention import load_retention
from skyshelf.storage.metadata.contracts.content import QuarantineEntry, Reason
from skyshelf.wire.sizes import format_size

_DAY_MS = 24 * 60 * 60 * 1000
_PAGE = 500

_only_option = click.option(
    "--only",
    type=click.Choice(["released", "orphan", "repair", "replaced"]),
    help="Only contents quarantined for this reason.",
)


@click.group(cls=ListingGroup)
def quarantine() -> None:
    """List, recover and delete quarantined contents.

    Contents that no file refers to are kept for a while, so mistakes can be undone.
    """


@store_command(
    quarantine,
    "ls",
    "skyshelf admin quarantine ls --data /srv/skyshelf",
    "skyshelf admin quarantine ls --only orphan --limit 1000 --json",
    looking=True,
)
@_only_option
@number_option("--limit", 1, default=100, help="Number of contents to list.")
def ls(ctx: ServiceContext, *, only: Reason | None, limit: int) -> Result:
    """List the contents in quarantine, oldest first.

    Reasons: released (users deleted all files with this content), orphan (no row knows it, as after a crash), repair
    (the doctor set it aside), replaced (it was damaged, and a good copy took its place).
    """
    kept_ms = load_retention(ctx).quarantine_days * _DAY_MS
    with ctx.metadata.snapshot() as unit:
        found = unit.quarantine.page(reason=only, limit=limit)
        totals = unit.quarantine.totals()
    rows = [
        (
            one.sha256 or (f"upload {one.location}" if one.kind == "upload" else one.location),
            format_size(one.size),
            one.reason,
            format_utc(one.since),
            f"goes {format_utc(one.since + kept_ms)}",
        )
        for one in found
    ]
    sums = [
        f"{total.reason}: {format_count(total.count, 'content')}, {format_size(total.size)}"
        for total in totals
        if only in {None, total.reason}
    ]
    data = {"totals": totals, "contents": [_as_json(one, kept_ms) for one in found], "emptied": emptied(ctx)}
    return Result(data, "\n".join([*table(rows), *sums]) or "Nothing is in quarantine.")


@quarantine.command(
    "recover",
    cls=StoreCommand,
    asks=False,
    epilog=examples(
        "skyshelf admin quarantine recover 2cf24dba… --output /tmp/recovered --data /srv/skyshelf",
        "skyshelf admin quarantine recover 2cf24dba… --account ada@example.org --folder /Recovered",
    ),
)
@click.argument("sha256", nargs=-1, required=True)
@click.option("--output", type=FOLDER, help="Folder on this machine, created if needed.")
@click.option("--account", "email", metavar="EMAIL", help="Put them back into this account's drive instead.")
@shown_option("--folder", default="/", metavar="PATH", help="Folder in the drive, with --account.")
@both_store_options
def recover(
    *, sha256: tuple[str, ...], output: Path | None, email: str | None, folder: str, as_json: bool, **stores: Any
) -> None:
    """Recover contents by their SHA-256.

    Every byte is compared with the hash. The files are named by it, because their names are no longer known. What is
    put back into a drive counts against its quota, and leaves the quarantine.
    """
    if (output is None) == (email is None):
        raise click.UsageError("choose where they go: --output DIR or --account EMAIL")
    wanted = list(dict.fromkeys(_checked(digest) for digest in sha256))
    with open_context(**stores) as ctx:
        results = [_recover(ctx, digest, output, email, folder) for digest in wanted]
    failed = [result for result in results if result["error"]]
    print_result(as_json, results, "\n".join(_sentence(result) for result in results if not result["error"]))
    if failed:
        first = failed[0]["error"]
        more = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
        raise CommandFailed(f"{first}{more}")


@quarantine.command(
    "empty",
    cls=StoreCommand,
    asks=False,
    epilog=examples(
        'skyshelf admin quarantine empty --reason "the disk is needed" --data /srv/skyshelf',
        'skyshelf admin quarantine empty --older-than 3d --only released --reason "test data" --yes',
    ),
)
@click.option("--older-than", type=PAST_TIME, metavar="AGE", help="Only contents quarantined for longer: 3d, 12h.")
@_only_option
@click.option("--reason", required=True, help="Why they can be deleted; recorded with the time and the amount.")
@yes_option
@both_store_options
def empty(*, older_than: int | None, only: Reason | None, reason: str, yes: bool, as_json: bool, **stores: Any) -> None:
    """Delete quarantined contents for good, before their time.

    Content that a file refers to is never deleted. If interrupted, it leaves whole contents, and the server finishes
    what was begun.
    """
    with open_context(**stores) as ctx:
        up_to = ctx.clock.now() if older_than is None else older_than
        with ctx.metadata.read() as unit:
            totals = [total for total in unit.quarantine.totals(up_to) if only in {None, total.reason}]
        count, size = sum(total.count for total in totals), sum(total.size for total in totals)
        if count:
            confirm(f"Delete {format_count(count, 'content')} ({format_size(size)}) for good?", yes=yes)
        try:
            check_halves(ctx)
        except BrakePulled as pulled:
            raise CommandFailed(str(pulled)) from pulled
        with Meter.on_terminal(None, quiet=as_json) as meter:
            for one in _pages(ctx, up_to, only):
                meter.queued(one.size)
            meter.all_listed()
            gone = gone_bytes = 0
            try:
                for deleted in delete_quarantined(ctx, up_to, reason=only, step=100):
                    for one in deleted:
                        meter.finished(one.location, one.size)
                    gone, gone_bytes = gone + len(deleted), gone_bytes + sum(one.size for one in deleted)
            finally:
                note_emptied(ctx, gone, gone_bytes, reason)
    print_result(
        as_json,
        {"deleted": gone, "bytes": gone_bytes},
        f"Deleted {format_count(gone, 'content')} ({format_size(gone_bytes)}) for good.",
    )


def _recover(
    ctx: ServiceContext, sha256: str, output: Path | None, email: str | None, folder: str
) -> dict[str, str | None]:
    try:
        if output is not None:
            output.mkdir(parents=True, exist_ok=True)
            path, _ = recover_to_folder(ctx, sha256, output)
            return {"sha256": sha256, "file": str(path), "objectKey": None, "error": None}
        assert email is not None
        stored = recover_to_account(ctx, sha256, find_account(ctx, email), folder)
    except NotRecoverable as problem:
        error = str(problem)
    except FileExistsError as taken:
        error = f"{taken.filename2 or taken.filename} exists already: remove it, or choose another folder with --output"
    else:
        return {"sha256": sha256, "file": None, "objectKey": stored.object_key, "error": None}
    return {"sha256": sha256, "file": None, "objectKey": None, "error": error}


def _sentence(result: dict[str, str | None]) -> str:
    if result["file"] is not None:
        return f"Recovered {visible(result['file'])}"
    return f"Recovered {result['sha256']} as a file of the drive ({result['objectKey']})"


def _checked(digest: str) -> str:
    text = digest.strip().lower()
    if len(text) != 64 or not all(character in "0123456789abcdef" for character in text):
        raise click.UsageError(f"'{digest}' is not a SHA-256: it has 64 hex digits, as `quarantine ls` prints them")
    return text


def _pages(ctx: ServiceContext, up_to: int, only: Reason | None) -> Iterator[QuarantineEntry]:
    after = (-1, "")
    while True:
        with ctx.metadata.read() as unit:
            page = unit.quarantine.page(after=after, since_up_to=up_to, reason=only, limit=_PAGE)
        if not page:
            return
        yield from page
        after = (page[-1].since, page[-1].location)


def _as_json(one: QuarantineEntry, kept_ms: int) -> dict[str, Any]:
    known = fields_of(one, "sha256", "location", "kind", "size", "reason", "since")
    return known | {"goes": one.since + kept_ms}
