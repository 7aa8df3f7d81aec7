"""Stores whose short calls are noted one by one, for traces.

Figures and slow calls do without them: a read of an embedded store takes microseconds. So stores are wrapped only where
requests are traced, and cost nothing elsewhere.
"""

import time
from collections.abc import Iterable
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Self, cast

from skyshelf.storage.blobs.protocols import BlobStore, BytesLike, ByteStream, StoredBlob
from skyshelf.storage.metadata.store import MetadataStore, Unit
from skyshelf.storage.watching import NotedCall, current_parts, noted


def traced(metadata: MetadataStore, blobs: BlobStore) -> tuple[MetadataStore, BlobStore]:
    """Return the same stores; those that are reached over a network note their calls anyway."""
    if metadata.version() is not None:
        metadata = cast("MetadataStore", _TracedMetadata(metadata))
    if blobs.space() is not None:
        blobs = cast("BlobStore", _TracedBlobs(blobs))
    return metadata, blobs


class _TracedMetadata:
    """An embedded store; its writes are noted already."""

    def __init__(self, store: MetadataStore) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def read(self) -> AbstractContextManager[Unit]:
        return _TracedReading(self._store.read(), "read")

    def snapshot(self) -> AbstractContextManager[Unit]:
        return _TracedReading(self._store.snapshot(), "snapshot")


class _TracedReading:
    """From the first to the last look at the rows."""

    __slots__ = ("_began", "_operation", "_reading")

    def __init__(self, reading: AbstractContextManager[Unit], operation: str) -> None:
        self._reading = reading
        self._operation = operation

    def __enter__(self) -> Unit:
        self._began = time.perf_counter()
        return self._reading.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        try:
            return self._reading.__exit__(kind, error, trace)
        finally:
            if (parts := current_parts.get()) is not None:
                parts.note(NotedCall("database", self._operation, self._began, time.perf_counter(), failed=False))


class _TracedBlobs:
    """Files on a disk; waits for the disk are noted already."""

    def __init__(self, store: BlobStore) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def __enter__(self) -> Self:
        self._store.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self._store.__exit__(*exception)

    def put(self, chunks: Iterable[BytesLike], *, expected_size: int | None = None) -> StoredBlob:
        with noted("disk", "put"):
            return self._store.put(chunks, expected_size=expected_size)

    def read(self, location: str, start: int = 0, length: int | None = None) -> ByteStream:
        with noted("disk", "open"):
            return self._store.read(location, start, length)

    def read_if_cached(self, location: str, start: int, length: int) -> tuple[str, bytes] | None:
        with noted("disk", "read"):
            return self._store.read_if_cached(location, start, length)

    def open_if_cached(self, location: str) -> tuple[str, int] | None:
        with noted("disk", "open"):
            return self._store.open_if_cached(location)

    def delete(self, location: str, *, keep_upload: bool = False) -> None:
        with noted("disk", "delete"):
            self._store.delete(location, keep_upload=keep_upload)
