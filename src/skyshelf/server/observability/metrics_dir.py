"""The folder in which several workers share their metrics.

prometheus_client reads the variable on import, so it must be set before the rest of the server is imported.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
# In memory, and writable even on systems with read-only disks.
_IN_MEMORY = "/dev/shm"  # noqa: S108 - mkdtemp makes a folder of its own there


class NoTemporaryFolder(Exception):
    """A temporary folder cannot be created anywhere."""


@contextmanager
def shared_metrics(workers: int) -> Iterator[None]:
    """Provide a temporary folder that several workers share; one worker needs none."""
    os.environ.pop(FOLDER_VARIABLE, None)
    if workers == 1:
        yield
        return
    folder = _make_folder()
    os.environ[FOLDER_VARIABLE] = folder
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _make_folder() -> str:
    for place in (None, _IN_MEMORY):
        with suppress(OSError):
            return tempfile.mkdtemp(prefix="skyshelf-metrics-", dir=place)
    raise NoTemporaryFolder("several workers need a temporary folder: make /tmp writable, or name one with TMPDIR")
