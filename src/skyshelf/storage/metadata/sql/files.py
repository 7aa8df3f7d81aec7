"""Files and their versions in SQL. Purging is in purge.py."""

from collections.abc import Sequence

from msgspec.structs import replace

from skyshelf.storage.errors import (
    LimitReached,
    NameTaken,
    NotAFile,
    ObjectMissing,
    QuotaExceeded,
    SessionPaused,
    StorageError,
    VersionChanged,
)
from skyshelf.storage.metadata.alarms.signs import looks_scrambled
from skyshelf.storage.metadata.alarms.watch import OVERWRITTEN, SCRAMBLED
from skyshelf.storage.metadata.contracts import changes as feed
from skyshelf.storage.metadata.contracts.files import NewFile, PutOutcome, Version
from skyshelf.storage.metadata.contracts.media_facts import MediaFacts
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.sql.account_lock import AccountLock, Happened, lock_account, record_changes
from skyshelf.storage.metadata.sql.alarms.counting import refuse_paused
from skyshelf.storage.metadata.sql.bounds import objects_left, too_many_objects
from skyshelf.storage.metadata.sql.content import SqlContent, refer, release_versions
from skyshelf.storage.metadata.sql.files_bulk import ManyFiles, Outcome, insert_versions
from skyshelf.storage.metadata.sql.media_facts import keep_new_facts
from skyshelf.storage.metadata.sql.quota import refuse_over_quota
from skyshelf.storage.metadata.sql.statements import Row, Sql, Value, digest_text, key_text, raw
from skyshelf.storage.metadata.sql.tree.objects import insert_object, new_file, update_objects
from skyshelf.storage.metadata.sql.tree.purge import delete_batch, mark_all_for_deletion, mark_for_deletion
from skyshelf.storage.metadata.sql.tree.tree import SqlTree
from skyshelf.storage.metadata.sql.tree.visibility import IS_NOT_PURGED, IS_VISIBLE, OBJECT_IS_VISIBLE, among
from skyshelf.storage.metadata.sql.undated import await_dates
from skyshelf.storage.metadata.sql.uploads import end_upload
from skyshelf.wire.names import category


