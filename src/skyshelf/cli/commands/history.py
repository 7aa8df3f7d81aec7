"""`skyshelf changes`, `log`, `diff` and `account history`: what changed, when and from which device, and how long that
is kept.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import click

from skyshelf.cli.base.errors import UsageProblem
from skyshelf.cli.base.output import Row, listed_max
from skyshelf.cli.base.params import PAST_TIME, number_option
from skyshelf.cli.base.prompts import confirm, password_stdin_option, read_confirmation, yes_option
from skyshelf.cli.base.session import CommandSession, client_command
from skyshelf.cli.base.targets import locate, target
from skyshelf.cli.base.text import local_time, visible
from skyshelf.client.engine.pagination import CursorTrail, ListingCount
from skyshelf.client.objects.remote_object import SEPARATOR
from skyshelf.wire.projection import From, Projection, Time
from skyshelf.wire.resources.history import HistoryDifference, HistoryEntry, HistorySettings
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.client.objects.changes import ChangeSet


_NOW = "now"


class ChangeRecord(Projection, frozen=True, kw_only=True):
    """A change to one item; a deleted one has only its key."""

    kind: str
    date: Annotated[Time, From("date")]
    object_key: str | None
    name: str | None
    type: str | None
    cursor: str


@client_command(
    "changes",
    "skyshelf changes",
    "skyshelf changes --since c42-1777800000000",
    "skyshelf changes --follow --jsonl",
    records=ChangeRecord,
)
@click.option("--since", metavar="CURSOR", help="Show changes since this cursor; without it, print the current cursor.")
@click.option("--follow", is_flag=True, help="Keep printing changes as they happen, until Ctrl-C.")
def changes(*, session: CommandSession, since: str | None, follow: bool) -> None:
    """Show or follow the changes in your account.

    Every line ends with a cursor. Pass the last one to --since to continue from there without gaps or repetitions. The
    server keeps changes for 90 days.
    """
    session.resume_hint = "Pass the last cursor to --since to continue from there"
    session.out.records(
        _read_changes(session, since, follow=follow), lambda record: record, _lines, empty="No changes."
    )


def _read_changes(session: CommandSession, since: str | None, *, follow: bool) -> Iterator[ChangeRecord]:
    if follow:
        for page in session.client.changes.watch(since):
            yield from _records(page)
        return
    if since is None:
        cursor = session.client.changes.current_cursor()
        yield ChangeRecord(kind=_NOW, date=None, object_key=None, name=None, type=None, cursor=cursor)
        return
    page = session.client.changes.since(since)
    yield from _records(page)
    trail = CursorTrail(ListingCount(listed_max(), "changes"))
    while page.has_more:
        trail.follow(page.cursor, len(page.changes))
        page = session.client.changes.since(page.cursor)
        yield from _records(page)


def _records(page: "ChangeSet") -> Iterator[ChangeRecord]:
    objects = {one.key: one for one in page.objects}
    for one in page.changes:
        found = objects.get(one.object_key or "")
        type_ = None if found is None else "folder" if found.is_folder else "file"
        yield ChangeRecord.of(one, name=found.name if found else None, type=type_, cursor=page.cursor)


def _lines(records: Iterable[ChangeRecord]) -> Iterator[str]:
    for record in records:
        what = visible(record.name or (f"key:{record.object_key}" if record.object_key else ""))
        name = f"{what}/" if record.type == "folder" else what
        yield "  ".join(part for part in (_time(record), f"{record.kind:9}", name, record.cursor) if part)


def _time(record: ChangeRecord) -> str:
    return local_time(int(datetime.fromisoformat(record.date).timestamp() * 1000)) if record.date else ""


_DAYS_MAX: Final = 3650


def _old_name(entry: HistoryEntry) -> str | None:
    before = entry.before.object_name if entry.before else None
    return before or (entry.after.object_name if entry.after else None)


def _new_name(entry: HistoryEntry) -> str | None:
    before = entry.before.object_name if entry.before else None
    after = entry.after.object_name if entry.after else None
    return after if before not in {None, after} else None


def _type(entry: HistoryEntry) -> str | None:
    return None if entry.is_folder is None else "folder" if entry.is_folder else "file"


class HistoryRecord(Projection, frozen=True, kw_only=True):
    """A change in the history; `new_name` is null if the name did not change."""

    number: int
    kind: str
    date: Annotated[Time, From("date")]
    object_key: str | None
    name: Annotated[str | None, From(_old_name)]
    new_name: Annotated[str | None, From(_new_name)]
    type: Annotated[str | None, From(_type)]
    device_key: str | None
    device_name: str | None
    session_id: str | None


@client_command(
    "log",
    "skyshelf log /notes.txt",
    "skyshelf log /Photos --since yesterday",
    "skyshelf log --kind trashed",
    records=HistoryRecord,
)
@click.argument("path", required=False)
@click.option("--since", type=PAST_TIME, help="Show changes from then on: yesterday, 2h, 2024-05-01T12:30.")
@click.option("--until", type=PAST_TIME, help="Show changes up to then.")
@click.option("--kind", help="Show only changes of one kind, such as renamed, moved, content or trashed.")
@click.option(
    "--device", "device_key", metavar="KEY", help="Show only one device's changes; `account devices` lists them."
)
@number_option("--most", 1, short="-n", default=100, help="Number of changes to show.")
def log(*, session: CommandSession, path: str | None, most: int, **filters: Any) -> None:
    """Show what changed, newest first, and from which device.

    With a file, show its changes; with a folder, its own and those of everything in it. Without PATH, show all changes
    in your account. The server keeps history for a number of days, 30 by default.
    """
    start = None if path is None else locate(session.client, path).object
    entries = session.client.history.entries(
        None if start is None or start.is_folder else start,
        below=start if start is not None and start.is_folder and not start.is_root else None,
        **filters,
    )
    session.out.rows(islice(entries, most), HistoryRecord.of, _row, empty="No changes.")


def _row(entry: HistoryEntry) -> Row:
    name, new_name = visible(_old_name(entry) or ""), _new_name(entry)
    if new_name is not None:
        name = f"{name} → {visible(new_name)}"
    return local_time(entry.date), entry.kind or "", f"{name}/" if entry.is_folder else name, _who(entry)


def _who(made: HistoryEntry | HistoryDifference) -> str:
    known = made.device_name or ("a link" if made.share_key else "the server" if not made.device_key else "a device")
    return visible(known)


class DifferenceRecord(Projection, frozen=True, kw_only=True):
    """A file or folder that two moments show differently; its path at each of them, if it existed.

    `kinds` is `added`, `removed`, or any of `moved`, `renamed`, `content` and `favorite`. The date and who made it are
    those of its last change in between.
    """

    object_key: str
    type: Annotated[Literal["file", "folder"], From(lambda found: "folder" if found.is_folder else "file")]
    kinds: list[str]
    old_path: Annotated[str | None, From("before_path")]
    new_path: Annotated[str | None, From("after_path")]
    old_size_bytes: Annotated[int | None, From("before.size_in_bytes")]
    new_size_bytes: Annotated[int | None, From("after.size_in_bytes")]
    date: Annotated[Time, From("date")]
    device_key: str | None
    device_name: str | None
    session_id: str | None


@client_command(
    "diff",
    "skyshelf diff --from yesterday",
    "skyshelf diff /Photos --from '2 hours ago'",
    "skyshelf diff --from 2026-11-01 --to 2026-11-08",
    records=DifferenceRecord,
)
@click.argument("path", required=False)
@click.option(
    "--from", "since", type=PAST_TIME, required=True, help="The first moment: yesterday, 2h, 2024-05-01T12:30."
)
@click.option("--to", "until", type=PAST_TIME, help="The second moment; by default now.")
def diff(*, session: CommandSession, path: str | None, since: int, until: int | None) -> None:
    """Show what was added, removed, moved or changed between two moments.

    Each file or folder is shown once, with who changed it last. The contents of a folder that moved or was removed are
    not listed, unless they changed themselves. With PATH, show only what was or is in that folder or below it. Output
    of any length starts at once.
    """
    if until is not None and until < since:
        raise UsageProblem("--to is before --from: exchange them")
    below = None if path is None else target(path)
    found = session.client.history.differences(since, until, below=None if below == SEPARATOR else below)
    session.out.records(found, DifferenceRecord.of, _difference_lines, empty="Nothing changed.")


def _difference_lines(differences: Iterable[HistoryDifference]) -> Iterator[str]:
    """One line each, without columns: their width would depend on all lines."""
    for found in differences:
        kinds = ", ".join(found.kinds or []).replace("favorite", "favourite")
        ending = SEPARATOR if found.is_folder else ""
        paths = dict.fromkeys(visible(path) + ending for path in (found.before_path, found.after_path) if path)
        yield f"{local_time(found.date)}  {kinds:<9} {' → '.join(paths)}  ({_who(found)})"


class HistoryDaysRecord(Projection, frozen=True, kw_only=True):
    """For how many days history is kept, the server's maximum, the oldest moment and the space it takes."""

    days: int
    days_max: int
    oldest: Time
    size_bytes: Annotated[int, From("size_in_bytes")]


