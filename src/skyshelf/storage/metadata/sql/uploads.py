"""Uploads in progress in SQL."""

from skyshelf.storage.errors import Missing, OffsetConflict, SizeMismatch
from skyshelf.storage.metadata.contracts.files import NewUpload, Upload, UploadPart
from skyshelf.storage.metadata.contracts.tree import PageCursor
from skyshelf.storage.metadata.sql import bounds
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.held import NOT_HELD
from skyshelf.storage.metadata.sql.quota import add_used, refuse_over_quota
from skyshelf.storage.metadata.sql.statements import Columns, Sql, SqlNoun, key_text, page_after, raw, required
from skyshelf.storage.metadata.sql.tree.tree import SqlTree

COLUMNS = Columns(Upload)
_PART, _NEW = Columns(UploadPart, "p"), Columns(NewUpload)

_PARTS = (
    "FROM upload_parts p JOIN uploads u ON u.upload_key = p.upload_key"
    " WHERE u.upload_key = :key AND u.account_id = :account"
)


class SqlUploads(SqlNoun):
    def begin(self, account_id: int, upload: NewUpload, now: int, *, bytes_freed_by_next_version: int = 0) -> Upload:
        """Start an upload and reserve its space, or return the one that was started before.

        The same account, folder, name, size and MD5 are the same upload: it continues where it was, with the
        details given now. QuotaExceeded when there is no space, even with the bytes that will be given
        back when the file is put; ObjectMissing or NotAFolder for the folder.
        """
        lock_account(self._sql, account_id)
        SqlTree(self._sql).visible_folder(account_id, upload.parent_key)
        new = _NEW.write(upload)
        key = new.pop("upload_key")
        found = self._sql.one(
            "UPDATE uploads SET details = :details, updated_at = :now WHERE account_id = :account AND parent_key ="
            f" :parent_key AND name = :name AND size = :size AND md5 = :md5 RETURNING {COLUMNS.text}",
            {"account": account_id, **new, "now": now},
        )
        if found is not None:
            return COLUMNS.read(found)
        bounds.refuse(self._sql, account_id, "uploads")
        refuse_over_quota(self._sql, account_id, upload.size, now, freed=bytes_freed_by_next_version)
        begun = new | {"account_id": account_id, "received": 0, "created_at": now, "updated_at": now}
        added = self._sql.inserted("uploads", COLUMNS.text, upload_key=key, **begun)
        add_used(self._sql, account_id, {}, reserved=upload.size)
        return COLUMNS.read(added)

    def get(self, account_id: int, upload_key: str) -> Upload:
        """Missing when the account has no such upload."""
        source = "FROM uploads WHERE upload_key = :key AND account_id = :account"
        upload = COLUMNS.one(self._sql, source, {"key": raw(upload_key), "account": account_id})
        return required(upload, Missing("no such upload"))

    def named(self, account_id: int, name: str) -> Upload | None:
        """Return the oldest upload of that name into the account's root folder; None where there is none."""
        return COLUMNS.one(
            self._sql,
            "FROM uploads WHERE account_id = :account AND name = :name AND parent_key ="
            " (SELECT root_key FROM accounts WHERE account_id = :account) ORDER BY created_at, upload_key LIMIT 1",
            {"account": account_id, "name": name},
        )

    def extend(self, account_id: int, upload_key: str, size: int, details: bytes, now: int) -> Upload:
        """Announce a larger size, whose space is reserved, and replace the details.

        Missing when the account has no such upload, QuotaExceeded when there is no space.
        """
        lock_account(self._sql, account_id)
        more = size - self.get(account_id, upload_key).size
        if more > 0:
            refuse_over_quota(self._sql, account_id, more, now)
            add_used(self._sql, account_id, {}, reserved=more)
        row = self._sql.only(
            "UPDATE uploads SET size = CASE WHEN size < :size THEN :size ELSE size END, details = :details,"
            f" updated_at = :now WHERE upload_key = :key AND account_id = :account RETURNING {COLUMNS.text}",
            {"size": size, "details": details, "now": now, "key": raw(upload_key), "account": account_id},
        )
        return COLUMNS.read(row)

    def release(self, account_id: int, upload_key: str, size: int) -> None:
        """Give back so many of the reserved bytes, as far as they have not come. Missing as for extend."""
        lock_account(self._sql, account_id)
        standing = self.get(account_id, upload_key)
        left = max(standing.received, standing.size - size)
        self._sql.update("uploads", {"size": left}, upload_key=raw(upload_key), account_id=account_id)
        add_used(self._sql, account_id, {}, reserved=left - standing.size)

    def page(self, account_id: int, *, limit: int, after: PageCursor | None = None) -> list[Upload]:
        """Uploads of the account, begun last first; a place has the time of the beginning and the upload's key."""
        page, place = page_after("created_at", "upload_key", after, limit)
        source = f"FROM uploads WHERE account_id = :account{page}"
        return COLUMNS.all(self._sql, source, {"account": account_id, **place})

    def parts(self, account_id: int, upload_key: str) -> list[UploadPart]:
        """Return the acknowledged chunks, in order and without a gap."""
        return _PART.all(self._sql, f"{_PARTS} ORDER BY p.start", {"key": raw(upload_key), "account": account_id})

    def last_part(self, account_id: int, upload_key: str) -> UploadPart | None:
        """Return the last of the parts, at a cost that does not grow with their number; None before the first."""
        last = f"{_PARTS} ORDER BY p.start DESC LIMIT 1"
        return _PART.one(self._sql, last, {"key": raw(upload_key), "account": account_id})

    def advance(self, account_id: int, upload_key: str, part: UploadPart, now: int) -> Upload:
        """Acknowledge a chunk whose bytes are durable; an empty one is acknowledged and not kept.

        OffsetConflict, which has the right offset, when the chunk does not start at the upload's offset: of
        two writers at one offset, one wins. SizeMismatch when it ends beyond the announced size.
        """
        lock_account(self._sql, account_id)
        row = self._sql.one(
            "UPDATE uploads SET received = received + :size, updated_at = :now WHERE upload_key = :key"
            f" AND account_id = :account AND received = :start AND received + :size <= size RETURNING {COLUMNS.text}",
            {"key": raw(upload_key), "account": account_id, "start": part.start, "size": part.size, "now": now},
        )
        if row is None:
            standing = self.get(account_id, upload_key)
            if standing.received == part.start:
                raise SizeMismatch(f"the chunk ends beyond the {standing.size} bytes that were announced")
            raise OffsetConflict(standing.received)
        if part.size:
            self._sql.insert("upload_parts", upload_key=raw(upload_key), **_PART.write(part))
        return COLUMNS.read(row)

    def discard(self, account_id: int, upload_key: str) -> bool:
        """Forget an upload and release its space; false when there was none."""
        lock_account(self._sql, account_id)
        try:
            end_upload(self._sql, account_id, upload_key)
        except Missing:
            return False
        return True

    def stale(self, updated_before: int, limit: int) -> list[tuple[int, str]]:
        """(account_id, upload_key) of uploads untouched since that time, oldest first."""
        rows = self._sql.all(
            "SELECT account_id, upload_key FROM uploads WHERE updated_at < :before"
            f" AND {NOT_HELD.format('uploads')} ORDER BY updated_at LIMIT :limit",
            {"before": updated_before, "limit": limit},
        )
        return [(account_id, key_text(key)) for account_id, key in rows]

    def known(self, upload_keys: list[str]) -> set[str]:
        """Return the keys that are uploads in progress, of any account."""
        known = "SELECT upload_key FROM uploads WHERE upload_key = ANY_KEY(:keys)"
        return set(self._sql.keys(known, {"keys": [raw(key) for key in upload_keys]}))


def end_upload(sql: Sql, account_id: int, upload_key: str) -> None:
    """Forget an upload and its reservation. The caller holds the account's lock."""
    row = sql.one(
        "DELETE FROM uploads WHERE upload_key = :key AND account_id = :account RETURNING size",
        {"key": raw(upload_key), "account": account_id},
    )
    (size,) = required(row, Missing("no such upload"))
    add_used(sql, account_id, {}, reserved=-size)
