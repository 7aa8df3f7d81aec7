"""Uploading a folder with everything in it: several files at once, and a summary that leaves nothing out."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal
from unicodedata import normalize

from msgspec import Struct, field
from msgspec.structs import replace

from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.rate_limit import RateLimit
from skyshelf.client.errors import (
    AuthenticationError,
    LocalFileError,
    NotOfferedError,
    QuotaExceededError,
    RequestFailedError,
    SkyshelfError,
)
from skyshelf.client.objects.folders import create_folder
from skyshelf.client.objects.listing import folder_pages
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.upload.batch import LocalFile, NotTakenError, Read, UploadBatcher
from skyshelf.client.upload.file import UploadOptions, limited, upload_file
from skyshelf.client.upload.source import UploadSource

WORKERS: Final = 4


class UploadEvent(Struct, frozen=True, kw_only=True):
    """Something happened to one file; `path` is where it lies on this machine."""

    what: Literal["started", "advanced", "uploaded", "skipped", "failed"]
    path: Path
    done_bytes: int = 0
    total_bytes: int = 0
    reason: str | None = None


class FailedUpload(Struct, frozen=True):
    """A file or folder that was not uploaded, and why."""

    path: Path
    error: SkyshelfError

    @property
    def reason(self) -> str:
        """Why, in a sentence."""
        return str(self.error)


class UploadSummary(Struct, kw_only=True):
    """What became of a whole folder. Only failures are listed one by one: there may be millions of files.

    `skipped` counts what the server has already, `ignored` what is neither file nor folder: links, pipes, sockets.
    """

    uploaded: int = 0
    skipped: int = 0
    ignored: int = 0
    folders_created: int = 0
    bytes_uploaded: int = 0
    failed: list[FailedUpload] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether everything is on the server now."""
        return not self.failed


class _LocalFolder(Struct, frozen=True):
    path: Path
    folder_key: str


# With these nothing further can succeed either.
_HOPELESS: Final = (AuthenticationError, NotOfferedError, QuotaExceededError)


