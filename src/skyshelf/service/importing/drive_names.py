"""Names of files on this machine, as names of the drive.

A file system allows what the drive does not: bytes that are no UTF-8, control characters, two names that are the same
to Unicode. Every such file still comes in, under a name that says which one it was, and that is the same at every run.
"""

import hashlib
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from skyshelf.wire.limits import NAME_BYTES_MAX

_DIGITS = 8
_FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\udc80-\udcff]")


def drive_names(names: Iterable[str]) -> dict[str, str]:
    """The name in the drive for each name of one folder of this machine, as os.fsdecode gives them.

    Of several that would be called the same, one that has exactly that name keeps it; the others are told apart by
    some digits of their own bytes.
    """
    wanted = {name: _allowed(name) for name in names}
    takers = Counter(wanted.values())
    return {
        name: told_apart(drive, name) if takers[drive] > 1 and drive != name else drive
        for name, drive in wanted.items()
    }


def is_renamed(name: str, drive: str) -> bool:
    """Whether people would see the difference: another form of the same characters is none."""
    return unicodedata.normalize("NFC", name) != drive


def told_apart(drive: str, name: str) -> str:
    """The name with digits of the original's bytes in it, before its extension."""
    return _within(drive, f"~{hashlib.sha256(os.fsencode(name)).hexdigest()[:_DIGITS]}")


def _allowed(name: str) -> str:
    """Nearest to the name: what the drive forbids is written as %NN, and what is too long is cut, and told apart."""
    spelled = unicodedata.normalize("NFC", _FORBIDDEN.sub(lambda match: f"%{ord(match[0]) & 0xFF:02X}", name))
    return spelled if len(spelled.encode()) <= NAME_BYTES_MAX else told_apart(spelled, name)


def _within(name: str, mark: str) -> str:
    """Stem, mark and extension, in no more bytes than a name may have."""
    stem, dot, suffix = name.rpartition(".")
    if not stem or len(suffix.encode()) > NAME_BYTES_MAX // 4:
        stem, dot, suffix = name, "", ""
    room = NAME_BYTES_MAX - len(f"{mark}{dot}{suffix}".encode())
    cut = unicodedata.normalize("NFC", stem.encode()[:room].decode("utf-8", "ignore"))
    return f"{cut}{mark}{dot}{suffix}"
