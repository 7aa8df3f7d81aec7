"""Boards: albums that several accounts share. Listing, creating, editing, leaving, deleting; permissions; comments."""

from collections.abc import Callable
from hashlib import blake2b
from typing import Final, TypeVar

import msgspec

from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes, missing_as
from skyshelf.service.pages import after_number, cursor_after, encode_response, projected, raw_objects, sort_order
from skyshelf.storage.metadata.audit_events import AuditEvent
from skyshelf.storage.metadata.contracts import boards as stored
from skyshelf.storage.metadata.contracts.tree import PageCursor
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.limits import LISTING_LIMIT_MAX
from skyshelf.wire.resources import boards as wire


def list_boards(ctx: ServiceContext, caller: Caller, query: wire.BoardListQuery) -> wire.BoardList:
    """List the caller's boards, most recently changed first."""
    with ctx.metadata.read() as unit:
        boards = unit.boards.page(caller.account_id, limit=query.limit, offset=query.page * query.limit)
    return wire.BoardList(boards=[wire_board(board) for board in boards])


def create_board(ctx: ServiceContext, caller: Caller, request: wire.BoardCreation) -> wire.Board:
    """Create a board. A parent folder in the request is ignored: boards are not in the tree."""
    now = ctx.clock.now()
    new = stored.NewBoard(board_key=ctx.new_key(), name=request.board_name, description=request.board_description or "")
    return wire_board(ctx.metadata.write(lambda unit: unit.boards.create(caller.account_id, new, now)))


def board_activity(ctx: ServiceContext, caller: Caller, board_key: str) -> wire.BoardActivity:
    """List what members did on a board, newest first."""
    with missing_as(codes.BOARD_NOT_FOUND), ctx.metadata.read() as unit:
        events = unit.boards.activity(caller.account_id, board_key)
    return wire.BoardActivity(
        events=[
            projected(wire.BoardEvent, one, user_id=one.account_key, files_count=one.files or None, date=one.at)
            for one in events
        ]
    )


def board_details(
    ctx: ServiceContext, caller: Caller, board_key: str, query: wire.BoardDetailsQuery, origin: str
) -> bytes:
    """Return a board and a page of its files, as JSON."""
    sort, descending = sort_order(query.sort)
    with missing_as(codes.BOARD_NOT_FOUND), ctx.metadata.read() as unit:
        board = unit.boards.get(caller.account_id, board_key)
        offset = query.page * query.limit
        objects = unit.board_items.page(
            caller.account_id, board_key, sort=sort, descending=descending, limit=query.limit, offset=offset
        )
    return encode_response(wire.BoardDetails(board=wire_board(board), objects=raw_objects(objects)), origin)


def board(ctx: ServiceContext, caller: Caller, board_key: str) -> wire.Board:
    """Return a board without its files."""
    with missing_as(codes.BOARD_NOT_FOUND), ctx.metadata.read() as unit:
        return wire_board(unit.boards.get(caller.account_id, board_key))


def board_members(ctx: ServiceContext, caller: Caller, board_key: str) -> wire.BoardMembers:
    with missing_as(codes.BOARD_NOT_FOUND), ctx.metadata.read() as unit:
        return _members(unit, caller, board_key)


def leave_board(ctx: ServiceContext, caller: Caller, board_key: str) -> None:
    """End the caller's membership."""
    now = ctx.clock.now()
    with missing_as(codes.BOARD_NOT_FOUND):
        ctx.write_as(caller, lambda unit: unit.board_members.leave(caller.account_id, board_key, now))


def edit_board(ctx: ServiceContext, caller: Caller, board_key: str, request: wire.BoardEditing) -> wire.Board:
    now, edit = ctx.clock.now(), stored.BoardEdit(name=request.board_name, description=request.board_description)
    edited = as_owner(ctx, caller, board_key, lambda unit: unit.boards.edit(caller.account_id, board_key, edit, now))
    return wire_board(edited)


def set_cover(ctx: ServiceContext, caller: Caller, board_key: str, request: wire.BoardCover) -> wire.Board:
    """Choose one of the board's files as its cover."""
    now, key = ctx.clock.now(), request.object_key
    return wire_board(
        as_owner(ctx, caller, board_key, lambda unit: unit.boards.set_cover(caller.account_id, board_key, key, now))
    )


def delete_board(ctx: ServiceContext, caller: Caller, board_key: str) -> None:
    """Delete a board for everybody; the files stay with their owners."""
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        unit.alarms.refuse_paused(caller.account_id)
        lock_board(unit, caller, board_key, OWNERS)
        unit.boards.delete(caller.account_id, board_key, now)

    recorded(ctx, work, new_event(ctx, kinds.BOARD_DELETED, caller, board=board_key), by=caller)


