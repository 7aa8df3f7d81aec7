"""Downloading one object into one file, which appears only when its content is complete and verified.

The bytes go into a `.part` file next to the target. A lost connection is resumed where it broke, by a later call too;
content that differs from what the server announced is fetched once more from the start, and is then an error. The part
is renamed atomically, after its bytes are on disk.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct

from skyshelf.client import errors
from skyshelf.client.download.integrity import (
    CURRENT,
    NOT_THE_FILE,
    UNVERIFIED,
    ContentSource,
    ExpectedContent,
    check_response_headers,
    described,
    looks_like_page,
    range_headers,
    verify,
)
from skyshelf.client.download.part_file import HashingWriter, PartFile
from skyshelf.client.download.small_files import Piece
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pacer import RateLimit
from skyshelf.client.engine.retries import Retries
from skyshelf.client.http.messages import PlannedRequest, StreamingResponse
from skyshelf.client.local.disk_threads import DiskBatches, DiskThreads
from skyshelf.client.local.files import LocalFolder, sync_file
from skyshelf.client.local.names import part_name, safe_name
from skyshelf.wire.endpoints.downloads import DOWNLOAD
from skyshelf.wire.limits import FILE_BYTES_MAX
from skyshelf.wire.resources.downloads import DownloadHeaders
from skyshelf.wire.resources.objects import CloudObject

_Result = TypeVar("_Result")
Progress = Callable[[int, int], None]
"""Called with the bytes received so far, and the total."""

PIECE_BYTES: Final = 1024 * 1024
"""How much is hashed and written at once."""

SMALL_BYTES: Final = 1024 * 1024
"""Files up to this size are received completely before anything is written."""

_LARGE_BYTES: Final = 256 * 1024
"""Pieces of at least this size are written and hashed in separate threads."""

_ALL: Final = DownloadHeaders()
_CUT: Final = "the connection closed before the download was complete"

GAIN_BYTES: Final = 1024 * 1024
"""Progress that resets the retries: a download that receives this much between two losses continues."""


class Downloaded(Struct, frozen=True, kw_only=True):
    """A downloaded file. `verified` is false where the server has no hash of it, and the caller allowed that."""

    path: Path
    object_key: str
    size: int
    md5: str
    verified: bool


class ContentFetcher:
    """Fetches the content of objects into part files; shared by any number of downloads."""

    def __init__(self, engine: Engine, threads: DiskThreads, rate_limit: RateLimit | None = None) -> None:
        self._engine = engine
        self._threads = threads
        self._rate_limit = rate_limit

    async def fetch(
        self,
        object_key: str,
        expected: ExpectedContent,
        part: PartFile,
        *,
        source: ContentSource = CURRENT,
        on_bytes: Callable[[int], None] | None = None,
    ) -> None:
        """Fetch the rest of the part and verify the whole; the part is emptied when that fails.

        `on_bytes` is called with the length after each piece; it decreases when the download starts over.
        """
        if expected.etag is not None:
            await self._threads.run(part.resume, expected.size)
        else:
            # Without an ETag the old bytes may belong to other content, so they are not resumed.
            part.restart()

        async def once() -> None:
            try:
                await self._fill(object_key, expected, part, source, on_bytes)
            except errors.IntegrityError:
                part.restart()
                raise

        await at_most_twice(once)

    async def fetch_small(
        self, object_key: str, expected: ExpectedContent, open_part: Callable[[], PartFile], storing: DiskBatches
    ) -> PartFile:
        """Fetch an object of at most SMALL_BYTES, verified in memory before anything is written.

        A part this small is not resumed.
        """
        request = self._engine.plan(DOWNLOAD, keys={"object_key": object_key})

        async def once() -> PartFile:
            content = await self._small_content(request, expected)
            return await storing.run(stored, content, expected, open_part)

        return await at_most_twice(lambda: self._engine.repeating(once))

    async def _small_content(self, request: PlannedRequest, expected: ExpectedContent) -> bytes | bytearray:
        assert expected.size is not None
        pieces: list[bytes | bytearray] = []
        async with self._engine.stream_once(request) as answer:
            total, missing = check_response_headers(answer.status, answer.headers, expected, _ALL).total, expected.size
            async for piece in self.pieces(answer):
                pieces.append(piece)
                missing -= len(piece)
                if missing < 0:
                    raise errors.IntegrityError(f"received more than the {expected.size} bytes of the object")
        if missing and total is not None:
            raise errors.NetworkError(_CUT, method="GET", path=request.path)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    async def _fill(
        self,
        object_key: str,
        expected: ExpectedContent,
        part: PartFile,
        source: ContentSource,
        on_bytes: Callable[[int], None] | None,
    ) -> None:
        """Fetch the whole content, over as many connections as it takes."""
        etag, total = expected.etag, None
        retries = Retries(self._engine.policy)
        whole = 0 < part.length == expected.size
        while not whole:
            before, answered = part.length, False
            asked = range_headers(part.length, etag)
            request = source.request(self._engine, object_key, asked)
            try:
                async with self._engine.stream(request) as answer:
                    incoming, answered = check_response_headers(answer.status, answer.headers, expected, asked), True
                    if part.length != incoming.start:
                        part.restart()
                    etag, total = incoming.etag, incoming.total
                    end = total if total is not None else expected.size
                    # A body without a length can be endless; no file is larger than this.
                    end = FILE_BYTES_MAX if end is None else end
                    await self._receive(answer, part, end, on_bytes)
                _must_have_arrived(part, total, request.path)
                whole = True
            except errors.NetworkError as error:
                if part.length - before >= GAIN_BYTES:
                    retries.progressed()
                # The engine has already retried a request that was never answered.
                delay = retries.delay_after(error) if answered else None
                if delay is None:
                    raise
                await asyncio.sleep(delay)
            except errors.RequestFailedError as error:
                if error.status != 416:
                    raise
                raise errors.IntegrityError(
                    "the content on the server is shorter than what was already downloaded"
                ) from None
        verify(part.length, part.md5, expected, total)
        if not (expected.can_be_verified or expected.may_be_page) and looks_like_page(part.start()):
            raise errors.IntegrityError(NOT_THE_FILE)

    async def pieces(self, answer: StreamingResponse) -> AsyncIterator[bytes | bytearray]:
        """Yield the body as it arrives, within the rate limit: TCP holds back what is not read."""
        limit = self._rate_limit
        async for piece in answer.pieces(PIECE_BYTES if limit is None else limit.piece(PIECE_BYTES)):
            if limit is not None:
                await limit.spend(len(piece))
            yield piece

    async def _receive(
        self, answer: StreamingResponse, part: PartFile, end: int | None, on_bytes: Callable[[int], None] | None
    ) -> None:
        """Store each piece while the next one arrives."""
        writer: HashingWriter | None = None
        try:
            async for piece in self.pieces(answer):
                arrived = part.length if writer is None else writer.end
                if end is not None and arrived + len(piece) > end:
                    raise errors.IntegrityError(f"received more than the {end} bytes that were announced")
                if writer is None and len(piece) >= _LARGE_BYTES:
                    writer = HashingWriter(part)
                if writer is None:
                    await self._threads.run(part.append, piece)
                else:
                    await writer.store(piece)
                if on_bytes is not None:
                    on_bytes(arrived + len(piece))
        finally:
            if writer is not None:
                try:
                    await writer.drain()
                finally:
                    writer.close()


async def at_most_twice(fetch: Callable[[], Awaitable[_Result]]) -> _Result:
    """Fetch from the start once more after wrong content, whatever the policy says about requests."""
    with suppress(errors.IntegrityError):
        return await fetch()
    return await fetch()


def stored(content: Piece, expected: ExpectedContent, open_part: Callable[[], PartFile]) -> PartFile:
    """Verify the content and write it to its part."""
    digest = hashlib.md5(content, usedforsecurity=False)
    verify(len(content), digest.hexdigest(), expected, None)
    part = open_part()
    try:
        part.fill(content, digest)
    except BaseException:
        part.close()
        raise
    return part


def _must_have_arrived(part: PartFile, total: int | None, path: str) -> None:
    """Raise NetworkError if the body is incomplete: one without a length can end early without an error."""
    if total is not None and part.length < total:
        raise errors.NetworkError(_CUT, method="GET", path=path)


async def download_object(
    engine: Engine,
    found: CloudObject | str,
    destination: Path,
    *,
    overwrite: bool = False,
    version: int | None = None,
    at: int | None = None,
    rate_limit: RateLimit | None = None,
    within: Path | None = None,
    parent_key: str | None = None,
    allow_unverified: bool = False,
    progress: Progress | None = None,
) -> Downloaded:
    """Download a file, given as an object or by its key, to `destination`, or into it if it is a folder.

    DestinationExistsError when the target exists, unless `overwrite`; the old file stays until the new one is complete.
    Nothing is created before the server has described the object; one whose content cannot be verified is an
    UnverifiedFileError, unless `allow_unverified`. `within` is a folder that the file must end up in, whatever links
    are below it. With `at`, the object is as it was at that moment, and so is the content that is downloaded.
    """
    threads, content = DiskThreads(), await described(engine, found, version, parent_key)
    key, expected = content.object_key, ExpectedContent.of_object(content)
    if not (expected.can_be_verified or allow_unverified):
        raise errors.UnverifiedFileError(UNVERIFIED)
    name = safe_name(engine.hide_secrets(content.object_name or key))
    target = destination / name if destination.is_dir() else destination

    def report(received: int) -> None:
        if progress is not None:
            progress(received, received if expected.size is None else expected.size)

    with closing(await threads.run(LocalFolder.open, target.parent, within)) as folder:
        if not overwrite and folder.stat(target.name) is not None:
            raise errors.DestinationExistsError(f"{target} already exists")
        # The part of an earlier content is resumed by any moment or version that has this content.
        mark = key if version is at is None else f"{key}?{expected.md5 or version or at}"
        part = await threads.run(PartFile, folder, part_name(target.name, mark))
        try:
            fetcher = ContentFetcher(engine, threads, rate_limit)
            await fetcher.fetch(key, expected, part, source=ContentSource.of(version, at), on_bytes=report)
            await threads.run(put_in_place, part, target.name, content.last_modified_date, replace=overwrite)
        except BaseException as error:
            part.give_up(error)
            raise
        part.close()
    return Downloaded(path=target, object_key=key, size=part.length, md5=part.md5, verified=expected.md5 is not None)


def put_in_place(part: PartFile, name: str, modified_ms: int | None, *, replace: bool) -> None:
    """Rename the part to its final name: sync the bytes, rename, then sync the folder."""
    part.set_time(modified_ms)
    sync_file(part.file)
    part.folder.rename_part(part.name, name, replace=replace)
    part.folder.sync()
