"""The first stage of a bulk download: folders are listed, local names assigned, and missing files queued."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct

from skyshelf.client.download.bulk.destination import OpenDestination
from skyshelf.client.download.bulk.existing import NeedsDownload, UpToDate, compare_with_local
from skyshelf.client.download.bulk.plan import (
    Child,
    Contradiction,
    DownloadJob,
    PlannedFile,
    PlannedFolder,
    SecondChances,
)
from skyshelf.client.download.bulk.state import KnownFile
from skyshelf.client.download.description import refuse_unverified
from skyshelf.client.download.integrity import ExpectedContent
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.listing_bounds import ListingCount
from skyshelf.client.engine.retries import Retries
from skyshelf.client.errors import (
    AuthenticationError,
    BrokenListingError,
    EndlessListingError,
    LocalFileError,
    SkyshelfError,
    UnverifiedFileError,
)
from skyshelf.client.local.disk_threads import DiskThreads, is_not_cancelled
from skyshelf.client.local.files import DiskFullError
from skyshelf.client.local.names import safe_name
from skyshelf.client.objects.listing import KINDS, PAGE_SIZE, folder_pages
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.transfers import TransferReport
from skyshelf.wire.limits import CLIENT_DEPTH_MAX

_COMPARED_AT_ONCE: Final = 128
"""Files that are compared with the destination at once."""

_CONTRADICTIONS_MAX: Final = 100
_PATH_CHARS_MAX: Final = 64 * 1024
_TWICE: Final = "the server lists the same folder in two places, or inside itself; it is copied once"
_TOO_DEEP: Final = "the folder is nested too deeply: download it separately, by its key"
_INTEGER_MAX: Final = 2**63 - 1


class Choice(Struct, frozen=True, kw_only=True):
    """What is downloaded. `select` is called with the path on the server below the folder, for folders too.

    Files whose content cannot be verified count as failed, unless `allow_unverified`.
    """

    overwrite: bool = False
    allow_unverified: bool = False
    select: Callable[[str, RemoteObject], bool] | None = None

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out."""
        return self.select is None

    def takes(self, path: str, found: RemoteObject) -> bool:
        """Whether an object is selected; a folder that is not selected is not entered."""
        return self.select is None or self.select(path, found)


