"""Uploading a local folder with everything in it, several files at once."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, Literal
from unicodedata import normalize

from msgspec.structs import replace

from skyshelf.client import errors
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pacer import RateLimit
from skyshelf.client.objects.listing import folder_pages
from skyshelf.client.objects.lookup import create_folder
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.transfers import UPLOAD_WORKERS, TransferEvent, TransferReport, TransferSummary, first_error
from skyshelf.client.upload.batch import BatchRejectedError, FileContent, QueuedFile, UploadBatcher
from skyshelf.client.upload.file import UploadOptions, limited, upload_file
from skyshelf.client.upload.source import UploadSource

# After one of these, no other file can succeed.
_FATAL: Final = (errors.AuthenticationError, errors.NotOfferedError, errors.QuotaExceededError)


class TreeUpload:
    """One run over a local folder.

    `select` is called with the path below the folder and the local path; a folder that is not selected is not entered.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        workers: int = UPLOAD_WORKERS,
        options: UploadOptions | None = None,
        select: Callable[[str, Path], bool] | None = None,
        rate_limit: RateLimit | None = None,
        progress: Callable[[TransferEvent], None] | None = None,
    ) -> None:
        self._engine = engine
        self._workers = max(1, workers)
        self._options = options or UploadOptions()
        self._rate_limit = rate_limit
        self._batcher = UploadBatcher(engine, limited(self._options, rate_limit), rate_limit)
        self._select = select
        self._report = TransferReport(progress)
        self._local = Path()

    async def run(self, local: Path, folder_key: str) -> TransferSummary:
        """Upload everything in a local folder into a folder of the server."""
        if not local.is_dir():
            raise errors.LocalFileError(f"{local} is not a folder")
        self._local = local
        queue: asyncio.Queue[list[QueuedFile] | None] = asyncio.Queue(2 * self._workers)
        try:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(self._workers):
                    tasks.create_task(self._work(queue))
                async for batch in self._batches(local, folder_key):
                    await queue.put(batch)
                self._report.all_listed(folder_key)
                for _ in range(self._workers):
                    await queue.put(None)
        except ExceptionGroup as group:
            # Several workers may fail with the same error; the first stands for all.
            error = first_error(group)
            if not isinstance(error, _FATAL):
                raise error from None
            self._report.summary.stopped_by = error
        return self._report.summary

    async def _batches(self, local: Path, folder_key: str) -> AsyncIterator[list[QueuedFile]]:
        """Yield small files in batches, and every other one alone."""
        batch: list[QueuedFile] = []
        async for file in self._files(local, folder_key):
            self._report.queued(self._below(file.path), _key(file), file.size)
            if not self._batcher.is_small(file):
                yield [file]
            else:
                if not self._batcher.fits(batch, file):
                    yield batch
                    batch = []
                batch.append(file)
        if batch:
            yield batch

    async def _work(self, queue: "asyncio.Queue[list[QueuedFile] | None]") -> None:
        while (batch := await queue.get()) is not None:
            for file in batch:
                self._report.started(self._below(file.path), _key(file), file.size)
            if len(batch) > 1:
                await self._upload_batch(batch)
            else:
                await self._upload_one(batch[0], self._options)

    async def _upload_batch(self, batch: Sequence[QueuedFile]) -> None:
        """Upload several small files in one request; those that it does not take are uploaded alone."""
        wanted: list[FileContent] = []
        for file, read in zip(batch, await self._batcher.read(batch), strict=True):
            if isinstance(read, errors.SkyshelfError):
                self._report.failed(self._below(file.path), _key(file), read)
            elif read is None:
                await self._upload_one(file, self._options)
            elif read.is_unchanged:
                self._skip(file)
            else:
                wanted.append(read)
        if not wanted:
            return
        options = self._options
        try:
            arrived = await self._batcher.send(wanted)
        except BatchRejectedError:
            arrived = [False] * len(wanted)
        except errors.RequestFailedError:
            # Any of them may have arrived: an upload in chunks first asks whether it has.
            arrived, options = [False] * len(wanted), replace(options, small=-1)
        # These first, since one of the others may end the run.
        for read in (read for read, has_arrived in zip(wanted, arrived, strict=True) if has_arrived):
            self._report.done(self._below(read.file.path), _key(read.file), read.metadata.size)
        for read in (read for read, has_arrived in zip(wanted, arrived, strict=True) if not has_arrived):
            await self._upload_one(read.file, options)

    async def _upload_one(self, file: QueuedFile, options: UploadOptions) -> None:
        path, key = self._below(file.path), _key(file)
        try:
            if file.existing is not None and await asyncio.to_thread(_is_same, file.path, file.existing):
                self._skip(file)
                return
            done = await upload_file(
                self._engine,
                file.path,
                file.folder_key,
                options=options,
                rate_limit=self._rate_limit,
                progress=lambda sent, total: self._report.progress(path, key, total, sent),
            )
        except _FATAL:
            raise
        except errors.SkyshelfError as error:
            self._report.failed(path, key, error)
            return
        self._report.done(path, done.key, done.size or 0)

    def _skip(self, file: QueuedFile) -> None:
        self._report.skipped(self._below(file.path), _key(file), "the server already has it", file.size)

    def _below(self, path: Path) -> str:
        """Return a path below the local folder, with slashes; empty for the folder itself."""
        return "/".join(path.parts[len(self._local.parts) :])

    async def _files(self, local: Path, folder_key: str) -> AsyncIterator[QueuedFile]:
        """Yield every selected file, with its folder on the server, which is created, and what has its name there."""
        waiting = [(local, folder_key)]
        while waiting:
            local, folder_key = waiting.pop()
            try:
                files, folders, others = await asyncio.to_thread(_entries, local)
                existing = await self._objects_by_name(folder_key, "f") if files else {}
                known = await self._objects_by_name(folder_key, "w") if folders else {}
            except _FATAL:
                raise
            except errors.SkyshelfError as error:
                self._report.failed(self._below(local), folder_key, error, is_folder=True)
                continue
            for path in others:
                self._report.summary.ignored += 1
                self._report.ignored(self._below(path), None)
            for path in folders:
                key = await self._folder(path, folder_key, known) if self._is_selected(path) else None
                if key is not None:
                    waiting.append((path, key))
            for path, size in files:
                if self._is_selected(path):
                    yield QueuedFile(path, size, folder_key, existing.get(normalize("NFC", path.name)))
            self._report.listed(self._below(local), folder_key)

    def _is_selected(self, path: Path) -> bool:
        return self._select is None or self._select(self._below(path), path)

    async def _objects_by_name(self, folder_key: str, kind: Literal["f", "w"]) -> dict[str, RemoteObject]:
        return {
            normalize("NFC", each.name): each.detached_copy()
            async for found in folder_pages(self._engine, folder_key, kind, keep=True)
            for each in found
        }

    async def _folder(self, path: Path, parent_key: str, known: dict[str, RemoteObject]) -> str | None:
        existing = known.get(normalize("NFC", path.name))
        if existing is not None:
            return existing.key
        try:
            return (await create_folder(self._engine, path.name, parent_key, exist_ok=True)).key
        except _FATAL:
            raise
        except errors.SkyshelfError as error:
            self._report.failed(self._below(path), None, error, is_folder=True)
            return None


