"""The contract of a metadata store, whichever database is below it, and whose turn it is to write: people take turns,
however many writes one of them has waiting."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from threading import Condition
from typing import Any, NamedTuple, Protocol, TypeVar

from skyshelf.storage.metadata.contracts.content import StoredContent
from skyshelf.storage.metadata.replay import MissingRows
from skyshelf.storage.metadata.sql.unit import Unit
from skyshelf.storage.space import Ballast, Space

# A unit of work belongs to the contract, wherever its nouns are.
__all__ = ["MetadataStore", "Unit"]

T = TypeVar("T")
Item = TypeVar("Item")
AnyUnit = TypeVar("AnyUnit")
Done = Callable[[T | None, BaseException | None], None]
"""Takes the result of a write, or else its exception."""


class MetadataStore(Protocol):
    """Rows that survive, behind two verbs: read and write.

    Any thread may call; so may several processes on one store at once. Methods with a body are for stores that have
    nothing better.
    """

    def read(self) -> AbstractContextManager[Unit]:
        """Return a unit that only reads.

        Each call on it sees everything that was committed before the call began; two calls may see two
        moments. It never waits for a writer.
        """

    def snapshot(self) -> AbstractContextManager[Unit]:
        """Return a unit that only reads, and sees one single moment however many calls it makes."""

    def write(self, work: Callable[[Unit], T]) -> T:
        """Run work(unit) as one transaction, and return what it returned.

        - When write returns, everything the work did is on disk and visible to every later read.
        - When it raises, nothing of the work is stored. StoreUnavailable alone leaves it open whether the
          work happened: it is raised when the connection was lost at the moment of the commit.
        - StoreReadOnly in read-only mode (read_only.py), before the work runs.
        - The work may run more than once (a deadlock, a lost connection before the commit), so it has no
          effects besides those on the unit, and takes times, keys and randomness from outside. It does not
          call write itself: that is a RuntimeError.
        - Writes of one account never interleave: the first thing that a noun does to an account is to
          take its lock.
        """

    def write_jointly(self, joint: Callable[[Unit, Sequence[Item]], Sequence[T | Exception]], item: Item) -> T:
        """Like write, for a work that costs little more for many items than for one.

        Items of the same function that wait for the store at the same moment may be passed to one call of it, in one
        transaction. It returns an outcome for each, in order: a result, or the exception that this item's caller gets.
        An item with an exception has changed nothing. If the function raises instead, nothing of that call is stored,
        and it is called again with each item alone.
        """
        return write_alone(self.write, joint, item)

    def submit_jointly(
        self, joint: Callable[[Unit, Sequence[Item]], Sequence[T | Exception]], item: Item, done: Done[T]
    ) -> None:
        """Like write_jointly, for a caller who does not wait: `done` is called with the result, or with the exception.

        It is called once, by this thread or another one that others wait for: it must be quick and raise nothing.
        """
        result: T | None = None
        error: BaseException | None = None
        try:
            result = self.write_jointly(joint, item)
        except Exception as wrong:  # noqa: BLE001 - it is reported
            error = wrong
        done(result, error)

    def version(self) -> object | None:
        """Return what differs after any commit of any process from what it was before, as this thread sees it.

        It is read in microseconds and never waits; None from a store that is asked over a network.
        """
        return None

    def versions(self) -> "Versions | None":
        """Versions as an event loop reads them; None from a store whose version() is read for free."""
        return None

    def wait_for_writes(self) -> None:
        """Return when every write that had begun before this call has ended."""

    def note_bulk_write(self) -> None:
        """Note that the store has grown, so its statistics may be out of date. Cheap where they are not."""

    def analyze_grown_tables(self) -> None:
        """To be called every few seconds, outside of any request: let the store refresh its statistics.

        Cheap where nothing has grown; any number of instances may call it at once.
        """

    def space(self) -> Space | None:
        """Return the space of the store's file system; None where there is none that this process can see."""
        return None

    def ballast(self) -> Ballast | None:
        """Return what can be released when that file system is full."""
        return None

    def figures(self) -> "StoreFigures":
        """Return how busy the store is at this moment; without a query."""

    def connection_limits(self) -> "ConnectionLimits | None":
        """Return how many connections the database server allows, and who has them; None without such a server."""
        return None

    def is_in_use(self) -> bool:
        """Return whether another process uses the store at this moment, as far as that can be seen from here."""

    def check(self) -> None:
        """Raise StoreUnavailable, with a sentence, when the store cannot serve right now."""

    def close(self) -> None:
        """Finish the writes that were accepted, then let go of everything. May be called twice."""


