"""What operators look at: health, readiness and figures."""

import inspect
import re
import threading
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.server.api import Api, error_of
from tests.server.in_process import TestClient

from skyshelf.server.api.call import UseCase
from skyshelf.server.api.table import HANDLERS
from skyshelf.server.app import API_ENDPOINTS, ServerSettings, SkyshelfApp, app_for
from skyshelf.server.pages import health
from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs import brakes
from skyshelf.storage.errors import StoreUnavailable
from skyshelf.wire.endpoint import PATH_PARAMETERS
from skyshelf.wire.endpoints import BY_NAME, ENDPOINTS

READY = {"metadata": "ready", "blobs": "ready", "space": "ready", "jobs": "ready", "writes": "ready"}


def unavailable() -> None:
    raise StoreUnavailable("the database at 10.0.0.7 does not answer")


def test_every_endpoint_has_a_handler_and_every_handler_an_endpoint() -> None:
    # The stream's handler is created with the application, which owns the streams.
    assert HANDLERS.keys() | {"change_stream"} == {endpoint.name for endpoint in API_ENDPOINTS}


def test_only_share_pages_are_routed_without_a_handler(app: SkyshelfApp) -> None:
    assert [endpoint.name for endpoint in ENDPOINTS if endpoint not in API_ENDPOINTS] == ["share_page"]
    routed = {(route.path, method) for route in app.routes for method in route.methods}
    routed |= {(path, "HEAD") for path, method in routed if method == "GET"}
    assert routed >= {(endpoint.path, method) for endpoint in ENDPOINTS for method in endpoint.methods}


def test_every_use_case_takes_what_its_endpoint_passes_on() -> None:
    bound = {name: handler.handle for name, handler in HANDLERS.items() if isinstance(handler.handle, UseCase)}
    assert len(bound) > 80
    for name, use_case in bound.items():
        endpoint = BY_NAME[name]
        inspect.signature(use_case.function).bind(*use_case.arguments)
        has_parts = {"query": endpoint.query, "headers": endpoint.headers, "body": endpoint.body}
        for argument in use_case.arguments:
            assert has_parts.get(argument, True), f"{name} has no {argument}"
            assert argument not in PATH_PARAMETERS or argument in endpoint.parameters, f"{name} has no {argument}"
        # Some endpoints take queries and bodies which they ignore, but none ignores a key of its path.
        assert set(endpoint.parameters) <= set(use_case.arguments), name


def test_health_needs_no_session_and_no_headers(anonymous: TestClient) -> None:
    for address in ("/healthz", "/livez"):
        answer = anonymous.get(address)
        assert (answer.status_code, answer.json()) == (200, {"status": "up"})


def test_readiness_names_both_stores(anonymous: TestClient) -> None:
    answer = anonymous.get("/readyz")
    assert (answer.status_code, answer.json()) == (200, READY)


@pytest.mark.parametrize("which", ["metadata", "blobs"])
def test_readiness_says_which_store_cannot_be_reached_and_nothing_more(
    anonymous: TestClient, ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch, which: str
) -> None:
    monkeypatch.setattr(type(getattr(ctx, which)), "check", lambda _: unavailable())
    answer = anonymous.get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == READY | {which: "unavailable"}
    assert anonymous.get("/healthz").status_code == 200


@pytest.mark.parametrize("which", ["metadata", "blobs"])
def test_readiness_names_a_store_that_gives_no_answer_without_waiting_for_it(
    anonymous: TestClient, ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch, which: str
) -> None:
    answers = threading.Event()
    asked: list[str] = []

    def hangs(_: object) -> None:
        asked.append(which)
        answers.wait()

    monkeypatch.setattr(health, "READY_SECONDS", 0.2)
    monkeypatch.setattr(type(getattr(ctx, which)), "check", hangs)
    other = "blobs" if which == "metadata" else "metadata"
    for _ in range(3):
        answer = anonymous.get("/readyz")
        assert (answer.status_code, answer.json()[which]) == (503, "no answer")
    assert anonymous.get("/readyz").json()[other] == "ready"
    assert anonymous.get("/livez").status_code == 200
    assert asked == [which], "one check at a time, however many probes there are"
    answers.set()
    while (answer := anonymous.get("/readyz")).status_code == 503:
        pass
    assert answer.json()[which] == "ready"


def local(ctx: ServiceContext, settings: ServerSettings, peer: str = "127.0.0.1") -> TestClient:
    return TestClient(app_for(ctx, settings), client=(peer, 40000))


def test_figures_count_requests_by_endpoint_and_class_of_status(ctx: ServiceContext, settings: ServerSettings) -> None:
    with local(ctx, settings) as client:
        client.get("/healthz")
        client.get("/healthz")
        client.get("/security/users")
        client.post("/x/v1/login", content=b"x" * 100)
        client.get("/no/such/path")
        page = client.get("/metrics")
    assert page.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    lines = set(page.text.splitlines())
    assert 'skyshelf_requests_total{endpoint="healthz",status="2xx"} 2.0' in lines
    assert 'skyshelf_requests_total{endpoint="profile",status="4xx"} 1.0' in lines
    assert 'skyshelf_requests_total{endpoint="-",status="4xx"} 1.0' in lines
    assert 'skyshelf_request_seconds_count{endpoint="healthz"} 2.0' in lines
    assert 'skyshelf_received_bytes_total{endpoint="login"} 100.0' in lines
    assert "skyshelf_requests_in_flight 1.0" in lines  # the one that asks
    assert 'skyshelf_admission_in_use{kind="uploads"} 0.0' in lines


def test_figures_count_the_bytes_of_downloads(ctx: ServiceContext, settings: ServerSettings, api: Api) -> None:
    file = api.file("a.bin", b"x" * 12_345)
    api.get(f"/download/files/{file.object_key}")
    with TestClient(api.client.app, client=("127.0.0.1", 40000)) as client:
        found = re.search(r'skyshelf_sent_bytes_total\{endpoint="download"\} (\S+)', client.get("/metrics").text)
    assert found is not None
    assert float(found[1]) == 12_345


def test_figures_are_for_this_machine_only(ctx: ServiceContext, settings: ServerSettings) -> None:
    with local(ctx, settings, "203.0.113.9") as client:
        assert error_of(client.get("/metrics")) == (404, "SKY1006")
    with local(ctx, settings) as client:
        # A proxy of ours on this machine tells who really asks.
        assert error_of(client.get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"})) == (404, "SKY1006")


def test_the_operator_can_let_others_read_the_figures(ctx: ServiceContext, settings: ServerSettings) -> None:
    with local(ctx, replace(settings, metrics_readers=("203.0.113.0/24",)), "203.0.113.9") as client:
        assert client.get("/metrics").status_code == 200


def test_figures_of_a_worker_that_died_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from skyshelf.server.observability.metrics import _remove_dead_workers

    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    dead, alive = tmp_path / "gauge_livesum_999999999.db", tmp_path / "gauge_livesum_1.db"
    dead.touch()
    alive.touch()
    _remove_dead_workers(tmp_path)
    assert not dead.exists()
    assert alive.exists()


def test_a_stopped_job_shows_in_readiness_and_metrics(ctx: ServiceContext, settings: ServerSettings) -> None:
    with local(ctx, settings) as client:
        assert client.get("/readyz").json() == READY
        with pytest.raises(brakes.BrakePulled):
            brakes.pull(ctx, "sweep-orphans", "too many are unknown")
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()["jobs"]) == (200, "stopped: sweep-orphans")
        assert "skyshelf_jobs_stopped 1.0" in client.get("/metrics").text
