"""One PostgreSQL and one S3 server for all tests of a process, started when the first test asks for them.

Each takes seconds to start. Whoever uses them takes a database or a place in a bucket that nobody else has; a test that
stops a server, or changes its settings, starts its own with `running_postgres` or `running_seaweedfs`.
"""

import functools
from contextlib import ExitStack

from tests.real_parts.postgres import PostgresServer, running_postgres
from tests.real_parts.seaweedfs import SeaweedFS, running_seaweedfs

_running = ExitStack()


@functools.cache
def postgres() -> PostgresServer:
    return PostgresServer(_running.enter_context(running_postgres()))


@functools.cache
def seaweedfs() -> SeaweedFS:
    return _running.enter_context(running_seaweedfs())


def end() -> None:
    """Stop what was started: the last test of the process has ended."""
    postgres.cache_clear()
    seaweedfs.cache_clear()
    _running.close()
