"""Who may see a board, what it shows and what happened on it: what the nouns of a board have in common."""

from skyshelf.storage.errors import Missing, ObjectMissing
from skyshelf.storage.metadata.contracts.boards import EventKind
from skyshelf.storage.metadata.sql import bounds
from skyshelf.storage.metadata.sql.quota import refuse_beyond, refuse_more
from skyshelf.storage.metadata.sql.statements import Params, Sql, raw, required
from skyshelf.storage.metadata.sql.tree.visibility import OBJECT_IS_VISIBLE
from skyshelf.wire.limits import BOARD_EVENTS_MAX, BOARD_INVITATIONS_MAX, BOARD_MEMBERS_MAX

# Items `i` with their objects `o`, and the conditions under which a board shows one. The second asks each
# object for the folders above it: right for one object, and too much for a whole board.
# CROSS JOIN is SQLite's word for "in this order": a board is small, and the tree is not.
ITEMS = "board_items i CROSS JOIN objects o CROSS JOIN accounts a"
IS_ACTIVE = (
    "o.account_id = i.account_id AND o.object_key = i.object_key AND a.account_id = i.account_id"
    " AND o.status = 'A' AND a.status = 'A' AND a.delete_at = 0"
)
IS_SHOWN = f"{IS_ACTIVE} AND {OBJECT_IS_VISIBLE}"


def role_on_board(sql: Sql, account_id: int, board_key: str) -> str | None:
    """Return the role of an active member; None for anybody else."""
    of_member = "SELECT role FROM board_members WHERE board_key = :board AND account_id = :account AND status = 'A'"
    return sql.value(of_member, {"board": raw(board_key), "account": account_id})


def require_member(sql: Sql, account_id: int, board_key: str) -> str:
    """Return the role of an active member; Missing for anybody else."""
    return required(role_on_board(sql, account_id, board_key), Missing("no such board"))


def require_shown(sql: Sql, board_key: str, object_key: str) -> None:
    """ObjectMissing when the board does not show the object."""
    shown = f"SELECT 1 FROM {ITEMS} WHERE i.board_key = :board AND i.object_key = :object AND {IS_SHOWN}"
    if sql.one(shown, {"board": raw(board_key), "object": raw(object_key)}) is None:
        raise ObjectMissing("the board does not show that object")


def lock_board(sql: Sql, board_key: str) -> None:
    """Hold the board until the transaction ends. Who needs an account's lock too takes that one first."""
    if sql.one("SELECT 1 FROM boards WHERE board_key = :board FOR UPDATE", {"board": raw(board_key)}) is None:
        raise Missing("no such board")


def hold_board(sql: Sql, account_id: int, board_key: str) -> str:
    """Lock the board, then read the role: read before, it could be out of date by now."""
    lock_board(sql, board_key)
    return require_member(sql, account_id, board_key)


def mark_changed(sql: Sql, board_key: str, now: int) -> None:
    """The caller holds the board."""
    sql.update("boards", {"updated_at": now}, board_key=raw(board_key))


def join_board(sql: Sql, account_id: int, board_key: str, role: str, now: int) -> bool:
    """Make an account a member; false for one who is a member already."""
    member: Params = {"board_key": raw(board_key), "account_id": account_id, "role": role, "status": "A"}
    on_conflict = "ON CONFLICT (board_key, account_id) DO NOTHING"
    return sql.insert("board_members", on_conflict, **member, joined_at=now) > 0


def refuse_more_members(sql: Sql, account_id: int, board_key: str) -> None:
    """Nothing for somebody who is a member already."""
    if sql.exists("board_members", board_key=raw(board_key), account_id=account_id):
        return
    bounds.refuse(sql, account_id, "boards")
    refuse_more(sql, "board_members", board_key=raw(board_key), most=BOARD_MEMBERS_MAX, what="members of one board")


def refuse_more_invitations(sql: Sql, board_key: str, email_folded: str) -> None:
    """Nothing for an address that is invited already."""
    others = "FROM board_invitations WHERE board_key = :board AND email_folded <> :email"
    params: Params = {"board": raw(board_key), "email": email_folded}
    refuse_beyond(sql, others, params, most=BOARD_INVITATIONS_MAX, what="invitations to one board: revoke some")


# What people did on boards: written by the calls that change a board, in their transaction.


_SAME_MS = 30 * 60 * 1000
"""Files that somebody adds within this time of each other are one event: uploads arrive one by one."""


def record(
    sql: Sql, board_key: str, account_id: int, kind: EventKind, now: int, *, files: int = 0, guest: str | None = None
) -> None:
    """The caller holds the board, which still exists."""
    newest = sql.one(
        "SELECT seq, account_id, kind, guest_name, at FROM board_events WHERE board_key = :board"
        " ORDER BY seq DESC LIMIT 1",
        {"board": raw(board_key)},
    )
    seq = 0 if newest is None else newest[0]
    if newest is not None and files and newest[1:4] == (account_id, kind, guest) and now - newest[4] < _SAME_MS:
        sql.run(
            "UPDATE board_events SET files = files + :files, at = :now WHERE board_key = :board AND seq = :seq",
            {"board": raw(board_key), "seq": seq, "files": files, "now": now},
        )
        return
    event: Params = {"account_id": account_id, "kind": kind, "files": files, "guest_name": guest, "at": now}
    sql.insert("board_events", board_key=raw(board_key), seq=seq + 1, **event)
    if seq >= BOARD_EVENTS_MAX:
        _drop_one(sql, board_key)


# Guests may call themselves anything, so all of them that come by one person's links count as one.
_WHO = "account_id, CASE WHEN guest_name IS NULL THEN 0 ELSE 1 END"


def _drop_one(sql: Sql, board_key: str) -> None:
    """Drop the oldest event of the person with the most, if there are too many: no one pushes out those of others."""
    rows = sql.all(
        f"SELECT count(*), min(seq) FROM board_events WHERE board_key = :board GROUP BY {_WHO} ORDER BY 1 DESC, 2",
        {"board": raw(board_key)},
    )
    if sum(number for number, _ in rows) > BOARD_EVENTS_MAX:
        sql.delete("board_events", board_key=raw(board_key), seq=rows[0][1])
