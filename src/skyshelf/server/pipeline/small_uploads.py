"""Uploads whose bytes have all arrived: a thread stores them, and the committing thread reports to the event loop.

An ordinary upload checks quota and name before it stores a byte. With a small file in memory that is not
needed, because the commit has the last word. A refusal here leaves nothing behind, and the ordinary path takes over.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from typing import NamedTuple

from skyshelf.server.pipeline.admission.fair_queue import Lease
from skyshelf.server.pipeline.admission.requesters import current_requester
from skyshelf.server.pipeline.threads import Threads, settle
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.files.locks import Guard
from skyshelf.service.uploads import commit
from skyshelf.storage.blobs.protocols import StoredBlob
from skyshelf.storage.errors import StorageError, StoreUnavailable
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire.refusals import Refusal
from skyshelf.wire.resources.uploads import UploadMetadata


class SmallFile(NamedTuple):
    """The file in the body of a request."""

    content: bytes
    size: int
    """The announced size."""
    describe: Callable[[StoredBlob], UploadMetadata]
    """Returns its name and dates once the content is stored; raises if the content is not what was announced."""
    guard: Guard | None = None


async def store_small(
    ctx: ServiceContext, threads: Threads, caller: Caller, read: Callable[[], SmallFile], lease: Lease
) -> StoredObject | None:
    """Store the file that `read` finds in the bytes, in a thread; return None if refused, with nothing left of it.

    StoreUnavailable means that it may have been committed: a second attempt could store it twice.
    """
    if caller.leave is not None:
        lease.release()
        return None
    try:
        return await _SmallUpload(ctx, threads, caller, read, lease).stored()
    except StoreUnavailable:
        raise
    except (Refusal, StorageError):
        return None


class _SmallUpload:
    def __init__(
        self, ctx: ServiceContext, threads: Threads, caller: Caller, read: Callable[[], SmallFile], lease: Lease
    ) -> None:
        self._ctx = ctx
        self._threads = threads
        self._results = threads.results()
        self._caller = caller
        self._read = read
        self._lease = lease
        self._future: asyncio.Future[StoredObject] = self._results.loop.create_future()
        self._content: commit.Content | None = None
        # Released when the thread is free, even if nobody waits for the result.
        current_requester.get().hand_over(lease)

    async def stored(self) -> StoredObject:
        self._threads.small_uploads.run(partial(copy_context().run, self._store))
        return await self._future

    def _store(self) -> None:
        try:
            file = self._read()
            commit.check_size(self._ctx, file.size)
            self._ctx.reservations.disk.check(file.size)
            blob = self._ctx.blobs.put([file.content], expected_size=file.size)
            content = self._content = commit.Content(blob=blob, stored_at=self._ctx.clock.now())
            metadata = file.describe(blob)
            commit.begin_commit(self._ctx, self._caller, metadata, content, self._committed, guard=file.guard)
        except BaseException as error:  # noqa: BLE001 - raised where it is awaited
            self._fail(error)

    def _committed(self, stored: StoredObject | None, error: BaseException | None) -> None:
        if error is None:
            self._results.call(partial(self._settle, stored, None))
            return
        try:
            # Not in this thread: others wait for it to commit.
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
