"""Sockets: those of Unix with their permissions and names, requests over them, and the end of any of them."""

import errno
import os
import select
import socket
import stat
import sys
from pathlib import Path

import pytest
from tests.server.http1.talking import Application, Running

from skyshelf.server.serving.sockets import (
    SocketInUse,
    is_passed_on,
    listen,
    listen_at,
    passed_on,
    port_of,
    refuse_newcomers,
    remove,
)


def test_a_socket_has_its_permissions_and_no_other_name(tmp_path: Path) -> None:
    path = tmp_path / "sky.sock"
    (listening,) = listen_at(path, 0o620, 5)
    with listening:
        assert stat.S_IMODE(path.stat().st_mode) == 0o620
        assert [one.name for one in tmp_path.iterdir()] == ["sky.sock"]
        assert port_of(listening) is None


def test_a_name_that_nobody_listens_on_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "sky.sock"
    listen_at(path, 0o600, 5)[0].close()
    with listen_at(path, 0o600, 5)[0], socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))


def test_a_socket_in_use_stays(tmp_path: Path) -> None:
    path = tmp_path / "sky.sock"
    with listen_at(path, 0o600, 5)[0]:
        with pytest.raises(SocketInUse, match="another program listens there"):
            listen_at(path, 0o600, 5)
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(path))


def test_a_file_is_not_removed(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("mine")
    with pytest.raises(FileExistsError, match="no socket"):
        listen_at(path, 0o600, 5)
    assert path.read_text() == "mine"


def test_at_the_end_the_name_goes_unless_another_program_has_it(tmp_path: Path) -> None:
    path = tmp_path / "sky.sock"
    (first,) = listen_at(path, 0o600, 5)
    inode = path.stat().st_ino
    first.close()
    (second,) = listen_at(path, 0o600, 5)
    with second:
        remove(path, inode if inode != path.stat().st_ino else 0)
        assert path.exists()
        remove(path, path.stat().st_ino)
        assert not path.exists()
        remove(path, inode)


def test_sockets_are_passed_on_to_one_process_alone() -> None:
    own = {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
    assert is_passed_on(own)
    assert not is_passed_on({})
    assert not is_passed_on({**own, "LISTEN_FDS": "0"})
    assert not is_passed_on({**own, "LISTEN_PID": "1"})
    assert passed_on({**own, "LISTEN_PID": "1"}) == []


@pytest.mark.parametrize("loop", ["uvloop", "asyncio"])
def test_requests_over_a_unix_socket_come_from_this_machine(tmp_path: Path, loop: str) -> None:
    running = Running(Application(tmp_path), loop, path=tmp_path / "sky.sock")
    try:
        with running.connected() as one, running.connected() as other:
            for raw in (one, other):
                raw.send(b"GET /early HTTP/1.1\r\nHost: x\r\n\r\nGET /file HTTP/1.1\r\nHost: x\r\n\r\n")
                assert raw.answer() == (200, b"early")
                assert raw.answer() == (200, running.app.known["/file"])
        clients = {scope["client"] for scope in running.app.scopes if scope["path"] == "/early"}
        assert {address for address, _ in clients} == {"127.0.0.1"}
        assert len(clients) == 2
    finally:
        running.stop()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the packet filter is Linux's")
def test_who_tries_to_connect_to_a_socket_that_will_close_is_refused_and_who_has_connected_is_accepted() -> None:
    (listening,) = listen("127.0.0.1", 0, 10)
    address = listening.getsockname()
    with socket.create_connection(address) as early, socket.socket() as late:
        refuse_newcomers(listening)
        late.setblocking(False)
        assert late.connect_ex(address) == errno.EINPROGRESS
        accepted, _ = listening.accept()
        with accepted:
            accepted.sendall(b"welcome")
        with pytest.raises(BlockingIOError):
            listening.accept()
        listening.close()
        assert early.recv(100) == b"welcome"
        # It tries once more after a second; a connection that had been made would have been reset instead.
        select.select([], [late], [], 60)
        assert late.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == errno.ECONNREFUSED
