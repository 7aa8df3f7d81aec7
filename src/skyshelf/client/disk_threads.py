"""Work on files, off the event loop. What has begun always ends before anybody goes on, also when all is cancelled."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from typing import ParamSpec, TypeVar

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


class DiskThreads:
    """Runs functions in threads: those of the event loop, or a pool of its own."""

    def __init__(self, pool: Executor | None = None) -> None:
        self._pool = pool

    def begin(
        self, work: Callable[_Given, _Result], *args: _Given.args, **named: _Given.kwargs
    ) -> "asyncio.Future[_Result]":
        """Start it; wait for it with `finished`."""
        return asyncio.get_running_loop().run_in_executor(self._pool, lambda: work(*args, **named))

    async def run(self, work: Callable[_Given, _Result], *args: _Given.args, **named: _Given.kwargs) -> _Result:
        """Run it and wait for it."""
        return await finished(self.begin(work, *args, **named))


async def finished(future: "asyncio.Future[_Result]") -> _Result:
    """The result, once the thread has really ended.

    A thread cannot be cancelled. Whoever is cancelled here waits for it all the same, because the next thing to
    happen is that files are closed, and a thread must not find another file under its number.
    """
    cancelled: asyncio.CancelledError | None = None
    while not future.done():
        try:
            await asyncio.wait([future])
        except asyncio.CancelledError as stop:
            cancelled = stop
    if cancelled is not None:
        raise cancelled
    return future.result()
