"""Small uploads whose bytes have all come: from a thread of their own to the thread that commits, and back."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from typing import Final, NamedTuple

from skyshelf.server.http.admission.gate import Lease
from skyshelf.server.http.bodies import BLOCK
from skyshelf.server.http.thread_pools import Results, Threads, settle
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.files.locks import Guard
from skyshelf.service.uploads import commit
from skyshelf.storage.blobs.records import StoredBlob
from skyshelf.storage.errors import StorageError, StoreUnavailable
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire.resources.uploads import UploadMetadata

SMALL_BYTES: Final = BLOCK
"""Bodies up to here are held in memory; that is as much as the routes hold of any body."""


class Arrived(NamedTuple):
    """What the bytes of a request are."""

    file: bytes
    size: int
    """As announced."""
    described: Callable[[StoredBlob], UploadMetadata]
    """Its name and dates, once the content is stored; raises where it is not what was announced."""
    guard: Guard | None = None


class SmallUpload:
    """One of them; what is read from the bytes is read in the thread."""

    def __init__(
        self,
        ctx: ServiceContext,
        threads: Threads,
        results: Results,
        *,
        caller: Caller,
        read: Callable[[], Arrived],
        lease: Lease,
    ) -> None:
        self._ctx = ctx
        self._threads = threads
        self._results = results
        self._caller = caller
        self._read = read
        self._lease = lease
        self._future: asyncio.Future[StoredObject] = results.loop.create_future()
        self._content: commit.Content | None = None

    async def stored(self) -> StoredObject:
        """The file; whatever is raised, nothing of it is left, unless the commit may have happened
        (StoreUnavailable)."""
        self._threads.small_uploads.run(partial(copy_context().run, self._store))
        return await self._future

    def _store(self) -> None:
        try:
            arrived = self._read()
            commit.check_size(self._ctx, arrived.size)
            blob = self._ctx.blobs.put([arrived.file], expected_size=arrived.size)
            content = self._content = commit.Content(blob=blob, stored_at=self._ctx.clock.now())
            metadata = arrived.described(blob)
            commit.begin_commit(self._ctx, self._caller, metadata, content, self._committed, guard=arrived.guard)
        except BaseException as error:  # noqa: BLE001 - raised where it is awaited
            self._fail(error)

    def _committed(self, stored: StoredObject | None, error: BaseException | None) -> None:
        if error is None:
            self._results.call(partial(self._settle, stored, None))
            return
        try:
            # Not here: others wait for the thread that commits.
            self._threads.small_uploads.run(partial(self._fail, error))
        except RuntimeError:  # the server is stopping
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        if self._content is not None and not isinstance(error, StoreUnavailable):
            with suppress(StorageError):
                commit.discard_content(self._ctx, self._content)
        self._results.call(partial(self._settle, None, error))

    def _settle(self, stored: StoredObject | None, error: BaseException | None) -> None:
        self._lease.release()
        settle(self._future, stored, error)
