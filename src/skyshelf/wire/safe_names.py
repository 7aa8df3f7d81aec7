"""Names that are safe on every system: for local files and for files inside archives.

Names of objects are untrusted. A safe name is a single name in a folder: no system reads it as a path, a device or an
alternate data stream, and it contains nothing invisible. The result is the same on every system, so a copy can be
moved between them.
"""

import re
import unicodedata
from typing import Final

from skyshelf.wire.limits import NAME_BYTES_MAX
from skyshelf.wire.text import is_unprintable

# Refused by Windows, or a path separator somewhere.
_FORBIDDEN: Final = frozenset('<>:"/\\|?*')
# Device names of Windows, with any extension; Windows treats superscripts as digits.
_DEVICE: Final = re.compile(
    r"(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)", re.IGNORECASE
)
# Nearly all names are safe already: visible ASCII without a space or dot at the end.
_PLAIN: Final = re.compile(r'[^\x00-\x1f\x7f-\U0010ffff<>:"/\\|?*]*[^\x00-\x20\x7f-\U0010ffff<>:"/\\|?*.]')
# A longer suffix is not an extension and may be cut like the rest of a name.
_ENDING_BYTES_MAX: Final = 32


def safe_name(name: str) -> str:
    """The name with everything replaced that could leave the folder, fail or deceive on some system."""
    if _PLAIN.fullmatch(name) and len(name) <= NAME_BYTES_MAX and not _DEVICE.match(name):
        return name
    # Lone surrogates are replaced first: they can neither be normalised nor written.
    composed = unicodedata.normalize("NFC", "".join("_" if _is_unsafe(character) else character for character in name))
    safe = _ending_well(_fitting(composed, NAME_BYTES_MAX))
    if _DEVICE.match(safe):
        safe = _ending_well(_fitting("_" + safe, NAME_BYTES_MAX))
    return safe or "_"


def split_ending(name: str) -> tuple[str, str]:
    """The part that may be cut, and the extension, which stays."""
    stem, dot, suffix = name.rpartition(".")
    ending = dot + suffix
    if not stem.strip(".") or not suffix or len(ending.encode()) > _ENDING_BYTES_MAX:
        return name, ""
    return stem, ending


def cut_to(text: str, size: int) -> str:
    """As much of the text as fits into the bytes; a split character is dropped."""
    return text.encode()[:size].decode(errors="ignore")


def _fitting(name: str, size: int) -> str:
    if len(name.encode()) <= size:
        return name
    stem, ending = split_ending(name)
    return cut_to(stem, size - len(ending.encode())) + ending


def _is_unsafe(character: str) -> bool:
    return character in _FORBIDDEN or is_unprintable(character)


def _ending_well(name: str) -> str:
    """Windows drops spaces and dots at the end: two names could become one, and ".. " would be a parent folder."""
    bare = name.rstrip(" .")
    return bare + "_" * (len(name) - len(bare))
