"""`skyshelf boards`: shared albums."""

from collections.abc import Iterable, Iterator

import click

from skyshelf.cli.base.groups import ListingGroup
from skyshelf.cli.base.output import table
from skyshelf.cli.base.params import counted
from skyshelf.cli.base.prompts import confirmed
from skyshelf.cli.base.records import BoardRecord, MemberRecord, ObjectRecord, object_record
from skyshelf.cli.base.session import ClientCommand, Session
from skyshelf.cli.base.targets import KEY
from skyshelf.cli.base.text import local_time, visible
from skyshelf.cli.commands.boards import items, members
from skyshelf.cli.commands.boards.names import board_key, board_record, member_record, role_name
from skyshelf.wire.resources.boards import Board, BoardMember
from skyshelf.wire.resources.objects import CloudObject
from skyshelf.wire.sizes import format_size


@click.group("boards", cls=ListingGroup)
def boards() -> None:
    """Shared albums: what is on them, and who."""


for _changing in (*items.COMMANDS, *members.COMMANDS):
    boards.add_command(_changing)


def _lines(found: Iterable[Board]) -> Iterator[str]:
    rows = (
        (
            f"{KEY}{board.board_key}",
            counted(board.files_count or 0, "file"),
            counted(board.users_count or 0, "member"),
            role_name(board.member_type) if board.member_type else "",
            visible(board.board_name or ""),
        )
        for board in found
    )
    yield from table(rows, right=frozenset({1, 2}))


@boards.command("ls", cls=ClientCommand, record=BoardRecord, many=True, example="skyshelf boards ls")
def boards_ls(*, session: Session) -> None:
    """List the boards that you are a member of."""
    session.out.many(
        session.client.boards.list(),
        board_record,
        _lines,
        none="You are on no board: `skyshelf boards create NAME` makes one.",
    )


@boards.command("create", cls=ClientCommand, record=BoardRecord, example="skyshelf boards create 'Summer 2024'")
@click.argument("name")
@click.option("--description", help="A few words about it.")
def boards_create(*, session: Session, name: str, description: str | None) -> None:
    """Make a board."""
    board = session.client.boards.create(name, description)
    session.out.one(board_record(board), [f"{KEY}{board.board_key}"])


@boards.command("show", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf boards show 'Summer 2024'")
@click.argument("board")
def boards_show(*, session: Session, board: str) -> None:
    """List what is on a board."""

    def lines(found: Iterable[CloudObject]) -> Iterator[str]:
        rows = (
            (format_size(one.size_in_bytes or 0), local_time(one.last_modified_date), visible(one.object_name or ""))
            for one in found
        )
        yield from table(rows, right=frozenset({0}))

    details = session.client.boards.get(board_key(session, board))
    session.out.many(details.objects or [], object_record, lines, none="The board is empty.")


@boards.command(
    "members", cls=ClientCommand, record=MemberRecord, many=True, example="skyshelf boards members 'Summer 2024'"
)
@click.argument("board")
def boards_members(*, session: Session, board: str) -> None:
    """List who is on a board."""

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

    session.out.many(session.client.boards.members(board_key(session, board)), member_record, lines)


@boards.command("leave", cls=ClientCommand, example="skyshelf boards leave 'Summer 2024'")
@click.argument("board")
@click.option("--yes", is_flag=True, help="Do not ask.")
def boards_leave(*, session: Session, board: str, yes: bool) -> None:
    """Leave a board; it is gone when the last member leaves."""
    key = board_key(session, board)
    if not yes:
        confirmed(f"Leave the board {visible(board)}? Only another member can bring you back.")
    session.client.boards.leave(key)
    session.out.note(f"You have left {board}.")
