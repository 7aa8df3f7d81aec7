"""Memory that was freed: how much of it a process keeps for later, and when it returns the rest to the system."""

import ctypes
import sys
from contextlib import suppress
from typing import Final

_M_TRIM_THRESHOLD: Final = -1
_M_MMAP_THRESHOLD: Final = -3
_M_ARENA_MAX: Final = -8
_KEPT_BYTES: Final = 8 * 1024 * 1024
# Threads that serve requests take turns in the interpreter, so they do not need many arenas.
_ARENAS: Final = 2
_CROWD: Final = 200
"""Connections fewer than there were, after which their memory is returned to the system."""
_RETURN_SECONDS: Final = 2


def keep_freed_memory() -> None:
    """Keep some freed memory, if the C library supports it (glibc); call it before any thread is started.

    A page of a listing needs a few pieces of a mebibyte or two. By default each is returned to the system when freed,
    which then has to clear the next one: a third of the time of a page.
    """
    if sys.platform != "linux":
        return
    with suppress(OSError, AttributeError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_M_TRIM_THRESHOLD, _KEPT_BYTES)
        mallopt(_M_MMAP_THRESHOLD, _KEPT_BYTES)
        mallopt(_M_ARENA_MAX, _ARENAS)


def return_freed_memory() -> None:
    """Return all freed memory to the system, after much was loaded or many connections were closed."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


class Crowds:
    """Crowds of connections that come and go: with TLS, each connection has a buffer of 256 KiB, which the next crowd
    would get at another place."""

    def __init__(self) -> None:
        self._most = 0
        """Maximum number of connections since a crowd has left as a whole."""
        self._left = 0
        """How many there were when memory was last returned."""
        self._returned_at = float("-inf")

    def have_left(self, connections: int, *, now: float) -> bool:
        """Say whether memory should be returned now: while a crowd leaves, and once more when nobody else does."""
        if connections > self._most:
            self._most = self._left = connections
        if self._most - connections < _CROWD or now - self._returned_at < _RETURN_SECONDS:
            return False
        if connections >= self._left:
            self._most = connections
        self._left, self._returned_at = connections, now
        return True
