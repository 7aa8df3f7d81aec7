"""Text for people: untrusted names made safe for a terminal, counts and times.

No name can move the cursor, hide itself or reverse the text around it.
"""

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from skyshelf.client.secrets import HELD
from skyshelf.wire.text import JOINERS, escape_in_json, escaped_code_point, is_unprintable, replace_invisible

SHOWN_MAX: Final = 20
"""How many problems a command lists before it only counts them."""

_STYLE: Final = re.compile("\x1b\\[[0-9;]*m")
_STYLE_OR_TEXT: Final = re.compile("\x1b\\[[0-9;]*m|\x1b?[^\x1b]*", re.DOTALL)
_ZERO_WIDTH: Final = frozenset({"Mn", "Me"})
_EMOJI_SELECTOR: Final = "\ufe0f"


def format_count(number: int, noun: str) -> str:
    """`1 file`, `2,000 files`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def visible(text: str) -> str:
    """The text with control and bidi characters escaped, as `\\x1b` or `\\u202e`."""
    return replace_invisible(text, escaped_code_point, is_unprintable)


def safe_line(line: str) -> str:
    """A line that is safe to print: without the secrets that we hold, and with colour as the only control sequence.

    Names are made `visible` where they are put into a line; this is the last check of everything else.
    """
    line = HELD.hide(line)
    if line.isascii() and line.isprintable():
        return line
    return "".join(part if _STYLE.fullmatch(part) else visible(part) for part in _STYLE_OR_TEXT.findall(line))


def safe_json(record: object) -> bytes:
    """A record as JSON that is safe to print: without secrets, and with control and bidi characters escaped."""
    import msgspec

    text = msgspec.json.encode(record).decode()
    if HELD.occur_in(text):
        # Only in texts, because a secret made of digits must not damage a number.
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


def format_utc(ms: int) -> str:
    """A time in UTC, for operators."""
    from skyshelf.wire.times import from_epoch_ms

    return f"{from_epoch_ms(ms):%Y-%m-%d %H:%M} UTC"


def first_lines(sentences: Sequence[str], *, rest: str = "and {:,} more") -> list[str]:
    """The first sentences, made safe for a terminal, and the number of the others."""
    more = len(sentences) - SHOWN_MAX
    return [*map(visible, sentences[:SHOWN_MAX]), *([rest.format(more)] if more > 0 else [])]


def _columns(character: str) -> int:
    if character in JOINERS or unicodedata.category(character) in _ZERO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def split_words(name: str) -> str:
    """Return a camelCase name in words."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name)
