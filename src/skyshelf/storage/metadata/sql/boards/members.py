"""Members of boards in SQL."""

from typing import Final

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts.boards import MEMBER, OWNER, VIEWER, BoardMember, GivenRole
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.boards.access import hold_board, mark_changed, record, require_member
from skyshelf.storage.metadata.sql.former import keep
from skyshelf.storage.metadata.sql.keeping import BOARD, record_all
from skyshelf.storage.metadata.sql.statements import Columns, Params, Sql, SqlNoun, raw, replacing, required

_MEMBER = Columns(BoardMember)
_MEMBERS = (
    "SELECT m.account_id, a.account_key, a.first_name, a.last_name, a.email, m.role, m.status, m.joined_at"
    " FROM board_members m JOIN accounts a ON a.account_id = m.account_id WHERE m.board_key = :board"
)


class SqlBoardMembers(SqlNoun):
    """A board has exactly one owner, who is an active member, for as long as it exists.

    The account_id of every call is the caller's. Unless a call says otherwise, a board of which the caller is
    not an active member is Missing. Changes hold the board's lock, so this holds for any number of
    concurrent ones.
    """

    def of_board(self, account_id: int, board_key: str) -> list[BoardMember]:
        """Return the members in the order in which they joined."""
        require_member(self._sql, account_id, board_key)
        rows = self._sql.all(f"{_MEMBERS} ORDER BY m.joined_at, m.account_id", {"board": raw(board_key)})
        return [_MEMBER.read(row) for row in rows]

    def find(self, account_id: int, board_key: str, account_key: str) -> int:
        """Return the account_id of a member; Missing when nobody of that key is on the board."""
        require_member(self._sql, account_id, board_key)
        row = self._sql.one(f"{_MEMBERS} AND a.account_key = :key", {"board": raw(board_key), "key": raw(account_key)})
        return int(required(row, Missing("no such member"))[0])

    def set_role(self, account_id: int, board_key: str, member_id: int, role: GivenRole) -> None:
        """Missing when there is no such member, or it is the owner.

        Somebody who is made a VIEWER stays one when they leave and come back by a link. An invitation that they have
        not accepted yet is withdrawn.
        """
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
        """Make a member the owner; the owner becomes a MEMBER. Missing when there is no such member."""
        hold_board(self._sql, account_id, board_key)
        require_member(self._sql, heir_id, board_key)
        self._make_owner(board_key, heir_id)

    def leave(self, account_id: int, board_key: str, now: int, *, keeps_history: bool = True) -> bool:
        """The caller is no longer a member; whether the board is still there.

        A member who leaves takes their own items along; their comments stay. When the owner leaves, the board passes
        to the member who joined first; when no member is left, the board is gone, invitations included.
        """
        lock_account(self._sql, account_id)
        hold_board(self._sql, account_id, board_key)
        others = (
            "SELECT 1 FROM board_members WHERE board_key = :board AND account_id <> :account AND status = 'A' LIMIT 1"
        )
        if keeps_history and self._sql.one(others, {"board": raw(board_key), "account": account_id}) is None:
            keep(self._sql, account_id, BOARD, [raw(board_key)], now)
        remains = self._part(board_key, account_id, now)
        if remains:
            record(self._sql, board_key, account_id, "left", now)
        return remains

    def remove(self, account_id: int, board_key: str, member_id: int, now: int) -> None:
        """Like leave, for somebody else. Missing when there is no such member.

        No link brings them back, only an invitation to their address; one from before is withdrawn.
        """
        hold_board(self._sql, account_id, board_key)
        remains = self._part(board_key, member_id, now)
        if remains:
            record(self._sql, board_key, member_id, "left" if member_id == account_id else "removed", now)
        if member_id != account_id:
            restrict(self._sql, board_key, member_id, REMOVED)

    def _part(self, board_key: str, member_id: int, now: int) -> bool:
        """Take a member off a board that the caller holds; whether the board is still there."""
        params: Params = {"board": raw(board_key), "member": member_id}
        member = "DELETE FROM board_members WHERE board_key = :board AND account_id = :member RETURNING role"
        (role,) = required(self._sql.one(member, params), Missing("no such member"))
        taken: Params = {"acting": member_id, **params}
        own = ("board_items", "i.board_key = :board AND i.account_id = :member", taken)
        record_all(self._sql, own, now, kind=BOARD, other_key=board_key)
        if self._sql.run("DELETE FROM board_items WHERE board_key = :board AND account_id = :member", params):
            mark_changed(self._sql, board_key, now)
        return role != OWNER or self._inherit(board_key)

    def crown(self, board_key: str) -> bool:
        """Make the account that the board names as its owner the owner, if it is a member, else the oldest member."""
        row = self._sql.one(
            "SELECT (SELECT m.account_id FROM board_members m WHERE m.board_key = b.board_key"
            " AND m.account_id = b.owner_id AND m.status = 'A') FROM boards b WHERE b.board_key = :board FOR UPDATE",
            {"board": raw(board_key)},
        )
        if row is None:
            return False
        if row[0] is None:
            return self._inherit(board_key)
        self._make_owner(board_key, row[0])
        return True

    def _inherit(self, board_key: str) -> bool:
        """Find a new owner for a board that lost its own; where there is none, the board goes."""
        heir = self._sql.value(
            "SELECT account_id FROM board_members WHERE board_key = :board AND status = 'A'"
            " ORDER BY joined_at, account_id LIMIT 1",
            {"board": raw(board_key)},
        )
        if heir is None:
            self._sql.delete("boards", board_key=raw(board_key))
            return False
        self._make_owner(board_key, heir)
        return True

    def _make_owner(self, board_key: str, heir_id: int) -> None:
        """The caller holds the board's lock. There is no owner for a moment, so there are never two."""
        board, former = raw(board_key), "board_key = :board AND role = 'O'"
        self._sql.run(f"UPDATE board_members SET role = :member WHERE {former}", {"board": board, "member": MEMBER})
        self._sql.update("board_members", {"role": OWNER}, board_key=board, account_id=heir_id)
        self._sql.update("boards", {"owner_id": heir_id}, board_key=board)
        lift(self._sql, board_key, heir_id)


REMOVED: Final = "X"
VIEWER_AT_MOST: Final = "V"


def restrict(sql: Sql, board_key: str, account_id: int, kind: str) -> None:
    """Remember a decision. It is newer than any invitation that is still open, so that one goes."""
    latest = replacing("board_key, account_id", "kind")
    sql.insert("board_restrictions", latest, board_key=raw(board_key), account_id=account_id, kind=kind)
    sql.run(
        "DELETE FROM board_invitations WHERE board_key = :board"
        " AND email_folded = (SELECT a.email_folded FROM accounts a WHERE a.account_id = :account)",
        {"board": raw(board_key), "account": account_id},
    )


def lift(sql: Sql, board_key: str, account_id: int) -> None:
    """Forget it: the owner has decided otherwise."""
    sql.delete("board_restrictions", board_key=raw(board_key), account_id=account_id)


def restriction(sql: Sql, board_key: str, account_id: int) -> str | None:
    kind = "SELECT kind FROM board_restrictions WHERE board_key = :board AND account_id = :account"
    return sql.value(kind, {"board": raw(board_key), "account": account_id})
