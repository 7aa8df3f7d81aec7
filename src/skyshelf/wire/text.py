"""Invisible characters, which hide something in an untrusted name or reverse the text around them."""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Final

JOINERS: Final = frozenset("\u200c\u200d")
"""Scripts and emoji need these two format characters; they are kept unless a caller removes them."""

# Control, format (bidi, zero-width, tags) and surrogate characters, line and paragraph separators.
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# Private-use and unassigned characters: a font may draw anything for them, or nothing.
_UNDEFINED: Final = frozenset({"Co", "Cn"})
# Fillers and joiners which Unicode counts as letters and marks.
_FILLERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_BEYOND_ASCII: Final = re.compile("[^\\n -~]+")
_PRINTABLE_AND_HIDDEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufe00-\ufe0e\U000e0100-\U000e01ef]"
)


def replace_invisible(
    text: str, replacement: Callable[[str], str], is_hidden: Callable[[str], bool] | None = None
) -> str:
    """Replace each invisible character; `is_hidden` decides which are, by default `is_invisible`."""
    if text.isascii() and text.isprintable():
        return text
    is_hidden = is_hidden or is_invisible
    return "".join(replacement(character) if is_hidden(character) else character for character in text)


@lru_cache(maxsize=4096)
def is_invisible(character: str) -> bool:
    """Return whether it hides or reverses the text around it: for browsers, which draw everything else."""
    if character in JOINERS:
        return False
    return character in _FILLERS or unicodedata.category(character) in _INVISIBLE


@lru_cache(maxsize=4096)
def is_unprintable(character: str) -> bool:
    """Return whether it is invisible or not assigned: for terminals and file systems, which may not handle it."""
    return is_invisible(character) or unicodedata.category(character) in _UNDEFINED


@lru_cache(maxsize=4096)
def can_carry_hidden_text(character: str) -> bool:
    """Return whether it is invisible, a joiner or a variation selector: for readers which see code points, not glyphs.

    The selector U+FE0F, which turns a character into an emoji, is kept.
    """
    code = ord(character)
    if character in JOINERS or 0xFE00 <= code <= 0xFE0E or 0xE0100 <= code <= 0xE01EF:
        return True
    return is_invisible(character)


def escape_in_json(text: str) -> str:
    """Escape every character of JSON text that could hide something or act on a terminal; the values stay the same.

    Outside its strings JSON is printable ASCII or a line break, so only strings change.
    """
    return _BEYOND_ASCII.sub(_escape_run, text)


def _escape_run(found: re.Match[str]) -> str:
    run = found[0]
    if run.isprintable() and not _PRINTABLE_AND_HIDDEN.search(run):
        return run
    return "".join(_json_escape(one) if _may_hide(one) else one for one in run)


@lru_cache(maxsize=4096)
def _may_hide(character: str) -> bool:
    return character == "\x7f" or can_carry_hidden_text(character) or is_unprintable(character)


def _json_escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[place]:02x}{units[place + 1]:02x}" for place in range(0, len(units), 2))


def bracketed_code_point(character: str) -> str:
    """Return a code point as `‹U+202E›`, for pages."""
    return f"‹U+{ord(character):04X}›"


def escaped_code_point(character: str) -> str:
    """Return a code point as `\\x1b` or `\\u202e`, for terminals."""
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
