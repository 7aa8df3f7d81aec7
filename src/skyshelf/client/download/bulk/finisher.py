"""The last part of a bulk download: what has arrived is put in place, many files at once."""

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

# Many small files put in place durably, without waiting for the disk once for each.

_AT_ONCE: Final = 4
"""From this many files on, one call that syncs a whole file system is cheaper than one call for each."""


class Arrived(Struct, frozen=True, kw_only=True, eq=False):
    """A file whose content is whole and checked, and still under the name of its part."""

    file: PlannedFile
    part: PartFile
    replace: bool


def put_all_in_place(
    arrived: Sequence[Arrived], root: LocalFolder, state: DownloadState
) -> list[tuple[Arrived, LocalFileError | None]]:
    """Put files in place and note them; the outcome of each."""
    try:
        times = {id(one): one.part.set_time(one.file.modified_ms) for one in arrived}
        _sync(arrived, root)
    except LocalFileError as unwritten:
        return [(one, unwritten) for one in arrived]
    outcomes = [(one, _named(one)) for one in arrived]
    folders = {one.file.folder: one.part.folder for one, wrong in outcomes if wrong is None}
    unsynced = {path: wrong for path, folder in folders.items() if (wrong := _synced(folder)) is not None}
    outcomes = [(one, wrong or unsynced.get(one.file.folder)) for one, wrong in outcomes]
    # Notes only spare work: what cannot be noted is looked at again next time.
    with suppress(LocalFileError):
        state.record(_known(one, times[id(one)]) for one, wrong in outcomes if wrong is None)
    return outcomes


def _named(one: Arrived) -> LocalFileError | None:
    try:
        one.part.folder.rename_part(one.part.name, one.file.name, replace=one.replace)
    except LocalFileError as wrong:
        return wrong
    return None


def _synced(folder: LocalFolder) -> LocalFileError | None:
    try:
        folder.sync()
    except LocalFileError as wrong:
        return wrong
    return None


def _known(one: Arrived, mtime_ns: int) -> KnownFile:
    return KnownFile(
        folder=one.file.folder,
        name=one.file.name,
        key=one.file.key,
        size=one.part.length,
        mtime_ns=mtime_ns,
        md5=one.part.md5,
        remote_modified=one.file.modified_ms,
    )


def _sync(arrived: Sequence[Arrived], root: LocalFolder) -> None:
    whole = _file_system_sync()
    if whole is not None and root.descriptor is not None and len(arrived) >= _AT_ONCE:
        with translate_os_errors("cannot write to the disk"):
            whole(root.descriptor)
        return
    for one in arrived:
        sync_file(one.part.file)


@cache
def _file_system_sync() -> Callable[[int], None] | None:
    """syncfs, which Linux has and Python does not offer."""
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


# The last part of a bulk download: what has arrived is put in place, many files at once.

FINISHED_TOGETHER: Final = 128
"""Files that are put in place at once."""


class BulkFinishing:
    """One finisher, which takes from `arrived`."""

    def __init__(
        self,
        destination: OpenDestination,
        parts: OpenParts,
        report: TransferReport,
        arrived: "asyncio.Queue[Arrived]",
        notes: DiskThreads,
    ) -> None:
        self._root, self._state = destination.folders.root, destination.state
        self._parts = parts
        self._report = report
        self._arrived = arrived
        self._notes = notes

    async def finish_files(self) -> None:
        """All that is there at once, again and again, until it is cancelled."""
        while is_not_cancelled():
            batch = [await self._arrived.get()]
            while len(batch) < FINISHED_TOGETHER and not self._arrived.empty():
                batch.append(self._arrived.get_nowait())
            try:
                outcomes = await self._notes.run(put_all_in_place, batch, self._root, self._state)
            finally:
                for one in batch:
                    self._parts.release(one.file, one.part)
                    self._arrived.task_done()
            for one, wrong in outcomes:
                self._finished(one, wrong)

    def _finished(self, one: Arrived, wrong: LocalFileError | None) -> None:
        if isinstance(wrong, DiskFullError):
            raise wrong
        if wrong is not None:
            self._report.failed(one.file.path, one.file.key, wrong)
        else:
            self._report.done(one.file.path, one.file.key, one.part.length)
