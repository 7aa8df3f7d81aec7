"""Bulk download: everything below a folder, copied to this machine.

Folders are listed while files are fetched: listers queue files for workers, and workers queue complete ones for one
finisher, which renames many at once. Only the queues are held in memory. However a run ends, a later one continues:
complete files are skipped, and parts are resumed.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from skyshelf.client.download.bulk.destination import OpenDestination, OpenParts, open_destination
from skyshelf.client.download.bulk.fetcher import BulkFetching
from skyshelf.client.download.bulk.finisher import Arrived, BulkFinishing
from skyshelf.client.download.bulk.lister import BulkListing, Choice
from skyshelf.client.download.bulk.plan import DownloadJob
from skyshelf.client.download.file import ContentFetcher
from skyshelf.client.download.small_files import SmallFileBatch
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.rate_limit import RateLimit
from skyshelf.client.errors import AuthenticationError, EndlessListingError
from skyshelf.client.local.disk_threads import DiskBatches, DiskThreads
from skyshelf.client.local.files import DiskFullError
from skyshelf.client.objects.listing import PAGE_SIZE
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.transfers import DOWNLOAD_WORKERS, TransferEvent, TransferReport, TransferSummary, first_error

LISTERS: Final = 4
_QUEUED: Final = 10_000
"""Files in the queue: how far the listing runs ahead, so the total is soon known."""
_ARRIVED: Final = 16
"""Batches that wait to be finished; each of their files is open."""


class BulkDownload:
    """One run. `on_event` is called on the event loop's thread.

    `select` is called with the path on the server below the folder; a folder that is not selected is not entered.
    """

    _fetching: type[BulkFetching] = BulkFetching

    def __init__(
        self,
        engine: Engine,
        folder_key: str,
        destination: Path,
        *,
        workers: int = DOWNLOAD_WORKERS,
        overwrite: bool = False,
        allow_unverified: bool = False,
        select: Callable[[str, RemoteObject], bool] | None = None,
        rate_limit: RateLimit | None = None,
        within: Path | None = None,
        on_event: Callable[[TransferEvent], None] | None = None,
        page_size: int = PAGE_SIZE,
    ) -> None:
        self._engine = engine
        self._folder_key = folder_key
        self._destination = destination
        self._workers = max(1, workers)
        self._choice = Choice(overwrite=overwrite, select=select, allow_unverified=allow_unverified)
        self._rate_limit = rate_limit
        self._within = within
        self._report = TransferReport(on_event)
        self._page_size = page_size

    async def run(self) -> TransferSummary:
        """Run the download; errors of single objects are in the summary, and only fatal ones end it early."""
        with ExitStack() as opened:
            pool = opened.enter_context(ThreadPoolExecutor(self._workers + 2, thread_name_prefix="skyshelf-download"))
            # One thread for the databases, which are bound to a thread.
            noting = opened.enter_context(ThreadPoolExecutor(1, thread_name_prefix="skyshelf-notes"))
            notes = DiskThreads(noting)
            place = await notes.run(self._open, opened)
            try:
                await self._everything(place, pool, notes)
            except* (AuthenticationError, DiskFullError, EndlessListingError) as stopped:
                self._report.summary.stopped_by = first_error(stopped)
        return self._report.summary

    def _open(self, opened: ExitStack) -> OpenDestination:
        return open_destination(self._destination, self._within, opened)

    async def _everything(self, place: OpenDestination, pool: ThreadPoolExecutor, notes: DiskThreads) -> None:
        threads, parts = DiskThreads(pool), OpenParts(place.folders)
        jobs: asyncio.Queue[DownloadJob] = asyncio.Queue(_QUEUED)
        arrived: asyncio.Queue[list[Arrived]] = asyncio.Queue(_ARRIVED)
        listing = BulkListing(
            self._engine,
            place,
            self._report,
            jobs,
            threads=threads,
            notes=notes,
            choice=self._choice,
            page_size=self._page_size,
        )
        fetcher = ContentFetcher(self._engine, threads, self._rate_limit)
        fetching = self._fetching(
            fetcher,
            SmallFileBatch(self._engine, fetcher.pieces),
            parts,
            self._report,
            jobs=jobs,
            arrived=arrived,
            threads=threads,
            storing=DiskBatches(pool),
            workers=self._workers,
            policy=self._engine.policy,
        )
        finishing = BulkFinishing(place, parts, self._report, arrived, notes)
        await listing.begin(self._folder_key)
        try:
            async with asyncio.TaskGroup() as group:
                running = [group.create_task(listing.list_folders()) for _ in range(LISTERS)]
                running += [group.create_task(fetching.fetch_files()) for _ in range(self._workers)]
                running.append(group.create_task(finishing.finish_files()))
                await listing.all_listed.wait()
                self._report.all_listed(self._folder_key)
                await fetching.once_more()
                await arrived.join()
                for task in running:
                    task.cancel()
        finally:
            parts.close()
