"""Names that are safe on every system: for files on this machine, and for those inside an archive.

Nobody who names an object is trusted with a path. Whatever it is called, it gets one name of one folder, which no
system reads as another folder, a device or a stream of another file, and which shows as what it is. The result is
the same on every system, so that a copy made here can be carried there.
"""

import re
import unicodedata
from typing import Final

from skyshelf.wire.limits import NAME_BYTES_MAX
from skyshelf.wire.text import is_unprintable

# What Windows refuses in a name, and what separates paths somewhere.
_FORBIDDEN: Final = frozenset('<>:"/\\|?*')
# Devices of Windows, with whatever ending; the superscripts are digits to it.
_DEVICE: Final = re.compile(
    r"(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)", re.IGNORECASE
)
# Names that are safe as they are, which nearly all are: visible ASCII, and no blank or dot at the end.
_PLAIN: Final = re.compile(r'[^\x00-\x1f\x7f-\U0010ffff<>:"/\\|?*]*[^\x00-\x20\x7f-\U0010ffff<>:"/\\|?*.]')
# An ending longer than this is no ending, and may be cut like the rest of a name.
_ENDING_BYTES_MAX: Final = 32


def safe_name(name: str) -> str:
    """The name, with everything replaced that could lead out of a folder, fail or deceive on some system."""
    if _PLAIN.fullmatch(name) and len(name) <= NAME_BYTES_MAX and not _DEVICE.match(name):
        return name
    # Lone surrogates go first: they cannot be normalised to anything, and cannot be written.
    composed = unicodedata.normalize("NFC", "".join("_" if _is_unsafe(one) else one for one in name))
    safe = _ending_well(_fitting(composed, NAME_BYTES_MAX))
    if _DEVICE.match(safe):
        safe = _ending_well(_fitting("_" + safe, NAME_BYTES_MAX))
    return safe or "_"


def split_ending(name: str) -> tuple[str, str]:
    """What may be cut, and the ending, which says what a file is and stays."""
    stem, dot, suffix = name.rpartition(".")
    ending = dot + suffix
    if not stem.strip(".") or not suffix or len(ending.encode()) > _ENDING_BYTES_MAX:
        return name, ""
    return stem, ending


def cut_to(text: str, room: int) -> str:
    """The beginning that fits; a character that would be split is dropped."""
    return text.encode()[:room].decode(errors="ignore")


def _fitting(name: str, room: int) -> str:
    if len(name.encode()) <= room:
        return name
    stem, ending = split_ending(name)
    return cut_to(stem, room - len(ending.encode())) + ending


def _is_unsafe(character: str) -> bool:
    return character in _FORBIDDEN or is_unprintable(character)


def _ending_well(name: str) -> str:
    """Windows drops blanks and dots at the end: two names could become one, and ".. " would climb."""
    bare = name.rstrip(" .")
    return bare + "_" * (len(name) - len(bare))
