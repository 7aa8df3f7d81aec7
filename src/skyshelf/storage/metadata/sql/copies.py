"""Copies in SQL: new objects that refer to content which the account has already."""

from collections.abc import Sequence

from skyshelf.storage.errors import ObjectMissing, RootIsFixed, StorageError, WouldCycle
from skyshelf.storage.metadata.contracts.files import CopyOf, CopyResult, NewFile, PutOutcome
from skyshelf.storage.metadata.contracts.tree import Outcome, StoredObject
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.files import SqlFiles
from skyshelf.storage.metadata.sql.files_bulk import ManyFiles
from skyshelf.storage.metadata.sql.quota import objects_left, too_many_objects
from skyshelf.storage.metadata.sql.statements import SqlNoun, raw
from skyshelf.storage.metadata.sql.tree.objects import create_objects, file_of, new_folder
from skyshelf.storage.metadata.sql.tree.placing import ChildNames, Nesting, free_name
from skyshelf.storage.metadata.sql.tree.tree import SqlTree
from skyshelf.storage.metadata.sql.tree.visibility import Lineage


class SqlCopies(SqlNoun):
    def copy(
        self,
        account_id: int,
        copies: Sequence[CopyOf],
        folder_key: str,
        now: int,
        *,
        created_by: str,
        source_id: int | None = None,
    ) -> CopyResult:
        """Copy visible objects into a visible folder, in order, each on its own; no byte is copied.

        A file's copy has its current content and dates, and one version. A folder's copy is empty. Where the name is
        taken, the copy gets ` (1)`, ` (2)` and so on. ObjectMissing and NotAFolder are raised about the target; single
        objects are refused by ObjectMissing, RootIsFixed, WouldCycle, TooDeep, QuotaExceeded and LimitReached. A fixed
        number of statements, as far as names are free.

        `source_id` is the account that has the objects, where it is another one: only an operator may name it.
        """
        # The lock comes first: what is read below cannot be purged before the copies refer to it. Two are taken in an
        # order that is the same for everybody.
        source_id = account_id if source_id is None else source_id
        locks = {one: lock_account(self._sql, one) for one in sorted({account_id, source_id})}
        lock = locks[account_id]
        tree = SqlTree(self._sql)
        tree.visible_folder(account_id, folder_key)
        found = tree.visible_many(source_id, [one.object_key for one in copies])
        lineage = Lineage(self._sql, account_id, [folder_key])
        above = set(lineage.up_from(folder_key))
        names = ChildNames(self._sql, account_id, {(folder_key, one.name) for one in found.values()})
        nesting = Nesting(self._sql, account_id, lineage)
        left = objects_left(self._sql, account_id, lock, now)
        folders: dict[int, StoredObject] = {}
        sources: dict[int, tuple[CopyOf, StoredObject, str]] = {}
        outcomes: dict[int, Outcome] = {}
        for number, one in enumerate(copies):
            try:
                source = _checked(found.get(one.object_key), above)
                if len(folders) >= left:
                    raise too_many_objects()
                name = free_name(names, folder_key, source.name)
                if source.is_folder:
                    nesting.add(folder_key, name)
                    folders[number] = new_folder(
                        account_id, one.copy_key, folder_key, name, now, source_name=source.source_name
                    )
                else:
                    sources[number] = (one, source, name)
                names.take((folder_key, name), one.copy_key)
            except StorageError as refusal:
                outcomes[number] = refusal
        with self._sql.together():
            nesting.write()
            create_objects(self._sql, lock, list(folders.values()), now)
        files = self._new_files(source_id, sources, folder_key, created_by)
        copied = self._put(account_id, files, now)
        needs_dates = any(file.needs_date for file in files.values())
        ordered = outcomes | folders | copied
        return CopyResult([ordered[number] for number in range(len(copies))], needs_dates)

    def _new_files(
        self, source_id: int, sources: dict[int, tuple[CopyOf, StoredObject, str]], folder_key: str, created_by: str
    ) -> dict[int, NewFile]:
        if not sources:
            return {}
        keys = sorted({source.object_key for _, source, _ in sources.values()})
        versions = SqlFiles(self._sql).visible_versions(source_id, keys)
        undated = "SELECT object_key FROM undated WHERE account_id = :account AND object_key = ANY_KEY(:keys)"
        waiting = set(self._sql.keys(undated, {"account": source_id, "keys": [raw(key) for key in keys]}))
        return {
            number: file_of(
                source,
                versions[source.object_key].location,
                object_key=one.copy_key,
                parent_key=folder_key,
                name=name,
                created_by=created_by,
                needs_date=source.object_key in waiting,
            )
            for number, (one, source, name) in sources.items()
        }

    def _put(self, account_id: int, files: dict[int, NewFile], now: int) -> dict[int, Outcome]:
        if not files:
            return {}
        many = ManyFiles(self._sql, account_id, now)
        numbers = list(files)
        new, named, refused = many.sort(list(files.values()))
        assert not named, "the names were free, and the account is locked"
        outcomes: dict[int, Outcome] = {}
        for place, outcome in (refused | dict(zip(new, many.insert(list(new.values())), strict=True))).items():
            assert outcome is not None, "a new file has an outcome"
            outcomes[numbers[place]] = outcome.object if isinstance(outcome, PutOutcome) else outcome
        return outcomes


def _checked(source: StoredObject | None, above_target: set[str]) -> StoredObject:
    if source is None:
        raise ObjectMissing("no such object")
    if source.parent_key is None:
        raise RootIsFixed("the root cannot be copied")
    if source.object_key in above_target:
        raise WouldCycle("a folder cannot be copied into itself or below itself")
    return source
