"""Tags in SQL."""

import unicodedata
from collections.abc import Sequence

from skyshelf.storage.errors import Missing, NameTaken, ObjectMissing
from skyshelf.storage.metadata.contracts.tags import NewTag, Tag
from skyshelf.storage.metadata.contracts.tree import CursorRow, PageCursor
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.bounds import count, refuse_beyond
from skyshelf.storage.metadata.sql.kept.links import TAG, record_all, record_links
from skyshelf.storage.metadata.sql.statements import Params, Row, Sql, Value, key_text, raw
from skyshelf.storage.metadata.sql.tree.stored_wire import current_rows, encoding, stored_wire
from skyshelf.storage.metadata.sql.tree.tree import SqlTree
from skyshelf.storage.metadata.sql.tree.visibility import OBJECT_IS_VISIBLE
from skyshelf.wire.limits import TAGGED_MAX, TAGS_MAX

_COLUMNS = "t.tag_key, t.name, t.created_at, t.used_at"


class SqlTags:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, account_id: int, object_keys: Sequence[str], tag: NewTag, now: int) -> Tag:
        lock_account(self._sql, account_id)
        wanted = list(dict.fromkeys(object_keys))
        if len(SqlTree(self._sql).visible_many(account_id, wanted)) < len(wanted):
            raise ObjectMissing("an object for the tag is not there")
        self._refuse_too_many(account_id, folded_name(tag.name), len(wanted))
        row = self._sql.one(
            "INSERT INTO tags (tag_key, account_id, name, name_folded, created_at, used_at)"
            " VALUES (:tag, :account, :name, :folded, :now, :now)"
            " ON CONFLICT (account_id, name_folded) DO UPDATE SET used_at = excluded.used_at"
            " RETURNING tag_key, name, created_at, used_at",
            {
                "tag": raw(tag.tag_key),
                "account": account_id,
                "name": unicodedata.normalize("NFC", tag.name),
                "folded": folded_name(tag.name),
                "now": now,
            },
        )
        assert row is not None
        has_it = self._sql.all(
            "SELECT object_key FROM object_tags WHERE account_id = :account AND object_key = ANY_KEY(:objects)"
            " AND tag_key = :tag",
            {"account": account_id, "objects": [raw(key) for key in wanted], "tag": row[0]},
        )
        already = {key_text(key) for (key,) in has_it}
        came = [(key, key_text(row[0]), row[1]) for key in wanted if key not in already]
        record_links(self._sql, account_id, came, now, kind=TAG, added=True)
        self._sql.run_many(
            "INSERT INTO object_tags (account_id, object_key, tag_key, created_at)"
            " VALUES (:account, :object, :tag, :now) ON CONFLICT (account_id, object_key, tag_key) DO NOTHING",
            [{"account": account_id, "object": raw(key), "tag": row[0], "now": now} for key in wanted],
        )
        return _tag(row)

    def _refuse_too_many(self, account_id: int, folded: str, objects: int) -> None:
        mine: Params = {"account": account_id}
        known = self._sql.one(
            "SELECT 1 FROM tags WHERE account_id = :account AND name_folded = :folded", {**mine, "folded": folded}
        )
        of_account = "FROM tags WHERE account_id = :account"
        if known is None and count(self._sql, of_account, mine, TAGS_MAX) == TAGS_MAX:
            # Rows of tags whose last object was purged are in nobody's way until now.
            unused = "NOT EXISTS (SELECT 1 FROM object_tags i WHERE i.tag_key = tags.tag_key)"
            self._sql.run(f"DELETE FROM tags WHERE account_id = :account AND {unused}", mine)
            refuse_beyond(self._sql, of_account, mine, most=TAGS_MAX, what="tags: delete some")
        refuse_beyond(
            self._sql,
            "FROM object_tags WHERE account_id = :account",
            mine,
            most=TAGGED_MAX,
            more=objects,
            what="tags on all objects together: remove some",
        )

    def remove(self, account_id: int, object_keys: Sequence[str], tag_key: str, now: int) -> list[str]:
        lock_account(self._sql, account_id)
        name = self._name(account_id, tag_key)
        rows = self._sql.all(
            "DELETE FROM object_tags WHERE account_id = :account AND object_key = ANY_KEY(:objects)"
            " AND tag_key = :tag RETURNING object_key",
            {"account": account_id, "objects": [raw(key) for key in object_keys], "tag": raw(tag_key)},
        )
        taken_off = {key_text(key) for (key,) in rows}
        left = [(key, tag_key, name) for key in sorted(taken_off)]
        record_links(self._sql, account_id, left, now, kind=TAG, added=False)
        if taken_off:
            self._sql.run(
                "DELETE FROM tags WHERE tag_key = :tag AND NOT EXISTS (SELECT 1 FROM object_tags WHERE tag_key = :tag)",
                {"tag": raw(tag_key)},
            )
        return [key for key in dict.fromkeys(object_keys) if key in taken_off]

    def rename(self, account_id: int, tag_key: str, name: str, now: int) -> Tag:
        lock_account(self._sql, account_id)
        old_name, new_name = self.get(account_id, tag_key).name, unicodedata.normalize("NFC", name)
        folded = folded_name(name)
        params: dict[str, Value] = {"account": account_id, "tag": raw(tag_key), "folded": folded}
        same_name = "account_id = :account AND name_folded = :folded AND tag_key <> :tag"
        taken = self._sql.one(f"SELECT 1 FROM tags t WHERE {same_name} AND {_IN_USE}", params)
        if taken is not None:
            raise NameTaken("another tag has that name")
        # A tag without objects is gone; only its row is left.
        self._sql.run(f"DELETE FROM tags WHERE {same_name}", params)
        self._sql.run(
            "UPDATE tags SET name = :name, name_folded = :folded WHERE account_id = :account AND tag_key = :tag",
            params | {"name": new_name},
        )
        tagged: Params = {"acting": account_id, "tag": raw(tag_key)}
        for one, added in ((old_name, False), (new_name, True)):
            rows = ("object_tags", "i.account_id = :acting AND i.tag_key = :tag", tagged)
            record_all(self._sql, rows, now, kind=TAG, other_key=tag_key, name=one, added=added)
        return self.get(account_id, tag_key)

    def delete(self, account_id: int, tag_key: str, now: int) -> None:
        lock_account(self._sql, account_id)
        name = self.get(account_id, tag_key).name
        rows = self._sql.all(
            "SELECT object_key FROM object_tags WHERE tag_key = :tag AND account_id = :account",
            {"account": account_id, "tag": raw(tag_key)},
        )
        left = [(key_text(key), tag_key, name) for (key,) in rows]
        record_links(self._sql, account_id, left, now, kind=TAG, added=False)
        self._sql.run(
            "DELETE FROM tags WHERE account_id = :account AND tag_key = :tag",
            {"account": account_id, "tag": raw(tag_key)},
        )

    def _name(self, account_id: int, tag_key: str) -> str:
        row = self._sql.one(
            "SELECT name FROM tags WHERE account_id = :account AND tag_key = :tag",
            {"account": account_id, "tag": raw(tag_key)},
        )
        return row[0] if row else ""

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

    def page(self, account_id: int, *, limit: int, after: PageCursor | None = None) -> list[tuple[Tag, PageCursor]]:
        params: dict[str, Value] = {"account": account_id, "limit": limit}
        further = ""
        if after is not None:
            # A folded name is unique, so it is the whole cursor.
            assert isinstance(after.value, bytes)
            further = " AND t.name_folded > :after"
            params["after"] = after.value.decode(errors="replace").replace("\0", "")
        rows = self._sql.all(
            f"SELECT {_COLUMNS}, t.name_folded FROM tags t WHERE t.account_id = :account{further} AND {_IN_USE}"
            " ORDER BY t.name_folded LIMIT :limit",
            params,
        )
        return [(_tag(row[:4]), PageCursor(row[4].encode(), key_text(row[0]))) for row in rows]

    def objects(self, account_id: int, tag_key: str, *, limit: int, after: PageCursor | None = None) -> list[CursorRow]:
        self.get(account_id, tag_key)
        params: dict[str, Value] = {"account": account_id, "tag": raw(tag_key), "limit": limit, **encoding()}
        further = ""
        if after is not None:
            further = " AND (i.created_at, i.object_key) < (:after_value, :after_key)"
            params |= {"after_value": after.value, "after_key": raw(after.key)}
        rows = self._sql.all(
            f"SELECT {stored_wire('o')}, i.created_at, i.object_key FROM object_tags i CROSS JOIN objects o"
            " WHERE o.account_id = i.account_id AND o.object_key = i.object_key AND i.tag_key = :tag"
            f" AND i.account_id = :account{further} AND o.status = 'A' AND {OBJECT_IS_VISIBLE}"
            " ORDER BY i.created_at DESC, i.object_key DESC LIMIT :limit",
            params,
        )
        found = current_rows(self._sql, account_id, rows)
        return [CursorRow(wire, PageCursor(at, key_text(key))) for wire, at, key in found]

    def _tags(self, text: str, params: Params) -> list[Tag]:
        return [_tag(row) for row in self._sql.all(text, params)]


# A condition on a tag `t`. A purge takes the tags of its objects off and leaves the tags themselves.
_IN_USE = "EXISTS (SELECT 1 FROM object_tags x WHERE x.tag_key = t.tag_key)"


def folded_name(name: str) -> str:
    """What makes two spellings one tag."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _tag(row: Row) -> Tag:
    return Tag(key_text(row[0]), *row[1:])
