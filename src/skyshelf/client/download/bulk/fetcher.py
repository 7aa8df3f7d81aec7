"""The second stage of a bulk download: missing files are fetched and verified, and get their final names.

Small ones are fetched in batches, and many that are complete are renamed at once.
"""

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from typing import Final

from msgspec.structs import replace

from skyshelf.client.download.bulk.destination import BulkRun, CompleteFile
from skyshelf.client.download.bulk.plan import DownloadJob, SecondChances
from skyshelf.client.download.bulk.replaced import ReplacedFiles
from skyshelf.client.download.bulk.state import DownloadState, KnownFile
from skyshelf.client.download.file import SMALL_BYTES, ContentFetcher, stored
from skyshelf.client.download.part_file import PartFile
from skyshelf.client.download.small_files import BATCH_BYTES, Arriving, Piece, RequestedFile, SmallFileBatch
from skyshelf.client.errors import AuthenticationError, IntegrityError, LocalFileError, SkyshelfError
from skyshelf.client.local.disk_threads import is_not_cancelled
from skyshelf.client.local.files import DiskFullError, LocalFolder, sync_file, translate_os_errors


class BulkFetching:
    """Any number of workers, which take jobs from `jobs` and put complete files into `arrived`."""

    def __init__(self, run: BulkRun) -> None:
        self._run, self._jobs, self._parts = run, run.jobs, run.parts
        self._report, self._storing, self._workers = run.report, run.storing, run.workers
        self._fetcher = ContentFetcher(run.engine, run.threads, run.rate_limit)
        self._batches = SmallFileBatch(run.engine, self._fetcher.pieces)
        self._second_chances = SecondChances[DownloadJob](replace(run.engine.policy, errors=(IntegrityError,)))

    async def fetch_files(self) -> None:
        """Run one worker: it fetches job by job, until it is cancelled."""
        while is_not_cancelled():
            jobs = [await self._jobs.get()]
            self._fill_batch(jobs)
            try:
                for job in jobs:
                    self._report.started(job.file.path, job.file.key, job.file.size)
                for job in await self._fetch_batch(jobs):
                    await self._fetch_or_fail(job)
            finally:
                for _ in jobs:
                    self._jobs.task_done()

    async def once_more(self) -> None:
        """Fetch files that failed for a temporary reason once more, when everything has been tried."""
        await self._jobs.join()
        for job in self._second_chances.take():
            await self._jobs.put(job)
        await self._jobs.join()

    def _fill_batch(self, jobs: list[DownloadJob]) -> None:
        """Add more jobs to a batch: a fair share of the waiting ones, if they are small."""
        share = 1 if self._second_chances.is_over else min(self._batches.size, 1 + self._jobs.qsize() // self._workers)
        space = BATCH_BYTES
        while _is_small(jobs[-1]) and len(jobs) < share and not self._jobs.empty():
            space -= jobs[-1].file.size or 0
            if space <= 0:
                return
            jobs.append(self._jobs.get_nowait())

    async def _fetch_batch(self, jobs: Sequence[DownloadJob]) -> list[DownloadJob]:
        """Fetch small files in a batch; returns the jobs that are left."""
        small = [job for job in jobs if _is_small(job)]
        if len(small) < 2:
            return list(jobs)
        left = {id(job): job for job in jobs}

        async def store(arriving: Arriving) -> int:
            before, arrived = len(left), []
            disk_full: DiskFullError | None = None
            contents = [(small[place], content) for place, content in arriving]
            for job, outcome in await self._storing.run(self._stored_all, contents):
                if isinstance(outcome, DiskFullError):
                    disk_full = outcome
                elif isinstance(outcome, LocalFileError):
                    del left[id(job)]
                    self._report.failed(job.file.path, job.file.key, outcome)
                elif not isinstance(outcome, IntegrityError):
                    del left[id(job)]
                    arrived.append(_arrived(job, outcome))
            await self._hand_over(arrived)
            if disk_full is not None:
                raise disk_full
            return before - len(left)

        await self._batches.fetch([RequestedFile(job.file.key, job.expected) for job in small], store)
        return list(left.values())

    def _stored_all(
        self, contents: Sequence[tuple[DownloadJob, Piece]]
    ) -> list[tuple[DownloadJob, PartFile | LocalFileError | IntegrityError]]:
        outcomes: list[tuple[DownloadJob, PartFile | LocalFileError | IntegrityError]] = []
        for job, content in contents:
            try:
                outcomes.append((job, stored(content, job.expected, partial(self._parts.open, job.file))))
            except (LocalFileError, IntegrityError) as error:
                outcomes.append((job, error))
        return outcomes

    async def _fetch_or_fail(self, job: DownloadJob) -> None:
        try:
            await self._fetch(job)
        except (AuthenticationError, DiskFullError):
            raise
        except SkyshelfError as error:
            if not self._second_chances.grant(job, error):
                self._report.failed(job.file.path, job.file.key, error)

    async def _fetch(self, job: DownloadJob) -> None:
        file, expected = job.file, job.expected
        if expected.size is not None and expected.size <= SMALL_BYTES:
            part = await self._fetcher.fetch_small(file.key, expected, lambda: self._parts.open(file), self._storing)
            await self._hand_over([_arrived(job, part)])
            return
        part = await self._run.threads.run(self._parts.open, file)
        report = partial(self._report.progress, file.path, file.key, file.size)
        on_bytes = report if self._report.has_listener else None
        try:
            await self._fetcher.fetch(file.key, expected, part, on_bytes=on_bytes)
        except BaseException as error:
            part.give_up(error)
            self._parts.release(file, part)
            raise
        await self._hand_over([_arrived(job, part)])

    async def _hand_over(self, arrived: list[CompleteFile]) -> None:
        """Pass parts to the finisher, which owns them from now on."""
        if not arrived:
            return
        try:
            await self._run.arrived.put(arrived)
        except BaseException:
            for one in arrived:
                self._parts.release(one.file, one.part)
            raise


def _arrived(job: DownloadJob, part: PartFile) -> CompleteFile:
    return CompleteFile(file=job.file, part=part, replace=job.replace, is_verified=job.expected.can_be_verified)


def _is_small(job: DownloadJob) -> bool:
    """Whether it may be part of a batch."""
    return (job.expected.size or 0) <= SMALL_BYTES and RequestedFile(job.file.key, job.expected).fits_batch


_SYNCFS_FILES_MIN: Final = 4
"""Number of files from which on syncing the whole file system is cheaper than syncing each file."""


def put_all_in_place(
    arrived: Sequence[CompleteFile], root: LocalFolder, state: DownloadState, replaced: ReplacedFiles | None = None
) -> list[tuple[CompleteFile, LocalFileError | None]]:
    """Rename files to their final names and record them; the outcome of each. What they replace is kept first."""
    try:
        times = {id(item): item.part.set_time(item.file.modified_ms) for item in arrived}
        _sync(arrived, root)
    except LocalFileError as error:
        return [(item, error) for item in arrived]
    replacing = [(item.file, item.part.folder) for item in arrived if item.replace]
    not_kept = replaced.keep(replacing) if replaced is not None else {}
    outcomes = [(item, not_kept.get(item.file.path) or _failure(partial(_rename, item))) for item in arrived]
    folders = {item.file.folder: item.part.folder for item, failure in outcomes if failure is None}
    unsynced = {path: failure for path, folder in folders.items() if (failure := _failure(folder.sync)) is not None}
    outcomes = [(item, failure or unsynced.get(item.file.folder)) for item, failure in outcomes]
    # The state only saves work: a file that is not recorded is compared next time.
    with suppress(LocalFileError):
        state.record(
            KnownFile.of(item.file, item.part.length, times[id(item)], item.part.md5)
            for item, failure in outcomes
            if failure is None
        )
    return outcomes


def _rename(item: CompleteFile) -> None:
    item.part.folder.rename_part(item.part.name, item.file.name, replace=item.replace)


def _failure(step: Callable[[], None]) -> LocalFileError | None:
    try:
        step()
    except LocalFileError as error:
        return error
    return None


def _sync(arrived: Sequence[CompleteFile], root: LocalFolder) -> None:
    whole = _file_system_sync()
    if whole is not None and root.descriptor is not None and len(arrived) >= _SYNCFS_FILES_MIN:
        with translate_os_errors("cannot write to the disk"):
            whole(root.descriptor)
        return
    for item in arrived:
        sync_file(item.part.file)


@cache
def _file_system_sync() -> Callable[[int], None] | None:
    """Return syncfs, which Linux has and Python does not wrap."""
    if not sys.platform.startswith("linux"):
        return None
    import ctypes
    import os

    library = ctypes.CDLL(None, use_errno=True)
    if not hasattr(library, "syncfs"):
        return None

    def sync(descriptor: int) -> None:
        if library.syncfs(descriptor) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))

    return sync


