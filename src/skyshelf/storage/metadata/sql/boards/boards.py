"""Boards in SQL."""

from collections.abc import Sequence

from skyshelf.storage.errors import Missing, ObjectMissing
from skyshelf.storage.metadata.contracts.boards import ACTIVE, OWNER, Board, BoardEdit, BoardEvent, NewBoard
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.boards.access import (
    IS_ACTIVE,
    IS_SHOWN,
    ITEMS,
    hold_board,
    mark_changed,
    require_member,
    role_on_board,
)
from skyshelf.storage.metadata.sql.boards.bounds import refuse_more_boards
from skyshelf.storage.metadata.sql.boards.events import events_of, record
from skyshelf.storage.metadata.sql.kept.links import BOARD, record_all
from skyshelf.storage.metadata.sql.statements import Params, Row, Sql, key_text, raw
from skyshelf.storage.metadata.sql.tree.visibility import IS_VISIBLE, among

_COLUMNS = (
    "b.board_key, b.owner_id, w.account_key, b.name, b.description, b.board_type, b.status, b.created_at, b.updated_at,"
    " b.cover_key, m.role"
)
_BOARDS_OF = (
    f"SELECT {_COLUMNS} FROM board_members m JOIN boards b ON b.board_key = m.board_key"
    " JOIN accounts w ON w.account_id = b.owner_id WHERE m.account_id = :account AND m.status = :status"
)


def _number_of(mime_type: str) -> str:
    return f"sum(CASE WHEN c.mime_type = '{mime_type}' THEN 1 ELSE 0 END)"


_COUNTS = among(
    "SELECT i.board_key, o.account_id, o.parent_key, o.mime_type, o.size,"
    " CASE WHEN o.object_key = b.cover_key THEN 1 ELSE 0 END AS is_cover"
    f" FROM {ITEMS} CROSS JOIN boards b"
    f" WHERE b.board_key = i.board_key AND i.board_key = ANY_KEY(:boards) AND {IS_ACTIVE}",
    f"SELECT c.board_key, count(*), {_number_of('image')}, {_number_of('video')}, {_number_of('audio')}, sum(c.size),"
    " sum(c.is_cover)"
    f" FROM candidate c WHERE {IS_VISIBLE} GROUP BY c.board_key",
)


