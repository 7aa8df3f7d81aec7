"""Reads of the event loop from the metadata store: its version, and the rows of small calls.

An embedded store is read at once: its rows are in the memory of this machine. A store behind a network is asked for its
version, once for all requests of a turn of the loop, and for the rows that a function needs, as the function asks.
"""

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

from skyshelf.server.pipeline.operation import NotAtOnce
from skyshelf.server.pipeline.request import ServerRequest
from skyshelf.server.pipeline.threads import Threads
from skyshelf.service.context import ServiceContext
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.replay import MissingRows, NotReplayed, Replay
from skyshelf.storage.metadata.store import StoreVersion

T = TypeVar("T")
QUERIES_MAX: Final = 8
"""Maximum number of queries of a call that is answered on the event loop."""


class LoopReads:
    def __init__(self, ctx: ServiceContext, threads: Threads, *, is_on: bool = True) -> None:
        self.is_on = is_on
        """Whether the event loop reads anything; if not, every operation runs in a thread."""
        self._ctx = ctx
        self._threads = threads
        self._versions = ctx.metadata.versions()
        self._version_now: object = None

    @property
    def is_remote(self) -> bool:
        """Whether the store is behind a network, and the event loop may ask it."""
        return self.is_on and self._versions is not None

    async def open(self) -> None:
        if self._versions is not None:
            await self._versions.open()

    async def close(self) -> None:
        if self._versions is not None:
            await self._versions.close()

    def version_now(self) -> object | None:
        """Return the version of an embedded store, read once per turn of the loop; None if threads have to read.

        A request of this turn arrived before it, so it cannot know of a commit within it.
        """
        if not self.is_on or self._versions is not None:
            return None
        if self._version_now is None:
            try:
                self._version_now = self._ctx.metadata.version()
            except StorageError:
                return None  # a thread will fail as well, and its error is answered
            asyncio.get_running_loop().call_soon(self._forget_version)
        return self._version_now

    def _forget_version(self) -> None:
        self._version_now = None

    async def version(self) -> StoreVersion | None:
        """Return the version of a store behind a network; None if it cannot be read at present."""
        return None if self._versions is None else await self._versions.read()

    async def run(self, request: ServerRequest, work: Callable[[], T]) -> T:
        """Run the function with rows that the event loop reads, or in a thread if that is not possible.

        Only for callers whose credential has proved valid before: an invented one must cost no more than one query.
        """
        assert request.requester is not None
        if not isinstance(request.requester.key, int):
            raise NotAtOnce
        assert self._versions is not None
        replay = Replay()
        for _ in range(QUERIES_MAX):
            try:
                return replay.run(work)
            except NotReplayed:
                break
            except MissingRows as missing:
                asked = missing
            rows = await self._versions.rows(asked)
            if rows is None:
                break
            replay.add(asked, rows)
        return await self._threads.call(work)
