"""`skyshelf serve`: it starts, greets, answers, survives a dying worker, and ends when it is told."""

import json
import os
import re
import signal
import socket
import stat
import time
from pathlib import Path

import httpx2
import pytest
from tests.cli.serving import SKYSHELF, make_certificate, run, serving

from skyshelf.server.serving.run import DRAIN_SECONDS

ACCOUNT = ("--first-name", "Ada", "--last-name", "Byron", "--password-stdin")
PASSWORD = "correct horse battery"


def add_account(data: Path, email: str = "ada@example.org") -> None:
    added = run("admin", "user", "add", email, *ACCOUNT, "--data", str(data), stdin=f"{PASSWORD}\n")
    assert added.returncode == 0, added.stderr


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_responds_and_stops_cleanly(tmp_path: Path, how: signal.Signals) -> None:
    with serving("--data", str(tmp_path / "data")) as server:
        assert server.client.get("/healthz").json() == {"status": "up"}
        assert server.client.get("/readyz").json() == {
            "metadata": "ready",
            "blobs": "ready",
            "space": "ready",
            "jobs": "ready",
            "writes": "ready",
        }
        assert server.stop(how) == 0
        assert "Traceback" not in server.log


def test_it_says_where_it_listens_and_where_the_data_is(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path / "data")) as server:
        assert f"listening on   http://127.0.0.1:{server.port}" in server.greeting
        assert f"data           {tmp_path / 'data'}" in server.greeting


def test_the_data_is_private_to_its_owner(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path / "data")):
        assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700
        assert stat.S_IMODE((tmp_path / "data" / "metadata.db").stat().st_mode) == 0o600


def test_the_first_start_prints_a_link_that_opens_the_first_account_once(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    with serving("--data", data) as server:
        found = re.search(r"http://\S+/drive/welcome#(\S+)", server.greeting)
        assert found is not None
        assert (
            f"skyshelf admin user add EMAIL --first-name F --last-name L --password-stdin --data {data}"
            in server.greeting
        )
        assert httpx2.get(found[0]).status_code == 200
        assert server.client.get("/x/v1/welcome").json() == {
            "isNewServer": True,
            "canMailPassword": False,
            "providers": [],
        }
        token = {"X-Welcome-Token": found[1]}
        assert server.client.get("/x/v1/welcome", headers=token).json()["kind"] == "first-account"
        given = {"token": found[1], "emailId": "ada@example.org", "firstName": "A", "lastName": "B"}
        assert server.client.post("/x/v1/welcome", json=given | {"password": PASSWORD}).status_code == 200
        assert server.client.get("/x/v1/welcome", headers=token).status_code == 404
        login = server.client.post("/x/v1/login", json={"emailId": "ada@example.org", "password": PASSWORD})
        assert login.status_code == 200
        assert found[1] not in server.log
    with serving("--data", data) as again:
        assert "welcome" not in again.greeting


@pytest.mark.whole
def test_accounts_are_managed_while_the_server_runs(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving("--data", str(data)) as server:
        add_account(data)

        def login() -> int:
            body = {"emailId": "ada@example.org", "password": PASSWORD}
            return server.client.post("/x/v1/login", json=body).status_code

        assert login() == 200
        assert run("admin", "user", "disable", "ada@example.org", "--data", str(data)).returncode == 0
        assert login() == 401


def test_every_request_is_a_line_of_json_on_stderr(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path)) as server:
        answer = server.client.get("/no/such/path?secret=1", headers={"Authorization": "Basic hidden"})
        assert server.stop() == 0
        lines = [json.loads(line) for line in server.err]
        [line] = [line for line in lines if line.get("path") == "/no/such/path"]
        assert (line["status"], line["method"], line["address"]) == (404, "GET", "127.0.0.1")
        assert line["request_id"] == answer.headers["x-request-id"]
        assert "secret" not in server.log
        assert "hidden" not in server.log


def test_the_log_can_be_text(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path), "--log-format", "text") as server:
        server.client.get("/no/such/path")
        server.stop()
        assert re.search(r"^\S+Z \S+ GET - /no/such/path 404 \S+ \d+ 127\.0\.0\.1 -$", server.log, re.MULTILINE)


@pytest.mark.whole
def test_several_workers_answer_as_one_and_add_up_their_figures(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path), "--workers", "2") as server:
        assert len(server.descendants()) >= 2
        for _ in range(40):
            # A new connection each time, so that both workers get some.
            assert httpx2.get(f"http://127.0.0.1:{server.port}/readyz").status_code == 200
        # A worker adds its figures to those of the others every second.
        deadline, counted = time.monotonic() + 60, 0.0
        while counted < 40 and time.monotonic() < deadline:
            page = server.client.get("/metrics").text
            found = re.search(r'skyshelf_requests_total\{endpoint="readyz",status="2xx"\} (\S+)', page)
            counted = float(found[1]) if found else 0.0
        assert counted == 40
        assert server.stop() == 0


def test_auto_is_a_worker_for_every_core_and_the_start_says_how_many(tmp_path: Path) -> None:
    cores = len(os.sched_getaffinity(0))
    with serving("--data", str(tmp_path), "--workers", "auto") as server:
        assert len(server.descendants()) >= cores
        assert (f"workers        {cores} processes" in server.greeting) == (cores > 1)
        assert server.stop() == 0


