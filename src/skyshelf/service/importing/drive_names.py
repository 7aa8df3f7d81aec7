"""Names of files on this machine, as names of the drive.

A file system allows what the drive does not: bytes that are no UTF-8, control characters, two names that are the same
to Unicode. Every such file still comes in, under a name that says which one it was, and that is the same at every run.
"""

import hashlib
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator

from skyshelf.wire.limits import NAME_BYTES_MAX

_DIGITS = 8
_FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\udc80-\udcff]")


def drive_names(names: Iterable[str]) -> dict[str, str]:
    """The name in the drive for each name of one folder of this machine, as os.fsdecode gives them.

    Of several that would be called the same, one that has exactly that name keeps it; the others are told apart by
    some digits of their own bytes, and by more of them where somebody has made up even those.
    """
    wanted = {name: _allowed(name) for name in names}
    takers = Counter(wanted.values())
    given = {name: drive for name, drive in wanted.items() if drive == name or takers[drive] == 1}
    taken = set(given.values())
    for name in sorted(wanted.keys() - given.keys()):
        given[name] = next(free for free in _told_apart(wanted[name], name) if free not in taken)
        taken.add(given[name])
    return given


def is_renamed(name: str, drive: str) -> bool:
    """Whether people would see the difference: another form of the same characters is none."""
    return unicodedata.normalize("NFC", name) != drive


def _allowed(name: str) -> str:
    """Nearest to the name: what the drive forbids is written as %NN, and what is too long is cut, and told apart."""
    spelled = unicodedata.normalize("NFC", _FORBIDDEN.sub(lambda match: f"%{ord(match[0]) & 0xFF:02X}", name))
    return spelled if len(spelled.encode()) <= NAME_BYTES_MAX else next(_told_apart(spelled, name))


def _told_apart(drive: str, name: str) -> Iterator[str]:
    """The name with digits of the original's bytes in it, before its extension; then with more digits."""
    digits = hashlib.sha256(os.fsencode(name)).hexdigest()
    for count in range(_DIGITS, len(digits) + 1):
        yield _within(drive, f"~{digits[:count]}")


def _within(name: str, mark: str) -> str:
    """Stem, mark and extension, in no more bytes than a name may have."""
    stem, dot, suffix = name.rpartition(".")
    if not stem or len(suffix.encode()) > NAME_BYTES_MAX // 4:
        stem, dot, suffix = name, "", ""
    room = NAME_BYTES_MAX - len(f"{mark}{dot}{suffix}".encode())
    cut = unicodedata.normalize("NFC", stem.encode()[:room].decode("utf-8", "ignore"))
    return f"{cut}{mark}{dot}{suffix}"
