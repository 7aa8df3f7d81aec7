"""Copies in SQL: new objects that refer to content which the account has already."""

from collections.abc import Sequence

from skyshelf.storage.errors import ObjectMissing, RootIsFixed, StorageError, WouldCycle
from skyshelf.storage.metadata.contracts.changes import CREATED
from skyshelf.storage.metadata.contracts.copies import Copied, CopyOf
from skyshelf.storage.metadata.contracts.files import NewFile, PutOutcome, Version
from skyshelf.storage.metadata.contracts.tree import Outcome, StoredObject
from skyshelf.storage.metadata.sql.account_lock import Happened, lock_account, record_changes
from skyshelf.storage.metadata.sql.bounds import objects_left, too_many_objects
from skyshelf.storage.metadata.sql.files import SqlFiles
from skyshelf.storage.metadata.sql.files_bulk import ManyFiles
from skyshelf.storage.metadata.sql.statements import Sql, key_text, raw
from skyshelf.storage.metadata.sql.tree.child_names import ChildNames, free_name
from skyshelf.storage.metadata.sql.tree.depth import Nesting
from skyshelf.storage.metadata.sql.tree.objects import insert_objects, new_folder
from skyshelf.storage.metadata.sql.tree.tree import SqlTree
from skyshelf.storage.metadata.sql.tree.visibility import Lineage
from skyshelf.wire.names import category


class SqlCopies:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def copy(
        self,
        account_id: int,
        copies: Sequence[CopyOf],
        folder_key: str,
        now: int,
        *,
        created_by: str,
        source_id: int | None = None,
    ) -> Copied:
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
        for seq, stored in enumerate(folders.values(), start=lock.change_seq + 1):
            stored.created_seq = seq
        with self._sql.together():
            nesting.write()
            insert_objects(self._sql, folders.values())
            happened = [Happened(CREATED, stored.object_key) for stored in folders.values()]
            record_changes(self._sql, account_id, lock, happened, now, folders=[folder_key])
        files = self._new_files(source_id, sources, folder_key, created_by)
        copied = self._put(account_id, files, now)
        needs_dates = any(file.needs_date for file in files.values())
        ordered = outcomes | folders | copied
        return Copied([ordered[number] for number in range(len(copies))], needs_dates)

    def _new_files(
        self,
        source_id: int,
        sources: dict[int, tuple[CopyOf, StoredObject, str]],
        folder_key: str,
        created_by: str,
    ) -> dict[int, NewFile]:
        if not sources:
            return {}
        keys = sorted({source.object_key for _, source, _ in sources.values()})
        versions = SqlFiles(self._sql).visible_versions(source_id, keys)
        undated = self._sql.all(
            "SELECT object_key FROM undated WHERE account_id = :account AND object_key = ANY_KEY(:keys)",
            {"account": source_id, "keys": [raw(key) for key in keys]},
        )
        waiting = {key_text(key) for (key,) in undated}
        return {
            number: _file(
                one.copy_key,
                folder_key,
                name,
                source,
                versions[source.object_key],
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
        for place, refusal in refused.items():
            assert isinstance(refusal, StorageError)
            outcomes[numbers[place]] = refusal
        for place, put in zip(new, many.insert(list(new.values())), strict=True):
            assert isinstance(put, PutOutcome)
            outcomes[numbers[place]] = put.object
        return outcomes


def _checked(source: StoredObject | None, above_target: set[str]) -> StoredObject:
    if source is None:
        raise ObjectMissing("no such object")
    if source.parent_key is None:
        raise RootIsFixed("the root cannot be copied")
    if source.object_key in above_target:
        raise WouldCycle("a folder cannot be copied into itself or below itself")
    return source


def _file(
    key: str,
    folder_key: str,
    name: str,
    source: StoredObject,
    version: Version,
    *,
    created_by: str,
    needs_date: bool,
) -> NewFile:
    return NewFile(
        object_key=key,
        parent_key=folder_key,
        name=name,
        sha256=version.sha256,
        md5=version.md5,
        size=version.size,
        location=version.location,
        category=category(source.mime_type),
        mime_type=source.mime_type,
        mime_subtype=source.mime_subtype,
        file_created_at=source.file_created_at,
        last_modified_at=source.last_modified_at,
        created_by=created_by,
        source_name=source.source_name,
        source_folder=source.source_folder,
        app_code=source.app_code,
        taken_at=source.taken_at,
        taken_day=source.taken_day,
        needs_date=needs_date,
    )
