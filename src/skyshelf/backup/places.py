"""Where backups are kept: the contract of a folder or a bucket, its errors, and what is reported on the way."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol

from skyshelf.storage.errors import StorageError


class BackupRefused(StorageError):
    """The operation is impossible or not allowed; nothing was changed."""


class CutDamaged(StorageError):
    """Something that a cut needs is missing, or is not what was stored."""


class PlaceEntry(NamedTuple):
    """An object in the listing of a place."""

    name: str
    size: int


class Batch(Protocol):
    """New objects that become durable together."""

    def add(self, name: str, chunks: Iterable[bytes]) -> int:
        """Write an object, from any thread, and return its size. An error of the chunks comes out as it is, and the
        object is then as it was before."""

    def seal(self) -> None:
        """All that was added is durable and has its name when this returns; more can be added afterwards."""


class Place(Protocol):
    """Names have slashes; an object is replaced whole or not at all. FileNotFoundError for one that does not exist."""

    writers: int
    """How many objects are worth writing or reading at once."""
    readers: int
    """How many small objects are worth reading at once."""

    def put(self, name: str, data: bytes) -> None:
        """Durable when it returns."""

    def batch(self) -> AbstractContextManager[Batch]: ...

    def get(self, name: str) -> bytes: ...

    def read(self, name: str, size: int) -> Iterator[bytes]:
        """Yield an object of that size, in pieces; the caller checks what it gets."""

    def list(self, prefix: str) -> Iterator[PlaceEntry]:
        """Yield everything below a prefix that ends in a slash, in no order; all of it with an empty one."""

    def delete(self, names: Sequence[str]) -> None:
        """Delete objects; ones that no longer exist are skipped."""

    def local_path(self, name: str) -> Path | None:
        """Return the file that an object is; None where there are no files."""

    def lock(self) -> AbstractContextManager[None]:
        """Keep other backups out; BackupRefused when one is running. A process that died holds nothing."""

    def close(self) -> None: ...


class Progress:
    """Reports nothing; every call may come from any thread."""

    def step(self, sentence: str) -> None:
        """A new part of the work has begun."""

    def queued(self, size: int) -> None:
        """One more file is to be copied or read."""

    def all_queued(self) -> None: ...

    def moved(self, name: str, done: int) -> None:
        """So many bytes of a file are done."""

    def finished(self, name: str, size: int) -> None: ...
