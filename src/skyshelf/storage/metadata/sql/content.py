"""The index of blobs in SQL."""

from collections import Counter
from collections.abc import Sequence

from skyshelf.storage.metadata.contracts.content import (
    ANY_FORM,
    ANY_SIZE,
    KeptThumbnail,
    Released,
    StoredContent,
    ThumbnailKey,
)
from skyshelf.storage.metadata.contracts.quarantine import Quarantined
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.kept.purged import keep_contents
from skyshelf.storage.metadata.sql.quarantine import SqlQuarantine, referred
from skyshelf.storage.metadata.sql.quota import add_used
from skyshelf.storage.metadata.sql.statements import Params, Row, Sql, digest_text, key_text, raw

_COLUMNS = "b.content, b.location, b.size, b.md5, b.refs, b.idle_since"


_HAS_VERSION = "EXISTS (SELECT 1 FROM versions v WHERE v.content = b.content)"


def _content(row: Row) -> StoredContent:
    return StoredContent(digest_text(row[0]), row[1], row[2], digest_text(row[3]), row[4], row[5])


class SqlContent:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def get(self, sha256: str) -> StoredContent | None:
        row = self._sql.one(f"SELECT {_COLUMNS} FROM blobs b WHERE b.content = :content", {"content": raw(sha256)})
        return _content(row) if row else None

    def owned(self, account_id: int, md5: str, size: int) -> StoredContent | None:
        row = self._sql.one(
            f"SELECT {_COLUMNS} FROM versions v JOIN blobs b ON b.content = v.content"
            " WHERE v.account_id = :account AND v.md5 = :md5 AND v.size = :size LIMIT 1",
            {"account": account_id, "md5": raw(md5), "size": size},
        )
        return _content(row) if row else None

    def relocate(self, sha256: str, old_location: str, new_location: str, now: int) -> bool:
        quarantine = SqlQuarantine(self._sql)
        if not quarantine.reinstate(new_location) and quarantine.known([new_location]):
            return False
        row = self._sql.one(
            "UPDATE blobs SET location = :new WHERE content = :content AND location = :old RETURNING size, md5",
            {"content": raw(sha256), "old": old_location, "new": new_location},
        )
        if row is None:
            return False
        replaced = Quarantined(
            location=old_location,
            sha256=sha256,
            md5=digest_text(row[1]),
            size=row[0],
            reason="replaced",
            since=now,
        )
        quarantine.add([replaced])
        return True

    def release_idle(self, idle_before: int, limit: int, now: int) -> Released:
        idle = self._sql.all(
            "SELECT b.content FROM blobs b WHERE b.refs = 0 AND b.idle_since < :before"
            f" AND NOT {_HAS_VERSION} ORDER BY b.idle_since LIMIT :limit FOR UPDATE SKIP LOCKED",
            {"before": idle_before, "limit": limit},
        )
        released: Params = {"contents": [content for (content,) in idle]}
        self._sql.run(
            "INSERT INTO quarantine (location, kind, content, md5, size, reason, since, deleting)"
            " SELECT location, 'blob', content, md5, size, 'released', :now, 0 FROM blobs"
            " WHERE content = ANY_KEY(:contents) ON CONFLICT (location) DO NOTHING",
            {**released, "now": now},
        )
        derived = self._sql.all(
            "DELETE FROM thumbnails WHERE content = ANY_KEY(:contents) RETURNING location", released
        )
        gone = self._sql.all("DELETE FROM blobs WHERE content = ANY_KEY(:contents) RETURNING location", released)
        return Released([location for (location,) in gone], [location for (location,) in derived if location])

    def miscounted(self, limit: int) -> list[str]:
        rows = self._sql.all(
            f"SELECT b.content FROM blobs b WHERE b.refs = 0 AND {_HAS_VERSION} LIMIT :limit", {"limit": limit}
        )
        return [digest_text(content) for (content,) in rows]

    def known(self, locations: list[str]) -> set[str]:
        return referred(self._sql, locations)

    def recount(self) -> list[tuple[str, int, int]]:
        rows = self._sql.all(
            "SELECT b.content, b.refs, (SELECT count(*) FROM versions v WHERE v.content = b.content) AS counted"
            " FROM blobs b"
        )
        return [(digest_text(content), refs, counted) for content, refs, counted in rows if refs != counted]


def refer(sql: Sql, *, sha256: str, location: str, size: int, md5: str, now: int) -> str:
    """Count one more reference to content, and say where it lives: at the given location if it is new."""
    row = sql.one(
        "INSERT INTO blobs (content, location, size, md5, refs, created_at, idle_since)"
        " VALUES (:content, :location, :size, :md5, 1, :now, 0)"
        " ON CONFLICT (content) DO UPDATE SET refs = blobs.refs + 1 RETURNING location",
        {"content": raw(sha256), "location": location, "size": size, "md5": raw(md5), "now": now},
    )
    assert row is not None
    where: str = row[0]
    return where