@pytest.mark.whole
def test_a_worker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path)) as server:
        [worker] = server.descendants()
        os.kill(worker, signal.SIGKILL)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                answer = httpx2.get(f"http://127.0.0.1:{server.port}/healthz")
                break
            except httpx2.TransportError:
                time.sleep(0.05)
        assert answer.status_code == 200
        assert server.descendants() != [worker]
        assert server.stop() == 0


@pytest.mark.whole
def test_workers_end_when_the_process_that_watches_them_is_killed(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path), "--workers", "2") as server:
        workers = server.descendants()
        server.process.kill()
        server.stop()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and any(is_running(pid) for pid in workers):
            time.sleep(0.05)
        assert not any(is_running(pid) for pid in workers)
    with serving("--data", str(tmp_path)) as again:
        assert again.client.get("/readyz").status_code == 200


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_an_idle_connection_does_not_delay_the_end(tmp_path: Path) -> None:
    def seconds_to_end() -> float:
        with serving("--data", str(tmp_path)) as server, httpx2.Client() as idle:
            idle.get(f"http://127.0.0.1:{server.port}/healthz")
            began = time.monotonic()
            assert server.stop() == 0
            return time.monotonic() - began

    # One that was waited for would take as long as the server lets anything take, every time; a busy machine may once.
    assert any(seconds_to_end() < DRAIN_SECONDS for _ in range(4))


def half_a_login(port: int, body: bytes) -> socket.socket:
    """A login whose second half is still to come."""
    client = socket.create_connection(("127.0.0.1", port), timeout=30)
    head = f"POST /x/v1/login HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    client.sendall(head.encode() + body[: len(body) // 2])
    return client


def wait_until_refusing(port: int) -> None:
    """Until the server accepts no new connections, because it is ending."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=30).close()
        except ConnectionRefusedError:
            return
        time.sleep(0.01)
    raise AssertionError("the server still accepts connections")


def test_a_request_that_is_under_way_is_answered_before_the_end(tmp_path: Path) -> None:
    body = b'{"emailId": "nobody@example.org", "password": "some password"}'
    with serving("--data", str(tmp_path)) as server, half_a_login(server.port, body) as slow:
        server.client.get("/healthz")
        server.client.close()
        server.process.send_signal(signal.SIGTERM)
        wait_until_refusing(server.port)
        assert server.process.poll() is None
        slow.sendall(body[len(body) // 2 :])
        assert slow.recv(100).startswith(b"HTTP/1.1 401")
        assert server.stop() == 0


@pytest.mark.whole
def test_a_client_that_never_finishes_does_not_keep_the_server_from_ending(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path)) as server, half_a_login(server.port, b"x" * 1000):
        began = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - began < 30


def test_an_idle_server_is_small(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path)) as server:
        pids = [server.process.pid, *server.descendants()]
        kib = [
            int(line.split()[1])
            for pid in pids
            for line in Path(f"/proc/{pid}/status").read_text().splitlines()
            if line.startswith("VmRSS:")
        ]
        assert sum(kib) / 1024 <= 120, f"{kib} KiB"


def test_a_simulation_is_announced_loudly(tmp_path: Path) -> None:
    with serving("--data", str(tmp_path), "--simulate", "throttle=1") as server:
        assert "SIMULATION" in server.greeting
        assert "100% throttled" in server.greeting
        assert server.client.get("/security/users").status_code == 429
        assert server.client.get("/healthz").status_code == 200


def test_another_quota_another_app_and_a_public_url(tmp_path: Path) -> None:
    data = tmp_path / "data"
    options = ("--quota", "5GiB", "--accept-app", "my-key:my-secret", "--public-url", "https://drive.example.org")
    with serving("--data", str(data), *options) as server:
        found = re.search(r"https://drive.example.org/drive/welcome#(\S+)", server.greeting)
        assert found is not None
        given = {"token": found[1], "emailId": "a@example.org", "firstName": "A", "lastName": "B", "password": PASSWORD}
        assert server.client.post("/x/v1/welcome", json=given).status_code == 200
        login = server.client.post("/x/v1/login", json={"emailId": "a@example.org", "password": PASSWORD}).json()
        headers = {
            "Authorization": f"Basic {login['authToken']}",
            "X-User-Id": login["userId"],
            "X-Device-Key": login["deviceKey"],
            "X-Api-Key": "my-key",
            "X-App-Secret": "my-secret",
            "Content-Type": "application/json",
            "Accept-Language": "en",
        }
        profile = server.client.get("/security/users", headers=headers)
        assert profile.json()["quota"]["totalAllocatedQuota"] == 5 << 30


def test_it_serves_tls_without_a_proxy(tmp_path: Path) -> None:
    cert, key = make_certificate(tmp_path, "localhost")
    data = str(tmp_path / "data")
    with serving("--data", data, "--tls-cert", str(cert), "--tls-key", str(key), scheme="https") as server:
        assert f"https://127.0.0.1:{server.port}" in server.greeting
        assert server.client.get("/healthz").status_code == 200
        assert server.stop() == 0


def test_the_command_is_the_installed_one() -> None:
    assert Path(SKYSHELF).exists()
