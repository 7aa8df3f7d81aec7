"""Many writers, one commit.

Callers hand in functions and wait. One thread runs those that are waiting inside one transaction and commits
once; each caller returns only after that commit, so the work is on disk by then. WaitingWorks says whose works are in
a group, and which are committed alone because they take long.

Joint works of one kind that follow each other in a group, such as uploads, become one call of their function: it looks
up and writes everything together, and so takes as many statements for a group as for one of them.
"""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import groupby
from threading import Condition
from typing import Any, Final, Generic, Protocol, TypeVar, cast

from skyshelf.storage.errors import StorageError, StoreFull, StoreUnavailable
from skyshelf.storage.metadata.read_only import is_allowed
from skyshelf.storage.metadata.sql.unit import Unit
from skyshelf.storage.metadata.store import Done, Item, Turn, whose_turn
from skyshelf.storage.thread_names import show_thread_name
from skyshelf.storage.watching import current_parts, is_failure, store_calls

T = TypeVar("T")

# A commit takes what is waiting, but no more than this, so the first caller does not wait for ever.
MOST_WORKS = 128


class Writer(Protocol):
    """A connection that can try several works in one transaction."""

    def begin(self) -> None: ...
    def attempt(self, work: Callable[[Unit], T], *, even_while_read_only: bool, is_only: bool = False) -> T: ...
    def commit(self) -> None: ...
    def rollback(self) -> None: ...
    def make_room(self) -> bool: ...
    def close(self) -> None: ...


JointWork = Callable[[Unit, Sequence[Any]], Sequence[Any]]


class _Waiting:
    """One caller's work and its outcome; the caller waits for it, or a function gets it."""

    __slots__ = ("_done", "_tell", "error", "even_while_read_only", "item", "key", "result", "work")

    def __init__(self, work: JointWork, item: object, tell: Done[Any] | None = None) -> None:
        self.work = work
        self.item = item
        self._tell = tell
        self.key: Hashable = whose_turn()
        self.even_while_read_only = is_allowed()
        self.result: object = None
        self.error: BaseException | None = None
        # A lock that is released once: all that one caller needs to wait, and a fifth of the cost of an Event.
        self._done = threading.Lock()
        self._done.acquire()

    def wait(self) -> None:
        self._done.acquire()

    def answer(self) -> None:
        if self._tell is None:
            self._done.release()
        else:
            # A work that went well has a result, even if its commit failed.
            self._tell(None if self.error is not None else self.result, self.error)


def _alone(unit: Unit, works: Sequence[Callable[[Unit], Any]]) -> list[Any]:
    """Return a work that shares nothing with its neighbours, as a joint one of one item."""
    return [work(unit) for work in works]


def _is_full(error: BaseException | None) -> bool:
    """Whether a work met a full disk; what the reserve refused has enough space."""
    return isinstance(error, StoreFull) and not error.is_reserve


class GroupCommit:
    """The queue and the thread behind it."""

    def __init__(self, open_writer: Callable[[], Writer], *, name: str) -> None:
        self._open_writer = open_writer
        self._writer: Writer | None = None
        self._works: WaitingWorks[_Waiting] = WaitingWorks()
        self._closing = threading.Lock()
        self._closed = False
        self._used_ballast = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def write(self, work: Callable[[Unit], T]) -> T:
        return cast("T", self._written(_alone, work))

    def write_jointly(self, joint: Callable[[Unit, Sequence[Item]], Sequence[T | Exception]], item: Item) -> T:
        return cast("T", self._written(joint, item))

    def submit_jointly(
        self, joint: Callable[[Unit, Sequence[Item]], Sequence[T | Exception]], item: Item, done: Done[T]
    ) -> None:
        """Like write_jointly, without waiting: the thread of this queue calls `done`, which must be quick."""
        began, parts = time.perf_counter(), current_parts.get()

        def noted(result: T | None, error: BaseException | None) -> None:
            store_calls.add("database", "write", began, failed=is_failure(error), parts=parts)
            done(result, error)

        self._put(_Waiting(joint, item, noted))

    def _written(self, work: JointWork, item: object) -> object:
        if threading.current_thread() is self._thread:
            raise RuntimeError("a work must not write again: it would wait for itself")
        began = time.perf_counter()
        waiting = _Waiting(work, item)
        self._put(waiting)
        waiting.wait()
        store_calls.add("database", "write", began, failed=is_failure(waiting.error))
        if waiting.error is not None:
            raise waiting.error
        return waiting.result

    def _put(self, waiting: _Waiting) -> None:
        with self._closing:
            if self._closed:
                raise StoreUnavailable("the metadata store is closed")
            self._works.put(waiting)

    @property
    def waiting(self) -> int:
        """How many works wait for the next group."""
        return len(self._works)

    @property
    def is_closed(self) -> bool:
        """Whether no further work is accepted; accepted ones may still be running."""
        return self._closed

    def close(self) -> bool:
        """Commit what was accepted, then end the thread; return whether the ballast was used."""
        with self._closing:
            if self._closed:
                return False
            self._closed = True
            self._works.close()
        self._thread.join()
        return self._used_ballast

    def _run(self) -> None:
        show_thread_name()
        while group := self._works.next_group(MOST_WORKS):
            self._run_group(group)
        if self._writer is not None:
            self._writer.close()

    def _run_group(self, group: list[_Waiting], *, has_room: bool = False) -> None:
        """Run the works of a group in one transaction, and report its outcome to every caller. On a full disk, room is
        made, and they are run once more.

        A failed work is reported only now, too: its cause may be a neighbour's change, which is real only once it is
        committed.
        """
        try:
            self._commit(group)
        except StoreFull as error:
            if not has_room and self._make_room():
                self._run_group(group, has_room=True)
                return
            self._drop_writer()
            if len(group) > 1:
                # One of them may be too big for what is left of the disk, and the others not.
                for waiting in group:
                    self._run_group([waiting], has_room=True)
                return
            group[0].error = error
        except BaseException as error:  # noqa: BLE001 - every caller gets it, and the thread lives on
            self._drop_writer()
            for waiting in group:
                waiting.error = error
        refused = [] if has_room else [waiting for waiting in group if _is_full(waiting.error)]
        if refused and self._make_room():
            group = [waiting for waiting in group if waiting not in refused]
            self._run_group(refused, has_room=True)
        for waiting in group:
            waiting.answer()

    def _make_room(self) -> bool:
        """Have a new connection make room; false where that is not possible."""
        self._drop_writer()
        try:
            self._writer = self._open_writer()
        except (StorageError, OSError):
            return False
        self._used_ballast |= self._writer.make_room()
        return True

    def _commit(self, group: list[_Waiting]) -> None:
        if self._writer is None:
            self._writer = self._open_writer()
        self._writer.begin()
        done = 0
        for together in _joined(group):
            began = time.monotonic()
            self._attempt(self._writer, together, is_only=len(together) == len(group))
            each = (time.monotonic() - began) / len(together)
            done += len(together)
            heavy = {self._works.took(waiting, each) for waiting in together}
            if True in heavy:
                # Those before it have waited for long enough, and those after it may be like it.
                self._works.put_back(group[done:])
                del group[done:]
                break
        self._writer.commit()

    def _attempt(self, writer: Writer, together: list[_Waiting], *, is_only: bool = False) -> None:
        """Run works as one; if that fails, each alone, so that the one at fault fails alone."""
        first = together[0]
        for waiting in together:
            waiting.error = None
        try:
            outcomes = writer.attempt(
                lambda unit: first.work(unit, [waiting.item for waiting in together]),
                even_while_read_only=first.even_while_read_only,
                is_only=is_only,
            )
        except BaseException as error:  # noqa: BLE001 - the caller's own error goes to the caller alone
            first.error = error
            if len(together) > 1:
                for waiting in together:
                    self._attempt(writer, [waiting])
            return
        for waiting, outcome in zip(together, outcomes, strict=True):
            if isinstance(outcome, Exception) and first.work is not _alone:
                waiting.error = outcome
            else:
                waiting.result = outcome

    def _drop_writer(self) -> None:
        """After a failed commit the state of the connection is unknown: the next group opens a new one."""
        if self._writer is not None:
            self._writer.rollback()
            self._writer.close()
            self._writer = None


