"""Limits by the time of day, and pauses."""

import asyncio
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import pytest

from skyshelf.client.upload.file import UploadOptions, limited
from skyshelf.desktop.sync.pausing import FOREVER, Gate, PausedError, pause, paused_until, resume
from skyshelf.desktop.sync.schedule import Hours, TimedRateLimit, Timetable


@pytest.mark.parametrize(
    ("hours", "moment", "is_in"),
    [
        ("22:00-06:00", "23:00", True),
        ("22:00-06:00", "05:59", True),
        ("22:00-06:00", "06:00", False),
        ("22:00-06:00", "12:00", False),
        ("9:30-17:00", "09:30", True),
        ("9:30-17:00", "17:00", False),
        ("9:30-17:00", "09:29", False),
    ],
)
def test_a_part_of_the_day_may_include_midnight(hours: str, moment: str, is_in: bool) -> None:
    assert (time.fromisoformat(moment) in Hours.parse(hours)) == is_in


@pytest.mark.parametrize("text", ["", "22-6", "24:00-06:00", "22:60-06:00", "06:00-06:00", "22:00", "٢٢:00-06:00"])
def test_anything_else_is_no_part_of_the_day(text: str) -> None:
    with pytest.raises(ValueError, match="is not a part of the day"):
        Hours.parse(text)


@pytest.mark.parametrize(
    ("table", "moment", "rate"),
    [
        ("2M", "03:00", 2 << 20),
        ("off", "03:00", None),
        ("08:00,500k 18:00,off", "08:00", 500 << 10),
        ("08:00,500k 18:00,off", "18:00", None),
        ("08:00,500k 18:00,off", "07:59", None),
        ("18:00,off 08:00,500k/s", "12:00", 500 << 10),
    ],
)
def test_the_last_change_of_a_day_holds_until_the_first(table: str, moment: str, rate: int | None) -> None:
    assert Timetable.parse(table).rate(time.fromisoformat(moment)) == rate


@pytest.mark.parametrize("text", ["", "fast", "0", "08:00", "08:00,0", "08:00,2M 2M", "25:00,2M"])
def test_anything_else_is_no_timetable(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Timetable.parse(text)


def test_a_transfer_keeps_to_the_rate_of_its_time() -> None:
    now = [datetime(2026, 11, 19, 12, tzinfo=UTC)]
    limit = TimedRateLimit(Timetable.parse("08:00,500k 18:00,off"), now=lambda: now[0])
    assert limit.piece(1 << 20) < 1 << 20
    assert limit.bytes_per_second == 500 << 10
    now[0] += timedelta(hours=7)
    assert limit.piece(1 << 20) == 1 << 20


def test_without_a_limit_uploads_are_sent_in_the_usual_parts() -> None:
    assert limited(UploadOptions(), TimedRateLimit()) == UploadOptions()
    assert limited(UploadOptions(), TimedRateLimit(Timetable.parse("500k"))).chunk_size == 500 << 10


async def test_transfers_wait_while_a_sync_may_not_run() -> None:
    allowed = [False]
    limit = TimedRateLimit(may_run=lambda: allowed[0])
    waiting = asyncio.create_task(limit.spend(1_000))
    await asyncio.sleep(0)
    assert not waiting.done()
    allowed[0] = True
    await waiting


def test_a_pause_ends_at_its_time_or_when_it_is_resumed(tmp_path: Path) -> None:
    now = datetime(2026, 11, 19, 12, tzinfo=UTC)
    pause(tmp_path, round((now + timedelta(hours=2)).timestamp() * 1000))
    assert paused_until(tmp_path, now.timestamp()) is not None
    assert paused_until(tmp_path, (now + timedelta(hours=2)).timestamp()) is None
    pause(tmp_path)
    assert paused_until(tmp_path, (now + timedelta(days=999)).timestamp()) == FOREVER
    with pytest.raises(PausedError, match="is paused: `skyshelf sync resume`"):
        Gate(tmp_path, now=lambda: now).check()
    assert resume(tmp_path)
    assert not resume(tmp_path)
    Gate(tmp_path, now=lambda: now).check()


def test_a_pause_that_says_nothing_is_one_for_good(tmp_path: Path) -> None:
    (tmp_path / "paused").write_text("soon")
    assert paused_until(tmp_path) == FOREVER


def test_outside_of_its_hours_a_sync_waits(tmp_path: Path) -> None:
    gate = Gate(tmp_path, Hours.parse("22:00-06:00"), now=lambda: datetime(2026, 11, 19, 12, tzinfo=UTC))
    with pytest.raises(PausedError, match="from 22:00 to 06:00 only"):
        gate.check()
