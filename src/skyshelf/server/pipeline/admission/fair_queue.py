"""A queue in which callers take turns, so one caller's thousand requests do not delay another's single one.

It only decides and counts: the owner holds its lock, runs the work and wakes the waiting. Every operation takes
constant time, however many callers wait: a caller with their whole share in use is out of the rotation until some of
it ends. The owner of most kinds is a `Gate`, on the event loop; that of calls are their threads (`threads.py`).
"""

import asyncio
import time
from collections import deque
from dataclasses import dataclass
from typing import Final, Generic, NoReturn, TypeVar

from skyshelf.server.pipeline.admission.kinds import COSTLY_CPU_SECONDS, CROWDED_SECONDS, Key, Kind
from skyshelf.service.errors import Busy, Throttled

T = TypeVar("T")

FLOWS_KEPT: Final = 64
"""Maximum number of idle callers that are kept, so a caller's next request need not start from scratch."""
COSTS_KEPT: Final = 1024
"""Maximum number of costly callers, who are remembered longer."""
_SMOOTHING: Final = 0.25


class _Flow(Generic[T]):
    __slots__ = ("cost", "in_use", "is_in_rotation", "is_stranger", "key", "share", "waiting")

    def __init__(self, key: Key, share: int, cost: float) -> None:
        self.key = key
        self.is_stranger = isinstance(key, str)
        self.share = share
        self.cost = cost
        self.in_use = 0
        self.waiting: deque[tuple[T, int]] = deque()
        self.is_in_rotation = False


class _Rotation(Generic[T]):
    """The callers in line: those with nothing running alternate with those who want more."""

    def __init__(self) -> None:
        self._fresh: deque[_Flow[T]] = deque()
        self._others: deque[_Flow[T]] = deque()
        self._is_turn_of_others = False

    def add(self, flow: _Flow[T]) -> None:
        flow.is_in_rotation = True
        (self._others if flow.in_use else self._fresh).append(flow)

    def next(self) -> _Flow[T] | None:
        first, second = (self._others, self._fresh) if self._is_turn_of_others else (self._fresh, self._others)
        return (first or second)[0] if first or second else None

    def take(self, flow: _Flow[T]) -> None:
        from_others = bool(self._others) and self._others[0] is flow
        (self._others if from_others else self._fresh).popleft()
        self._is_turn_of_others = not from_others
        flow.is_in_rotation = False

    def discard(self, flow: _Flow[T]) -> None:
        flow.is_in_rotation = False
        for flows in (self._fresh, self._others):
            if flow in flows:
                flows.remove(flow)


