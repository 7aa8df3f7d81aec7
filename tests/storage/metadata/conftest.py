"""A PostgreSQL for the tests of that engine alone."""

from collections.abc import Iterator

import pytest
from tests.real_parts import shared
from tests.real_parts.postgres import PostgresServer


@pytest.fixture(scope="session")
def postgres_server() -> PostgresServer:
    return shared.postgres()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """The URL of an empty, migrated database."""
    with postgres_server.database() as url:
        yield url