def release_versions(sql: Sql, account_id: int, gone: list[Row], now: int, *, keep: bool = True) -> None:
    """Release the content and the bytes of versions that were deleted: rows of (content, category, size, object_key,
    version). History keeps the contents, unless they are to go for good."""
    if not gone:
        return
    if keep:
        keep_contents(sql, account_id, gone, now)
    # In the order of the digests, so two transactions cannot wait for each other.
    sql.run_many(
        "UPDATE blobs SET refs = refs - :fewer, idle_since = :now WHERE content = :content",
        [
            {"content": content, "fewer": fewer, "now": now}
            for content, fewer in sorted(Counter(row[0] for row in gone).items())
        ],
    )
    # Whether the account still has the content is looked up when its thumbnails would go.
    sql.run(
        "UPDATE thumbnails SET idle_since = :now WHERE account_id = :account AND content = ANY_KEY(:contents)",
        {"account": account_id, "contents": sorted({row[0] for row in gone}), "now": now},
    )
    used: dict[str, int] = {}
    for _, category, size, *_ in gone:
        used[category] = used.get(category, 0) - size
    add_used(sql, account_id, used)


# Thumbnails in SQL.

_HAS_IT = "EXISTS (SELECT 1 FROM versions v WHERE v.content = {0}.content AND v.account_id = {0}.account_id)"


class SqlThumbnails:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def get(self, key: ThumbnailKey) -> KeptThumbnail | None:
        # A failure has size 0, so it comes last.
        row = self._sql.one(
            "SELECT location, bytes, renderer, retry_at FROM thumbnails WHERE account_id = :account"
            " AND content = :content AND (size = :size AND form = :form OR size = :any_size AND form = :any_form)"
            " ORDER BY size DESC LIMIT 1",
            {
                "account": key.account_id,
                "content": raw(key.sha256),
                "size": key.size,
                "form": key.form,
                "any_size": ANY_SIZE,
                "any_form": ANY_FORM,
            },
        )
        return KeptThumbnail(*row) if row else None

    def keep(self, key: ThumbnailKey, thumbnail: KeptThumbnail, now: int) -> KeptThumbnail:
        lock_account(self._sql, key.account_id)
        of_content: Params = {"account": key.account_id, "content": raw(key.sha256)}
        if thumbnail.location:
            self._sql.run(
                "DELETE FROM thumbnails WHERE account_id = :account AND content = :content AND location = ''",
                of_content,
            )
        self._sql.run(
            "INSERT INTO thumbnails (account_id, content, size, form, location, bytes, renderer, retry_at, created_at,"
            " placeholder)"
            " SELECT v.account_id, v.content, :size, :form, :location, :bytes, :renderer, :retry_at, :now, :placeholder"
            " FROM versions v WHERE v.content = :content AND v.account_id = :account LIMIT 1"
            " ON CONFLICT (account_id, content, size, form) DO UPDATE SET renderer = excluded.renderer,"
            " retry_at = excluded.retry_at, created_at = excluded.created_at WHERE thumbnails.location = ''",
            {
                **of_content,
                "size": key.size if thumbnail.location else ANY_SIZE,
                "form": key.form if thumbnail.location else ANY_FORM,
                "location": thumbnail.location,
                "bytes": thumbnail.size,
                "renderer": thumbnail.renderer,
                "retry_at": thumbnail.retry_at,
                "now": now,
                "placeholder": thumbnail.placeholder or None,
            },
        )
        return self.get(key) or KeptThumbnail("", 0)

    def placeholders(self, account_id: int, object_keys: Sequence[str]) -> dict[str, bytes]:
        rows = self._sql.all(
            "SELECT o.object_key, t.placeholder FROM objects o JOIN thumbnails t ON t.account_id = o.account_id"
            " AND t.content = o.content WHERE o.account_id = :account AND o.object_key = ANY_KEY(:keys)"
            " AND t.placeholder IS NOT NULL",
            {"account": account_id, "keys": [raw(key) for key in object_keys]},
        )
        return {key_text(key): bytes(placeholder) for key, placeholder in rows}

    def release_idle(self, idle_before: int, limit: int) -> tuple[list[str], bool]:
        rows = self._sql.all(
            f"SELECT t.account_id, t.content, t.size, t.form, t.location, {_HAS_IT.format('t')} FROM thumbnails t"
            " WHERE t.idle_since > 0 AND t.idle_since < :before ORDER BY t.idle_since LIMIT :limit"
            " FOR UPDATE SKIP LOCKED",
            {"before": idle_before, "limit": limit},
        )
        of_row = "account_id = :account AND content = :content AND size = :size AND form = :form"
        for is_used, statement in (
            (True, f"UPDATE thumbnails SET idle_since = 0 WHERE {of_row}"),
            (False, f"DELETE FROM thumbnails WHERE {of_row}"),
        ):
            alike = [row for row in rows if bool(row[5]) == is_used]
            self._sql.run_many(
                statement, [{"account": row[0], "content": row[1], "size": row[2], "form": row[3]} for row in alike]
            )
        return [row[4] for row in rows if row[4] and not row[5]], len(rows) == limit
