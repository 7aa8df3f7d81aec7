"""Uploads in progress in SQL."""

from skyshelf.storage.errors import Missing, OffsetConflict, SizeMismatch
from skyshelf.storage.metadata.contracts.tree import PageCursor
from skyshelf.storage.metadata.contracts.uploads import NewUpload, Upload, UploadPart
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.bounds import refuse_beyond
from skyshelf.storage.metadata.sql.quota import add_used, refuse_over_quota
from skyshelf.storage.metadata.sql.statements import Row, Sql, Value, digest_text, key_text, raw
from skyshelf.storage.metadata.sql.tree.tree import SqlTree
from skyshelf.wire.limits import UPLOADS_OPEN_MAX

COLUMNS = "upload_key, account_id, parent_key, name, size, md5, received, details, created_at, updated_at"

_PARTS = (
    "SELECT p.start, p.size, p.md5, p.token FROM upload_parts p JOIN uploads u ON u.upload_key = p.upload_key"
    " WHERE u.upload_key = :key AND u.account_id = :account"
)


def upload_from(row: Row) -> Upload:
    return Upload(key_text(row[0]), row[1], key_text(row[2]), row[3], row[4], digest_text(row[5]), *row[6:])


def _part(row: Row) -> UploadPart:
    return UploadPart(row[0], row[1], digest_text(row[2]), row[3])


