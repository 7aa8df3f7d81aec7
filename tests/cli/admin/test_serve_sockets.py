"""`skyshelf serve` on a Unix socket, and on one that systemd has opened."""

import errno
import os
import signal
import socket
import stat
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from tests.cli.serving import SKYSHELF, run
from tests.real_parts.migrated_sqlite import put_migrated
from tests.real_parts.programs import program

PATIENCE = 60


@pytest.fixture
def data(tmp_path: Path) -> Path:
    put_migrated(tmp_path / "data")
    return tmp_path / "data"


@contextmanager
def started(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SKYSHELF_")}
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=PATIENCE)


def answer_over(path: Path, url: str = "http://drive.example.org/livez", **headers: str) -> httpx2.Response:
    """An answer over a Unix socket, as soon as somebody listens there."""
    deadline = time.monotonic() + PATIENCE
    while _connects(path) != 0:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    with httpx2.Client(transport=httpx2.HTTPTransport(uds=str(path)), timeout=PATIENCE) as client:
        return client.get(url, headers=headers)


def _connects(path: Path) -> int:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path))


def test_a_socket_is_served_and_gone_at_the_end(tmp_path: Path, data: Path) -> None:
    path = tmp_path / "sky.sock"
    options = ("--data", str(data), "--listen", f"unix:{path}", "--listen-mode", "600")
    with started(SKYSHELF, "serve", *options) as server:
        assert answer_over(path).status_code == 200
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        # Whoever can open it is trusted as a proxy is.
        page = answer_over(path, "http://x/l/?u=none", **{"X-Forwarded-Proto": "https"})
        assert "strict-transport-security" in page.headers
        second = run("serve", *options)
        assert second.returncode == 1
        assert f"cannot listen on unix:{path}: another program listens there" in second.stderr
        server.send_signal(signal.SIGTERM)
        out, _ = server.communicate(timeout=PATIENCE)
        assert server.returncode == 0
    assert f"listening on   unix:{path}" in out.decode()
    assert not path.exists()


def test_after_a_crash_the_socket_is_taken_over(tmp_path: Path, data: Path) -> None:
    path = tmp_path / "sky.sock"
    options = ("--data", str(data), "--listen", f"unix:{path}")
    with started(SKYSHELF, "serve", *options) as server:
        answer_over(path)
        server.kill()
        server.wait(PATIENCE)
    # Its worker notices a moment later that it is alone, and ends.
    until_refused(path)
    with started(SKYSHELF, "serve", *options):
        assert answer_over(path).status_code == 200


def until_refused(path: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while _connects(path) != errno.ECONNREFUSED:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_tls_is_the_proxys(tmp_path: Path) -> None:
    refused = run("serve", "--listen", f"unix:{tmp_path}/x", "--tls-cert", "a.pem", "--tls-key", "b.pem")
    assert refused.returncode == 1
    assert "leave out --tls-cert" in refused.stderr


def test_systemds_socket_is_used(tmp_path: Path, data: Path) -> None:
    activate = program("systemd-socket-activate")
    path = tmp_path / "sky.sock"
    with started(activate, "--listen", str(path), SKYSHELF, "serve", "--data", str(data)):
        assert answer_over(path).status_code == 200
