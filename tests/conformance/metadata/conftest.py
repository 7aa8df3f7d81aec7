"""The stores that every test of this folder runs on."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.conformance.metadata.backends import BACKENDS, Backend, Store
from tests.conformance.metadata.making import make_account
from tests.real_parts import shared
from tests.real_parts.postgres import PostgresServer

from skyshelf.storage.metadata.contracts.accounts import Account


@pytest.fixture(scope="session")
def postgres_server() -> Callable[[], PostgresServer]:
    return shared.postgres


@pytest.fixture(params=list(BACKENDS))
def backend(
    request: pytest.FixtureRequest, tmp_path: Path, postgres_server: Callable[[], PostgresServer]
) -> Iterator[Backend]:
    """An empty place for metadata on each kind of store."""
    with BACKENDS[request.param](tmp_path, postgres_server) as place:
        yield place


@pytest.fixture
def store(backend: Backend) -> Iterator[Store]:
    """A fresh, migrated store."""
    opened = backend.open()
    try:
        yield opened
    finally:
        opened.close()


@pytest.fixture(scope="module", params=list(BACKENDS))
def lasting_backend(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    postgres_server: Callable[[], PostgresServer],
) -> Iterator[Backend]:
    """Open one store per module, for tests that read one filled store or make an account per example."""
    with BACKENDS[request.param](tmp_path_factory.mktemp("lasting"), postgres_server) as place:
        yield place


@pytest.fixture(scope="module")
def lasting_store(lasting_backend: Backend) -> Iterator[Store]:
    opened = lasting_backend.open()
    try:
        yield opened
    finally:
        opened.close()


@pytest.fixture
def account(store: Store) -> Account:
    """A fresh account in the store."""
    return make_account(store)
