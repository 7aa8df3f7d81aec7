"""The contract of a metadata store, whichever database is below it."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol, TypeVar

from skyshelf.storage.metadata.alarms.contract import Alarms
from skyshelf.storage.metadata.audit_events import Audit
from skyshelf.storage.metadata.contracts.accounts import Accounts, Devices, SecondFactors, Throttles
from skyshelf.storage.metadata.contracts.app_passwords import AppPasswords
from skyshelf.storage.metadata.contracts.archives import Archives
from skyshelf.storage.metadata.contracts.boards import BoardComments, BoardInvitations, BoardItems, BoardMembers, Boards
from skyshelf.storage.metadata.contracts.changes import Changes
from skyshelf.storage.metadata.contracts.contacts import Contacts
from skyshelf.storage.metadata.contracts.content import Content, Thumbnails
from skyshelf.storage.metadata.contracts.copies import Copies
from skyshelf.storage.metadata.contracts.damage import Damage
from skyshelf.storage.metadata.contracts.expiry import Expiry
from skyshelf.storage.metadata.contracts.files import Files
from skyshelf.storage.metadata.contracts.inspection import Inspection, Repair
from skyshelf.storage.metadata.contracts.jobs import Outbox
from skyshelf.storage.metadata.contracts.media_facts import PhotoFactsOf
from skyshelf.storage.metadata.contracts.operators import Operators, PasswordLinks
from skyshelf.storage.metadata.contracts.places import Places
from skyshelf.storage.metadata.contracts.quarantine import Quarantine
from skyshelf.storage.metadata.contracts.quota import Promotions, Quotas
from skyshelf.storage.metadata.contracts.search import Search
from skyshelf.storage.metadata.contracts.sessions import Nonces, Sessions
from skyshelf.storage.metadata.contracts.settings import Banners, Settings
from skyshelf.storage.metadata.contracts.shares import Shares
from skyshelf.storage.metadata.contracts.tags import Tags, Timeline
from skyshelf.storage.metadata.contracts.tree import Tree
from skyshelf.storage.metadata.contracts.undated import Undated
from skyshelf.storage.metadata.contracts.uploads import Uploads
from skyshelf.storage.metadata.contracts.usage import Usage
from skyshelf.storage.metadata.contracts.webdav import DeadProperties, FolderMarks, Locks
from skyshelf.storage.metadata.contracts.wire_cache import WireCache
from skyshelf.storage.metadata.history.contract import History
from skyshelf.storage.metadata.history.log import HistoryKeys, HistoryLog
from skyshelf.storage.metadata.history.rewinds import Rewinds
from skyshelf.storage.metadata.identities import Identities, SpentTokens
from skyshelf.storage.metadata.passkeys import Passkeys
from skyshelf.storage.metadata.replay import MissingRows
from skyshelf.storage.space import Ballast, Space

T = TypeVar("T")
Item = TypeVar("Item")
AnyUnit = TypeVar("AnyUnit")
Done = Callable[[T | None, BaseException | None], None]
"""Takes the result of a write, or else its exception."""


class Unit(Protocol):
    """Every noun, as seen by one read or one write."""

    def act_as(self, actor: str) -> None:
        """Note who makes the changes that follow in this unit; without it, the service does."""

    @property
    def accounts(self) -> Accounts: ...
    @property
    def quotas(self) -> Quotas: ...
    @property
    def tree(self) -> Tree: ...
    @property
    def wire_cache(self) -> WireCache: ...
    @property
    def files(self) -> Files: ...
    @property
    def copies(self) -> Copies: ...
    @property
    def locks(self) -> Locks: ...
    @property
    def dead_properties(self) -> DeadProperties: ...
    @property
    def folder_marks(self) -> FolderMarks: ...
    @property
    def places(self) -> Places: ...
    @property
    def usage(self) -> Usage: ...
    @property
    def content(self) -> Content: ...
    @property
    def quarantine(self) -> Quarantine: ...
    @property
    def expiry(self) -> Expiry: ...
    @property
    def changes(self) -> Changes: ...
    @property
    def history(self) -> History: ...
    @property
    def rewinds(self) -> Rewinds: ...
    @property
    def history_log(self) -> HistoryLog: ...
    @property
    def history_keys(self) -> HistoryKeys: ...
    @property
    def search(self) -> Search: ...
    @property
    def uploads(self) -> Uploads: ...
    @property
    def devices(self) -> Devices: ...
    @property
    def sessions(self) -> Sessions: ...
    @property
    def app_passwords(self) -> AppPasswords: ...
    @property
    def identities(self) -> Identities: ...
    @property
    def spent_tokens(self) -> SpentTokens: ...
    @property
    def passkeys(self) -> Passkeys: ...
    @property
    def nonces(self) -> Nonces: ...
    @property
    def second_factors(self) -> SecondFactors: ...
    @property
    def operators(self) -> Operators: ...
    @property
    def password_links(self) -> PasswordLinks: ...
    @property
    def throttles(self) -> Throttles: ...
    @property
    def promotions(self) -> Promotions: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def shares(self) -> Shares: ...
    @property
    def boards(self) -> Boards: ...
    @property
    def board_members(self) -> BoardMembers: ...
    @property
    def board_invitations(self) -> BoardInvitations: ...
    @property
    def board_items(self) -> BoardItems: ...
    @property
    def board_comments(self) -> BoardComments: ...
    @property
    def timeline(self) -> Timeline: ...
    @property
    def tags(self) -> Tags: ...
    @property
    def contacts(self) -> Contacts: ...
    @property
    def banners(self) -> Banners: ...
    @property
    def thumbnails(self) -> Thumbnails: ...
    @property
    def alarms(self) -> Alarms: ...
    @property
    def archives(self) -> Archives: ...
    @property
    def undated(self) -> Undated: ...
    @property
    def photos(self) -> PhotoFactsOf: ...
    @property
    def outbox(self) -> Outbox: ...
    @property
    def audit(self) -> Audit: ...
    @property
    def damage(self) -> Damage: ...
    @property
    def inspection(self) -> Inspection: ...
    @property
    def repair(self) -> Repair: ...


class MetadataStore(Protocol):
    """Rows that survive, behind two verbs: read and write.

    Any thread may call; so may several processes on one store at once.
    """

    def read(self) -> AbstractContextManager[Unit]:
        """A unit that only reads.

        Each call on it sees everything that was committed before the call began; two calls may see two
        moments. It never waits for a writer.
        """

    def snapshot(self) -> AbstractContextManager[Unit]:
        """A unit that only reads, and sees one single moment however many calls it makes."""

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
        """As write, for a work that costs little more for many items than for one.

        Items of the same function that wait for the store at the same moment may be passed to one call of it, in one
        transaction. It returns an outcome for each, in order: a result, or the exception that this item's caller gets.
        An item with an exception has changed nothing. If the function raises instead, nothing of that call is stored,
        and it is called again with each item alone.
        """

    def submit_jointly(
        self, joint: Callable[[Unit, Sequence[Item]], Sequence[T | Exception]], item: Item, done: Done[T]
    ) -> None:
        """As write_jointly, for a caller who does not wait: `done` is called with the result, or with the exception.

        It is called once, by this thread or another one that others wait for: it must be quick and raise nothing.
        """

    def version(self) -> object | None:
        """What differs after any commit of any process from what it was before, as this thread sees it.

        It is read in microseconds and never waits; None from a store that is asked over a network.
        """

    def versions(self) -> "Versions | None":
        """Versions as an event loop reads them; None from a store whose version() is read for free."""

    def wait_for_writes(self) -> None:
        """Return when every write that had begun before this call has ended."""

    def note_bulk_write(self) -> None:
        """Note that the store has grown, so its statistics may be out of date. Cheap where they are not."""

    def analyze_grown_tables(self) -> None:
        """To be called every few seconds, outside of any request: let the store refresh its statistics.

        Cheap where nothing has grown; any number of instances may call it at once.
        """

    def space(self) -> Space | None:
        """The space of the store's file system; None where there is none that this process can see."""

    def ballast(self) -> Ballast | None:
        """What can be released when that file system is full."""

    def figures(self) -> "StoreFigures":
        """How busy the store is in this moment; without a query."""

    def is_in_use(self) -> bool:
        """Whether another process uses the store at this moment, as far as that can be seen from here."""

    def check(self) -> None:
        """Raise StoreUnavailable, with a sentence, when the store cannot serve right now."""

    def close(self) -> None:
        """Finish the writes that were accepted, then let go of everything. May be called twice."""


class StoreFigures(NamedTuple):
    """Connections of this process to a database server, and what waits: for one of them, or for the next commit."""

    connections: int = 0
    idle: int = 0
    most: int = 0
    waiting: int = 0


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
        """The version of a moment after the call; None where it cannot be read at present.

        It differs from every version that was read before a commit which had been acknowledged before the call.
        """

    async def rows(self, missing: MissingRows) -> list[tuple[Any, ...]] | None:
        """The rows of a moment after the call; None where they cannot be read this way, or not at present."""

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


def submit_alone(write_jointly: Callable[[], T], done: Done[T]) -> None:
    """submit_jointly where nothing is shared: this thread writes, and says when it is done."""
    result: T | None = None
    error: BaseException | None = None
    try:
        result = write_jointly()
    except Exception as wrong:  # noqa: BLE001 - it is reported
        error = wrong
    done(result, error)
