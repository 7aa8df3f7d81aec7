"""Which connections are closed, and why.

A connection with work in progress stays as long as its bytes move: a stream of events, a long download, a large
upload, a call that computes. One that only waits is closed, after a while or when there are too many.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any, Final, NamedTuple

import msgspec

from skyshelf.server.connections.traffic import FinishedVisit, OpenSocket, Visit
from skyshelf.service.networks import network_of

HEAD_SECONDS: Final = 15
"""Seconds for the first request to begin, with its TLS handshake, and for any further head once it has begun."""

KEEP_ALIVE_SECONDS: Final = 75
"""Seconds for which an idle connection is kept; longer than common proxies keep theirs, so they close first."""

STALLED_SECONDS: Final = 60
"""Seconds for which a client may leave a response unread, or read less than `READ_BYTES_PER_SECOND_MIN`."""

READ_BYTES_PER_SECOND_MIN: Final = 1024
"""Bytes of a response that a client must read per second."""

HEAD_BYTES_MAX: Final = 64 * 1024
"""Bytes that a client may send before its request begins: several times the largest head, and a TLS handshake."""

PRESSURE: Final = 0.8
"""Fraction of all connections, or of all descriptors, above which idle connections are closed."""

RELIEF: Final = 0.25
"""Fraction of all connections down to which idle ones are then closed."""

# Under pressure, idle connections get less time.
_PRESSED_STALLED_SECONDS: Final = 3
_PRESSED_BODY_SECONDS: Final = 1
# While others wait to connect, they get the least time.
_FULL_BODY_SECONDS: Final = 0.25
_PRESSED_BODY_BYTES_PER_SECOND: Final = 4096


class Reason(StrEnum):
    """Why a connection was closed; the label of a metric."""

    HEAD = "head"
    IDLE = "idle"
    STALLED = "stalled"
    ADDRESS = "address"
    PRESSURE = "pressure"


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How many connections there may be."""

    connections: int
    descriptors: int
    per_address: int
    is_exempt: Callable[[str], bool]
    """Tells whether an address, such as a trusted proxy's, carries the requests of many clients."""
    keep_alive_seconds: float = KEEP_ALIVE_SECONDS


class Eviction(NamedTuple):
    connection: OpenSocket
    reason: Reason


