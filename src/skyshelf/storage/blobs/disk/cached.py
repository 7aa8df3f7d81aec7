"""Whether a read of a file would have to wait for the disk."""

import os
from functools import cache
from pathlib import Path
from typing import Final

_IN_MEMORY: Final = ("tmpfs", "ramfs")
_MOUNTS: Final = Path("/proc/self/mountinfo")


def is_cached(file: int, start: int, length: int) -> bool:
    """Whether the first and the last of these bytes are in memory, and so, nearly always, those between them.

    False where that cannot be known.
    """
    flag = getattr(os, "RWF_NOWAIT", None)
    if flag is None or length == 0:
        return length == 0
    byte = bytearray(1)
    try:
        return all(os.preadv(file, [byte], at, flag) == 1 for at in (start, start + length - 1))
    except BlockingIOError:
        return False
    except OSError:
        # Not every file system has the flag: some of them because they never wait.
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
