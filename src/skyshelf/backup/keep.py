"""Which cuts are kept: one per day, week or month for so many of them, and always the newest complete one."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from skyshelf.backup.errors import BackupRefused

_TERM = re.compile(r"([1-9][0-9]{0,3})([hdwmy])")
_HOUR_MS: Final = 3_600_000


class Term(NamedTuple):
    """One cut per period, for so many periods, the current one included."""

    periods: int
    unit: str


class Aged(NamedTuple):
    """What the rule looks at."""

    id: str
    at: int
    is_complete: bool


def parse_rule(text: str) -> list[Term]:
    """`7d,4w,12m`: hours, days, weeks, months and years."""
    terms = []
    for part in text.replace(" ", "").split(","):
        match = _TERM.fullmatch(part)
        if match is None:
            raise BackupRefused(f"'{text}' is not a rule: write for example 7d,4w,12m (h, d, w, m or y)")
        terms.append(Term(int(match[1]), match[2]))
    return terms


def kept(cuts: Sequence[Aged], rule: Sequence[Term], now: int) -> set[str]:
    """The ids of those that stay. Periods are those of the calendar, in UTC; the newest complete cut of one stays.

    An incomplete cut stays only while it is the newest of all. Cuts of the future stay: a clock was wrong.
    """
    if not cuts:
        return set()
    ordered = sorted(cuts, key=lambda cut: (cut.at, cut.id))
    complete = [cut for cut in ordered if cut.is_complete]
    staying = {ordered[-1].id, *(cut.id for cut in complete[-1:]), *(cut.id for cut in ordered if cut.at > now)}
    for periods, unit in rule:
        newest = {_period(cut.at, unit): cut.id for cut in complete}
        current = _period(now, unit)
        staying |= {identifier for period, identifier in newest.items() if current - periods < period <= current}
    return staying


def _period(at: int, unit: str) -> int:
    """The number of the hour, day, week (from Monday), month or year."""
    if unit == "h":
        return at // _HOUR_MS
    day = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at)
    if unit == "d":
        return day.toordinal()
    if unit == "w":
        return (day.toordinal() - 1) // 7
    return day.year * 12 + day.month if unit == "m" else day.year
