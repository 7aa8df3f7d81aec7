"""Any range of a blob can be read, across the borders of whatever a store makes of it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conformance.blobs.content import MIB, content, in_chunks
from tests.examples import examples

from skyshelf.storage.blobs.protocols import BlobStore

OBJECT = 8 * MIB
DATA = content(2 * OBJECT + 100_000, seed=7)


@pytest.fixture(scope="module")
def stored(lasting_store: BlobStore) -> tuple[BlobStore, str]:
    return lasting_store, lasting_store.put(in_chunks(DATA, MIB)).location


@given(
    border=st.sampled_from([0, OBJECT, 2 * OBJECT, len(DATA)]),
    before=st.integers(0, 3000),
    after=st.integers(0, 3000),
)
@settings(max_examples=examples(15), deadline=None)
def test_a_range_around_a_border_is_exactly_that(
    stored: tuple[BlobStore, str], border: int, before: int, after: int
) -> None:
    store, location = stored
    start, end = max(0, border - before), min(len(DATA), border + after)
    assert b"".join(store.read(location, start, end - start)) == DATA[start:end]


@given(st.tuples(st.integers(0, len(DATA)), st.integers(0, len(DATA))).map(sorted))
@settings(max_examples=examples(8), deadline=None)
def test_any_range_is_exactly_that(stored: tuple[BlobStore, str], ends: list[int]) -> None:
    store, location = stored
    start, end = ends
    assert b"".join(store.read(location, start, end - start)) == DATA[start:end]


def test_a_range_without_a_length_goes_to_the_end(stored: tuple[BlobStore, str]) -> None:
    store, location = stored
    assert b"".join(store.read(location, OBJECT + 1)) == DATA[OBJECT + 1 :]
