"""Figures of stores, jobs, queues, accounts and the process, as an operator's Prometheus reads them."""

import re
import time
from collections.abc import Iterator

import pytest
from tests.server.api import PASSWORD, new_account
from tests.server.in_process import TestClient
from tests.server.test_operators import local

from skyshelf.server.app import ServerSettings
from skyshelf.server.observability.counts import WorkerCounts
from skyshelf.server.observability.metrics import Metrics
from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs.runner import JobRunner
from skyshelf.service.process.reservations import DiskReserve
from skyshelf.storage.errors import StoreUnavailable
from skyshelf.storage.watching import store_calls


@pytest.fixture
def scraped(ctx: ServiceContext, settings: ServerSettings) -> Iterator[TestClient]:
    with local(ctx, settings) as client:
        yield client


def value(client: TestClient, series: str) -> float:
    found = re.search(rf"^{re.escape(series)} (\S+)$", client.get("/metrics").text, re.MULTILINE)
    return float(found[1]) if found else -1


def test_calls_to_the_stores_are_timed_by_store_and_operation(scraped: TestClient, ctx: ServiceContext) -> None:
    series = 'skyshelf_store_seconds_count{operation="write",store="database"}'
    before = max(0, value(scraped, series))
    for number in range(5):
        new_account(ctx, f"{number}@example.org")
    assert value(scraped, series) == before + 5
    ctx.blobs.put([b"durable"])
    assert value(scraped, 'skyshelf_store_seconds_count{operation="sync",store="disk"}') > 0
    assert value(scraped, 'skyshelf_store_seconds_bucket{le="30.0",operation="write",store="database"}') == before + 5


def test_only_the_faults_of_a_store_count_as_errors(scraped: TestClient) -> None:
    series = 'skyshelf_store_errors_total{operation="put",store="bucket"}'
    before = max(0, value(scraped, series))
    with pytest.raises(FileNotFoundError), store_calls.timed("bucket", "put"):
        raise FileNotFoundError
    assert value(scraped, series) == before
    with pytest.raises(StoreUnavailable), store_calls.timed("bucket", "put"):
        raise StoreUnavailable("away")
    assert value(scraped, series) == before + 1


def test_jobs_show_their_runs_their_queue_and_their_last_success(scraped: TestClient, ctx: ServiceContext) -> None:
    runner = JobRunner(ctx)
    runner.schedule()
    now = ctx.clock.now()
    ctx.metadata.write(lambda unit: unit.outbox.put("purge", "1", b"", now - 7000))
    assert value(scraped, 'skyshelf_jobs_queued{state="due"}') >= 1
    assert value(scraped, "skyshelf_jobs_late_seconds") == 7
    while runner.work_once():
        pass
    assert value(scraped, 'skyshelf_job_runs_total{kind="purge",outcome="done"}') >= 1
    assert value(scraped, 'skyshelf_job_last_success_timestamp_seconds{kind="purge"}') > 1.7e9
    assert value(scraped, 'skyshelf_jobs_queued{state="due"}') == 0


def test_accounts_disk_and_process_have_their_figures(scraped: TestClient, ctx: ServiceContext) -> None:
    new_account(ctx, "ada@example.org", quota=1000)
    new_account(ctx, "full@example.org", quota=0)
    assert value(scraped, 'skyshelf_accounts{state="all"}') == 2
    assert value(scraped, 'skyshelf_accounts{state="full"}') == 1
    assert value(scraped, "skyshelf_accounts_quota_bytes") == 1000
    for name in (
        "workers",
        "process_resident_bytes",
        "process_threads",
        "process_open_files",
        "process_open_files_max",
    ):
        assert value(scraped, f"skyshelf_{name}") > 0, name
    assert value(scraped, "skyshelf_process_cpu_seconds_total") > 0
    assert value(scraped, "skyshelf_event_loop_lag_seconds") >= 0
    assert value(scraped, "skyshelf_database_waiting") == 0
    assert value(scraped, "skyshelf_change_streams") == 0
    assert value(scraped, 'skyshelf_media_jobs{state="waiting"}') == 0


def test_failures_and_uses_of_links_are_counted_by_kind(scraped: TestClient, ctx: ServiceContext) -> None:
    new_account(ctx, "ada@example.org")
    for _ in range(3):
        scraped.post("/x/v1/login", json={"emailId": "ada@example.org", "password": f"not {PASSWORD}"})
    assert value(scraped, 'skyshelf_audit_events_total{kind="login.failed"}') == 3


def test_what_was_counted_before_the_first_reading_is_in_it(scraped: TestClient) -> None:
    for _ in range(3):
        scraped.get("/healthz")
    started = time.time()
    requests = 'skyshelf_requests_total{endpoint="healthz",status="2xx"}'
    assert value(scraped, requests) == 3
    assert value(scraped, requests) == 3
    assert started - 60 < value(scraped, "skyshelf_process_start_timestamp_seconds") <= started


def test_counts_of_connections_and_reads_are_not_added_twice() -> None:
    counts = WorkerCounts()
    metrics = Metrics(counts)
    counts.connections = 7
    for _ in range(2):
        counts.closed_connections["idle"] += 1
        counts.refused_requests["503"] += 1
        counts.damaged_read()
        for _ in range(2):
            metrics.note_counts()
    page = metrics.page(DiskReserve()).decode()
    assert "skyshelf_connections 7.0" in page
    assert 'skyshelf_connections_closed_total{reason="idle"} 2.0' in page
    assert 'skyshelf_requests_refused_total{status="503"} 2.0' in page
    assert "skyshelf_damaged_reads_total 2.0" in page
