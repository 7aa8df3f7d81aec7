"""Temporary folders of tests in memory, if the machine has enough of it.

The stores sync everything they acknowledge, dozens of times in most tests, and a busy disk takes milliseconds for each
sync: a run would mostly wait for the disk. Other tests check that syncs happen, and in which order; no test cuts the
machine's power.
"""

import os
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
SPACE = 4 << 30
"""Several times what a run needs; folders of passed tests are removed at once."""


def keep_in_memory() -> None:
    """Let this process and its children create temporary folders in memory, unless TMPDIR is set."""
    if "TMPDIR" in os.environ or not _has_space():
        return
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def _has_space() -> bool:
    if not (MEMORY.is_dir() and os.access(MEMORY, os.W_OK)):
        return False
    place = os.statvfs(MEMORY)
    return place.f_bavail * place.f_frsize >= SPACE and _free_memory() >= 2 * SPACE


def _free_memory() -> int:
    """Free memory in bytes, limited by this process's control group; 0 if unknown."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return 0
    free = next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), 0)
    for limit, used in (
        ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
        ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
    ):
        try:
            free = min(free, int(Path(limit).read_text()) - int(Path(used).read_text()))
        except (OSError, ValueError):
            continue  # no such control group, or no limit
    return free
