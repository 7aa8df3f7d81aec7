"""The executable bit: what a sync carries of a file's mode, between folders and servers that keep it.

It travels like a content, compared with what both sides had after the last sync, and changed here or there without a
version. Where a side knows nothing of it, the other side keeps what it has.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

_PROBE: Final = "modes"
_PROBED: Final = 0o610
_SPECIAL: Final = stat.S_ISUID | stat.S_ISGID | stat.S_ISVTX


def write_probe(state: Path) -> None:
    """Write a file with a mode that a file system without modes cannot show."""
    with suppress(OSError):
        (state / _PROBE).touch()
        (state / _PROBE).chmod(_PROBED)


def keeps_modes(state: Path) -> bool:
    """Whether the file system of a state folder keeps modes."""
    try:
        return os.name == "posix" and stat.S_IMODE((state / _PROBE).lstat().st_mode) == _PROBED
    except OSError:
        return False


def executable_in(found: os.stat_result, device: int) -> bool | None:
    """Whether a file is executable; None if that is not to be changed, here or there.

    It is not for files of somebody else, on another disk, or with a bit that gives a program the rights of its owner.
    """
    if found.st_dev != device or found.st_uid != os.geteuid() or found.st_mode & _SPECIAL:
        return None
    return bool(found.st_mode & stat.S_IXUSR)


def with_executable(mode: int, is_executable: bool) -> int:
    """Return a mode that lets those who may read a file run it, too, or nobody."""
    mode = stat.S_IMODE(mode)
    return mode | (mode & 0o444) >> 2 if is_executable else mode & ~0o111
