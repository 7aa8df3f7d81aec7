"""Items of boards, and comments on boards and items, in SQL."""

from collections.abc import Sequence
from functools import cache

from skyshelf.storage.errors import Missing, NotAFile, ObjectMissing
from skyshelf.storage.metadata.alarms import MARKED, OVERWRITTEN
from skyshelf.storage.metadata.contracts.boards import BoardComment, Contributor, NewComment
from skyshelf.storage.metadata.contracts.tree import PageCursor, SortBy, StoredObject
from skyshelf.storage.metadata.sql import bounds
from skyshelf.storage.metadata.sql.account_lock import count_signs, lock_account
from skyshelf.storage.metadata.sql.boards import access
from skyshelf.storage.metadata.sql.boards.access import record
from skyshelf.storage.metadata.sql.former import COMMENT, keep
from skyshelf.storage.metadata.sql.keeping import BOARD, record_links
from skyshelf.storage.metadata.sql.statements import Columns, Params, SqlNoun, key_text, page_after, raw, required
from skyshelf.storage.metadata.sql.tree.objects import COLUMNS, object_from
from skyshelf.storage.metadata.sql.tree.stored_wire import current_rows, encoding, stored_wire
from skyshelf.storage.metadata.sql.tree.tree import SqlTree
from skyshelf.storage.metadata.sql.tree.visibility import IS_VISIBLE, among
from skyshelf.storage.metadata.wire_cache import encoded_for_others

_ITEMS, _IS_ACTIVE, _IS_SHOWN = access.ITEMS, access.IS_ACTIVE, access.IS_SHOWN


