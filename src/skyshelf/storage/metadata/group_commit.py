"""Many writers, one commit.

Callers hand in functions and wait. One thread runs those that are waiting inside one transaction and commits
once; each caller is answered only after that commit, so an answer always means that the work is on disk.
"""

import queue
import threading
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar, cast

from skyshelf.storage.errors import StoreUnavailable
from skyshelf.storage.metadata.sql.unit import SqlUnit

T = TypeVar("T")

# A commit takes what is waiting, but no more than this, so that the first caller does not wait for ever.
MOST_WORKS = 128


class Writer(Protocol):
    """A connection that can try several works in one transaction."""

    def begin(self) -> None: ...
    def attempt(self, work: Callable[[SqlUnit], T]) -> T: ...
    def commit(self) -> None: ...
    def rollback(self) -> None: ...
    def close(self) -> None: ...


class _Waiting(Generic[T]):
    """One caller's work, and what became of it."""

    def __init__(self, work: Callable[[SqlUnit], T]) -> None:
        self.work = work
        self.result: T | None = None
        self.error: BaseException | None = None
        self.done = threading.Event()

    def fail(self, error: BaseException) -> None:
        self.error = error
        self.done.set()


class GroupCommit:
    """The queue and the thread behind it."""

    def __init__(self, open_writer: Callable[[], Writer], *, name: str) -> None:
        self._open_writer = open_writer
        self._queue: queue.SimpleQueue[_Waiting[Any] | None] = queue.SimpleQueue()
        self._closing = threading.Lock()
        self._closed = False
        self._ending = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def write(self, work: Callable[[SqlUnit], T]) -> T:
        waiting = _Waiting(work)
        with self._closing:
            if self._closed:
                raise StoreUnavailable("the metadata store is closed")
            self._queue.put(waiting)
        waiting.done.wait()
        if waiting.error is not None:
            raise waiting.error
        return cast("T", waiting.result)

    def close(self) -> None:
        """Commit what was accepted, then end the thread."""
        with self._closing:
            if self._closed:
                return
            self._closed = True
            self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        writer: Writer | None = None
        while not self._ending:
            group = self._next_group()
            if not group:
                continue
            accepted: list[_Waiting[Any]] = []
            try:
                if writer is None:
                    writer = self._open_writer()
                writer.begin()
                self._attempt(writer, group, accepted)
                writer.commit()
            except BaseException as error:  # noqa: BLE001 - every caller hears of it, and the thread lives on
                for waiting in group:
                    if not waiting.done.is_set():
                        waiting.fail(error)
                # After a failed commit the state of the connection is not to be trusted: open a new one.
                if writer is not None:
                    writer.rollback()
                    writer.close()
                    writer = None
                continue
            for waiting in accepted:
                waiting.done.set()
        if writer is not None:
            writer.close()

    def _next_group(self) -> list[_Waiting[Any]]:
        """Wait for one work, and take along what is waiting behind it."""
        group: list[_Waiting[Any]] = []
        following = self._queue.get()
        while following is not None:
            group.append(following)
            if len(group) == MOST_WORKS:
                return group
            try:
                following = self._queue.get_nowait()
            except queue.Empty:
                return group
        self._ending = True
        return group

    @staticmethod
    def _attempt(writer: Writer, group: list[_Waiting[Any]], accepted: list[_Waiting[Any]]) -> None:
        for waiting in group:
            try:
                waiting.result = writer.attempt(waiting.work)
            except BaseException as error:  # noqa: BLE001 - the caller's own error goes to the caller alone
                waiting.fail(error)
            else:
                accepted.append(waiting)
