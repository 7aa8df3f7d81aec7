"""How many connections there may be, and how they end."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.http1.talking import LOOPS, PATIENCE, Application, Running


@pytest.fixture(params=LOOPS)
def running(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Running]:
    server = Running(Application(tmp_path), request.param, connections_max=2)
    yield server
    server.stop()


GET = b"GET /now HTTP/1.1\r\nHost: a\r\n\r\n"


def test_a_client_for_whom_there_is_no_place_waits_for_one(running: Running) -> None:
    with running.connected() as first, running.connected() as second, running.connected() as third:
        for raw in (first, second):
            raw.send(GET)
            assert raw.answer()[1] == b"now"
        third.send(GET)
        third.socket.settimeout(0.2)
        with pytest.raises(TimeoutError):
            third.answer()
        first.socket.close()
        third.socket.settimeout(PATIENCE)
        assert third.answer()[1] == b"now"


def test_a_connection_that_was_just_opened_still_gets_its_answer(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client may have connected before the server began to stop, and its request is on the way."""
    monkeypatch.setattr("skyshelf.server.http1.connection.FIRST_REQUEST_SECONDS", 60.0)
    with running.connected() as known, running.connected() as new:
        known.send(GET)
        assert known.answer()[1] == b"now"
        running.begin_to_stop()
        assert known.rest() == b"", "an idle one is closed"
        new.send(GET)
        answer = new.rest()
        assert answer.endswith(b"now")
        assert b"connection: close\r\n" in answer


def test_who_has_connected_before_a_stop_is_accepted(tmp_path: Path) -> None:
    """To close a socket resets the connections that wait there, and requests may have been sent on them."""
    running = Running(Application(tmp_path), "asyncio")
    begun: list[socket.socket] = []

    def connect() -> None:
        for _ in range(100):
            begun.append(socket.create_connection(("127.0.0.1", running.port), PATIENCE))
            begun[-1].sendall(GET)

    try:
        running.stop_after(connect)
        running.stop()
        for one in begun:
            assert one.recv(1000).endswith(b"now")
    finally:
        for one in begun:
            one.close()


def test_a_server_that_stops_ends_what_it_has_begun(running: Running) -> None:
    with running.connected() as idle, running.connected() as busy:
        idle.send(GET)
        assert idle.answer()[1] == b"now"
        busy.send(b"GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
        assert running.app.is_waiting.wait(PATIENCE)
        running.begin_to_stop()
        assert idle.rest() == b""
        with pytest.raises(ConnectionRefusedError), running.connected():
            pass
        running.app.go_on.set()
        assert busy.rest().endswith(b"later")
