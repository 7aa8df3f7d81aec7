"""The pool of connections: a lost one is noticed before it is used, and a server that is back is found in seconds."""

import select
import time
from contextlib import suppress
from typing import Final

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from skyshelf.storage.metadata.postgres.bulk_rows import accept_arrays
from skyshelf.storage.metadata.sql.statements import Row

TRUSTED_SECONDS: Final = 2.0
CONNECT_SECONDS: Final = 5
"""How long a server may take to accept a connection: a black hole never would."""
RECONNECT_SECONDS: Final = 1.0
"""The pool waits twice as long after each failure, up to minutes; after this it begins again."""


class PooledConnection(psycopg.Connection[Row]):
    """A connection that remembers when it was last known to be alive."""

    alive_at = 0.0


def _check_alive(connection: psycopg.Connection[Row]) -> None:
    """Ask a connection that rested, or has something to say unasked, whether the server is still there."""
    assert isinstance(connection, PooledConnection)
    if time.monotonic() - connection.alive_at > TRUSTED_SECONDS or _has_something_to_say(connection):
        ConnectionPool.check_connection(connection)
    connection.alive_at = time.monotonic()


def _has_something_to_say(connection: psycopg.Connection[Row]) -> bool:
    """Whether bytes wait on an idle connection: nearly always the server's goodbye."""
    if not hasattr(select, "poll"):
        return True
    poller = select.poll()
    poller.register(connection.fileno(), select.POLLIN)
    return bool(poller.poll(0))


def _configure(connection: psycopg.Connection[Row]) -> None:
    accept_arrays(connection)
    # A commit means "on disk" even where the server's default is laxer.
    connection.execute("SET synchronous_commit = on")
    connection.execute("SET TIME ZONE 'UTC'")
    # A unit that only reads cannot change anything; a write declares itself when it begins.
    connection.execute("SET default_transaction_read_only = on")
    connection.read_only = False


def make_pool(url: str, name: str, *, connections: int, timeout: float) -> "ConnectionPool[PooledConnection]":
    """A pool that has yet to be opened."""
    return ConnectionPool(
        url,
        min_size=1,
        max_size=connections,
        timeout=timeout,
        open=False,
        kwargs={"autocommit": True, "application_name": name, "connect_timeout": CONNECT_SECONDS},
        configure=_configure,
        connection_class=PooledConnection,
        check=_check_alive,
        reconnect_timeout=RECONNECT_SECONDS,
        reconnect_failed=_begin_again,
    )


def _begin_again(pool: "ConnectionPool[PooledConnection]") -> None:
    """For those who wait: the next request would make the pool try again, and there may be none for long."""
    if pool.get_stats().get("requests_waiting", 0):
        with suppress(PoolTimeout):
            pool.putconn(pool.getconn(timeout=0.01))
