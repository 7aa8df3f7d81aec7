"""Works that wait for the one writer: whose turn it is, and which may share a commit."""

from collections import OrderedDict, deque
from collections.abc import Hashable, Sequence
from threading import Condition
from typing import Final, Generic, Protocol, TypeVar

HEAVY_SECONDS: Final = 0.05
"""Somebody whose work took longer than this has the next one committed alone."""
_HEAVY_KEPT: Final = 1000


class Keyed(Protocol):
    @property
    def key(self) -> Hashable: ...


W = TypeVar("W", bound=Keyed)


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
        """How long a work took; whether that is long."""
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
        """The first work of a key, which is last in line afterwards."""
        queue = self._queues[key]
        work = queue.popleft()
        self._count -= 1
        if queue:
            self._queues.move_to_end(key)
        else:
            del self._queues[key]
        return work
