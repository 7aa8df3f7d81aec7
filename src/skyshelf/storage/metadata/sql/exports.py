"""Everything that an account has, in the order of its keys, which no change moves: an export reads it in ranges."""

from collections.abc import Iterable, Sequence
from typing import Final

from skyshelf.storage.metadata.contracts.exports import BoardItem, FolderAbove, ObjectSize
from skyshelf.storage.metadata.contracts.files import Version
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.sql.boards import access
from skyshelf.storage.metadata.sql.statements import Params, SqlNoun, key_text, raw
from skyshelf.storage.metadata.sql.tree.objects import objects_where, status_of
from skyshelf.storage.metadata.sql.tree.visibility import IS_NOT_PURGED, IS_VISIBLE, among
from skyshelf.wire.batches import batched

_AT_ONCE: Final = 500
_VERSION: Final = (
    "SELECT v.object_key, v.version, CASE WHEN v.version = o.version THEN 1 ELSE 0 END, v.content, b.location, v.md5,"
    " v.size, v.mime_type, v.mime_subtype, v.created_at, v.created_by, v.file_created_at, v.last_modified_at"
    " FROM versions v JOIN objects o ON o.account_id = v.account_id AND o.object_key = v.object_key"
    " JOIN blobs b ON b.content = v.content"
    " WHERE v.account_id = :account AND v.object_key = ANY_KEY(:keys) ORDER BY v.object_key, v.version"
)
_ON_BOARD: Final = among(
    "SELECT o.account_id, o.object_key, o.parent_key, o.name, i.added_at, a.account_key, a.first_name"
    f" FROM {access.ITEMS} WHERE i.board_key = :board AND {access.IS_ACTIVE}"
    " AND (i.added_at, i.object_key) > (:added, :key)",
    "SELECT c.object_key, c.account_key, c.first_name, c.name, c.added_at FROM candidate c"
    f" WHERE {IS_VISIBLE} ORDER BY c.added_at, c.object_key LIMIT :limit",
)


class SqlExports(SqlNoun):
    """Ranges of keys are after the first and up to the second; None is an open end."""

    def sizes(self, account_id: int, *, after: str | None, limit: int) -> list[ObjectSize]:
        """Return the next objects with their sizes, whatever their status; the root is not shown."""
        rows = self._sql.all(
            "SELECT k.object_key, count(v.version), CAST(coalesce(sum(v.size), 0) AS BIGINT) FROM (SELECT o.object_key"
            " FROM objects o WHERE o.account_id = :account AND o.object_key > :after AND o.parent_key IS NOT NULL"
            " ORDER BY o.object_key LIMIT :limit) k LEFT JOIN versions v ON v.account_id = :account"
            " AND v.object_key = k.object_key GROUP BY k.object_key ORDER BY k.object_key",
            {"account": account_id, "after": b"" if after is None else raw(after), "limit": limit},
        )
        return [ObjectSize(key_text(key), versions, int(size)) for key, versions, size in rows]

    def objects(self, account_id: int, *, after: str | None, until: str | None, limit: int) -> list[StoredObject]:
        """Return the next objects that exist, trashed ones included; the root is not shown."""
        within = "" if until is None else " AND o.object_key <= :until"
        params: Params = {"after": b"" if after is None else raw(after), "limit": limit}
        if until is not None:
            params = {**params, "until": raw(until)}
        return objects_where(
            self._sql,
            account_id,
            f"o.object_key > :after{within} AND o.parent_key IS NOT NULL AND {IS_NOT_PURGED}"
            " ORDER BY o.object_key LIMIT :limit",
            params,
        )

    def versions(self, account_id: int, object_keys: Sequence[str]) -> dict[str, list[Version]]:
        """Return all versions of files, the oldest first."""
        found: dict[str, list[Version]] = {}
        for keys in _some(object_keys):
            for key, version, is_current, content, location, md5, *rest in self._sql.all(
                _VERSION, {"account": account_id, "keys": keys}
            ):
                one = Version(version, bool(is_current), content.hex(), location, md5.hex(), *rest)
                found.setdefault(key_text(key), []).append(one)
        return found

    def tags(self, account_id: int, object_keys: Sequence[str]) -> dict[str, list[str]]:
        """Return the names of the tags of objects, in the order of their folded names."""
        found: dict[str, list[str]] = {}
        for keys in _some(object_keys):
            rows = self._sql.all(
                "SELECT i.object_key, t.name FROM object_tags i JOIN tags t ON t.tag_key = i.tag_key"
                " WHERE i.account_id = :account AND i.object_key = ANY_KEY(:keys) ORDER BY t.name_folded",
                {"account": account_id, "keys": keys},
            )
            for key, name in rows:
                found.setdefault(key_text(key), []).append(name)
        return found

    def folders(self, account_id: int, object_keys: Sequence[str]) -> list[FolderAbove]:
        """Return folders by key, without those above them."""
        found = []
        for keys in _some(object_keys):
            rows = self._sql.all(
                f"SELECT o.object_key, o.parent_key, {status_of('o')}, o.name FROM objects o"
                " WHERE o.account_id = :account AND o.object_key = ANY_KEY(:keys)",
                {"account": account_id, "keys": keys},
            )
            found += [
                FolderAbove(key_text(key), None if up is None else key_text(up), *rest) for key, up, *rest in rows
            ]
        return found

    def clashes(self, account_id: int, folder_keys: Sequence[str]) -> set[tuple[str, bytes]]:
        """Return the folders, with the order of a name, that have several active objects of that name in some case."""
        found: set[tuple[str, bytes]] = set()
        for keys in _some(folder_keys):
            rows = self._sql.all(
                "SELECT o.parent_key, o.name_order FROM objects o WHERE o.account_id = :account"
                " AND o.parent_key = ANY_KEY(:keys) AND o.status = 'A'"
                " GROUP BY o.parent_key, o.name_order HAVING count(*) > 1",
                {"account": account_id, "keys": keys},
            )
            found |= {(key_text(key), bytes(order)) for key, order in rows}
        return found

    def board_items(self, board_key: str, *, after: tuple[int, str] | None, limit: int) -> list[BoardItem]:
        """Return what is on a board, in the order in which it was added. The caller has checked the role."""
        added_at, key = after or (-1, "")
        rows = self._sql.all(_ON_BOARD, {"board": raw(board_key), "added": added_at, "key": raw(key), "limit": limit})
        return [BoardItem(key_text(one), key_text(who), *rest) for one, who, *rest in rows]


def _some(keys: Iterable[str]) -> Iterable[list[bytes]]:
    """Yield keys as the database has them, as many as one statement takes."""
    return batched(sorted({raw(key) for key in keys}), _AT_ONCE)
