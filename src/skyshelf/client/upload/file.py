"""Uploading one file: in one call where it is small, else in chunks that go on where they were after any crash."""

import asyncio
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import DecodeError, Struct, ValidationError, json
from msgspec.structs import replace

from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.rate_limit import RateLimit
from skyshelf.client.engine.requests import build_request_model
from skyshelf.client.errors import (
    ConflictError,
    InvalidRequestError,
    NotOfferedError,
    ObjectNotFoundError,
    RequestFailedError,
    UnexpectedAnswerError,
)
from skyshelf.client.objects.listing import folder_pages
from skyshelf.client.objects.remote_object import RemoteObject, remote_object
from skyshelf.client.upload.source import Hashed, UploadSource
from skyshelf.wire import error_codes as codes
from skyshelf.wire.endpoints.uploads import INITIATE_UPLOAD, UPLOAD, UPLOAD_CHUNK
from skyshelf.wire.headers import MULTIPART, OCTET_STREAM
from skyshelf.wire.limits import CHUNK_BYTES_DEFAULT, CHUNK_BYTES_MAX
from skyshelf.wire.resources.uploads import (
    FILE_FIELD,
    METADATA_FIELD,
    ChunkHeaders,
    ChunkQuery,
    ManyUploads,
    OffsetConflict,
    UploadMetadata,
    UploadProgress,
)

SMALL_BYTES: Final = 4 * 1024 * 1024
"""Files up to this size are sent in one call."""

_LEAST_AT_ONCE: Final = 64 * 1024

Progress = Callable[[int, int], None]
"""Told how many bytes the server has, and of how many."""


class UploadOptions(Struct, frozen=True, kw_only=True):
    """How a file is uploaded, and what is stored with it.

    Files up to `small` bytes are sent in one request, others in chunks of `chunk_size` bytes. `source_name` and
    `source_folder` say where a backup found the file, `appcode` which app uploads it.
    """

    small: int = SMALL_BYTES
    chunk_size: int = CHUNK_BYTES_DEFAULT
    source_name: str | None = None
    source_folder: str | None = None
    appcode: str | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.chunk_size <= CHUNK_BYTES_MAX:
            raise InvalidRequestError(f"a chunk has 1 to {CHUNK_BYTES_MAX} bytes")


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
    """Upload a file; a file of that name gets a next version, and the same content is not sent again."""
    chosen = limited(options or UploadOptions(), rate_limit)
    source = await asyncio.to_thread(UploadSource, path)
    try:
        upload = _Upload(engine, source, chosen, rate_limit, progress or _nobody, board_key=board_key)
        return await upload.run(folder_key, name or path.name)
    finally:
        source.close()


def limited(options: UploadOptions, limit: RateLimit | None) -> UploadOptions:
    """What is sent at once takes about a second of the limit: bodies leave this machine as fast as they can."""
    if limit is None:
        return options
    most = max(_LEAST_AT_ONCE, limit.bytes_per_second)
    return replace(options, small=min(options.small, most), chunk_size=min(options.chunk_size, most))


def described(
    source: UploadSource,
    options: UploadOptions,
    folder_key: str | None,
    name: str,
    md5: str,
    *,
    board_key: str | None = None,
) -> UploadMetadata:
    """What the server is told about a file."""
    more = {"source_name": options.source_name} if options.source_name else {}
    return build_request_model(
        lambda: UploadMetadata(
            name=name,
            size=source.size,
            hash=md5,
            folder_key=folder_key,
            file_created_date=source.created_ms,
            last_modified_date=source.modified_ms,
            source_folder=options.source_folder,
            appcode=options.appcode,
            board_key=board_key,
            **more,
        ),
        **({} if folder_key is None else {"folder_key": folder_key}),
    )


def _nobody(_done: int, _total: int) -> None:
    pass


