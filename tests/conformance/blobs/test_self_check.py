"""A store says whether it can be used."""

import pytest
from tests.conformance.blobs.backends import Backend

from skyshelf.storage.blobs.protocols import BlobStore

pytestmark = pytest.mark.backend


def test_a_store_that_works_says_so_and_shows_nothing_of_it(store: BlobStore) -> None:
    store.check()
    store.check()
    assert list(store.list()) == []
    assert list(store.list_uploads()) == []


def test_a_store_can_be_closed_twice(backend: Backend) -> None:
    with backend.open() as store:
        store.put([b"bytes"])
    store.close()


def test_a_local_file_holds_exactly_the_blob_where_there_is_one(store: BlobStore) -> None:
    path = store.local_path(store.put([b"the ", b"bytes"]).location)
    assert path is None or path.read_bytes() == b"the bytes"
