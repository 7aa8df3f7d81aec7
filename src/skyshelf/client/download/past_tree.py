"""Downloading everything that was below a folder at a moment.

One folder at a time is listed while files are fetched. Only the files of that folder and a bounded queue are held in
memory. However a run ends, a later one continues: files with the right content are skipped, and parts are resumed.
"""

import asyncio
from collections import deque
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import Struct, field

from skyshelf.client import errors
from skyshelf.client.download.file import download_object
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pacer import RateLimit
from skyshelf.client.engine.pagination import ListingCount
from skyshelf.client.local.disk_threads import DiskThreads
from skyshelf.client.local.files import DiskFullError, LocalFolder, md5_of, translate_os_errors
from skyshelf.client.local.names import comparable, local_names, safe_name
from skyshelf.client.objects.past import PastTree
from skyshelf.client.objects.remote_object import SEPARATOR, RemoteObject
from skyshelf.client.transfers import TransferReport, TransferSummary, first_error
from skyshelf.wire.limits import CLIENT_DEPTH_MAX

_QUEUED: Final = 1000
"""Length of the queue of files: how far the listing runs ahead."""


_FATAL: Final = (errors.AuthenticationError, DiskFullError, errors.EndlessListingError)
"""Errors that every other file would fail with, too."""


class _File(NamedTuple):
    path: str
    target: Path
    object: RemoteObject


class PastTreeDownload(Struct, kw_only=True, eq=False):
    """One run."""

    engine: Engine
    tree: PastTree
    destination: Path
    workers: int
    overwrite: bool
    rate_limit: RateLimit | None
    within: Path
    report: TransferReport
    threads: DiskThreads = field(default_factory=DiskThreads)
    files: asyncio.Queue[_File] = field(default_factory=lambda: asyncio.Queue(_QUEUED))

    async def run(self, folder_key: str) -> TransferSummary:
        """Run the download; errors of single objects are in the summary, and only fatal ones end it early."""
        try:
            async with asyncio.TaskGroup() as group:
                workers = [group.create_task(self._fetch_files()) for _ in range(max(1, self.workers))]
                await self._list(folder_key)
                self.report.all_listed(folder_key)
                await self.files.join()
                for worker in workers:
                    worker.cancel()
        except BaseExceptionGroup as failures:
            error = first_error(failures)
            if not isinstance(error, _FATAL):
                raise error from None
            self.report.summary.stopped_by = error
        return self.report.summary

    async def _list(self, folder_key: str) -> None:
        waiting: deque[tuple[str, str, Path]] = deque([(folder_key, "", self.destination)])
        entered, folders = {folder_key}, ListingCount(self.engine.bounds.kept, "folders")
        while waiting:
            key, path, local = waiting.popleft()
            try:
                await self.threads.run(self._make_folder, local)
                children = {one.key: one async for one in self.tree.children(key)}
            except errors.SkyshelfError as error:
                if not path or isinstance(error, _FATAL):
                    raise
                self.report.failed(path, key, error, is_folder=True)
                continue
            self.report.listed(path, key)
            in_order = sorted((comparable(safe_name(one.name)), one.key, one.name) for one in children.values())
            for child_key, name in local_names((child_key, name) for _, child_key, name in in_order):
                child, below = children[child_key], f"{path}{SEPARATOR}{name}" if path else name
                if not child.is_folder:
                    self.report.queued(below, child_key, child.size)
                    await self.files.put(_File(below, local / name, child))
                elif child_key not in entered:
                    if below.count(SEPARATOR) > CLIENT_DEPTH_MAX:
                        raise errors.BrokenListingError(f"the folders are nested more than {CLIENT_DEPTH_MAX:,} deep")
                    folders.add(1)
                    entered.add(child_key)
                    waiting.append((child_key, below, local / name))

    def _make_folder(self, folder: Path) -> None:
        LocalFolder.open(folder, self.within).close()

    async def _fetch_files(self) -> None:
        while True:
            file = await self.files.get()
            try:
                await self._fetch(file)
            except _FATAL:
                raise
            except errors.SkyshelfError as error:
                self.report.failed(file.path, file.object.key, error)
            finally:
                self.files.task_done()

    async def _fetch(self, file: _File) -> None:
        found = file.object
        if found.md5 is not None and await self.threads.run(_has_content, file.target, found.size, found.md5):
            self.report.skipped(file.path, found.key, "it has that content", found.size)
            return
        if file.target.is_dir():
            raise errors.DestinationExistsError(f"{file.target} already exists, and is a folder")
        self.report.started(file.path, found.key, found.size)
        done = await download_object(
            self.engine,
            found.wire,
            file.target,
            at=self.tree.at,
            overwrite=self.overwrite,
            rate_limit=self.rate_limit,
            within=self.within,
            progress=lambda received, _: self.report.progress(file.path, found.key, found.size, received),
        )
        self.report.done(file.path, found.key, done.size)


def _has_content(path: Path, size: int | None, md5: str) -> bool:
    with translate_os_errors("cannot read", path):
        if path.is_symlink() or not path.is_file() or path.stat().st_size != size:
            return False
        return md5_of(path) == md5
