"""A gate: work of one kind enters, waits or is refused. Everything here runs on the event loop."""

import asyncio

from skyshelf.server.http.admission.fair_queue import FairQueue
from skyshelf.server.http.admission.kinds import Key, Kind


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
        """Count what has entered already."""
        self.queue.count(key, weight)
        return Lease(self, key, weight)

    async def enter(self, key: Key, weight: int = 1) -> "Lease":
        """Enter when it is this caller's turn; refused if too much waits already."""
        weight = self._possible(key, weight)
        if not self.queue.begin(key, weight):
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.queue.push(key, turn, weight)
            try:
                await turn
            except asyncio.CancelledError:
                if not self.queue.discard(key, turn):
                    self.leave(key, weight)  # its turn had come in the same moment
                raise
        return Lease(self, key, weight)

    def leave(self, key: Key, weight: int) -> None:
        self.queue.end(key, weight)
        while (following := self.queue.pop()) is not None:
            following[1].set_result(None)

    def _possible(self, key: Key, weight: int) -> int:
        """Nothing may weigh more than the whole share, or it would never be its turn."""
        kind = self.kind
        return min(weight, kind.share if isinstance(key, int) else min(kind.address_share, kind.strangers))


class Lease:
    """The right to go on with some work, until it is given back."""

    __slots__ = ("_gate", "_is_held", "_key", "_weight")

    def __init__(self, gate: Gate, key: Key, weight: int) -> None:
        self._gate = gate
        self._key = key
        self._weight = weight
        self._is_held = True

    def release(self) -> None:
        """Give it back; once is enough."""
        if self._is_held:
            self._is_held = False
            self._gate.leave(self._key, self._weight)
