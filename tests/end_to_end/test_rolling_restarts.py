"""Two instances behind a proxy, with the examples in packaging/proxies, are stopped and started in turn under load."""

import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import httpx2
import pytest
from tests.end_to_end.rolling_load import Load
from tests.real_parts.servers import Stack, scaled_out
from tests.real_parts.two_instances import PROXIES
from tests.server.api import new_account

from skyshelf.service.accounts import app_passwords
from skyshelf.storage.metadata.contracts.sessions import AppScope

ROUNDS = 1
"""How often each instance is replaced."""
ONCE = [("POST", b"x"), ("POST", b"x" * 300_000), ("PATCH", b"x"), ("LOCK", b"x"), ("PUT", b"x" * 300_000)]
"""Requests that are sent once whatever happens, small and large ones."""
OPTIONS = ("--stop-delay", "5", "--drain", "60")


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with scaled_out(tmp_path_factory.mktemp("rolling"), *OPTIONS) as stack:
        yield stack


def load_on(stack: Stack, port: int, email: str) -> Load:
    account = new_account(stack.ctx, email)
    password, _ = app_passwords.create(stack.ctx, account.account_id, "App", AppScope())
    return Load(f"http://127.0.0.1:{port}", email, password)


@pytest.mark.whole
@pytest.mark.parametrize("proxy", PROXIES)
def test_no_request_fails_while_instances_are_replaced_in_turn(stack: Stack, tmp_path: Path, proxy: str) -> None:
    with ExitStack() as until:
        port = until.enter_context(PROXIES[proxy](tmp_path, [server.port for server in stack.servers]))
        load = until.enter_context(closing(load_on(stack, port, f"{proxy}@example.org")))
        with load.under_way():
            load.wait_for_more()
            for server in stack.servers * ROUNDS:
                assert stack.stop(server) == 0
                load.wait_for_more()
                stack.restart()
                load.wait_for_more()
        load.check()
        # Wherever the stream was, its instance stopped, and it went on at the other one.
        assert load.streams > 1
        assert load.hints == load.streams - 1
        print(f"{proxy}: {dict(load.done)}, {load.streams} streams")
    for server in stack.servers:
        assert "requests were cut" not in server.log.read_text()


class Vanishing:
    """A server that reads a request whole and then breaks the connection, as one that is killed at that moment."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        threading.Thread(target=self._run, daemon=True).start()

    def close(self) -> None:
        self._listening.close()

    def _run(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as lines:
            method, _, rest = lines.readline().decode().partition(" ")
            if not rest:
                return  # a connection that was not needed
            length = 0
            while (line := lines.readline().strip().lower()) != b"":
                if line.startswith(b"content-length:"):
                    length = int(line.partition(b":")[2])
            lines.read(length)
            if rest.startswith("/readyz "):
                connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            else:
                self.seen[method] += 1


@pytest.mark.whole
@pytest.mark.parametrize("proxy", PROXIES)
def test_what_an_instance_has_read_is_not_sent_to_the_other_one(tmp_path: Path, proxy: str) -> None:
    """The instance may have processed it: what changes something would be done twice."""
    with closing(Vanishing()) as first, closing(Vanishing()) as second, ExitStack() as until:
        port = until.enter_context(PROXIES[proxy](tmp_path, [first.port, second.port]))
        for method, body in ONCE:
            answer = httpx2.request(method, f"http://127.0.0.1:{port}/dav/a.bin", content=body, timeout=60)
            assert answer.status_code in {502, 503, 504}
            assert (first.seen + second.seen)[method] == 1, method
            first.seen.clear()
            second.seen.clear()
