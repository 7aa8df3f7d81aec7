"""The pool of media workers: a thread and a process each, which accounts share.

A job waits in the queue without a thread. Callers may give up: a job that has lost all of them is dropped, unless it
has begun. Then it ends in any case, so that its result can be kept.
"""

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any, TypeVar

from msgspec.structs import replace

from skyshelf.service.media.process import MediaUnavailable, WorkerProcess
from skyshelf.service.media.protocol import Job, MediaResult
from skyshelf.service.media.queue import PLACES, PLACES_PER_ACCOUNT, MediaBusy, MediaQueue, Ticket
from skyshelf.storage.thread_names import show_thread_name

T = TypeVar("T")
Run = Callable[[Job], MediaResult | None]

WORKERS = 2
IDLE_SECONDS = 120
_CLOSE_SECONDS = 10


class _TooHeavyError(Exception):
    """The job needs the limits of a heavy one."""


class Workers:
    """Any thread may submit jobs. Threads and processes start when they are needed."""

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
        """How many jobs wait, and how many run."""
        with self._changed:
            return self._queue.waiting, self._queue.running

    def run(self, account_id: int, job: Job) -> MediaResult | None:
        """Run a job and wait for it, as background work does; None when the worker died of it or took too long."""
        return self.submit(account_id, lambda run: run(job), is_heavy=job.heavy).result()

    def submit(
        self, account_id: int, work: Callable[[Run], T], *, key: Hashable | None = None, is_heavy: bool = False
    ) -> "Future[T]":
        """Have the work done when it is the account's turn; `work(run)` may run jobs. MediaBusy in a full queue.

        The same key is the same work: it is done once for all who wait for it. A future can be cancelled.
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
            # A daemon, so a program that exits without closing does not wait for it.
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
            except BaseException as problem:  # noqa: BLE001 - raised where it is awaited
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
        """Queue a job again, as a heavy one; false where all callers have given up."""
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
