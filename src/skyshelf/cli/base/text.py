"""Text from elsewhere, shown as what it is: nothing in a name may move the cursor, hide, or turn text around."""

import unicodedata
from datetime import datetime
from typing import Final

from skyshelf.wire.text import JOINERS, escaped_code_point, is_unprintable, replace_invisible

_WITHOUT_ROOM: Final = frozenset({"Mn", "Me"})
_AS_PICTURE: Final = "\ufe0f"


def visible(text: str) -> str:
    """The text with control and bidi characters written out, as `\\x1b` or `\\u202e`."""
    return replace_invisible(text, escaped_code_point, is_unprintable)


def width(text: str) -> int:
    """The columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    columns = 0
    for before, one in zip(" " + text, text, strict=False):
        # This mark makes a picture, two columns wide, of a character that is one without it.
        columns += _columns(before) == 1 if one == _AS_PICTURE else _columns(one)
    return columns


def local_time(ms: int | None) -> str:
    """A moment in the time zone of this machine, for people; empty where there is none."""
    if ms is None:
        return ""
    try:
        return datetime.fromtimestamp(ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return "?"


def utc_time(ms: int | None) -> str | None:
    """A moment for programs: RFC 3339 in UTC; None where there is none, or none that a calendar has."""
    from skyshelf.wire.times import to_rfc3339

    try:
        return None if ms is None else to_rfc3339(ms)
    except ValueError:
        return None


def _columns(character: str) -> int:
    if character in JOINERS or unicodedata.category(character) in _WITHOUT_ROOM:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
