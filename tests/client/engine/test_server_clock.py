"""The time of the server: a second opinion, which may be missing or wrong."""

from datetime import UTC, datetime, timedelta

import pytest

from skyshelf.client.engine.server_clock import ServerClock, both_clocks

NOW = datetime(2026, 11, 19, 12, tzinfo=UTC)


def test_the_time_goes_on_after_the_response() -> None:
    elapsed = [100.0]
    clock = ServerClock(lambda: elapsed[0])
    assert clock.now() is None
    clock.note({"date": "Thu, 19 Nov 2026 12:00:00 GMT"})
    elapsed[0] += 90
    assert clock.now() == NOW + timedelta(seconds=90)
    clock.note({})
    assert clock.now() == NOW + timedelta(seconds=90)


@pytest.mark.parametrize("date", ["", "soon", "Thu, 99 Nov 2026 12:00:00 GMT", "Thu, 19 Nov 99999 12:00:00 GMT"])
def test_a_date_that_is_none_is_no_time(date: str) -> None:
    clock = ServerClock()
    clock.note({"date": date})
    assert clock.now() is None


def test_without_a_second_clock_there_is_one() -> None:
    later = NOW + timedelta(days=1)
    assert both_clocks(NOW, None) == (NOW, NOW)
    assert both_clocks(NOW, later) == both_clocks(later, NOW) == (NOW, later)
