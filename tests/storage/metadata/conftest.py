"""A PostgreSQL for the tests of that engine alone, and migrations of versions to come."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.real_parts import shared
from tests.real_parts.postgres import PostgresServer
from tests.storage.schemas.later import use_later


@pytest.fixture(scope="session")
def postgres_server() -> PostgresServer:
    return shared.postgres()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """The URL of an empty, migrated database."""
    with postgres_server.database() as url:
        yield url


@pytest.fixture
def later_migrations(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the program know migrations that are made up for the tests; the folder they are in."""
    folder = tmp_path_factory.mktemp("migrations")
    use_later(folder, monkeypatch)
    return folder
