"""Downloading everything that was below a folder at a moment.

One folder at a time is listed while files are fetched. Only the files of that folder and a bounded queue are held in
memory. However a run ends, a later one continues: files with the right content are skipped, and parts are resumed.
"""

import asyncio
import hashlib
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from skyshelf.client.download.file import download_object
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.listing_bounds import ListingCount
from skyshelf.client.engine.rate_limit import RateLimit
from skyshelf.client.errors import (
    AuthenticationError,
    BrokenListingError,
    DestinationExistsError,
    EndlessListingError,
    SkyshelfError,
)
from skyshelf.client.local.disk_threads import DiskThreads
from skyshelf.client.local.files import DiskFullError, LocalFolder, translate_os_errors
from skyshelf.client.local.names import comparable, local_names, safe_name
from skyshelf.client.objects.past import PastTree
from skyshelf.client.objects.remote_object import SEPARATOR, RemoteObject
from skyshelf.client.transfers import DOWNLOAD_WORKERS, TransferEvent, TransferReport, TransferSummary, first_error
from skyshelf.wire.limits import CLIENT_DEPTH_MAX

_QUEUED: Final = 1000
"""Files that wait: how far the listing runs ahead."""


_FATAL: Final = (AuthenticationError, DiskFullError, EndlessListingError)
"""Errors that every other file would meet, too."""


class _File(NamedTuple):
    path: str
    target: Path
    object: RemoteObject


class PastTreeDownload:
    """One run. `on_event` is called on the event loop's thread."""

    def __init__(
        self,
        engine: Engine,
        tree: PastTree,
        destination: Path,
        *,
        workers: int = DOWNLOAD_WORKERS,
        overwrite: bool = False,
        rate_limit: RateLimit | None = None,
        within: Path | None = None,
        on_event: Callable[[TransferEvent], None] | None = None,
    ) -> None:
        self._engine = engine
        self._tree = tree
        self._destination = destination
        self._workers = max(1, workers)
        self._overwrite = overwrite
        self._rate_limit = rate_limit
        self._within = within
        self._report = TransferReport(on_event)
        self._threads = DiskThreads()
        self._files: asyncio.Queue[_File] = asyncio.Queue(_QUEUED)

    async def run(self, folder_key: str) -> TransferSummary:
        """Run the download; errors of single objects are in the summary, and only fatal ones end it early."""
        try:
            async with asyncio.TaskGroup() as group:
                workers = [group.create_task(self._fetch_files()) for _ in range(self._workers)]
                await self._list(folder_key)
                self._report.all_listed(folder_key)
                await self._files.join()
                for worker in workers:
                    worker.cancel()
        except BaseExceptionGroup as errors:
            error = first_error(errors)
            if not isinstance(error, _FATAL):
                raise error from None
            self._report.summary.stopped_by = error
        return self._report.summary

    async def _list(self, folder_key: str) -> None:
        waiting: deque[tuple[str, str, Path]] = deque([(folder_key, "", self._destination)])
        entered, folders = {folder_key}, ListingCount(self._engine.bounds.kept, "folders")
        while waiting:
            key, path, local = waiting.popleft()
            try:
                await self._threads.run(self._make_folder, local)
                children = {one.key: one async for one in self._tree.children(key)}
            except SkyshelfError as error:
                if not path or isinstance(error, _FATAL):
                    raise
                self._report.failed(path, key, error, is_folder=True)
                continue
            self._report.listed(path, key)
            in_order = sorted((comparable(safe_name(one.name)), one.key, one.name) for one in children.values())
            for child_key, name in local_names((child_key, name) for _, child_key, name in in_order):
                child, below = children[child_key], f"{path}{SEPARATOR}{name}" if path else name
                if not child.is_folder:
                    self._report.queued(below, child_key, child.size)
                    await self._files.put(_File(below, local / name, child))
                elif child_key not in entered:
                    if below.count(SEPARATOR) > CLIENT_DEPTH_MAX:
                        raise BrokenListingError(f"the folders are nested more than {CLIENT_DEPTH_MAX:,} deep")
                    folders.add(1)
                    entered.add(child_key)
                    waiting.append((child_key, below, local / name))

    def _make_folder(self, folder: Path) -> None:
        LocalFolder.open(folder, self._within or self._destination).close()

    async def _fetch_files(self) -> None:
        while True:
            file = await self._files.get()
            try:
                await self._fetch(file)
            except _FATAL:
                raise
            except SkyshelfError as error:
                self._report.failed(file.path, file.object.key, error)
            finally:
                self._files.task_done()

    async def _fetch(self, file: _File) -> None:
        found = file.object
        if found.md5 is not None and await self._threads.run(_has_content, file.target, found.size, found.md5):
            self._report.skipped(file.path, found.key, "it has that content", found.size)
            return
        if file.target.is_dir():
            raise DestinationExistsError(f"{file.target} already exists, and is a folder")
        self._report.started(file.path, found.key, found.size)
        done = await download_object(
            self._engine,
            found.wire,
            file.target,
            at=self._tree.at,
            overwrite=self._overwrite,
            rate_limit=self._rate_limit,
            within=self._within or self._destination,
            progress=lambda received, _: self._report.progress(file.path, found.key, found.size, received),
        )
        self._report.done(file.path, found.key, done.size)


def _has_content(path: Path, size: int | None, md5: str) -> bool:
    with translate_os_errors("cannot read", path):
        if path.is_symlink() or not path.is_file() or path.stat().st_size != size:
            return False
        with path.open("rb") as opened:
            return hashlib.file_digest(opened, lambda: hashlib.md5(usedforsecurity=False)).hexdigest() == md5
