"""A PostgreSQL for the tests of that engine alone."""

from collections.abc import Iterator

import pytest
from tests.conformance.metadata.backends import PostgresServer
from tests.real_parts.postgres import running_postgres


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A server for the whole run (of this worker)."""
    with running_postgres() as url:
        yield PostgresServer(url)


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """The URL of an empty, migrated database."""
    with postgres_server.database() as url:
        yield url
