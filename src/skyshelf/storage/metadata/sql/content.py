"""The index of blobs in SQL."""

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import itemgetter

from skyshelf.storage.metadata.contracts import content as records
from skyshelf.storage.metadata.contracts.content import QuarantineEntry
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.history.contract import ContentPlace
from skyshelf.storage.metadata.sql import bounds
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.keeping import keep_contents
from skyshelf.storage.metadata.sql.quarantine import SqlQuarantine, referred
from skyshelf.storage.metadata.sql.quota import add_used
from skyshelf.storage.metadata.sql.statements import Columns, Params, Row, Sql, SqlNoun, digest_text, key_text, raw

CONTENT = Columns(records.StoredContent, "b")
_BETWEEN = (
    "SELECT location FROM blobs WHERE location >= :first AND location <= :last"
    " UNION ALL SELECT location FROM thumbnails WHERE location >= :first AND location <= :last AND location <> ''"
    " UNION ALL SELECT location FROM quarantine WHERE location >= :first AND location <= :last LIMIT :limit"
)
_FEW_BETWEEN = 100
_HAS_VERSION = "EXISTS (SELECT 1 FROM versions v WHERE v.content = b.content)"


class SqlContent(SqlNoun):
    """The index of blobs. A version refers to content; nobody else does.

    A write goes like this: the blob becomes durable at a new location, then one commit (Files.put) refers to it.
    That commit takes the new location, or, where the content is known already, keeps the old one and says
    so, and the caller deletes the redundant blob. A location is never given out twice, so removing one can
    never hit content that a later upload relies on.
    """

    def get(self, sha256: str) -> records.StoredContent | None:
        return CONTENT.one(self._sql, "FROM blobs b WHERE b.content = :content", {"content": raw(sha256)})

    def owned(self, account_id: int, md5: str, size: int) -> records.StoredContent | None:
        """Content that this account itself already holds in some version; never another account's."""
        return CONTENT.one(
            self._sql,
            "FROM versions v JOIN blobs b ON b.content = v.content"
            " WHERE v.account_id = :account AND v.md5 = :md5 AND v.size = :size LIMIT 1",
            {"account": account_id, "md5": raw(md5), "size": size},
        )

    def relocate(self, sha256: str, old_location: str, new_location: str, now: int) -> bool:
        """Refer to another copy of the same bytes, for all versions that have them; false if the old location is no
        longer the content's, or the new one is being deleted.

        The new location leaves the quarantine, if it was there; the old one goes there.
        """
        quarantine = SqlQuarantine(self._sql)
        if not quarantine.reinstate(new_location) and quarantine.known([new_location]):
            return False
        row = self._sql.one(
            "UPDATE blobs SET location = :new WHERE content = :content AND location = :old RETURNING size, md5",
            {"content": raw(sha256), "old": old_location, "new": new_location},
        )
        if row is None:
            return False
        replaced = QuarantineEntry(
            location=old_location, sha256=sha256, md5=digest_text(row[1]), size=row[0], reason="replaced", since=now
        )
        quarantine.add([replaced])
        return True

    def is_idle_since(self, before: int) -> bool:
        """Whether some content has had no references since before that time."""
        idle = f"SELECT 1 FROM blobs b WHERE b.refs = 0 AND b.idle_since < :before AND NOT {_HAS_VERSION} LIMIT 1"
        return self._sql.one(idle, {"before": before}) is not None

    def release_idle(self, idle_before: int, limit: int, now: int) -> records.ReleasedLocations:
        """Move content without references since that time to the quarantine, and forget its thumbnails.

        Content that a version refers to stays, whatever its counter says. The caller deletes the thumbnails after the
        commit; a crash in between leaves blobs without a row, which the sweeper finds.
        """
        idle = self._sql.column(
            "SELECT b.content FROM blobs b WHERE b.refs = 0 AND b.idle_since < :before"
            f" AND NOT {_HAS_VERSION} ORDER BY b.idle_since LIMIT :limit FOR UPDATE SKIP LOCKED",
            {"before": idle_before, "limit": limit},
        )
        released: Params = {"contents": idle}
        self._sql.run(
            "INSERT INTO quarantine (location, kind, content, md5, size, reason, since, counts_from,"
            " deleting, account_id)"
            " SELECT location, 'blob', content, md5, size, 'released', :now, :now, 0, idle_by FROM blobs"
            " WHERE content = ANY_KEY(:contents) ON CONFLICT (location) DO NOTHING",
            {**released, "now": now},
        )
        of_contents = "WHERE content = ANY_KEY(:contents) RETURNING location"
        derived = self._sql.column(f"DELETE FROM thumbnails {of_contents}", released)
        gone = self._sql.column(f"DELETE FROM blobs {of_contents}", released)
        return records.ReleasedLocations(gone, [location for location in derived if location])

    def miscounted(self, limit: int) -> list[str]:
        """Content whose counter is 0 although a version refers to it."""
        wrong = f"SELECT b.content FROM blobs b WHERE b.refs = 0 AND {_HAS_VERSION} LIMIT :limit"
        return [digest_text(content) for content in self._sql.column(wrong, {"limit": limit})]

    def known(self, locations: list[str]) -> set[str]:
        """Return the locations among these that some row refers to, as content or as a thumbnail."""
        return referred(self._sql, locations)

    def explained(self, names: Sequence[str]) -> set[str]:
        """Return the names among these that a row explains: content, a thumbnail, or the quarantine.

        Where they are most of what the rows have between the first and the last of them, as in a listing, this is one
        statement that reads a range of three indexes.
        """
        if not names:
            return set()
        bounds: Params = {"first": min(names), "last": max(names), "limit": 2 * len(names) + _FEW_BETWEEN}
        if len(names) > 1:
            rows = self._sql.column(_BETWEEN, bounds)
            if len(rows) < 2 * len(names) + _FEW_BETWEEN:
                return set(names).intersection(rows)
        return self.known(list(names)) | SqlQuarantine(self._sql).known(names)


