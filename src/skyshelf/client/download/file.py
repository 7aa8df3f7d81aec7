"""One object into one file: fetched, checked while it arrives, and in place only when all of it is right.

The bytes go into a `.part` beside the target. A connection that breaks is taken up where it broke, also by a later
call; content that is not what the server announced is fetched once more from the start, and is then an error. The
final name appears in one step, after the bytes are on the disk.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

from skyshelf.client.download.hashing_writer import HashingWriter
from skyshelf.client.download.integrity import ExpectedContent, check_response_headers, range_headers, verify
from skyshelf.client.download.part_file import PartFile
from skyshelf.client.download.small_files import Piece
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.rate_limit import RateLimit
from skyshelf.client.engine.retries import Retries
from skyshelf.client.errors import DestinationExistsError, IntegrityError, NetworkError, RequestFailedError
from skyshelf.client.http.messages import PlannedRequest, StreamingResponse
from skyshelf.client.local.disk_threads import DiskBatches, DiskThreads
from skyshelf.client.local.files import LocalFolder, sync_file
from skyshelf.client.local.names import part_name, safe_name
from skyshelf.wire.endpoints.downloads import DOWNLOAD
from skyshelf.wire.endpoints.objects import VERSIONS
from skyshelf.wire.resources.downloads import DownloadHeaders, DownloadQuery
from skyshelf.wire.resources.objects import CloudObject
from skyshelf.wire.resources.versions import FileVersions

Progress = Callable[[int, int], None]
"""Hears how many bytes have arrived, and how many there will be."""

PIECE_BYTES: Final = 1024 * 1024
"""What is hashed and written at once."""

SMALL_BYTES: Final = 1024 * 1024
"""Files up to this size are fetched whole before anything is written."""

_LARGE_BYTES: Final = 256 * 1024
"""From pieces of this size on, writing and hashing are worth a thread each."""

_ALL: Final = DownloadHeaders()

GAIN_BYTES: Final = 1024 * 1024
"""Bytes that make up for a lost connection: while that much arrives between two losses, a transfer goes on."""


class Downloaded(Struct, frozen=True, kw_only=True):
    """A downloaded file. `verified` is false where the server has no hash to verify it: only its size was checked."""

    path: Path
    object_key: str
    size: int
    md5: str
    verified: bool


class ContentFetcher:
    """Fills parts with the content of objects; one for any number of downloads."""

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
        version: int | None = None,
        on_bytes: Callable[[int], None] | None = None,
    ) -> None:
        """Fill the part until it is the whole object, checked; the part is emptied where that cannot be reached.

        `on_bytes` hears how many bytes are there after each piece; the number falls when everything is fetched anew.
        """
        if expected.etag is not None:
            await self._threads.run(part.resume, expected.size)
        else:
            # Without a tag nobody can tell whether old bytes are of this content: they are not gone on with.
            part.restart()
        retries = self._integrity_retries()
        while True:
            try:
                await self._fill(object_key, expected, part, version, on_bytes)
            except IntegrityError as error:
                part.restart()
                if retries.delay_after(error) is None:
                    raise
            else:
                return

    async def fetch_small(
        self, object_key: str, expected: ExpectedContent, open_part: Callable[[], PartFile], storing: DiskBatches
    ) -> PartFile:
        """Fetch an object of at most SMALL_BYTES, checked in memory: nothing wrong ever reaches the disk.

        A part that is this small is not worth taking up; it is written anew, in one go.
        """
        request = self._engine.plan(DOWNLOAD, keys={"object_key": object_key})

        async def once() -> PartFile:
            content = await self._small_content(request, expected)
            return await storing.run(stored, content, expected, open_part)

        retries = self._integrity_retries()
        while True:
            try:
                return await self._engine.repeating(once)
            except IntegrityError as error:
                if retries.delay_after(error) is None:
                    raise

    def _integrity_retries(self) -> Retries:
        """Wrong content is fetched once more from the start, whatever the policy says about requests."""
        return Retries(self._engine.policy.extended(IntegrityError, retries=1))

    async def _small_content(self, request: PlannedRequest, expected: ExpectedContent) -> bytes | bytearray:
        assert expected.size is not None
        pieces: list[bytes | bytearray] = []
        async with self._engine.stream_once(request) as answer:
            total, missing = check_response_headers(answer.status, answer.headers, expected, _ALL).total, expected.size
            async for piece in self.pieces(answer):
                pieces.append(piece)
                missing -= len(piece)
                if missing < 0:
                    raise IntegrityError(f"more bytes arrive than the {expected.size} of the object")
        if missing and total is not None:
            raise NetworkError("the connection ended before the content did", method="GET", path=request.path)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    async def _fill(
        self,
        object_key: str,
        expected: ExpectedContent,
        part: PartFile,
        version: int | None,
        on_bytes: Callable[[int], None] | None,
    ) -> None:
        """All of the content, over as many connections as it takes."""
        query = DownloadQuery(version=version) if version is not None else None
        etag, total = expected.etag, None
        retries = Retries(self._engine.policy)
        whole = 0 < part.length == expected.size
        while not whole:
            before, answered = part.length, False
            asked = range_headers(part.length, etag)
            request = self._engine.plan(DOWNLOAD, query=query, headers=asked, keys={"object_key": object_key})
            try:
                async with self._engine.stream(request) as answer:
                    incoming, answered = check_response_headers(answer.status, answer.headers, expected, asked), True
                    if part.length != incoming.start:
                        part.restart()
                    etag, total = incoming.etag, incoming.total
                    end = total if total is not None else expected.size
                    await self._receive(answer, part, end, on_bytes)
                _must_have_arrived(part, total, request.path)
                whole = True
            except NetworkError as wrong:
                if part.length - before >= GAIN_BYTES:
                    retries.progressed()
                # The engine has already retried a request that was never answered.
                delay = retries.delay_after(wrong) if answered else None
                if delay is None:
                    raise
                await asyncio.sleep(delay)
            except RequestFailedError as wrong:
                if wrong.status != 416:
                    raise
                raise IntegrityError("the server has less of the object than had arrived before") from None
        verify(part.length, part.md5, expected, total)

    async def pieces(self, answer: StreamingResponse) -> AsyncIterator[bytes | bytearray]:
        """The body as it arrives; what is not read is held back by the network, so that waiting here limits it."""
        limit = self._rate_limit
        async for piece in answer.pieces(PIECE_BYTES if limit is None else limit.piece(PIECE_BYTES)):
            if limit is not None:
                await limit.spend(len(piece))
            yield piece

    async def _receive(
        self,
        answer: StreamingResponse,
        part: PartFile,
        end: int | None,
        on_bytes: Callable[[int], None] | None,
    ) -> None:
        """Store each piece while the next ones arrive."""
        writer: HashingWriter | None = None
        try:
            async for piece in self.pieces(answer):
                arrived = part.length if writer is None else writer.end
                if end is not None and arrived + len(piece) > end:
                    raise IntegrityError(f"more bytes arrive than the {end} that were announced")
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


def stored(content: Piece, expected: ExpectedContent, open_part: Callable[[], PartFile]) -> PartFile:
    """The content in its part, if it is the right one."""
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
    """A body can end early without any sign of it, on connections that nobody frames."""
    if total is not None and part.length < total:
        raise NetworkError("the connection ended before the content did", method="GET", path=path)


async def described(engine: Engine, found: CloudObject | str, version: int | None) -> CloudObject:
    """What the server says about the content: of a bare key, and of an old version, its list of versions tells."""
    known = found if isinstance(found, CloudObject) else CloudObject(object_key=found)
    if version is None and isinstance(found, CloudObject):
        return known
    versions = await engine.call(VERSIONS, FileVersions, keys={"object_key": known.object_key})
    for one in versions.obj_versions or ():
        if one.version == version or (version is None and one.is_current_version):
            return CloudObject(
                object_key=known.object_key,
                object_name=known.object_name,
                size_in_bytes=one.size_in_bytes,
                hash=one.hash,
                last_modified_date=one.created_date,
            )
    # A server need not tell; the length that it announces with the content is then all there is to check.
    return CloudObject(object_key=known.object_key, object_name=known.object_name)


async def download_object(
    engine: Engine,
    found: CloudObject | str,
    destination: Path,
    *,
    overwrite: bool = False,
    version: int | None = None,
    rate_limit: RateLimit | None = None,
    within: Path | None = None,
    progress: Progress | None = None,
) -> Downloaded:
    """Download a file, given as an object or by its key, to `destination`, or into it where it is a folder.

    DestinationExistsError when something is there already, unless `overwrite`; what is there stays until the whole
    new file takes its place. Nothing is made before the server has told of the object; `within` is a folder that the
    file must end up in, whatever links are or come to be below it.
    """
    threads, content = DiskThreads(), await described(engine, found, version)
    key, expected = content.object_key, ExpectedContent.of(content.size_in_bytes, content.hash)
    target = destination / safe_name(content.object_name or key) if destination.is_dir() else destination

    def tell(received: int) -> None:
        if progress is not None:
            progress(received, received if expected.size is None else expected.size)

    folder = await threads.run(LocalFolder.open, target.parent, within)
    try:
        if not overwrite and folder.look(target.name) is not None:
            raise DestinationExistsError(f"{target} is there already")
        mark = key if version is None else f"{key}?{version}"
        part = await threads.run(PartFile, folder, part_name(target.name, mark))
        try:
            fetcher = ContentFetcher(engine, threads, rate_limit)
            await fetcher.fetch(key, expected, part, version=version, on_bytes=tell)
            await threads.run(put_in_place, part, target.name, content.last_modified_date, replace=overwrite)
        except IntegrityError:
            part.discard()
            raise
        finally:
            part.close()
    finally:
        folder.close()
    return Downloaded(path=target, object_key=key, size=part.length, md5=part.md5, verified=expected.md5 is not None)


def put_in_place(part: PartFile, name: str, modified_ms: int | None, *, replace: bool) -> None:
    """Make the part the file of that name: its bytes on the disk first, then the name, then the name on the disk."""
    part.set_time(modified_ms)
    sync_file(part.file)
    part.folder.give_name(part.name, name, replace=replace)
    part.folder.sync()