class SqlBoardItems(SqlNoun):
    """An item is a file of the member who added it, and stays that member's. It is shown while it can be seen in
    its owner's tree and the owner is an active account; it goes when it is removed or purged, or when its owner
    is no longer a member.

    The account_id of every call is the caller's. A board of which the caller is not an active member is Missing.
    """

    def add(
        self, account_id: int, board_key: str, object_keys: Sequence[str], now: int, *, guest: str | None = None
    ) -> list[str]:
        """Put files of the caller on the board; those that were not there before. All or nothing: ObjectMissing
        when one cannot be seen, NotAFile for a folder. `guest` is the name of a guest who sent them."""
        # The account's lock keeps the objects from being purged before this commits.
        lock_account(self._sql, account_id)
        access.hold_board(self._sql, account_id, board_key)
        wanted = list(dict.fromkeys(object_keys))
        visible = SqlTree(self._sql).visible_many(account_id, wanted)
        if len(visible) < len(wanted):
            raise ObjectMissing("an object for the board is not there")
        if any(stored.is_folder for stored in visible.values()):
            raise NotAFile("a board shows files, and the key is a folder's")
        already = self._on_board(board_key, wanted)
        new = [key for key in wanted if key not in already]
        bounds.refuse(self._sql, account_id, "boardFiles", more=len(new))
        item: Params = {"board_key": raw(board_key), "account_id": account_id, "added_at": now}
        self._sql.insert_rows("board_items", [{**item, "object_key": raw(key)} for key in new])
        links = [(key, board_key, "") for key in new]
        record_links(self._sql, account_id, links, now, kind=BOARD, added=True)
        if new:
            access.mark_changed(self._sql, board_key, now)
            record(self._sql, board_key, account_id, "added", now, files=len(new), guest=guest)
        return new

    def remove(
        self, account_id: int, board_key: str, object_keys: Sequence[str], now: int, *, only_own: bool
    ) -> list[str]:
        """Take files off the board, the caller's own or anybody's; those that were on it."""
        lock_account(self._sql, account_id)
        access.hold_board(self._sql, account_id, board_key)
        wanted = list(dict.fromkeys(object_keys))
        if not wanted:
            return []
        rows = self._sql.all(
            "DELETE FROM board_items WHERE board_key = :board AND object_key = ANY_KEY(:keys)"
            f"{' AND account_id = :account' if only_own else ''} RETURNING object_key, account_id",
            {"board": raw(board_key), "keys": [raw(key) for key in wanted], "account": account_id},
        )
        gone = {key_text(key) for key, _ in rows}
        count_signs(self._sql, account_id, [MARKED] * len(gone), now)
        for owner_id in sorted({owner_id for _, owner_id in rows}):
            links = [(key_text(key), board_key, "") for key, owner in rows if owner == owner_id]
            record_links(self._sql, owner_id, links, now, kind=BOARD, added=False)
        if gone:
            access.mark_changed(self._sql, board_key, now)
            record(self._sql, board_key, account_id, "withdrew", now, files=len(gone))
        return [key for key in wanted if key in gone]

    def page(
        self,
        account_id: int,
        board_key: str,
        *,
        sort: SortBy = SortBy.MODIFIED,
        descending: bool = True,
        limit: int,
        offset: int = 0,
    ) -> list[bytes]:
        """Return what is shown, encoded as in Tree.page. Ties break by object_key, in the same direction.

        Other people's files have only the fields that wire_cache.encoded_for_others leaves: what is on the board, and
        nothing of where and how its owner keeps it.
        """
        access.require_member(self._sql, account_id, board_key)
        rows = self._sql.all(
            _page_statement(sort, descending), {"board": raw(board_key), "limit": limit, "offset": offset, **encoding()}
        )
        return [_as_seen_by(account_id, owner_id, wire) for owner_id, wire in current_rows(self._sql, None, rows, at=1)]

    def shown(self, account_id: int, board_key: str, object_keys: Sequence[str]) -> dict[str, bytes]:
        """Return the objects among the keys that the board shows, encoded as in page."""
        access.require_member(self._sql, account_id, board_key)
        params: Params = {"board": raw(board_key), "keys": [raw(key) for key in object_keys], **encoding()}
        rows = current_rows(self._sql, None, self._sql.all(_SHOWN, params), at=2) if object_keys else []
        return {key_text(key): _as_seen_by(account_id, owner_id, wire) for owner_id, key, wire in rows}

    def contributors(self, account_id: int, board_key: str, object_keys: Sequence[str]) -> list[Contributor]:
        """Return who added those of the keys that are on the board, in any order."""
        access.require_member(self._sql, account_id, board_key)
        if not object_keys:
            return []
        rows = self._sql.all(
            "SELECT i.object_key, w.account_key, w.first_name, g.guest_name, i.added_at FROM board_items i"
            " JOIN accounts w ON w.account_id = i.account_id LEFT JOIN guest_files g"
            " ON g.account_id = i.account_id AND g.object_key = i.object_key"
            " WHERE i.board_key = :board AND i.object_key = ANY_KEY(:keys)",
            {"board": raw(board_key), "keys": [raw(key) for key in object_keys]},
        )
        return [Contributor(key_text(key), key_text(account), *rest) for key, account, *rest in rows]

    def owner_of(self, account_id: int, object_key: str) -> int | None:
        """Whose object this is, if the caller may see it through a board; None otherwise. One statement."""
        return self.owners_of(account_id, [object_key]).get(object_key)

    def owners_of(self, account_id: int, object_keys: Sequence[str]) -> dict[str, int]:
        """Return whose objects these are, for those that the caller may see through a board. One statement."""
        rows = self._sql.all(
            f"SELECT DISTINCT i.object_key, i.account_id FROM {_ITEMS}"
            " JOIN board_members m ON m.board_key = i.board_key"
            f" WHERE i.object_key = ANY_KEY(:keys) AND m.account_id = :account AND m.status = 'A' AND {_IS_SHOWN}",
            {"keys": [raw(key) for key in object_keys], "account": account_id},
        )
        return {key_text(key): owner for key, owner in rows}

    def gallery(self, board_key: str, *, limit: int, after: StoredObject | None = None) -> list[StoredObject]:
        """Return what is shown, in the order in which it was taken; for visitors of a link, which the service has
        checked."""
        params: dict[str, int | bytes] = {"board": raw(board_key), "limit": limit}
        if after is not None:
            params |= _place_of(after)
        return [object_from(row) for row in self._sql.all(_gallery_statement(after is not None), params)]

    def in_gallery(self, board_key: str, object_key: str) -> StoredObject | None:
        """One of these; None where the board does not show it."""
        row = self._sql.one(
            f"SELECT {COLUMNS} FROM {_ITEMS} WHERE i.board_key = :board AND i.object_key = :object AND {_IS_SHOWN}",
            {"board": raw(board_key), "object": raw(object_key)},
        )
        return object_from(row) if row else None

    def beside(self, board_key: str, item: StoredObject) -> tuple[str | None, str | None]:
        """Return the keys of those before and after it in the gallery."""
        params: Params = {"board": raw(board_key), **_place_of(item)}
        before, after = (self._sql.one(statement, params) for statement in (_BEFORE, _AFTER))
        return key_text(before[0]) if before else None, key_text(after[0]) if after else None

    def _on_board(self, board_key: str, object_keys: list[str]) -> set[str]:
        if not object_keys:
            return set()
        on_board = "SELECT object_key FROM board_items WHERE board_key = :board AND object_key = ANY_KEY(:keys)"
        return set(self._sql.keys(on_board, {"board": raw(board_key), "keys": [raw(key) for key in object_keys]}))


