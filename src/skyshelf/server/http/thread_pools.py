"""Worker threads: where all blocking work of the server happens."""

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context, copy_context
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

from skyshelf.service.errors import Throttled

# The threads that small requests work in, and the shortest way there and back.

T = TypeVar("T")


class CallThreads:
    """Some threads that live on; another one is started when all of them are busy, up to the most there may be."""

    def __init__(self, most: int, name: str) -> None:
        self._most = most
        self._name = name
        self._waiting: SimpleQueue[_Work | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._unfinished = 0
        self._is_closed = False
        self._answers: Answers | None = None

    async def run(self, work: Callable[[], T]) -> T:
        """Run it in a thread, in the context of whoever asks."""
        loop = asyncio.get_running_loop()
        if self._answers is None or self._answers.loop is not loop:
            self._answers = Answers(loop)
        future: asyncio.Future[T] = loop.create_future()
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the threads are closed")
            self._unfinished += 1
            if len(self._threads) < min(self._unfinished, self._most):
                self._start()
            self._waiting.put(_Work(self._answers, future, copy_context(), work))
        return await future

    def close(self) -> None:
        """Wait for everything that was asked for."""
        with self._lock:
            self._is_closed = True
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join()

    def _start(self) -> None:
        # A daemon, so that a program which ends without closing does not wait for a thread that waits for work.
        name = f"{self._name}_{len(self._threads)}"
        thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _work(self) -> None:
        while (one := self._waiting.get()) is not None:
            result: object = None
            wrong: BaseException | None = None
            try:
                # What nobody waits for any more, and what has not begun, need not begin.
                if not one.future.cancelled():
                    result = one.context.run(one.work)
            except BaseException as error:  # noqa: BLE001 - whoever waits for it is told
                wrong = error
            with self._lock:
                self._unfinished -= 1
            one.answers.give(one.future, result, wrong)
            # Nothing of this request is kept while the thread waits for the next.
            del one, result, wrong


class Answers:
    """The way back to the event loop: it is woken once for all that has come back since it last looked."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._ready: deque[tuple[asyncio.Future[Any], Any, BaseException | None]] = deque()
        self._lock = threading.Lock()
        self._is_told = False

    def give(self, future: "asyncio.Future[Any]", result: object, wrong: BaseException | None) -> None:
        """From a thread: how it ended."""
        self._ready.append((future, result, wrong))
        with self._lock:
            if self._is_told:
                return
            self._is_told = True
        try:
            self.loop.call_soon_threadsafe(self._hand_out)
        except RuntimeError:
            self._ready.clear()  # the loop is closed: nobody waits any more

    def _hand_out(self) -> None:
        with self._lock:
            self._is_told = False
        while self._ready:
            future, result, wrong = self._ready.popleft()
            if future.done():
                continue  # cancelled by whoever waited
            if wrong is None:
                future.set_result(result)
            else:
                future.set_exception(wrong)


class _Work(NamedTuple):
    """Something to do, and who is told of its end."""

    answers: Answers
    future: "asyncio.Future[Any]"
    context: Context
    work: Callable[[], Any]


# Worker threads: where all blocking work of the server happens.


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
