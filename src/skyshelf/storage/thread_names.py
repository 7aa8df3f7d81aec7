"""Names of threads as `top -H` and `ps -L` show them: Python keeps its own to itself until 3.14."""

import sys
import threading
from contextlib import suppress
from pathlib import Path


def show_thread_name() -> None:
    """Give the calling thread its Python name in the system, without the prefix that they share."""
    if sys.platform != "linux":
        return
    name = threading.current_thread().name.removeprefix("skyshelf-")
    with suppress(OSError):  # some containers have no /proc
        Path(f"/proc/self/task/{threading.get_native_id()}/comm").write_text(name[:15])
