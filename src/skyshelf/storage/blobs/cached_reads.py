"""Reads of a file that never wait for the disk."""

import os
from functools import cache
from pathlib import Path
from typing import Final

_IN_MEMORY: Final = ("tmpfs", "ramfs")
_MOUNTS: Final = Path("/proc/self/mountinfo")


def read_if_cached(file: int, start: int, length: int) -> bytes | None:
    """These bytes, as far as the file has them, if they are in memory; None also where that cannot be known."""
    flag = getattr(os, "RWF_NOWAIT", None)
    if flag is None:
        return None
    into = bytearray(length)
    try:
        return bytes(into) if os.preadv(file, [into], start, flag) == length else None
    except BlockingIOError:
        return None
    except OSError:
        # Not every file system has the flag: some of them because they never wait.
        return os.pread(file, length, start) if _is_in_memory(os.fstat(file).st_dev) else None


def is_cached(file: int, size: int) -> bool:
    """Whether the first and the last byte are in memory, and so, nearly always, those between them."""
    last = size - 1
    return all(read_if_cached(file, at, 1) is not None for at in ((0, last) if last else (0,)))


@cache
def _is_in_memory(device: int) -> bool:
    numbers = f"{os.major(device)}:{os.minor(device)}"
    try:
        lines = _MOUNTS.read_text().splitlines()
    except OSError:
        return False
    mounts = [(line.split()[2], line.rpartition(" - ")[2].split()[0]) for line in lines]
    return any(number == numbers and kind in _IN_MEMORY for number, kind in mounts)
