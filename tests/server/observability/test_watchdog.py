"""The watchdog of the event loop."""

import logging
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from tests.server.in_process import TestClient
from tests.server.observability.test_figures import value
from tests.server.test_operators import local

from skyshelf.server.app import ServerSettings
from skyshelf.server.observability import watchdog
from skyshelf.server.observability.noting import FigureNoting
from skyshelf.service.context import ServiceContext

PATIENCE = 30
HOLDS = "skyshelf_loop_hold_seconds_count"


@pytest.fixture
def scraped(ctx: ServiceContext, settings: ServerSettings) -> Iterator[TestClient]:
    with local(ctx, settings) as client:
        yield client


def test_a_hold_of_the_loop_is_counted_and_logged_with_its_call_and_stack(
    scraped: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call holds the loop until the watchdog has looked at it."""
    before = value(scraped, HOLDS)
    looked, logged, records = threading.Event(), threading.Event(), list[dict[str, Any]]()
    look, note = watchdog._found_on, FigureNoting.note

    def look_and_say(thread: int) -> dict[str, object]:
        found = look(thread)
        looked.set()
        return found

    def held_note(self: FigureNoting, *, with_process: bool = True) -> None:
        assert looked.wait(PATIENCE)
        note(self, with_process=with_process)

    class Records(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            fields = getattr(record, "fields", {})
            if fields.get("event") == "loop held":
                records.append(fields)
                logged.set()

    handler = Records()
    logging.getLogger("skyshelf.server").addHandler(handler)
    try:
        monkeypatch.setattr(watchdog, "_found_on", look_and_say)
        monkeypatch.setattr(FigureNoting, "note", held_note)
        assert scraped.get("/metrics").status_code == 200
        assert logged.wait(PATIENCE)
    finally:
        logging.getLogger("skyshelf.server").removeHandler(handler)
    assert records[0]["call"] == "metrics"
    assert records[0]["ms"] > 1000 * watchdog.HELD_SECONDS
    assert records[0]["cpu_ms"] < records[0]["ms"]
    assert any(line.endswith(" held_note") for line in records[0]["stack"])
    assert value(scraped, HOLDS) > before


def test_the_thread_of_the_watchdog_ends_with_the_server(ctx: ServiceContext, settings: ServerSettings) -> None:
    known = {thread for thread in threading.enumerate() if thread.name == "loop-watchdog"}
    with local(ctx, settings) as client:
        client.get("/healthz")
        (ours,) = {thread for thread in threading.enumerate() if thread.name == "loop-watchdog"} - known
    ours.join(PATIENCE)
    assert not ours.is_alive()
