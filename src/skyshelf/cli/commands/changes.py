"""`skyshelf changes`: what happened in the account, and what happens."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from skyshelf.cli.base.records import ChangeRecord
from skyshelf.cli.base.session import ClientCommand, Session
from skyshelf.cli.base.text import local_time, utc_time, visible

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
@click.option("--since", metavar="CURSOR", help="What happened since then; without it, the cursor of now is printed.")
@click.option("--follow", is_flag=True, help="Go on with what happens, as it happens, until Ctrl-C.")
def changes(*, session: Session, since: str | None, follow: bool) -> None:
    """Show what happened in your account: what came, changed, moved or went.

    Every line ends with a cursor. Give the last one to --since, and you hear what happened after it and nothing twice.
    The server remembers 90 days.
    """
    session.how_to_continue = "Give the last cursor to --since, and nothing is missed"
    session.out.many(_told(session, since, follow=follow), lambda record: record, _lines, none="Nothing has happened.")


def _told(session: Session, since: str | None, *, follow: bool) -> Iterator[ChangeRecord]:
    if follow:
        for told in session.client.changes.watch(since):
            yield from _records(told)
        return
    if since is None:
        cursor = session.client.changes.current_cursor()
        yield ChangeRecord(kind=_NOW, date=None, object_key=None, name=None, type=None, cursor=cursor)
        return
    told = session.client.changes.since(since)
    yield from _records(told)
    while told.has_more:
        told = session.client.changes.since(told.cursor)
        yield from _records(told)


def _records(told: "ChangeSet") -> Iterator[ChangeRecord]:
    objects = {one.key: one for one in told.objects}
    for one in told.changes:
        found = objects.get(one.object_key or "")
        yield ChangeRecord(
            kind=one.kind or "",
            date=utc_time(one.date),
            object_key=one.object_key,
            name=found.name if found else None,
            type=None if found is None else "folder" if found.is_folder else "file",
            cursor=told.cursor,
        )


def _lines(records: Iterable[ChangeRecord]) -> Iterator[str]:
    for record in records:
        what = visible(record.name or (f"key:{record.object_key}" if record.object_key else ""))
        name = f"{what}/" if record.type == "folder" else what
        yield "  ".join(part for part in (_time(record), f"{record.kind:9}", name, record.cursor) if part)


def _time(record: ChangeRecord) -> str:
    from datetime import datetime

    return local_time(int(datetime.fromisoformat(record.date).timestamp() * 1000)) if record.date else ""
