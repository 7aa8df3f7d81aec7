"""The rule that says which cuts stay."""

from datetime import UTC, datetime, timedelta

import pytest

from skyshelf.backup.places import BackupRefused
from skyshelf.backup.prune import Aged, kept, parse_rule

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)  # a Monday


def _ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def _staying(rule: str, *times: str, incomplete: tuple[str, ...] = ()) -> list[str]:
    cuts = [Aged(time, _ms(datetime.fromisoformat(time).replace(tzinfo=UTC)), time not in incomplete) for time in times]
    return sorted(kept(cuts, parse_rule(rule), _ms(NOW)))


@pytest.mark.parametrize(
    ("rule", "times", "staying"),
    [
        ("7d", [], []),
        # Without any cut in the period, the newest complete one stays all the same.
        ("1d", ["2020-01-01T00:00", "2020-01-02T00:00"], ["2020-01-02T00:00"]),
        # The last one of each day.
        ("2d", ["2026-11-15T01:00", "2026-11-15T23:59", "2026-11-16T00:00"], ["2026-11-15T23:59", "2026-11-16T00:00"]),
        # Today counts: two days are today and yesterday.
        ("2d", ["2026-11-14T23:59", "2026-11-15T00:00", "2026-11-16T01:00"], ["2026-11-15T00:00", "2026-11-16T01:00"]),
        # Weeks begin on Monday.
        ("2w", ["2026-11-08T10:00", "2026-11-09T10:00", "2026-11-15T10:00", "2026-11-16T10:00"],
         ["2026-11-15T10:00", "2026-11-16T10:00"]),
        ("3m", ["2026-08-31T10:00", "2026-09-01T10:00", "2026-10-31T10:00", "2026-11-01T10:00"],
         ["2026-09-01T10:00", "2026-10-31T10:00", "2026-11-01T10:00"]),
        ("2y", ["2024-12-31T10:00", "2025-01-01T10:00", "2026-01-01T10:00"], ["2025-01-01T10:00", "2026-01-01T10:00"]),
        ("2h", ["2026-11-16T10:59", "2026-11-16T11:00", "2026-11-16T11:30"], ["2026-11-16T11:30"]),
        # Terms add up.
        ("1d,2m", ["2026-10-05T10:00", "2026-10-20T10:00", "2026-11-15T10:00", "2026-11-16T10:00"],
         ["2026-10-20T10:00", "2026-11-16T10:00"]),
        # A clock that was wrong costs no cut.
        ("1d", ["2026-11-16T10:00", "2031-01-01T10:00"], ["2026-11-16T10:00", "2031-01-01T10:00"]),
    ],
)  # fmt: skip
def test_one_cut_per_period_stays(rule: str, times: list[str], staying: list[str]) -> None:
    assert _staying(rule, *times) == staying


def test_an_incomplete_cut_never_takes_the_place_of_a_complete_one() -> None:
    times = ("2026-11-15T10:00", "2026-11-16T09:00", "2026-11-16T10:00")
    assert _staying("1d", *times, incomplete=times[2:]) == ["2026-11-16T09:00", "2026-11-16T10:00"]
    assert _staying("1d", *times, incomplete=times[1:]) == ["2026-11-15T10:00", "2026-11-16T10:00"]


def test_a_year_of_daily_cuts_by_the_usual_rule_leaves_days_weeks_and_months() -> None:
    cuts = [Aged(str(number), _ms(NOW - timedelta(days=number)), is_complete=True) for number in range(500)]
    staying = kept(cuts, parse_rule("7d,4w,12m"), _ms(NOW))
    assert {str(number) for number in range(7)} <= staying
    assert len(staying) == 7 + 3 + 11 - 1  # the newest of last week and of the current month are among the days


@pytest.mark.parametrize("rule", ["", "7", "d", "0d", "7d,", "7 days", "-1d", "7x"])
def test_what_is_no_rule_is_refused_with_an_example(rule: str) -> None:
    with pytest.raises(BackupRefused, match="7d,4w,12m"):
        parse_rule(rule)
