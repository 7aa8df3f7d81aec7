"""`skyshelf boards`: shared albums."""

from collections.abc import Iterable, Iterator

import click

from skyshelf.cli.failures import CommandFailed
from skyshelf.cli.listing_group import ListingGroup
from skyshelf.cli.output import table
from skyshelf.cli.questions import confirmed
from skyshelf.cli.records import BoardRecord, MemberRecord, ObjectRecord, object_record
from skyshelf.cli.session import ClientCommand, Session
from skyshelf.cli.sizes import counted, readable
from skyshelf.cli.targets import KEY, target
from skyshelf.cli.visible_text import local_time, utc_time, visible
from skyshelf.wire.boards import MEMBER_OWNER, Board, BoardMember
from skyshelf.wire.client_errors import CONFLICT_ERROR, OBJECT_NOT_FOUND_ERROR
from skyshelf.wire.objects import CloudObject


@click.group("boards", cls=ListingGroup)
def boards() -> None:
    """Make, look at and leave boards, which are shared albums."""


def _record(board: Board) -> BoardRecord:
    return BoardRecord(
        board_key=board.board_key,
        name=board.board_name or "",
        description=board.board_description,
        files=board.files_count,
        members=board.users_count,
        size_bytes=board.size_in_bytes,
        created=utc_time(board.created_date),
        modified=utc_time(board.last_modified_date),
    )


def _lines(found: Iterable[Board]) -> Iterator[str]:
    rows = (
        (
            f"{KEY}{board.board_key}",
            counted(board.files_count or 0, "file"),
            counted(board.users_count or 0, "member"),
            visible(board.board_name or ""),
        )
        for board in found
    )
    yield from table(rows, right=frozenset({1, 2}))


def _board_key(session: Session, text: str) -> str:
    """The key of a board that is named by its name or its key."""
    if text.startswith(KEY):
        return target(text)
    found = [board for board in session.client.boards() if board.board_name == text]
    if not found:
        raise CommandFailed(
            f"there is no board {text!r}: `skyshelf boards ls` lists them", OBJECT_NOT_FOUND_ERROR.exit_code
        )
    if len(found) > 1:
        keys = ", ".join(KEY + board.board_key for board in found)
        raise CommandFailed(f"{text!r} is the name of {len(found)} boards: {keys}", CONFLICT_ERROR.exit_code)
    return found[0].board_key


@boards.command("ls", cls=ClientCommand, record=BoardRecord, many=True, example="skyshelf boards ls")
def boards_ls(*, session: Session) -> None:
    """List the boards that you are a member of."""
    session.out.many(
        session.client.boards(), _record, _lines, none="You are on no board: `skyshelf boards create NAME` makes one."
    )


@boards.command("create", cls=ClientCommand, record=BoardRecord, example="skyshelf boards create 'Summer 2024'")
@click.argument("name")
@click.option("--description", help="A few words about it.")
def boards_create(*, session: Session, name: str, description: str | None) -> None:
    """Make a board."""
    board = session.client.create_board(name, description)
    session.out.one(_record(board), [f"{KEY}{board.board_key}"])


@boards.command("show", cls=ClientCommand, record=ObjectRecord, many=True, example="skyshelf boards show 'Summer 2024'")
@click.argument("board")
def boards_show(*, session: Session, board: str) -> None:
    """List what is on a board."""

    def lines(found: Iterable[CloudObject]) -> Iterator[str]:
        rows = (
            (readable(one.size_in_bytes or 0), local_time(one.last_modified_date), visible(one.object_name or ""))
            for one in found
        )
        yield from table(rows, right=frozenset({0}))

    details = session.client.board(_board_key(session, board))
    session.out.many(details.objects or [], object_record, lines, none="The board is empty.")


@boards.command(
    "members", cls=ClientCommand, record=MemberRecord, many=True, example="skyshelf boards members 'Summer 2024'"
)
@click.argument("board")
def boards_members(*, session: Session, board: str) -> None:
    """List who is on a board."""

    def record(member: BoardMember) -> MemberRecord:
        return MemberRecord(
            user_id=member.user_id,
            first_name=member.first_name,
            is_owner=member.member_type == MEMBER_OWNER,
            joined=utc_time(member.mem_created_date),
        )

    def lines(found: Iterable[BoardMember]) -> Iterator[str]:
        rows = (
            (
                visible(member.first_name or member.user_id),
                "owner" if member.member_type == MEMBER_OWNER else "member",
                local_time(member.mem_created_date),
            )
            for member in found
        )
        yield from table(rows)

    session.out.many(session.client.board_members(_board_key(session, board)), record, lines)


@boards.command("leave", cls=ClientCommand, example="skyshelf boards leave 'Summer 2024'")
@click.argument("board")
@click.option("--yes", is_flag=True, help="Do not ask.")
def boards_leave(*, session: Session, board: str, yes: bool) -> None:
    """Leave a board; it is gone when the last member leaves."""
    key = _board_key(session, board)
    if not yes:
        confirmed(f"Leave the board {visible(board)}? Only another member can bring you back.")
    session.client.leave_board(key)
    session.out.note(f"You have left {board}.")
