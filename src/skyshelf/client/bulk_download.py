"""Everything below a folder, copied to this machine.

Folders are listed while files are fetched: listers hand files to workers through a short queue, workers hand what has
arrived to one finisher, which puts many files in place at once. Nothing but the queue is held in memory. Whatever
ends a run, a later one goes on: files in place are skipped, parts are taken up where they broke.
"""

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Final

from msgspec import Struct

from skyshelf.client.already_there import Missing, There, look_for
from skyshelf.client.content_answers import Expected
from skyshelf.client.disk_threads import DiskBatches, DiskThreads
from skyshelf.client.download_events import WORKERS, BulkSummary, DownloadEvent, EventKind, failure_of
from skyshelf.client.download_plan import Child, DownloadPlan, PlannedFile, PlannedFolder
from skyshelf.client.download_state import BESIDE, DownloadState, KnownFile
from skyshelf.client.downloads import SMALL_BYTES, ContentFetcher
from skyshelf.client.engine import Engine
from skyshelf.client.errors import (
    AuthenticationError,
    BrokenListingError,
    IntegrityError,
    LocalFileError,
    SkyshelfError,
)
from skyshelf.client.finishing import Arrived, put_all_in_place
from skyshelf.client.listings import KINDS, PAGE_SIZE, folder_pages
from skyshelf.client.local_files import DiskFullError, lock_file
from skyshelf.client.local_names import STATE_FOLDER, part_name
from skyshelf.client.objects import RemoteObject
from skyshelf.client.open_folders import OpenFolders
from skyshelf.client.part_file import PartFile
from skyshelf.client.rate_limit import RateLimit

LISTERS: Final = 4
_QUEUED: Final = 10_000
"""Files that wait at most: how far the listing runs ahead, so that soon it is known how much there is to do."""
_TOGETHER: Final = 128
"""Files that are looked for, and that are put in place, at once."""
_TRIED_AGAIN_MAX: Final = 10_000
_INTEGER_MAX: Final = 2**63 - 1


class Job(Struct, frozen=True):
    """A file to be fetched."""

    file: PlannedFile
    replace: bool