class EvictionPolicy:
    """Decides which connections to close, and remembers each of them between two checks."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._records: dict[int, _Record] = {}

    def at_work(self, now: float) -> int:
        """Return how many of the remaining connections had work at the last check."""
        return sum(not record.is_closed and record.is_at_work(now) for record in self._records.values())

    def look(
        self,
        connections: list[OpenSocket],
        visits: Iterable[Visit],
        finished: Iterable[FinishedVisit],
        *,
        now: float,
        descriptors: int,
        counted_at: float,
    ) -> list[Eviction]:
        """Return the connections to close. `visits` must include every request whose head was read before `connections`
        were found, or a client that has just sent one could be taken for idle. Their bytes were counted after
        `counted_at`."""
        busy: dict[tuple[str, int], list[Visit]] = {}
        for visit in visits:
            busy.setdefault(visit.peer, []).append(visit)
        ended = {one.peer: one for one in finished}
        records: dict[int, _Record] = {}
        for connection in connections:
            record = self._records.get(connection.number) or _Record(connection, now)
            record.update(connection, busy.get(connection.peer, ()), ended.get(connection.peer), now, counted_at)
            records[connection.number] = record
        self._records = records
        return self._late(now) + self._of_greedy_addresses(now) + self._under_pressure(now, descriptors)

    def _late(self, now: float) -> list[Eviction]:
        evictions = []
        for record in self._records.values():
            reason = None if record.is_closed else record.late(now, self._limits.keep_alive_seconds)
            if reason is not None:
                evictions.append(record.close(reason))
        return evictions

    def _of_greedy_addresses(self, now: float) -> list[Eviction]:
        """Pick the longest idle connections of addresses above their limit; their further requests are refused."""
        most = self._limits.per_address
        counts = self._counts()
        greedy = {address for address, count in counts.items() if count > most and not self._limits.is_exempt(address)}
        if not greedy:
            return []
        evictions = []
        for record in self._dispensable(now, _PRESSED_BODY_SECONDS, lambda record: -record.idle_seconds(now)):
            if record.network in greedy and counts[record.network] > most:
                counts[record.network] -= 1
                evictions.append(record.close(Reason.ADDRESS))
        return evictions

    def _under_pressure(self, now: float, descriptors: int) -> list[Eviction]:
        """Pick the longest idle connections of the greediest addresses, then bodies and readers that hardly move."""
        counts = self._counts()
        count = counts.total()
        if count < PRESSURE * self._limits.connections and descriptors < PRESSURE * self._limits.descriptors:
            return []
        excess = count - int(RELIEF * min(count, self._limits.connections))
        patience = _PRESSED_BODY_SECONDS if count < self._limits.connections else _FULL_BODY_SECONDS
        chosen = self._dispensable(now, patience, lambda record: (-counts[record.network], -record.idle_seconds(now)))
        return [record.close(Reason.PRESSURE) for record in chosen[:excess]]

    def _dispensable(self, now: float, body_seconds: float, order: Callable[["_Record"], Any]) -> list["_Record"]:
        """Return connections that only wait, followed by those whose bytes hardly move."""
        left = [record for record in self._records.values() if not record.is_closed]
        waiting = [record for record in left if record.only_waits]
        moving = [record for record in left if not record.only_waits and record.hardly_moves(now, body_seconds)]
        return sorted(waiting, key=order) + sorted(moving, key=order)

    def _counts(self) -> Counter[str]:
        return Counter(record.network for record in self._records.values() if not record.is_closed)


class _Record:
    """What the policy remembers of one connection."""

    __slots__ = (
        "_connection",
        "_first_seen",
        "_had_request",
        "_head_began",
        "_is_stalled",
        "_is_still",
        "_is_uncounted",
        "_looks",
        "_moved",
        "_received_before",
        "_rested",
        "_sending_began",
        "_visits",
        "is_closed",
        "network",
    )

    def __init__(self, connection: OpenSocket, now: float) -> None:
        self._connection = connection
        self._visits: tuple[Visit, ...] = ()
        self._first_seen = now
        self._rested = now
        """When the last request ended."""
        self._moved = now
        """When bytes of a response last moved, or there were none."""
        self._sending_began: tuple[float, int] | None = None
        """Since when there have always been bytes to send, and how many the client had then."""
        self._is_stalled = False
        self._is_still = False
        """Whether nothing moved between the last two checks."""
        self._received_before = 0
        """Bytes received before the current head."""
        self._is_uncounted = False
        """Whether a request has ended since the bytes were counted: some of the next count are its own."""
        self._head_began: float | None = None
        self._had_request = False
        self._looks = 0
        self.is_closed = False
        self.network = network_of(connection.peer.address)

    def update(
        self,
        connection: OpenSocket,
        visits: Iterable[Visit],
        finished: FinishedVisit | None,
        now: float,
        counted_at: float,
    ) -> None:
        before = self._connection.traffic
        self._connection = connection
        self._looks += 1
        traffic = connection.traffic
        self._is_still = traffic == before and not traffic.is_sending
        if not traffic.is_sending or traffic.acknowledged != before.acknowledged:
            self._moved = now
        self._note_sending(now)
        self._visits = tuple(visits)
        if self._visits or finished is not None or traffic.is_sending:
            self._had_request = self._had_request or bool(self._visits) or finished is not None
            self._rested = now
            self._received_before = traffic.received
            self._head_began = None
        elif self._is_uncounted:
            self._received_before = traffic.received
        elif self._head_began is None and traffic.received > self._received_before:
            self._head_began = now
        self._is_uncounted = finished is not None and finished.at >= counted_at

    def _note_sending(self, now: float) -> None:
        traffic = self._connection.traffic
        if not traffic.is_sending:
            self._sending_began = None
            return
        began, acknowledged = self._sending_began or (now, traffic.acknowledged)
        if now - began >= STALLED_SECONDS:
            self._is_stalled = traffic.acknowledged - acknowledged < READ_BYTES_PER_SECOND_MIN * STALLED_SECONDS
            began, acknowledged = now, traffic.acknowledged
        self._sending_began = began, acknowledged

    def is_at_work(self, now: float) -> bool:
        if self._visits:
            rate = _PRESSED_BODY_BYTES_PER_SECOND
            return not all(visit.is_refused or visit.is_dripping(now, rate) for visit in self._visits)
        return self._connection.traffic.is_sending

    def late(self, now: float, keep_alive_seconds: float) -> Reason | None:
        """Return why the connection is overdue; None if it is not."""
        if self._connection.traffic.is_sending:
            return Reason.STALLED if self._is_stalled else None
        if self._visits:
            return None
        if not self._had_request and now - self._first_seen >= HEAD_SECONDS:
            return Reason.HEAD
        if self._head_began is not None:
            received = self._connection.traffic.received - self._received_before
            is_too_large = received > HEAD_BYTES_MAX and self._head_began < now
            if is_too_large or now - self._head_began >= HEAD_SECONDS:
                return Reason.HEAD
        return Reason.IDLE if now - self._rested >= keep_alive_seconds else None

    @property
    def only_waits(self) -> bool:
        """Return whether closing it loses nothing. A new connection gets one interval to begin its request."""
        if self._visits:
            return self._looks > 1 and all(visit.is_refused for visit in self._visits)
        return self._looks > 1 and (self._is_still or not self._had_request)

    def hardly_moves(self, now: float, body_seconds: float) -> bool:
        """Return whether its request arrives, or its response is read, far too slowly."""
        if self._connection.traffic.is_sending:
            return now - self._moved >= _PRESSED_STALLED_SECONDS
        return bool(self._visits) and all(
            now - visit.began >= body_seconds and visit.is_dripping(now, _PRESSED_BODY_BYTES_PER_SECOND)
            for visit in self._visits
        )

    def idle_seconds(self, now: float) -> float:
        return now - self._rested

    def close(self, reason: Reason) -> Eviction:
        self.is_closed = True
        return Eviction(self._connection, reason)