BATCH_FILES_MAX: Final = 128
"""Number of files at which a batch to finish is full."""


class BulkFinishing:
    """One finisher, which takes files from `arrived`, as many at a time as arrived together."""

    def __init__(self, run: BulkRun) -> None:
        self._run, self._arrived = run, run.arrived

    async def finish_files(self) -> None:
        """Finish all waiting files at once, repeatedly, until it is cancelled."""
        run = self._run
        while is_not_cancelled():
            batch, taken = [*await self._arrived.get()], 1
            while len(batch) < BATCH_FILES_MAX and not self._arrived.empty():
                batch += self._arrived.get_nowait()
                taken += 1
            try:
                root, state = run.place.folders.root, run.place.state
                outcomes = await run.notes.run(put_all_in_place, batch, root, state, run.replaced)
            finally:
                for item in batch:
                    run.parts.release(item.file, item.part)
                for _ in range(taken):
                    self._arrived.task_done()
            for item, failure in outcomes:
                self._report_outcome(item, failure)

    def _report_outcome(self, item: CompleteFile, failure: LocalFileError | None) -> None:
        report = self._run.report
        if isinstance(failure, DiskFullError):
            raise failure
        if failure is not None:
            report.failed(item.file.path, item.file.key, failure)
        else:
            if not item.is_verified:
                report.summary.unverified += 1
            report.done(item.file.path, item.file.key, item.part.length)
