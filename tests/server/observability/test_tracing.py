"""Traces: one span for every request and job, spans of its calls below it, and nothing in them that is secret."""

import logging
import os
import re
import time
from collections.abc import Iterator
from secrets import token_hex

import pytest
from msgspec.structs import replace
from tests.real_parts import shared
from tests.real_parts.collector import Collector, Received, running_collector
from tests.real_parts.mail_server import running_mail_server
from tests.real_parts.seaweedfs import ACCESS_KEY, SECRET_KEY
from tests.server.api import PASSWORD, logged_in, new_account
from tests.server.dav.app import DavApp
from tests.server.in_process import TestClient
from tests.server.uploading import upload

from skyshelf.server.app import ServerSettings, app_for, open_context
from skyshelf.server.observability.tracing.settings import TracingSettings
from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs.runner import JobRunner
from skyshelf.service.mail.messages import Facts, deliver, write_message
from skyshelf.service.oidc.fetch import ProviderUnavailable, fetch
from skyshelf.service.process.mail_settings import mail_settings
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.watching import CALLS_MAX, Parts, collecting

SERVER, CLIENT = 2, 3
PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
TRACE_OF_PARENT = PARENT.split("-")[1]


@pytest.fixture
def collector() -> Iterator[Collector]:
    with running_collector() as collector:
        yield collector


