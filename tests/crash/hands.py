"""What every operation needs: the two stores, the account, and a way to report."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.crash.expecting import VERSIONS_KEPT, described

from skyshelf.storage.blobs.protocols import BlobStore
from skyshelf.storage.blobs.records import StoredBlob
from skyshelf.storage.errors import StorageError, StoreFull, StoreUnavailable
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.contracts.tree import Outcome, StoredObject
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.wire.names import category, split_mime

_PIECE = 64 * 1024


@dataclass(frozen=True)
class Hands:
    """One worker's access to the stores. acknowledge is called once per operation, after its commit."""

    metadata: MetadataStore
    blobs: BlobStore
    account_id: int
    acknowledge: Callable[[list[str]], None]

    def refer(self, file: NewFile, now: int, upload_key: str | None = None) -> bool:
        """The commit that gives a durable blob its name. Where it did not need the blob, the blob goes."""
        try:
            put = self.metadata.write(
                lambda unit: unit.files.put(
                    self.account_id, file, now, keep_versions=VERSIONS_KEPT, upload_key=upload_key
                )
            )
        except StorageError as error:
            self.acknowledge([refused(error)])
            self.blobs.delete(file.location)
            return False
        self.acknowledge([line_of(put.object)])
        if put.location != file.location:
            self.blobs.delete(file.location)
        return True


def new_file(object_key: str, parent_key: str, name: str, stored: StoredBlob, now: int) -> NewFile:
    mime_type, mime_subtype = split_mime(name)
    return NewFile(
        object_key=object_key,
        parent_key=parent_key,
        name=name,
        sha256=stored.sha256,
        md5=stored.md5,
        size=stored.size,
        location=stored.location,
        category=category(mime_type),
        mime_type=mime_type,
        mime_subtype=mime_subtype,
        file_created_at=now,
        last_modified_at=now,
        created_by="a worker",
    )


def pieces(data: bytes) -> Iterator[bytes]:
    for at in range(0, len(data), _PIECE):
        yield data[at : at + _PIECE]


def refused(error: StorageError) -> str:
    """A refusal by its family, which is what the store promises; a store that does not answer is no refusal, and
    comes out as it is."""
    if isinstance(error, StoreUnavailable | StoreFull):
        raise error
    return next(kind.__name__ for kind in type(error).__mro__ if StorageError in kind.__bases__)


def line_of(outcome: Outcome) -> str:
    if isinstance(outcome, StorageError):
        return refused(outcome)
    return object_line(outcome)


def object_line(stored: StoredObject) -> str:
    return described(
        object_key=stored.object_key,
        parent_key=stored.parent_key or "",
        name=stored.name,
        status=stored.status,
        favorite=stored.is_favorite,
        version=stored.version,
        sha256=stored.sha256,
    )
