"""Where the folders of tests are: in memory, where a machine has enough of it.

The stores sync everything that they acknowledge, dozens of times in most tests, and a busy disk takes milliseconds for
each: a run would spend more time waiting for the disk than computing. That syncs happen, and in which order, is held by
tests that watch for them; no test pulls the plug of the machine.
"""

import os
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM = 4 << 30
"""What a run may need, several times over: folders of tests that passed go at once."""


def keep_in_memory() -> None:
    """Let this process, and those that it starts, make temporary folders in memory; whoever names a place is heard."""
    if "TMPDIR" in os.environ or not _is_roomy():
        return
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def _is_roomy() -> bool:
    if not (MEMORY.is_dir() and os.access(MEMORY, os.W_OK)):
        return False
    place = os.statvfs(MEMORY)
    return place.f_bavail * place.f_frsize >= ROOM and _free_memory() >= 2 * ROOM


def _free_memory() -> int:
    """In bytes, as the machine and the control group of this process say; none where neither does."""
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
            continue  # no such control group, or one without a limit
    return free