def refer_many(sql: Sql, files: Sequence[NewFile], now: int) -> dict[str, str]:
    """Count a reference to the content of each file, and say where each content lives."""
    first = {file.sha256: file for file in reversed(files)}
    more = Counter(file.sha256 for file in files)
    # In the order of the digests, so two transactions cannot wait for each other.
    rows = sql.insert_returning(
        "INSERT INTO blobs (content, location, size, md5, refs, created_at, idle_since)"
        " VALUES (:content, :location, :size, :md5, :more, :now, 0)"
        " ON CONFLICT (content) DO UPDATE SET refs = blobs.refs + excluded.refs"
        " RETURNING content, location",
        [
            {
                "content": raw(sha256),
                "location": first[sha256].location,
                "size": first[sha256].size,
                "md5": raw(first[sha256].md5),
                "more": more[sha256],
                "now": now,
            }
            for sha256 in sorted(first)
        ],
    )
    return {digest_text(content): location for content, location in rows}


_OLD = (
    " AND version <= (SELECT o.version - :newest FROM objects o WHERE o.account_id = versions.account_id"
    " AND o.object_key = versions.object_key)"
)


def drop_versions(
    sql: Sql, account_id: int, object_keys: Iterable[str], now: int, *, newest: int = 0, keep: bool = True
) -> list[Row]:
    """Delete the versions of files, but for the newest so many, and release their content and bytes. Returns rows of
    (content, category, size, object_key, version). History keeps the contents, unless they are to go for good."""
    keys = sorted({raw(key) for key in object_keys})
    if not keys:
        return []
    gone = sql.all(
        f"DELETE FROM versions WHERE account_id = :account AND object_key = ANY_KEY(:keys){_OLD if newest else ''}"
        " RETURNING content, category, size, object_key, version",
        {"account": account_id, "keys": keys, "newest": newest},
    )
    if not gone:
        return gone
    kept = keep_contents(sql, account_id, gone, now) if keep else 0
    # In the order of the digests, so two transactions cannot wait for each other.
    fewer = sorted(Counter(row[0] for row in gone).items())
    sql.run_many(
        "UPDATE blobs SET refs = refs - :fewer, idle_since = :now, idle_by = :account WHERE content = :content",
        [{"content": content, "fewer": number, "now": now, "account": account_id} for content, number in fewer],
    )
    # Whether the account still has the content is looked up when its thumbnails would go.
    sql.run(
        "UPDATE thumbnails SET idle_since = :now WHERE account_id = :account AND content = ANY_KEY(:contents)",
        {"account": account_id, "contents": sorted({row[0] for row in gone}), "now": now},
    )
    used: dict[str, int] = {}
    for _, category, size, *_ in gone:
        used[category] = used.get(category, 0) - size
    add_used(sql, account_id, used, history=kept)
    return gone


