"""Comments on boards: members write, edit and remove their own; the owner may remove any."""

from skyshelf.service.boards.permissions import check_board_role, lock_board
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.pages import after_number, cursor_after
from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts import boards as stored
from skyshelf.storage.metadata.contracts.boards import OWNER
from skyshelf.storage.metadata.contracts.tree import PageCursor
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.resources.boards import BoardComment, BoardComments, CommentCreation, CommentEditing


def board_comments(ctx: ServiceContext, caller: Caller, board_key: str, query: CursorQuery) -> BoardComments:
    """A page of comments, newest first."""
    after = after_number(query.cursor)
    with ctx.metadata.read() as unit:
        check_board_role(unit, caller, board_key)
        try:
            found = unit.board_comments.page(caller.account_id, board_key, limit=query.limit, after=after)
        except Missing as missing:
            raise ServiceError(codes.BOARD_NOT_FOUND) from missing
    places = [PageCursor(one.created_at, one.comment_key) for one in found]
    return BoardComments(comments=[_wire_comment(one) for one in found], next_cursor=cursor_after(places, query.limit))


def add_comment(ctx: ServiceContext, caller: Caller, board_key: str, request: CommentCreation) -> BoardComment:
    """Comment on the board, or on one of its files."""
    now = ctx.clock.now()
    new = stored.NewComment(comment_key=ctx.new_key(), text=request.text, object_key=request.object_key)

    def work(unit: Unit) -> stored.BoardComment:
        lock_board(unit, caller, board_key)
        return unit.board_comments.add(caller.account_id, board_key, new, now)

    return _wire_comment(ctx.metadata.write(work))


def edit_comment(
    ctx: ServiceContext, caller: Caller, board_key: str, comment_key: str, request: CommentEditing
) -> BoardComment:
    """Edit one's own comment; not even the board's owner can edit another's."""
    now = ctx.clock.now()

    def work(unit: Unit) -> stored.BoardComment:
        lock_board(unit, caller, board_key)
        if _comment(unit, caller, board_key, comment_key).account_id != caller.account_id:
            raise ServiceError(codes.FORBIDDEN, "Only its author can edit a comment")
        return unit.board_comments.edit(caller.account_id, board_key, comment_key, request.text, now)

    return _wire_comment(ctx.metadata.write(work))


def remove_comment(ctx: ServiceContext, caller: Caller, board_key: str, comment_key: str) -> None:
    """Remove one's own comment, or as the board's owner any comment."""
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        role = lock_board(unit, caller, board_key)
        if _comment(unit, caller, board_key, comment_key).account_id != caller.account_id and role != OWNER:
            raise ServiceError(codes.FORBIDDEN, "Only its author or the board's owner can remove a comment")
        unit.board_comments.remove(caller.account_id, board_key, comment_key, now)

    ctx.metadata.write(work)


def _comment(unit: Unit, caller: Caller, board_key: str, comment_key: str) -> stored.BoardComment:
    try:
        return unit.board_comments.get(caller.account_id, board_key, comment_key)
    except Missing as missing:
        raise ServiceError(codes.COMMENT_NOT_FOUND) from missing


def _wire_comment(comment: stored.BoardComment) -> BoardComment:
    return BoardComment(
        comment_key=comment.comment_key,
        user_id=comment.account_key,
        first_name=comment.first_name,
        object_key=comment.object_key,
        text=comment.text,
        created_date=comment.created_at,
        edited_date=comment.edited_at or None,
    )
