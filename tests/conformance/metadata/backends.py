"""Every metadata store that must fulfil the contract in skyshelf.storage.metadata.store.

A new one is one more factory in BACKENDS, and inherits all tests of this folder.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.real_parts.migrated_sqlite import put_migrated
from tests.real_parts.postgres import PostgresServer

from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.metadata.sqlite.store import SqliteStore
from skyshelf.storage.open import METADATA_FILE

Store = SqliteStore | PostgresStore
"""The stores under test. Most tests ask for a MetadataStore; a few look at the statements below it."""


@dataclass(frozen=True)
class Backend:
    """One empty, migrated place for metadata. Its address means the same to other processes."""

    name: str
    address: str
    examples: int
    """How many runs of a state machine it gets; a backend that takes longer gets fewer."""

    def open(self) -> Store:
        """Another store on the same place, as another process would open it."""
        return open_at(self.address)


def open_at(address: str) -> Store:
    """Open the store of a Backend by its address; the caller closes it."""
    return PostgresStore(address) if address.startswith("postgresql:") else SqliteStore(Path(address))


Factory = Callable[[Path, Callable[[], PostgresServer]], AbstractContextManager[Backend]]


@contextmanager
def in_sqlite(folder: Path, _server: Callable[[], PostgresServer]) -> Iterator[Backend]:
    put_migrated(folder)
    yield Backend("sqlite", str(folder / METADATA_FILE), examples=10)


@contextmanager
def in_postgres(_folder: Path, server: Callable[[], PostgresServer]) -> Iterator[Backend]:
    with server().database() as url:
        yield Backend("postgres", url, examples=5)


BACKENDS: dict[str, Factory] = {"sqlite": in_sqlite, "postgres": in_postgres}
