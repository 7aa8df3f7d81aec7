"""The first stage of a bulk download: folders are listed, local names assigned, and missing files queued."""

import asyncio
from collections.abc import Sequence
from itertools import islice
from typing import Final

from msgspec.structs import replace

from skyshelf.client import errors
from skyshelf.client.download.bulk import plan
from skyshelf.client.download.bulk.destination import BulkRun
from skyshelf.client.download.bulk.state import KnownFile, NeedsDownload, UpToDate, compare_with_local
from skyshelf.client.download.integrity import UNVERIFIED, ExpectedContent
from skyshelf.client.engine.pagination import ListingCount
from skyshelf.client.engine.retries import Retries
from skyshelf.client.local.disk_threads import is_not_cancelled
from skyshelf.client.local.files import DiskFullError
from skyshelf.client.local.names import safe_name
from skyshelf.client.objects.listing import KINDS, folder_pages
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.wire.limits import CLIENT_DEPTH_MAX

_COMPARED_AT_ONCE: Final = 128
"""Files that are compared with the destination at once."""

OLDER_MAX: Final = 10
"""So many files that are older on the server than in the destination end a run that asks for it."""

_OLDER: Final = "Many files are older on the server than here, so it has probably gone back to an older state"
_CONTRADICTIONS_MAX: Final = 100
_PATH_CHARS_MAX: Final = 64 * 1024
_TWICE: Final = "the server lists the same folder in two places, or inside itself; it is copied once"
_TOO_DEEP: Final = "the folder is nested too deeply: download it separately, by its key"
_INTEGER_MAX: Final = 2**63 - 1


