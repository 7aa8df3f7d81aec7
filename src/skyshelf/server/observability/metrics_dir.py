"""The folder in which several workers add up their figures.

The library reads the variable when it is imported: so this must have happened before anything of the server is.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"


@contextmanager
def shared_metrics(workers: int) -> Iterator[None]:
    """One worker counts for itself; several share a folder that goes away with them."""
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