def _as_seen_by(account_id: int, owner_id: int, wire: bytes) -> bytes:
    return wire if owner_id == account_id else encoded_for_others(wire)


_SHOWN = among(
    f"SELECT o.account_id, o.object_key, o.parent_key, {stored_wire('o')} AS wire"
    f" FROM {_ITEMS} WHERE i.board_key = :board AND i.object_key = ANY_KEY(:keys) AND {_IS_ACTIVE}",
    f"SELECT c.account_id, c.object_key, c.wire FROM candidate c WHERE {IS_VISIBLE}",
)


_MOMENT = "coalesce(o.taken_at, o.file_created_at)"
_IS_AFTER = f"({_MOMENT}, o.object_key) > (:moment, :key)"


def _place_of(item: StoredObject) -> dict[str, int | bytes]:
    moment = item.file_created_at if item.taken_at is None else item.taken_at
    return {"moment": moment, "key": raw(item.object_key)}


@cache
def _gallery_statement(has_place: bool) -> str:
    return among(
        f"SELECT o.account_id, o.object_key, o.parent_key, {_MOMENT} AS moment"
        f" FROM {_ITEMS} WHERE i.board_key = :board AND {_IS_ACTIVE}{f' AND {_IS_AFTER}' if has_place else ''}",
        f"SELECT {COLUMNS} FROM (SELECT c.account_id, c.object_key, c.moment FROM candidate c"
        f" WHERE {IS_VISIBLE} ORDER BY c.moment, c.object_key LIMIT :limit) k"
        " CROSS JOIN objects o WHERE o.account_id = k.account_id AND o.object_key = k.object_key"
        " ORDER BY k.moment, k.object_key",
    )


def _neighbour(comparison: str, direction: str) -> str:
    return among(
        f"SELECT o.account_id, o.object_key, o.parent_key, {_MOMENT} AS moment FROM {_ITEMS}"
        f" WHERE i.board_key = :board AND ({_MOMENT}, o.object_key) {comparison} (:moment, :key) AND {_IS_ACTIVE}",
        f"SELECT c.object_key FROM candidate c WHERE {IS_VISIBLE}"
        f" ORDER BY c.moment {direction}, c.object_key {direction} LIMIT 1",
    )


_BEFORE, _AFTER = _neighbour("<", "DESC"), _neighbour(">", "ASC")


@cache
def _page_statement(sort: SortBy, descending: bool) -> str:
    direction = "DESC" if descending else "ASC"
    return among(
        f"SELECT o.account_id, o.object_key, o.parent_key, o.{sort.value} AS sorted_by"
        f" FROM {_ITEMS} WHERE i.board_key = :board AND {_IS_ACTIVE}",
        # Only the rows of the page are fetched whole.
        f"SELECT o.account_id, {stored_wire('o')} FROM (SELECT c.account_id, c.object_key, c.sorted_by FROM candidate c"
        f" WHERE {IS_VISIBLE} ORDER BY c.sorted_by {direction}, c.object_key {direction} LIMIT :limit OFFSET :offset) k"
        " CROSS JOIN objects o WHERE o.account_id = k.account_id AND o.object_key = k.object_key"
        f" ORDER BY k.sorted_by {direction}, k.object_key {direction}",
    )


