"""Bulk download: everything below a folder, copied to this machine.

Folders are listed while files are fetched: listers queue files for workers, and workers queue complete ones for one
finisher, which renames many at once. Only the queues are held in memory. However a run ends, a later one continues:
complete files are skipped, and parts are resumed.
"""

import asyncio
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import copyfile
from typing import ClassVar, Final

from msgspec import Struct

from skyshelf.client.download.bulk.destination import BulkRun, OpenDestination, OpenFolders, OpenParts, open_destination
from skyshelf.client.download.bulk.fetcher import BulkFetching, BulkFinishing
from skyshelf.client.download.bulk.lister import BulkListing
from skyshelf.client.download.bulk.plan import Choice, DownloadPlan
from skyshelf.client.download.bulk.replaced import ReplacedFiles, remove_old
from skyshelf.client.download.bulk.state import DownloadState
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pacer import RateLimit
from skyshelf.client.engine.server_clock import both_clocks
from skyshelf.client.errors import AuthenticationError, EndlessListingError, LocalFileError, ServerStateError
from skyshelf.client.local.disk_threads import DiskBatches, DiskThreads, is_not_cancelled
from skyshelf.client.local.files import DiskFullError, LocalFolder
from skyshelf.client.local.names import REPLACED_FOLDER, STATE_FOLDER
from skyshelf.client.objects.listing import PAGE_SIZE
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.transfers import DOWNLOAD_WORKERS, TransferEvent, TransferReport, TransferSummary, first_error

LISTERS: Final = 4
_QUEUED: Final = 10_000
"""Files in the queue: how far the listing runs ahead, so the total is soon known."""
_ARRIVED: Final = 16
"""Batches that wait to be finished; each of their files is open."""


class BulkDownload(Struct, eq=False):
    """One run. `on_event` is called on the event loop's thread.

    `select` is called with the path on the server below the folder; a folder that is not selected is not entered.
    With `keep_replaced`, replaced files are kept for that long; with `stop_at_older`, a server that has probably gone
    back to an older state ends the run.
    """

    _fetching: ClassVar[type[BulkFetching]] = BulkFetching

    engine: Engine
    folder_key: str
    destination: Path
    workers: int = DOWNLOAD_WORKERS
    overwrite: bool = False
    allow_unverified: bool = False
    select: Callable[[str, RemoteObject], bool] | None = None
    rate_limit: RateLimit | None = None
    within: Path | None = None
    keep_replaced: timedelta | None = None
    stop_at_older: bool = False
    on_event: Callable[[TransferEvent], None] | None = None
    page_size: int = PAGE_SIZE

    async def run(self) -> TransferSummary:
        """Run the download; errors of single objects are in the summary, and only fatal ones end it early."""
        workers, report = max(1, self.workers), TransferReport(self.on_event)
        with ExitStack() as opened:
            pool = opened.enter_context(ThreadPoolExecutor(workers + 2, thread_name_prefix="skyshelf-download"))
            # The databases get their own thread, since SQLite connections are bound to one.
            noting = opened.enter_context(ThreadPoolExecutor(1, thread_name_prefix="skyshelf-notes"))
            notes = DiskThreads(noting)
            place = await notes.run(self._open, opened)
            keep = self.keep_replaced
            _, later = self._clocks()
            replaced = None if keep is None else ReplacedFiles(place.folders.root, later)
            try:
                run = BulkRun(
                    engine=self.engine,
                    place=place,
                    replaced=replaced,
                    parts=OpenParts(place.folders),
                    report=report,
                    choice=Choice(
                        overwrite=self.overwrite,
                        select=self.select,
                        allow_unverified=self.allow_unverified,
                        stop_at_older=self.stop_at_older,
                    ),
                    workers=workers,
                    rate_limit=self.rate_limit,
                    page_size=self.page_size,
                    threads=DiskThreads(pool),
                    storing=DiskBatches(pool),
                    notes=notes,
                    jobs=asyncio.Queue(_QUEUED),
                    arrived=asyncio.Queue(_ARRIVED),
                )
                await self._everything(run)
                if keep is not None:
                    earlier, _ = self._clocks()
                    await notes.run(_remove_old, place.folders.root, keep, earlier, report)
            except* (AuthenticationError, DiskFullError, EndlessListingError, ServerStateError) as stopped:
                report.summary.stopped_by = first_error(stopped)
            report.summary.replaced = 0 if replaced is None else replaced.count
        return report.summary

    def _clocks(self) -> tuple[datetime, datetime]:
        """Return the earlier and the later of the clocks here and on the server."""
        return both_clocks(datetime.now(UTC), self.engine.clock.now())

    def _open(self, opened: ExitStack) -> OpenDestination:
        return open_destination(self.destination, self.within, opened)

    async def _everything(self, run: BulkRun) -> None:
        listing, fetching, finishing = BulkListing(run), self._fetching(run), BulkFinishing(run)
        await listing.begin(self.folder_key)
        try:
            async with asyncio.TaskGroup() as group:
                running = [group.create_task(listing.list_folders()) for _ in range(LISTERS)]
                running += [group.create_task(fetching.fetch_files()) for _ in range(run.workers)]
                running.append(group.create_task(finishing.finish_files()))
                await listing.all_listed.wait()
                run.report.all_listed(self.folder_key)
                await fetching.once_more()
                await run.arrived.join()
                for task in running:
                    task.cancel()
        finally:
            run.parts.close()


def _remove_old(root: LocalFolder, keep: timedelta, now: datetime, report: TransferReport) -> None:
    try:
        remove_old(root, keep, now)
    except LocalFileError as error:
        report.failed(REPLACED_FOLDER, None, error, is_folder=True)


class ExistingFolders(OpenFolders):
    """The folders of a destination, none of which is created: an empty folder stands for missing ones."""

    def __init__(self, destination: Path, empty: Path) -> None:
        super().__init__(destination if destination.is_dir() else empty)
        self._empty = empty

    def _enter(self, path: str) -> LocalFolder:
        folder = self.root.enter(".")
        for name in path.split("/") if path else ():
            with closing(folder):
                if folder.stat(name) is None:
                    return LocalFolder.open(self._empty)
                # A file of that name fails here as it would in the download.
                folder = folder.enter(name)
        return folder


class NoFetching(BulkFetching):
    """Workers that take jobs and do nothing."""

    async def fetch_files(self) -> None:
        while is_not_cancelled():
            await self._jobs.get()
            self._jobs.task_done()


class DownloadPreview(BulkDownload):
    """A run that lists, names and compares like the download, and fetches nothing."""

    _fetching: ClassVar[type[BulkFetching]] = NoFetching

    def _open(self, opened: ExitStack) -> OpenDestination:
        own = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="skyshelf-preview-")))
        empty = own / "empty"
        empty.mkdir()
        folders = ExistingFolders(self.destination, empty)
        opened.callback(folders.close)
        known = self.destination / STATE_FOLDER / "state.db"
        if known.is_file():
            copyfile(known, own / "state.db")
        state = DownloadState(own / "state.db")
        opened.callback(state.close)
        plan = DownloadPlan(own / "plan.db")
        opened.callback(plan.close)
        return OpenDestination(folders=folders, state=state, plan=plan)
