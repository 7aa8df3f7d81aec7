"""The stores that every test of this folder runs on."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.conformance.blobs.backends import BACKENDS, Backend
from tests.real_parts import shared
from tests.real_parts.seaweedfs import SeaweedFS

from skyshelf.storage.blobs.protocols import BlobStore


@pytest.fixture(scope="session")
def seaweedfs() -> Callable[[], SeaweedFS]:
    return shared.seaweedfs


@pytest.fixture(params=list(BACKENDS))
def backend(request: pytest.FixtureRequest, tmp_path: Path, seaweedfs: Callable[[], SeaweedFS]) -> Iterator[Backend]:
    """An empty place for blobs on each kind of store."""
    with BACKENDS[request.param](tmp_path / "store", seaweedfs) as place:
        yield place


@pytest.fixture(scope="module", params=list(BACKENDS))
def lasting_backend(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, seaweedfs: Callable[[], SeaweedFS]
) -> Iterator[Backend]:
    """Open one store per module, for tests that try many inputs on one blob."""
    with BACKENDS[request.param](tmp_path_factory.mktemp("lasting"), seaweedfs) as place:
        yield place


@pytest.fixture
def store(backend: Backend) -> BlobStore:
    return backend.open()


@pytest.fixture(scope="module")
def lasting_store(lasting_backend: Backend) -> BlobStore:
    return lasting_backend.open()