def wire_board(board: stored.Board) -> wire.Board:
    return projected(
        wire.Board,
        board,
        board_name=board.name,
        board_description=board.description,
        owner_user_id=board.owner_key,
        files_count=board.files,
        image_count=board.images,
        video_count=board.videos,
        audio_count=board.audios,
        comments_count=board.comments,
        users_count=board.users,
        size_in_bytes=board.size,
        last_modified_date=board.updated_at,
        cover_object_key=board.cover_key,
        member_type=board.role,
    )


def _members(unit: Unit, caller: Caller, board_key: str) -> wire.BoardMembers:
    return wire.BoardMembers(
        board_members=[
            projected(
                wire.BoardMember,
                one,
                user_id=one.account_key,
                member_type=one.role,
                member_status=one.status,
                mem_created_date=one.joined_at,
            )
            for one in unit.board_members.of_board(caller.account_id, board_key)
        ]
    )


def set_board_role(
    ctx: ServiceContext, caller: Caller, board_key: str, user_id: str, request: wire.MemberChange
) -> wire.BoardMembers:
    """Make a member an editor, a viewer or the owner; returns the members afterwards.

    While the disk is at its reserve, a role may only be lowered.
    """

    def work(unit: Unit) -> wire.BoardMembers:
        member_id = _member_id(unit, caller, board_key, user_id)
        if request.member_type != stored.VIEWER:
            ctx.reservations.disk.check()
        if request.member_type == "O":
            unit.board_members.pass_on(caller.account_id, board_key, member_id)
        elif member_id == caller.account_id:
            raise ServiceError(codes.FORBIDDEN, "An album needs an owner: make another member the owner instead")
        else:
            unit.board_members.set_role(caller.account_id, board_key, member_id, request.member_type)
        return _members(unit, caller, board_key)

    event = new_event(ctx, kinds.BOARD_ROLE, caller, board=board_key, member=user_id, role=request.member_type)
    return as_owner(ctx, caller, board_key, work, event)


def remove_board_member(ctx: ServiceContext, caller: Caller, board_key: str, user_id: str) -> None:
    """Remove a member and their files from a board. Owners cannot remove themselves."""
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        member_id = _member_id(unit, caller, board_key, user_id)
        if member_id == caller.account_id:
            raise ServiceError(codes.FORBIDDEN, "You cannot remove yourself: leave the album instead")
        unit.board_members.remove(caller.account_id, board_key, member_id, now)

    as_owner(ctx, caller, board_key, work, new_event(ctx, kinds.BOARD_REMOVED, caller, board=board_key, member=user_id))


def _member_id(unit: Unit, caller: Caller, board_key: str, user_id: str) -> int:
    with missing_as(codes.MEMBER_NOT_FOUND):
        return unit.board_members.find(caller.account_id, board_key, user_id)


# Permissions: members view and comment, editors add their own files, and the owner manages the board.

T = TypeVar("T")
EDITORS: Final = frozenset({stored.OWNER, stored.MEMBER})
OWNERS: Final = frozenset({stored.OWNER})


def lock_board(unit: Unit, caller: Caller, board_key: str, allowed: frozenset[str] | None = None) -> str:
    """Lock a board for the rest of the transaction; returns the caller's role, which has to be an allowed one.

    None allows every role.
    """
    with missing_as(codes.BOARD_NOT_FOUND):
        role = unit.boards.hold(caller.account_id, board_key)
    _check_allowed(role, allowed)
    return role


def as_owner(
    ctx: ServiceContext, caller: Caller, board_key: str, change: Callable[[Unit], T], *events: AuditEvent
) -> T:
    """Run a change that only the owner of a board may make, with its events, while the board is locked."""

    def work(unit: Unit) -> T:
        lock_board(unit, caller, board_key, OWNERS)
        return change(unit)

    return recorded(ctx, work, *events)


def check_board_role(unit: Unit, caller: Caller, board_key: str, allowed: frozenset[str] | None = None) -> str:
    """Return the caller's role for a read, without a lock; it has to be an allowed one."""
    role = unit.boards.role(caller.account_id, board_key)
    if role is None:
        raise ServiceError(codes.BOARD_NOT_FOUND)
    _check_allowed(role, allowed)
    return role


def _check_allowed(role: str, allowed: frozenset[str] | None) -> None:
    if allowed is not None and role not in allowed:
        reason = "Only the album's owner can do this" if allowed == OWNERS else "You can only view and comment here"
        raise ServiceError(codes.FORBIDDEN, reason)


