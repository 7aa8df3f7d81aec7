"""What the server tells a service manager such as systemd, from its start to its end."""

import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.serving import serving

PATIENCE = 60


class Manager:
    """The socket of a manager, and what came in."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self._socket.settimeout(PATIENCE)
        self.said: list[str] = []
        self._news = threading.Condition()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while (message := self._socket.recv(4096)) != b"end":
            with self._news:
                self.said += message.decode().splitlines()
                self._news.notify_all()

    def await_(self, line: str, times: int = 1) -> None:
        with self._news:
            assert self._news.wait_for(lambda: self.said.count(line) >= times, PATIENCE), self.said

    def close(self) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ending:
            ending.sendto(b"end", str(self.path))
        self._thread.join()
        self._socket.close()


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Manager]:
    found = Manager(tmp_path / "notify")
    monkeypatch.setenv("NOTIFY_SOCKET", str(found.path))
    monkeypatch.setenv("WATCHDOG_USEC", "300000")
    yield found
    found.close()


def test_it_says_that_it_serves_lives_reloads_and_ends(tmp_path: Path, manager: Manager) -> None:
    with serving("--data", str(tmp_path / "data")) as server:
        manager.await_("READY=1")
        manager.await_("WATCHDOG=1", times=3)
        server.process.send_signal(signal.SIGHUP)
        manager.await_("RELOADING=1")
        manager.await_("READY=1", times=2)
        assert server.stop() == 0
        manager.await_("STOPPING=1")
        # The drain of eight seconds, and four for the end.
        manager.await_("EXTEND_TIMEOUT_USEC=12000000")
    order = [line for line in manager.said if line in {"READY=1", "RELOADING=1", "STOPPING=1"}]
    assert order == ["READY=1", "RELOADING=1", "READY=1", "STOPPING=1"]
