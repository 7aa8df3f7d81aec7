"""Untrusted text for a terminal: no name can move the cursor, hide itself or reverse the text around it; and times."""

import re
import unicodedata
from datetime import datetime
from typing import Final

from skyshelf.client.secrets import HELD
from skyshelf.wire.text import JOINERS, escape_in_json, escaped_code_point, is_unprintable, replace_invisible

_STYLE: Final = re.compile("\x1b\\[[0-9;]*m")
_STYLE_OR_TEXT: Final = re.compile("\x1b\\[[0-9;]*m|\x1b?[^\x1b]*", re.DOTALL)
_ZERO_WIDTH: Final = frozenset({"Mn", "Me"})
_EMOJI_SELECTOR: Final = "\ufe0f"


def visible(text: str) -> str:
    """The text with control and bidi characters escaped, as `\\x1b` or `\\u202e`."""
    return replace_invisible(text, escaped_code_point, is_unprintable)


def safe_line(line: str) -> str:
    """A line as it may be printed: without secrets that we hold, and with nothing that acts on a terminal but colour.

    Names are made `visible` where they are put into a line; this is the last check of everything else.
    """
    line = HELD.hide(line)
    if line.isascii() and line.isprintable():
        return line
    return "".join(part if _STYLE.fullmatch(part) else visible(part) for part in _STYLE_OR_TEXT.findall(line))


def safe_json(record: object) -> bytes:
    """A record as JSON that may be printed: without secrets, and control and bidi characters are escaped."""
    import msgspec

    text = msgspec.json.encode(record).decode()
    if HELD.occur_in(text):
        # In the values, so that a secret made of digits does not damage a number.
        text = msgspec.json.encode(_without_secrets(msgspec.to_builtins(record))).decode()
    return escape_in_json(text).encode()


def _without_secrets(value: object) -> object:
    if isinstance(value, str):
        return HELD.hide(value)
    if isinstance(value, dict):
        return {HELD.hide(str(name)): _without_secrets(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_without_secrets(inner) for inner in value]
    return value


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