def _joined(group: Sequence[_Waiting]) -> Iterator[list[_Waiting]]:
    """Yield the works of a group in their order, those that may run as one together."""
    for (work, _), alike in groupby(group, lambda waiting: (waiting.work, waiting.even_while_read_only)):
        if work is _alone:
            yield from ([waiting] for waiting in alike)
        else:
            yield list(alike)


HEAVY_SECONDS: Final = 0.05
"""Somebody whose work took longer than this has the next one committed alone."""
_HEAVY_KEPT: Final = 1000


W = TypeVar("W", bound=Turn)


class WaitingWorks(Generic[W]):
    """First come, first served for each, and all take turns: of two who have works waiting, neither has two done before
    the other has one.

    A caller is answered after the commit of its group, so short works never share a commit with one that is likely to
    take long; and after each of those, the short ones that have come since then are next.
    """

    def __init__(self) -> None:
        self._queues: OrderedDict[Hashable, deque[W]] = OrderedDict()
        self._heavy: dict[Hashable, None] = {}
        self._count = 0
        self._changed = Condition()
        self._closed = False
        self._last_was_heavy = False

    def __len__(self) -> int:
        return self._count

    def put(self, work: W) -> None:
        with self._changed:
            self._queues.setdefault(work.key, deque()).append(work)
            self._count += 1
            self._changed.notify()

    def close(self) -> None:
        """Nothing will be put after this."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def put_back(self, works: Sequence[W]) -> None:
        """Works that were taken and are to be the next of their keys after all."""
        with self._changed:
            for work in reversed(works):
                self._queues.setdefault(work.key, deque()).appendleft(work)
                self._queues.move_to_end(work.key, last=False)
            self._count += len(works)

    def took(self, work: W, seconds: float) -> bool:
        """Return how long a work took; whether that is long."""
        with self._changed:
            if seconds <= HEAVY_SECONDS:
                self._heavy.pop(work.key, None)
                return False
            self._heavy[work.key] = None
            if len(self._heavy) > _HEAVY_KEPT:
                del self._heavy[next(iter(self._heavy))]
            self._last_was_heavy = True
            return True

    def next_group(self, most: int) -> list[W]:
        """Wait for one work, and take along what is waiting with it; nothing once it is closed and empty."""
        with self._changed:
            self._changed.wait_for(lambda: self._count or self._closed)
            heavy = [key for key in self._queues if key in self._heavy]
            light = [key for key in self._queues if key not in self._heavy]
            if heavy and (not light or not self._last_was_heavy):
                self._last_was_heavy = True
                return [self._take(heavy[0])]
            self._last_was_heavy = False
            group: list[W] = []
            while light and len(group) < most:
                group += [self._take(key) for key in light[: most - len(group)]]
                light = [key for key in light if key in self._queues]
            return group

    def _take(self, key: Hashable) -> W:
        """Return the first work of a key, which is last in line afterwards."""
        queue = self._queues[key]
        work = queue.popleft()
        self._count -= 1
        if queue:
            self._queues.move_to_end(key)
        else:
            del self._queues[key]
        return work