class SqlFiles:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def put(
        self, account_id: int, file: NewFile, now: int, *, keep_versions: int, upload_key: str | None = None
    ) -> PutOutcome:
        lock = lock_account(self._sql, account_id)
        if upload_key is not None:
            end_upload(self._sql, account_id, upload_key)
        tree = SqlTree(self._sql)
        tree.visible_folder(account_id, file.parent_key)
        before = tree.child_named(account_id, file.parent_key, file.name)
        if before is not None and before.is_folder:
            raise NameTaken("a folder has that name")
        if file.expected_version not in (None, 0 if before is None else before.version):
            raise VersionChanged("the file has another version")
        if before is not None and before.sha256 != file.sha256:
            refuse_paused(self._sql, lock.watch)
        return self._put(account_id, lock, before, file, now=now, keep=keep_versions)

    def _put(
        self, account_id: int, lock: AccountLock, before: StoredObject | None, file: NewFile, *, now: int, keep: int
    ) -> PutOutcome:
        """A new object, or the next version of an existing one; the caller has checked the folder and the name."""
        freed = 0 if before is None else self.bytes_freed_by_next_version(account_id, before.object_key, keep)
        refuse_over_quota(self._sql, account_id, file.size - freed, now)
        if before is None and objects_left(self._sql, account_id, lock, now) < 1:
            raise too_many_objects()
        location = refer(self._sql, sha256=file.sha256, location=file.location, size=file.size, md5=file.md5, now=now)
        if before is None:
            stored = replace(new_file(account_id, file, now), created_seq=lock.change_seq + 1)
        else:
            stored = _next_version(before, file, now)
        with self._sql.together():
            if before is None:
                insert_object(self._sql, stored)
            else:
                update_objects(self._sql, [(before, stored)])
            insert_versions(self._sql, [(stored, file)], now)
            await_dates(self._sql, [(stored, file)])
            keep_new_facts(self._sql, [(stored, file)])
            if before is not None:
                self._drop_old_versions(stored, keep, now)
            kind = feed.CREATED if before is None else feed.CONTENT
            used = {file.category: file.size}
            folders = [stored.parent_key] if stored.parent_key else []
            happened = [Happened(kind, stored.object_key, before, _sign(before, file))]
            record_changes(self._sql, account_id, lock, happened, now, used=used, folders=folders)
        return PutOutcome(stored, before is None, location)

    def put_many(
        self, account_id: int, files: Sequence[NewFile], now: int, *, keep_versions: int
    ) -> list[PutOutcome | StorageError | None]:
        if not files:
            return []
        named, outcomes = self._put_new(account_id, files, now)
        for number, file in named.items():
            there = SqlTree(self._sql).child_named(account_id, file.parent_key, file.name)
            is_there = there is not None and there.sha256 == file.sha256
            outcomes[number] = None if is_there else self._put_again(account_id, file, now, keep_versions)
        return [outcomes[number] for number in range(len(files))]

    def put_each(
        self, account_id: int, files: Sequence[NewFile], now: int, *, keep_versions: int
    ) -> list[PutOutcome | StorageError]:
        named, outcomes = self._put_new(account_id, files, now)
        again = {number: self._put_again(account_id, file, now, keep_versions) for number, file in named.items()}
        return [again[number] if number in again else _settled(outcomes[number]) for number in range(len(files))]

    def _put_new(
        self, account_id: int, files: Sequence[NewFile], now: int
    ) -> tuple[dict[int, NewFile], dict[int, Outcome]]:
        """Put those whose names are new, together; those whose names are taken, and the outcomes of the others."""
        many = ManyFiles(self._sql, account_id, now)
        new, named, outcomes = many.sort(files)
        return named, outcomes | dict(zip(new, many.insert(list(new.values())), strict=True))

    def _put_again(self, account_id: int, file: NewFile, now: int, keep_versions: int) -> PutOutcome | StorageError:
        """A file whose name is taken. A refusal comes before anything is written."""
        try:
            return self.put(account_id, file, now, keep_versions=keep_versions)
        except (NameTaken, VersionChanged, QuotaExceeded, LimitReached, SessionPaused) as refusal:
            return refusal

    def put_owned(self, account_id: int, file: NewFile, now: int, *, keep_versions: int) -> PutOutcome | None:
        lock_account(self._sql, account_id)
        owned = SqlContent(self._sql).owned(account_id, file.md5, file.size)
        if owned is None:
            return None
        known = replace(file, sha256=owned.sha256, location=owned.location)
        return self.put(account_id, known, now, keep_versions=keep_versions)

    def restore_version(
        self,
        account_id: int,
        object_key: str,
        number: int,
        now: int,
        *,
        keep_versions: int,
        created_by: str,
        taken: tuple[int, int] | None = None,
        needs_date: bool = False,
        facts: MediaFacts | None = None,
    ) -> StoredObject:
        lock = lock_account(self._sql, account_id)
        before = SqlTree(self._sql).visible(account_id, object_key)
        wanted = self.version(account_id, object_key, number)
        if _is_what_is_there(before, wanted):
            return before
        refuse_paused(self._sql, lock.watch)
        assert before.parent_key is not None
        taken_at, taken_day = taken or (None, None)
        file = NewFile(
            object_key=object_key,
            parent_key=before.parent_key,
            name=before.name,
            sha256=wanted.sha256,
            md5=wanted.md5,
            size=wanted.size,
            location=wanted.location,
            # A file is what its name says, which may have changed since then.
            category=category(before.mime_type),
            mime_type=before.mime_type,
            mime_subtype=before.mime_subtype,
            file_created_at=wanted.file_created_at,
            last_modified_at=wanted.last_modified_at,
            created_by=created_by,
            source_name=before.source_name,
            source_folder=before.source_folder,
            app_code=before.app_code,
            taken_at=taken_at,
            taken_day=taken_day,
            needs_date=needs_date,
            facts=facts,
        )
        return self._put(account_id, lock, before, file, now=now, keep=keep_versions).object

    def set_dates(
        self, account_id: int, object_key: str, now: int, *, created_at: int | None, modified_at: int | None
    ) -> StoredObject:
        lock = lock_account(self._sql, account_id)
        before = SqlTree(self._sql).visible(account_id, object_key)
        after = replace(
            before,
            file_created_at=before.file_created_at if created_at is None else created_at,
            last_modified_at=before.last_modified_at if modified_at is None else modified_at,
            updated_at=now,
        )
        with self._sql.together():
            update_objects(self._sql, [(before, after)])
            if not before.is_folder:
                self._sql.run(
                    "UPDATE versions SET file_created_at = :created, last_modified_at = :modified"
                    " WHERE account_id = :account AND object_key = :key AND version = :version",
                    {
                        "account": account_id,
                        "key": raw(object_key),
                        "version": before.version,
                        "created": after.file_created_at,
                        "modified": after.last_modified_at,
                    },
                )
            folders = [before.parent_key] if before.parent_key else []
            happened = [Happened(feed.CONTENT, object_key, before)]
            record_changes(self._sql, account_id, lock, happened, now, folders=folders)
        return after

    def bytes_freed_by_next_version(self, account_id: int, object_key: str, keep_versions: int) -> int:
        row = self._sql.one(
            "SELECT CAST(coalesce(sum(v.size), 0) AS BIGINT) FROM versions v JOIN objects o"
            " ON o.account_id = v.account_id AND o.object_key = v.object_key WHERE v.account_id = :account"
            " AND v.object_key = :key AND v.version <= o.version + 1 - :keep",
            {"account": account_id, "key": raw(object_key), "keep": keep_versions},
        )
        assert row is not None
        size: int = row[0]
        return size

    def versions(self, account_id: int, object_key: str) -> list[Version]:
        rows = self._sql.all(f"{_VERSIONS} ORDER BY v.version DESC", {"account": account_id, "key": raw(object_key)})
        self._refuse_missing(account_id, object_key, rows)
        return [_version(row) for row in rows]

    def version(self, account_id: int, object_key: str, number: int | None = None) -> Version:
        params: dict[str, Value] = {"account": account_id, "key": raw(object_key)}
        if number is not None:
            params["number"] = number
        wanted = "o.version" if number is None else ":number"
        rows = self._sql.all(f"{_VERSIONS} AND v.version = {wanted}", params)
        self._refuse_missing(account_id, object_key, rows)
        return _version(rows[0])

    def visible_version(self, account_id: int, object_key: str) -> tuple[str, Version]:
        row = self._sql.one(_SEEN, {"account": account_id, "key": raw(object_key)})
        if row is None:
            raise ObjectMissing("no such object")
        if row[1] is None:
            raise NotAFile("the key is a folder's")
        return row[0], _version(row[1:])

    def visible_versions(self, account_id: int, object_keys: Sequence[str]) -> dict[str, Version]:
        keys = sorted({raw(key) for key in object_keys})
        rows = self._sql.all(_SEEN_TOGETHER, {"account": account_id, "keys": keys})
        return {key_text(row[0]): _version(row[1:]) for row in rows}

    def mark_for_deletion(self, account_id: int, object_keys: Sequence[str], now: int) -> list[str]:
        return mark_for_deletion(self._sql, account_id, object_keys, now)

    def mark_all_for_deletion(self, account_id: int, now: int, *, trashed_up_to: int | None = None) -> None:
        mark_all_for_deletion(self._sql, account_id, now, trashed_up_to)

    def accounts_with_old_trash(self, trashed_up_to: int, limit: int) -> list[int]:
        # The plus keeps SQLite from going through all of everybody's trash only because that is in order already.
        rows = self._sql.all(
            "SELECT DISTINCT +o.account_id FROM objects o JOIN account_counters c ON c.account_id = o.account_id"
            " WHERE o.status = 'T' AND o.trashed_at <= :up_to AND o.trashed_at > c.trash_watermark"
            " ORDER BY 1 LIMIT :limit",
            {"up_to": trashed_up_to, "limit": limit},
        )
        return [account_id for (account_id,) in rows]

    def delete_batch(self, account_id: int, limit: int, now: int, *, keep: bool = True) -> bool:
        return delete_batch(self._sql, account_id, limit, now, keep=keep)

    def _refuse_missing(self, account_id: int, object_key: str, rows: list[Row]) -> None:
        """A file always has a version, so no row means: no such file, or no such version of it."""
        if not rows:
            if SqlTree(self._sql).get(account_id, object_key).is_folder:
                raise NotAFile("the key is a folder's")
            raise ObjectMissing("no such version")

    def _drop_old_versions(self, stored: StoredObject, keep: int, now: int) -> None:
        gone = self._sql.all(
            "DELETE FROM versions WHERE account_id = :account AND object_key = :key AND version <= :oldest"
            " RETURNING content, category, size, object_key, version",
            {"account": stored.account_id, "key": raw(stored.object_key), "oldest": stored.version - keep},
        )
        release_versions(self._sql, stored.account_id, gone, now)


