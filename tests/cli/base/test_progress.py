"""The live line of a transfer."""

import time

import pytest

from skyshelf.cli.base.output import Output
from skyshelf.cli.base.progress import Meter
from skyshelf.cli.base.text import width

MIB = 1024 * 1024


@pytest.fixture
def meter(monkeypatch: pytest.MonkeyPatch) -> Meter:
    """A meter that began at 100 seconds."""
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    return Meter(Output(quiet=True), "downloaded")


def test_it_shows_files_bytes_rate_and_time_left(meter: Meter) -> None:
    for _ in range(4):
        meter.queued(10 * MIB)
    meter.all_listed()
    meter.finished("a.bin", 10 * MIB)
    meter.moved("b.bin", 5 * MIB)
    assert meter.line(105.0, "x/b.bin", 100) == (
        "████░░░░░░░░  15 MiB of 40 MiB  1 of 4 files  3 MiB/s  0:08 left  b.bin"
    )


def test_until_all_is_listed_no_end_is_estimated(meter: Meter) -> None:
    meter.queued(10 * MIB)
    meter.moved("b.bin", 5 * MIB)
    line = meter.line(101.0, "b.bin", 100)
    assert "5 MiB of 10 MiB+" in line
    assert "0 of 1+ files" in line
    assert "left" not in line


def test_a_plan_replaces_what_was_counted_on_before(meter: Meter) -> None:
    meter.planned(2, 20 * MIB)
    meter.finished("a.bin", 10 * MIB)
    meter.planned(3, 30 * MIB)
    assert meter.line(105.0, "b.bin", 100) == (
        "███░░░░░░░░░  10 MiB of 40 MiB  1 of 4 files  2 MiB/s  0:15 left  b.bin"
    )


def test_the_rate_is_that_of_the_last_seconds(meter: Meter) -> None:
    meter.queued(1000 * MIB)
    meter.all_listed()
    meter.moved("b.bin", 100 * MIB)
    meter.line(101.0, "b.bin", 100)
    for second in range(102, 140):
        meter.moved("b.bin", (second - 1) * MIB)
        line = meter.line(float(second), "b.bin", 100)
    assert "1 MiB/s" in line
    assert "14:22 left" in line


def test_what_need_not_be_moved_is_taken_from_the_whole() -> None:
    meter = Meter(Output(quiet=True), "uploaded", total_bytes=30 * MIB)
    meter.skipped("a.bin", 20 * MIB)
    assert "0 B of 10 MiB" in meter.line(time.monotonic() + 1, "a.bin", 100)


@pytest.mark.parametrize("columns", [0, 5, 10, 20, 30, 40, 60, 80, 200])
def test_the_line_never_is_wider_than_the_terminal(meter: Meter, columns: int) -> None:
    meter.queued(123 * MIB)
    meter.all_listed()
    meter.skipped("b")
    meter.moved("写真/海辺の写真.jpg", 5 * MIB)
    line = meter.line(103.0, "写真/海辺の写真.jpg", columns)
    assert width(line) <= columns
    if columns >= 30:
        assert "5 MiB of 123 MiB" in line
    if columns >= 100:
        assert "海辺の写真.jpg" in line


def test_long_waits_are_shown_in_hours(meter: Meter) -> None:
    meter.queued(36_000 * MIB)
    meter.all_listed()
    meter.moved("b.bin", MIB)
    assert "9:59:59 left" in meter.line(101.0, "b.bin", 100)
