"""Which connections are closed: those that only wait, and never one with work to do."""

import itertools
import socket
from collections.abc import Iterable
from typing import cast

from skyshelf.server.connections.evictions import (
    HEAD_BYTES_MAX,
    HEAD_SECONDS,
    KEEP_ALIVE_SECONDS,
    READ_BYTES_PER_SECOND_MIN,
    STALLED_SECONDS,
    EvictionPolicy,
    Limits,
    Reason,
)
from skyshelf.server.connections.traffic import FinishedVisit, OpenSocket, Peer, Traffic, Visit

PROXY = "10.0.0.1"
NOWHERE = cast("socket.socket", None)
"""No connection of this test is a real one."""


class Watched:
    """A crowd of connections on a clock of their own."""

    def __init__(
        self,
        connections: int = 1000,
        per_address: int = 1000,
        descriptors: int = 10_000,
        keep_alive_seconds: float = KEEP_ALIVE_SECONDS,
    ) -> None:
        self._limits = Limits(
            keep_alive_seconds=keep_alive_seconds,
            connections=connections,
            descriptors=descriptors,
            per_address=per_address,
            is_exempt=lambda address: address == PROXY,
        )
        self._policy = EvictionPolicy(self._limits)
        self._numbers = itertools.count(1)
        self.now = 1000.0
        self.open: dict[int, OpenSocket] = {}
        self.visits: dict[int, Visit] = {}
        self.descriptors = 10

    def connect(self, address: str = "203.0.113.1") -> int:
        number = next(self._numbers)
        self.open[number] = OpenSocket(NOWHERE, number, Peer(address, number), Traffic(0, 0, is_sending=False))
        return number

    def crowd(self, count: int, address: str = "203.0.113.1") -> list[int]:
        return [self.connect(address) for _ in range(count)]

    def traffic(self, number: int, received: int = 0, acknowledged: int = 0, *, is_sending: bool = False) -> None:
        self.open[number] = self.open[number]._replace(traffic=Traffic(received, acknowledged, is_sending))

    def ask(self, number: int) -> Visit:
        visit = Visit(self.open[number].peer, self.open[number].peer.address)
        visit.began = self.now
        self.visits[number] = visit
        return visit

    def at_work(self) -> int:
        return self._policy.at_work(self.now)

    def look(self, seconds: float = 0.2, finished: Iterable[int] = (), late: Iterable[int] = ()) -> dict[int, Reason]:
        """What is closed after that time. Some requests end before the bytes are counted, late ones afterwards."""
        counted_at = self.now + seconds
        self.now = counted_at + 0.01
        ended = [FinishedVisit(self.open[number].peer, counted_at - 0.01) for number in finished]
        ended += [FinishedVisit(self.open[number].peer, self.now) for number in late]
        evictions = self._policy.look(
            list(self.open.values()),
            self.visits.values(),
            ended,
            now=self.now,
            descriptors=self.descriptors,
            counted_at=counted_at,
        )
        for eviction in evictions:
            del self.open[eviction.connection.number]
        return {eviction.connection.number: eviction.reason for eviction in evictions}


def test_a_connection_without_a_request_has_some_seconds_for_its_first() -> None:
    watched = Watched()
    one = watched.connect()
    assert watched.look() == {}
    assert watched.look(HEAD_SECONDS - 1) == {}
    watched.traffic(one, received=5)
    assert watched.look(1) == {one: Reason.HEAD}


def test_the_operator_decides_how_long_a_connection_may_be_idle() -> None:
    watched = Watched(keep_alive_seconds=200)
    kept = watched.connect()
    watched.look(finished=[kept])
    assert watched.look(KEEP_ALIVE_SECONDS + 1) == {}
    assert watched.look(200) == {kept: Reason.IDLE}


def test_a_kept_connection_has_longer_but_not_for_the_head_of_its_next_request() -> None:
    watched = Watched()
    kept, dripping = watched.crowd(2)
    watched.look(finished=[kept, dripping])
    watched.traffic(dripping, received=1)
    watched.look(30)
    watched.traffic(dripping, received=2)
    assert watched.look(HEAD_SECONDS) == {dripping: Reason.HEAD}
    assert watched.look(KEEP_ALIVE_SECONDS - 31 - HEAD_SECONDS) == {}
    assert watched.look(2) == {kept: Reason.IDLE}


def test_a_request_that_is_answered_while_the_connections_are_looked_at_leaves_no_head_behind() -> None:
    """On a busy machine a request often arrives after the bytes were counted, and ends before the visits are taken."""
    watched = Watched()
    crowd = watched.crowd(300)
    watched.look()
    watched.look(late=crowd)
    for one in crowd:
        watched.traffic(one, received=400)
    for _ in range(KEEP_ALIVE_SECONDS - 1):
        assert watched.look(1) == {}
    assert watched.look(2) == dict.fromkeys(crowd, Reason.IDLE)


