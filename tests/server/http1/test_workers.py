"""The worker processes: who is told that the service is there, and where it listens."""

import os
import socket
import threading
import time
from pathlib import Path

import pytest
from tests.real_parts.migrated_sqlite import put_migrated

from skyshelf.server.app import ServerSettings, SkyshelfApp, create_app
from skyshelf.server.serving import workers
from skyshelf.server.serving.orders import Stopping
from skyshelf.server.serving.run import CannotListen, Listening, open_sockets
from skyshelf.server.serving.sockets import listen
from skyshelf.server.serving.workers import Workers
from skyshelf.storage.open import embedded_urls

# The workers are started by the process of the tests, whose loggers stay as they are.
LOGGING = {"version": 1, "incremental": True}


def test_nobody_is_told_that_it_has_started_while_every_worker_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_RESPAWN_SECONDS", 0)
    attempts = tmp_path / "attempts"

    def load() -> SkyshelfApp:
        with attempts.open("a") as file:
            file.write("x")
        os._exit(3)

    told: list[str] = []
    serving = Workers(load, listen("127.0.0.1", 0, 10), count=2, stopping=Stopping(drain_seconds=1), log_config=LOGGING)

    def stop_after_some() -> None:
        while not attempts.exists() or len(attempts.read_text()) < 4:
            threading.Event().wait(0.01)
        os.kill(os.getpid(), 15)

    threading.Thread(target=stop_after_some, daemon=True).start()
    serving.run(lambda: told.append("started"))
    assert told == []


def test_every_worker_that_is_ready_is_heard_once_and_then_nobody_is_waited_for(tmp_path: Path) -> None:
    """What is left unread keeps the process that watches from resting: it would use a whole core."""
    put_migrated(tmp_path)
    metadata, blobs = embedded_urls(tmp_path)
    settings = ServerSettings(metadata=metadata, blobs=blobs)
    serving = Workers(
        lambda: create_app(settings),
        listen("127.0.0.1", 0, 10),
        count=2,
        stopping=Stopping(drain_seconds=1),
        log_config=LOGGING,
    )
    left: list[int] = []

    def stop_when_all_were_heard() -> None:
        until = time.monotonic() + 60
        while (len(serving._processes) < 2 or serving._readies) and time.monotonic() < until:
            time.sleep(0.01)
        left.append(len(serving._readies))
        os.kill(os.getpid(), 15)

    threading.Thread(target=stop_when_all_were_heard, daemon=True).start()
    told: list[str] = []
    serving.run(lambda: told.append("started"))
    assert (told, left) == (["started"], [0])


def test_a_port_that_is_taken_at_the_last_moment_is_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        listening = Listening(host="127.0.0.1", port=port, workers=1)
        with pytest.raises(CannotListen, match=f"cannot listen on 127.0.0.1 port {port}: Address already in use"):
            open_sockets(listening)


def test_it_listens_where_a_name_leads(monkeypatch: pytest.MonkeyPatch) -> None:
    resolved = socket.getaddrinfo

    def only_ipv6(host: str | None, *rest: object, **options: object) -> object:
        return resolved("::1" if host == "drive.example" else host, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", only_ipv6)
    (listening,) = listen("drive.example", 0, 10)
    with listening:
        assert listening.family is socket.AF_INET6
        assert listening.getsockname()[0] == "::1"