class SqlUploads:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def begin(self, account_id: int, upload: NewUpload, now: int, *, bytes_freed_by_next_version: int = 0) -> Upload:
        lock_account(self._sql, account_id)
        SqlTree(self._sql).visible_folder(account_id, upload.parent_key)
        same: dict[str, Value] = {
            "account": account_id,
            "parent": raw(upload.parent_key),
            "name": upload.name,
            "size": upload.size,
            "md5": raw(upload.md5),
            "details": upload.details,
            "now": now,
        }
        found = self._sql.one(
            "UPDATE uploads SET details = :details, updated_at = :now WHERE account_id = :account"
            f" AND parent_key = :parent AND name = :name AND size = :size AND md5 = :md5 RETURNING {COLUMNS}",
            same,
        )
        if found is not None:
            return upload_from(found)
        refuse_beyond(
            self._sql,
            "FROM uploads WHERE account_id = :account",
            {"account": account_id},
            most=UPLOADS_OPEN_MAX,
            what="unfinished uploads: finish or cancel some",
        )
        refuse_over_quota(self._sql, account_id, upload.size - bytes_freed_by_next_version, now)
        added = self._sql.one(
            f"INSERT INTO uploads ({COLUMNS}) VALUES (:key, :account, :parent, :name, :size, :md5, 0, :details, :now,"
            f" :now) RETURNING {COLUMNS}",
            same | {"key": raw(upload.upload_key)},
        )
        assert added is not None
        add_used(self._sql, account_id, {}, reserved=upload.size)
        return upload_from(added)

    def get(self, account_id: int, upload_key: str) -> Upload:
        row = self._sql.one(
            f"SELECT {COLUMNS} FROM uploads WHERE upload_key = :key AND account_id = :account",
            {"key": raw(upload_key), "account": account_id},
        )
        if row is None:
            raise Missing("no such upload")
        return upload_from(row)

    def named(self, account_id: int, name: str) -> Upload | None:
        row = self._sql.one(
            f"SELECT {COLUMNS} FROM uploads WHERE account_id = :account AND name = :name AND parent_key ="
            " (SELECT root_key FROM accounts WHERE account_id = :account) ORDER BY created_at, upload_key LIMIT 1",
            {"account": account_id, "name": name},
        )
        return None if row is None else upload_from(row)

    def extend(self, account_id: int, upload_key: str, size: int, details: bytes, now: int) -> Upload:
        lock_account(self._sql, account_id)
        more = size - self.get(account_id, upload_key).size
        if more > 0:
            refuse_over_quota(self._sql, account_id, more, now)
            add_used(self._sql, account_id, {}, reserved=more)
        row = self._sql.one(
            "UPDATE uploads SET size = CASE WHEN size < :size THEN :size ELSE size END, details = :details,"
            f" updated_at = :now WHERE upload_key = :key AND account_id = :account RETURNING {COLUMNS}",
            {"size": size, "details": details, "now": now, "key": raw(upload_key), "account": account_id},
        )
        assert row is not None
        return upload_from(row)

    def release(self, account_id: int, upload_key: str, size: int) -> None:
        lock_account(self._sql, account_id)
        standing = self.get(account_id, upload_key)
        left = max(standing.received, standing.size - size)
        self._sql.run(
            "UPDATE uploads SET size = :size WHERE upload_key = :key AND account_id = :account",
            {"size": left, "key": raw(upload_key), "account": account_id},
        )
        add_used(self._sql, account_id, {}, reserved=left - standing.size)

    def page(self, account_id: int, *, limit: int, after: PageCursor | None = None) -> list[Upload]:
        params: dict[str, Value] = {"account": account_id, "limit": limit}
        further = ""
        if after is not None:
            further = " AND (created_at, upload_key) < (:after_value, :after_key)"
            params |= {"after_value": after.value, "after_key": raw(after.key)}
        rows = self._sql.all(
            f"SELECT {COLUMNS} FROM uploads WHERE account_id = :account{further}"
            " ORDER BY created_at DESC, upload_key DESC LIMIT :limit",
            params,
        )
        return [upload_from(row) for row in rows]

    def parts(self, account_id: int, upload_key: str) -> list[UploadPart]:
        rows = self._sql.all(f"{_PARTS} ORDER BY p.start", {"key": raw(upload_key), "account": account_id})
        return [_part(row) for row in rows]

    def last_part(self, account_id: int, upload_key: str) -> UploadPart | None:
        row = self._sql.one(f"{_PARTS} ORDER BY p.start DESC LIMIT 1", {"key": raw(upload_key), "account": account_id})
        return None if row is None else _part(row)

    def advance(self, account_id: int, upload_key: str, part: UploadPart, now: int) -> Upload:
        lock_account(self._sql, account_id)
        row = self._sql.one(
            "UPDATE uploads SET received = received + :size, updated_at = :now WHERE upload_key = :key"
            f" AND account_id = :account AND received = :start AND received + :size <= size RETURNING {COLUMNS}",
            {
                "key": raw(upload_key),
                "account": account_id,
                "start": part.start,
                "size": part.size,
                "now": now,
            },
        )
        if row is None:
            standing = self.get(account_id, upload_key)
            if standing.received == part.start:
                raise SizeMismatch(f"the chunk ends beyond the {standing.size} bytes that were announced")
            raise OffsetConflict(standing.received)
        if part.size:
            self._add_part(upload_key, part)
        return upload_from(row)

    def _add_part(self, upload_key: str, part: UploadPart) -> None:
        self._sql.run(
            "INSERT INTO upload_parts (upload_key, start, size, md5, token) VALUES (:key, :start, :size, :md5, :token)",
            {
                "key": raw(upload_key),
                "start": part.start,
                "size": part.size,
                "md5": raw(part.md5),
                "token": part.token,
            },
        )

    def discard(self, account_id: int, upload_key: str) -> bool:
        lock_account(self._sql, account_id)
        try:
            end_upload(self._sql, account_id, upload_key)
        except Missing:
            return False
        return True

    def stale(self, updated_before: int, limit: int) -> list[tuple[int, str]]:
        rows = self._sql.all(
            "SELECT account_id, upload_key FROM uploads WHERE updated_at < :before ORDER BY updated_at LIMIT :limit",
            {"before": updated_before, "limit": limit},
        )
        return [(account_id, key_text(key)) for account_id, key in rows]

    def known(self, upload_keys: list[str]) -> set[str]:
        rows = self._sql.all(
            "SELECT upload_key FROM uploads WHERE upload_key = ANY_KEY(:keys)",
            {"keys": [raw(key) for key in upload_keys]},
        )
        return {key_text(key) for (key,) in rows}


def end_upload(sql: Sql, account_id: int, upload_key: str) -> None:
    """Forget an upload and its reservation. The caller holds the account's lock."""
    row = sql.one(
        "DELETE FROM uploads WHERE upload_key = :key AND account_id = :account RETURNING size",
        {"key": raw(upload_key), "account": account_id},
    )
    if row is None:
        raise Missing("no such upload")
    add_used(sql, account_id, {}, reserved=-row[0])
