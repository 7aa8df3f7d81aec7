"""Comments on boards in SQL."""

from skyshelf.storage.errors import Missing, ObjectMissing
from skyshelf.storage.metadata.contracts.boards import BoardComment, NewComment
from skyshelf.storage.metadata.contracts.tree import PageCursor
from skyshelf.storage.metadata.sql.boards.access import IS_SHOWN, ITEMS, hold_board, mark_changed, require_member
from skyshelf.storage.metadata.sql.bounds import refuse_beyond
from skyshelf.storage.metadata.sql.statements import Row, Sql, Value, key_text, raw
from skyshelf.wire.limits import BOARD_COMMENTS_MAX

# Words outlive the item that they are about, and its key goes with the item.
_COMMENTS = (
    "SELECT c.comment_key, c.board_key, c.account_id, w.account_key, w.first_name,"
    f" CASE WHEN EXISTS (SELECT 1 FROM {ITEMS} WHERE i.board_key = c.board_key AND i.object_key = c.object_key"
    f" AND {IS_SHOWN}) THEN c.object_key END, c.text, c.created_at, c.edited_at"
    " FROM board_comments c JOIN accounts w ON w.account_id = c.account_id WHERE c.board_key = :board"
)


class SqlBoardComments:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, account_id: int, board_key: str, comment: NewComment, now: int) -> BoardComment:
        hold_board(self._sql, account_id, board_key)
        if comment.object_key is not None:
            self._refuse_what_is_not_shown(board_key, comment.object_key)
        refuse_beyond(
            self._sql,
            "FROM board_comments WHERE account_id = :account",
            {"account": account_id},
            most=BOARD_COMMENTS_MAX,
            what="comments of one account: delete some",
        )
        self._sql.run(
            "INSERT INTO board_comments (comment_key, board_key, account_id, object_key, text, created_at)"
            " VALUES (:comment, :board, :account, :object, :text, :now)",
            {
                "comment": raw(comment.comment_key),
                "board": raw(board_key),
                "account": account_id,
                "object": None if comment.object_key is None else raw(comment.object_key),
                "text": comment.text,
                "now": now,
            },
        )
        mark_changed(self._sql, board_key, now)
        return self._one(board_key, comment.comment_key)

    def page(
        self, account_id: int, board_key: str, *, limit: int, after: PageCursor | None = None
    ) -> list[BoardComment]:
        require_member(self._sql, account_id, board_key)
        params: dict[str, Value] = {"board": raw(board_key), "limit": limit}
        further = ""
        if after is not None:
            further = " AND (c.created_at, c.comment_key) < (:after_value, :after_key)"
            params |= {"after_value": after.value, "after_key": raw(after.key)}
        rows = self._sql.all(
            f"{_COMMENTS}{further} ORDER BY c.created_at DESC, c.comment_key DESC LIMIT :limit", params
        )
        return [_comment(row) for row in rows]

    def get(self, account_id: int, board_key: str, comment_key: str) -> BoardComment:
        require_member(self._sql, account_id, board_key)
        return self._one(board_key, comment_key)

    def edit(self, account_id: int, board_key: str, comment_key: str, text: str, now: int) -> BoardComment:
        hold_board(self._sql, account_id, board_key)
        self._sql.run(
            "UPDATE board_comments SET text = :text, edited_at = :now"
            " WHERE board_key = :board AND comment_key = :comment",
            {"board": raw(board_key), "comment": raw(comment_key), "text": text, "now": now},
        )
        edited = self._one(board_key, comment_key)
        mark_changed(self._sql, board_key, now)
        return edited

    def remove(self, account_id: int, board_key: str, comment_key: str, now: int) -> None:
        hold_board(self._sql, account_id, board_key)
        gone = self._sql.run(
            "DELETE FROM board_comments WHERE board_key = :board AND comment_key = :comment",
            {"board": raw(board_key), "comment": raw(comment_key)},
        )
        if not gone:
            raise Missing("no such comment")
        mark_changed(self._sql, board_key, now)

    def _one(self, board_key: str, comment_key: str) -> BoardComment:
        row = self._sql.one(
            f"{_COMMENTS} AND c.comment_key = :comment", {"board": raw(board_key), "comment": raw(comment_key)}
        )
        if row is None:
            raise Missing("no such comment")
        return _comment(row)

    def _refuse_what_is_not_shown(self, board_key: str, object_key: str) -> None:
        row = self._sql.one(
            f"SELECT 1 FROM {ITEMS} WHERE i.board_key = :board AND i.object_key = :object AND {IS_SHOWN}",
            {"board": raw(board_key), "object": raw(object_key)},
        )
        if row is None:
            raise ObjectMissing("the board does not show that object")


def _comment(row: Row) -> BoardComment:
    comment, board, account_id, account_key, first_name, about, text, created_at, edited_at = row
    return BoardComment(
        key_text(comment),
        key_text(board),
        account_id,
        key_text(account_key),
        first_name,
        None if about is None else key_text(about),
        text,
        created_at,
        edited_at,
    )