def content_places(sql: Sql, contents: Iterable[str]) -> dict[str, ContentPlace]:
    """Return where the bytes of contents are, even in quarantine; those that are gone are left out."""
    wanted = sorted({raw(content) for content in contents})
    if not wanted:
        return {}
    rows = sql.all(
        "SELECT content, location, size, md5, 1 FROM quarantine WHERE content = ANY_KEY(:contents) AND kind = 'blob'"
        " AND deleting = 0 AND md5 IS NOT NULL"
        " UNION ALL SELECT content, location, size, md5, 0 FROM blobs WHERE content = ANY_KEY(:contents)",
        {"contents": wanted},
    )
    # What is in quarantine comes first: what is in use replaces it.
    return {
        digest_text(content): ContentPlace(location, size, digest_text(md5), bool(quarantined))
        for content, location, size, md5, quarantined in sorted(rows, key=itemgetter(4), reverse=True)
    }


_HAS_IT = "EXISTS (SELECT 1 FROM versions v WHERE v.content = {0}.content AND v.account_id = {0}.account_id)"


class SqlThumbnails(SqlNoun):
    """Thumbnails belong to an account, and live as long as it has a version of the content they show.

    Nothing here depends on what other accounts have, or have had.
    """

    def get(self, key: records.ThumbnailKey) -> records.KeptThumbnail | None:
        """Return the thumbnail of that size and form, or that none can be made; None when nobody has tried yet."""
        # A failure has size 0, so it comes last.
        failed: Params = {"any_size": records.ANY_SIZE, "any_form": records.ANY_FORM}
        row = self._sql.one(
            "SELECT location, bytes, renderer, retry_at FROM thumbnails WHERE account_id = :account"
            " AND content = :content AND (size = :size AND form = :form OR size = :any_size AND form = :any_form)"
            " ORDER BY size DESC LIMIT 1",
            {"account": key.account_id, "content": raw(key.sha256), "size": key.size, "form": key.form, **failed},
        )
        return records.KeptThumbnail(*row) if row else None

    def keep(self, key: records.ThumbnailKey, thumbnail: records.KeptThumbnail, now: int) -> records.KeptThumbnail:
        """Store a thumbnail, or return the one that was stored first. A new failure replaces an older one.

        A failure is one of all sizes and forms, and a thumbnail ends it. If the account no longer has the content,
        nothing is stored and the location is empty.
        """
        lock_account(self._sql, key.account_id)
        if thumbnail.location:
            self._sql.delete("thumbnails", account_id=key.account_id, content=raw(key.sha256), location="")
        self._sql.run(
            "INSERT INTO thumbnails (account_id, content, size, form, location, bytes, renderer, retry_at, created_at,"
            " placeholder)"
            " SELECT v.account_id, v.content, :size, :form, :location, :bytes, :renderer, :retry_at, :now, :placeholder"
            " FROM versions v WHERE v.content = :content AND v.account_id = :account LIMIT 1"
            " ON CONFLICT (account_id, content, size, form) DO UPDATE SET renderer = excluded.renderer,"
            " retry_at = excluded.retry_at, created_at = excluded.created_at WHERE thumbnails.location = ''",
            {
                "account": key.account_id,
                "content": raw(key.sha256),
                "size": key.size if thumbnail.location else records.ANY_SIZE,
                "form": key.form if thumbnail.location else records.ANY_FORM,
                "location": thumbnail.location,
                "bytes": thumbnail.size,
                "renderer": thumbnail.renderer,
                "retry_at": thumbnail.retry_at,
                "now": now,
                "placeholder": thumbnail.placeholder or None,
            },
        )
        return self.get(key) or records.KeptThumbnail("", 0)

    def room(self, account_id: int, now: int) -> int:
        """Return how many more bytes of thumbnails the account may have. It reads all their rows."""
        kept = bounds.thumbnail_bytes(self._sql, account_id, now)
        return kept.limit - kept.used

    def placeholders(self, account_id: int, object_keys: Sequence[str]) -> dict[str, bytes]:
        """Return the placeholders of those of the account's files that have one, by key. One statement."""
        rows = self._sql.all(
            "SELECT o.object_key, t.placeholder FROM objects o JOIN thumbnails t ON t.account_id = o.account_id"
            " AND t.content = o.content WHERE o.account_id = :account AND o.object_key = ANY_KEY(:keys)"
            " AND t.placeholder IS NOT NULL",
            {"account": account_id, "keys": [raw(key) for key in object_keys]},
        )
        return {key_text(key): bytes(placeholder) for key, placeholder in rows}

    def release_idle(self, idle_before: int, limit: int) -> tuple[list[str], bool]:
        """Forget thumbnails of content whose last version the account deleted before that time.

        Returns the locations to delete, and whether there may be more.
        """
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


