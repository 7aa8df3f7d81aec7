"""The list of damaged content in SQL."""

from skyshelf.storage.metadata.contracts.damage import DamagedContent
from skyshelf.storage.metadata.sql.statements import Sql, digest_text, raw

_STILL = "b.content = d.content AND b.location = d.location AND b.refs > 0"


class SqlDamage:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def note(self, sha256: str, location: str, fault: str, now: int) -> None:
        self._sql.run(
            "INSERT INTO damaged_contents (content, location, fault, found_at)"
            " VALUES (:content, :location, :fault, :now)"
            " ON CONFLICT (content) DO UPDATE SET fault = excluded.fault, location = excluded.location,"
            " found_at = CASE WHEN damaged_contents.location = excluded.location THEN damaged_contents.found_at"
            " ELSE excluded.found_at END",
            {"content": raw(sha256), "location": location, "fault": fault, "now": now},
        )

    def clear(self, sha256: str) -> bool:
        return self._sql.run("DELETE FROM damaged_contents WHERE content = :content", {"content": raw(sha256)}) > 0

    def list(self, after: str, limit: int) -> list[DamagedContent]:
        rows = self._sql.all(
            f"SELECT d.content, d.location, d.fault, d.found_at FROM damaged_contents d JOIN blobs b ON {_STILL}"
            " WHERE d.content > :after ORDER BY d.content LIMIT :limit",
            {"after": raw(after), "limit": limit},
        )
        return [DamagedContent(digest_text(row[0]), *row[1:]) for row in rows]

    def is_listed(self, sha256: str, location: str | None = None) -> bool:
        row = self._sql.one("SELECT location FROM damaged_contents WHERE content = :content", {"content": raw(sha256)})
        return row is not None and (location is None or row[0] == location)

    def count(self) -> int:
        row = self._sql.one(f"SELECT count(*) FROM damaged_contents d JOIN blobs b ON {_STILL}")
        assert row is not None
        return int(row[0])

    def forget_healed(self) -> int:
        return self._sql.run(
            "DELETE FROM damaged_contents WHERE NOT EXISTS"
            f" (SELECT 1 FROM blobs b WHERE {_STILL.replace('d.', 'damaged_contents.')})"
        )
