"""One move of a store at a time: a second one would take the first one's copies for leftovers."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from skyshelf.storage.errors import StorageError
from skyshelf.storage.local_paths import local_path
from skyshelf.storage.metadata.transfer.stores import is_postgres

_LOCK: Final = 0x534B5956


class AlreadyMoving(StorageError):
    """Another process is moving this store."""


@contextmanager
def only_mover(metadata_url: str) -> Iterator[None]:
    """Hold the lock; a process that dies holds nothing."""
    if is_postgres(metadata_url):
        import psycopg

        from skyshelf.storage.metadata.postgres.dialect import our_errors

        with our_errors(), psycopg.connect(metadata_url, autocommit=True, connect_timeout=10) as connection:
            if connection.execute("SELECT pg_try_advisory_lock(%s)", (_LOCK,)).fetchone() != (True,):
                raise AlreadyMoving("Another process is moving this store: wait for it, or stop it first")
            yield
        return
    # The folder and not the file: closing a file would release SQLite's own locks on it.
    folder = os.open(local_path(metadata_url).parent, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyMoving("Another process is moving this store: wait for it, or stop it first") from None
        yield
    finally:
        os.close(folder)
