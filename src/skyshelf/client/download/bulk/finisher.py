"""The last stage of a bulk download: complete files get their final names, many at once."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import Final

from msgspec import Struct

from skyshelf.client.download.bulk.destination import OpenDestination, OpenParts
from skyshelf.client.download.bulk.plan import PlannedFile
from skyshelf.client.download.bulk.state import DownloadState, KnownFile
from skyshelf.client.download.part_file import PartFile
from skyshelf.client.errors import LocalFileError
from skyshelf.client.local.disk_threads import DiskThreads, is_not_cancelled
from skyshelf.client.local.files import DiskFullError, LocalFolder, sync_file, translate_os_errors
from skyshelf.client.transfers import TransferReport

_SYNCFS_FILES_MIN: Final = 4
"""From this many files on, syncing the whole file system is cheaper than syncing each file."""


class Arrived(Struct, frozen=True, kw_only=True, eq=False):
    """A file with complete and verified content, still under the name of its part."""

    file: PlannedFile
    part: PartFile
    replace: bool
    is_verified: bool


def put_all_in_place(
    arrived: Sequence[Arrived], root: LocalFolder, state: DownloadState
) -> list[tuple[Arrived, LocalFileError | None]]:
    """Rename files to their final names and record them; the outcome of each."""
    try:
        times = {id(item): item.part.set_time(item.file.modified_ms) for item in arrived}
        _sync(arrived, root)
    except LocalFileError as error:
        return [(item, error) for item in arrived]
    outcomes = [(item, _rename(item)) for item in arrived]
    folders = {item.file.folder: item.part.folder for item, failure in outcomes if failure is None}
    unsynced = {path: failure for path, folder in folders.items() if (failure := _sync_folder(folder)) is not None}
    outcomes = [(item, failure or unsynced.get(item.file.folder)) for item, failure in outcomes]
    # The state only saves work: a file that is not recorded is compared next time.
    with suppress(LocalFileError):
        state.record(_known(item, times[id(item)]) for item, failure in outcomes if failure is None)
    return outcomes


def _rename(item: Arrived) -> LocalFileError | None:
    try:
        item.part.folder.rename_part(item.part.name, item.file.name, replace=item.replace)
    except LocalFileError as error:
        return error
    return None


def _sync_folder(folder: LocalFolder) -> LocalFileError | None:
    try:
        folder.sync()
    except LocalFileError as error:
        return error
    return None


def _known(item: Arrived, mtime_ns: int) -> KnownFile:
    return KnownFile(
        folder=item.file.folder,
        name=item.file.name,
        key=item.file.key,
        size=item.part.length,
        mtime_ns=mtime_ns,
        md5=item.part.md5,
        remote_modified=item.file.modified_ms,
    )


def _sync(arrived: Sequence[Arrived], root: LocalFolder) -> None:
    whole = _file_system_sync()
    if whole is not None and root.descriptor is not None and len(arrived) >= _SYNCFS_FILES_MIN:
        with translate_os_errors("cannot write to the disk"):
            whole(root.descriptor)
        return
    for item in arrived:
        sync_file(item.part.file)


@cache
def _file_system_sync() -> Callable[[int], None] | None:
    """syncfs, which Linux has and Python does not wrap."""
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
"""Files from which on no more are added to those that are finished at once."""


class BulkFinishing:
    """One finisher, which takes files from `arrived`, as many at a time as arrived together."""

    def __init__(
        self,
        destination: OpenDestination,
        parts: OpenParts,
        report: TransferReport,
        arrived: "asyncio.Queue[list[Arrived]]",
        notes: DiskThreads,
    ) -> None:
        self._root, self._state = destination.folders.root, destination.state
        self._parts = parts
        self._report = report
        self._arrived = arrived
        self._notes = notes

    async def finish_files(self) -> None:
        """Finish all waiting files at once, repeatedly, until it is cancelled."""
        while is_not_cancelled():
            batch, taken = [*await self._arrived.get()], 1
            while len(batch) < BATCH_FILES_MAX and not self._arrived.empty():
                batch += self._arrived.get_nowait()
                taken += 1
            try:
                outcomes = await self._notes.run(put_all_in_place, batch, self._root, self._state)
            finally:
                for item in batch:
                    self._parts.release(item.file, item.part)
                for _ in range(taken):
                    self._arrived.task_done()
            for item, failure in outcomes:
                self._report_outcome(item, failure)

    def _report_outcome(self, item: Arrived, failure: LocalFileError | None) -> None:
        if isinstance(failure, DiskFullError):
            raise failure
        if failure is not None:
            self._report.failed(item.file.path, item.file.key, failure)
        else:
            if not item.is_verified:
                self._report.summary.unverified += 1
            self._report.done(item.file.path, item.file.key, item.part.length)
