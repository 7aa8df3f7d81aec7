"""`skyshelf boards`: shared albums."""

from collections.abc import Iterable, Iterator

import click

from skyshelf.cli.base.file_records import ObjectRecord, object_record
from skyshelf.cli.base.groups import ListingGroup
from skyshelf.cli.base.output import table
from skyshelf.cli.base.params import format_count
from skyshelf.cli.base.prompts import confirm, yes_option
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.sharing_records import BoardRecord, MemberRecord
from skyshelf.cli.base.targets import KEY
from skyshelf.cli.base.text import local_time, visible
from skyshelf.cli.commands.boards import activity, items, members, publish
from skyshelf.cli.commands.boards.names import board_key, board_record, member_record, role_name
from skyshelf.wire.resources.boards import Board, BoardMember
from skyshelf.wire.resources.objects import CloudObject
from skyshelf.wire.sizes import format_size


@click.group("boards", cls=ListingGroup)
def boards() -> None:
    """Manage shared albums and their members."""


def _lines(found: Iterable[Board]) -> Iterator[str]:
    rows = (
        (
            f"{KEY}{board.board_key}",
            format_count(board.files_count or 0, "file"),
            format_count(board.users_count or 0, "member"),
            role_name(board.member_type) if board.member_type else "",
            visible(board.board_name or ""),
        )
        for board in found
    )
    yield from table(rows, right=frozenset({1, 2}))


@boards.command("ls", cls=ClientCommand, record=BoardRecord, many=True, example="skyshelf boards ls")
def boards_ls(*, session: CommandSession) -> None:
    """List the boards that you are a member of."""
    session.out.records(
        session.client.boards.list(),
        board_record,
        _lines,
        empty="No boards: `skyshelf boards create NAME` creates one.",
    )


@boards.command("create", cls=ClientCommand, record=BoardRecord, example="skyshelf boards create 'Summer 2024'")
@click.argument("name")
@click.option("--description", help="Description of the board.")
def boards_create(*, session: CommandSession, name: str, description: str | None) -> None:
    """Create a board, and print its key."""
    board = session.client.boards.create(name, description)
    session.out.record(board_record(board), [f"{KEY}{board.board_key}"])


@boards.command("show", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf boards show 'Summer 2024'")
@click.argument("board")
def boards_show(*, session: CommandSession, board: str) -> None:
    """List a board's files."""

    def lines(found: Iterable[CloudObject]) -> Iterator[str]:
        rows = (
            (format_size(one.size_in_bytes or 0), local_time(one.last_modified_date), visible(one.object_name or ""))
            for one in found
        )
        yield from table(rows, right=frozenset({0}))

    details = session.client.boards.get(board_key(session, board))
    session.out.records(details.objects or [], object_record, lines, empty="The board is empty.")


@boards.command(
    "members", cls=ClientCommand, record=MemberRecord, many=True, example="skyshelf boards members 'Summer 2024'"
)
@click.argument("board")
def boards_members(*, session: CommandSession, board: str) -> None:
    """List a board's members."""

    def lines(found: Iterable[BoardMember]) -> Iterator[str]:
        rows = (
            (
                visible(member.first_name or member.user_id),
                role_name(member.member_type),
                local_time(member.mem_created_date),
            )
            for member in found
        )
        yield from table(rows)

    session.out.records(session.client.boards.members(board_key(session, board)), member_record, lines)


@boards.command("leave", cls=ClientCommand, example="skyshelf boards leave 'Summer 2024'")
@click.argument("board")
@yes_option
def boards_leave(*, session: CommandSession, board: str, yes: bool) -> None:
    """Leave a board. It is deleted when the last member leaves."""
    key = board_key(session, board)
    if not yes:
        confirm(f"Leave the board {visible(board)}? Only another member can invite you again.")
    session.client.boards.leave(key)
    session.out.note(f"Left {board}.")


for _command in (*items.COMMANDS, *members.COMMANDS, *publish.COMMANDS, *activity.COMMANDS):
    boards.add_command(_command)
