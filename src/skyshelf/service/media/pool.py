"""The pool of media workers and its queue: a thread and a process each, which accounts share.

A job waits in the queue without a thread. Callers may give up: a job that has lost all of them is dropped, unless it
has begun. Then it always runs to its end, so its result can be kept.
"""

import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any, TypeVar

from msgspec.structs import replace

from skyshelf.service.media.process import MediaUnavailable, WorkerProcess
from skyshelf.service.media.protocol import Job, MediaResult
from skyshelf.storage.thread_names import show_thread_name

T = TypeVar("T")
Run = Callable[[Job], MediaResult | None]

WORKERS = 2
IDLE_SECONDS = 120
_CLOSE_SECONDS = 10


# The queue: accounts take turns, and none can have all workers or all places.

PLACES = 400
PLACES_PER_ACCOUNT = 100
# PDFs, videos and very large pictures of all accounts: the other workers stay free for ordinary pictures.
HEAVY_AT_ONCE = 1


class MediaBusy(Exception):
    """Too many jobs wait; try again later."""


class Ticket:
    """A job in the queue, and everyone who waits for it."""

    def __init__(self, account_id: int, key: Hashable, work: Callable[..., Any], *, is_heavy: bool) -> None:
        self.account_id = account_id
        self.key = key
        self.work = work
        self.is_heavy = is_heavy
        self.is_running = False
        self.waiters: list[Future[Any]] = []


class MediaQueue:
    """The order of jobs. Not thread-safe: the pool has the lock."""

    def __init__(self, workers: int, *, places: int = PLACES, places_per_account: int = PLACES_PER_ACCOUNT) -> None:
        # If there are several workers, one is always left for another account.
        self._share = max(1, workers - 1)
        self._places = places
        self._places_per_account = places_per_account
        self._waiting: OrderedDict[int, deque[Ticket]] = OrderedDict()
        self._count = 0
        self._running: Counter[int] = Counter()
        self._heavy_running = 0

    @property
    def waiting(self) -> int:
        return self._count

    @property
    def running(self) -> int:
        return self._running.total()

    def put(self, ticket: Ticket) -> Ticket | None:
        """Add a job; MediaBusy if the account has too many places.

        In a full queue the account with the most places loses its newest job, which is returned.
        """
        own = len(self._waiting.get(ticket.account_id, ()))
        if own >= self._places_per_account:
            raise MediaBusy
        dropped = None
        if self._count >= self._places:
            largest = max(self._waiting, key=lambda account: len(self._waiting[account]))
            if len(self._waiting[largest]) <= own + 1:
                raise MediaBusy
            dropped = self._waiting[largest][-1]
            self.remove(dropped)
        self._waiting.setdefault(ticket.account_id, deque()).append(ticket)
        self._count += 1
        return dropped

    def put_back(self, ticket: Ticket) -> None:
        """Add a job that was already started: it keeps its place."""
        self._waiting.setdefault(ticket.account_id, deque()).appendleft(ticket)
        self._count += 1

    def remove(self, ticket: Ticket) -> None:
        waiting = self._waiting[ticket.account_id]
        waiting.remove(ticket)
        self._count -= 1
        if not waiting:
            del self._waiting[ticket.account_id]

    def take(self) -> Ticket | None:
        """Return the next job that may start now."""
        for account_id, waiting in self._waiting.items():
            if self._running[account_id] >= self._share:
                continue
            ticket = next((one for one in waiting if not one.is_heavy or self._heavy_running < HEAVY_AT_ONCE), None)
            if ticket is not None:
                self._waiting.move_to_end(account_id)
                self.remove(ticket)
                self._running[account_id] += 1
                self._heavy_running += ticket.is_heavy
                ticket.is_running = True
                return ticket
        return None

    def done(self, ticket: Ticket) -> None:
        ticket.is_running = False
        self._heavy_running -= ticket.is_heavy
        self._running[ticket.account_id] -= 1
        if not self._running[ticket.account_id]:
            del self._running[ticket.account_id]

    def clear(self) -> list[Ticket]:
        """Remove and return everything that waits."""
        waiting = [ticket for tickets in self._waiting.values() for ticket in tickets]
        self._waiting.clear()
        self._count = 0
        return waiting


# The pool


class _TooHeavyError(Exception):
    """The job needs the limits of a heavy one."""