def _settled(outcome: Outcome) -> PutOutcome | StorageError:
    assert outcome is not None, "a new file has an outcome"
    return outcome


def _version_of(owner: str) -> str:
    """What a Version is read from: the columns of `v` and `b`, and the number of the current one."""
    return (
        f"v.version, {owner}.version, v.content, b.location, v.md5, v.size, v.mime_type, v.mime_subtype, v.created_at,"
        " v.created_by, v.file_created_at, v.last_modified_at"
    )


_VERSIONS = (
    f"SELECT {_version_of('o')} FROM versions v"
    " JOIN objects o ON o.account_id = v.account_id AND o.object_key = v.object_key"
    " JOIN blobs b ON b.content = v.content"
    f" WHERE v.account_id = :account AND v.object_key = :key AND {IS_NOT_PURGED}"
)
# A folder has no version: then all of that is empty.
_SEEN = (
    f"SELECT o.name, {_version_of('o')} FROM objects o LEFT JOIN versions v"
    " ON v.account_id = o.account_id AND v.object_key = o.object_key AND v.version = o.version"
    " LEFT JOIN blobs b ON b.content = v.content"
    f" WHERE o.account_id = :account AND o.object_key = :key AND o.status = 'A' AND {OBJECT_IS_VISIBLE}"
)

