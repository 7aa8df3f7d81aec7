"""Events that are counted, or written in groups: nothing floods, and nothing is lost."""

import threading
from collections.abc import Callable
from typing import Any, cast

import pytest
from msgspec.structs import replace

from skyshelf.service.context import ServiceContext
from skyshelf.service.process import event_trail as trails
from skyshelf.service.process.event_trail import EVENTS_OF_GROUP_MAX, GROUPS_MAX, Trail
from skyshelf.storage.errors import StoreUnavailable
from skyshelf.storage.metadata.audit_events import AuditEvent, AuditFilter, RecordedEvent
from skyshelf.storage.metadata.store import MetadataStore

VISIT = AuditEvent(kind="link.visit", at=1, account_key="0" * 32, link_key="L", address="192.0.2.1", object_key="A")


class Away:
    """A store that refuses writes until it is back."""

    def __init__(self, ctx: ServiceContext) -> None:
        self._metadata = ctx.metadata
        self.is_away = True

    def write(self, work: Callable[[Any], Any]) -> Any:
        if self.is_away:
            raise StoreUnavailable("away")
        return self._metadata.write(work)


@pytest.fixture
def trail(monkeypatch: pytest.MonkeyPatch) -> Trail:
    # No thread: the tests say when it writes.
    monkeypatch.setattr(Trail, "_ensure_thread", lambda *_: None)
    return Trail()


def kept(ctx: ServiceContext) -> list[RecordedEvent]:
    with ctx.metadata.read() as unit:
        return unit.audit.after(AuditFilter(), limit=10_000, after_id=0)


def test_repetitions_are_counted_and_written_once_when_the_time_is_over(ctx: ServiceContext, trail: Trail) -> None:
    for number in range(1000):
        trail.note(ctx.metadata, replace(VISIT, at=number), "L")
    assert trail.flush(ctx.metadata)
    assert [(event.times, event.at) for event in kept(ctx)] == [(1, 0)]
    assert trail.flush(ctx.metadata, end_window=True)
    assert [(event.times, event.at) for event in kept(ctx)] == [(1, 0), (999, 999)]
    trail.note(ctx.metadata, VISIT, "L")
    assert trail.flush(ctx.metadata)
    assert len(kept(ctx)) == 3


def test_a_link_that_everybody_visits_has_few_events_and_an_exact_sum(ctx: ServiceContext, trail: Trail) -> None:
    for number in range(500):
        trail.note(ctx.metadata, replace(VISIT, address=f"192.0.2.{number}", object_key=str(number)), "L")
    trail.flush(ctx.metadata, end_window=True)
    events = kept(ctx)
    assert len(events) == EVENTS_OF_GROUP_MAX + 1
    assert sum(event.times for event in events) == 500
    assert (events[-1].link_key, events[-1].address, events[-1].account_key) == ("L", "", VISIT.account_key)


def test_however_many_links_there_are_memory_is_bounded(ctx: ServiceContext, trail: Trail) -> None:
    for number in range(GROUPS_MAX + 200):
        trail.note(ctx.metadata, replace(VISIT, link_key=str(number)), f"link {number}")
    trail.flush(ctx.metadata, end_window=True)
    events = kept(ctx)
    assert sum(event.times for event in events) == GROUPS_MAX + 200
    assert len(events) <= GROUPS_MAX + EVENTS_OF_GROUP_MAX + 1


def test_what_the_store_refuses_is_kept_in_order_and_written_later(ctx: ServiceContext, trail: Trail) -> None:
    away = Away(ctx)
    store = cast("MetadataStore", away)
    for number in range(300):
        trail.note(store, replace(VISIT, at=number, object_key=str(number)))
    assert not trail.flush(store)
    trail.note(store, replace(VISIT, at=300))
    away.is_away = False
    assert trail.flush(store)
    assert [event.at for event in kept(ctx)] == list(range(301))


def test_too_many_that_wait_are_lost_aloud(
    ctx: ServiceContext, trail: Trail, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(trails, "WAITING_MAX", 3)
    for number in range(5):
        trail.note(ctx.metadata, replace(VISIT, at=number))
    assert trail.waiting == 3
    assert "were not recorded" in caplog.text


def test_a_clean_stop_writes_everything(ctx: ServiceContext) -> None:
    trail = Trail()

    def visit() -> None:
        for _ in range(200):
            trail.note(ctx.metadata, VISIT, "L")

    threads = [threading.Thread(target=visit) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    trail.close()
    assert sum(event.times for event in kept(ctx)) == 800
    assert len(kept(ctx)) == 2
