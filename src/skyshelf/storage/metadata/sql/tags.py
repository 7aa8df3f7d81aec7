"""Tags in SQL."""

import unicodedata
from collections.abc import Sequence

from skyshelf.storage.errors import Missing, NameTaken, ObjectMissing
from skyshelf.storage.metadata.alarms import MARKED
from skyshelf.storage.metadata.contracts.tree import CursorRow, NewTag, PageCursor, Tag
from skyshelf.storage.metadata.sql import bounds
from skyshelf.storage.metadata.sql.account_lock import count_signs, lock_account
from skyshelf.storage.metadata.sql.keeping import TAG, record_all, record_links
from skyshelf.storage.metadata.sql.statements import Columns, Params, SqlNoun, Value, key_text, raw, required
from skyshelf.storage.metadata.sql.tree.pages import VisiblePage
from skyshelf.storage.metadata.sql.tree.tree import SqlTree
from skyshelf.wire.limits import ALARM_CALL_POINTS_MAX, ALARM_MARKED_PER_POINT

_TAG = Columns(Tag, "t")


class SqlTags(SqlNoun):
    """Case does not count in names: the first spelling stays. A tag lives as long as some object has it.

    Keys of other accounts are, for every call, keys that do not exist.
    """

    def add(self, account_id: int, object_keys: Sequence[str], tag: NewTag, now: int) -> Tag:
        """Give objects a tag, which they may have already. All or nothing: ObjectMissing when one cannot be seen."""
        lock_account(self._sql, account_id)
        wanted = list(dict.fromkeys(object_keys))
        if len(SqlTree(self._sql).visible_many(account_id, wanted)) < len(wanted):
            raise ObjectMissing("an object for the tag is not there")
        self._refuse_too_many(account_id, folded_name(tag.name), len(wanted))
        row = self._sql.inserted(
            "tags",
            "tag_key, name, created_at, used_at",
            "ON CONFLICT (account_id, name_folded) DO UPDATE SET used_at = excluded.used_at",
            **tag_row(account_id, raw(tag.tag_key), unicodedata.normalize("NFC", tag.name), now),
        )
        has_it = "account_id = :account AND object_key = ANY_KEY(:objects) AND tag_key = :tag"
        params: Params = {"account": account_id, "objects": [raw(key) for key in wanted], "tag": row[0]}
        already = set(self._sql.keys(f"SELECT object_key FROM object_tags WHERE {has_it}", params))
        came = [(key, key_text(row[0]), row[1]) for key in wanted if key not in already]
        record_links(self._sql, account_id, came, now, kind=TAG, added=True)
        tagged: Params = {"account_id": account_id, "tag_key": row[0], "created_at": now}
        self._sql.insert_rows("object_tags", [{**tagged, "object_key": raw(key)} for key, *_ in came])
        return _TAG.read(row)

    def _refuse_too_many(self, account_id: int, folded: str, objects: int) -> None:
        is_known = self._sql.exists("tags", account_id=account_id, name_folded=folded)
        if not is_known and bounds.used(self._sql, account_id, "tags") >= bounds.BOUNDS["tags"].most:
            # Rows of tags whose last object was purged are in nobody's way until now.
            unused = "NOT EXISTS (SELECT 1 FROM object_tags i WHERE i.tag_key = tags.tag_key)"
            self._sql.run(f"DELETE FROM tags WHERE account_id = :account AND {unused}", {"account": account_id})
            bounds.refuse(self._sql, account_id, "tags")
        bounds.refuse(self._sql, account_id, "taggedObjects", more=objects)

    def remove(self, account_id: int, object_keys: Sequence[str], tag_key: str, now: int) -> list[str]:
        """Take a tag off objects; returns those that had it. A tag without objects is gone."""
        lock_account(self._sql, account_id)
        named = "SELECT name FROM tags WHERE account_id = :account AND tag_key = :tag"
        name = self._sql.value(named, {"account": account_id, "tag": raw(tag_key)}) or ""
        taken_off = self._sql.keys(
            "DELETE FROM object_tags WHERE account_id = :account AND object_key = ANY_KEY(:objects)"
            " AND tag_key = :tag RETURNING object_key",
            {"account": account_id, "objects": [raw(key) for key in object_keys], "tag": raw(tag_key)},
        )
        left = [(key, tag_key, name) for key in sorted(taken_off)]
        record_links(self._sql, account_id, left, now, kind=TAG, added=False)
        if taken_off:
            self._sql.run(
                "DELETE FROM tags WHERE tag_key = :tag AND NOT EXISTS (SELECT 1 FROM object_tags WHERE tag_key = :tag)",
                {"tag": raw(tag_key)},
            )
        return [key for key in dict.fromkeys(object_keys) if key in taken_off]

    def rename(self, account_id: int, tag_key: str, name: str, now: int) -> Tag:
        """Missing when there is no such tag, NameTaken when another tag has the name."""
        lock_account(self._sql, account_id)
        tag, new_name = self.get(account_id, tag_key), unicodedata.normalize("NFC", name)
        if tag.name == new_name:
            return tag
        bounds.refuse(self._sql, account_id, "linkChanges")
        folded = folded_name(name)
        params: dict[str, Value] = {"account": account_id, "tag": raw(tag_key), "folded": folded}
        same_name = "account_id = :account AND name_folded = :folded AND tag_key <> :tag"
        if self._sql.one(f"SELECT 1 FROM tags t WHERE {same_name} AND {_IN_USE}", params) is not None:
            raise NameTaken("another tag has that name")
        # A tag without objects is gone; only its row is left.
        self._sql.run(f"DELETE FROM tags WHERE {same_name}", params)
        self._sql.run(
            "UPDATE tags SET name = :name, name_folded = :folded WHERE account_id = :account AND tag_key = :tag",
            params | {"name": new_name},
        )
        tagged: Params = {"acting": account_id, "tag": raw(tag_key)}
        noted = 0
        for one, added in ((tag.name, False), (new_name, True)):
            rows = ("object_tags", "i.account_id = :acting AND i.tag_key = :tag", tagged)
            noted = record_all(self._sql, rows, now, kind=TAG, other_key=tag_key, name=one, added=added)
        # As for any other call with many objects, the first ones count.
        most = ALARM_CALL_POINTS_MAX * ALARM_MARKED_PER_POINT
        count_signs(self._sql, account_id, [MARKED] * min(noted, most), now)
        return self.get(account_id, tag_key)

    def delete(self, account_id: int, tag_key: str, now: int) -> None:
        """Take it off everything. Missing when there is none."""
        lock_account(self._sql, account_id)
        name = self.get(account_id, tag_key).name
        tagged = "SELECT object_key FROM object_tags WHERE tag_key = :tag AND account_id = :account"
        left = [(key, tag_key, name) for key in self._sql.keys(tagged, {"account": account_id, "tag": raw(tag_key)})]
        record_links(self._sql, account_id, left, now, kind=TAG, added=False)
        self._sql.delete("tags", account_id=account_id, tag_key=raw(tag_key))

    def get(self, account_id: int, tag_key: str) -> Tag:
        """Raise Missing when there is none."""
        source = f"FROM tags t WHERE t.account_id = :account AND t.tag_key = :tag AND {_IN_USE}"
        tag = _TAG.one(self._sql, source, {"account": account_id, "tag": raw(tag_key)})
        return required(tag, Missing("no such tag"))

    def of_object(self, account_id: int, object_key: str) -> list[Tag]:
        """By name. Empty for an object that is not there."""
        return _TAG.all(
            self._sql,
            "FROM object_tags i JOIN tags t ON t.tag_key = i.tag_key"
            " WHERE i.account_id = :account AND i.object_key = :object ORDER BY t.name_folded",
            {"account": account_id, "object": raw(object_key)},
        )

    def recent(self, account_id: int, limit: int) -> list[Tag]:
        """Return the tags, most recently used first."""
        order = "ORDER BY t.used_at DESC, t.tag_key DESC LIMIT :limit"
        source = f"FROM tags t WHERE t.account_id = :account AND {_IN_USE} {order}"
        return _TAG.all(self._sql, source, {"account": account_id, "limit": limit})

    def page(self, account_id: int, *, limit: int, after: PageCursor | None = None) -> list[tuple[Tag, PageCursor]]:
        """Return all tags, by their folded names."""
        params: dict[str, Value] = {"account": account_id, "limit": limit}
        further = ""
        if after is not None:
            # A folded name is unique, so it is the whole cursor.
            assert isinstance(after.value, bytes)
            further = " AND t.name_folded > :after"
            params["after"] = after.value.decode(errors="replace").replace("\0", "")
        rows = self._sql.all(
            f"SELECT {_TAG.text}, t.name_folded FROM tags t WHERE t.account_id = :account{further} AND {_IN_USE}"
            " ORDER BY t.name_folded LIMIT :limit",
            params,
        )
        return [(_TAG.read(row[:4]), PageCursor(row[4].encode(), key_text(row[0]))) for row in rows]

    def objects(self, account_id: int, tag_key: str, *, limit: int, after: PageCursor | None = None) -> list[CursorRow]:
        """Visible objects with the tag, tagged last first. Missing when the tag does not exist."""
        self.get(account_id, tag_key)
        tagged = (
            "object_tags i CROSS JOIN objects o WHERE o.account_id = i.account_id AND o.object_key = i.object_key"
            " AND i.tag_key = :tag AND i.account_id = :account"
        )
        page = VisiblePage("i.created_at", "i.object_key", limit, after)
        return page.rows(self._sql, account_id, tagged, {"tag": raw(tag_key)})


# A condition on a tag `t`. A purge takes the tags of its objects off and leaves the tags themselves.
_IN_USE = "EXISTS (SELECT 1 FROM object_tags x WHERE x.tag_key = t.tag_key)"


def folded_name(name: str) -> str:
    """Return what makes two spellings one tag."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def tag_row(account_id: int, tag_key: bytes, name: str, now: int) -> dict[str, Value]:
    """Return the row of a new tag."""
    names = {"name": name, "name_folded": folded_name(name)}
    return {"account_id": account_id, "tag_key": tag_key, **names, "created_at": now, "used_at": now}
