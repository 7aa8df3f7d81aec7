"""Files and their versions in SQL."""

from collections.abc import Sequence

from msgspec.structs import replace

from skyshelf.storage import errors
from skyshelf.storage.metadata.alarms import EDITED, OVERWRITTEN, REPLACED, SCRAMBLED, SEALED
from skyshelf.storage.metadata.contracts import changes as feed
from skyshelf.storage.metadata.contracts.files import MediaFacts, NewFile, PutOutcome, Version
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.sql.account_lock import AccountLock, NewChange, lock_account, record_changes
from skyshelf.storage.metadata.sql.content import SqlContent, drop_versions, refer_many
from skyshelf.storage.metadata.sql.files_bulk import ManyFiles, Outcome, insert_versions, set_version_dates
from skyshelf.storage.metadata.sql.media_facts import await_dates, keep_new_facts
from skyshelf.storage.metadata.sql.quota import objects_left, refuse_over_quota, too_many_objects
from skyshelf.storage.metadata.sql.statements import Params, Row, SqlNoun, digest_text, key_text, raw
from skyshelf.storage.metadata.sql.tree.objects import file_of, insert_objects, new_file, next_version, update_objects
from skyshelf.storage.metadata.sql.tree.tree import SqlTree
from skyshelf.storage.metadata.sql.tree.visibility import IS_NOT_PURGED, IS_VISIBLE, OBJECT_IS_VISIBLE, among
from skyshelf.storage.metadata.sql.uploads import end_upload
from skyshelf.storage.samples import is_blank, is_known_type, looks_scrambled, looks_sealed

_OF_CONTENT = ("sha256", "file_created_at", "last_modified_at")


