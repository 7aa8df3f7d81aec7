"""The job that rewrites the wire JSON of older releases: on both databases, interrupted, beside an older release."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.conformance.metadata.backends import BACKENDS, Backend, Store
from tests.conformance.metadata.conftest import postgres_server as _postgres_server
from tests.conformance.metadata.making import fill_folder, make_account
from tests.conformance.metadata.new_encoding import RELEASED, is_upgraded, upgrade_encoding
from tests.real_parts.postgres import PostgresServer
from tests.server.api import HeldClock
from tests.service.pacing import hold_pace

from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs.maintenance import HOUR, re_encode
from skyshelf.service.jobs.runner import JobRunner
from skyshelf.storage.metadata import wire_cache
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.open import embedded_urls, open_blobs

postgres_server = _postgres_server


@pytest.fixture(params=list(BACKENDS))
def backend(
    request: pytest.FixtureRequest, tmp_path: Path, postgres_server: Callable[[], PostgresServer]
) -> Iterator[Backend]:
    with BACKENDS[request.param](tmp_path, postgres_server) as place:
        yield place


@pytest.fixture
def store(backend: Backend) -> Iterator[Store]:
    opened = backend.open()
    yield opened
    opened.close()


@pytest.fixture
def account(store: Store) -> Account:
    account = make_account(store)
    fill_folder(store, account, account.root_key, 50)
    return account


@pytest.fixture
def ctx(store: Store, tmp_path: Path, clock: HeldClock) -> Iterator[ServiceContext]:
    ctx = ServiceContext(metadata=store, blobs=open_blobs(embedded_urls(tmp_path)[1]), clock=clock)
    yield ctx
    ctx.media.close()
    ctx.blobs.close()


def stale_rows(store: Store) -> int:
    """How many rows are in another encoding than this release's."""
    with store.read() as unit:
        rows = unit.sql.all("SELECT wire_version, wire FROM objects")
    assert all(is_upgraded(wire) == (version > RELEASED) for version, wire in rows)
    return sum(version != wire_cache.ENCODING_VERSION for version, _ in rows)


def settled(store: Store) -> int:
    with store.read() as unit:
        return unit.wire_cache.settled_encoding()


def run(ctx: ServiceContext) -> int:
    return sum(1 for _ in re_encode(ctx))


def test_everything_is_rewritten_in_small_steps_and_then_the_store_is_settled(
    ctx: ServiceContext,
    store: Store,
    account: Account,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    upgrade_encoding(monkeypatch)
    hold_pace(monkeypatch, 10)
    assert stale_rows(store) == 101
    assert run(ctx) == 11
    assert stale_rows(store) == 0
    assert [one.message for one in caplog.records if "re-encoded" in one.message] == [
        f"re-encoded 101 objects for wire encoding {RELEASED + 1}"
    ]
    assert settled(store) < wire_cache.ENCODING_VERSION, "an older release may have written behind the job"
    run(ctx)
    assert settled(store) == wire_cache.ENCODING_VERSION
    assert run(ctx) == 0
    with store.read() as unit:
        assert unit.inspection.outdated(None, limit=1000).found == []


def test_a_job_that_is_killed_between_two_steps_goes_on_in_another_process(
    ctx: ServiceContext, store: Store, backend: Backend, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade_encoding(monkeypatch)
    hold_pace(monkeypatch, 10)
    steps = re_encode(ctx)
    for _ in range(3):
        next(steps)
    del steps
    other = backend.open()
    try:
        assert stale_rows(other) == 71
        run(ServiceContext(metadata=other, blobs=ctx.blobs, clock=ctx.clock))
        assert stale_rows(other) == 0
    finally:
        other.close()


def test_two_instances_at_it_at_once_do_no_harm(
    ctx: ServiceContext, store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade_encoding(monkeypatch)
    hold_pace(monkeypatch, 10)
    first, second = re_encode(ctx), re_encode(ctx)
    while next(first, "end") is None or next(second, "end") is None:
        pass
    assert stale_rows(store) == 0


def test_it_runs_right_after_an_upgrade_and_again_an_hour_later(
    ctx: ServiceContext, store: Store, account: Account, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade_encoding(monkeypatch)
    worker = JobRunner(ctx)
    worker.schedule()
    while worker.work_once():
        pass
    assert stale_rows(store) == 0
    clock.advance(ms=HOUR)
    while worker.work_once():
        pass
    assert settled(store) == wire_cache.ENCODING_VERSION


def test_an_older_release_that_still_runs_makes_the_newer_one_check_again(
    ctx: ServiceContext, store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = wire_cache.ENCODING_VERSION
    with monkeypatch.context() as newer:
        upgrade_encoding(newer)
        run(ctx)
        run(ctx)
        assert settled(store) == older + 1
    make_account(store)
    assert run(ctx) == 0
    assert settled(store) == older
    with monkeypatch.context() as newer:
        upgrade_encoding(newer)
        assert stale_rows(store) == 1
        run(ctx)
        assert stale_rows(store) == 0
