"""Worker threads, which do all of the server's blocking work."""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import Context, copy_context
from functools import partial
from queue import SimpleQueue
from typing import Any, Final, NamedTuple, TypeVar, cast

from skyshelf.server.pipeline.admission.admission import Admission
from skyshelf.server.pipeline.admission.fair_queue import FairQueue, Lease
from skyshelf.server.pipeline.admission.kinds import (
    ARCHIVE_PLANS,
    CONTENTS,
    IMPORTS,
    PASSWORDS,
    PROVIDERS,
    THUMBNAILS,
    UPLOADS,
    Key,
    Kind,
)
from skyshelf.server.pipeline.admission.requesters import current_requester
from skyshelf.storage.thread_names import show_thread_name
from skyshelf.storage.watching import current_parts

T = TypeVar("T")
_OF_BODY_THREADS: Final = (UPLOADS, CONTENTS, THUMBNAILS, ARCHIVE_PLANS)
_CHECK_THREADS: Final = 2
SMALL_UPLOAD_THREADS: Final = 32
"""Threads for uploads that have arrived completely, and wait for the disk."""


class CallThreads:
    """Long-lived threads for small requests; a new one is started while all are busy, up to the kind's total.

    They pass work and results with less overhead than `run_in_executor`. The queue decides whose turn it is; work that
    may run is handed over by `_assigned`, or taken directly by the thread that has just become free.
    """

    def __init__(self, queue: "FairQueue[_Work]", name: str) -> None:
        self._queue = queue
        self._name = name
        self._assigned: SimpleQueue[_Work | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._idle = threading.Condition(self._lock)
        self._is_closed = False
        self._results: Results | None = None

    async def run(self, work: Callable[[], T]) -> T:
        """Run the function in a thread, in the caller's context, when it is the caller's turn."""
        results = self.results()
        future: asyncio.Future[T] = results.loop.create_future()
        item = _Work(results, future, copy_context(), work, current_requester.get().key, time.perf_counter())
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the threads are closed")
            if self._queue.begin(item.key):
                self._assign(item)
            else:
                self._queue.push(item.key, item)
        try:
            return await future
        except asyncio.CancelledError:
            with self._lock:
                self._queue.discard(item.key, item)
            raise

    def results(self) -> "Results":
        """Return the queue in which other threads deliver results to this event loop."""
        loop = asyncio.get_running_loop()
        if self._results is None or self._results.loop is not loop:
            self._results = Results(loop)
        return self._results

    def close(self) -> None:
        """Wait for all pending work."""
        with self._lock:
            self._is_closed = True
            self._idle.wait_for(lambda: not self._queue.in_use)
        for _ in self._threads:
            self._assigned.put(None)
        for thread in self._threads:
            thread.join()

    def _assign(self, item: "_Work") -> None:
        if len(self._threads) < self._queue.in_use:
            # A daemon, so a program that exits without closing does not wait for idle threads.
            name = f"{self._name}_{len(self._threads)}"
            thread = threading.Thread(target=self._work, name=name, daemon=True)
            self._threads.append(thread)
            thread.start()
        self._assigned.put(item)

    def _work(self) -> None:
        show_thread_name()
        item: _Work | None = None
        while item is not None or (item := self._assigned.get()) is not None:
            result: object = None
            wrong: BaseException | None = None
            began = time.thread_time()
            try:
                # Cancelled work is not started.
                if not item.future.cancelled():
                    if (parts := item.context.get(current_parts)) is not None:
                        parts.waiting += time.perf_counter() - item.since
                    result = item.context.run(item.work)
            except BaseException as error:  # noqa: BLE001 - raised where it is awaited
                wrong = error
            following = self._following(item.key, time.thread_time() - began)
            item.results.call(partial(settle, item.future, result, wrong))
            # Keep nothing of this request while waiting for the next.
            del result, wrong
            item = following
            del following

    def _following(self, key: Key, cpu_seconds: float) -> "_Work | None":
        """Note that work has ended, and return the next for the same thread. A share that grows lets several begin."""
        with self._lock:
            self._queue.end(key, cpu_seconds=cpu_seconds)
            following = self._queue.pop()
            if following is None:
                if self._is_closed and not self._queue.in_use:
                    self._idle.notify_all()
                return None
            while (another := self._queue.pop()) is not None:
                self._assign(another[1])
            return following[1]


class Results:
    """Delivers results to the event loop, which is woken once for all that are ready."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._ready: deque[Callable[[], None]] = deque()
        self._lock = threading.Lock()
        self._is_scheduled = False

    def call(self, function: Callable[[], None]) -> None:
        """Have the event loop call the function soon; called by a thread."""
        self._ready.append(function)
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
            self._ready.popleft()()


def settle(future: "asyncio.Future[Any]", result: object, wrong: BaseException | None) -> None:
    if future.done():
        return  # cancelled
    if wrong is None:
        future.set_result(result)
    else:
        future.set_exception(wrong)


class SoloThreads:
    """Threads for work that reports its own completion; a new one is started while there are too few."""

    def __init__(self, most: int, name: str) -> None:
        self._most = most
        self._name = name
        self._works: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._pending = 0
        self._is_closed = False

    def run(self, work: Callable[[], None]) -> None:
        """Run the function in a thread; it handles its own exceptions."""
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the threads are closed")
            self._pending += 1
            if self._pending > len(self._threads) < self._most:
                # A daemon, so a program that exits without closing does not wait for idle threads.
                name = f"{self._name}_{len(self._threads)}"
                thread = threading.Thread(target=self._work, name=name, daemon=True)
                self._threads.append(thread)
                thread.start()
        self._works.put(work)

    def close(self) -> None:
        """Wait for all pending work."""
        with self._lock:
            self._is_closed = True
        for _ in self._threads:
            self._works.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        show_thread_name()
        while (work := self._works.get()) is not None:
            work()
            del work
            with self._lock:
                self._pending -= 1


class _Work(NamedTuple):
    """Work for a thread, where its result goes, and whose it is."""

    results: Results
    future: "asyncio.Future[Any]"
    context: Context
    work: Callable[[], Any]
    key: Key
    since: float


class Threads:
    """The pools of threads: small requests never wait for slow bodies or costly work, nor logins for imports.

    Threads are long-lived: each has its own connection to an embedded store. Admission decides what they run.
    """

    def __init__(self, admission: Admission | None = None) -> None:
        self.admission = admission or Admission()
        self._calls = CallThreads(cast("FairQueue[_Work]", self.admission.calls), "skyshelf-call")
        bodies = sum(self.admission.kind(kind).total for kind in _OF_BODY_THREADS)
        self._bodies = ThreadPoolExecutor(bodies, thread_name_prefix="skyshelf-body")
        self._passwords = self._pool_of(PASSWORDS, "skyshelf-password")
        self._providers = self._pool_of(PROVIDERS, "skyshelf-provider")
        self._imports = self._pool_of(IMPORTS, "skyshelf-import")
        self.small_uploads = SoloThreads(SMALL_UPLOAD_THREADS, "skyshelf-upload")
        self.results = self._calls.results
        self._checks = ThreadPoolExecutor(_CHECK_THREADS, thread_name_prefix="skyshelf-check")

    def _pool_of(self, kind: Kind, name: str) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.admission.kind(kind).total, thread_name_prefix=name)

    async def call(self, work: Callable[[], T]) -> T:
        """Run a short piece of work."""
        return await self._calls.run(work)

    async def check(self, work: Callable[[], T]) -> T:
        """Run one of the operator's checks, which must be answered under any load."""
        return await _in_pool(self._checks, work, None)

    async def password(self, work: Callable[[], T]) -> T:
        """Hash a password, when it is the caller's turn."""
        return await _in_pool(self._passwords, work, await self.admission.enter(PASSWORDS))

    async def provider(self, work: Callable[[], T]) -> T:
        """Ask a login provider something, when it is the caller's turn."""
        return await _in_pool(self._providers, work, await self.admission.enter(PROVIDERS))

    async def importing(self, work: Callable[[], T]) -> T:
        """Read or write many contacts, when it is the caller's turn."""
        return await _in_pool(self._imports, work, await self.admission.enter(IMPORTS))

    async def body(self, work: Callable[[], T], lease: Lease) -> T:
        """Run work that lasts as long as a body takes to arrive or to be delivered."""
        return await _in_pool(self._bodies, work, lease)

    def close(self) -> None:
        self._calls.close()
        self.small_uploads.close()
        for pool in (self._passwords, self._providers, self._imports, self._bodies, self._checks):
            pool.shutdown(wait=True, cancel_futures=True)


async def _in_pool(pool: ThreadPoolExecutor, work: Callable[[], T], lease: Lease | None) -> T:
    """Run the function in a thread. The lease is released when the thread is free, even if nobody waits."""
    loop = asyncio.get_running_loop()
    running = pool.submit(copy_context().run, work)
    if lease is not None:
        current_requester.get().hand_over(lease)
        running.add_done_callback(lambda _: _release(loop, lease))
    return await asyncio.wrap_future(running)


def _release(loop: asyncio.AbstractEventLoop, lease: Lease) -> None:
    with suppress(RuntimeError):  # the loop is closed, nobody waits
        loop.call_soon_threadsafe(lease.release)
