"""Where backups are kept: the contract of a folder or a bucket."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol


class Kept(NamedTuple):
    """One object of a place."""

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

    def put(self, name: str, data: bytes) -> None:
        """Durable when it returns."""

    def batch(self) -> AbstractContextManager[Batch]: ...

    def get(self, name: str) -> bytes: ...

    def read(self, name: str, size: int) -> Iterator[bytes]:
        """An object of that size, in pieces; the caller checks what it gets."""

    def list(self, prefix: str) -> Iterator[Kept]:
        """Everything below a prefix that ends in a slash, in no order; all of it with an empty one."""

    def delete(self, names: Sequence[str]) -> None:
        """Those that are gone already do not matter."""

    def local_path(self, name: str) -> Path | None:
        """The file that an object is; None where there are no files."""

    def lock(self) -> AbstractContextManager[None]:
        """Keep other backups out; BackupRefused when one is running. A process that died holds nothing."""

    def close(self) -> None: ...


def digest_of(place: Place, name: str, size: int, is_stopped: Callable[[], bool]) -> str | None:
    """The SHA-256 of an object's bytes; None when it is missing, or the work was stopped."""
    digest = hashlib.sha256()
    try:
        for piece in place.read(name, size):
            if is_stopped():
                return None
            digest.update(piece)
    except FileNotFoundError:
        return None
    return digest.hexdigest()
