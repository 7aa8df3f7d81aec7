"""How the C library keeps the memory that is freed.

A page of a listing is a few pieces of a mebibyte or two, and a download of a small file one of 100 KB. By default each
goes back to the system when it is freed, and the next one has to be cleared by it again: a third of the time of a page.
"""

import ctypes
import sys
from contextlib import suppress
from typing import Final

_M_TRIM_THRESHOLD: Final = -1
_M_MMAP_THRESHOLD: Final = -3
_M_ARENA_MAX: Final = -8
_KEPT_BYTES: Final = 8 * 1024 * 1024
# Threads that serve requests take turns in the interpreter, so they do not need many.
_ARENAS: Final = 2


def keep_freed_memory() -> None:
    """Keep some of it, where the C library has such settings (glibc); call it before any thread is started."""
    if sys.platform != "linux":
        return
    with suppress(OSError, AttributeError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_M_TRIM_THRESHOLD, _KEPT_BYTES)
        mallopt(_M_MMAP_THRESHOLD, _KEPT_BYTES)
        mallopt(_M_ARENA_MAX, _ARENAS)


def return_freed_memory() -> None:
    """Give everything that is freed back to the system, after much was loaded and before processes are started."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