class SqlBoards:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def create(self, account_id: int, board: NewBoard, now: int) -> Board:
        params: Params = {
            "board": raw(board.board_key),
            "owner": account_id,
            "name": board.name,
            "description": board.description,
            "type": board.board_type,
            "now": now,
        }
        lock_account(self._sql, account_id)
        refuse_more_boards(self._sql, account_id)
        self._sql.run(
            "INSERT INTO boards (board_key, owner_id, name, description, board_type, status, created_at, updated_at)"
            " VALUES (:board, :owner, :name, :description, :type, 'A', :now, :now)",
            params,
        )
        self._sql.run(
            "INSERT INTO board_members (board_key, account_id, role, status, joined_at)"
            " VALUES (:board, :owner, :role, :status, :now)",
            {
                "board": raw(board.board_key),
                "owner": account_id,
                "role": OWNER,
                "status": ACTIVE,
                "now": now,
            },
        )
        record(self._sql, board.board_key, account_id, "created", now)
        return self.get(account_id, board.board_key)

    def get(self, account_id: int, board_key: str) -> Board:
        rows = self._sql.all(
            f"{_BOARDS_OF} AND m.board_key = :board",
            {"account": account_id, "status": ACTIVE, "board": raw(board_key)},
        )
        if not rows:
            raise Missing("no such board")
        return self._counted(rows)[0]

    def page(self, account_id: int, *, limit: int, offset: int = 0) -> list[Board]:
        rows = self._sql.all(
            f"{_BOARDS_OF} ORDER BY b.updated_at DESC, b.board_key DESC LIMIT :limit OFFSET :offset",
            {"account": account_id, "status": ACTIVE, "limit": limit, "offset": offset},
        )
        return self._counted(rows)

    def change_tokens(self, board_keys: Sequence[str]) -> dict[str, str]:
        rows = self._sql.all(
            "SELECT b.board_key, b.updated_at, b.owner_id, count(*), sum(m.account_id),"
            " sum(CASE WHEN m.role = 'V' THEN m.account_id ELSE 0 END), sum(c.change_seq)"
            " FROM boards b JOIN board_members m ON m.board_key = b.board_key"
            " JOIN account_counters c ON c.account_id = m.account_id"
            " WHERE b.board_key = ANY_KEY(:boards) AND m.status = 'A'"
            " GROUP BY b.board_key, b.updated_at, b.owner_id",
            {"boards": [raw(key) for key in board_keys]},
        )
        return {key_text(board): " ".join(str(int(value)) for value in values) for board, *values in rows}

    def role(self, account_id: int, board_key: str) -> str | None:
        return role_on_board(self._sql, account_id, board_key)

    def name(self, account_id: int, board_key: str) -> str:
        row = self._sql.one(
            "SELECT b.name FROM board_members m JOIN boards b ON b.board_key = m.board_key"
            " WHERE m.account_id = :account AND m.status = 'A' AND m.board_key = :board",
            {"account": account_id, "board": raw(board_key)},
        )
        if row is None:
            raise Missing("no such board")
        name: str = row[0]
        return name

    def hold(self, account_id: int, board_key: str) -> str:
        return hold_board(self._sql, account_id, board_key)

    def edit(self, account_id: int, board_key: str, edit: BoardEdit, now: int) -> Board:
        hold_board(self._sql, account_id, board_key)
        self._sql.run(
            "UPDATE boards SET name = coalesce(:name, name), description = coalesce(:description, description),"
            " updated_at = :now WHERE board_key = :board",
            {"board": raw(board_key), "name": edit.name, "description": edit.description, "now": now},
        )
        if edit.name is not None:
            record(self._sql, board_key, account_id, "renamed", now)
        return self.get(account_id, board_key)

    def set_cover(self, account_id: int, board_key: str, object_key: str | None, now: int) -> Board:
        hold_board(self._sql, account_id, board_key)
        cover = None if object_key is None else raw(object_key)
        shown = f"SELECT 1 FROM {ITEMS} WHERE i.board_key = :board AND i.object_key = :object AND {IS_SHOWN}"
        if cover is not None and self._sql.one(shown, {"board": raw(board_key), "object": cover}) is None:
            raise ObjectMissing("the board does not show that object")
        self._sql.run(
            "UPDATE boards SET cover_key = :cover WHERE board_key = :board", {"board": raw(board_key), "cover": cover}
        )
        mark_changed(self._sql, board_key, now)
        return self.get(account_id, board_key)

    def activity(self, account_id: int, board_key: str) -> list[BoardEvent]:
        require_member(self._sql, account_id, board_key)
        return events_of(self._sql, board_key)

    def delete(self, account_id: int, board_key: str, now: int) -> None:
        hold_board(self._sql, account_id, board_key)
        shown: Params = {"acting": account_id, "board": raw(board_key)}
        rows = ("board_items", "i.board_key = :board", shown)
        record_all(self._sql, rows, now, kind=BOARD, other_key=board_key)
        self._sql.run("DELETE FROM boards WHERE board_key = :board", {"board": raw(board_key)})

    def _counted(self, rows: Sequence[Row]) -> list[Board]:
        """Boards from rows of _COLUMNS. Each kind of number comes in one statement for all boards."""
        if not rows:
            return []
        boards: Params = {"boards": [row[0] for row in rows]}
        items = {board: tuple(map(int, numbers)) for board, *numbers in self._sql.all(_COUNTS, boards)}
        comments = self._numbers("board_comments", "", boards)
        users = self._numbers("board_members", " AND status = 'A'", boards)
        return [
            _board(row, items.get(row[0], (0, 0, 0, 0, 0, 0)), comments.get(row[0], 0), users.get(row[0], 0))
            for row in rows
        ]

    def _numbers(self, table: str, condition: str, boards: Params) -> dict[bytes, int]:
        rows = self._sql.all(
            f"SELECT board_key, count(*) FROM {table} WHERE board_key = ANY_KEY(:boards){condition} GROUP BY board_key",
            boards,
        )
        return {board: number for board, number in rows}  # noqa: C416 - a row is a tuple of unknown length


def _board(row: Row, items: tuple[int, ...], comments: int, users: int) -> Board:
    key, owner_id, owner_key, name, description, board_type, status, created_at, updated_at, cover, role = row
    files, images, videos, audios, size, shows_cover = items
    return Board(
        board_key=key_text(key),
        owner_id=owner_id,
        owner_key=key_text(owner_key),
        name=name,
        description=description,
        board_type=board_type,
        status=status,
        created_at=created_at,
        updated_at=updated_at,
        files=files,
        images=images,
        videos=videos,
        audios=audios,
        size=size,
        comments=comments,
        users=users,
        role=role,
        cover_key=key_text(cover) if shows_cover else None,
    )