class Workers:
    """The pool. Any thread may submit jobs. Threads and processes start on demand."""

    def __init__(
        self,
        count: int = WORKERS,
        *,
        wall_seconds: float | None = None,
        places: int = PLACES,
        places_per_account: int = PLACES_PER_ACCOUNT,
    ) -> None:
        self._queue = MediaQueue(count, places=places, places_per_account=places_per_account)
        self._tickets: dict[Hashable, Ticket] = {}
        self._processes = [WorkerProcess(wall_seconds=wall_seconds) for _ in range(count)]
        self._threads: list[threading.Thread] = []
        self._idle = 0
        self._changed = threading.Condition()
        self._is_closed = False

    def figures(self) -> tuple[int, int]:
        """Return how many jobs wait, and how many run."""
        with self._changed:
            return self._queue.waiting, self._queue.running

    def run(self, account_id: int, job: Job) -> MediaResult | None:
        """Run a job and wait for it, as background work does; None if the worker died or took too long."""
        return self.submit(account_id, lambda run: run(job), is_heavy=job.heavy).result()

    def submit(
        self, account_id: int, work: Callable[[Run], T], *, key: Hashable | None = None, is_heavy: bool = False
    ) -> "Future[T]":
        """Do the work when it is the account's turn; `work(run)` may run jobs. MediaBusy if the queue is full.

        Work with the same key is done once for everyone who waits for it. A future can be cancelled.
        """
        future: Future[T] = Future()
        with self._changed:
            if self._is_closed:
                raise MediaUnavailable
            ticket = None if key is None else self._tickets.get(key)
            dropped = None
            if ticket is None:
                ticket = Ticket(account_id, key or object(), work, is_heavy=is_heavy)
                dropped = self._queue.put(ticket)
                self._tickets[ticket.key] = ticket
                self._wake()
            ticket.waiters.append(future)
            if dropped is not None:
                del self._tickets[dropped.key]
        if dropped is not None:
            _resolve(dropped, error=MediaBusy())
        future.add_done_callback(lambda done: self._given_up(ticket, done) if done.cancelled() else None)
        return future

    def close(self) -> None:
        with self._changed:
            self._is_closed = True
            waiting = self._queue.clear()
            self._tickets.clear()
            self._changed.notify_all()
        for ticket in waiting:
            _resolve(ticket, error=MediaUnavailable())
        for process in self._processes:
            process.kill()
        for thread in self._threads:
            thread.join(_CLOSE_SECONDS)

    def _given_up(self, ticket: Ticket, future: "Future[Any]") -> None:
        with self._changed:
            if future in ticket.waiters:
                ticket.waiters.remove(future)
            if not ticket.waiters and not ticket.is_running and self._tickets.get(ticket.key) is ticket:
                self._queue.remove(ticket)
                del self._tickets[ticket.key]

    def _wake(self) -> None:
        if not self._idle and len(self._threads) < len(self._processes):
            process = self._processes[len(self._threads)]
            # A daemon thread, so a program that exits without closing does not wait for it.
            thread = threading.Thread(target=self._work, args=(process,), name="skyshelf-media", daemon=True)
            self._threads.append(thread)
            thread.start()
        self._changed.notify_all()

    def _work(self, process: WorkerProcess) -> None:
        show_thread_name()
        while (ticket := self._next(process)) is not None:
            result: Any = None
            error: BaseException | None = None
            try:
                result = ticket.work(_runner(process, ticket))
            except _TooHeavyError:
                if self._put_back(ticket):
                    continue
                error = MediaBusy()
            except BaseException as problem:  # noqa: BLE001 - raised in the waiting thread
                error = problem
            with self._changed:
                self._end(ticket)
            _resolve(ticket, result, error)
            # Keep nothing of this job while waiting for the next.
            del ticket, result, error
        process.stop()

    def _next(self, process: WorkerProcess) -> Ticket | None:
        with self._changed:
            while not self._is_closed:
                ticket = self._queue.take()
                if ticket is not None:
                    return ticket
                self._idle += 1
                woken = self._changed.wait(IDLE_SECONDS)
                self._idle -= 1
                if not woken:
                    # An idle server uses little memory.
                    process.stop()
            return None

    def _put_back(self, ticket: Ticket) -> bool:
        """Queue a job again, as a heavy one; false if all callers have given up."""
        with self._changed:
            if self._is_closed or not ticket.waiters:
                self._end(ticket)
                return False
            self._queue.done(ticket)
            ticket.is_heavy = True
            self._queue.put_back(ticket)
            self._wake()
            return True

    def _end(self, ticket: Ticket) -> None:
        if ticket.is_running:
            self._queue.done(ticket)
        if self._tickets.get(ticket.key) is ticket:
            del self._tickets[ticket.key]
        self._changed.notify_all()


def _runner(process: WorkerProcess, ticket: Ticket) -> Run:
    def run(job: Job) -> MediaResult | None:
        done = process.run(replace(job, heavy=ticket.is_heavy))
        if done is not None and done.is_heavy:
            raise _TooHeavyError
        return done

    return run


def _resolve(ticket: Ticket, result: Any = None, error: BaseException | None = None) -> None:
    for waiter in ticket.waiters.copy():
        with suppress(InvalidStateError):  # cancelled
            if error is None:
                waiter.set_result(result)
            else:
                waiter.set_exception(error)
