"""Worker threads: where all blocking work of the server happens."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

from skyshelf.server.call_threads import CallThreads
from skyshelf.service.errors import Throttled

T = TypeVar("T")


class Threads:
    """Three pools, so that neither slow bodies nor costly work ever keep a small request waiting.

    Threads of a pool live on: each has its own connection to an embedded store.
    """

    def __init__(self, *, calls: int = 16, bodies: int = 256, slow: int = 2, slow_waiting: int = 64) -> None:
        self._calls = CallThreads(calls, "skyshelf-call")
        self._bodies = ThreadPoolExecutor(bodies, thread_name_prefix="skyshelf-body")
        self._slow = ThreadPoolExecutor(slow, thread_name_prefix="skyshelf-slow")
        self._slow_places = slow + slow_waiting

    async def call(self, work: Callable[[], T]) -> T:
        """Run something short."""
        return await self._calls.run(work)

    async def slow(self, work: Callable[[], T]) -> T:
        """Run something that costs much, such as the hash of a password; a queue that is too long is refused."""
        if self._slow_places == 0:
            raise Throttled(1)
        self._slow_places -= 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._slow, copy_context().run, work)
        finally:
            self._slow_places += 1

    async def body(self, work: Callable[[], T]) -> T:
        """Run something that lasts as long as a body takes to arrive."""
        return await asyncio.get_running_loop().run_in_executor(self._bodies, copy_context().run, work)

    async def pieces(self, chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
        """Read an iterator piece by piece; a thread is needed only while a piece is read."""
        while (piece := await self.call(lambda: next(chunks, None))) is not None:
            yield piece

    def close(self) -> None:
        self._calls.close()
        self._slow.shutdown(wait=True, cancel_futures=True)
        self._bodies.shutdown(wait=True, cancel_futures=True)
