"""Tags in SQL."""

import unicodedata

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.sql.keys import key_text, raw
from skyshelf.storage.metadata.sql.locks import lock_account
from skyshelf.storage.metadata.sql.statements import Params, Row, Sql
from skyshelf.storage.metadata.sql.tree import SqlTree
from skyshelf.storage.metadata.sql.visibility import CAN_BE_SEEN
from skyshelf.storage.metadata.tags import NewTag, Tag

_COLUMNS = "t.tag_key, t.name, t.created_at, t.used_at"


class SqlTags:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, account_id: int, object_key: str, tag: NewTag, now: int) -> Tag:
        lock_account(self._sql, account_id)
        SqlTree(self._sql).visible(account_id, object_key)
        row = self._sql.one(
            "INSERT INTO tags (tag_key, account_id, name, name_folded, created_at, used_at)"
            " VALUES (:tag, :account, :name, :folded, :now, :now)"
            " ON CONFLICT (account_id, name_folded) DO UPDATE SET used_at = excluded.used_at"
            " RETURNING tag_key, name, created_at, used_at",
            {
                "tag": raw(tag.tag_key),
                "account": account_id,
                "name": unicodedata.normalize("NFC", tag.name),
                "folded": _folded(tag.name),
                "now": now,
            },
        )
        assert row is not None
        self._sql.run(
            "INSERT INTO object_tags (account_id, object_key, tag_key, created_at)"
            " VALUES (:account, :object, :tag, :now) ON CONFLICT (account_id, object_key, tag_key) DO NOTHING",
            {"account": account_id, "object": raw(object_key), "tag": row[0], "now": now},
        )
        return _tag(row)

    def remove(self, account_id: int, object_key: str, tag_key: str) -> bool:
        lock_account(self._sql, account_id)
        taken_off = self._sql.run(
            "DELETE FROM object_tags WHERE account_id = :account AND object_key = :object AND tag_key = :tag",
            {"account": account_id, "object": raw(object_key), "tag": raw(tag_key)},
        )
        if not taken_off:
            return False
        self._sql.run(
            "DELETE FROM tags WHERE tag_key = :tag AND NOT EXISTS (SELECT 1 FROM object_tags WHERE tag_key = :tag)",
            {"tag": raw(tag_key)},
        )
        return True

    def get(self, account_id: int, tag_key: str) -> Tag:
        row = self._sql.one(
            f"SELECT {_COLUMNS} FROM tags t WHERE t.account_id = :account AND t.tag_key = :tag AND {_IN_USE}",
            {"account": account_id, "tag": raw(tag_key)},
        )
        if row is None:
            raise Missing("no such tag")
        return _tag(row)

    def of_object(self, account_id: int, object_key: str) -> list[Tag]:
        return self._tags(
            f"SELECT {_COLUMNS} FROM object_tags i JOIN tags t ON t.tag_key = i.tag_key"
            " WHERE i.account_id = :account AND i.object_key = :object ORDER BY t.name_folded",
            {"account": account_id, "object": raw(object_key)},
        )

    def recent(self, account_id: int, limit: int) -> list[Tag]:
        return self._tags(
            f"SELECT {_COLUMNS} FROM tags t WHERE t.account_id = :account AND {_IN_USE}"
            " ORDER BY t.used_at DESC, t.tag_key DESC LIMIT :limit",
            {"account": account_id, "limit": limit},
        )

    def objects(self, account_id: int, tag_key: str, *, limit: int, offset: int = 0) -> list[bytes]:
        self.get(account_id, tag_key)
        rows = self._sql.all(
            "SELECT o.wire FROM object_tags i JOIN objects o ON o.account_id = i.account_id"
            " AND o.object_key = i.object_key WHERE i.tag_key = :tag AND i.account_id = :account"
            f" AND o.status = 'A' AND {CAN_BE_SEEN}"
            " ORDER BY i.created_at DESC, i.object_key DESC LIMIT :limit OFFSET :offset",
            {"account": account_id, "tag": raw(tag_key), "limit": limit, "offset": offset},
        )
        return [wire for (wire,) in rows]

    def _tags(self, text: str, params: Params) -> list[Tag]:
        return [_tag(row) for row in self._sql.all(text, params)]


# A condition on a tag `t`. A purge takes the tags of its objects off and leaves the tags themselves.
_IN_USE = "EXISTS (SELECT 1 FROM object_tags x WHERE x.tag_key = t.tag_key)"


def _folded(name: str) -> str:
    """What makes two spellings one tag."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _tag(row: Row) -> Tag:
    return Tag(key_text(row[0]), *row[1:])
