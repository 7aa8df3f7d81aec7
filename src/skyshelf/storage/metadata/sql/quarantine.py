"""Quarantine in SQL."""

from collections.abc import Sequence

from skyshelf.storage.metadata.contracts.quarantine import Quarantined, QuarantineTotal, Reason
from skyshelf.storage.metadata.sql.statements import Params, Row, Sql, digest_text, raw

_COLUMNS = "q.location, q.kind, q.content, q.md5, q.size, q.reason, q.since"
_IS_REFERRED = (
    "(EXISTS (SELECT 1 FROM blobs b WHERE b.location = {0})"
    " OR EXISTS (SELECT 1 FROM thumbnails t WHERE t.location = {0} AND t.location <> ''))"
)
IS_IN_HISTORY = (
    "(q.reason = 'released' AND q.content IS NOT NULL"
    " AND EXISTS (SELECT 1 FROM kept_contents k WHERE k.content = q.content))"
)
"""A condition on something `q` in quarantine: an account's history still needs it."""
_LATEST = (1 << 63) - 1


def _quarantined(row: Row) -> Quarantined:
    return Quarantined(
        location=row[0],
        kind=row[1],
        sha256=None if row[2] is None else digest_text(row[2]),
        md5=None if row[3] is None else digest_text(row[3]),
        size=row[4],
        reason=row[5],
        since=row[6],
    )


class SqlQuarantine:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def add(self, things: Sequence[Quarantined]) -> None:
        known = referred(self._sql, [one.location for one in things if one.kind == "blob"])
        self._sql.insert_many(
            "INSERT INTO quarantine (location, kind, content, md5, size, reason, since, deleting)"
            " VALUES (:location, :kind, :content, :md5, :size, :reason, :since, 0) ON CONFLICT (location) DO NOTHING",
            [
                {
                    "location": one.location,
                    "kind": one.kind,
                    "content": None if one.sha256 is None else raw(one.sha256),
                    "md5": None if one.md5 is None else raw(one.md5),
                    "size": one.size,
                    "reason": one.reason,
                    "since": one.since,
                }
                for one in {one.location: one for one in things}.values()
                if one.location not in known
            ],
        )

    def known(self, locations: Sequence[str]) -> set[str]:
        rows = self._sql.all(
            "SELECT location FROM quarantine WHERE location = ANY(:locations)", {"locations": list(locations)}
        )
        return {location for (location,) in rows}

    def page(
        self,
        *,
        after: tuple[int, str] = (-1, ""),
        since_up_to: int | None = None,
        reason: Reason | None = None,
        limit: int,
    ) -> list[Quarantined]:
        of_reason, params = _of_reason(reason)
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM quarantine q WHERE (q.since, q.location) > (:since, :location)"
            f" AND q.since <= :up_to{of_reason} ORDER BY q.since, q.location LIMIT :limit",
            {
                "since": after[0],
                "location": after[1],
                "up_to": _LATEST if since_up_to is None else since_up_to,
                "limit": limit,
                **params,
            },
        )
        return [_quarantined(row) for row in rows]

    def copies(self, sha256: str) -> list[Quarantined]:
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM quarantine q WHERE q.content = :content AND q.kind = 'blob' AND q.deleting = 0"
            " ORDER BY q.since DESC, q.location",
            {"content": raw(sha256)},
        )
        return [_quarantined(row) for row in rows]

    def reinstate(self, location: str) -> bool:
        return bool(
            self._sql.run("DELETE FROM quarantine WHERE location = :location AND deleting = 0", {"location": location})
        )

    def totals(self, since_up_to: int | None = None) -> list[QuarantineTotal]:
        rows = self._sql.all(
            "SELECT reason, count(*), sum(size), min(since) FROM quarantine WHERE since <= :up_to"
            " GROUP BY reason ORDER BY reason",
            {"up_to": _LATEST if since_up_to is None else since_up_to},
        )
        return [QuarantineTotal(reason, count, int(size), oldest) for reason, count, size, oldest in rows]

    def referred(self, limit: int) -> list[str]:
        rows = self._sql.all(
            "SELECT q.location FROM quarantine q WHERE q.kind = 'blob' AND q.deleting = 0"
            f" AND {_IS_REFERRED.format('q.location')} LIMIT :limit",
            {"limit": limit},
        )
        return [location for (location,) in rows]

    def begin_deleting(
        self, since_up_to: int, limit: int, reason: Reason | None = None, *, spare_history: bool = False
    ) -> list[Quarantined]:
        of_reason, params = _of_reason(reason)
        spared = f" AND NOT {IS_IN_HISTORY}" if spare_history else ""
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM quarantine q WHERE q.since <= :up_to AND q.deleting = 0"
            f"{of_reason}{spared} AND NOT {_IS_REFERRED.format('q.location')}"
            " ORDER BY q.since, q.location LIMIT :limit FOR UPDATE SKIP LOCKED",
            {"up_to": since_up_to, "limit": limit, **params},
        )
        found = [_quarantined(row) for row in rows]
        self._sql.run(
            "UPDATE quarantine SET deleting = 1 WHERE location = ANY(:locations)",
            {"locations": [one.location for one in found]},
        )
        return found

    def being_deleted(self, limit: int) -> list[Quarantined]:
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM quarantine q WHERE q.deleting = 1 ORDER BY q.location LIMIT :limit",
            {"limit": limit},
        )
        return [_quarantined(row) for row in rows]

    def end_deleting(self, locations: Sequence[str]) -> None:
        self._sql.run(
            "DELETE FROM quarantine WHERE location = ANY(:locations) AND deleting = 1", {"locations": list(locations)}
        )


def _of_reason(reason: Reason | None) -> tuple[str, Params]:
    return ("", {}) if reason is None else (" AND q.reason = :reason", {"reason": reason})


def referred(sql: Sql, locations: Sequence[str]) -> set[str]:
    """Those of the locations that content or a thumbnail has."""
    rows = sql.all(
        "SELECT location FROM blobs WHERE location = ANY(:locations) UNION ALL"
        " SELECT location FROM thumbnails WHERE location = ANY(:locations) AND location <> ''",
        {"locations": list(locations)},
    )
    return {location for (location,) in rows}
