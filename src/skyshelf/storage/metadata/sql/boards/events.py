"""What people did on boards, in SQL: written by the calls that change a board, in their transaction."""

from skyshelf.storage.metadata.contracts.boards import BoardEvent, EventKind
from skyshelf.storage.metadata.sql.statements import Params, Sql, Value, key_text, raw
from skyshelf.wire.limits import BOARD_EVENTS_MAX

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
    params: dict[str, Value] = {
        "board": raw(board_key),
        "seq": seq + 1,
        "account": account_id,
        "kind": kind,
        "files": files,
        "guest": guest,
        "now": now,
    }
    sql.run(
        "INSERT INTO board_events (board_key, seq, account_id, kind, files, guest_name, at)"
        " VALUES (:board, :seq, :account, :kind, :files, :guest, :now)",
        params,
    )
    if seq >= BOARD_EVENTS_MAX:
        sql.run(
            "DELETE FROM board_events WHERE board_key = :board AND seq <= :oldest",
            {"board": raw(board_key), "oldest": seq + 1 - BOARD_EVENTS_MAX},
        )


def events_of(sql: Sql, board_key: str) -> list[BoardEvent]:
    """Newest first."""
    params: Params = {"board": raw(board_key), "limit": BOARD_EVENTS_MAX}
    rows = sql.all(
        "SELECT e.kind, w.account_key, w.first_name, e.files, e.guest_name, e.at FROM board_events e"
        " JOIN accounts w ON w.account_id = e.account_id WHERE e.board_key = :board"
        " ORDER BY e.seq DESC LIMIT :limit",
        params,
    )
    return [BoardEvent(kind, key_text(key), *rest) for kind, key, *rest in rows]
