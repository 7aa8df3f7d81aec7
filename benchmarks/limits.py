"""What the machine itself can do, measured in the same run: nothing that hashes or syncs can be faster."""

import hashlib
import os
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

MIB = 1024 * 1024


def md5_speed(*, size: int = 64 * MIB, rounds: int = 9) -> float:
    """Bytes per second; the median of some, because a machine that others use too is not always as fast."""
    data, times = os.urandom(size), []
    for _ in range(rounds):
        began = time.perf_counter()
        hashlib.md5(data, usedforsecurity=False).hexdigest()
        times.append(time.perf_counter() - began)
    return len(data) / statistics.median(times)


def synced_writes(folder: Path, *, files: int, size: int, at_once: int) -> float:
    """Small files, written and synced as a server must that promises to keep them; how many a second."""
    data = [os.urandom(size) for _ in range(files)]
    folder.mkdir()

    def write(number: int) -> None:
        file = os.open(folder / str(number), os.O_CREAT | os.O_WRONLY)
        os.write(file, data[number])
        os.fsync(file)
        os.close(file)

    began = time.perf_counter()
    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(write, range(files)))
    return files / (time.perf_counter() - began)
