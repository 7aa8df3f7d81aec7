"""Small files uploaded in batches: one read, one request and one commit on the server for many files."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.rate_limit import RateLimit
from skyshelf.client.engine.requests import decode
from skyshelf.client.errors import RequestFailedError, SkyshelfError, UnexpectedAnswerError
from skyshelf.client.http.messages import PlannedRequest
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.upload.file import UploadOptions, file_metadata, form
from skyshelf.client.upload.source import UploadSource
from skyshelf.wire.endpoints.uploads import UPLOAD_MANY
from skyshelf.wire.limits import MIB
from skyshelf.wire.resources.uploads import ManyUploaded, ManyUploads, UploadMetadata

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
        """FileContent all of them in one thread; None for a file whose size has changed."""
        return await asyncio.to_thread(lambda: [self._read(file) for file in files])

    def _read(self, file: QueuedFile) -> FileContent | SkyshelfError | None:
        try:
            source = UploadSource(file.path)
            try:
                if source.size != file.size:
                    return None
                data, md5 = source.read_hashed(0, source.size)
                return FileContent(
                    file, file_metadata(source, self._options, file.folder_key, file.path.name, md5), data
                )
            finally:
                source.close()
        except SkyshelfError as error:
            return error

    async def send(self, files: Sequence[FileContent]) -> list[bool]:
        """Upload a batch; which of its files have arrived.

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
            # 401 included: some servers answer so to paths that they do not know.
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
        return await self._engine.read(request, lambda response: _arrived(response.body, files, request))


def _arrived(body: bytes, files: Sequence[FileContent], request: PlannedRequest) -> list[bool]:
    outcomes = decode(ManyUploaded, body, request).files or []
    if len(outcomes) != len(files):
        raise UnexpectedAnswerError(f"the server reports {len(outcomes)} files, but {len(files)} were sent")
    return [
        outcome.object is not None
        and (outcome.object.size_in_bytes, outcome.object.hash) == (file.metadata.size, file.metadata.hash)
        for outcome, file in zip(outcomes, files, strict=True)
    ]
