"""One import of an account, from an export or another store: folders, files with their versions, what belongs to them.

Versions come oldest first. What was in the trash comes before the rest, and goes there before anything has its name.
"""

from collections.abc import Iterable, Iterator

import msgspec

from skyshelf.service.exporting import ExportedObject, ExportedVersion
from skyshelf.service.exporting.objects import object_pages
from skyshelf.service.importing import trees
from skyshelf.service.importing.belongings import Belongings, Brought
from skyshelf.service.importing.commit import Pipeline
from skyshelf.service.importing.exported import AccountSource, ExportSummary, Unusable, epoch
from skyshelf.service.importing.prepare import ImportItem, KnownFacts
from skyshelf.service.importing.run import Import
from skyshelf.service.retention import retention
from skyshelf.storage.metadata.contracts.tree import TRASHED, NewFolder
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import FOLDER_DEPTH_MAX
from skyshelf.wire.names import clean_name, numbered
from skyshelf.wire.refusals import BadName

_OTHER = "something else is there, and is left as it is: choose another folder"


class _Folder(msgspec.Struct):
    """A folder of the account, and the one of the drive once it exists."""

    line: ExportedObject
    drive: trees.DriveFolder | None = None


class AccountImport(Import):
    """Imports an account into one; may be run again to continue."""

    def run_account(self, source: AccountSource) -> ExportSummary:
        """Import all of it. Errors of the stores are raised; problems with single files are in the summary."""
        self._source = source
        self._preparer = source.preparer(self._run)
        self._folders = {one.key: _Folder(one) for one in source.objects() if one.is_folder}
        self._names: dict[str, str] = {}
        self._settled: set[str] = set()
        self._target, new_folders = trees.resolve_target(self._ctx, self._account, self._options.into)
        self._reporter.summary = summary = ExportSummary(dry_run=self._options.dry_run)
        self._belongings = Belongings(self._run, source, summary)
        with self._until_stopped():
            if self._options.dry_run:
                for _ in self._pass(None, 0, trash=False):
                    pass
                return summary
            self._free_bytes = self._free_space()
            with Pipeline(self._run, self._preparer) as pipeline:
                for folder in new_folders:
                    pipeline.add_folder((source.place, folder))
                self._import_all(pipeline, trash=True)
                self._belongings.trash(self._trashed())
                self._import_all(pipeline, trash=False)
            self._belongings.bring(self._brought())
        return summary

    def _import_all(self, pipeline: Pipeline, *, trash: bool) -> None:
        if trash:
            self._known_trash = self._trash_of_account()
        passes = 1
        number = 0
        while number < passes:
            for item in self._pass(pipeline, number, trash=trash):
                self._run.check_stopped()
                self._check_space(item, pipeline)
                pipeline.add_file(item)
            pipeline.flush()
            if number == 0:
                passes = max((len(self._versions(one)) for one in self._objects(trash=trash)), default=1)
            number += 1

    def _objects(self, *, trash: bool) -> Iterator[ExportedObject]:
        return (one for one in self._source.objects() if one.is_in_trash == trash)

    def _pass(self, pipeline: Pipeline | None, number: int, *, trash: bool) -> Iterator[ImportItem]:
        """Yield the version of that number of each file; with the first ones, folders are created."""
        for one in self._objects(trash=trash):
            if trash and self._is_known_trash(one):
                continue
            if one.is_folder:
                if number == 0:
                    self._drive_folder(pipeline, one.key)
                continue
            versions = self._versions(one)
            if number < len(versions) and (item := self._item(pipeline, one, versions, number)) is not None:
                yield item
            if number == 0:
                for version in one.versions:
                    if version.path is None:
                        self._reporter.failed("/".join(one.place), version.missing or "is not in the export")

    def _versions(self, one: ExportedObject) -> list[ExportedVersion]:
        """Return the versions that the export has and the server keeps, the oldest first."""
        return [version for version in one.versions if version.path is not None][-retention(self._ctx).versions_kept :]

    def _item(
        self, pipeline: Pipeline | None, one: ExportedObject, versions: list[ExportedVersion], number: int
    ) -> ImportItem | None:
        version = versions[number]
        drive = None if one.key in self._settled else self._parent(pipeline, one)
        name = None if drive is None else self._name(one, drive)
        if drive is None or name is None:
            return None
        try:
            file = self._source.file(one, version)
        except Unusable as problem:
            self._reporter.failed(version.path or "/".join(one.place), str(problem))
            return None
        stored = [] if self._is_new(drive, number) else self._stored(drive, name)
        self._reporter.counted(file.size)
        if self._options.only_new and number == 0 and self._is_settled(one, file, stored, versions):
            return None
        if stored is not None and _has(stored, versions[: number + 1]):
            self._reporter.unchanged(file.path, file.size)
            return None
        known = KnownFacts(
            sha256=version.sha256,
            created_at=epoch(version.created),
            modified_at=epoch(version.modified),
            created_by=version.stored_by[:100] or self._account.first_name,
            expected_version=0 if self._options.only_new and number == 0 and not stored else None,
        )
        if self._options.dry_run:
            self._reporter.imported(file.path, file.size, is_new=number == 0, linked=False)
            return None
        return ImportItem(file, drive.object_key, name, None, known)

    def _is_new(self, drive: trees.DriveFolder, number: int) -> bool:
        return drive.is_new and (self._options.dry_run or number == 0)

    def _stored(self, drive: trees.DriveFolder, name: str) -> list[str] | None:
        """Return the contents that a file of the drive has had, the oldest first; None if a folder has the name."""
        account_id = self._account.account_id
        with self._ctx.metadata.read() as unit:
            found = unit.tree.child_named(account_id, drive.object_key, name)
            if found is None:
                return []
            if found.is_folder:
                return None
            return [one.sha256 for one in reversed(unit.files.versions(account_id, found.object_key))]

    def _is_settled(
        self,
        one: ExportedObject,
        file: trees.SourceFile,
        stored: list[str] | None,
        versions: list[ExportedVersion],
    ) -> bool:
        """Whether a file stays as it is: it came back before, or it is another one; an interrupted one goes on."""
        wanted = [version.sha256 for version in versions]
        once = [content for at, content in enumerate(wanted) if at == 0 or wanted[at - 1] != content]
        if stored is not None and stored == once[: len(stored)] and len(stored) < len(once):
            return False
        self._settled.add(one.key)
        if stored and (_has(stored, versions) or stored[-1] == wanted[-1]):
            self._reporter.unchanged(file.path, file.size)
        else:
            self._reporter.failed(file.path, _OTHER)
        return True

    # Folders and names

    def _parent(self, pipeline: Pipeline | None, one: ExportedObject) -> trees.DriveFolder | None:
        """Return the folder of the drive for an object; what was in the trash itself goes where it was, if it can."""
        parent = None if one.parent is None else self._folders.get(one.parent)
        if parent is None or (one.trashed is not None and parent.line.is_in_trash):
            return self._target
        return self._drive_folder(pipeline, parent.line.key)

    def _drive_folder(self, pipeline: Pipeline | None, key: str) -> trees.DriveFolder | None:
        # From the top down, without recursion: folders may be nested very deep.
        way: list[_Folder] = []
        at: str | None = key
        while at is not None and (folder := self._folders.get(at)) is not None and folder.drive is None:
            if folder in way:
                self._reporter.failed(folder.line.path, "its folder is below itself")
                return None
            way.append(folder)
            at = folder.line.parent
        for folder in reversed(way):
            parent = self._parent(pipeline, folder.line)
            if parent is None:
                return None
            folder.drive = self._created(pipeline, folder.line, parent)
            if folder.drive is None:
                return None
        return self._folders[key].drive

    def _created(
        self, pipeline: Pipeline | None, line: ExportedObject, parent: trees.DriveFolder
    ) -> trees.DriveFolder | None:
        name = self._name(line, parent)
        if name is None:
            return None
        if not parent.is_new:
            with self._ctx.metadata.read() as unit:
                existing = unit.tree.child_named(self._account.account_id, parent.object_key, name)
            if existing is not None and not existing.is_folder:
                self._reporter.failed(line.path, "a file in the drive has its name")
                return None
            if existing is not None:
                return trees.DriveFolder(existing.object_key, is_new=False)
        new = NewFolder(object_key=self._ctx.new_key(), parent_key=parent.object_key, name=name)
        if pipeline is None:
            self._reporter.folder_created()
        else:
            pipeline.add_folder((line.path, new))
        return trees.DriveFolder(new.object_key, is_new=True)

    def _name(self, one: ExportedObject, parent: trees.DriveFolder) -> str | None:
        """Return the original name; what goes to the trash takes nobody else's."""
        if one.key in self._names:
            return self._names[one.key]
        try:
            name = clean_name(one.place[-1] if one.place else "")
        except BadName as bad:
            self._reporter.failed(one.path, str(bad))
            return None
        if one.trashed is not None:
            name = self._free_name(parent, name)
            self._names[one.key] = name
            self._taken.add((parent.object_key, name))
        return name

    _taken: set[tuple[str, str]]

    def _free_name(self, parent: trees.DriveFolder, name: str) -> str:
        number, candidate = 0, name
        with self._ctx.metadata.read() as unit:
            while (parent.object_key, candidate) in self._taken or unit.tree.child_named(
                self._account.account_id, parent.object_key, candidate
            ):
                number += 1
                candidate = numbered(name, number)
        return candidate

    # The trash

    def _trash_of_account(self) -> set[tuple[str, int]]:
        """Return what is in the account's trash already, if the export has any: it was imported before."""
        self._taken = set()
        known: set[tuple[str, int]] = set()
        if next(self._objects(trash=True), None) is None:
            return known
        for page in object_pages(self._ctx, self._account.account_id):
            # A file by its content and date, since it may have another name now; a folder by its name.
            known |= {
                (one.name, 0) if one.sha256 is None else (one.sha256, one.last_modified_at)
                for one in page
                if one.status == TRASHED
            }
        return known

    def _is_known_trash(self, one: ExportedObject) -> bool:
        top: ExportedObject | None = one
        for _ in range(FOLDER_DEPTH_MAX):
            if top is None or top.trashed is not None:
                break
            above = self._folders.get(top.parent or "")
            top = None if above is None else above.line
        if top is None or not top.place:
            return False
        content = (top.versions[-1].sha256, epoch(top.modified)) if top.versions else (top.place[-1], 0)
        return content in self._known_trash

    def _trashed(self) -> Iterator[Brought]:
        for one in self._objects(trash=True):
            if one.trashed is not None and one.key in self._names:
                yield from self._found([one])

    def _brought(self) -> Iterator[Brought]:
        """Yield the active objects in the drive that have something that belongs to them."""
        wanted = self._belongings.objects_of_albums()
        return self._found(
            one for one in self._objects(trash=False) if one.is_favorite or one.tags or one.key in wanted
        )

    def _found(self, lines: Iterable[ExportedObject]) -> Iterator[Brought]:
        for one in lines:
            self._run.check_stopped()
            parent = self._parent(None, one)
            name = None if parent is None else self._name(one, parent)
            if parent is None or name is None:
                continue
            with self._ctx.metadata.read() as unit:
                found = self._child(unit, parent, name)
            if found is not None:
                yield Brought(one, found)

    def _child(self, unit: Unit, parent: trees.DriveFolder, name: str) -> str | None:
        found = unit.tree.child_named(self._account.account_id, parent.object_key, name)
        return None if found is None else found.object_key


def _has(stored: Iterable[str], versions: list[ExportedVersion]) -> bool:
    """Whether these versions are among those of a file, in this order: then they were imported before."""
    contents = iter(stored)
    return all(version.sha256 in contents for version in versions)