class BulkListing:
    """Any number of listers, done when `all_listed` is set."""

    def __init__(self, run: BulkRun) -> None:
        self.all_listed = asyncio.Event()
        self._run, self._engine, self._report, self._choice = run, run.engine, run.report, run.choice
        self._folders, self._plan, self._state = run.place.folders, run.place.plan, run.place.state
        self._threads, self._notes = run.threads, run.notes
        self._to_list = asyncio.Semaphore(0)
        self._unlisted = 0
        self._policy = replace(run.engine.policy, errors=(errors.BrokenListingError,))
        self._count = ListingCount(run.engine.bounds.objects)
        self._second_chances = plan.SecondChances[plan.PlannedFolder](self._policy)
        self._older = 0

    async def begin(self, folder_key: str) -> None:
        """Add the folder where the download starts."""
        await self._add_folders([(folder_key, "", "")])

    async def list_folders(self) -> None:
        """Run one lister: it lists folder by folder, until it is cancelled."""
        while is_not_cancelled():
            await self._to_list.acquire()
            folder = await self._notes.run(self._plan.next_folder)
            assert folder is not None
            try:
                await self._list(folder)
            except (errors.AuthenticationError, DiskFullError, errors.EndlessListingError, errors.ServerStateError):
                raise
            except errors.SkyshelfError as error:
                self._report.failed(folder.path, folder.key, error, is_folder=True)
            await self._notes.run(self._plan.forget_children, folder)
            self._unlisted -= 1
            if not self._unlisted:
                await self._list_again()
            if not self._unlisted:
                self.all_listed.set()

    async def _list(self, folder: plan.PlannedFolder) -> None:
        try:
            await self._collect(folder)
        except errors.SkyshelfError as error:
            if not self._second_chances.grant(folder, error):
                raise
        else:
            await self._hand_out(folder)

    async def _list_again(self) -> None:
        """List folders that failed for a temporary reason once more, when everything has been tried."""
        again = self._second_chances.take()
        self._unlisted += len(again)
        await self._notes.run(self._plan.wait_again, again)
        for _ in again:
            self._to_list.release()

    async def _add_folders(self, folders: Sequence[tuple[str, str, str]]) -> None:
        """Add folders, given by key, local path, and path on the server."""
        added = await self._notes.run(lambda: [self._plan.add_folder(*folder) for folder in folders])
        for (key, path, _), is_new in zip(folders, added, strict=True):
            if is_new:
                self._unlisted += 1
                self._to_list.release()
            else:
                self._report.failed(path, key, errors.BrokenListingError(_TWICE), is_folder=True)

    async def _collect(self, folder: plan.PlannedFolder) -> None:
        """Collect all children of a folder; a broken listing is started over, as often as the policy says."""
        retries = Retries(self._policy)
        while True:
            contradictions: list[plan.Contradiction] = []
            try:
                for kind in KINDS:
                    async for found in folder_pages(
                        self._engine, folder.key, kind, limit=self._run.page_size, careful=True
                    ):
                        self._count.add(len(found))
                        children = [self._child(folder, one) for one in found]
                        contradictions += await self._notes.run(self._plan.add_children, folder, children)
            except errors.BrokenListingError as error:
                if retries.delay_after(error) is None:
                    raise
            else:
                # An object that is renamed during a listing looks like this too, but not in the next one.
                if not contradictions or retries.delay_after(errors.BrokenListingError(_TWICE)) is None:
                    self._report_contradictions(folder, contradictions)
                    return
            await self._notes.run(self._plan.forget_children, folder)

    def _report_contradictions(self, folder: plan.PlannedFolder, contradictions: Sequence[plan.Contradiction]) -> None:
        """Report objects that have the key of another one: only the first of them can be downloaded."""
        for one in contradictions[:_CONTRADICTIONS_MAX]:
            problem = f"the server lists it with the key {one.key}, which {one.first_name!r} in the same folder has too"
            self._report.failed(_joined(folder.path, safe_name(one.name)), one.key, errors.BrokenListingError(problem))
        if more := contradictions[_CONTRADICTIONS_MAX:]:
            problem = f"{len(more):,} further objects have the key of another one in the folder"
            self._report.failed(folder.path, folder.key, errors.BrokenListingError(problem), is_folder=True)

    def _child(self, folder: plan.PlannedFolder, found: RemoteObject) -> plan.Child:
        if found.object_type and not (found.is_folder or found.is_file or found.md5):
            # An unknown kind of object, with nothing that says how to download it.
            self._report.summary.ignored += 1
            path = _joined(folder.path, safe_name(self._engine.hide_secrets(found.name)))
            self._report.ignored(path, found.key)
            return plan.Child(key=found.key, name=self._engine.hide_secrets(found.name), is_folder=False, wanted=False)
        return plan.Child(
            key=found.key,
            name=self._engine.hide_secrets(found.name),
            is_folder=found.is_folder,
            wanted=self._choice.takes(_joined(folder.origin, found.name), found),
            size=_storable(found.size),
            md5=found.md5,
            modified_ms=_storable(found.modified_ms),
        )

    async def _hand_out(self, folder: plan.PlannedFolder) -> None:
        """Name every child, and queue files and folders."""
        # A complete download includes empty folders; otherwise a folder is created with its first file.
        if self._choice.is_everything:
            await self._threads.run(self._folders.acquire, folder.path)
        try:
            named = self._plan.named(folder)
            while batch := await self._notes.run(lambda: list(islice(named, _COMPARED_AT_ONCE))):
                await self._hand_out_files(folder, [pair for pair in batch if not pair[0].is_folder])
                await self._add_folders(
                    [
                        (child.key, _joined(folder.path, name), _joined(folder.origin, child.name))
                        for child, name in batch
                        if child.is_folder and child.wanted and self._can_enter(folder, child, name)
                    ]
                )
        finally:
            if self._choice.is_everything:
                self._folders.release(folder.path)
        self._report.listed(folder.path, folder.key)

    def _can_enter(self, folder: plan.PlannedFolder, child: plan.Child, name: str) -> bool:
        """Whether a folder is not too deep: in an endless chain of folders, each path is longer than the last."""
        path = _joined(folder.path, name)
        longest = max(len(path), len(folder.origin) + len(child.name))
        if longest <= _PATH_CHARS_MAX and path.count("/") < CLIENT_DEPTH_MAX:
            return True
        self._report.failed(path, child.key, errors.BrokenListingError(_TOO_DEEP), is_folder=True)
        return False

    async def _hand_out_files(self, folder: plan.PlannedFolder, children: Sequence[tuple[plan.Child, str]]) -> None:
        files = [plan.PlannedFile.of(child, folder.path, name) for child, name in children if child.wanted]
        if not files:
            return
        known = await self._notes.run(self._state.known, folder.path, [file.name for file in files])
        compared = await self._threads.run(self._compare, files, known)
        self._count_older(files, compared, known)
        for file, found in zip(files, compared, strict=True):
            if isinstance(found, NeedsDownload):
                job = plan.DownloadJob(file, found.replace, ExpectedContent.of(file.size, file.md5))
                if not (job.expected.can_be_verified or self._choice.allow_unverified):
                    self._report.failed(file.path, file.key, errors.UnverifiedFileError(UNVERIFIED))
                    continue
                self._report.queued(file.path, file.key, file.size)
                await self._run.jobs.put(job)
            elif isinstance(found, UpToDate):
                if found.new is not None:
                    await self._notes.run(self._state.record, [found.new])
                self._report.skipped(file.path, file.key, "already up to date", file.size)
            else:
                self._report.failed(file.path, file.key, found)

    def _count_older(
        self, files: Sequence[plan.PlannedFile], compared: Sequence[object], known: dict[str, KnownFile]
    ) -> None:
        """Raise ServerStateError before the files that make it too many are replaced."""
        self._older += sum(
            isinstance(found, NeedsDownload) and file.name in known and known[file.name].is_newer_than(file)
            for file, found in zip(files, compared, strict=True)
        )
        if self._choice.stop_at_older and self._older >= OLDER_MAX:
            raise errors.ServerStateError(_OLDER)

    def _compare(
        self, files: Sequence[plan.PlannedFile], known: dict[str, KnownFile]
    ) -> list[UpToDate | NeedsDownload | errors.LocalFileError]:
        found: list[UpToDate | NeedsDownload | errors.LocalFileError] = []
        with self._folders.using(files[0].folder) as folder:
            for file in files:
                try:
                    found.append(
                        compare_with_local(file, folder, known.get(file.name), overwrite=self._choice.overwrite)
                    )
                except errors.LocalFileError as error:
                    found.append(error)
        return found


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _storable(number: int | None) -> int | None:
    """Return a number that fits into the database; a larger one cannot be valid."""
    return number if number is not None and 0 <= number <= _INTEGER_MAX else None
