"""Unexpected errors on a server's event loop: they fail the test during which they happen.

The answer to such a request may be right all the same, because a thread makes it. The server may be in the process of
the test or in one that was forked for a command; both write the traceback to one file of the test's worker.
"""

import os
import tempfile
import traceback
from pathlib import Path

FILE = Path(tempfile.gettempdir()) / f"skyshelf-loop-faults-{os.getpid()}"
"""The file of this worker."""


def watch(file: Path) -> None:
    """Write every loop fault of this process, and of those that it forks, to a file."""
    from skyshelf.server.pipeline.access_log import AccessLog

    count = AccessLog.loop_fault

    def count_and_write(self: AccessLog) -> None:
        with file.open("a", encoding="utf-8") as faults:
            faults.write(traceback.format_exc())
        count(self)

    AccessLog.loop_fault = count_and_write  # type: ignore[method-assign]


def taken() -> str:
    """The tracebacks that were written since the last call."""
    if not FILE.exists():
        return ""
    found = FILE.read_text("utf-8")
    FILE.unlink()
    return found