_DAMAGED = Columns(records.DamagedContent, "d")
_STILL = "b.content = d.content AND b.location = d.location AND b.refs > 0"


class SqlDamage(SqlNoun):
    """The list that all instances share. Content that has another location now, or no reference, is not in it."""

    def note(self, sha256: str, location: str, fault: str, now: int) -> None:
        """Add content; one that is listed with this location keeps the time when it was found."""
        self._sql.run(
            "INSERT INTO damaged_contents (content, location, fault, found_at)"
            " VALUES (:content, :location, :fault, :now)"
            " ON CONFLICT (content) DO UPDATE SET fault = excluded.fault, location = excluded.location,"
            " found_at = CASE WHEN damaged_contents.location = excluded.location THEN damaged_contents.found_at"
            " ELSE excluded.found_at END",
            {"content": raw(sha256), "location": location, "fault": fault, "now": now},
        )

    def clear(self, sha256: str) -> bool:
        """Remove content that is right again; whether it was listed."""
        return self._sql.delete("damaged_contents", content=raw(sha256)) > 0

    def list(self, after: str, limit: int) -> list[records.DamagedContent]:
        """Damaged content, in the order of its hashes, after that one."""
        further = "d.content > :after ORDER BY d.content LIMIT :limit"
        source = f"FROM damaged_contents d JOIN blobs b ON {_STILL} WHERE {further}"
        return _DAMAGED.all(self._sql, source, {"after": raw(after), "limit": limit})

    def is_listed(self, sha256: str, location: str | None = None) -> bool:
        """Return whether content was noted, at this location if one is given."""
        listed = "SELECT location FROM damaged_contents WHERE content = :content"
        found = self._sql.value(listed, {"content": raw(sha256)})
        return found is not None and location in {None, found}

    def count(self) -> int:
        return self._sql.number(f"SELECT count(*) FROM damaged_contents d JOIN blobs b ON {_STILL}")

    def forget_healed(self) -> int:
        """Remove what is no longer damaged because its content was replaced or deleted; how many."""
        return self._sql.run(
            "DELETE FROM damaged_contents WHERE NOT EXISTS"
            f" (SELECT 1 FROM blobs b WHERE {_STILL.replace('d.', 'damaged_contents.')})"
        )
