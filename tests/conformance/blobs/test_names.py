"""No location and no upload id is trusted because of where it comes from."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples

from skyshelf.storage.blobs.protocols import BlobStore
from skyshelf.storage.errors import BadLocation, BlobMissing

HOSTILE = [
    "",
    ".",
    "..",
    "/etc/passwd",
    "../../etc/passwd",
    "ab/../../../etc/passwd",
    "a" * 64,
    f"{'a' * 64}-{'b' * 16}",
    f"{'a' * 64}-{'b' * 16}.-1",
    f"{'a' * 64}-{'b' * 16}.01",
    f"{'A' * 64}-{'b' * 16}.1",
    f"{'a' * 64}-{'b' * 16}.1\n",
    f"{'a' * 64}-{'b' * 16}.1/..",
    f"{'a' * 32}-{'b' * 16}.1.parts/x",
    f"{'a' * 32}/{'b' * 16}.1.parts",
    f"{'a' * 32}-{'b' * 16}.١.parts",
    "a\0b",
    "x" * 10_000,
]
HOSTILE_IDS = [
    "",
    "..",
    "a" * 31,
    "a" * 33,
    "g" * 32,
    "A" * 16 + "a" * 16,
    "a" * 32 + "\n",
    "../" + "a" * 29,
    "a" * 31 + "\0",
]


@pytest.mark.parametrize("location", HOSTILE)
def test_a_location_that_no_store_gives_out_is_refused(store: BlobStore, location: str) -> None:
    with pytest.raises(BadLocation):
        store.read(location)
    with pytest.raises(BadLocation):
        store.size(location)
    with pytest.raises(BadLocation):
        store.delete(location)
    with pytest.raises(BadLocation):
        store.local_path(location)


@pytest.mark.parametrize("upload_id", HOSTILE_IDS)
def test_an_upload_id_that_is_not_one_is_refused(store: BlobStore, upload_id: str) -> None:
    with pytest.raises(BadLocation), store.uploading(upload_id):
        pass
    with pytest.raises(BadLocation):
        store.discard(upload_id)
    assert list(store.list_uploads()) == []


def test_a_well_formed_location_of_nothing_is_missing(store: BlobStore) -> None:
    location = store.put([b"bytes"]).location
    other = location.translate(str.maketrans("0123456789abcdef", "123456789abcdef0", "-."))
    guess = f"{other[:64]}-{other[64:80]}.5"
    with pytest.raises(BlobMissing):
        store.read(guess)
    store.delete(guess)


@given(text=st.text(alphabet="0123456789abcdefABCDEF-./parts\n\0", max_size=120))
@settings(max_examples=examples(50), deadline=None)
def test_any_text_is_a_location_or_refused_and_never_anything_else(lasting_store: BlobStore, text: str) -> None:
    with pytest.raises((BadLocation, BlobMissing)):
        lasting_store.read(text)
