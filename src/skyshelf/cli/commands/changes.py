"""`skyshelf changes`: the account's change feed."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from skyshelf.cli.base.file_records import ChangeRecord
from skyshelf.cli.base.kept_items import listed_max
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.text import local_time, utc_time, visible
from skyshelf.client.engine.listing_bounds import CursorTrail, ListingCount

if TYPE_CHECKING:
    from skyshelf.client.objects.changes import ChangeSet

_NOW = "now"


@click.command(
    "changes",
    cls=ClientCommand,
    record=ChangeRecord,
    many=True,
    example=("skyshelf changes", "skyshelf changes --since c42-1777800000000", "skyshelf changes --follow --jsonl"),
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
        yield ChangeRecord(
            kind=one.kind or "",
            date=utc_time(one.date),
            object_key=one.object_key,
            name=found.name if found else None,
            type=None if found is None else "folder" if found.is_folder else "file",
            cursor=page.cursor,
        )


def _lines(records: Iterable[ChangeRecord]) -> Iterator[str]:
    for record in records:
        what = visible(record.name or (f"key:{record.object_key}" if record.object_key else ""))
        name = f"{what}/" if record.type == "folder" else what
        yield "  ".join(part for part in (_time(record), f"{record.kind:9}", name, record.cursor) if part)


def _time(record: ChangeRecord) -> str:
    from datetime import datetime

    return local_time(int(datetime.fromisoformat(record.date).timestamp() * 1000)) if record.date else ""
