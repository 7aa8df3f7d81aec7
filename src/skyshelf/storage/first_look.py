"""A look at both halves of a store before anything is made, upgraded or marked: a refusal must leave nothing behind."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Final

from skyshelf.storage.access import Access
from skyshelf.storage.blobs.protocols import BlobStore, ListedBlob
from skyshelf.storage.errors import BlobMissing, StoreNeedsMigration, StoreUnavailable
from skyshelf.storage.identity import compare_identities, refuse_different
from skyshelf.storage.local_paths import local_path_or_none
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
    for attempt in range(_ATTEMPTS):
        try:
            _compare(metadata_url, blobs_url)
        except StoreUnavailable:
            # Somebody may have begun to use a file that was at rest, as a server that starts does, too.
            if attempt + 1 == _ATTEMPTS:
                raise
        else:
            return


def _compare(metadata_url: str, blobs_url: str) -> None:
    summary = summary_at(metadata_url)
    with ExitStack() as opened:
        blobs = _look_at_blobs(blobs_url)
        opened.callback(lambda: None if isinstance(blobs, _NoBlobs) else blobs.close())
        if summary is not None:
            try:
                metadata = open_metadata(metadata_url, Access.LOOK)
            except StoreNeedsMigration:
                # What its rows refer to can be compared once it is upgraded; the identities already exist.
                pass
            else:
                opened.callback(metadata.close)
                compare_identities(metadata, blobs)  # type: ignore[arg-type]
                return
        refuse_different(None if summary is None else summary.identity, blobs)  # type: ignore[arg-type]


def _look_at_blobs(url: str) -> BlobStore | _NoBlobs:
    path = local_path_or_none(url)
    return _NoBlobs() if path is not None and not path.exists() else open_blobs(url, Access.LOOK)
