"""Untrusted text for a terminal: no name can move the cursor, hide itself or reverse the text around it; and times."""

import unicodedata
from datetime import datetime
from typing import Final

from skyshelf.wire.text import JOINERS, escaped_code_point, is_unprintable, replace_invisible

_ZERO_WIDTH: Final = frozenset({"Mn", "Me"})
_EMOJI_SELECTOR: Final = "\ufe0f"


def visible(text: str) -> str:
    """The text with control and bidi characters escaped, as `\\x1b` or `\\u202e`."""
    return replace_invisible(text, escaped_code_point, is_unprintable)


def width(text: str) -> int:
    """The number of columns of a text on a terminal."""
    if text.isascii():
        return len(text)
    columns = 0
    for before, one in zip(" " + text, text, strict=False):
        # This selector turns a one-column character into an emoji of two columns.
        columns += _columns(before) == 1 if one == _EMOJI_SELECTOR else _columns(one)
    return columns


def local_time(ms: int | None) -> str:
    """A time in the local time zone, for people; empty for None."""
    if ms is None:
        return ""
    try:
        return datetime.fromtimestamp(ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return "?"


def utc_time(ms: int | None) -> str | None:
    """A time for programs, RFC 3339 in UTC; None for None, and for a time outside the calendar."""
    from skyshelf.wire.times import to_rfc3339

    try:
        return None if ms is None else to_rfc3339(ms)
    except ValueError:
        return None


def _columns(character: str) -> int:
    if character in JOINERS or unicodedata.category(character) in _ZERO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