class SqlFiles(SqlNoun):
    def put(
        self, account_id: int, file: NewFile, now: int, *, keep_versions: int, upload_key: str | None = None
    ) -> PutOutcome:
        """Give content a name: a new file, or the next version of the active file that has the name.

        One transaction does all of it: the object, the version, the reference to the blob, the counters, the
        change, and, where upload_key is given, the end of that upload and of its reservation. Versions
        beyond keep_versions go, oldest first, and free their bytes. ObjectMissing when the parent cannot
        be seen, NotAFolder when it is a file, NameTaken when a folder has the name, VersionChanged when the file
        has another version than expected, QuotaExceeded when there is no space.
        """
        lock = lock_account(self._sql, account_id)
        if upload_key is not None:
            end_upload(self._sql, account_id, upload_key)
        tree = SqlTree(self._sql)
        tree.visible_folder(account_id, file.parent_key)
        before = tree.child_named(account_id, file.parent_key, file.name)
        if before is not None and before.is_folder:
            raise errors.NameTaken("a folder has that name")
        if file.expected_version not in (None, 0 if before is None else before.version):
            raise errors.VersionChanged("the file has another version")
        return self._put(account_id, lock, before, file, now=now, keep=keep_versions)

    def _put(
        self, account_id: int, lock: AccountLock, before: StoredObject | None, file: NewFile, *, now: int, keep: int
    ) -> PutOutcome:
        """Write a new object or the next version of an existing one; the caller has checked folder and name."""
        freed = 0 if before is None else self.bytes_freed_by_next_version(account_id, before.object_key, keep)
        refuse_over_quota(self._sql, account_id, file.size, now, freed=freed)
        if before is None and objects_left(self._sql, account_id, lock, now) < 1:
            raise too_many_objects()
        location = refer_many(self._sql, [file], now)[file.sha256]
        if before is None:
            stored = replace(new_file(account_id, file, now), created_seq=lock.change_seq + 1)
        else:
            stored = next_version(before, file, now)
        with self._sql.together():
            if before is None:
                insert_objects(self._sql, [stored])
            else:
                update_objects(self._sql, [(before, stored)])
            insert_versions(self._sql, [(stored, file)], now)
            await_dates(self._sql, [(stored, file)])
            keep_new_facts(self._sql, [(stored, file)])
            if before is not None:
                drop_versions(self._sql, account_id, [stored.object_key], now, newest=keep)
            kind = feed.CREATED if before is None else feed.CONTENT
            used = {file.category: file.size}
            folders = [stored.parent_key] if stored.parent_key else []
            happened = [NewChange(kind, stored.object_key, before, _sign(before, file))]
            record_changes(self._sql, account_id, lock, happened, now, used=used, folders=folders)
        return PutOutcome(stored, before is None, location)

    def put_many(
        self, account_id: int, files: Sequence[NewFile], now: int, *, keep_versions: int
    ) -> list[PutOutcome | errors.StorageError | None]:
        """Like put, for each in order and on its own; where names are new, at a fraction of the cost.

        A refused file leaves nothing behind and does not stop the others: ObjectMissing, NotAFolder, NameTaken,
        VersionChanged or QuotaExceeded in its place. None where the active file of that name has exactly this content
        already: then nothing is written, and the caller's blob is redundant.
        """
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
    ) -> list[PutOutcome | errors.StorageError]:
        """Like put_many, for files of separate requests: one that already exists gets its next version, as with put."""
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

    def _put_again(
        self, account_id: int, file: NewFile, now: int, keep_versions: int
    ) -> PutOutcome | errors.StorageError:
        """Put a file whose name is taken. A refusal comes before anything is written."""
        try:
            return self.put(account_id, file, now, keep_versions=keep_versions)
        except (
            errors.NameTaken,
            errors.VersionChanged,
            errors.QuotaExceeded,
            errors.LimitReached,
            errors.SessionPaused,
        ) as refusal:
            return refusal

    def put_owned(self, account_id: int, file: NewFile, now: int, *, keep_versions: int) -> PutOutcome | None:
        """Like put, for content of that MD5 and size that the account itself already holds; None where it does not.

        sha256 and location of the file are not read. The lookup and the put are one step under the
        account's lock, so the content cannot go in between.
        """
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
        """Put the content of an earlier version as the next one, without a byte being copied; the rules are put's.

        The dates of the file are those of that version; taken and facts are those of its content. What is
        current already, with its dates, stays as it is. ObjectMissing when the file cannot be seen or the version
        is gone, NotAFile for a folder.
        """
        lock = lock_account(self._sql, account_id)
        before = SqlTree(self._sql).visible(account_id, object_key)
        wanted = self.version(account_id, object_key, number)
        if all(getattr(before, name) == getattr(wanted, name) for name in _OF_CONTENT):
            return before
        taken_at, taken_day = taken or (None, None)
        # A file is what its name says, which may have changed since then.
        content = {name: getattr(wanted, name) for name in ("md5", "size", *_OF_CONTENT)}
        file = file_of(
            before,
            wanted.location,
            **content,
            created_by=created_by,
            taken_at=taken_at,
            taken_day=taken_day,
            needs_date=needs_date,
            facts=facts,
        )
        return self._put(account_id, lock, before, file, now=now, keep=keep_versions).object

    def set_dates(
        self, account_id: int, object_key: str, now: int, *, created_at: int | None, modified_at: int | None
    ) -> StoredObject:
        """Set the dates of a visible file or folder, and of its current version; None leaves one as it is."""
        lock = lock_account(self._sql, account_id)
        before = SqlTree(self._sql).visible(account_id, object_key)
        after = replace(
            before,
            file_created_at=before.file_created_at if created_at is None else created_at,
            last_modified_at=before.last_modified_at if modified_at is None else modified_at,
        )
        if after == before:
            return before
        after.updated_at = now
        with self._sql.together():
            update_objects(self._sql, [(before, after)])
            if not before.is_folder:
                set_version_dates(self._sql, [after])
            folders = [before.parent_key] if before.parent_key else []
            happened = [NewChange(feed.CONTENT, object_key, before)]
            record_changes(self._sql, account_id, lock, happened, now, folders=folders)
        return after

    def bytes_freed_by_next_version(self, account_id: int, object_key: str, keep_versions: int) -> int:
        """Return how many bytes the next version of a file gives back, because old ones go."""
        return self._sql.number(
            "SELECT CAST(coalesce(sum(v.size), 0) AS BIGINT) FROM versions v JOIN objects o"
            " ON o.account_id = v.account_id AND o.object_key = v.object_key WHERE v.account_id = :account"
            " AND v.object_key = :key AND v.version <= o.version + 1 - :keep",
            {"account": account_id, "key": raw(object_key), "keep": keep_versions},
        )

    def versions(self, account_id: int, object_key: str) -> list[Version]:
        """Newest first. ObjectMissing for a key that is not there, NotAFile for a folder's."""
        rows = self._sql.all(f"{_VERSIONS} ORDER BY v.version DESC", {"account": account_id, "key": raw(object_key)})
        self._refuse_missing(account_id, object_key, rows)
        return [_version(row) for row in rows]

    def version(self, account_id: int, object_key: str, number: int | None = None) -> Version:
        """One version, the current one by default; ObjectMissing where it is gone."""
        wanted = "o.version" if number is None else ":number"
        params: Params = {"account": account_id, "key": raw(object_key), "number": number}
        rows = self._sql.all(f"{_VERSIONS} AND v.version = {wanted}", params)
        self._refuse_missing(account_id, object_key, rows)
        return _version(rows[0])

    def visible_version(self, account_id: int, object_key: str) -> tuple[str, Version]:
        """Return the name and the current version of a visible file, in one statement; ObjectMissing, NotAFile."""
        row = self._sql.one(_SEEN, {"account": account_id, "key": raw(object_key)})
        if row is None:
            raise errors.ObjectMissing("no such object")
        if row[1] is None:
            raise errors.NotAFile("the key is a folder's")
        return row[0], _version(row[1:])

    def visible_versions(self, account_id: int, object_keys: Sequence[str]) -> dict[str, Version]:
        """Return the current versions, by key, of those that are files and can be seen; the others are not in it."""
        keys = sorted({raw(key) for key in object_keys})
        rows = self._sql.all(_SEEN_TOGETHER, {"account": account_id, "keys": keys})
        return {key_text(row[0]): _version(row[1:]) for row in rows}

    def _refuse_missing(self, account_id: int, object_key: str, rows: list[Row]) -> None:
        """A file always has a version, so no row means: no such file, or no such version of it."""
        if not rows:
            if SqlTree(self._sql).get(account_id, object_key).is_folder:
                raise errors.NotAFile("the key is a folder's")
            raise errors.ObjectMissing("no such version")


def _settled(outcome: Outcome) -> PutOutcome | errors.StorageError:
    assert outcome is not None, "a new file has an outcome"
    return outcome


def _version_of(owner: str) -> str:
    """Return what a Version is read from: the columns of `v` and `b`, and the number of the current one."""
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


def _sign(before: StoredObject | None, file: NewFile) -> str | None:
    """Return what the next version of a file counts as (alarms.py)."""
    if before is None:
        return SEALED if looks_sealed(file.name, file.sample) else None
    if before.sha256 == file.sha256:
        return None
    if looks_scrambled(file.name, file.sample) or is_blank(file.name, file.sample):
        return SCRAMBLED
    if not file.size and is_known_type(file.name):
        # Its encrypted copy may be elsewhere, as if it had been deleted.
        return REPLACED
    return EDITED if file.sample.head and is_known_type(file.name) else OVERWRITTEN
