"""Facts about pictures and videos, in SQL."""

from collections.abc import Iterable, Sequence

from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.contracts.media_facts import MediaFacts, PhotoFacts, PhotoPlaces
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.sql.statements import Params, Sql, Value, key_text, raw
from skyshelf.storage.metadata.sql.tree.visibility import IS_VISIBLE, among

_FACTS = "f.width, f.height, f.latitude, f.longitude, f.utc_offset"
_OF_OBJECTS = (
    f"SELECT o.object_key, o.version, o.taken_at, {_FACTS} FROM objects o LEFT JOIN media_facts f"
    " ON f.account_id = o.account_id AND f.object_key = o.object_key AND f.version = o.version"
    " WHERE o.account_id = :account AND o.object_key = ANY_KEY(:keys) AND o.timeline_month IS NOT NULL"
)


def _located(further: str) -> str:
    return among(
        f"SELECT o.account_id, o.parent_key, o.object_key, o.version, o.taken_at, {_FACTS} FROM media_facts f"
        " CROSS JOIN objects o WHERE f.account_id = :account AND f.latitude IS NOT NULL"
        f"{further} AND o.account_id = f.account_id AND o.object_key = f.object_key AND o.version = f.version"
        " AND o.status = 'A' ORDER BY f.object_key LIMIT :limit",
        f"SELECT c.object_key, c.version, c.taken_at, c.width, c.height, c.latitude, c.longitude, c.utc_offset,"
        f" CASE WHEN {IS_VISIBLE} THEN 1 ELSE 0 END FROM candidate c ORDER BY c.object_key",
    )


_LOCATED = _located("")
_LOCATED_AFTER = _located(" AND f.object_key > :after")


def keep_facts(sql: Sql, put: Iterable[tuple[StoredObject, MediaFacts | None]]) -> None:
    """Store the facts of current versions; the account is locked."""
    rows: list[Params] = [
        {
            "account": stored.account_id,
            "key": raw(stored.object_key),
            "version": stored.version,
            "width": facts.width,
            "height": facts.height,
            "latitude": facts.latitude,
            "longitude": facts.longitude,
            "utc_offset": facts.utc_offset,
        }
        for stored, facts in put
        if facts is not None
    ]
    if rows:
        sql.insert_many(
            "INSERT INTO media_facts (account_id, object_key, version, width, height, latitude, longitude, utc_offset)"
            " VALUES (:account, :key, :version, :width, :height, :latitude, :longitude, :utc_offset)"
            " ON CONFLICT (account_id, object_key) DO UPDATE SET version = excluded.version, width = excluded.width,"
            " height = excluded.height, latitude = excluded.latitude, longitude = excluded.longitude,"
            " utc_offset = excluded.utc_offset",
            rows,
        )


def keep_new_facts(sql: Sql, put: Iterable[tuple[StoredObject, NewFile]]) -> None:
    keep_facts(sql, ((stored, file.facts) for stored, file in put))


class SqlMediaFacts:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def of_objects(self, account_id: int, object_keys: Sequence[str]) -> list[PhotoFacts]:
        if not object_keys:
            return []
        keys = sorted({raw(key) for key in object_keys})
        return [_facts(row) for row in self._sql.all(_OF_OBJECTS, {"account": account_id, "keys": keys})]

    def located(self, account_id: int, *, limit: int, after: str | None = None) -> PhotoPlaces:
        params: dict[str, Value] = {"account": account_id, "limit": limit}
        if after is not None:
            params["after"] = raw(after)
        rows = self._sql.all(_LOCATED if after is None else _LOCATED_AFTER, params)
        found = [_facts(row) for row in rows if row[8]]
        return PhotoPlaces(found, key_text(rows[-1][0]) if len(rows) == limit else None)


def _facts(row: Sequence[Value]) -> PhotoFacts:
    return PhotoFacts(key_text(row[0]), row[1], row[2], MediaFacts(*row[3:8]))  # type: ignore[arg-type]
