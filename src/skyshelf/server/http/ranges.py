"""Ranges and conditions of a download (RFC 9110): malformed ones are ignored, never refused."""

import re
from email.utils import parsedate_to_datetime
from typing import Final

import msgspec

from skyshelf.service.files.downloads import Original

_SINGLE: Final = re.compile(r"bytes=[ \t]*(?:([0-9]+)-([0-9]*)|-([0-9]+))[ \t]*", re.IGNORECASE | re.ASCII)
_ETAG: Final = re.compile(r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"')
# Longer numbers are larger than any file, and int() refuses very long ones.
_DIGITS_MAX: Final = 18
_LARGEST: Final = 10**_DIGITS_MAX


class ByteRange(msgspec.Struct, frozen=True):
    """The bytes from start up to, but not including, end."""

    start: int
    end: int

    @property
    def length(self) -> int:
        return self.end - self.start


class Unsatisfiable(Exception):
    """The requested range contains no byte of the file."""


def range_in(header: str | None, size: int) -> ByteRange | None:
    """Return the range in a Range header, clipped to the file and never empty; None for the whole file.

    A header with several ranges gets the whole file, which the standard allows.
    """
    found = _SINGLE.fullmatch(header) if header else None
    if found is None:
        return None
    first, last, suffix = found.groups()
    if suffix is not None:
        return _last_bytes(_number(suffix), size)
    start, end = _number(first), (_number(last) + 1 if last else size)
    if last and end <= start:
        return None
    if start >= size:
        raise Unsatisfiable
    return ByteRange(start, min(end, size))


def _last_bytes(count: int, size: int) -> ByteRange | None:
    if count == 0:
        raise Unsatisfiable
    # No range can describe the last bytes of an empty file, so it is sent whole.
    return ByteRange(max(0, size - count), size) if size else None


def _number(digits: str) -> int:
    digits = digits.lstrip("0") or "0"
    return int(digits) if len(digits) <= _DIGITS_MAX else _LARGEST


def etag_of(original: Original) -> str:
    return f'"{original.md5}"'


def is_named(etag: str, if_none_match: str | None) -> bool:
    """Return whether a list of ETags contains this one, or its weak form; a star matches any."""
    given = if_none_match or ""
    return given.strip() == "*" or etag in {tag.removeprefix("W/") for tag in _ETAG.findall(given)}


def is_not_modified(original: Original, if_none_match: str | None, if_modified_since: str | None) -> bool:
    """Return whether the client already has this content. With ETags the date does not count."""
    if if_none_match is not None:
        return is_named(etag_of(original), if_none_match)
    seconds = seconds_of(if_modified_since)
    if seconds is None:
        return False
    # A file's date is set by its owner, so new content may have an old date. A date proves anything only if no other
    # version has it, or if it is not older than the content's arrival.
    newest = max(original.modified_at, original.arrived_at) // 1000
    return _is_its_date(original, seconds) or seconds >= newest + 1


def can_resume(original: Original, if_range: str | None) -> bool:
    """Return whether a range may be sent: the client's part must come from this content."""
    if if_range is None:
        return True
    if '"' in if_range:
        return if_range.strip() == etag_of(original)
    seconds = seconds_of(if_range)
    return seconds is not None and _is_its_date(original, seconds)


def _is_its_date(original: Original, seconds: int) -> bool:
    return original.has_unique_date and seconds == original.modified_at // 1000


def seconds_of(http_date: str | None) -> int | None:
    """Return the seconds since 1970 of a date in a header; None without a valid one."""
    try:
        return int(parsedate_to_datetime(http_date).timestamp()) if http_date else None
    except (ValueError, OverflowError):
        return None
