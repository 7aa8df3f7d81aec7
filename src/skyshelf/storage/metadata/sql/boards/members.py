"""Members of boards in SQL."""

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts.boards import MEMBER, OWNER, VIEWER, BoardMember, GivenRole
from skyshelf.storage.metadata.sql.boards.access import hold_board, mark_changed, require_member
from skyshelf.storage.metadata.sql.boards.events import record
from skyshelf.storage.metadata.sql.boards.restrictions import REMOVED, VIEWER_AT_MOST, lift, restrict
from skyshelf.storage.metadata.sql.kept.links import BOARD, record_all
from skyshelf.storage.metadata.sql.statements import Params, Row, Sql, key_text, raw

_MEMBERS = (
    "SELECT m.account_id, a.account_key, a.first_name, a.last_name, a.email, m.role, m.status, m.joined_at"
    " FROM board_members m JOIN accounts a ON a.account_id = m.account_id WHERE m.board_key = :board"
)


class SqlBoardMembers:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def of_board(self, account_id: int, board_key: str) -> list[BoardMember]:
        require_member(self._sql, account_id, board_key)
        rows = self._sql.all(f"{_MEMBERS} ORDER BY m.joined_at, m.account_id", {"board": raw(board_key)})
        return [_member(row) for row in rows]

    def find(self, account_id: int, board_key: str, account_key: str) -> int:
        require_member(self._sql, account_id, board_key)
        row = self._sql.one(f"{_MEMBERS} AND a.account_key = :key", {"board": raw(board_key), "key": raw(account_key)})
        if row is None:
            raise Missing("no such member")
        member_id: int = row[0]
        return member_id

    def set_role(self, account_id: int, board_key: str, member_id: int, role: GivenRole) -> None:
        hold_board(self._sql, account_id, board_key)
        changed = self._sql.run(
            "UPDATE board_members SET role = :role WHERE board_key = :board AND account_id = :member AND role <> 'O'",
            {"board": raw(board_key), "member": member_id, "role": role},
        )
        if not changed:
            raise Missing("no such member")
        if role == VIEWER:
            restrict(self._sql, board_key, member_id, VIEWER_AT_MOST)
        else:
            lift(self._sql, board_key, member_id)

    def pass_on(self, account_id: int, board_key: str, heir_id: int) -> None:
        hold_board(self._sql, account_id, board_key)
        require_member(self._sql, heir_id, board_key)
        self._make_owner(board_key, heir_id)

    def leave(self, account_id: int, board_key: str, now: int) -> bool:
        hold_board(self._sql, account_id, board_key)
        remains = self._part(board_key, account_id, now)
        if remains:
            record(self._sql, board_key, account_id, "left", now)
        return remains

    def remove(self, account_id: int, board_key: str, member_id: int, now: int) -> None:
        hold_board(self._sql, account_id, board_key)
        remains = self._part(board_key, member_id, now)
        if remains:
            record(self._sql, board_key, member_id, "left" if member_id == account_id else "removed", now)
        if member_id != account_id:
            restrict(self._sql, board_key, member_id, REMOVED)

    def _part(self, board_key: str, member_id: int, now: int) -> bool:
        """Take a member off a board that the caller holds; whether the board is still there."""
        params: Params = {"board": raw(board_key), "member": member_id}
        gone = self._sql.one(
            "DELETE FROM board_members WHERE board_key = :board AND account_id = :member RETURNING role", params
        )
        if gone is None:
            raise Missing("no such member")
        taken: Params = {"acting": member_id, **params}
        own = ("board_items", "i.board_key = :board AND i.account_id = :member", taken)
        record_all(self._sql, own, now, kind=BOARD, other_key=board_key)
        if self._sql.run("DELETE FROM board_items WHERE board_key = :board AND account_id = :member", params):
            mark_changed(self._sql, board_key, now)
        return gone[0] != OWNER or self._inherit(board_key)

    def crown(self, board_key: str) -> bool:
        """Make the account that the board names as its owner the owner, if it is a member, else the oldest member."""
        board: Params = {"board": raw(board_key)}
        row = self._sql.one(
            "SELECT (SELECT m.account_id FROM board_members m WHERE m.board_key = b.board_key"
            " AND m.account_id = b.owner_id AND m.status = 'A') FROM boards b WHERE b.board_key = :board FOR UPDATE",
            board,
        )
        if row is None:
            return False
        if row[0] is None:
            return self._inherit(board_key)
        self._make_owner(board_key, row[0])
        return True

    def _inherit(self, board_key: str) -> bool:
        """Find a new owner for a board that lost its own; where there is none, the board goes."""
        board: Params = {"board": raw(board_key)}
        heir = self._sql.one(
            "SELECT account_id FROM board_members WHERE board_key = :board AND status = 'A'"
            " ORDER BY joined_at, account_id LIMIT 1",
            board,
        )
        if heir is None:
            self._sql.run("DELETE FROM boards WHERE board_key = :board", board)
            return False
        self._make_owner(board_key, heir[0])
        return True

    def _make_owner(self, board_key: str, heir_id: int) -> None:
        """The caller holds the board's lock. There is no owner for a moment, so there are never two."""
        params: Params = {"board": raw(board_key), "heir": heir_id}
        self._sql.run(
            "UPDATE board_members SET role = :member WHERE board_key = :board AND role = 'O'",
            {"board": raw(board_key), "member": MEMBER},
        )
        self._sql.run("UPDATE board_members SET role = 'O' WHERE board_key = :board AND account_id = :heir", params)
        self._sql.run("UPDATE boards SET owner_id = :heir WHERE board_key = :board", params)
        lift(self._sql, board_key, heir_id)


def _member(row: Row) -> BoardMember:
    return BoardMember(row[0], key_text(row[1]), *row[2:])
