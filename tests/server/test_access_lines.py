"""Lines of the access log in blocks, and figures as sums."""

import json
import logging
import os
import threading

import pytest

from skyshelf.server.observability import logs
from skyshelf.server.observability.counts import WorkerCounts
from skyshelf.server.observability.logs import AccessLine, BlockLines, JsonLines, TextLines, Times, fields_of, timestamp
from skyshelf.server.observability.metrics import Metrics
from skyshelf.service.process.reservations import DiskReserve


def line(path: str = "/a", **fields: object) -> AccessLine:
    usual = {
        "time": "2026-05-03T09:20:00.000Z",
        "level": "info",
        "request_id": "0123456789abcdef",
        "method": "GET",
        "endpoint": "listing",
        "path": path,
        "status": 200,
        "ms": 1.5,
        "bytes": 7,
        "address": "127.0.0.1",
        "user": "-",
    }
    return AccessLine(**(usual | fields))  # type: ignore[arg-type]


@pytest.mark.parametrize("traced", [{}, {"trace_id": "4bf92f3577b34da6a3ce929d0e0e4736"}])
@pytest.mark.parametrize("log_format", ["json", "text"])
def test_every_line_is_written_as_the_logging_package_would(log_format: str, traced: dict[str, str]) -> None:
    reading, writing = os.pipe()
    lines = BlockLines(log_format, writing)
    for number in range(100):
        lines.note(line(f"/{number}/\u00e4\n", **traced))
    lines.close()
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as read:
        written = read.read().splitlines()
    assert len(written) == 100
    record = logging.LogRecord("skyshelf.access", logging.INFO, "", 0, "request", None, None)
    record.created = 1_777_800_000.0
    fields = record.fields = fields_of(line("/99/\u00e4\n", **traced))
    assert traced.items() <= fields.items()
    assert not {"time", "level", *({} if traced else {"trace_id"})} & fields.keys()
    formatter = JsonLines() if log_format == "json" else TextLines()
    assert written[99] == formatter.format(record)
    if log_format == "json":
        assert json.loads(written[0])["path"] == "/0/\u00e4\n"


def test_nobody_waits_for_a_reader_who_stands_still(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(logs, "WAITING_BYTES_MAX", 200_000)
    reading, writing = os.pipe()
    lines = BlockLines("json", writing)
    for _ in range(5000):
        lines.note(line())
    # Nothing was read so far, and all of them were taken.
    received: list[bytes] = []

    def read() -> None:
        while piece := os.read(reading, 65536):
            received.append(piece)

    reader = threading.Thread(target=read)
    reader.start()
    lines.close()
    os.close(writing)
    reader.join()
    os.close(reading)
    written = b"".join(received).count(b"\n")
    assert 0 < written < 5000
    assert f"{5000 - written} lines of the access log were lost" in caplog.text


def test_timestamps_are_those_of_other_lines() -> None:
    times = Times()
    for now in (1_777_800_000.0, 1_777_800_000.25, 1_777_800_000.9995, 1_777_800_001.5, 1_777_799_999.125):
        assert times.at(now) == timestamp(now)


def test_figures_of_requests_are_added_up_when_they_are_read() -> None:
    worker = WorkerCounts()
    counts, metrics = worker.requests, Metrics(worker)
    counts.in_progress += 1
    counts.in_progress += 1
    counts.in_progress -= 1
    counts.add("listing", 200, 0.002, sent=10)
    counts.add("listing", 404, 0.2, sent=5)
    counts.add("listing", 200, 0.001)
    assert b'endpoint="listing"' not in metrics.page(DiskReserve())
    for _ in range(2):
        metrics.note_counts()
        page = metrics.page(DiskReserve()).decode()
        for expected in (
            'skyshelf_requests_total{endpoint="listing",status="2xx"} 2.0',
            'skyshelf_requests_total{endpoint="listing",status="4xx"} 1.0',
            'skyshelf_request_seconds_bucket{endpoint="listing",le="0.001"} 1.0',
            'skyshelf_request_seconds_bucket{endpoint="listing",le="0.0025"} 2.0',
            'skyshelf_request_seconds_bucket{endpoint="listing",le="+Inf"} 3.0',
            'skyshelf_request_seconds_count{endpoint="listing"} 3.0',
            'skyshelf_sent_bytes_total{endpoint="listing"} 15.0',
            "skyshelf_requests_in_flight 1.0",
        ):
            assert expected in page, page