class BulkListing:
    """Any number of listers, done when `all_listed` is set; `notes` is the thread of the databases."""

    def __init__(
        self,
        engine: Engine,
        destination: OpenDestination,
        report: TransferReport,
        jobs: "asyncio.Queue[DownloadJob]",
        *,
        threads: DiskThreads,
        notes: DiskThreads,
        choice: Choice,
        page_size: int = PAGE_SIZE,
    ) -> None:
        self.all_listed = asyncio.Event()
        self._engine = engine
        self._folders, self._plan, self._state = destination.folders, destination.plan, destination.state
        self._report = report
        self._jobs = jobs
        self._threads = threads
        self._notes = notes
        self._choice = choice
        self._page_size = page_size
        self._to_list = asyncio.Semaphore(0)
        self._unlisted = 0
        self._policy = engine.policy.extended(BrokenListingError)
        self._count = ListingCount(engine.bounds.objects)
        self._second_chances = SecondChances[PlannedFolder](self._policy)

    async def begin(self, folder_key: str) -> None:
        """Add the folder where the download starts."""
        await self._add_folders([(folder_key, "", "")])

    async def list_folders(self) -> None:
        """One lister: folder by folder, until it is cancelled."""
        while is_not_cancelled():
            await self._to_list.acquire()
            folder = await self._notes.run(self._plan.next_folder)
            assert folder is not None
            try:
                await self._list(folder)
            except (AuthenticationError, DiskFullError, EndlessListingError):
                raise
            except SkyshelfError as error:
                self._report.failed(folder.path, folder.key, error, is_folder=True)
            await self._notes.run(self._plan.forget_children, folder)
            self._unlisted -= 1
            if not self._unlisted:
                await self._list_again()
            if not self._unlisted:
                self.all_listed.set()

    async def _list(self, folder: PlannedFolder) -> None:
        try:
            await self._collect(folder)
        except SkyshelfError as error:
            if not self._second_chances.grant(folder, error):
                raise
        else:
            await self._hand_out(folder)

    async def _list_again(self) -> None:
        """Everything has been tried: folders that failed for a temporary reason are listed once more."""
        again = self._second_chances.take()
        self._unlisted += len(again)
        await self._notes.run(self._plan.wait_again, again)
        for _ in again:
            self._to_list.release()

    async def _add_folders(self, folders: Sequence[tuple[str, str, str]]) -> None:
        """Folders by key, local path, and path on the server."""
        added = await self._notes.run(lambda: [self._plan.add_folder(*folder) for folder in folders])
        for (key, path, _), is_new in zip(folders, added, strict=True):
            if is_new:
                self._unlisted += 1
                self._to_list.release()
            else:
                self._report.failed(path, key, BrokenListingError(_TWICE), is_folder=True)

    async def _collect(self, folder: PlannedFolder) -> None:
        """All children of a folder; a broken listing is started over, as often as the policy says."""
        retries = Retries(self._policy)
        while True:
            contradictions: list[Contradiction] = []
            try:
                for kind in KINDS:
                    async for found in folder_pages(
                        self._engine, folder.key, kind, limit=self._page_size, careful=True
                    ):
                        self._count.add(len(found))
                        children = [self._child(folder, one) for one in found]
                        contradictions += await self._notes.run(self._plan.add_children, folder, children)
            except BrokenListingError as error:
                if retries.delay_after(error) is None:
                    raise
            else:
                # An object that is renamed during a listing looks like this too, and not the next time.
                if not contradictions or retries.delay_after(BrokenListingError(_TWICE)) is None:
                    self._report_contradictions(folder, contradictions)
                    return
            await self._notes.run(self._plan.forget_children, folder)

    def _report_contradictions(self, folder: PlannedFolder, contradictions: Sequence[Contradiction]) -> None:
        """The first object of a key is downloaded; the others cannot be, and are not silently missing."""
        for one in contradictions[:_CONTRADICTIONS_MAX]:
            problem = f"the server lists it with the key {one.key}, which {one.first_name!r} in the same folder has too"
            self._report.failed(_joined(folder.path, safe_name(one.name)), one.key, BrokenListingError(problem))
        if more := contradictions[_CONTRADICTIONS_MAX:]:
            problem = f"{len(more):,} further objects have the key of another one in the folder"
            self._report.failed(folder.path, folder.key, BrokenListingError(problem), is_folder=True)

    def _child(self, folder: PlannedFolder, found: RemoteObject) -> Child:
        if found.object_type and not (found.is_folder or found.is_file or found.md5):
            # Something that this client does not know, and that nothing says how to download.
            self._report.summary.ignored += 1
            path = _joined(folder.path, safe_name(self._engine.hide_secrets(found.name)))
            self._report.ignored(path, found.key, "it is neither a file nor a folder")
            return Child(key=found.key, name=self._engine.hide_secrets(found.name), is_folder=False, wanted=False)
        return Child(
            key=found.key,
            name=self._engine.hide_secrets(found.name),
            is_folder=found.is_folder,
            wanted=self._choice.takes(_joined(folder.origin, found.name), found),
            size=_storable(found.size),
            md5=found.md5,
            modified_ms=_storable(found.modified_ms),
        )

    async def _hand_out(self, folder: PlannedFolder) -> None:
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

    def _can_enter(self, folder: PlannedFolder, child: Child, name: str) -> bool:
        """Whether a folder is not too deep: in an endless chain of folders, each path is longer than the last."""
        path = _joined(folder.path, name)
        longest = max(len(path), len(folder.origin) + len(child.name))
        if longest <= _PATH_CHARS_MAX and path.count("/") < CLIENT_DEPTH_MAX:
            return True
        self._report.failed(path, child.key, BrokenListingError(_TOO_DEEP), is_folder=True)
        return False

    async def _hand_out_files(self, folder: PlannedFolder, children: Sequence[tuple[Child, str]]) -> None:
        files = [
            PlannedFile(
                folder=folder.path,
                name=name,
                key=child.key,
                size=child.size,
                md5=child.md5,
                modified_ms=child.modified_ms,
            )
            for child, name in children
            if child.wanted
        ]
        if not files:
            return
        known = await self._notes.run(self._state.known, folder.path, [file.name for file in files])
        for file, found in zip(files, await self._threads.run(self._compare, files, known), strict=True):
            if isinstance(found, NeedsDownload):
                job = DownloadJob(file, found.replace, ExpectedContent.of(file.size, file.md5))
                if self._is_acceptable(job):
                    self._report.queued(file.path, file.key, file.size)
                    await self._jobs.put(job)
            elif isinstance(found, UpToDate):
                if found.new is not None:
                    await self._notes.run(self._state.record, [found.new])
                self._report.skipped(file.path, file.key, "already up to date", file.size)
            else:
                self._report.failed(file.path, file.key, found)

    def _is_acceptable(self, job: DownloadJob) -> bool:
        """Whether a file can be verified, or need not be."""
        if not self._choice.allow_unverified:
            try:
                refuse_unverified(job.expected)
            except UnverifiedFileError as error:
                self._report.failed(job.file.path, job.file.key, error)
                return False
        return True

    def _compare(
        self, files: Sequence[PlannedFile], known: dict[str, KnownFile]
    ) -> list[UpToDate | NeedsDownload | LocalFileError]:
        found: list[UpToDate | NeedsDownload | LocalFileError] = []
        with self._folders.using(files[0].folder) as folder:
            for file in files:
                try:
                    found.append(
                        compare_with_local(file, folder, known.get(file.name), overwrite=self._choice.overwrite)
                    )
                except LocalFileError as error:
                    found.append(error)
        return found


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _storable(number: int | None) -> int | None:
    """A number that fits into the database; a larger one cannot be valid."""
    return number if number is not None and 0 <= number <= _INTEGER_MAX else None
