"""Signals to a running server: new settings and certificates without a lost request, and what an end cuts."""

import os
import pty
import signal
import socket
import ssl
import time
from collections.abc import Callable
from pathlib import Path

from tests.cli.admin.test_serve import half_a_login
from tests.cli.serving import Serving, make_certificate, serving

BODY = b'{"emailId": "nobody@example.org", "password": "wrong"}'
PATIENCE = 60


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def writes(server: Serving) -> str:
    return str(server.client.get("/readyz", headers={"Connection": "close"}).json()["writes"])


def test_new_settings_hold_after_a_hangup_and_no_request_is_lost(tmp_path: Path) -> None:
    config = tmp_path / "server.toml"
    config.write_text("workers = 2\n")
    with serving("--data", str(tmp_path / "data"), "--config", str(config)) as server:
        assert writes(server) == "ready"
        with half_a_login(server.port, BODY) as begun:
            before = set(server.descendants())
            config.write_text('read-only = "we are moving"\n')
            server.process.send_signal(signal.SIGHUP)
            wait_for(lambda: "we are moving" in writes(server))
            # What an old worker had begun to receive, it answers.
            begun.sendall(BODY[len(BODY) // 2 :])
            assert begun.recv(65536).startswith(b"HTTP/1.1 401")
        wait_for(lambda: not before & set(server.descendants()))
        assert "reloaded: 2 new worker processes serve" in server.log
        assert server.stop() == 0


def test_a_mistake_in_the_file_changes_nothing(tmp_path: Path) -> None:
    config = tmp_path / "server.toml"
    data = f'data = "{tmp_path / "data"}"\n'
    config.write_text(data)
    with serving("--config", str(config)) as server:
        workers = server.descendants()
        mistakes = {
            f"{data}quotta = 5": "which the server does not know: did you mean quota?",
            f'data = "{tmp_path / "elsewhere"}"': "the stores cannot be changed while the service runs",
            f'{data}metadata = "postgresql://elsewhere/x"': "the stores cannot be changed while the service runs",
        }
        for mistake, sentence in mistakes.items():
            before = server.log.count(sentence)
            config.write_text(mistake)
            server.process.send_signal(signal.SIGHUP)
            wait_for(lambda sentence=sentence, before=before: server.log.count(sentence) > before)  # type: ignore[misc]
        assert server.descendants() == workers
        assert server.client.get("/healthz").status_code == 200


def test_a_new_certificate_is_used_after_a_hangup(tmp_path: Path) -> None:
    cert, key = make_certificate(tmp_path, "old.example.org")
    options = ("--data", str(tmp_path / "data"), "--tls-cert", str(cert), "--tls-key", str(key))
    with serving(*options, scheme="https") as server:
        old = ssl.get_server_certificate(("127.0.0.1", server.port))
        assert old.split() == cert.read_text().split()
        make_certificate(tmp_path, "new.example.org")
        server.process.send_signal(signal.SIGHUP)
        wait_for(lambda: shown_certificate(server.port).split() == cert.read_text().split())
        assert server.stop() == 0


def shown_certificate(port: int) -> str:
    try:
        return ssl.get_server_certificate(("127.0.0.1", port), timeout=10)
    except OSError:  # one worker has gone and the next is not there yet
        return ""


def test_a_closed_terminal_ends_the_service(tmp_path: Path) -> None:
    ours, its = pty.openpty()
    try:
        with serving("--data", str(tmp_path / "data"), stdin=its) as server:
            assert server.stop(signal.SIGHUP) == 0
    finally:
        os.close(ours)
        os.close(its)


def test_what_takes_longer_than_the_drain_is_cut_and_counted(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path / "data"), "--drain", "0.5") as server:
        with half_a_login(server.port, BODY) as begun:
            begun.settimeout(PATIENCE)
            wait_for(lambda: "skyshelf_requests_in_flight 2.0" in server.client.get("/metrics").text)
            server.process.send_signal(signal.SIGTERM)
            assert _rest(begun) == b""
            assert server.process.wait(PATIENCE) == 0
        server.stop()
        assert "1 requests were cut after 0.5 seconds" in server.log


def _rest(begun: socket.socket) -> bytes:
    try:
        return begun.recv(100)
    except ConnectionResetError:
        return b""
