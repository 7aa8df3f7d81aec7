"""Times: epoch milliseconds on the wire, RFC 3339 for people, and the interface's two special formats."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from skyshelf.wire.limits import TIME_MS_MAX
from skyshelf.wire.refusals import BadPageDate

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)

# English on every machine; strftime would use the locale.
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

_SHARE_NAME: Final = re.compile(r"\d{2}[A-Z][a-z]{2}\d{4}_\d{6}", re.ASCII)
_PAGE_DATE: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2}) ([0-9]{2}):([0-9]{2}):([0-9]{2})\.([0-9]{6})", re.ASCII
)

PAGE_DATE_DEFAULT: Final = "1970-01-01 00:00:00.000000"
"""The `nextPageDate` that returns every contact."""


def from_epoch_ms(ms: int) -> datetime:
    """Return the time as a datetime in UTC; exact, because no floating point is involved."""
    if not 0 <= ms <= TIME_MS_MAX:
        raise ValueError("a time must be between 1970 and 9999")
    return _EPOCH + ms * _MILLISECOND


def to_epoch_ms(moment: datetime) -> int:
    """Return the epoch milliseconds of an aware datetime, rounded down."""
    return (moment - _EPOCH) // _MILLISECOND


def in_range(ms: int) -> int:
    """Return the nearest time of the interface's range: files and foreign rows may have any."""
    return min(max(ms, 0), TIME_MS_MAX)


def to_rfc3339(ms: int) -> str:
    """Return the time as `2024-05-06T07:08:09.123Z`."""
    return from_epoch_ms(ms).strftime("%Y-%m-%dT%H:%M:%S.") + f"{ms % 1000:03d}Z"


def share_name(ms: int) -> str:
    """Return the default name of a share created at that time: `06May2024_070809`."""
    moment = from_epoch_ms(ms)
    return f"{moment.day:02d}{_MONTHS[moment.month - 1]}{moment.year:04d}_{moment:%H%M%S}"


def is_default_share_name(name: str) -> bool:
    """Return whether a name looks like one of `share_name`."""
    return _SHARE_NAME.fullmatch(name) is not None


def from_page_date(text: str) -> int:
    """Return the epoch milliseconds of a `nextPageDate`; no other format is accepted."""
    found = _PAGE_DATE.fullmatch(text)
    if found is None:
        raise BadPageDate("nextPageDate must have the form yyyy-MM-dd HH:mm:ss.SSSSSS")
    year, month, day, hour, minute, second, microsecond = map(int, found.groups())
    try:
        moment = datetime(year, month, day, hour, minute, second, microsecond, tzinfo=UTC)
    except ValueError as wrong:
        raise BadPageDate("nextPageDate must be a valid time") from wrong
    return to_epoch_ms(moment)
