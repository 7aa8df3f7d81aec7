"""What a metadata store promises, whichever database is below it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from skyshelf.storage.metadata.accounts import Accounts
from skyshelf.storage.metadata.changes import Changes
from skyshelf.storage.metadata.content import Content
from skyshelf.storage.metadata.files import Files
from skyshelf.storage.metadata.quota import Quotas
from skyshelf.storage.metadata.tree import Tree
from skyshelf.storage.metadata.uploads import Uploads

T = TypeVar("T")


class Unit(Protocol):
    """Every noun, as seen by one read or one write."""

    @property
    def accounts(self) -> Accounts: ...
    @property
    def quotas(self) -> Quotas: ...
    @property
    def tree(self) -> Tree: ...
    @property
    def files(self) -> Files: ...
    @property
    def content(self) -> Content: ...
    @property
    def changes(self) -> Changes: ...
    @property
    def uploads(self) -> Uploads: ...


class MetadataStore(Protocol):
    """Rows that survive, behind two verbs: read and write.

    Any thread may call; so may several processes on one store at once.
    """

    def read(self) -> AbstractContextManager[Unit]:
        """A unit that only looks.

        Each call on it sees everything that was committed before the call began; two calls may see two
        moments. It never waits for a writer.
        """

    def snapshot(self) -> AbstractContextManager[Unit]:
        """A unit that only looks, and sees one single moment however many calls it makes."""

    def write(self, work: Callable[[Unit], T]) -> T:
        """Run work(unit) as one transaction, and return what it returned.

        - When write returns, everything the work did is on disk and visible to every later read.
        - When it raises, nothing of the work is there. StoreUnavailable alone leaves it open whether the
          work happened: it is raised when the connection was lost at the moment of the commit.
        - The work may run more than once (a deadlock, a lost connection before the commit), so it has no
          effects besides those on the unit, and takes times, keys and randomness from outside.
        - Writes of one account never interleave: the first thing that a noun does to an account is to
          take its lock.
        """

    def check(self) -> None:
        """Raise StoreUnavailable, with a sentence, when the store cannot serve right now."""

    def close(self) -> None:
        """Finish the writes that were accepted, then let go of everything. May be called twice."""