class TreeUpload:
    """One run over a local folder."""

    def __init__(
        self,
        engine: Engine,
        *,
        workers: int = WORKERS,
        options: UploadOptions | None = None,
        rate_limit: RateLimit | None = None,
        unchanged: Collection[Path] = (),
        progress: Callable[[UploadEvent], None] | None = None,
    ) -> None:
        self._engine = engine
        self._workers = max(1, workers)
        self._options = options or UploadOptions()
        self._rate_limit = rate_limit
        self._batcher = UploadBatcher(engine, limited(self._options, rate_limit), rate_limit)
        self._unchanged = unchanged
        self._tell = progress or (lambda _event: None)
        self.summary = UploadSummary()

    async def run(self, local: Path, folder_key: str) -> UploadSummary:
        """Upload everything in a local folder into a folder of the server."""
        if not local.is_dir():
            raise LocalFileError(f"{local} is not a folder")
        queue: asyncio.Queue[list[LocalFile] | None] = asyncio.Queue(2 * self._workers)
        try:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(self._workers):
                    tasks.create_task(self._work(queue))
                async for batch in self._handfuls(local, folder_key):
                    await queue.put(batch)
                for _ in range(self._workers):
                    await queue.put(None)
        except ExceptionGroup as group:
            # Several workers may meet the same hopeless end; one tells it.
            raise group.exceptions[0] from None
        return self.summary

    async def _handfuls(self, local: Path, folder_key: str) -> AsyncIterator[list[LocalFile]]:
        """Small files in handfuls, and every other one by itself."""
        batch: list[LocalFile] = []
        async for file in self._files(local, folder_key):
            if file.path in self._unchanged:
                self._skip(file.path)
            elif not self._batcher.is_small(file):
                yield [file]
            else:
                if not self._batcher.fits(batch, file):
                    yield batch
                    batch = []
                batch.append(file)
        if batch:
            yield batch

    async def _work(self, queue: "asyncio.Queue[list[LocalFile] | None]") -> None:
        while (batch := await queue.get()) is not None:
            for file in batch:
                self._tell(UploadEvent(what="started", path=file.path))
            if len(batch) > 1:
                await self._some(batch)
            else:
                await self._one(batch[0], self._options)

    async def _some(self, batch: Sequence[LocalFile]) -> None:
        """Several small files in one call, and what does not go that way by itself."""
        wanted: list[Read] = []
        for file, read in zip(batch, await self._batcher.read(batch), strict=True):
            if isinstance(read, SkyshelfError):
                self._fail(file.path, read)
            elif read is None:
                await self._one(file, self._options)
            elif read.is_there:
                self._skip(file.path)
            else:
                wanted.append(read)
        if not wanted:
            return
        options = self._options
        try:
            arrived = await self._batcher.send(wanted)
        except NotTakenError:
            arrived = [False] * len(wanted)
        except RequestFailedError:
            # Any of them may have arrived: an upload in chunks begins with the question whether it has.
            arrived, options = [False] * len(wanted), replace(options, small=-1)
        # Those first, since one of the others may end it all.
        for read in (read for read, has_arrived in zip(wanted, arrived, strict=True) if has_arrived):
            self._done(read.file.path, read.metadata.size)
        for read in (read for read, has_arrived in zip(wanted, arrived, strict=True) if not has_arrived):
            await self._one(read.file, options)

    async def _one(self, file: LocalFile, options: UploadOptions) -> None:
        path = file.path
        try:
            if file.there is not None and await asyncio.to_thread(_is_same, path, file.there):
                self._skip(path)
                return
            done = await upload_file(
                self._engine,
                path,
                file.folder_key,
                options=options,
                rate_limit=self._rate_limit,
                progress=lambda *sizes: self._advance(path, *sizes),
            )
        except _HOPELESS:
            raise
        except SkyshelfError as error:
            self._fail(path, error)
            return
        self._done(path, done.size or 0)

    def _done(self, path: Path, size: int) -> None:
        self.summary.uploaded += 1
        self.summary.bytes_uploaded += size
        self._tell(UploadEvent(what="uploaded", path=path, done_bytes=size, total_bytes=size))

    def _skip(self, path: Path) -> None:
        self.summary.skipped += 1
        self._tell(UploadEvent(what="skipped", path=path, reason="the server has it already"))

    def _advance(self, path: Path, done: int, total: int) -> None:
        self._tell(UploadEvent(what="advanced", path=path, done_bytes=done, total_bytes=total))

    def _fail(self, path: Path, error: SkyshelfError) -> None:
        self.summary.failed.append(FailedUpload(path, error))
        self._tell(UploadEvent(what="failed", path=path, reason=str(error)))

    async def _files(self, local: Path, folder_key: str) -> AsyncIterator[LocalFile]:
        """Every local file, with the folder that it goes to and what has its name there; makes the folders."""
        waiting = [_LocalFolder(local, folder_key)]
        while waiting:
            folder = waiting.pop()
            try:
                files, folders, others = await asyncio.to_thread(_entries, folder.path)
                there = await self._there(folder.folder_key, "f") if files else {}
                known = await self._there(folder.folder_key, "w") if folders else {}
            except _HOPELESS:
                raise
            except SkyshelfError as error:
                self._fail(folder.path, error)
                continue
            for path in others:
                self.summary.ignored += 1
                self._tell(UploadEvent(what="skipped", path=path, reason="it is neither a file nor a folder"))
            for path in folders:
                key = await self._folder(path, folder.folder_key, known)
                if key is not None:
                    waiting.append(_LocalFolder(path, key))
            for path, size in files:
                yield LocalFile(path, size, folder.folder_key, there.get(normalize("NFC", path.name)))

    async def _there(self, folder_key: str, kind: Literal["f", "w"]) -> dict[str, RemoteObject]:
        return {
            normalize("NFC", each.name): each.detached_copy()
            async for found in folder_pages(self._engine, folder_key, kind)
            for each in found
        }

    async def _folder(self, path: Path, parent_key: str, known: dict[str, RemoteObject]) -> str | None:
        there = known.get(normalize("NFC", path.name))
        if there is not None:
            return there.key
        try:
            made = await create_folder(self._engine, path.name, parent_key, exist_ok=True)
        except _HOPELESS:
            raise
        except SkyshelfError as error:
            self._fail(path, error)
            return None
        self.summary.folders_created += 1
        return made.key


def _entries(folder: Path) -> tuple[list[tuple[Path, int]], list[Path], list[Path]]:
    """Files with their sizes, folders and the rest in a local folder, by name. Links are the rest: they can lead in
    circles."""
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
    except OSError as wrong:
        raise LocalFileError(f"{folder} cannot be read: {wrong.strerror}") from None
    return files, folders, others


def _size(entry: "os.DirEntry[str]") -> int:
    """Zero for a file that has just gone: whoever opens it is told."""
    try:
        return entry.stat(follow_symlinks=False).st_size
    except OSError:
        return 0


def _is_same(path: Path, there: RemoteObject) -> bool:
    """Whether the server has exactly this content under this name; the sizes spare most of the hashing."""
    if not there.md5:
        return False
    source = UploadSource(path)
    try:
        return source.size == there.size and source.md5() == there.md5
    finally:
        with suppress(OSError):
            source.close()
