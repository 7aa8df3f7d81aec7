"""All gates of a process, and their figures."""

import asyncio
import time
from collections.abc import Iterable, Iterator
from typing import Any, Final

from skyshelf.server.observability.counts import KindFigures
from skyshelf.server.pipeline.admission.fair_queue import FairQueue, Gate, Lease
from skyshelf.server.pipeline.admission.kinds import CALLS, KINDS, Key, Kind
from skyshelf.server.pipeline.admission.requesters import current_requester
from skyshelf.storage.watching import current_parts

FREE: Final = 20
"""Number of refusals per window that are answered at once."""
WINDOW_SECONDS: Final = 10.0
DELAY_SECONDS: Final = 1.0
CALLERS_KEPT: Final = 4096


class Refusals:
    """The refusals of each caller in the current window. Those who are refused again and again have to wait a little.

    A refusal costs little, but a caller who repeats a refused request at once, on hundreds of connections, would keep
    the event loop busy with nothing else. A client that waits for `Retry-After` does not notice.
    """

    def __init__(self) -> None:
        self._counts: dict[Key, int] = {}
        self._window_ends = 0.0

    def delay(self, key: Key) -> float:
        """Count a refusal, and return the seconds to wait before it is answered."""
        now = time.monotonic()
        if now > self._window_ends or len(self._counts) > CALLERS_KEPT:
            self._counts.clear()
            self._window_ends = now + WINDOW_SECONDS
        count = self._counts[key] = self._counts.get(key, 0) + 1
        return DELAY_SECONDS if count > FREE else 0.0


class Admission:
    """Decides who runs, who waits and who is refused."""

    def __init__(self, kinds: Iterable[Kind] = KINDS) -> None:
        self._kinds = {kind.name: kind for kind in kinds}
        self._gates = {name: Gate(kind) for name, kind in self._kinds.items() if name != CALLS.name}
        self._refusals = Refusals()
        # The call threads use this queue directly, with their lock held: calls are the most frequent work.
        self.calls: FairQueue[object] = FairQueue(self._kinds[CALLS.name])

    def kind(self, kind: Kind) -> Kind:
        """Return the kind with the limits of this process."""
        return self._kinds[kind.name]

    @property
    def caller(self) -> Key:
        """The requester, as far as it is known."""
        return current_requester.get().key

    def take(self, kind: Kind, *, key: Key | None = None, weight: int = 1) -> Lease:
        """Enter at once or be refused; the lease is held until the request ends, unless released earlier."""
        requester = current_requester.get()
        lease = self._gates[kind.name].take(requester.key if key is None else key, weight)
        requester.hold(lease)
        return lease

    def check(self, kind: Kind, *, key: Key | None = None) -> None:
        """Refuse a request if its caller, or all callers together, have reached the limit of a kind."""
        self._gates[kind.name].queue.check(current_requester.get().key if key is None else key)

    def count(self, kind: Kind, weight: int) -> None:
        """Count work that has begun until the request ends, regardless of limits."""
        requester = current_requester.get()
        requester.hold(self._gates[kind.name].count(requester.key, weight))

    async def enter(self, kind: Kind, *, key: Key | None = None, weight: int = 1) -> Lease:
        """Enter, perhaps after waiting; the lease is held until the request ends, unless released earlier."""
        requester, parts, began = current_requester.get(), current_parts.get(), time.perf_counter()
        lease = await self._gates[kind.name].enter(requester.key if key is None else key, weight)
        if parts is not None:
            parts.waiting += time.perf_counter() - began
        requester.hold(lease)
        return lease

    async def hold_back(self) -> None:
        """Prepare a refusal: release what the request holds, and wait if the caller has been refused often."""
        requester = current_requester.get()
        requester.leave()
        if seconds := self._refusals.delay(requester.key):
            await asyncio.sleep(seconds)

    def figures(self) -> Iterator[KindFigures]:
        queues: list[FairQueue[Any]] = [self.calls, *(gate.queue for gate in self._gates.values())]
        for queue in queues:
            yield KindFigures(
                queue.kind.name, queue.in_use, queue.waiting, queue.refused_callers, queue.refused_by_server
            )
