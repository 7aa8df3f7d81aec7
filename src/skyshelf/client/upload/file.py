"""Uploading one file: a small one in a single request, a large one in chunks that resume after any crash."""

import asyncio
import secrets
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from msgspec import DecodeError, Struct, ValidationError, json
from msgspec.structs import replace

from skyshelf.client.engine.capabilities import require_extension
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pacer import RateLimit
from skyshelf.client.engine.requests import checked
from skyshelf.client.engine.retries import Retries
from skyshelf.client.errors import (
    ConflictError,
    IntegrityError,
    InvalidRequestError,
    RequestFailedError,
    UnexpectedAnswerError,
)
from skyshelf.client.objects.listing import folder_pages
from skyshelf.client.objects.remote_object import RemoteObject, remote_object
from skyshelf.client.upload.source import HashedBytes, UploadSource
from skyshelf.wire import error_codes as codes
from skyshelf.wire.endpoints.uploads import INITIATE_UPLOAD, UPLOAD, UPLOAD_CHUNK
from skyshelf.wire.headers import MULTIPART, OCTET_STREAM
from skyshelf.wire.limits import CHUNK_BYTES_DEFAULT, CHUNK_BYTES_MAX
from skyshelf.wire.resources import uploads as wire

SMALL_BYTES: Final = 4 * 1024 * 1024
"""Files up to this size are sent in one request."""

_REQUEST_BYTES_MIN: Final = 64 * 1024
_FEATURE: Final = "accept uploads"

Progress = Callable[[int, int], None]
"""Called with the bytes that the server has, and the total."""


class UploadOptions(Struct, frozen=True, kw_only=True):
    """How a file is uploaded, and what is stored with it.

    Files up to `small` bytes are sent in one request, others in chunks of `chunk_size` bytes. `source_name` and
    `source_folder` say where a backup found the file, `appcode` which app uploads it. With `expected_version` a file is
    stored only as the next version of that one, and with 0 only where no file has its name; otherwise ConflictError.
    """

    small: int = SMALL_BYTES
    chunk_size: int = CHUNK_BYTES_DEFAULT
    source_name: str | None = None
    source_folder: str | None = None
    appcode: str | None = None
    expected_version: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.chunk_size <= CHUNK_BYTES_MAX:
            raise InvalidRequestError(f"chunk_size must be from 1 to {CHUNK_BYTES_MAX} bytes")


async def upload_file(
    engine: Engine,
    path: Path,
    folder_key: str | None,
    *,
    board_key: str | None = None,
    name: str | None = None,
    options: UploadOptions | None = None,
    rate_limit: RateLimit | None = None,
    progress: Progress | None = None,
) -> RemoteObject:
    """Upload a file: a new version of an existing file of that name, unless it has the same content."""
    chosen = limited(options or UploadOptions(), rate_limit)
    with closing(await asyncio.to_thread(UploadSource, path)) as source:
        upload = _Upload(engine, source, chosen, rate_limit, progress or (lambda _done, _total: None), board_key)
        done = await upload.run(folder_key, name or path.name)
        engine.written.put(done, done.parent_key or folder_key)
        return done


def limited(options: UploadOptions, limit: RateLimit | None) -> UploadOptions:
    """Adapt options to a rate limit: each request takes about a second of it, since bodies are sent at full speed."""
    if limit is None:
        return options
    largest = max(_REQUEST_BYTES_MIN, limit.bytes_per_second)
    return replace(options, small=min(options.small, largest), chunk_size=min(options.chunk_size, largest))


def file_metadata(
    source: UploadSource,
    options: UploadOptions,
    folder_key: str | None,
    name: str,
    md5: str,
    *,
    board_key: str | None = None,
) -> wire.UploadMetadata:
    """Build what is sent to the server about a file."""
    more = {"source_name": options.source_name} if options.source_name else {}
    return checked(
        wire.UploadMetadata,
        name=name,
        size=source.size,
        hash=md5,
        folder_key=folder_key,
        file_created_date=source.created_ms,
        last_modified_date=source.modified_ms,
        source_folder=options.source_folder,
        appcode=options.appcode,
        board_key=board_key,
        expected_version=options.expected_version,
        **more,
    )


