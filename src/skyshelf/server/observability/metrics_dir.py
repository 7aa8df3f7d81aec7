"""The folder in which several workers share their metrics.

prometheus_client reads the variable on import, so it must be set before the rest of the server is imported.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


@contextmanager
def shared_metrics(workers: int) -> Iterator[None]:
    """One worker needs no folder; several share a temporary one."""
    os.environ.pop(FOLDER_VARIABLE, None)
    if workers == 1:
        yield
        return
    folder = tempfile.mkdtemp(prefix="skyshelf-metrics-")
    os.environ[FOLDER_VARIABLE] = folder
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)