def _key(file: QueuedFile) -> str | None:
    """Return the key of the object that has the file's name on the server."""
    return file.existing.key if file.existing is not None else None


def _entries(folder: Path) -> tuple[list[tuple[Path, int]], list[Path], list[Path]]:
    """Return a local folder's files with sizes, its folders, and the rest, by name. Links are among the rest."""
    files, folders, others = [], [], []
    try:
        with os.scandir(folder) as found:
            for entry in sorted(found, key=lambda entry: entry.name):
                path = Path(entry.path)
                if entry.is_file(follow_symlinks=False):
                    files.append((path, _size(entry)))
                elif entry.is_dir(follow_symlinks=False):
                    folders.append(path)
                else:
                    others.append(path)
    except OSError as error:
        raise errors.LocalFileError(f"{folder} cannot be read: {error.strerror}") from None
    return files, folders, others


def _size(entry: "os.DirEntry[str]") -> int:
    """Return the size; zero for a file that has just vanished, which fails when it is opened."""
    try:
        return entry.stat(follow_symlinks=False).st_size
    except OSError:
        return 0


def _is_same(path: Path, existing: RemoteObject) -> bool:
    """Whether the server has this content under this name; different sizes save the hashing."""
    if not existing.md5:
        return False
    with closing(UploadSource(path)) as source:
        return source.size == existing.size and source.md5() == existing.md5
