"""The second stage of a bulk download: missing files are fetched and verified, small ones in batches."""

import asyncio
from collections.abc import Sequence
from functools import partial

from skyshelf.client.download.bulk.destination import OpenParts
from skyshelf.client.download.bulk.finisher import Arrived
from skyshelf.client.download.bulk.plan import DownloadJob, SecondChances
from skyshelf.client.download.file import SMALL_BYTES, ContentFetcher, stored
from skyshelf.client.download.part_file import PartFile
from skyshelf.client.download.small_files import BATCH_BYTES, Arriving, Piece, RequestedFile, SmallFileBatch
from skyshelf.client.engine.retries import RetryPolicy
from skyshelf.client.errors import AuthenticationError, IntegrityError, LocalFileError, SkyshelfError
from skyshelf.client.local.disk_threads import DiskBatches, DiskThreads, is_not_cancelled
from skyshelf.client.local.files import DiskFullError
from skyshelf.client.transfers import TransferReport


class BulkFetching:
    """Any number of workers, which take jobs from `jobs` and put complete files into `arrived`."""

    def __init__(
        self,
        fetcher: ContentFetcher,
        batches: SmallFileBatch,
        parts: OpenParts,
        report: TransferReport,
        *,
        jobs: "asyncio.Queue[DownloadJob]",
        arrived: "asyncio.Queue[list[Arrived]]",
        threads: DiskThreads,
        storing: DiskBatches,
        workers: int,
        policy: RetryPolicy,
    ) -> None:
        self._fetcher = fetcher
        self._batches = batches
        self._parts = parts
        self._report = report
        self._jobs = jobs
        self._arrived = arrived
        self._threads = threads
        self._storing = storing
        self._workers = workers
        self._second_chances = SecondChances[DownloadJob](policy.extended(IntegrityError))

    async def fetch_files(self) -> None:
        """One worker: job by job, until it is cancelled."""
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
        """Everything has been tried: files that failed for a temporary reason are fetched once more, one by one."""
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
        part = await self._threads.run(self._parts.open, file)
        report = partial(self._report.progress, file.path, file.key, file.size)
        on_bytes = report if self._report.has_listener else None
        try:
            await self._fetcher.fetch(file.key, expected, part, on_bytes=on_bytes)
        except BaseException as error:
            part.give_up(error)
            self._parts.release(file, part)
            raise
        await self._hand_over([_arrived(job, part)])

    async def _hand_over(self, arrived: list[Arrived]) -> None:
        """Pass parts to the finisher, which owns them from now on."""
        if not arrived:
            return
        try:
            await self._arrived.put(arrived)
        except BaseException:
            for one in arrived:
                self._parts.release(one.file, one.part)
            raise


def _arrived(job: DownloadJob, part: PartFile) -> Arrived:
    return Arrived(file=job.file, part=part, replace=job.replace, is_verified=job.expected.can_be_verified)


def _is_small(job: DownloadJob) -> bool:
    """Whether it may be part of a batch."""
    return (job.expected.size or 0) <= SMALL_BYTES and RequestedFile(job.file.key, job.expected).fits_batch
