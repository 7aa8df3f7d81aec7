"""All gates of a process, and their figures."""

import asyncio
import time
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from skyshelf.server.http.admission.fair_queue import FairQueue
from skyshelf.server.http.admission.gate import Gate, Lease
from skyshelf.server.http.admission.kinds import CALLS, KINDS, Key, Kind
from skyshelf.server.http.admission.refusals import Refusals
from skyshelf.server.http.admission.requesters import current_requester
from skyshelf.storage.watching import current_parts


class KindFigures(msgspec.Struct, frozen=True):
    """How much of a kind runs and waits, and how much was refused since the start."""

    kind: str
    in_use: int
    waiting: int
    refused_callers: int
    refused_by_server: int


class Admission:
    """Decides who runs, who waits and who is refused."""

    def __init__(self, kinds: Iterable[Kind] = KINDS) -> None:
        self._kinds = {kind.name: kind for kind in kinds}
        self._gates = {name: Gate(kind) for name, kind in self._kinds.items() if name != CALLS.name}
        self._refusals = Refusals()
        # The threads for calls ask this queue themselves, with their lock held: calls are the most frequent work.
        self.calls: FairQueue[object] = FairQueue(self._kinds[CALLS.name])

    def kind(self, kind: Kind) -> Kind:
        """The kind with the limits that hold here."""
        return self._kinds[kind.name]

    @property
    def caller(self) -> Key:
        """Whose request this is, as far as it is known."""
        return current_requester.get().key

    def take(self, kind: Kind, *, key: Key | None = None, weight: int = 1) -> Lease:
        """Enter at once or be refused; held until the request ends, unless it is released before."""
        requester = current_requester.get()
        lease = self._gates[kind.name].take(requester.key if key is None else key, weight)
        requester.hold(lease)
        return lease

    def check(self, kind: Kind, *, key: Key | None = None) -> None:
        """Refuse a request whose caller, or everybody together, has reached the limit of a kind."""
        self._gates[kind.name].queue.check(current_requester.get().key if key is None else key)

    def count(self, kind: Kind, weight: int) -> None:
        """Count work that has begun, whatever the limits are, until the request ends."""
        requester = current_requester.get()
        requester.hold(self._gates[kind.name].count(requester.key, weight))

    async def enter(self, kind: Kind, *, key: Key | None = None, weight: int = 1) -> Lease:
        """Enter, perhaps after waiting; held until the request ends, unless it is released before."""
        requester, parts, began = current_requester.get(), current_parts.get(), time.perf_counter()
        lease = await self._gates[kind.name].enter(requester.key if key is None else key, weight)
        if parts is not None:
            parts.waiting += time.perf_counter() - began
        requester.hold(lease)
        return lease

    async def hold_back(self) -> None:
        """Before a refusal is answered: give back what the request holds, and wait if the caller has many of them."""
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