@client_command(
    "history",
    "skyshelf account history",
    "skyshelf account history 7",
    "skyshelf account history --forget",
    record=HistoryDaysRecord,
)
@click.argument("days", type=click.IntRange(0, _DAYS_MAX), required=False)
@click.option("--default", "use_default", is_flag=True, help="Keep it for as long as the server's operator allows.")
@click.option("--forget", is_flag=True, help="Forget all history up to now.")
@password_stdin_option
@yes_option
def account_history(
    *, session: CommandSession, days: int | None, use_default: bool, forget: bool, password_stdin: bool, yes: bool
) -> None:
    """Show or set how long history is kept.

    DAYS is how far you can look back and rewind; 0 keeps no history. Fewer days than before, and --forget, require your
    password: what is forgotten can no longer be viewed or restored.
    """
    if sum((days is not None, use_default, forget)) > 1:
        raise click.UsageError("use only one of DAYS, --default and --forget")
    history = session.client.history
    known = history.settings()
    if forget:
        confirm("Forget the whole history? What was deleted cannot be brought back then.", yes=yes)
        password, code = read_confirmation(session, from_stdin=password_stdin)
        history.forget(password, code=code)
        known = history.settings()
    elif use_default:
        known = history.set_days(None)
    elif days is not None:
        given, code = None, None
        if days < (known.days or 0):
            confirm(f"Keep history for {days} days instead of {known.days}? What is older is forgotten.", yes=yes)
            given, code = read_confirmation(session, from_stdin=password_stdin)
        known = history.set_days(days, password=given, code=code)
    session.out.record(HistoryDaysRecord.of(known), _days_lines(known))


def _days_lines(known: HistorySettings) -> Iterator[str]:
    if not known.days:
        yield "No history is kept."
        return
    yield f"History is kept for {known.days} days (at most {known.days_max})."
    if known.oldest_date is not None:
        yield f"You can look back to {local_time(known.oldest_date)}."
    yield f"What only history keeps takes {format_size(known.size_in_bytes or 0)}."
