"""A service that traces, as a process: with its collector, without it, and with one that does not answer."""

import json
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from tests.real_parts.collector import running_collector
from tests.server.running import RunningServer

WORKED = (200, 200)
# Two seconds are what a stopping server waits for a collector; the rest is for a busy machine.
STOP_SECONDS = 30


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("OTEL_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "50")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def serving(folder: Path, *options: str) -> Iterator[RunningServer]:
    server = RunningServer(folder / "data", *options)
    server.start()
    yield server
    server.close()


def works(server: RunningServer) -> tuple[int, int]:
    return httpx2.get(f"{server.url}/healthz").status_code, httpx2.get(f"{server.url}/readyz").status_code


def lines(server: RunningServer) -> list[dict[str, object]]:
    return [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]


def test_every_worker_sends_its_spans_and_the_rest_when_it_stops(tmp_path: Path) -> None:
    headers = tmp_path / "headers"
    headers.write_text("# for our collector\nAuthorization: Bearer the-secret-token\n")
    with running_collector() as collector:
        options = ("--tracing", collector.url, "--tracing-headers-file", str(headers), "--tracing-service", "drive")
        for server in serving(tmp_path, *options, "--workers", "2"):
            assert works(server) == WORKED
            sent = httpx2.get(f"{server.url}/readyz", headers={"x-request-id": "one-of-a-proxy"})
            assert server.stop() == 0
            by_id = {one.attributes.get("skyshelf.request_id"): one for one in collector.spans}
            assert by_id[sent.headers["x-request-id"]].attributes["http.route"] == "/readyz"
            assert {one.resource["service.name"] for one in collector.spans} == {"drive"}
            assert {one["authorization"] for one in collector.headers} == {"Bearer the-secret-token"}
            assert "the-secret-token" not in server.log.read_text()
            line = next(line for line in lines(server) if line.get("request_id") == "one-of-a-proxy")
            assert line["trace_id"] == by_id["one-of-a-proxy"].trace_id
            assert set(collector.paths) == {"/v1/traces"}


def test_without_its_collector_the_service_is_as_before_and_says_so_once(tmp_path: Path, free_port: int) -> None:
    for server in serving(tmp_path, "--tracing", f"http://127.0.0.1:{free_port}/v1/traces", "--tracing-sample", "1"):
        for _ in range(20):
            assert works(server) == WORKED
        server.logged("traces cannot be sent")
        assert works(server) == WORKED
        with running_collector(free_port) as collector:
            until = time.monotonic() + 60
            while not collector.spans:
                assert time.monotonic() < until, server.log.read_text()
                assert works(server) == WORKED
            server.logged("traces are sent again")
            collector.wait_for(bool)
        said = [line for line in lines(server) if line.get("logger") == "skyshelf.tracing"]
        assert [str(line["message"]).partition(",")[0] for line in said[:2]] == [
            "traces cannot be sent",
            "traces are sent again",
        ]
        assert all("Traceback" not in str(line) for line in lines(server))
        began = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - began < STOP_SECONDS


@pytest.mark.whole
def test_a_collector_that_does_not_answer_keeps_nobody_waiting(tmp_path: Path) -> None:
    with running_collector() as collector:
        collector.go_on.clear()
        for server in serving(tmp_path, "--tracing", collector.url):
            assert works(server) == WORKED
            collector.wait_for_requests(1)
            slowest = 0.0
            for _ in range(50):
                began = time.monotonic()
                assert works(server) == WORKED
                slowest = max(slowest, time.monotonic() - began)
            # The collector holds every request for two minutes.
            assert slowest < 30
            began = time.monotonic()
            assert server.stop() == 0
            assert time.monotonic() - began < STOP_SECONDS
