"""A look at both halves of a store before anything is made, upgraded or marked: a refusal must leave nothing behind."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final, cast

from skyshelf.storage.access import Access
from skyshelf.storage.blobs.protocols import BlobStore, ListedBlob
from skyshelf.storage.errors import BlobMissing, StoreNeedsMigration, StoreUnavailable
from skyshelf.storage.identity import compare_identities, refuse_different
from skyshelf.storage.local_paths import is_postgres, local_path_or_none
from skyshelf.storage.open import open_blobs, open_metadata
from skyshelf.storage.summary import summary_at

_ATTEMPTS: Final = 3


class _NoBlobs:
    """Stands in for a folder of blobs that does not exist yet."""

    def identity(self) -> bytes | None:
        return None

    def list(self) -> Iterator[ListedBlob]:
        return iter(())

    def size(self, location: str) -> int:
        raise BlobMissing(f"There is no blob at {location}.")


def refuse_other_half(metadata_url: str, blobs_url: str) -> None:
    """Raise StoresDoNotMatch for halves that do not belong together, also where one of them does not exist."""
    with _looking_at(blobs_url) as blobs:
        attempts = 1 if is_postgres(metadata_url) else _ATTEMPTS
        for attempt in range(attempts):
            try:
                _compare(metadata_url, blobs)
            except StoreUnavailable:
                # Somebody may have begun to use a file that was at rest, as a server that starts does, too.
                if attempt + 1 == attempts:
                    raise
            else:
                return


def _compare(metadata_url: str, blobs: BlobStore) -> None:
    summary = summary_at(metadata_url)
    if summary is None:
        refuse_different(None, blobs)
        return
    try:
        metadata = open_metadata(metadata_url, Access.LOOK)
    except StoreNeedsMigration:
        # What its rows refer to can be compared once it is upgraded; the identities already exist.
        refuse_different(summary.identity, blobs)
        return
    with closing(metadata):
        compare_identities(metadata, blobs)


@contextmanager
def _looking_at(url: str) -> Iterator[BlobStore]:
    path = local_path_or_none(url)
    if path is not None and not path.exists():
        yield cast("BlobStore", _NoBlobs())
        return
    with open_blobs(url, Access.LOOK) as blobs:
        yield blobs