def referred_contents(metadata: MetadataStore, after: str = "", *, limit: int = 500) -> Iterator[list[StoredContent]]:
    """Yield all contents that are referred to, in the order of their hashes, some at a time; a page may be empty."""
    while True:
        with metadata.read() as unit:
            page = unit.inspection.contents(after, limit=limit)
        if not page:
            return
        yield [content for content in page if content.refs]
        after = page[-1].sha256


class StoreFigures(NamedTuple):
    """Connections of this process to a database server, and what waits: for one of them, or for the next commit."""

    connections: int = 0
    idle: int = 0
    most: int = 0
    waiting: int = 0


class ConnectionLimits(NamedTuple):
    """Connections that a database server allows to this service, and those that others have at this moment."""

    allowed: int
    """Maximum for all programs together, without those that are kept for administrators."""
    allowed_by: str
    """What sets the maximum, for people."""
    others: int
    """Connections of other programs."""
    processes: int
    """Processes of this service, on any machine, that are connected."""


class StoreVersion(NamedTuple):
    """Readers with equal versions see the same rows."""

    server: object
    """Another one if the server was started again, or was connected to again: it may have been put back."""
    moment: object


class Versions(Protocol):
    """Reads what version() says of other stores, over a network, and rows; one event loop alone may call."""

    async def open(self) -> None:
        """Connect, if the store can be reached."""

    async def read(self) -> StoreVersion | None:
        """Return the version of a moment after the call; None where it cannot be read at present.

        It differs from every version that was read before a commit which had been acknowledged before the call.
        """

    async def rows(self, missing: MissingRows) -> list[tuple[Any, ...]] | None:
        """Return the rows of a moment after the call; None where they cannot be read this way, or not at present."""

    async def close(self) -> None:
        """Let go of the connection."""


def write_alone(
    write: Callable[[Callable[[AnyUnit], T]], T],
    joint: Callable[[AnyUnit, Sequence[Item]], Sequence[T | Exception]],
    item: Item,
) -> T:
    """write_jointly where nothing is shared: a separate write for each item."""

    def work(unit: AnyUnit) -> T:
        (outcome,) = joint(unit, [item])
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return write(work)


class Turn(Protocol):
    """Somebody who writes; a server learns in the course of a request who it is."""

    @property
    def key(self) -> Hashable: ...


current_turn: ContextVar[Turn | None] = ContextVar("current_turn", default=None)


def whose_turn() -> Hashable:
    """Return the key of who writes now; None for the service itself."""
    turn = current_turn.get()
    return None if turn is None else turn.key


class Shares:
    """At most so many at once of one key. The service itself, which has no key, is not limited."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: dict[Hashable, int] = {}
        self._changed = Condition()

    @contextmanager
    def held(self, key: Hashable) -> Iterator[None]:
        """Wait for a share, and hold it."""
        if key is None:
            yield
            return
        with self._changed:
            self._changed.wait_for(lambda: self._held.get(key, 0) < self._most)
            self._held[key] = self._held.get(key, 0) + 1
        try:
            yield
        finally:
            with self._changed:
                self._held[key] -= 1
                if not self._held[key]:
                    del self._held[key]
                self._changed.notify_all()
