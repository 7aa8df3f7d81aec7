"""Many files at once: as many statements for a thousand as for one, where their names are new."""

from collections import Counter
from collections.abc import Sequence

from skyshelf.storage.errors import NotAFolder, ObjectMissing, QuotaExceeded, StorageError, VersionChanged
from skyshelf.storage.metadata.contracts import changes as feed
from skyshelf.storage.metadata.contracts.files import NewFile, PutOutcome
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.sql.account_lock import Happened, record_changes
from skyshelf.storage.metadata.sql.bounds import objects_left_of, too_many_objects
from skyshelf.storage.metadata.sql.media_facts import keep_new_facts
from skyshelf.storage.metadata.sql.quota import lock_with_quota
from skyshelf.storage.metadata.sql.statements import Sql, digest_text, key_text, raw
from skyshelf.storage.metadata.sql.tree.objects import insert_objects, new_file
from skyshelf.storage.metadata.sql.tree.tree import SqlTree
from skyshelf.storage.metadata.sql.undated import await_dates

# The rows of a file's versions.


def insert_versions(sql: Sql, files: Sequence[tuple[StoredObject, NewFile]], now: int) -> None:
    """The current version of each object, with what arrived for it."""
    sql.insert_many(
        "INSERT INTO versions (account_id, object_key, version, content, md5, size, category, mime_type,"
        " mime_subtype, created_at, created_by, file_created_at, last_modified_at) VALUES (:account, :key,"
        " :version, :content, :md5, :size, :category, :mime_type, :mime_subtype, :now, :by, :created, :modified)",
        [
            {
                "account": stored.account_id,
                "key": raw(stored.object_key),
                "version": stored.version,
                "content": raw(file.sha256),
                "md5": raw(file.md5),
                "size": file.size,
                "category": file.category,
                "mime_type": file.mime_type,
                "mime_subtype": file.mime_subtype,
                "now": now,
                "by": file.created_by,
                "created": file.file_created_at,
                "modified": file.last_modified_at,
            }
            for stored, file in files
        ],
    )


Outcome = PutOutcome | StorageError | None
ChildName = tuple[str, str]


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
        taken = self._taken({(file.parent_key, file.name) for file in files})
        quota = self._quota
        free = quota.allocated - quota.used - quota.reserved
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
            elif (file.parent_key, file.name) in taken:
                named[number] = file
            elif file.expected_version:
                refused[number] = VersionChanged("there is no file of that name")
            elif file.size > free:
                refused[number] = QuotaExceeded(f"{file.size} more bytes do not fit into {quota.allocated}")
            elif len(new) >= left:
                refused[number] = too_many_objects()
            else:
                taken.add((file.parent_key, file.name))
                free -= file.size
                new[number] = file
        return new, named, refused

    def _taken(self, places: set[ChildName]) -> set[ChildName]:
        table, params = self._sql.pairs([(raw(folder), name) for folder, name in sorted(places)])
        rows = self._sql.all(
            # A separate SELECT for each name: a join would tempt either database to walk the whole account, and to
            # ask of each object whether it is wanted.
            f"SELECT a, b FROM {table} WHERE (SELECT o.object_key FROM objects o WHERE o.account_id = :account"
            " AND o.parent_key = a AND o.name = b AND o.status = 'A') IS NOT NULL",
            {"account": self._account_id, **params},
        )
        return {(key_text(parent), name) for parent, name in rows}

    def insert(self, files: Sequence[NewFile]) -> list[Outcome]:
        """New objects, each with its first version."""
        if not files:
            return []
        locations = self._refer(files)
        stored = [new_file(self._account_id, file, self._now) for file in files]
        for seq, one in enumerate(stored, start=self._lock.change_seq + 1):
            one.created_seq = seq
        used: Counter[str] = Counter()
        for file in files:
            used[file.category] += file.size
        happened = [Happened(feed.CREATED, one.object_key) for one in stored]
        with self._sql.together():
            insert_objects(self._sql, stored)
            insert_versions(self._sql, list(zip(stored, files, strict=True)), self._now)
            await_dates(self._sql, zip(stored, files, strict=True))
            keep_new_facts(self._sql, zip(stored, files, strict=True))
            folders = {file.parent_key for file in files}
            record_changes(self._sql, self._account_id, self._lock, happened, self._now, used=used, folders=folders)
        return [PutOutcome(one, True, locations[file.sha256]) for one, file in zip(stored, files, strict=True)]

    def _refer(self, files: Sequence[NewFile]) -> dict[str, str]:
        """Count the references to all contents, and say where each lives."""
        first = {file.sha256: file for file in reversed(files)}
        more = Counter(file.sha256 for file in files)
        # In the order of the digests, so two transactions cannot wait for each other.
        rows = self._sql.insert_returning(
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
                    "now": self._now,
                }
                for sha256 in sorted(first)
            ],
        )
        return {digest_text(content): location for content, location in rows}
