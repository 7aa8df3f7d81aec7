"""Many files at once: as many statements for a thousand as for one, where their names are new."""

from collections import Counter
from collections.abc import Sequence

from skyshelf.storage.errors import NotAFolder, ObjectMissing, StorageError, VersionChanged
from skyshelf.storage.metadata.alarms import SEALED
from skyshelf.storage.metadata.contracts.files import NewFile, PutOutcome
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.sql.content import refer_many
from skyshelf.storage.metadata.sql.media_facts import await_dates, keep_new_facts
from skyshelf.storage.metadata.sql.quota import lock_with_quota, objects_left_of, too_many_objects
from skyshelf.storage.metadata.sql.statements import Sql, raw
from skyshelf.storage.metadata.sql.tree.objects import create_objects, new_file
from skyshelf.storage.metadata.sql.tree.placing import ChildNames
from skyshelf.storage.metadata.sql.tree.tree import SqlTree
from skyshelf.storage.samples import looks_sealed


def insert_versions(sql: Sql, files: Sequence[tuple[StoredObject, NewFile]], now: int) -> None:
    """The current version of each object, with what arrived for it."""
    sql.insert_rows(
        "versions",
        [
            {
                "account_id": stored.account_id,
                "object_key": raw(stored.object_key),
                "version": stored.version,
                "content": raw(file.sha256),
                "md5": raw(file.md5),
                "size": file.size,
                "category": file.category,
                "mime_type": file.mime_type,
                "mime_subtype": file.mime_subtype,
                "created_at": now,
                "created_by": file.created_by,
                "file_created_at": file.file_created_at,
                "last_modified_at": file.last_modified_at,
            }
            for stored, file in files
        ],
    )


def set_version_dates(sql: Sql, files: Sequence[StoredObject]) -> None:
    """Give the current version of each file the dates of the file."""
    sql.run_many(
        "UPDATE versions SET file_created_at = :created, last_modified_at = :modified"
        " WHERE account_id = :account AND object_key = :key AND version = :version",
        [
            {
                "account": one.account_id,
                "key": raw(one.object_key),
                "version": one.version,
                "created": one.file_created_at,
                "modified": one.last_modified_at,
            }
            for one in files
        ],
    )


Outcome = PutOutcome | StorageError | None


class ManyFiles:
    """One call of Files.put_many, for names that are new."""

    def __init__(self, sql: Sql, account_id: int, now: int) -> None:
        self._sql = sql
        self._account_id = account_id
        self._now = now
        self._lock, self._quota = lock_with_quota(sql, account_id, now)

    def sort(self, files: Sequence[NewFile]) -> tuple[dict[int, NewFile], dict[int, NewFile], dict[int, Outcome]]:
        """By their number: those with a new name and space for them, those whose name is taken, and refusals."""
        folders = SqlTree(self._sql).visible_many(self._account_id, sorted({file.parent_key for file in files}))
        names = ChildNames(self._sql, self._account_id, {(file.parent_key, file.name) for file in files})
        quota = self._quota
        size = 0
        left = objects_left_of(self._lock, quota.allocated)
        new: dict[int, NewFile] = {}
        named: dict[int, NewFile] = {}
        refused: dict[int, Outcome] = {}
        for number, file in enumerate(files):
            folder = folders.get(file.parent_key)
            if folder is None:
                refused[number] = ObjectMissing("no such object")
            elif not folder.is_folder:
                refused[number] = NotAFolder("the key is a file's")
            elif names.holder((file.parent_key, file.name)) is not None:
                named[number] = file
            elif file.expected_version:
                refused[number] = VersionChanged("there is no file of that name")
            elif refusal := quota.refusal(size + file.size):
                refused[number] = refusal
            elif len(new) >= left:
                refused[number] = too_many_objects()
            else:
                names.take((file.parent_key, file.name), file.object_key)
                size += file.size
                new[number] = file
        return new, named, refused

    def insert(self, files: Sequence[NewFile]) -> list[Outcome]:
        """New objects, each with its first version."""
        if not files:
            return []
        locations = refer_many(self._sql, files, self._now)
        stored = [new_file(self._account_id, file, self._now) for file in files]
        used: Counter[str] = Counter()
        for file in files:
            used[file.category] += file.size
        with self._sql.together():
            signs = [SEALED if looks_sealed(file.name, file.sample) else None for file in files]
            create_objects(self._sql, self._lock, stored, self._now, used=used, signs=signs)
            insert_versions(self._sql, list(zip(stored, files, strict=True)), self._now)
            await_dates(self._sql, zip(stored, files, strict=True))
            keep_new_facts(self._sql, zip(stored, files, strict=True))
        return [PutOutcome(one, True, locations[file.sha256]) for one, file in zip(stored, files, strict=True)]
