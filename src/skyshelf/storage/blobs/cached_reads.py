"""Reads of a file that never wait for the disk."""

import os
from functools import cache
from pathlib import Path
from typing import Final

_NO_WAIT: Final = getattr(os, "RWF_NOWAIT", None)
_ONE: Final = [bytearray(1)]
"""For a byte that is not looked at."""
_IN_MEMORY: Final = ("tmpfs", "ramfs")
_MOUNTS: Final = Path("/proc/self/mountinfo")


def read_if_cached(file: int, start: int, length: int) -> bytes | None:
    """These bytes, as far as the file has them, if they are in memory; None also where that cannot be known."""
    if _NO_WAIT is None:
        return None
    into = bytearray(length)
    try:
        return bytes(into) if os.preadv(file, [into], start, _NO_WAIT) == length else None
    except BlockingIOError:
        return None
    except OSError:
        # Not every file system has the flag: some of them because they never wait.
        return os.pread(file, length, start) if _is_in_memory(os.fstat(file).st_dev) else None


def is_cached(file: int, size: int) -> bool:
    """Whether the first and the last byte are in memory, and so, nearly always, those between them."""
    if _NO_WAIT is None:
        return False
    try:
        first = os.preadv(file, _ONE, 0, _NO_WAIT)
        return first == 1 and os.preadv(file, _ONE, size - 1, _NO_WAIT) == 1
    except BlockingIOError:
        return False
    except OSError:
        return _is_in_memory(os.fstat(file).st_dev)


@cache
def _is_in_memory(device: int) -> bool:
    numbers = f"{os.major(device)}:{os.minor(device)}"
    try:
        lines = _MOUNTS.read_text().splitlines()
    except OSError:
        return False
    mounts = [(line.split()[2], line.rpartition(" - ")[2].split()[0]) for line in lines]
    return any(number == numbers and kind in _IN_MEMORY for number, kind in mounts)
