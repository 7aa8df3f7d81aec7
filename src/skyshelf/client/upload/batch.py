"""Small files that are uploaded together: one reading, one call, and one wait of the server's for a handful of them."""

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

FILES_TOGETHER: Final = 100
BYTES_TOGETHER: Final = 4 * MIB
BYTES_OF_ONE: Final = MIB
"""A file of more is better off by itself: several of them are sent at once."""

MAX_BATCHES_IN_FLIGHT: Final = 2
"""The server works on one while the next one comes; more would gain little, and let everybody else wait longer."""


class LocalFile(Struct, frozen=True):
    """A file to upload: where it is and how large it looked, its folder on the server, and what has its name there."""

    path: Path
    size: int
    folder_key: str
    there: RemoteObject | None


class Read(Struct, frozen=True):
    """A file that has been read, and what the server will be told about it."""

    file: LocalFile
    metadata: UploadMetadata
    data: bytes

    @property
    def is_there(self) -> bool:
        """Whether the server has exactly this under this name."""
        there, metadata = self.file.there, self.metadata
        return there is not None and (there.size, there.md5) == (metadata.size, metadata.hash)


class NotTakenError(Exception):
    """Nothing was uploaded: the server, or something before it, does not take files together."""


class UploadBatcher:
    """Which files go together, and how they go."""

    def __init__(self, engine: Engine, options: UploadOptions, rate_limit: RateLimit | None) -> None:
        self._engine = engine
        self._options = options
        self._rate_limit = rate_limit
        self._endpoint = engine.capabilities.upload_batch
        self._under_way = asyncio.Semaphore(MAX_BATCHES_IN_FLIGHT)
        self._most = min(BYTES_TOGETHER, options.small)

    def is_small(self, file: LocalFile) -> bool:
        """Whether it may go with others."""
        return file.size <= min(BYTES_OF_ONE, self._most) and not self._endpoint.is_abandoned

    def fits(self, batch: Sequence[LocalFile], file: LocalFile) -> bool:
        """Whether a further small file may go with these."""
        return len(batch) < FILES_TOGETHER and sum(one.size for one in batch) + file.size <= self._most

    async def read(self, files: Sequence[LocalFile]) -> "list[Read | SkyshelfError | None]":
        """Read all of them, in one go in a thread; None for one that has another size by now."""
        return await asyncio.to_thread(lambda: [self._read(file) for file in files])

    def _read(self, file: LocalFile) -> Read | SkyshelfError | None:
        try:
            source = UploadSource(file.path)
            try:
                if source.size != file.size:
                    return None
                data, md5 = source.read_hashed(0, source.size)
                return Read(file, file_metadata(source, self._options, file.folder_key, file.path.name, md5), data)
            finally:
                source.close()
        except SkyshelfError as error:
            return error

    async def send(self, files: Sequence[Read]) -> list[bool]:
        """Upload them; which of them have arrived. NotTakenError where none has, and each may be sent by itself.

        Where the answer is another error, some of them may have arrived all the same.
        """
        try:
            async with self._under_way:
                if self._endpoint.is_abandoned:
                    raise NotTakenError
                with self._endpoint.probe():
                    return await self._send(files)
        except RequestFailedError as error:
            if error.status is None or error.status >= 500:
                raise
            # Also of a session that is none: not every server says so of what it does not know alone.
            raise NotTakenError from None

    async def _send(self, files: Sequence[Read]) -> list[bool]:
        content, content_type = form(ManyUploads(files=[file.metadata for file in files]), *[one.data for one in files])
        if self._rate_limit is not None:
            await self._rate_limit.spend(len(content))
        request = self._engine.plan(UPLOAD_MANY, content=content, content_type=content_type)
        # A server that may not have the call is not asked for it again and again.
        request = replace(request, repeatable=request.repeatable and self._endpoint.is_proven)
        return await self._engine.read(request, lambda answer: _arrived(answer.body, files, request))


def _arrived(body: bytes, files: Sequence[Read], request: PlannedRequest) -> list[bool]:
    outcomes = decode(ManyUploaded, body, request).files or []
    if len(outcomes) != len(files):
        raise UnexpectedAnswerError(f"the server tells of {len(outcomes)} files, and {len(files)} were sent")
    return [
        outcome.object is not None
        and (outcome.object.size_in_bytes, outcome.object.hash) == (file.metadata.size, file.metadata.hash)
        for outcome, file in zip(outcomes, files, strict=True)
    ]