class _Upload(Struct, eq=False):
    """One file being uploaded; `whole` is one that fits into one request or chunk, which is read and hashed once."""

    engine: Engine
    source: UploadSource
    options: UploadOptions
    rate_limit: RateLimit | None
    progress: Progress
    board_key: str | None
    whole: HashedBytes | None = None

    async def run(self, folder_key: str | None, name: str) -> RemoteObject:
        size, options = self.source.size, self.options
        if size <= max(options.small, options.chunk_size):
            self.whole = await asyncio.to_thread(self.source.read_hashed, 0, size)
            metadata = self._describe(folder_key, name, self.whole.md5)
        else:
            metadata = self._describe(folder_key, name, await asyncio.to_thread(self.source.md5))
        self.progress(0, size)
        if self.whole is not None and size <= options.small:
            uploaded = await self._in_one_request(metadata, self.whole.data)
        else:
            uploaded = await self._in_chunks(metadata)
        await asyncio.to_thread(self.source.check)
        if uploaded.md5 not in {None, metadata.hash}:
            raise IntegrityError("the server reports success, but shows the file with another content: upload it again")
        self.progress(size, size)
        return uploaded

    async def _spend(self, count: int) -> None:
        if self.rate_limit is not None:
            await self.rate_limit.spend(count)

    def _describe(self, folder_key: str | None, name: str, md5: str) -> wire.UploadMetadata:
        return file_metadata(self.source, self.options, folder_key, name, md5, board_key=self.board_key)

    async def _in_one_request(self, metadata: wire.UploadMetadata, data: bytes) -> RemoteObject:
        content, content_type = form(metadata, data)
        await self._spend(len(content))
        request = self.engine.plan(UPLOAD, content=content, content_type=content_type)
        try:
            return await self.engine.read(request, lambda response: remote_object(response.body))
        except RequestFailedError as error:
            if not error.retryable:
                with require_extension(_FEATURE):
                    raise
            # It may have arrived. Starting a chunked upload of the same content finds out, and is safe to repeat.
            if metadata.size:
                return await self._in_chunks(metadata)
            existing = await _same_file(self.engine, metadata)
            if existing is None:
                raise
            return existing

    async def _in_chunks(self, metadata: wire.UploadMetadata) -> RemoteObject:
        """Send chunks until the server has the whole file. After a failure, starting again returns the offset."""
        policy = self.engine.policy
        retries = Retries(replace(policy, codes=_RESUMABLE, busy_codes=_BUSY, retries=max(1, policy.retries)))
        furthest = -1
        state = await self._begin(metadata)
        while isinstance(state, wire.UploadProgress):
            transaction, offset = state.transaction_id, state.offset or 0
            if not 0 <= offset < metadata.size:
                raise UnexpectedAnswerError(f"the server asks for byte {offset} of a file of {metadata.size} bytes")
            if offset > furthest:
                furthest = offset
                retries.progressed()
                self.progress(offset, metadata.size)
            try:
                state = await self._send_chunk(transaction, offset)
            except RequestFailedError as error:
                delay = retries.delay_after(error)
                if delay is None:
                    raise
                expected = _expected_offset(error, transaction)
                if expected is None:
                    await asyncio.sleep(delay)
                state = expected or await self._begin(metadata)
        return state

    async def _begin(self, metadata: wire.UploadMetadata) -> wire.UploadProgress | RemoteObject:
        request = self.engine.plan(INITIATE_UPLOAD, body=metadata)
        with require_extension(_FEATURE):
            return await self.engine.read(request, lambda response: _state(response.body))

    async def _send_chunk(self, transaction_id: str, offset: int) -> wire.UploadProgress | RemoteObject:
        data, md5 = await self._chunk_at(offset)
        await self._spend(len(data))
        request = self.engine.plan(
            UPLOAD_CHUNK,
            query=wire.ChunkQuery(upload_id=transaction_id),
            headers=wire.ChunkHeaders(offset=offset, md5=md5),
            content=data,
            content_type=OCTET_STREAM,
        )
        try:
            return await self.engine.read(request, lambda response: _state(response.body))
        except InvalidRequestError:
            # A wrong hash: the bytes were damaged in transit, or the file has changed.
            await asyncio.to_thread(self.source.check)
            raise

    async def _chunk_at(self, offset: int) -> HashedBytes:
        size = self.options.chunk_size
        if self.whole is not None and offset == 0 and len(self.whole.data) <= size:
            return self.whole
        return await asyncio.to_thread(self.source.read_hashed, offset, size)


_RESUMABLE: Final = frozenset(
    row.code
    for row in (codes.UPLOAD_OFFSET, codes.UPLOAD_NOT_FOUND, codes.CHUNK_HASH_MISMATCH, codes.CONTENT_HASH_MISMATCH)
)
_BUSY: Final = frozenset({codes.UPLOAD_BUSY.code})


def form(metadata: wire.UploadMetadata | wire.ManyUploads, *contents: bytes) -> tuple[bytes, str]:
    """Build the body of an upload of one file or several, and its Content-Type."""
    boundary = secrets.token_hex(24)
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="{wire.METADATA_FIELD}"\r\n\r\n'.encode()
    middle = (
        f'\r\n--{boundary}\r\nContent-Disposition: form-data; name="{wire.FILE_FIELD}"; filename="file"\r\n'
        f"Content-Type: {OCTET_STREAM}\r\n\r\n"
    ).encode()
    end = f"\r\n--{boundary}--\r\n".encode()
    return b"".join((head, json.encode(metadata), middle, *contents, end)), f"{MULTIPART}; boundary={boundary}"


def _state(body: bytes) -> wire.UploadProgress | RemoteObject:
    """Return how far an upload is, or the object once it is complete."""
    try:
        return json.decode(body, type=wire.UploadProgress)
    except (ValidationError, DecodeError, UnicodeDecodeError):
        return remote_object(body)


def _expected_offset(error: RequestFailedError, transaction_id: str) -> wire.UploadProgress | None:
    if not isinstance(error, ConflictError) or error.code != codes.UPLOAD_OFFSET.code:
        return None
    try:
        conflict = json.decode(error.body, type=wire.OffsetConflict)
    except (ValidationError, DecodeError, UnicodeDecodeError):
        return None
    return (
        None if conflict.offset is None else wire.UploadProgress(transaction_id=transaction_id, offset=conflict.offset)
    )


async def _same_file(engine: Engine, metadata: wire.UploadMetadata) -> RemoteObject | None:
    """Find the file of that name and content in the folder."""
    if metadata.folder_key is None:
        return None
    async for found in folder_pages(engine, metadata.folder_key, "f"):
        for each in found:
            if (each.name, each.size, each.md5) == (metadata.name, metadata.size, metadata.hash):
                return each.detached_copy()
    return None
