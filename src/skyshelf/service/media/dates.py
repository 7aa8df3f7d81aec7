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
    shift = _OFFSET.match(offset.strip("\0 ")) if isinstance(offset, str) else None
    try:
        return as_taken(datetime(*map(int, match.groups()), tzinfo=_zone(shift)))  # type: ignore[arg-type, misc]
    except (ValueError, OverflowError):
        return None


def _zone(shift: re.Match[str] | None) -> timezone:
    if shift is None:
        return UTC
    minutes = int(shift[2]) * 60 + int(shift[3])
    return timezone(timedelta(minutes=-minutes if shift[1] == "-" else minutes))


def as_taken(moment: datetime) -> Taken | None:
    """The date as Taken; None for one before photography or in the future, as from a clock that was never set."""
    if not moment.year >= 1826 or moment > datetime.now(UTC) + timedelta(days=2):
        return None
    return round(moment.timestamp() * 1000), moment.month * 100 + moment.day