_NEW, _COMMENT = Columns(NewComment), Columns(BoardComment)
# The columns of a comment. Words outlive the item that they are about, and its key goes with the item.
_COMMENTS = (
    "SELECT c.comment_key, c.board_key, c.account_id, w.account_key, w.first_name,"
    f" CASE WHEN EXISTS (SELECT 1 FROM {access.ITEMS} WHERE i.board_key = c.board_key AND i.object_key = c.object_key"
    f" AND {access.IS_SHOWN}) THEN c.object_key END, c.text, c.created_at, c.edited_at"
    " FROM board_comments c JOIN accounts w ON w.account_id = c.account_id WHERE c.board_key = :board"
)


class SqlBoardComments(SqlNoun):
    """A comment stays when its author leaves the board, and when the item it is about goes.

    The account_id of every call is the caller's. A board of which the caller is not an active member is Missing.
    """

    def add(self, account_id: int, board_key: str, comment: NewComment, now: int) -> BoardComment:
        """ObjectMissing when it is about something that the board does not show."""
        access.hold_board(self._sql, account_id, board_key)
        if comment.object_key is not None:
            access.require_shown(self._sql, board_key, comment.object_key)
        bounds.refuse(self._sql, account_id, "comments")
        new = _NEW.write(comment)
        self._sql.insert("board_comments", board_key=raw(board_key), account_id=account_id, **new, created_at=now)
        access.mark_changed(self._sql, board_key, now)
        return self._one(board_key, comment.comment_key)

    def page(
        self, account_id: int, board_key: str, *, limit: int, after: PageCursor | None = None
    ) -> list[BoardComment]:
        """Newest first; the place of a comment is its created_at and its key."""
        access.require_member(self._sql, account_id, board_key)
        page, place = page_after("c.created_at", "c.comment_key", after, limit)
        rows = self._sql.all(f"{_COMMENTS}{page}", {"board": raw(board_key), **place})
        return [_COMMENT.read(row) for row in rows]

    def get(self, account_id: int, board_key: str, comment_key: str) -> BoardComment:
        """Missing when the board has no such comment."""
        access.require_member(self._sql, account_id, board_key)
        return self._one(board_key, comment_key)

    def edit(self, account_id: int, board_key: str, comment_key: str, text: str, now: int) -> BoardComment:
        """Anybody's comment, as in remove. Missing when there is none."""
        lock_account(self._sql, account_id)
        access.hold_board(self._sql, account_id, board_key)
        before = self._one(board_key, comment_key)
        if text == before.text:
            return before
        keep(self._sql, account_id, COMMENT, [raw(comment_key)], now, sign=OVERWRITTEN)
        edits: Params = {"text": text, "edited_at": now}
        self._sql.update("board_comments", edits, board_key=raw(board_key), comment_key=raw(comment_key))
        edited = self._one(board_key, comment_key)
        access.mark_changed(self._sql, board_key, now)
        return edited

    def remove(self, account_id: int, board_key: str, comment_key: str, now: int) -> None:
        """Anybody's comment: whose may be removed by whom, the service says. Missing when there is none."""
        lock_account(self._sql, account_id)
        access.hold_board(self._sql, account_id, board_key)
        self._one(board_key, comment_key)
        keep(self._sql, account_id, COMMENT, [raw(comment_key)], now)
        self._sql.delete("board_comments", board_key=raw(board_key), comment_key=raw(comment_key))
        access.mark_changed(self._sql, board_key, now)

    def _one(self, board_key: str, comment_key: str) -> BoardComment:
        row = self._sql.one(
            f"{_COMMENTS} AND c.comment_key = :comment", {"board": raw(board_key), "comment": raw(comment_key)}
        )
        return _COMMENT.read(required(row, Missing("no such comment")))
