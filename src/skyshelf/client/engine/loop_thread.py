"""A private event loop in its own thread: how the synchronous client runs the asynchronous one."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Final, Generic, TypeVar
from weakref import WeakSet

from skyshelf.client.http.process_end import call_at_end, reset_in_children

_Result = TypeVar("_Result")
_Item = TypeVar("_Item")

AHEAD: Final = 4096
"""Items that are read ahead of the caller; crossing threads for each one would cost more than fetching it."""

CLEANUP_SECONDS: Final = 30.0
"""How long an interrupted call may take to clean up."""

_INTERRUPT_SECONDS: Final = 0.5
"""The longest time until an interrupt is noticed."""


class _Call(Generic[_Result]):
    """A coroutine that another thread waits for, and can cancel."""

    def __init__(self, work: "Coroutine[object, object, _Result]") -> None:
        self._work = work
        self._task: asyncio.Task[_Result] | None = None
        self.has_ended = False
        # A bare lock and no Event: Ctrl-C inside an Event, which is written in Python, can end in another error.
        self._running = threading.Lock()
        self._running.acquire()
        self.result: Future[_Result] = Future()

    def wait(self, seconds: float) -> bool:
        """Wait for its end; returns whether it has ended."""
        return self.has_ended or self._running.acquire(timeout=seconds)

    def begin(self) -> None:
        """Start it; called in the loop."""
        self._task = asyncio.ensure_future(self._work)
        self._task.add_done_callback(self._set_result)

    def cancel(self) -> None:
        """Cancel it, in the loop or after its end; a call that has not started never will."""
        if self._task is None:
            self.abandon()
        else:
            self._task.cancel()

    def abandon(self) -> None:
        """Wake the waiting thread without a result."""
        if self._task is None:
            self._work.close()
        self.result.cancel()
        self._end()

    def _set_result(self, task: "asyncio.Task[_Result]") -> None:
        if self.result.done():
            return
        if task.cancelled():
            self.result.cancel()
        elif (error := task.exception()) is not None:
            self.result.set_exception(error)
        else:
            self.result.set_result(task.result())
        self._end()

    def _end(self) -> None:
        if not self.has_ended:
            self.has_ended = True
            self._running.release()


class LoopThread:
    """Runs coroutines for threads that wait for them. Its own thread starts with the first one."""

    def __init__(
        self, name: str = "skyshelf-client", ending: "Callable[[], Coroutine[object, object, None]] | None" = None
    ) -> None:
        """`ending` runs last in the thread, when everything else in it has ended."""
        self._name = name
        self._ending = ending
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self.is_closed = False
        self._calls: set[_Call[Any]] = set()
        _threads.add(self)
        reset_in_children(self)

    def run(self, work: "Coroutine[object, object, _Result]") -> _Result:
        """Return the result of a coroutine. Ctrl-C cancels it, and is raised once it has cleaned up."""
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError("a callback of the client must not call the client and wait for the result")
        try:
            loop = self._started()
        except BaseException:
            work.close()
            raise
        call = _Call(work)
        self._calls.add(call)
        try:
            loop.call_soon_threadsafe(call.begin)
            # In steps: a signal that arrives just as the thread falls asleep does not wake it.
            while not call.wait(_INTERRUPT_SECONDS):
                pass
            return call.result.result()
        except BaseException:
            if not call.has_ended:
                try:
                    loop.call_soon_threadsafe(call.cancel)
                except RuntimeError:
                    call.cancel()  # the loop has ended
                # It may have files and connections to close.
                call.wait(CLEANUP_SECONDS)
            raise
        finally:
            self._calls.discard(call)

    def iterate(self, items: AsyncIterator[_Item]) -> Iterator[_Item]:
        """Yield the items of an asynchronous iterator, which cross the threads in batches."""
        ahead = _Ahead(items)
        try:
            while batch := self.run(ahead.batch()):
                yield from batch
        finally:
            if not self.is_closed:
                self.run(ahead.close())

    def close(self) -> None:
        """End the loop and its thread; running calls are cancelled."""
        with self._lock:
            self.is_closed = True
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is None or thread is None:
            return
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        for call in list(self._calls):
            # It was submitted too late to be started.
            call.abandon()

    def reset_after_fork(self) -> object:
        """Forget the parent's thread and loop, without closing them."""
        loop = self._loop
        self._loop = self._thread = None
        self._lock = threading.Lock()
        self._calls = set()
        return loop

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self.is_closed:
                raise RuntimeError("the client is closed")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                # A daemon, so a program that does not close its client can end; `_close_all` ends the thread then.
                given = (self._loop, self._ending)
                self._thread = threading.Thread(target=_serve, args=given, name=self._name, daemon=True)
                self._thread.start()
            return self._loop


_threads: Final[WeakSet[LoopThread]] = WeakSet()


def _close_all() -> None:
    for thread in list(_threads):
        thread.close()


call_at_end(_close_all)


def _serve(loop: asyncio.AbstractEventLoop, ending: "Callable[[], Coroutine[object, object, None]] | None") -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
        try:
            if ending is not None:
                # Last: running tasks could have opened another connection.
                loop.run_until_complete(ending())
        finally:
            loop.run_until_complete(loop.shutdown_default_executor())
            loop.close()


class _Ahead(Generic[_Item]):
    """Reads ahead of an iterator, up to a limit. All of it runs in the loop."""

    def __init__(self, items: AsyncIterator[_Item]) -> None:
        self._items = items
        self._ready: list[_Item] = []
        self._reader: asyncio.Task[None] | None = None
        self._something = asyncio.Event()
        self._space = asyncio.Event()

    async def batch(self) -> list[_Item]:
        """Return the items read so far, at least one; none at the end."""
        if self._reader is None:
            self._reader = asyncio.create_task(self._read())
        await self._something.wait()
        taken, self._ready = self._ready, []
        self._space.set()
        if self._reader.done():
            if not taken:
                self._reader.result()
        else:
            self._something.clear()
        return taken

    async def close(self) -> None:
        if self._reader is not None:
            self._reader.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await self._reader
        close = getattr(self._items, "aclose", None)
        if close is not None:
            await close()

    async def _read(self) -> None:
        try:
            async for item in self._items:
                self._ready.append(item)
                self._something.set()
                if len(self._ready) >= AHEAD:
                    self._space.clear()
                    await self._space.wait()
        finally:
            self._something.set()
