"""File descriptors: as many as the system allows, and how many of them connections may take.

A process without a free descriptor can neither accept a connection nor open a file, and the HTTP server would try again
without a pause. So connections get a fixed share, and the rest is for files, the database and the object store.
"""

import resource
from contextlib import suppress
from typing import Final

CONNECTIONS_MAX: Final = 4096
"""connections of one process, where there are descriptors enough; more people need more processes."""

CONNECTIONS_MIN: Final = 16
_OWN: Final = 64
# A connection itself, the file that it reads or writes, and its thread's database connection with two files.
_PER_CONNECTION: Final = 4


def raise_descriptor_limit() -> None:
    """Use all descriptors that the system allows: the soft limit is often 1,024, for the sake of old programs."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # Not every system accepts its own hard limit.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def descriptor_limit() -> int:
    """The number of descriptors that this process may have."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return CONNECTIONS_MAX * _PER_CONNECTION * 4 if soft == resource.RLIM_INFINITY else soft


def connection_limit(most: int = CONNECTIONS_MAX) -> int:
    """The number of connections that this process may have: as many as the operator wants, if they can be opened."""
    return max(CONNECTIONS_MIN, min(most, (descriptor_limit() - _OWN) // _PER_CONNECTION))