class FairQueue(Generic[T]):
    """The work of one kind that runs or waits, by caller."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.in_use = 0
        self.waiting = 0
        self.refused_callers = 0
        self.refused_by_server = 0
        self._strangers_in_use = 0
        self._flows: dict[Key, _Flow[T]] = {}
        self._costs: dict[Key, float] = {}
        self._of_accounts: _Rotation[T] = _Rotation()
        self._of_strangers: _Rotation[T] = _Rotation()
        self._is_turn_of_strangers = False
        self._latest_key: Key | None = None
        self._crowded_until = 0.0

    def begin(self, key: Key, weight: int = 1) -> bool:
        """Return whether the work may run at once; if so, it counts until `end`."""
        flow = self._flow(key)
        if key != self._latest_key and key:  # the server's own work does not count as another caller
            if self._latest_key is not None:
                self._crowded_until = time.monotonic() + CROWDED_SECONDS
            self._latest_key = key
        if flow.waiting or not self._fits(flow, weight):
            return False
        self._start(flow, weight)
        return True

    def count(self, key: Key, weight: int) -> None:
        """Count work that runs regardless of limits, until `end`."""
        self._start(self._flow(key), weight)

    def check(self, key: Key) -> None:
        """Refuse if the caller's share, or the total, is used up."""
        if not self.in_use:
            return
        flow = self._flow(key)
        if not self._fits(flow, 1):
            self.refuse(key)
        self._forget_if_idle(flow)

    def push(self, key: Key, item: T, weight: int = 1) -> None:
        """Queue the work after `begin` returned False, or refuse it."""
        flow, kind = self._flows[key], self.kind
        if len(flow.waiting) >= kind.waiting or self.waiting >= kind.waiting_total:
            self.refuse(key, weight)
        flow.waiting.append((item, weight))
        self.waiting += 1
        self._rotate(flow)

    def refuse(self, key: Key, weight: int = 1) -> NoReturn:
        """Refuse after `begin` returned False: Throttled if this caller has too much, Busy if all together do."""
        flow, kind = self._flows[key], self.kind
        is_callers = not self._has_share_left(flow, weight) or 0 < kind.waiting <= len(flow.waiting)
        self._forget_if_idle(flow)
        if is_callers:
            self.refused_callers += 1
            raise Throttled(kind.retry_seconds)
        self.refused_by_server += 1
        raise Busy(kind.retry_seconds)

    def pop(self) -> tuple[Key, T] | None:
        """Return the next work that may run; it counts until `end`."""
        if not self.waiting:
            return None
        order = (self._of_accounts, self._of_strangers)
        for rotation in reversed(order) if self._is_turn_of_strangers else order:
            flow = self._next_in(rotation)
            if flow is None or not self._fits(flow, flow.waiting[0][1]):
                continue
            self._is_turn_of_strangers = rotation is self._of_accounts
            rotation.take(flow)
            item, weight = flow.waiting.popleft()
            self.waiting -= 1
            self._start(flow, weight)
            self._rotate(flow)
            return flow.key, item
        return None

    def _next_in(self, rotation: _Rotation[T]) -> _Flow[T] | None:
        """Return the caller whose turn it is; those whose share has shrunk leave the rotation."""
        while (flow := rotation.next()) is not None:
            if self._has_share_left(flow, flow.waiting[0][1]):
                return flow
            rotation.take(flow)
        return None

    def end(self, key: Key, weight: int = 1, cpu_seconds: float | None = None) -> None:
        """Note that work has ended; the caller calls `pop` next."""
        flow = self._flows[key]
        flow.in_use -= weight
        self.in_use -= weight
        if flow.is_stranger:
            self._strangers_in_use -= weight
        if cpu_seconds is not None and self.kind.costly_share:
            cost = flow.cost
            flow.cost += (cpu_seconds - cost) * _SMOOTHING
            if (cost > COSTLY_CPU_SECONDS) != (flow.cost > COSTLY_CPU_SECONDS):
                flow.share = self._share(key, flow.cost)
        if flow.waiting:
            self._rotate(flow)
        elif not flow.in_use:
            self._forget_if_idle(flow)

    def discard(self, key: Key, item: T) -> bool:
        """Remove waiting work whose request was cancelled; return False if it no longer waits."""
        flow = self._flows.get(key)
        places = [place for place, (waiting, _) in enumerate(flow.waiting) if waiting is item] if flow else []
        if flow is None or not places:
            return False
        del flow.waiting[places[0]]
        self.waiting -= 1
        if flow.is_in_rotation and not flow.waiting:
            self._rotation(flow).discard(flow)
        self._forget_if_idle(flow)
        return True

    def _flow(self, key: Key) -> _Flow[T]:
        flow = self._flows.get(key)
        if flow is None:
            cost = self._costs.pop(key, 0.0) if self._costs else 0.0
            flow = self._flows[key] = _Flow(key, self._share(key, cost), cost)
        return flow

    def _share(self, key: Key, cost: float) -> int:
        kind = self.kind
        share = kind.share_of(key)
        return min(share, kind.costly_share) if kind.costly_share and cost > COSTLY_CPU_SECONDS else share

    def _has_share_left(self, flow: _Flow[T], weight: int) -> bool:
        used = flow.in_use + weight
        if used > flow.share:
            return False
        crowded = self.kind.crowded_share
        return not crowded or used <= crowded or time.monotonic() > self._crowded_until

    def _fits(self, flow: _Flow[T], weight: int) -> bool:
        if self.in_use + weight > self.kind.total or not self._has_share_left(flow, weight):
            return False
        return not flow.is_stranger or self._strangers_in_use + weight <= self.kind.strangers

    def _start(self, flow: _Flow[T], weight: int) -> None:
        flow.in_use += weight
        self.in_use += weight
        if flow.is_stranger:
            self._strangers_in_use += weight

    def _rotation(self, flow: _Flow[T]) -> _Rotation[T]:
        return self._of_strangers if flow.is_stranger else self._of_accounts

    def _rotate(self, flow: _Flow[T]) -> None:
        """Add a flow to the rotation if it has waiting work and a free share."""
        if flow.waiting and not flow.is_in_rotation and self._has_share_left(flow, flow.waiting[0][1]):
            self._rotation(flow).add(flow)

    def _forget_if_idle(self, flow: _Flow[T]) -> None:
        if flow.in_use or flow.waiting or len(self._flows) <= FLOWS_KEPT:
            return
        del self._flows[flow.key]
        if flow.cost > COSTLY_CPU_SECONDS:
            # Remembered, so a pause does not give the larger share back at once.
            self._costs[flow.key] = flow.cost
            if len(self._costs) > COSTS_KEPT:
                del self._costs[next(iter(self._costs))]


class Gate:
    """The work of one kind in this process."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.queue: FairQueue[asyncio.Future[None]] = FairQueue(kind)

    def take(self, key: Key, weight: int = 1) -> "Lease":
        """Enter at once, or be refused."""
        weight = self._possible(key, weight)
        if not self.queue.begin(key, weight):
            self.queue.refuse(key, weight)
        return Lease(self, key, weight)

    def count(self, key: Key, weight: int) -> "Lease":
        """Count work that has already begun."""
        self.queue.count(key, weight)
        return Lease(self, key, weight)

    async def enter(self, key: Key, weight: int = 1) -> "Lease":
        """Enter when it is this caller's turn; refused if too much is already waiting."""
        weight = self._possible(key, weight)
        if not self.queue.begin(key, weight):
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.queue.push(key, turn, weight)
            try:
                await turn
            except asyncio.CancelledError:
                if not self.queue.discard(key, turn):
                    self.leave(key, weight)  # its turn came just as it was cancelled
                raise
        return Lease(self, key, weight)

    def leave(self, key: Key, weight: int) -> None:
        self.queue.end(key, weight)
        while (following := self.queue.pop()) is not None:
            following[1].set_result(None)

    def _possible(self, key: Key, weight: int) -> int:
        """Cap a weight at the whole share, or its turn would never come."""
        kind = self.kind
        return min(weight, kind.share if isinstance(key, int) else min(kind.address_share, kind.strangers))


@dataclass(slots=True, eq=False)
class Lease:
    """The right to run some work, until it is released."""

    gate: Gate
    key: Key
    weight: int
    is_held: bool = True

    def release(self) -> None:
        """Release it; calling this again does nothing."""
        if self.is_held:
            self.is_held = False
            self.gate.leave(self.key, self.weight)