class BulkDownload:
    """One run. `on_event` hears what happens, on the thread of the event loop.

    `wanted` chooses files. `chosen` chooses by the path on the server, which begins below the folder; it is asked about
    folders too, and one that it does not choose is not looked into.
    """

    def __init__(
        self,
        engine: Engine,
        folder_key: str,
        destination: Path,
        *,
        workers: int = WORKERS,
        overwrite: bool = False,
        wanted: Callable[[RemoteObject], bool] | None = None,
        chosen: Callable[[str, RemoteObject], bool] | None = None,
        rate_limit: RateLimit | None = None,
        within: Path | None = None,
        on_event: Callable[[DownloadEvent], None] | None = None,
        page_size: int = PAGE_SIZE,
    ) -> None:
        self._engine = engine
        self._folder_key = folder_key
        self._destination = destination
        self._workers = max(1, workers)
        self._overwrite = overwrite
        self._wanted = wanted
        self._chosen = chosen
        self._rate_limit = rate_limit
        self._within = within
        self._tell = on_event
        self._page_size = page_size
        self._summary = BulkSummary()
        self._jobs: asyncio.Queue[Job] = asyncio.Queue(_QUEUED)
        self._arrived: asyncio.Queue[Arrived] = asyncio.Queue(_TOGETHER)
        self._again: list[Job] | None = []
        self._parts: set[PartFile] = set()
        self._to_list = asyncio.Semaphore(0)
        self._unlisted = 0
        self._all_listed = asyncio.Event()

    async def run(self) -> BulkSummary:
        """Do it; errors of single objects are in the summary, and only what nobody can go on after ends it early."""
        with ExitStack() as opened:
            pool = opened.enter_context(ThreadPoolExecutor(self._workers + 2, thread_name_prefix="skyshelf-download"))
            notes = opened.enter_context(ThreadPoolExecutor(1, thread_name_prefix="skyshelf-notes"))
            self._threads, self._notes = DiskThreads(pool), DiskThreads(notes)
            self._storing = DiskBatches(pool)
            self._fetcher = ContentFetcher(self._engine, self._threads, self._rate_limit)
            await self._notes.run(self._open, opened)
            try:
                await self._everything()
            except* (AuthenticationError, DiskFullError) as stopped:
                self._summary.stopped_by = str(_first(stopped))
            finally:
                self._leave_parts()
        return self._summary

    def _open(self, opened: ExitStack) -> None:
        self._folders = OpenFolders(self._destination, self._within)
        opened.callback(self._folders.close)
        own = self._folders.root.enter(STATE_FOLDER)
        opened.callback(own.close)
        lock = own.open_file("lock", create=True)
        opened.callback(os.close, lock)
        if not lock_file(lock):
            raise LocalFileError(f"another download into {self._destination} is running")
        for name in ("state.db", "plan.db"):
            # Opened and closed by us first: a link of that name would make the database write elsewhere.
            os.close(own.open_file(name, create=True))
            for beside in (name + suffix for suffix in BESIDE):
                if own.look(beside) is not None:
                    os.close(own.open_file(beside, create=True))
        self._state = DownloadState(own.path / "state.db")
        opened.callback(self._state.close)
        self._plan = DownloadPlan(own.path / "plan.db")
        opened.callback(self._plan.close)
        # A database is opened by its path, which somebody may have led elsewhere in that moment.
        if not (own.is_at_its_path("state.db") and own.is_at_its_path("plan.db")):
            raise LocalFileError(f"{self._destination} was moved while it was opened: try again")

    async def _everything(self) -> None:
        await self._add_folders([(self._folder_key, "", "")])
        async with asyncio.TaskGroup() as group:
            running = [group.create_task(self._list_folders()) for _ in range(LISTERS)]
            running += [group.create_task(self._fetch_files()) for _ in range(self._workers)]
            running.append(group.create_task(self._finish_files()))
            await self._all_listed.wait()
            self._event("all_listed", "", self._folder_key)
            await self._jobs.join()
            again, self._again = self._again or [], None
            for job in again:
                await self._jobs.put(job)
            await self._jobs.join()
            await self._arrived.join()
            for task in running:
                task.cancel()

    # Listing

    async def _add_folders(self, folders: Sequence[tuple[str, str, str]]) -> None:
        """Folders by key, local path, and path on the server."""
        added = await self._notes.run(lambda: [self._plan.add_folder(*folder) for folder in folders])
        for (key, path, _), is_new in zip(folders, added, strict=True):
            if is_new:
                self._unlisted += 1
                self._to_list.release()
            else:
                self._event("skipped", path, key, reason="the same folder is somewhere else already")

    async def _list_folders(self) -> None:
        while _may_go_on():
            await self._to_list.acquire()
            folder = await self._notes.run(self._plan.next_folder)
            assert folder is not None
            try:
                await self._collect(folder)
                await self._hand_out(folder)
            except (AuthenticationError, DiskFullError):
                raise
            except SkyshelfError as error:
                self._failed(folder.path, folder.key, error, is_folder=True)
            await self._notes.run(self._plan.forget_children, folder)
            self._unlisted -= 1
            if not self._unlisted:
                self._all_listed.set()

    async def _collect(self, folder: PlannedFolder) -> None:
        """All children of a folder; one that does not come out whole is listed anew, a few times."""
        for attempt in range(self._engine.policy.retries + 1):
            try:
                for kind in KINDS:
                    async for found in folder_pages(
                        self._engine, folder.key, kind, limit=self._page_size, careful=True
                    ):
                        children = [self._child(folder, one) for one in found]
                        await self._notes.run(self._plan.add_children, folder, children)
            except BrokenListingError:
                if attempt == self._engine.policy.retries:
                    raise
                await self._notes.run(self._plan.forget_children, folder)
            else:
                return

    def _child(self, folder: PlannedFolder, found: RemoteObject) -> Child:
        wanted = found.is_folder or self._wanted is None or self._wanted(found)
        if wanted and self._chosen is not None:
            wanted = self._chosen(_joined(folder.origin, found.name), found)
        return Child(
            key=found.key,
            name=found.name,
            is_folder=found.is_folder,
            wanted=wanted,
            size=_storable(found.size),
            md5=found.md5,
            modified_ms=_storable(found.modified_ms),
        )

    async def _hand_out(self, folder: PlannedFolder) -> None:
        """Give every child its name, and its job to somebody."""
        # Empty folders belong to the whole; of a choice, a folder is made with the first file in it.
        everything = self._wanted is None and self._chosen is None
        if everything:
            await self._threads.run(self._folders.take, folder.path)
        try:
            named = self._plan.named(folder)
            while batch := await self._notes.run(lambda: list(islice(named, _TOGETHER))):
                await self._hand_out_files(folder, [pair for pair in batch if not pair[0].is_folder])
                await self._add_folders(
                    [
                        (child.key, _joined(folder.path, name), _joined(folder.origin, child.name))
                        for child, name in batch
                        if child.is_folder and child.wanted
                    ]
                )
        finally:
            if everything:
                self._folders.give_back(folder.path)
        self._summary.folders += 1
        self._event("listed", folder.path, folder.key)

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
        for file, found in zip(files, await self._threads.run(self._look_for, files, known), strict=True):
            if isinstance(found, Missing):
                await self._queue(Job(file, found.replace))
            elif isinstance(found, There):
                if found.new is not None:
                    await self._notes.run(self._state.record, [found.new])
                self._summary.skipped += 1
                self._event("skipped", file.path, file.key, size=file.size, reason="there already")
            else:
                self._failed(file.path, file.key, found)

    async def _queue(self, job: Job) -> None:
        self._summary.queued += 1
        self._summary.bytes_queued += job.file.size or 0
        self._event("queued", job.file.path, job.file.key, size=job.file.size)
        await self._jobs.put(job)

    def _look_for(
        self, files: Sequence[PlannedFile], known: dict[str, KnownFile]
    ) -> list[There | Missing | LocalFileError]:
        found: list[There | Missing | LocalFileError] = []
        with self._folders.using(files[0].folder) as folder:
            for file in files:
                try:
                    found.append(look_for(file, folder, known.get(file.name), overwrite=self._overwrite))
                except LocalFileError as wrong:
                    found.append(wrong)
        return found

    # Fetching

    async def _fetch_files(self) -> None:
        while _may_go_on():
            job = await self._jobs.get()
            try:
                await self._fetch(job)
            except (AuthenticationError, DiskFullError):
                raise
            except SkyshelfError as error:
                again = error.retryable or isinstance(error, IntegrityError)
                if again and self._again is not None and len(self._again) < _TRIED_AGAIN_MAX:
                    self._again.append(job)
                else:
                    self._failed(job.file.path, job.file.key, error)
            finally:
                self._jobs.task_done()

    async def _fetch(self, job: Job) -> None:
        file = job.file
        self._event("started", file.path, file.key, size=file.size)
        expected = Expected.of(file.size, file.md5)
        if expected.size is not None and expected.size <= SMALL_BYTES:
            part = await self._fetcher.fetch_small(file.key, expected, lambda: self._open_part(file), self._storing)
            await self._handed_over(job, part)
            return
        part = await self._threads.run(self._open_part, file)
        try:
            await self._fetcher.fetch(file.key, expected, part, on_bytes=self._counter(file))
        except BaseException as error:
            if isinstance(error, IntegrityError):
                part.discard()
            self._release(file, part)
            raise
        await self._handed_over(job, part)

    async def _handed_over(self, job: Job, part: PartFile) -> None:
        """To the finisher, which has the part from now on."""
        try:
            await self._arrived.put(Arrived(file=job.file, part=part, replace=job.replace))
        except BaseException:
            self._release(job.file, part)
            raise

    def _open_part(self, file: PlannedFile) -> PartFile:
        folder = self._folders.take(file.folder)
        try:
            part = PartFile(folder, part_name(file.name, file.key))
        except BaseException:
            self._folders.give_back(file.folder)
            raise
        self._parts.add(part)
        return part

    def _release(self, file: PlannedFile, part: PartFile) -> None:
        part.close()
        self._parts.discard(part)
        self._folders.give_back(file.folder)

    # Finishing

    async def _finish_files(self) -> None:
        while _may_go_on():
            batch = [await self._arrived.get()]
            while len(batch) < _TOGETHER and not self._arrived.empty():
                batch.append(self._arrived.get_nowait())
            try:
                outcomes = await self._notes.run(put_all_in_place, batch, self._folders.root, self._state)
            finally:
                for one in batch:
                    self._release(one.file, one.part)
                    self._arrived.task_done()
            for one, wrong in outcomes:
                self._finished(one, wrong)

    def _finished(self, one: Arrived, wrong: LocalFileError | None) -> None:
        if isinstance(wrong, DiskFullError):
            raise wrong
        if wrong is not None:
            self._failed(one.file.path, one.file.key, wrong)
            return
        self._summary.done += 1
        self._summary.bytes_received += one.part.length
        self._event("done", one.file.path, one.file.key, size=one.part.length, received=one.part.length)

    def _leave_parts(self) -> None:
        """Give up what a run that was ended has open; parts stay where they are, for the next one."""
        while self._parts:
            self._parts.pop().close()

    # Telling

    def _failed(self, path: str, key: str, error: SkyshelfError, *, is_folder: bool = False) -> None:
        self._summary.failures.append(failure_of(path, key, error, is_folder=is_folder))
        self._event("failed", path, key, reason=str(error))

    def _counter(self, file: PlannedFile) -> Callable[[int], None] | None:
        if self._tell is None:
            return None
        return lambda received: self._event("progress", file.path, file.key, size=file.size, received=received)

    def _event(
        self,
        kind: EventKind,
        path: str,
        key: str,
        *,
        size: int | None = None,
        received: int = 0,
        reason: str | None = None,
    ) -> None:
        if self._tell is not None:
            self._tell(DownloadEvent(kind=kind, path=path, object_key=key, size=size, received=received, reason=reason))


def _may_go_on() -> bool:
    """Whether nobody has asked this task to end: what catches errors on the way could have caught that wish, too."""
    task = asyncio.current_task()
    return task is None or not task.cancelling()


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _storable(number: int | None) -> int | None:
    """A number that a database can hold; what a server sends beyond that says nothing."""
    return number if number is not None and 0 <= number <= _INTEGER_MAX else None


def _first(group: BaseExceptionGroup[SkyshelfError]) -> BaseException:
    one = group.exceptions[0]
    return _first(one) if isinstance(one, BaseExceptionGroup) else one
