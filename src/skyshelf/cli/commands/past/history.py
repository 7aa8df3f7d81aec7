"""`skyshelf log` and `diff`: what changed, when, and from which device."""

from collections.abc import Iterable, Iterator

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.file_records import DifferenceRecord, HistoryRecord
from skyshelf.cli.base.kept_items import kept
from skyshelf.cli.base.output import table
from skyshelf.cli.base.params import Time
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.targets import locate, target
from skyshelf.cli.base.text import local_time, utc_time, visible
from skyshelf.client.objects.remote_object import SEPARATOR
from skyshelf.wire.client_errors import EXIT_USAGE
from skyshelf.wire.resources.history import HistoryDifference, HistoryEntry, PastState


@click.command(
    "log",
    cls=ClientCommand,
    record=HistoryRecord,
    many=True,
    example=("skyshelf log /notes.txt", "skyshelf log /Photos --since yesterday", "skyshelf log --kind trashed"),
)
@click.argument("path", required=False)
@click.option("--since", type=Time(), help="Show changes from then on: yesterday, 2h, 2024-05-01T12:30.")
@click.option("--until", type=Time(), help="Show changes up to then.")
@click.option("--kind", help="Show only changes of a kind, such as renamed, moved, content or trashed.")
@click.option("--device", metavar="KEY", help="Show only changes that a device made; `account devices` lists them.")
@click.option("-n", "--most", type=click.IntRange(1), default=100, show_default=True, help="Number of changes to show.")
def log(
    *,
    session: CommandSession,
    path: str | None,
    since: int | None,
    until: int | None,
    kind: str | None,
    device: str | None,
    most: int,
) -> None:
    """Show what changed, newest first, and from which device.

    With a file, show its changes; with a folder, its own and those of everything in it. Without PATH, show all changes
    in your account. The server keeps history for a number of days, 30 by default.
    """
    start = None if path is None else locate(session.client, path).object
    entries = session.client.history.entries(
        None if start is None or start.is_folder else start,
        below=start if start is not None and start.is_folder and not start.is_root else None,
        since=since,
        until=until,
        device_key=device,
        kind=kind,
    )
    chosen = (one for _, one in zip(range(most), entries, strict=False))
    session.out.records(chosen, _record, _lines, empty="No changes.")


def _record(entry: HistoryEntry) -> HistoryRecord:
    before, after = entry.before or PastState(), entry.after or PastState()
    return HistoryRecord(
        number=entry.number or 0,
        kind=entry.kind or "",
        date=utc_time(entry.date),
        object_key=entry.object_key,
        name=before.object_name or after.object_name,
        new_name=after.object_name if before.object_name not in {None, after.object_name} else None,
        type=None if entry.is_folder is None else "folder" if entry.is_folder else "file",
        device_key=entry.device_key,
        device_name=entry.device_name,
        session_id=entry.session_id,
    )


def _lines(entries: Iterable[HistoryEntry]) -> Iterator[str]:
    yield from table(_row(entry) for entry in kept(entries))


def _row(entry: HistoryEntry) -> tuple[str, ...]:
    record = _record(entry)
    name = visible(record.name or "")
    if record.new_name is not None:
        name = f"{name} → {visible(record.new_name)}"
    return local_time(entry.date), record.kind, f"{name}/" if record.type == "folder" else name, _who(entry)


def _who(made: HistoryEntry | HistoryDifference) -> str:
    known = made.device_name or ("a link" if made.share_key else "the server" if not made.device_key else "a device")
    return visible(known)


@click.command(
    "diff",
    cls=ClientCommand,
    record=DifferenceRecord,
    many=True,
    example=(
        "skyshelf diff --from yesterday",
        "skyshelf diff /Photos --from '2 hours ago'",
        "skyshelf diff --from 2026-11-01 --to 2026-11-08",
    ),
)
@click.argument("path", required=False)
@click.option("--from", "since", type=Time(), required=True, help="The first moment: yesterday, 2h, 2024-05-01T12:30.")
@click.option("--to", "until", type=Time(), help="The second moment; by default now.")
def diff(*, session: CommandSession, path: str | None, since: int, until: int | None) -> None:
    """Show what came, went, moved or changed between two moments.

    Each file or folder is shown once, with who changed it last. What is in a folder that moved or was removed is not
    listed, unless it changed itself. With PATH, show only what was or is in that folder or below it. The output starts
    at once, and its size does not matter.
    """
    if until is not None and until < since:
        raise CommandFailed("--to is before --from: exchange them", EXIT_USAGE)
    below = None if path is None else target(path)
    found = session.client.history.differences(since, until, below=None if below == SEPARATOR else below)
    session.out.records(found, _difference_record, _difference_lines, empty="Nothing changed.")


def _difference_record(found: HistoryDifference) -> DifferenceRecord:
    before, after = found.before or PastState(), found.after or PastState()
    return DifferenceRecord(
        object_key=found.object_key or "",
        type="folder" if found.is_folder else "file",
        kinds=found.kinds or [],
        old_path=found.before_path,
        new_path=found.after_path,
        old_size_bytes=before.size_in_bytes,
        new_size_bytes=after.size_in_bytes,
        date=utc_time(found.date),
        device_key=found.device_key,
        device_name=found.device_name,
        session_id=found.session_id,
    )


def _difference_lines(differences: Iterable[HistoryDifference]) -> Iterator[str]:
    """Line by line, without columns that would depend on all of them."""
    for found in differences:
        kinds = ", ".join(found.kinds or []).replace("favorite", "favourite")
        ending = SEPARATOR if found.is_folder else ""
        paths = dict.fromkeys(visible(path) + ending for path in (found.before_path, found.after_path) if path)
        yield f"{local_time(found.date)}  {kinds:<9} {' → '.join(paths)}  ({_who(found)})"