_SEEN_TOGETHER = among(
    "SELECT o.account_id, o.object_key, o.parent_key, o.version FROM objects o"
    " WHERE o.account_id = :account AND o.object_key = ANY_KEY(:keys) AND o.status = 'A'",
    f"SELECT c.object_key, {_version_of('c')} FROM candidate c"
    " JOIN versions v ON v.account_id = c.account_id AND v.object_key = c.object_key AND v.version = c.version"
    f" JOIN blobs b ON b.content = v.content WHERE {IS_VISIBLE}",
)


def _version(row: Row) -> Version:
    return Version(row[0], row[0] == row[1], digest_text(row[2]), row[3], digest_text(row[4]), *row[5:])


def _is_what_is_there(stored: StoredObject, version: Version) -> bool:
    return (stored.sha256, stored.file_created_at, stored.last_modified_at) == (
        version.sha256,
        version.file_created_at,
        version.last_modified_at,
    )


def _sign(before: StoredObject | None, file: NewFile) -> str | None:
    """What the next version of a file counts as (alarms/watch.py)."""
    if before is None or before.sha256 == file.sha256:
        return None
    return SCRAMBLED if looks_scrambled(file.name, file.head) else OVERWRITTEN


def _next_version(before: StoredObject, file: NewFile, now: int) -> StoredObject:
    """The same object with new content; what belongs to the object (favourite, place, key) stays."""
    return replace(
        before,
        size=file.size,
        file_created_at=file.file_created_at,
        last_modified_at=file.last_modified_at,
        sha256=file.sha256,
        md5=file.md5,
        version=before.version + 1,
        mime_type=file.mime_type,
        mime_subtype=file.mime_subtype,
        source_name=file.source_name,
        source_folder=file.source_folder,
        app_code=file.app_code,
        updated_at=now,
        arrived_at=now,
        taken_at=file.taken_at,
        taken_day=file.taken_day,
    )
