"""`skyshelf admin restore --account … --to FOLDER`: files of a cut as plain files of this machine.

Names are made safe as in a download, no link is followed, and a file gets its name only when all its bytes were
compared with their SHA-256 and are on the disk. Nothing that exists is replaced.
"""

import os
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from skyshelf.cli.admin.outcomes import ShownProgress
from skyshelf.cli.base.text import first_lines, format_count
from skyshelf.client.errors import DestinationExistsError, LocalFileError
from skyshelf.client.local.files import DiskFullError, LocalFolder, sync_file, translate_os_errors
from skyshelf.client.local.names import comparable, local_names, part_name, safe_name
from skyshelf.service.importing.from_store import Source, SourcePath, children
from skyshelf.service.integrity.reading import read
from skyshelf.storage.errors import BadLocation, BlobCorrupt, BlobMissing
from skyshelf.wire.sizes import format_size
from skyshelf.wire.times import in_range

_WRITERS: Final = 4


class FilesResult(msgspec.Struct, rename="camel"):
    """What was written; a sentence for each file that was not."""

    cut: str
    to: str
    files: int = 0
    bytes: int = 0
    folders: int = 0
    unchanged: int = 0
    """Files that were there already, by size and time, as after an interruption."""
    problems: list[str] = []


class _Task(msgspec.Struct, frozen=True):
    """A file, and the local names of it and of the folders above it."""

    found: SourcePath
    names: tuple[str, ...]


def write_files(source: Source, what: SourcePath, folder: Path, cut: str, progress: ShownProgress) -> FilesResult:
    """Write an object, and everything below it, into a folder."""
    return _Writing(source, folder, FilesResult(cut, str(folder)), progress).run(what)


class _Writing:
    def __init__(self, source: Source, folder: Path, result: FilesResult, progress: ShownProgress) -> None:
        self._source = source
        self._folder = folder
        self._result = result
        self._progress = progress
        self._stopped = threading.Event()

    def run(self, what: SourcePath) -> FilesResult:
        with ThreadPoolExecutor(_WRITERS, "restore-files") as threads:
            running: dict[Future[bool], _Task] = {}
            try:
                LocalFolder.open(self._folder).close()
                for task in self._tasks(what):
                    self._progress.queued(task.found.object.size)
                    running[threads.submit(self._write, task)] = task
                    while len(running) >= 2 * _WRITERS:
                        self._settle(running)
                self._progress.all_queued()
                while running:
                    self._settle(running)
            except BaseException:
                self._stopped.set()
                raise
        return self._result

    def _settle(self, running: dict[Future[bool], _Task]) -> None:
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            task = running.pop(future)
            path, size = "/".join(task.found.names), task.found.object.size
            self._progress.finished(path, size)
            try:
                is_new = future.result()
            except DiskFullError:
                raise
            except (LocalFileError, BlobMissing, BlobCorrupt, BadLocation) as error:
                self._result.problems.append(f"{path}: {str(error).rstrip('.')}")
                continue
            self._result.files += is_new
            self._result.unchanged += not is_new
            self._result.bytes += size if is_new else 0

    def _tasks(self, what: SourcePath) -> Iterator[_Task]:
        """Yield every file, and make every folder."""
        if not what.object.is_folder:
            yield _Task(what, (safe_name(what.names[-1]),))
            return
        waiting = deque([_Task(what, ())])
        while waiting:
            folder = waiting.pop()
            if folder.names:
                self._result.folders += 1
            try:
                LocalFolder.open(self._folder.joinpath(*folder.names), within=self._folder).close()
            except LocalFileError as error:
                self._result.problems.append(f"{'/'.join(folder.found.names)}: {error}")
                continue
            entries = {child.object.object_key: child for child in children(self._source, folder.found)}
            ordered = sorted(
                ((key, child.object.name) for key, child in entries.items()),
                key=lambda one: (comparable(safe_name(one[1])), one[0]),
            )
            for key, name in local_names(ordered):
                task = _Task(entries[key], (*folder.names, name))
                if task.found.object.is_folder:
                    waiting.append(task)
                else:
                    yield task

    def _write(self, task: _Task) -> bool:
        """Write a file; false if it exists with its size and time."""
        stored, name = task.found.object, task.names[-1]
        path = self._folder.joinpath(*task.names[:-1])
        with closing(LocalFolder.open(path, within=self._folder)) as folder:
            there = folder.stat(name)
            if there is not None:
                if (there.st_size, there.st_mtime_ns // 1_000_000) == (
                    stored.size,
                    in_range(stored.last_modified_at),
                ):
                    return False
                raise DestinationExistsError(f"{path / name} already exists, and is left as it is: name another folder")
            part = part_name(name, stored.object_key)
            # What a killed run has left of it.
            folder.remove(part)
            try:
                self._write_part(folder, part, task)
                folder.rename_part(part, name, replace=False)
            except BaseException:
                folder.remove(part)
                raise
            folder.sync()
        return True

    def _write_part(self, folder: LocalFolder, part: str, task: _Task) -> None:
        stored, source, done = task.found.object, self._source, 0
        with source.ctx.metadata.read() as unit:
            version = unit.files.version(source.account.account_id, stored.object_key)
        file = folder.open_file(part, create=True)
        with (
            os.fdopen(file, "wb") as opened,
            closing(read(source.ctx, version.sha256, version.location, version.size)) as stream,
        ):
            for piece in stream:
                if self._stopped.is_set():
                    raise LocalFileError("the restore was stopped")
                with translate_os_errors("cannot write", folder.path, part):
                    opened.write(piece)
                done += len(piece)
                self._progress.moved("/".join(task.found.names), done)
            with translate_os_errors("cannot write", folder.path, part):
                opened.flush()
                os.utime(opened.fileno(), ns=(in_range(stored.last_modified_at) * 1_000_000,) * 2)
            sync_file(opened.fileno())


def files_summary(result: FilesResult) -> str:
    already = f", {format_count(result.unchanged, 'file')} already there" if result.unchanged else ""
    return "\n".join(
        (
            *first_lines(result.problems),
            f"wrote {format_count(result.files, 'file')}, {format_size(result.bytes)}, of the cut {result.cut} to"
            f" {result.to}{already}",
        )
    )
