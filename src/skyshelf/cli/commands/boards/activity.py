"""`skyshelf boards activity`: what people did on a board."""

from collections.abc import Iterable, Iterator
from typing import Final

import click

from skyshelf.cli.base.output import table
from skyshelf.cli.base.params import format_count
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.sharing_records import BoardEventRecord
from skyshelf.cli.base.text import local_time, utc_time, visible
from skyshelf.cli.commands.boards.names import board_key
from skyshelf.wire.resources.boards import BoardEvent

_WORDS: Final = {
    "created": "created the board",
    "joined": "joined",
    "left": "left",
    "removed": "was removed",
    "added": "added",
    "withdrew": "removed",
    "renamed": "renamed the board",
}


def _record(event: BoardEvent) -> BoardEventRecord:
    return BoardEventRecord(
        kind=event.kind,
        user_id=event.user_id,
        first_name=event.first_name,
        guest_name=event.guest_name,
        files=event.files_count,
        date=utc_time(event.date),
    )


def _lines(events: Iterable[BoardEvent]) -> Iterator[str]:
    rows = []
    for event in events:
        who = visible(event.first_name or "")
        if event.guest_name is not None:
            who = f"{visible(event.guest_name) or 'A guest'} (guest)"
        files = f" {format_count(event.files_count, 'file')}" if event.files_count else ""
        rows.append((local_time(event.date), f"{who} {_WORDS.get(event.kind, event.kind)}{files}"))
    yield from table(rows)


@click.command(
    "activity", cls=ClientCommand, record=BoardEventRecord, many=True, example="skyshelf boards activity Summer"
)
@click.argument("board")
def boards_activity(*, session: CommandSession, board: str) -> None:
    """Show what members did on a board, newest first."""
    found = session.client.boards.activity(board_key(session, board))
    session.out.records(found, _record, _lines, empty="Nothing has happened yet.")


COMMANDS = (boards_activity,)
