"""Worker threads, which do all blocking work of the server."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context, copy_context
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

from skyshelf.service.errors import Throttled

T = TypeVar("T")


class CallThreads:
    """Long-lived threads for small requests; a new one is started while all are busy, up to a limit.

    They pass work and results with less overhead than `run_in_executor`.
    """

    def __init__(self, most: int, name: str) -> None:
        self._most = most
        self._name = name
        self._waiting: SimpleQueue[_Work | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._unfinished = 0
        self._is_closed = False
        self._results: Results | None = None

    async def run(self, work: Callable[[], T]) -> T:
        """Run it in a thread, in the caller's context."""
        loop = asyncio.get_running_loop()
        if self._results is None or self._results.loop is not loop:
            self._results = Results(loop)
        future: asyncio.Future[T] = loop.create_future()
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the threads are closed")
            self._unfinished += 1
            if len(self._threads) < min(self._unfinished, self._most):
                self._start()
            self._waiting.put(_Work(self._results, future, copy_context(), work))
        return await future

    def close(self) -> None:
        """Wait for all pending work."""
        with self._lock:
            self._is_closed = True
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join()

    def _start(self) -> None:
        # A daemon, so a program which exits without closing does not wait for idle threads.
        name = f"{self._name}_{len(self._threads)}"
        thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _work(self) -> None:
        while (item := self._waiting.get()) is not None:
            result: object = None
            wrong: BaseException | None = None
            try:
                # Cancelled work is not started.
                if not item.future.cancelled():
                    result = item.context.run(item.work)
            except BaseException as error:  # noqa: BLE001 - raised where it is awaited
                wrong = error
            with self._lock:
                self._unfinished -= 1
            item.results.deliver(item.future, result, wrong)
            # Keep nothing of this request while waiting for the next.
            del item, result, wrong


class Results:
    """Delivers results to the event loop, which is woken once for all that are ready."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._ready: deque[tuple[asyncio.Future[Any], Any, BaseException | None]] = deque()
        self._lock = threading.Lock()
        self._is_scheduled = False

    def deliver(self, future: "asyncio.Future[Any]", result: object, wrong: BaseException | None) -> None:
        """Called by a thread: the result or the exception of its work."""
        self._ready.append((future, result, wrong))
        with self._lock:
            if self._is_scheduled:
                return
            self._is_scheduled = True
        try:
            self.loop.call_soon_threadsafe(self._resolve)
        except RuntimeError:
            self._ready.clear()  # the loop is closed, nothing is awaited

    def _resolve(self) -> None:
        with self._lock:
            self._is_scheduled = False
        while self._ready:
            future, result, wrong = self._ready.popleft()
            if future.done():
                continue  # cancelled
            if wrong is None:
                future.set_result(result)
            else:
                future.set_exception(wrong)


class _Work(NamedTuple):
    """Work for a thread, and where its result goes."""

    results: Results
    future: "asyncio.Future[Any]"
    context: Context
    work: Callable[[], Any]


class Threads:
    """Three pools: small requests never wait for slow bodies or costly work.

    Threads are long-lived: each has its own connection to an embedded store.
    """

    def __init__(self, *, calls: int = 16, bodies: int = 256, slow: int = 2, slow_waiting: int = 64) -> None:
        self._calls = CallThreads(calls, "skyshelf-call")
        self._bodies = ThreadPoolExecutor(bodies, thread_name_prefix="skyshelf-body")
        self._slow = ThreadPoolExecutor(slow, thread_name_prefix="skyshelf-slow")
        self._slow_slots = slow + slow_waiting

    async def call(self, work: Callable[[], T]) -> T:
        """Run a short piece of work."""
        return await self._calls.run(work)

    async def slow(self, work: Callable[[], T]) -> T:
        """Run CPU-bound work, such as hashing a password; raises Throttled if the queue is full."""
        if self._slow_slots == 0:
            raise Throttled(1)
        self._slow_slots -= 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._slow, copy_context().run, work)
        finally:
            self._slow_slots += 1

    async def body(self, work: Callable[[], T]) -> T:
        """Run work that lasts as long as a body takes to arrive."""
        return await asyncio.get_running_loop().run_in_executor(self._bodies, copy_context().run, work)

    def close(self) -> None:
        self._calls.close()
        self._slow.shutdown(wait=True, cancel_futures=True)
        self._bodies.shutdown(wait=True, cancel_futures=True)