@pytest.fixture(autouse=True)
def own_logging() -> Iterator[None]:
    """Tracing takes over what OpenTelemetry's packages log."""
    of_packages = logging.getLogger("opentelemetry")
    before = of_packages.handlers, of_packages.propagate
    yield
    of_packages.handlers, of_packages.propagate = before


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("OTEL_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "50")


@pytest.fixture
def traced(settings: ServerSettings, collector: Collector) -> ServerSettings:
    return replace(settings, tracing=TracingSettings(endpoint=f"{collector.url}/v1/traces"), slow_seconds=0.0)


@pytest.fixture
def traced_ctx(traced: ServerSettings) -> Iterator[ServiceContext]:
    ctx = open_context(traced)
    yield ctx
    ctx.metadata.close()
    ctx.blobs.close()


def serving(ctx: ServiceContext, settings: ServerSettings, peer: str = "127.0.0.1") -> TestClient:
    return TestClient(app_for(ctx, settings), client=(peer, 40000), raise_server_exceptions=False)


def requests_in(spans: list[Received]) -> dict[str, Received]:
    """The spans of requests by the ids of these."""
    return {one.attributes["skyshelf.request_id"]: one for one in spans if one.kind == SERVER}


def below(spans: list[Received], parent: Received) -> list[str]:
    return [one.name for one in spans if one.parent_id == parent.span_id]


def test_every_request_has_a_span_with_its_calls_below_it(
    traced_ctx: ServiceContext, traced: ServerSettings, collector: Collector, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "skyshelf")
    with serving(traced_ctx, traced) as client:
        api = logged_in(client, traced_ctx, new_account(traced_ctx, "ada@example.org"))
        uploaded = upload(api, "private name.txt", b"private bytes")
        key = uploaded.json()["objectKey"]
        answers = {
            "upload": uploaded,
            "download": api.get(f"/download/files/{key}", headers={"range": "bytes=0-3"}),
            "quick": api.get(f"/download/files/{key}"),
            "unknown": client.get("/no/such/path?nonce=a-secret-nonce"),
            "strange": client.request("PRIVATEMETHOD", "/healthz"),
        }
    # The server has stopped, and has sent everything before.
    spans = collector.spans
    found = {what: requests_in(spans)[answer.headers["x-request-id"]] for what, answer in answers.items()}
    assert {one.name for one in requests_in(spans).values()} >= {"POST /x/v1/login", "GET /download/files/{object_key}"}
    assert found["upload"].name == "POST /upload/files"
    assert found["upload"].attributes["skyshelf.place"] == "task"
    assert found["upload"].attributes["http.response.status_code"] == 201
    assert {"disk put", "disk sync", "database write"} <= set(below(spans, found["upload"]))
    assert found["quick"].attributes["skyshelf.place"] == "loop"
    assert found["download"].attributes["skyshelf.place"] == "task"
    assert found["download"].attributes["http.response.status_code"] == 206
    assert "database read" in below(spans, found["download"])
    assert found["unknown"].name == "GET"
    assert "http.route" not in found["unknown"].attributes
    assert found["strange"].name == "HTTP"
    assert found["strange"].attributes["http.request.method"] == "_OTHER"
    resource = spans[0].resource
    assert resource["service.name"] == "skyshelf"
    assert resource["service.version"]
    # Each span is within its parent, and belongs to the same trace.
    by_id = {one.span_id: one for one in spans}
    for one in spans:
        if one.kind == CLIENT:
            assert by_id[one.parent_id].trace_id == one.trace_id
            assert 0 <= one.seconds <= by_id[one.parent_id].seconds + 0.01
    # The lines of the access log name the traces.
    lines = [record.fields for record in caplog.records if record.name == "skyshelf.access"]  # type: ignore[attr-defined]
    assert {line["request_id"]: line["trace_id"] for line in lines} == {
        request_id: span.trace_id for request_id, span in requests_in(spans).items()
    }


def test_spans_have_no_secrets_names_or_addresses(
    traced_ctx: ServiceContext, traced: ServerSettings, collector: Collector
) -> None:
    with serving(traced_ctx, traced) as client:
        api = logged_in(client, traced_ctx, new_account(traced_ctx, "ada@example.org"))
        app = DavApp(client, traced_ctx, api.account)
        assert upload(api, "private name.txt", b"private bytes").status_code == 201
        assert app.put("private too.txt", b"private too").status_code == 201
        assert app.get("private too.txt").status_code == 200
        assert app.propfind().status_code == 207
        assert app.delete("private too.txt").status_code == 204
        client.get("/nms/metadata/private-key?nonce=private-nonce", headers={"cookie": "private=cookie"})
        client.post("/x/v1/login", json={"emailId": "private@example.org", "password": "private password"})
        client.get("/remote.php/dav/files/private-user/private-file")
        client.get("/l/private-link?password=private")
    names = {one.name for one in requests_in(collector.spans).values()}
    assert {"PUT /dav/{path}", "GET /dav/{path}", "PROPFIND /dav/{path}"} <= names
    everything = b"".join(collector.bodies).lower()
    login = api.login
    for secret in (
        "private",
        "ada@",
        app.password,
        PASSWORD,
        "127.0.0.1",
        login["authToken"],
        login["deviceKey"],
        login["userId"],
    ):
        assert secret.lower().encode() not in everything, secret


def test_calls_to_a_database_server_and_a_bucket_have_spans(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", ACCESS_KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET_KEY)
    place, data = shared.seaweedfs(), os.urandom(2_000_000)
    place.make_bucket("traces")
    with shared.postgres().database() as url:
        settings = ServerSettings(
            metadata=url,
            blobs=f"s3://traces/{token_hex(8)}?endpoint={place.endpoint}",
            tracing=TracingSettings(endpoint=f"{collector.url}/v1/traces"),
        )
        ctx = open_context(settings)
        with serving(ctx, settings) as client:
            api = logged_in(client, ctx, new_account(ctx, "ada@example.org"))
            uploaded = upload(api, "private.bin", data)
            answer = api.get(f"/download/files/{uploaded.json()['objectKey']}")
            profiles = [api.get("/security/users") for _ in range(3)]
    assert answer.content == data
    found = requests_in(collector.spans)
    of_upload = below(collector.spans, found[uploaded.headers["x-request-id"]])
    assert {"bucket put", "database write", "database read"} <= set(of_upload)
    assert "bucket get" in below(collector.spans, found[answer.headers["x-request-id"]])
    # Once the credential is known, the answers are remembered for a version of the database.
    assert found[profiles[-1].headers["x-request-id"]].attributes["skyshelf.place"] == "loop"
    kinds = {one.attributes.get("db.system.name") for one in collector.spans if one.name.startswith("database")}
    assert kinds == {"postgresql"}
    assert SECRET_KEY.encode() not in b"".join(collector.bodies)


def test_a_parent_is_taken_from_trusted_proxies_alone(
    traced_ctx: ServiceContext, traced: ServerSettings, collector: Collector
) -> None:
    for peer in ("127.0.0.1", "203.0.113.9"):
        ctx = traced_ctx if peer == "127.0.0.1" else open_context(traced)
        with serving(ctx, traced, peer) as client:
            for path in ("/healthz", "/readyz"):
                assert client.get(path, headers={"traceparent": PARENT, "tracestate": "a=b"}).status_code < 500
            assert client.get("/healthz", headers={"traceparent": "00-zz-not-one"}).status_code == 200
    spans = list(requests_in(collector.spans).values())
    of_parent = [one for one in spans if one.trace_id == TRACE_OF_PARENT]
    assert [one.parent_id for one in of_parent] == ["00f067aa0ba902b7"] * 2
    assert len(spans) == 6


def test_the_share_of_traces_that_is_sent_can_be_set(
    traced_ctx: ServiceContext, traced: ServerSettings, collector: Collector, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "skyshelf")
    assert traced.tracing is not None
    few = replace(traced, tracing=replace(traced.tracing, sample=0.0, service="our drive"))
    with serving(traced_ctx, few) as client:
        assert client.get("/healthz").status_code == 200
        # What a proxy has chosen is complete.
        client.get("/healthz", headers={"traceparent": PARENT})
    assert [one.trace_id for one in collector.spans] == [TRACE_OF_PARENT]
    assert collector.spans[0].resource["service.name"] == "our drive"
    assert all(record.fields["trace_id"] for record in caplog.records if record.name == "skyshelf.access")  # type: ignore[attr-defined]


def test_a_slow_call_and_a_fault_name_their_trace(
    traced_ctx: ServiceContext, traced: ServerSettings, collector: Collector, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(traced_ctx, replace(traced, slow_seconds=1e-9)) as client:
        answer = client.get("/readyz")
    [line] = [record.fields for record in caplog.records if record.name == "skyshelf.slow"]  # type: ignore[attr-defined]
    assert line["trace_id"] == requests_in(collector.spans)[answer.headers["x-request-id"]].trace_id


def test_runs_of_jobs_and_messages_have_their_spans(
    traced_ctx: ServiceContext, traced: ServerSettings, collector: Collector
) -> None:
    app = app_for(traced_ctx, traced)
    with TestClient(app), running_mail_server() as mail:
        runner = JobRunner(traced_ctx)
        traced_ctx.metadata.write(lambda unit: unit.outbox.put("purge", "1", b"", 0))
        while runner.work_once():
            pass

        def send(ctx: ServiceContext, subject: str) -> Iterator[None]:
            settings = mail_settings(mail.url, sender=None, password=None, public_url="https://drive.example.org")
            facts = Facts("drive.example.org")
            deliver(settings, write_message("test", "en", facts, sender=settings.sender, to=subject, now=0))
            yield

        def fail(ctx: ServiceContext, subject: str) -> Iterator[None]:
            for _ in range(CALLS_MAX + 7):
                with ctx.metadata.read():
                    pass
            yield
            raise OSError(subject)

        more = JobRunner(traced_ctx, jobs={"send_mail": send, "failing": fail}, tasks=())

        def put(unit: Unit) -> None:
            for kind in ("send_mail", "failing"):
                unit.outbox.put(kind, "private@example.org", b"", 0)

        traced_ctx.metadata.write(put)
        while more.work_once():
            pass
        assert len(mail.server.wait_for(1)) == 1
    spans = {one.name: one for one in collector.spans if not one.parent_id}
    assert spans["job purge"].attributes["skyshelf.outcome"] == "done"
    assert below(collector.spans, spans["job send_mail"]).count("mail send") == 1
    assert spans["job failing"].failed
    assert spans["job failing"].attributes["skyshelf.calls_left_out"] >= 7
    assert len(below(collector.spans, spans["job failing"])) == CALLS_MAX
    assert b"private" not in b"".join(collector.bodies)


def test_requests_to_a_login_provider_are_noted(collector: Collector) -> None:
    parts = Parts(traced=True)
    with collecting(parts):
        assert fetch(f"{collector.url}/private", "the keys").status == 501
        with pytest.raises(ProviderUnavailable):
            fetch("http://private.example.org/", "the keys")
        with pytest.raises(ProviderUnavailable):
            fetch("http://127.0.0.1:1/private", "the keys")
    assert parts.calls is not None
    assert [(one.system, one.operation, one.failed) for one in parts.calls] == [
        ("provider", "fetch", False),
        ("provider", "fetch", True),
    ]


def test_headers_are_for_the_collector_and_for_nobody_that_it_names(
    traced_ctx: ServiceContext, traced: ServerSettings, collector: Collector, caplog: pytest.LogCaptureFixture
) -> None:
    with running_collector() as other:
        collector.status, collector.location = 307, f"{other.url}/v1/traces"
        tracing = TracingSettings(endpoint=f"{collector.url}/v1/traces", headers=(("x-api-key", "secret value"),))
        with serving(traced_ctx, replace(traced, tracing=tracing)) as client:
            client.get("/healthz")
            collector.wait_for_requests(1)
        assert collector.headers[0]["x-api-key"] == "secret value"
        assert other.paths == []
    assert "traces cannot be sent" in caplog.text
    assert "secret value" not in caplog.text
    assert "secret value" not in repr(tracing)


def test_figures_show_what_was_sent_and_what_was_not(
    traced_ctx: ServiceContext, traced: ServerSettings, collector: Collector
) -> None:
    with serving(traced_ctx, traced) as client:
        client.get("/healthz")
        collector.wait_for(bool)
        before = len(collector.spans)
        collector.status = 400
        client.get("/healthz")
        collector.wait_for_requests(len(collector.paths) + 1)
        page, until = "", time.monotonic() + 60
        while not re.search(r'^skyshelf_trace_spans_total\{outcome="failed"\} [1-9]', page, re.MULTILINE):
            assert time.monotonic() < until, page
            page = client.get("/metrics").text
    assert f'skyshelf_trace_spans_total{{outcome="sent"}} {float(before)}' in page


def test_the_standard_variables_count(
    settings: ServerSettings, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-tenant=ours")
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "service.name=from outside,deployment.environment.name=test")
    chosen = replace(settings, tracing=TracingSettings())
    with serving(open_context(chosen), chosen) as client:
        client.get("/healthz")
    assert collector.paths == ["/v1/traces"]
    assert collector.headers[0]["x-tenant"] == "ours"
    resource = collector.spans[0].resource
    assert (resource["service.name"], resource["deployment.environment.name"]) == ("from outside", "test")
