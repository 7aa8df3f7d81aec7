"""Many writers, one commit.

Callers hand in functions and wait. One thread runs those that are waiting inside one transaction and commits
once; each caller returns only after that commit, so the work is on disk by then. Whose works are in a group, and which
are committed alone because they take long, is in waiting.py.
"""

import threading
import time
from collections.abc import Callable, Hashable
from typing import Any, Generic, Protocol, TypeVar, cast

from skyshelf.storage.errors import StoreFull, StoreUnavailable
from skyshelf.storage.metadata.read_only import is_allowed
from skyshelf.storage.metadata.sql.unit import SqlUnit
from skyshelf.storage.metadata.sqlite.waiting import WaitingWorks
from skyshelf.storage.metadata.turns import whose_turn

T = TypeVar("T")

# A commit takes what is waiting, but no more than this, so the first caller does not wait for ever.
MOST_WORKS = 128


class Writer(Protocol):
    """A connection that can try several works in one transaction."""

    def begin(self) -> None: ...
    def attempt(self, work: Callable[[SqlUnit], T], *, even_while_read_only: bool) -> T: ...
    def commit(self) -> None: ...
    def rollback(self) -> None: ...
    def close(self) -> None: ...


class _Waiting(Generic[T]):
    """One caller's work and its outcome."""

    def __init__(self, work: Callable[[SqlUnit], T]) -> None:
        self.work = work
        self.key: Hashable = whose_turn()
        self.even_while_read_only = is_allowed()
        self.result: T | None = None
        self.error: BaseException | None = None
        self.done = threading.Event()


class GroupCommit:
    """The queue and the thread behind it."""

    def __init__(self, open_writer: Callable[[], Writer], *, name: str) -> None:
        self._open_writer = open_writer
        self._writer: Writer | None = None
        self._works: WaitingWorks[_Waiting[Any]] = WaitingWorks()
        self._closing = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def write(self, work: Callable[[SqlUnit], T]) -> T:
        if threading.current_thread() is self._thread:
            raise RuntimeError("a work must not write again: it would wait for itself")
        waiting = _Waiting(work)
        with self._closing:
            if self._closed:
                raise StoreUnavailable("the metadata store is closed")
            self._works.put(waiting)
        waiting.done.wait()
        if waiting.error is not None:
            raise waiting.error
        return cast("T", waiting.result)

    @property
    def waiting(self) -> int:
        """How many works wait for the next group."""
        return len(self._works)

    @property
    def is_closed(self) -> bool:
        """Whether no further work is accepted; accepted ones may still be running."""
        return self._closed

    def close(self) -> None:
        """Commit what was accepted, then end the thread."""
        with self._closing:
            if self._closed:
                return
            self._closed = True
            self._works.close()
        self._thread.join()

    def _run(self) -> None:
        while group := self._works.next_group(MOST_WORKS):
            self._run_group(group)
        if self._writer is not None:
            self._writer.close()

    def _run_group(self, group: list[_Waiting[Any]]) -> None:
        """Run the works of a group in one transaction, and report its outcome to every caller.

        A failed work is reported only now, too: its cause may be a neighbour's change, which is real only once it is
        committed.
        """
        try:
            self._commit(group)
        except StoreFull as error:
            self._drop_writer()
            if len(group) > 1:
                # One of them may be too big for what is left of the disk, and the others not.
                for waiting in group:
                    self._run_group([waiting])
                return
            group[0].error = error
        except BaseException as error:  # noqa: BLE001 - every caller gets it, and the thread lives on
            self._drop_writer()
            for waiting in group:
                waiting.error = error
        for waiting in group:
            waiting.done.set()

    def _commit(self, group: list[_Waiting[Any]]) -> None:
        if self._writer is None:
            self._writer = self._open_writer()
        self._writer.begin()
        for number, waiting in enumerate(group, 1):
            waiting.error = None
            began = time.monotonic()
            try:
                waiting.result = self._writer.attempt(waiting.work, even_while_read_only=waiting.even_while_read_only)
            except BaseException as error:  # noqa: BLE001 - the caller's own error goes to the caller alone
                waiting.error = error
            if self._works.took(waiting, time.monotonic() - began):
                # Those before it have waited for long enough, and those after it may be like it.
                self._works.put_back(group[number:])
                del group[number:]
                break
        self._writer.commit()

    def _drop_writer(self) -> None:
        """After a failed commit the state of the connection is unknown: the next group opens a new one."""
        if self._writer is not None:
            self._writer.rollback()
            self._writer.close()
            self._writer = None
