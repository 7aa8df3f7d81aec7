"""Small files uploaded in batches: one read, one request and one commit on the server for many files."""

import asyncio
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from msgspec import Raw, Struct
from msgspec.structs import replace

from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pacer import RateLimit
from skyshelf.client.engine.requests import decode
from skyshelf.client.errors import RequestFailedError, SkyshelfError, UnexpectedAnswerError
from skyshelf.client.http.messages import PlannedRequest
from skyshelf.client.objects.remote_object import RemoteObject, remote_object
from skyshelf.client.upload.file import UploadOptions, file_metadata, form
from skyshelf.client.upload.source import UploadSource
from skyshelf.wire.endpoints.uploads import UPLOAD_MANY
from skyshelf.wire.limits import MIB
from skyshelf.wire.resources.uploads import ManyUploads, UploadMetadata

BATCH_FILES_MAX: Final = 100
BATCH_BYTES_MAX: Final = 4 * MIB
SMALL_BYTES: Final = MIB
"""A larger file is uploaded separately, several at a time."""

MAX_BATCHES_IN_FLIGHT: Final = 2
"""The server commits one batch while the next arrives; more would gain little and delay other clients."""


class QueuedFile(Struct, frozen=True):
    """A file to upload: its path and size, its folder on the server, and the object of that name there."""

    path: Path
    size: int
    folder_key: str
    existing: RemoteObject | None


class FileContent(Struct, frozen=True):
    """A file that has been read, and its metadata for the server."""

    file: QueuedFile
    metadata: UploadMetadata
    data: bytes

    @property
    def is_unchanged(self) -> bool:
        """Whether the server has this content under this name."""
        existing, metadata = self.file.existing, self.metadata
        return existing is not None and (existing.size, existing.md5) == (metadata.size, metadata.hash)


class BatchRejectedError(Exception):
    """Nothing was uploaded: the server, or a proxy before it, does not accept batches."""


class UploadBatcher:
    """Forms batches of small files and uploads them."""

    def __init__(self, engine: Engine, options: UploadOptions, rate_limit: RateLimit | None) -> None:
        self._engine = engine
        self._options = options
        self._rate_limit = rate_limit
        self._endpoint = engine.capabilities.upload_batch
        self._in_flight = asyncio.Semaphore(MAX_BATCHES_IN_FLIGHT)
        self._bytes_max = min(BATCH_BYTES_MAX, options.small)

    def is_small(self, file: QueuedFile) -> bool:
        """Whether it may be part of a batch."""
        return file.size <= min(SMALL_BYTES, self._bytes_max) and not self._endpoint.is_abandoned

    def fits(self, batch: Sequence[QueuedFile], file: QueuedFile) -> bool:
        """Whether the batch has space for another small file."""
        return len(batch) < BATCH_FILES_MAX and sum(queued.size for queued in batch) + file.size <= self._bytes_max

    async def read(self, files: Sequence[QueuedFile]) -> "list[FileContent | SkyshelfError | None]":
        """Read all of them in one thread; None for a file whose size has changed."""
        return await asyncio.to_thread(lambda: [self._read(file) for file in files])

    def _read(self, file: QueuedFile) -> FileContent | SkyshelfError | None:
        try:
            with closing(UploadSource(file.path)) as source:
                if source.size != file.size:
                    return None
                data, md5 = source.read_hashed(0, source.size)
                metadata = file_metadata(source, self._options, file.folder_key, file.path.name, md5)
                return FileContent(file, metadata, data)
        except SkyshelfError as error:
            return error

    async def send(self, files: Sequence[FileContent]) -> list[bool]:
        """Upload a batch, and return which of its files have arrived.

        After a BatchRejectedError none has, and each can be uploaded separately. After any other error, some may have.
        """
        try:
            async with self._in_flight:
                if self._endpoint.is_abandoned:
                    raise BatchRejectedError
                with self._endpoint.probe():
                    return await self._send(files)
        except RequestFailedError as error:
            if error.status is None or error.status >= 500:
                raise
            # Including 401, which some servers answer for unknown paths.
            raise BatchRejectedError from None

    async def _send(self, files: Sequence[FileContent]) -> list[bool]:
        content, content_type = form(
            ManyUploads(files=[file.metadata for file in files]), *[file.data for file in files]
        )
        if self._rate_limit is not None:
            await self._rate_limit.spend(len(content))
        request = self._engine.plan(UPLOAD_MANY, content=content, content_type=content_type)
        # Until the server has accepted a batch, a failed one is not retried.
        request = replace(request, repeatable=request.repeatable and self._endpoint.is_proven)
        stored = await self._engine.read(request, lambda response: _stored(response.body, files, request))
        for found, file in zip(stored, files, strict=True):
            if found is not None:
                self._engine.written.put(found, found.parent_key or file.file.folder_key)
        return [found is not None for found in stored]


_NOTHING: Final = Raw(b"null")


class _Outcome(Struct):
    object: Raw = _NOTHING


class _Outcomes(Struct):
    files: list[_Outcome] | None = None


def _stored(body: bytes, files: Sequence[FileContent], request: PlannedRequest) -> list[RemoteObject | None]:
    """Return the object of each file that has arrived."""
    outcomes = decode(_Outcomes, body, request).files or []
    if len(outcomes) != len(files):
        raise UnexpectedAnswerError(f"the server reports {len(outcomes)} files, but {len(files)} were sent")
    found = [None if bytes(one.object) == b"null" else remote_object(one.object).detached_copy() for one in outcomes]
    return [
        one if one is not None and (one.size, one.md5) == (file.metadata.size, file.metadata.hash) else None
        for one, file in zip(found, files, strict=True)
    ]