# Fingerprints and change tokens: how a stream notices that a member would see something different. A client that is
# notified fetches the board again. A change token is cheap and says that a board may have changed; the fingerprint says
# whether this member can see the change, because others' changes in their own drives must not show.

_FIRST_PAGE = wire.BoardDetailsQuery(limit=LISTING_LIMIT_MAX)


def fingerprint_for_member(ctx: ServiceContext, caller: Caller, board_key: str) -> bytes | None:
    """Return a digest of the caller's view of a board; None if the caller is no longer a member."""
    try:
        digest = blake2b(board_details(ctx, caller, board_key, _FIRST_PAGE, ""), digest_size=16)
        digest.update(msgspec.json.encode(board_members(ctx, caller, board_key)))
    except ServiceError as error:
        if error.error is codes.BOARD_NOT_FOUND:
            return None
        raise
    return digest.digest()


def invitation_change_tokens(ctx: ServiceContext, account_ids: list[int]) -> dict[int, str]:
    """Return a token per account that differs when its invitations may have changed; absent if it has none."""
    if not account_ids:
        return {}
    with ctx.metadata.read() as unit:
        return unit.board_invitations.change_tokens(account_ids, ctx.clock.now())


def board_change_tokens(ctx: ServiceContext, board_keys: list[str]) -> dict[str, str]:
    """Return a token per board that differs when the board may have changed."""
    if not board_keys:
        return {}
    with ctx.metadata.read() as unit:
        return unit.boards.change_tokens(board_keys)


# Comments: members write, edit and remove their own; the owner may remove any.


def board_comments(ctx: ServiceContext, caller: Caller, board_key: str, query: CursorQuery) -> wire.BoardComments:
    """Return a page of comments, newest first."""
    after = after_number(query.cursor)
    with ctx.metadata.read() as unit:
        check_board_role(unit, caller, board_key)
        with missing_as(codes.BOARD_NOT_FOUND):
            found = unit.board_comments.page(caller.account_id, board_key, limit=query.limit, after=after)
    places = [PageCursor(one.created_at, one.comment_key) for one in found]
    return wire.BoardComments(
        comments=[_wire_comment(one) for one in found], next_cursor=cursor_after(places, query.limit)
    )


def add_comment(
    ctx: ServiceContext, caller: Caller, board_key: str, request: wire.CommentCreation
) -> wire.BoardComment:
    """Comment on the board, or on one of its files."""
    now = ctx.clock.now()
    new = stored.NewComment(comment_key=ctx.new_key(), text=request.text, object_key=request.object_key)

    def work(unit: Unit) -> stored.BoardComment:
        lock_board(unit, caller, board_key)
        return unit.board_comments.add(caller.account_id, board_key, new, now)

    return _wire_comment(ctx.metadata.write(work))


def edit_comment(
    ctx: ServiceContext, caller: Caller, board_key: str, comment_key: str, request: wire.CommentEditing
) -> wire.BoardComment:
    """Edit one's own comment; not even the board's owner can edit another's."""
    now = ctx.clock.now()

    def work(unit: Unit) -> stored.BoardComment:
        unit.alarms.refuse_paused(caller.account_id)
        lock_board(unit, caller, board_key)
        if _comment(unit, caller, board_key, comment_key).account_id != caller.account_id:
            raise ServiceError(codes.FORBIDDEN, "Only its author can edit a comment")
        return unit.board_comments.edit(caller.account_id, board_key, comment_key, request.text, now)

    return _wire_comment(ctx.write_as(caller, work))


def remove_comment(ctx: ServiceContext, caller: Caller, board_key: str, comment_key: str) -> None:
    """Remove one's own comment, or as the board's owner any comment."""
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        unit.alarms.refuse_paused(caller.account_id)
        role = lock_board(unit, caller, board_key)
        if _comment(unit, caller, board_key, comment_key).account_id != caller.account_id and role != stored.OWNER:
            raise ServiceError(codes.FORBIDDEN, "Only its author or the album's owner can remove a comment")
        unit.board_comments.remove(caller.account_id, board_key, comment_key, now)

    ctx.write_as(caller, work)


def _comment(unit: Unit, caller: Caller, board_key: str, comment_key: str) -> stored.BoardComment:
    with missing_as(codes.COMMENT_NOT_FOUND):
        return unit.board_comments.get(caller.account_id, board_key, comment_key)


def _wire_comment(comment: stored.BoardComment) -> wire.BoardComment:
    return projected(wire.BoardComment, comment, user_id=comment.account_key, edited_date=comment.edited_at or None)