def test_a_head_that_drips_behind_such_a_request_has_no_more_time_than_others() -> None:
    watched = Watched()
    dripping = watched.connect()
    watched.look(late=[dripping])
    watched.traffic(dripping, received=400)
    watched.look()
    watched.traffic(dripping, received=401)
    watched.look()
    assert watched.look(HEAD_SECONDS) == {dripping: Reason.HEAD}


def test_a_head_that_is_far_too_large_is_not_waited_for() -> None:
    watched = Watched()
    large, quick = watched.crowd(2)
    watched.look()
    watched.traffic(large, received=HEAD_BYTES_MAX + 1)
    watched.traffic(quick, received=HEAD_BYTES_MAX + 1)
    assert watched.look() == {}
    watched.ask(quick)  # its head had arrived, with much of its body
    assert watched.look() == {large: Reason.HEAD}


def test_work_in_progress_stays_however_long_it_takes() -> None:
    watched = Watched()
    stream, download, call = watched.crowd(3)
    watched.ask(stream)
    watched.ask(call)
    for seconds in range(0, 600, 10):
        watched.traffic(stream, acknowledged=seconds)
        # The application is done with a file that the HTTP server sends itself.
        watched.traffic(download, acknowledged=seconds * 20_000, is_sending=True)
        assert watched.look(10) == {}


def test_a_response_that_is_not_read_or_hardly_is_cut() -> None:
    watched = Watched()
    rates = dict(zip(watched.crowd(3), (0, READ_BYTES_PER_SECOND_MIN // 2, READ_BYTES_PER_SECOND_MIN * 2), strict=True))
    deaf, slow, _steady = rates
    closed: dict[int, Reason] = {}
    for second in range(0, 2 * STALLED_SECONDS, 5):
        for one in rates.keys() & watched.open.keys():
            watched.traffic(one, acknowledged=second * rates[one], is_sending=True)
        closed |= watched.look(5)
    assert closed == {deaf: Reason.STALLED, slow: Reason.STALLED}


def test_an_address_above_its_limit_loses_its_longest_idle() -> None:
    watched = Watched(per_address=3)
    old = watched.crowd(2)
    watched.look()
    busy = watched.connect()
    watched.ask(busy)
    watched.look()
    others = watched.crowd(3, "203.0.113.2")
    watched.look()
    new = watched.crowd(3)
    assert watched.look() == dict.fromkeys(old, Reason.ADDRESS)
    closed = watched.look()
    assert len(closed) == 1
    assert closed.keys() <= set(new)
    assert busy in watched.open
    assert set(others) <= watched.open.keys()


def test_an_ipv6_site_counts_as_one_and_a_proxy_has_no_limit() -> None:
    watched = Watched(per_address=2)
    site = [watched.connect(f"2001:db8::{number:x}") for number in range(1, 5)]
    elsewhere = watched.connect("2001:db8:0:1::1")
    watched.crowd(5, PROXY)
    watched.look()
    closed = watched.look()
    assert len(closed) == 2
    assert closed.keys() <= set(site)
    assert elsewhere in watched.open


def test_with_hardly_a_place_left_idle_connections_go_the_greediest_address_first() -> None:
    watched = Watched(connections=100)
    modest = watched.crowd(5, "203.0.113.2")
    working = watched.crowd(30)
    for one in working:
        watched.ask(one)
    watched.crowd(44, "203.0.113.3")
    assert watched.look() == {}
    fresh = watched.connect("203.0.113.4")
    closed = watched.look()
    assert set(closed.values()) == {Reason.PRESSURE}
    assert len(closed) == 44 + 5
    assert not closed.keys() & set(working)
    assert fresh in watched.open
    assert set(list(closed)[-5:]) == set(modest)


def test_with_hardly_a_place_left_a_dripping_body_goes_too_but_no_stream_and_no_upload() -> None:
    watched = Watched(connections=10)
    drips, stream, upload = watched.crowd(8), watched.connect(), watched.connect()
    for one in drips:
        watched.ask(one).is_waiting_for_body = True
    watched.ask(stream)
    visit = watched.ask(upload)
    visit.is_waiting_for_body = True
    visit.body_bytes = 1024 * 1024
    assert watched.look() == {}
    assert watched.look(2) == dict.fromkeys(drips, Reason.PRESSURE)


def test_few_free_descriptors_press_like_many_connections() -> None:
    watched = Watched(descriptors=100)
    one = watched.connect()
    watched.look()
    watched.descriptors = 90
    assert watched.look() == {one: Reason.PRESSURE}


def test_refused_and_dripping_requests_are_no_work() -> None:
    watched = Watched(connections=10)
    for one in watched.crowd(5):
        watched.ask(one).is_refused = True
    for one in watched.crowd(4):
        watched.ask(one).is_waiting_for_body = True
    working = watched.connect()
    watched.ask(working)
    watched.look()
    assert watched.at_work() == 1
    assert len(watched.look()) == 8
    assert working in watched.open
