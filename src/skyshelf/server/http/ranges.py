"""Ranges and conditions of a download, as RFC 9110 reads them: what is malformed is ignored, never refused."""

import re
from email.utils import parsedate_to_datetime
from typing import Final

import msgspec

from skyshelf.service.files.downloads import Original

_SINGLE: Final = re.compile(r"bytes=[ \t]*(?:([0-9]+)-([0-9]*)|-([0-9]+))[ \t]*", re.IGNORECASE | re.ASCII)
_ETAG: Final = re.compile(r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"')
# Longer numbers lie beyond any file, and int() refuses those that are much longer.
_DIGITS_MAX: Final = 18
_BEYOND: Final = 10**_DIGITS_MAX


class ByteRange(msgspec.Struct, frozen=True):
    """The bytes from start up to, and without, end."""

    start: int
    end: int

    @property
    def length(self) -> int:
        return self.end - self.start


class Unsatisfiable(Exception):
    """No byte of the file is in the range that was asked for."""


def range_in(header: str | None, size: int) -> ByteRange | None:
    """The range that a Range header asks for, cut to the file, never empty; None where the answer is the whole file.

    Several ranges in one header are answered with the whole file, which the standard allows.
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
    # The last bytes of nothing are nothing: that is the whole of it, and no range can say so.
    return ByteRange(max(0, size - count), size) if size else None


def _number(digits: str) -> int:
    digits = digits.lstrip("0") or "0"
    return int(digits) if len(digits) <= _DIGITS_MAX else _BEYOND


def etag_of(original: Original) -> str:
    return f'"{original.md5}"'


def is_named(etag: str, if_none_match: str | None) -> bool:
    """Whether a list of tags has this one; the client's copies may be weak ones, and a star is any."""
    given = if_none_match or ""
    return given.strip() == "*" or etag in {tag.removeprefix("W/") for tag in _ETAG.findall(given)}


def has_it_already(original: Original, if_none_match: str | None, if_modified_since: str | None) -> bool:
    """Whether the client's copy is this very content. A list of tags makes the date not count."""
    if if_none_match is not None:
        return is_named(etag_of(original), if_none_match)
    seconds = _seconds(if_modified_since)
    if seconds is None:
        return False
    # The date of a file is its owner's: new content may come with an old one. A date proves something only where it
    # is this version's alone, or where it is not older than the moment at which the content came in.
    newest = max(original.modified_at, original.arrived_at) // 1000
    return _is_its_date(original, seconds) or seconds >= newest + 1


def may_have_a_part(original: Original, if_range: str | None) -> bool:
    """Whether a range may be answered: the part that the client has must be of this content."""
    if if_range is None:
        return True
    if '"' in if_range:
        return if_range.strip() == etag_of(original)
    seconds = _seconds(if_range)
    return seconds is not None and _is_its_date(original, seconds)


def _is_its_date(original: Original, seconds: int) -> bool:
    return original.date_is_its_own and seconds == original.modified_at // 1000


def _seconds(http_date: str | None) -> int | None:
    try:
        return int(parsedate_to_datetime(http_date).timestamp()) if http_date else None
    except (ValueError, OverflowError):
        return None
