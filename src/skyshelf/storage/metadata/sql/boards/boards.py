"""Boards in SQL."""

from collections.abc import Sequence

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts.boards import ACTIVE, OWNER, Board, BoardEdit, BoardEvent, NewBoard
from skyshelf.storage.metadata.sql import bounds
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.boards import access
from skyshelf.storage.metadata.sql.boards.access import record
from skyshelf.storage.metadata.sql.former import keep
from skyshelf.storage.metadata.sql.keeping import BOARD, record_all
from skyshelf.storage.metadata.sql.statements import Columns, Params, Row, SqlNoun, key_text, raw, required
from skyshelf.storage.metadata.sql.tree.visibility import IS_VISIBLE, among
from skyshelf.wire.limits import BOARD_EVENTS_MAX

_NEW = Columns(NewBoard)
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
    f" FROM {access.ITEMS} CROSS JOIN boards b"
    f" WHERE b.board_key = i.board_key AND i.board_key = ANY_KEY(:boards) AND {access.IS_ACTIVE}",
    f"SELECT c.board_key, count(*), {_number_of('image')}, {_number_of('video')}, {_number_of('audio')}, sum(c.size),"
    " sum(c.is_cover)"
    f" FROM candidate c WHERE {IS_VISIBLE} GROUP BY c.board_key",
)


class SqlBoards(SqlNoun):
    """Boards as one account sees them: the account_id of every call is the caller's.

    Unless a call says otherwise, a board of which the caller is not an active member is a board that does
    not exist: Missing. What a role may do is for the service to say; `hold` lets it ask and act in one step.
    """

    def create(self, account_id: int, board: NewBoard, now: int) -> Board:
        """Create a board with the caller as its owner and only member."""
        lock_account(self._sql, account_id)
        bounds.refuse(self._sql, account_id, "boards")
        made: Params = {"status": "A", "created_at": now, "updated_at": now}
        self._sql.insert("boards", owner_id=account_id, **_NEW.write(board), **made)
        access.join_board(self._sql, account_id, board.board_key, OWNER, now)
        record(self._sql, board.board_key, account_id, "created", now)
        return self.get(account_id, board.board_key)

    def get(self, account_id: int, board_key: str) -> Board:
        rows = self._sql.all(
            f"{_BOARDS_OF} AND m.board_key = :board", {"account": account_id, "status": ACTIVE, "board": raw(board_key)}
        )
        if not rows:
            raise Missing("no such board")
        return self._counted(rows)[0]

    def page(self, account_id: int, *, limit: int, offset: int = 0) -> list[Board]:
        """Return the boards that the caller is an active member of, the one changed last at the front."""
        rows = self._sql.all(
            f"{_BOARDS_OF} ORDER BY b.updated_at DESC, b.board_key DESC LIMIT :limit OFFSET :offset",
            {"account": account_id, "status": ACTIVE, "limit": limit, "offset": offset},
        )
        return self._counted(rows)

    def change_tokens(self, board_keys: Sequence[str]) -> dict[str, str]:
        """Return a text for each board that changes whenever the board, its members or their objects change.

        For the server alone, to know when to check: it reveals more than the board shows and is never sent.
        """
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
        """OWNER, MEMBER or VIEWER; None when the caller is not an active member."""
        return access.role_on_board(self._sql, account_id, board_key)

    def name(self, account_id: int, board_key: str) -> str:
        """Return what it is called, without counting what is on it."""
        row = self._sql.one(
            "SELECT b.name FROM board_members m JOIN boards b ON b.board_key = m.board_key"
            " WHERE m.account_id = :account AND m.status = 'A' AND m.board_key = :board",
            {"account": account_id, "board": raw(board_key)},
        )
        return str(required(row, Missing("no such board"))[0])

    def hold(self, account_id: int, board_key: str) -> str:
        """Lock the board until the write ends, and give the caller's role, which cannot change before that.

        Every call that changes a board takes this lock.
        """
        return access.hold_board(self._sql, account_id, board_key)

    def edit(self, account_id: int, board_key: str, edit: BoardEdit, now: int) -> Board:
        access.hold_board(self._sql, account_id, board_key)
        of_board: Params = {"board": raw(board_key)}
        name, description = self._sql.only("SELECT name, description FROM boards WHERE board_key = :board", of_board)
        wanted = (
            name if edit.name is None else edit.name,
            description if edit.description is None else edit.description,
        )
        if wanted != (name, description):
            edited: Params = {"name": wanted[0], "description": wanted[1], "updated_at": now}
            self._sql.update("boards", edited, board_key=raw(board_key))
        if wanted[0] != name:
            record(self._sql, board_key, account_id, "renamed", now)
        return self.get(account_id, board_key)

    def set_cover(self, account_id: int, board_key: str, object_key: str | None, now: int) -> Board:
        """Let an item stand for the board, or none. ObjectMissing when the board does not show it."""
        access.hold_board(self._sql, account_id, board_key)
        if object_key is not None:
            access.require_shown(self._sql, board_key, object_key)
        cover = None if object_key is None else raw(object_key)
        is_so = "SELECT 1 FROM boards WHERE board_key = :board AND cover_key IS NOT DISTINCT FROM :cover"
        if self._sql.one(is_so, {"board": raw(board_key), "cover": cover}) is None:
            self._sql.update("boards", {"cover_key": cover, "updated_at": now}, board_key=raw(board_key))
        return self.get(account_id, board_key)

    def activity(self, account_id: int, board_key: str) -> list[BoardEvent]:
        """Return what people did on the board, newest first, at most BOARD_EVENTS_MAX. Every call that changes who is
        on the board, its files or its name adds to it; files that one person adds in a row are one event."""
        access.require_member(self._sql, account_id, board_key)
        rows = self._sql.all(
            "SELECT e.kind, w.account_key, w.first_name, e.files, e.guest_name, e.at FROM board_events e"
            " JOIN accounts w ON w.account_id = e.account_id WHERE e.board_key = :board"
            " ORDER BY e.seq DESC LIMIT :limit",
            {"board": raw(board_key), "limit": BOARD_EVENTS_MAX},
        )
        return [BoardEvent(kind, key_text(key), *rest) for kind, key, *rest in rows]

    def delete(self, account_id: int, board_key: str, now: int) -> None:
        """The board, its members, items and comments go; the objects stay with their owners."""
        lock_account(self._sql, account_id)
        access.hold_board(self._sql, account_id, board_key)
        keep(self._sql, account_id, BOARD, [raw(board_key)], now)
        shown: Params = {"acting": account_id, "board": raw(board_key)}
        rows = ("board_items", "i.board_key = :board", shown)
        record_all(self._sql, rows, now, kind=BOARD, other_key=board_key)
        self._sql.delete("boards", board_key=raw(board_key))

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
    key, owner_id, owner_key, *rest, cover, role = row
    *numbers, shows_cover = items
    shown = key_text(cover) if shows_cover else None
    return Board(*(key_text(key), owner_id, key_text(owner_key), *rest, *numbers, comments, users, role, shown))
