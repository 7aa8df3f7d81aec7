"""`skyshelf log`: what changed, when, and from which device."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

import click

from skyshelf.cli.base.file_records import HistoryRecord
from skyshelf.cli.base.kept_items import kept
from skyshelf.cli.base.output import table
from skyshelf.cli.base.params import Time
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.targets import locate
from skyshelf.cli.base.text import local_time, utc_time, visible
from skyshelf.wire.resources.history import HistoryEntry, PastState


def moment(at: int) -> datetime:
    """A time of the command line as the client takes it."""
    return datetime.fromtimestamp(at / 1000, UTC)


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
        since=None if since is None else moment(since),
        until=None if until is None else moment(until),
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
    who = record.device_name or ("a link" if entry.share_key else "the server" if not record.device_key else "a device")
    return local_time(entry.date), record.kind, f"{name}/" if record.type == "folder" else name, visible(who)
