"""Moments in the past as people write them: `yesterday 14:00`, `2 hours ago`, `tuesday`, `2024-05-01T12:30`, `7d`."""

import re
from datetime import datetime, time, timedelta
from typing import Final

_UNITS: Final = {
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
_WORDS: Final = {"second": "s", "sec": "s", "minute": "m", "min": "m", "hour": "h", "day": "d", "week": "w"}
_SHORT: Final = re.compile(r"([0-9]{1,6})\s*([smhdw])")
_AGO: Final = re.compile(rf"([0-9]{{1,6}}|an?|one)\s*({'|'.join(_WORDS)}|[smhdw])s?\s+ago")
_CLOCK: Final = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?")
_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def parse_moment(text: str, now: datetime) -> int | None:
    """The moment in epoch milliseconds; None for a text that names none.

    Without an offset it is local time, like every time in text output. `yesterday` alone is this time of the day
    yesterday; a day of the week alone is its beginning, and so is a date.
    """
    words = " ".join(text.lower().split())
    found = _elapsed(words, now) or _named(words, now)
    try:
        found = found or datetime.fromisoformat(text.strip()).astimezone()
        return round(found.timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        return None


def _elapsed(words: str, now: datetime) -> datetime | None:
    if words == "now":
        return now
    short = _SHORT.fullmatch(words)
    ago = _AGO.fullmatch(words)
    if short is not None:
        number, unit = int(short[1]), short[2]
    elif ago is not None:
        number, unit = int(ago[1]) if ago[1].isdigit() else 1, _WORDS.get(ago[2], ago[2])
    else:
        return None
    try:
        return now - number * _UNITS[unit]
    except OverflowError:
        return None


def _named(words: str, now: datetime) -> datetime | None:
    """A day by its name, with or without a time; or a time of today, or of yesterday if it is yet to come."""
    if words in {"yesterday", "last week"}:
        return now - timedelta(days=1 if words == "yesterday" else 7)
    if (own := _clock(words)) is not None:
        found = _on(now, 0, own)
        return found if found <= now else _on(now, 1, own)
    name, _, rest = words.removeprefix("last ").partition(" ")
    clock = _clock(rest.removeprefix("at ")) if rest else time()
    back = _days_back(name, now)
    if clock is None or back is None:
        return None
    found = _on(now, back, clock)
    is_week_ago = name in _DAYS and (found > now or (back == 0 and words.startswith("last ")))
    return _on(now, back + 7, clock) if is_week_ago else found


def _days_back(name: str, now: datetime) -> int | None:
    if name in _DAYS:
        return (now.weekday() - _DAYS.index(name)) % 7
    return {"today": 0, "yesterday": 1}.get(name)


def _on(now: datetime, days: int, clock: time) -> datetime:
    """A time of a day; the offset is the one of that day."""
    return datetime.combine((now - timedelta(days=days)).date(), clock).astimezone()


def _clock(text: str) -> time | None:
    found = _CLOCK.fullmatch(text)
    if found is None:
        return None
    hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
    return time(hour, minute, second) if hour < 24 and minute < 60 and second < 60 else None
