"""Every blob store that must fulfil the contract in skyshelf.storage.blobs.protocols.

A new one is one more factory in BACKENDS, and inherits all tests of this folder.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from secrets import token_hex

import obstore
from obstore.store import LocalStore, MemoryStore, ObjectStore, S3Store
from tests.real_parts.seaweedfs import ACCESS_KEY, SECRET_KEY, SeaweedFS

from skyshelf.storage.blobs.disk import DiskBlobs
from skyshelf.storage.blobs.object_store import ObjectBlobs, s3_store
from skyshelf.storage.blobs.object_store.layout import parse_location
from skyshelf.storage.blobs.protocols import BlobStore

BUCKET = "conformance"


@dataclass(frozen=True)
class Backend:
    """One empty place for blobs."""

    name: str
    open: Callable[[], BlobStore]
    """Another store on the same place, as another process would open it."""
    replace_bytes: Callable[[str, bytes], None]
    """What a broken disk does: other bytes for a small blob, behind the store's back."""
    holds_uploads: bool
    """Whether only one caller at a time can hold an upload."""


Factory = Callable[[Path, Callable[[], SeaweedFS]], AbstractContextManager[Backend]]


@contextmanager
def on_disk(folder: Path, _server: Callable[[], SeaweedFS]) -> Iterator[Backend]:
    def replace_bytes(location: str, data: bytes) -> None:
        DiskBlobs(folder).local_path(location).write_bytes(data)

    yield Backend("disk", partial(DiskBlobs, folder), replace_bytes, holds_uploads=True)


@contextmanager
def on_s3(_folder: Path, server: Callable[[], SeaweedFS]) -> Iterator[Backend]:
    place = server()
    place.make_bucket(BUCKET)
    prefix = f"run-{token_hex(8)}"
    raw = S3Store(
        BUCKET,
        prefix=prefix,
        endpoint=place.endpoint,
        access_key_id=ACCESS_KEY,
        secret_access_key=SECRET_KEY,
        client_options={"allow_http": True},
    )
    with ExitStack() as opened:

        def open_one() -> ObjectBlobs:
            store = ObjectBlobs(
                s3_store(
                    BUCKET,
                    prefix=prefix,
                    endpoint=place.endpoint,
                    access_key_id=ACCESS_KEY,
                    secret_access_key=SECRET_KEY,
                    patience=timedelta(seconds=30),
                )
            )
            return opened.enter_context(store)

        yield Backend("s3", open_one, partial(_replace_object, raw), holds_uploads=False)


@contextmanager
def in_memory(_folder: Path, _server: Callable[[], SeaweedFS]) -> Iterator[Backend]:
    with _objects_in(MemoryStore(), "memory") as backend:
        yield backend


@contextmanager
def as_local_objects(folder: Path, _server: Callable[[], SeaweedFS]) -> Iterator[Backend]:
    with _objects_in(LocalStore(folder, mkdir=True), "local-objects") as backend:
        yield backend


@contextmanager
def _objects_in(raw: ObjectStore, name: str) -> Iterator[Backend]:
    with ExitStack() as opened:
        yield Backend(
            name,
            lambda: opened.enter_context(ObjectBlobs(raw)),
            partial(_replace_object, raw),
            holds_uploads=False,
        )


def _replace_object(raw: ObjectStore, location: str, data: bytes) -> None:
    obstore.put(raw, parse_location(location).key, data, use_multipart=False)


BACKENDS: dict[str, Factory] = {
    "disk": on_disk,
    "s3": on_s3,
    "memory": in_memory,
    "local-objects": as_local_objects,
}
