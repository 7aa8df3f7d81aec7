"""Names inside an archive: safe to unpack on every system, and no two alike in one folder."""

import re
import unicodedata
from typing import Final

from skyshelf.wire.limits import NAME_BYTES_MAX
from skyshelf.wire.names import numbered, order_key

# What Windows refuses in a name, and what separates paths somewhere.
_FORBIDDEN: Final = frozenset('<>:"/\\|?*')
_JOINERS: Final = frozenset("\u200c\u200d")
# Control and format characters (which turn the direction of text around), lone surrogates, line ends.
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# Devices of Windows, with whatever ending; the superscripts are digits to it.
_DEVICE: Final = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)", re.IGNORECASE)


def safe_name(name: str) -> str:
    """The name, with everything replaced that could lead out of a folder, fail or deceive when it is unpacked."""
    safe = "".join("_" if _is_unsafe(character) else character for character in name)
    safe = _ending_well(_fitting(safe))
    if _DEVICE.match(safe):
        safe = _ending_well(_fitting("_" + safe))
    return safe or "_"


class FolderNames:
    """The names of one folder of an archive."""

    def __init__(self) -> None:
        self._taken: set[bytes] = set()
        self._next: dict[bytes, int] = {}

    def take(self, name: str) -> str:
        """A safe name that nothing else in the folder has, not even in another case."""
        wanted = candidate = safe_name(name)
        number = self._next.get(order_key(wanted), 0)
        while order_key(candidate) in self._taken:
            number += 1
            candidate = safe_name(numbered(wanted, number))
        self._taken.add(order_key(candidate))
        if number:
            self._next[order_key(wanted)] = number
        return candidate


def _is_unsafe(character: str) -> bool:
    if character in _FORBIDDEN:
        return True
    return unicodedata.category(character) in _UNSEEN and character not in _JOINERS


def _ending_well(name: str) -> str:
    """Windows drops blanks and dots at the end: two names could become one, and ".. " would climb."""
    bare = name.rstrip(" .")
    return bare + "_" * (len(name) - len(bare))


def _fitting(name: str) -> str:
    """Within the bytes that file systems take; the ending stays."""
    if len(name.encode()) <= NAME_BYTES_MAX:
        return name
    stem, dot, suffix = name.rpartition(".")
    if not dot or len(suffix.encode()) > 32:
        stem, dot, suffix = name, "", ""
    room = NAME_BYTES_MAX - len((dot + suffix).encode())
    return stem.encode()[:room].decode(errors="ignore") + dot + suffix
