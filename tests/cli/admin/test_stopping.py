"""What happens between a signal to stop and the end: for a while everything is served, then nothing is lost."""

import contextlib
import signal
from pathlib import Path

import httpx2
import pytest
from tests.cli.admin.test_reload import BODY, wait_for
from tests.cli.admin.test_serve import half_a_login, wait_until_refusing
from tests.cli.serving import Serving, serving

LONG = "600"


def readiness(server: Serving) -> tuple[int, str]:
    with httpx2.Client(base_url=f"http://127.0.0.1:{server.port}") as client:
        answer = client.get("/readyz")
    return answer.status_code, answer.headers.get("connection", "")


def test_before_it_stops_everything_is_served_and_proxies_are_told(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path / "data"), "--stop-delay", LONG) as server:
        assert readiness(server) == (200, "")
        kept = server.client.get("/healthz").headers
        assert "connection" not in kept
        server.process.send_signal(signal.SIGTERM)
        wait_for(lambda: readiness(server)[0] == 503)
        assert "stopping" in httpx2.get(f"http://127.0.0.1:{server.port}/readyz").text
        # On the connection that was open before, and on a new one; an answer of the fast path, and one of a task.
        for path in ("/healthz", "/livez", "/security/users"):
            answer = server.client.get(path)
            assert (answer.status_code, answer.headers["connection"]) == (400 if "users" in path else 200, "close")
        assert server.process.poll() is None
        # A second signal does not wait for the rest of the delay.
        assert server.stop(signal.SIGTERM) == 0
        assert "everything is served for 600 more seconds" in server.log


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT], ids=lambda how: how.name)
def test_a_second_signal_cuts_what_is_in_progress(tmp_path: Path, how: signal.Signals) -> None:
    with serving("--data", str(tmp_path / "data"), "--drain", LONG) as server:
        with half_a_login(server.port, BODY) as begun:
            wait_for(lambda: "skyshelf_requests_in_flight 2.0" in server.client.get("/metrics").text)
            server.process.send_signal(signal.SIGTERM)
            wait_until_refusing(server.port)
            assert server.process.poll() is None
            server.process.send_signal(how)
            begun.settimeout(60)
            with contextlib.suppress(ConnectionResetError):
                assert begun.recv(100) == b""
        assert server.process.wait(60) == 0
        server.stop()
        assert "1 requests were cut at once" in server.log


def test_a_worker_that_is_replaced_keeps_its_connections_for_a_last_request(tmp_path: Path) -> None:
    config = tmp_path / "server.toml"
    config.write_text("")
    with serving("--data", str(tmp_path / "data"), "--config", str(config), "--drain", LONG) as server:
        before = server.client.get("/healthz")
        assert "connection" not in before.headers
        server.process.send_signal(signal.SIGHUP)
        wait_for(lambda: "reloaded" in server.log)
        # The old worker answers: it has asked for nothing else to be sent to it, and says so now.
        answer = server.client.get("/healthz")
        assert (answer.status_code, answer.headers["connection"]) == (200, "close")
        assert readiness(server) == (200, "")
        assert server.stop() == 0
