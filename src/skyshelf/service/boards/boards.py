"""Boards: albums that several accounts share. Listing, creating, editing, leaving and deleting them."""

from collections.abc import Iterator
from contextlib import contextmanager

from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.boards.permissions import OWNERS, lock_board
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.pages import encode_response, raw_objects, sort_order
from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts import boards as stored
from skyshelf.storage.metadata.contracts.boards import BoardMember as StoredMember
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.boards import (
    Board,
    BoardActivity,
    BoardCover,
    BoardCreation,
    BoardDetails,
    BoardDetailsQuery,
    BoardEditing,
    BoardEvent,
    BoardList,
    BoardListQuery,
    BoardMember,
    BoardMembers,
)


def list_boards(ctx: ServiceContext, caller: Caller, query: BoardListQuery) -> BoardList:
    """The caller's boards, most recently changed first."""
    with ctx.metadata.read() as unit:
        boards = unit.boards.page(caller.account_id, limit=query.limit, offset=query.page * query.limit)
    return BoardList(boards=[wire_board(board) for board in boards])


def create_board(ctx: ServiceContext, caller: Caller, request: BoardCreation) -> Board:
    """Create a board. A parent folder in the request is ignored: boards are not in the tree."""
    now = ctx.clock.now()
    board = stored.NewBoard(
        board_key=ctx.new_key(), name=request.board_name, description=request.board_description or ""
    )
    return wire_board(ctx.metadata.write(lambda unit: unit.boards.create(caller.account_id, board, now)))


def board_activity(ctx: ServiceContext, caller: Caller, board_key: str) -> BoardActivity:
    """What members did on a board, newest first."""
    with _board_expected(), ctx.metadata.read() as unit:
        events = unit.boards.activity(caller.account_id, board_key)
    return BoardActivity(
        events=[
            BoardEvent(
                kind=event.kind,
                user_id=event.account_key,
                first_name=event.first_name,
                files_count=event.files or None,
                guest_name=event.guest_name,
                date=event.at,
            )
            for event in events
        ]
    )


def board_details(ctx: ServiceContext, caller: Caller, board_key: str, query: BoardDetailsQuery, origin: str) -> bytes:
    """A board and a page of its files, as JSON."""
    sort, descending = sort_order(query.sort)
    with _board_expected(), ctx.metadata.read() as unit:
        board = unit.boards.get(caller.account_id, board_key)
        objects = unit.board_items.page(
            caller.account_id,
            board_key,
            sort=sort,
            descending=descending,
            limit=query.limit,
            offset=query.page * query.limit,
        )
    return encode_response(BoardDetails(board=wire_board(board), objects=raw_objects(objects)), origin)


def board(ctx: ServiceContext, caller: Caller, board_key: str) -> Board:
    """A board without its files."""
    with _board_expected(), ctx.metadata.read() as unit:
        return wire_board(unit.boards.get(caller.account_id, board_key))


def board_members(ctx: ServiceContext, caller: Caller, board_key: str) -> BoardMembers:
    """The members of a board."""
    with _board_expected(), ctx.metadata.read() as unit:
        members = unit.board_members.of_board(caller.account_id, board_key)
    return BoardMembers(board_members=[wire_member(member) for member in members])


def leave_board(ctx: ServiceContext, caller: Caller, board_key: str) -> None:
    """End the caller's membership."""
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        unit.act_as(caller.actor)
        unit.board_members.leave(caller.account_id, board_key, now)

    with _board_expected():
        ctx.metadata.write(work)


@contextmanager
def _board_expected() -> Iterator[None]:
    """Report what is missing inside as a missing board."""
    try:
        yield
    except Missing as missing:
        raise ServiceError(codes.BOARD_NOT_FOUND) from missing


def edit_board(ctx: ServiceContext, caller: Caller, board_key: str, request: BoardEditing) -> Board:
    """Change a board's name or description."""
    now = ctx.clock.now()
    edit = stored.BoardEdit(name=request.board_name, description=request.board_description)

    def work(unit: Unit) -> stored.Board:
        lock_board(unit, caller, board_key, OWNERS)
        return unit.boards.edit(caller.account_id, board_key, edit, now)

    return wire_board(ctx.metadata.write(work))


def set_cover(ctx: ServiceContext, caller: Caller, board_key: str, request: BoardCover) -> Board:
    """Choose one of the board's files as its cover."""
    now = ctx.clock.now()

    def work(unit: Unit) -> stored.Board:
        lock_board(unit, caller, board_key, OWNERS)
        return unit.boards.set_cover(caller.account_id, board_key, request.object_key, now)

    return wire_board(ctx.metadata.write(work))


def delete_board(ctx: ServiceContext, caller: Caller, board_key: str) -> None:
    """Delete a board for everybody; the files stay with their owners."""
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        unit.act_as(caller.actor)
        lock_board(unit, caller, board_key, OWNERS)
        unit.boards.delete(caller.account_id, board_key, now)

    recorded(ctx, work, new_event(ctx, kinds.BOARD_DELETED, caller, album=board_key))


def wire_board(board: stored.Board) -> Board:
    """A stored board in its wire form."""
    return Board(
        board_key=board.board_key,
        board_name=board.name,
        board_description=board.description,
        board_type=board.board_type,
        status=board.status,
        owner_user_id=board.owner_key,
        files_count=board.files,
        image_count=board.images,
        video_count=board.videos,
        audio_count=board.audios,
        comments_count=board.comments,
        users_count=board.users,
        size_in_bytes=board.size,
        created_date=board.created_at,
        last_modified_date=board.updated_at,
        cover_object_key=board.cover_key,
        member_type=board.role,
    )


def wire_member(member: StoredMember) -> BoardMember:
    """A stored member in its wire form."""
    return BoardMember(
        user_id=member.account_key,
        first_name=member.first_name,
        member_type=member.role,
        member_status=member.status,
        mem_created_date=member.joined_at,
    )
