"""Permissions that count for root, too: tests run as root in many places."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_VERSION: Final = 0x20080522
_MAY_READ_ALL: Final = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH
_Data = ctypes.c_uint32 * 6


@contextmanager
def permissions_count() -> Iterator[None]:
    """Let this thread, and threads that it starts, read and write only what their user may."""
    if os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(_VERSION, 0)
    before = _Data()
    assert libc.capget(header, before) == 0
    reduced = _Data.from_buffer_copy(before)
    reduced[0] &= ~_MAY_READ_ALL
    assert libc.capset(header, reduced) == 0
    try:
        yield
    finally:
        assert libc.capset(header, before) == 0