class _Upload:
    """One file on its way."""

    def __init__(
        self,
        engine: Engine,
        source: UploadSource,
        options: UploadOptions,
        rate_limit: RateLimit | None,
        progress: Progress,
        *,
        board_key: str | None = None,
    ) -> None:
        self._engine = engine
        self._board_key = board_key
        self._source = source
        self._options = options
        self._rate_limit = rate_limit
        self._progress = progress
        # Of a file that is sent at once, whole or as its only chunk: it is read and hashed once for both.
        self._whole: Hashed | None = None

    async def run(self, folder_key: str | None, name: str) -> RemoteObject:
        size, options = self._source.size, self._options
        if size <= max(options.small, options.chunk_size):
            self._whole = await asyncio.to_thread(self._source.read_hashed, 0, size)
            metadata = self._describe(folder_key, name, self._whole.md5)
        else:
            metadata = self._describe(folder_key, name, await asyncio.to_thread(self._source.md5))
        self._progress(0, size)
        if self._whole is not None and size <= options.small:
            done = await self._in_one_call(metadata, self._whole.data)
        else:
            done = await self._in_chunks(metadata)
        await asyncio.to_thread(self._source.check)
        self._progress(size, size)
        return done

    async def _pay(self, count: int) -> None:
        if self._rate_limit is not None:
            await self._rate_limit.spend(count)

    def _describe(self, folder_key: str | None, name: str, md5: str) -> UploadMetadata:
        return described(self._source, self._options, folder_key, name, md5, board_key=self._board_key)

    async def _in_one_call(self, metadata: UploadMetadata, data: bytes) -> RemoteObject:
        content, content_type = form(metadata, data)
        await self._pay(len(content))
        request = self._engine.plan(UPLOAD, content=content, content_type=content_type)
        try:
            return await self._engine.read(request, lambda answer: remote_object(answer.body))
        except RequestFailedError as error:
            if not error.retryable:
                raise _not_offered(error) from None
            # It may have arrived. Beginning an upload of the same content is safe to repeat, and tells.
            if metadata.size:
                return await self._in_chunks(metadata)
            there = await _same_file(self._engine, metadata)
            if there is None:
                raise
            return there

    async def _in_chunks(self, metadata: UploadMetadata) -> RemoteObject:
        """Send chunks until the server has all of it. Whatever goes wrong, beginning again tells how far it is."""
        failures = 0
        furthest = -1
        state = await self._begin(metadata)
        while isinstance(state, UploadProgress):
            transaction, offset = state.transaction_id, state.offset or 0
            if not 0 <= offset < metadata.size:
                raise UnexpectedAnswerError(f"the server wants byte {offset} of a file of {metadata.size} bytes")
            if offset > furthest:
                furthest, failures = offset, 0
                self._progress(offset, metadata.size)
            try:
                state = await self._send_chunk(transaction, offset)
            except RequestFailedError as error:
                wait = self._wait_after(error, failures)
                if wait is None:
                    raise
                failures += 1
                right = _right_offset(error, transaction)
                if right is None:
                    await asyncio.sleep(wait)
                state = right or await self._begin(metadata)
        return state

    def _wait_after(self, error: RequestFailedError, failures: int) -> float | None:
        """Seconds to wait before going on; None where going on makes no sense."""
        may_go_on = error.retryable or error.code in _GOES_ON
        if not may_go_on or failures >= max(1, self._engine.policy.retries):
            return None
        waits = error.retryable or error.code == codes.UPLOAD_BUSY.code
        return self._engine.policy.wait * 2.0**failures if waits else 0.0

    async def _begin(self, metadata: UploadMetadata) -> UploadProgress | RemoteObject:
        request = self._engine.plan(INITIATE_UPLOAD, body=metadata)
        try:
            return await self._engine.read(request, lambda answer: _state(answer.body))
        except RequestFailedError as error:
            raise _not_offered(error) from None

    async def _send_chunk(self, transaction_id: str, offset: int) -> UploadProgress | RemoteObject:
        data, md5 = await self._chunk_at(offset)
        await self._pay(len(data))
        request = self._engine.plan(
            UPLOAD_CHUNK,
            query=ChunkQuery(upload_id=transaction_id),
            headers=ChunkHeaders(offset=offset, md5=md5),
            content=data,
            content_type=OCTET_STREAM,
        )
        try:
            return await self._engine.read(request, lambda answer: _state(answer.body))
        except InvalidRequestError:
            # A hash that does not fit: the bytes were damaged on the way, or the file is another one by now.
            await asyncio.to_thread(self._source.check)
            raise

    async def _chunk_at(self, offset: int) -> Hashed:
        most = self._options.chunk_size
        if self._whole is not None and offset == 0 and len(self._whole.data) <= most:
            return self._whole
        return await asyncio.to_thread(self._source.read_hashed, offset, most)


_GOES_ON: Final = frozenset(
    row.code
    for row in (
        codes.UPLOAD_OFFSET,
        codes.UPLOAD_BUSY,
        codes.UPLOAD_NOT_FOUND,
        codes.CHUNK_HASH_MISMATCH,
        codes.CONTENT_HASH_MISMATCH,
    )
)


def form(metadata: UploadMetadata | ManyUploads, *contents: bytes) -> tuple[bytes, str]:
    """The body of a whole upload, or of many, and its Content-Type."""
    boundary = secrets.token_hex(24)
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="{METADATA_FIELD}"\r\n\r\n'.encode()
    middle = (
        f'\r\n--{boundary}\r\nContent-Disposition: form-data; name="{FILE_FIELD}"; filename="file"\r\n'
        f"Content-Type: {OCTET_STREAM}\r\n\r\n"
    ).encode()
    end = f"\r\n--{boundary}--\r\n".encode()
    return b"".join((head, json.encode(metadata), middle, *contents, end)), f"{MULTIPART}; boundary={boundary}"


def _state(body: bytes) -> UploadProgress | RemoteObject:
    """How far an upload is, or the object when it is there."""
    try:
        return json.decode(body, type=UploadProgress)
    except (ValidationError, DecodeError, UnicodeDecodeError):
        return remote_object(body)


def _right_offset(error: RequestFailedError, transaction_id: str) -> UploadProgress | None:
    if not isinstance(error, ConflictError) or error.code != codes.UPLOAD_OFFSET.code:
        return None
    try:
        told = json.decode(error.body, type=OffsetConflict)
    except (ValidationError, DecodeError, UnicodeDecodeError):
        return None
    return None if told.offset is None else UploadProgress(transaction_id=transaction_id, offset=told.offset)


def _not_offered(error: RequestFailedError) -> RequestFailedError:
    known = {codes.OBJECT_NOT_FOUND.code, codes.UPLOAD_NOT_FOUND.code}
    missing = isinstance(error, ObjectNotFoundError) and error.code not in known
    if not missing and error.status not in {405, 501}:
        return error
    return NotOfferedError(
        "this server does not take uploads",
        status=error.status,
        code=error.code or codes.NOT_OFFERED.code,
        method=error.method,
        path=error.path,
        request_id=error.request_id,
    )


async def _same_file(engine: Engine, metadata: UploadMetadata) -> RemoteObject | None:
    """The file of that name and content, where the folder has it."""
    if metadata.folder_key is None:
        return None
    async for found in folder_pages(engine, metadata.folder_key, "f"):
        for each in found:
            if (each.name, each.size, each.md5) == (metadata.name, metadata.size, metadata.hash):
                return each.detached_copy()
    return None
