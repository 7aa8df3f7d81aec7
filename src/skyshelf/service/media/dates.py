"""Capture dates as files spell them."""

import re
from datetime import UTC, datetime, timedelta, timezone

Taken = tuple[int, int]
"""Epoch milliseconds, and month and day by the camera's clock as 1231."""

_EXIF_TIME = re.compile(r"^(\d{4}):(\d\d):(\d\d)[ T](\d\d):(\d\d):(\d\d)", re.ASCII)
_OFFSET = re.compile(r"^([+-])(\d\d):(\d\d)$", re.ASCII)


def exif_date(text: object, offset: object) -> Taken | None:
    """A date as cameras write it; in UTC where they do not write an offset."""
    match = _EXIF_TIME.match(text) if isinstance(text, str) else None
    if match is None:
        return None
    try:
        return as_taken(datetime(*map(int, match.groups()), tzinfo=_zone(offset)))  # type: ignore[arg-type, misc]
    except (ValueError, OverflowError):
        return None


def _zone(offset: object) -> timezone:
    minutes = offset_minutes(offset)
    return UTC if minutes is None else timezone(timedelta(minutes=minutes))


def offset_minutes(offset: object) -> int | None:
    """A clock's offset from UTC as cameras write it."""
    shift = _OFFSET.match(offset.strip("\0 ")) if isinstance(offset, str) else None
    if shift is None:
        return None
    minutes = int(shift[2]) * 60 + int(shift[3])
    return -minutes if shift[1] == "-" else minutes


def as_taken(moment: datetime) -> Taken | None:
    """The date as Taken; None for one before photography or in the future, as from a clock that was never set."""
    if not moment.year >= 1826 or moment > datetime.now(UTC) + timedelta(days=2):
        return None
    return round(moment.timestamp() * 1000), moment.month * 100 + moment.day
