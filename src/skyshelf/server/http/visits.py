"""The requests in progress: how many each address has, and what they wait for."""

import asyncio
import time
from collections import deque
from collections.abc import Iterable
from typing import Any, NamedTuple

_SCOPE_KEY = "skyshelf.visit"
_FINISHED_MAX = 100_000


class Visit:
    """A request in progress."""

    __slots__ = ("address", "began", "body_bytes", "is_http2", "is_refused", "is_waiting_for_body", "peer")

    def __init__(self, peer: tuple[str, int], address: str, *, is_http2: bool) -> None:
        self.peer = peer
        self.address = address
        self.is_http2 = is_http2
        self.is_refused = False
        self.began = time.monotonic()
        self.body_bytes = 0
        self.is_waiting_for_body = False

    @staticmethod
    def of(scope: Any) -> "Visit | None":
        """The visit of a request; None in an application without a gate."""
        visit: Visit | None = scope.get(_SCOPE_KEY)
        return visit

    def is_dripping(self, now: float, bytes_per_second: int) -> bool:
        """Whether it waits for a body that comes slower than that."""
        return self.is_waiting_for_body and self.body_bytes < bytes_per_second * (now - self.began)


class Finished(NamedTuple):
    """A request that has been answered, as far as the application is concerned."""

    peer: tuple[str, int]
    at: float
    is_http2: bool


class Visits:
    """All requests in progress in this process. They begin and end on the event loop; other threads may look."""

    def __init__(self) -> None:
        self._visits: dict[int, Visit] = {}
        self._by_address: dict[str, int] = {}
        # What nobody takes must not pile up: the oldest go.
        self._finished: deque[Finished] = deque(maxlen=_FINISHED_MAX)

    def begin(self, scope: Any, visit: Visit) -> None:
        scope[_SCOPE_KEY] = visit
        self._visits[id(visit)] = visit
        self._by_address[visit.address] = self._by_address.get(visit.address, 0) + 1

    def end(self, visit: Visit) -> None:
        del self._visits[id(visit)]
        left = self._by_address[visit.address] - 1
        if left:
            self._by_address[visit.address] = left
        else:
            del self._by_address[visit.address]
        self._finished.append(Finished(visit.peer, time.monotonic(), visit.is_http2))

    def passed(self, peer: tuple[str, int], *, is_http2: bool) -> None:
        """A request that began and ended in the same moment."""
        self._finished.append(Finished(peer, time.monotonic(), is_http2))

    def of_address(self, address: str) -> int:
        """How many an address has in progress."""
        return self._by_address.get(address, 0)

    def in_progress(self) -> list[Visit]:
        return list(self._visits.values())

    def take_finished(self) -> Iterable[Finished]:
        """Those that have ended since the last time."""
        while self._finished:
            yield self._finished.popleft()


async def until_seen(visits: Visits) -> list[Visit]:
    """The requests in progress, once those are included whose beginning is already scheduled."""
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return visits.in_progress()
