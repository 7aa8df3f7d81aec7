"""Connections to a server that goes away and returns."""

import socket
import threading
from typing import Any

import psycopg_pool
import pytest

from skyshelf.storage.metadata.postgres.store import RECONNECT_SECONDS, PooledConnection, make_pool

ATTEMPTS = 6


def test_a_server_that_is_away_is_tried_again_at_short_intervals_while_somebody_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not listen: every attempt is refused
        url = f"postgresql://127.0.0.1:{nobody.getsockname()[1]}/drive"
        pool = make_pool(url, "test", connections=4, timeout=60)
        delays: list[float] = []
        enough = threading.Event()
        schedule = pool.schedule_task

        def schedule_soon(task: Any, delay: float) -> None:
            if type(task).__name__ == "AddConnection":
                delays.append(delay)
                if len(delays) >= ATTEMPTS:
                    enough.set()
                delay /= 20
            schedule(task, delay)

        monkeypatch.setattr(pool, "schedule_task", schedule_soon)
        monkeypatch.setattr(pool, "reconnect_timeout", RECONNECT_SECONDS / 20)
        pool.open()
        waiting = threading.Thread(target=_wait_for_one, args=(pool,), daemon=True)
        waiting.start()
        try:
            assert enough.wait(60)
        finally:
            pool.close()
            waiting.join()
        assert max(delays) <= 2.5 * RECONNECT_SECONDS, delays


def _wait_for_one(pool: "psycopg_pool.ConnectionPool[PooledConnection]") -> None:
    with pytest.raises(psycopg_pool.PoolClosed), pool.connection():
        pass
