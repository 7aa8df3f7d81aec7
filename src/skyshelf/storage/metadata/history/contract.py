"""History: what an account looked like at a moment, and what has changed since.

A moment is the number of a change: everything up to it had happened, nothing after it. Each change keeps its object as
it was before; the first change after a moment therefore says what its object was at that moment. An object without such
a change is as it was.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec

from skyshelf.storage.metadata.contracts.tree import StoredObject


class HistoryBounds(NamedTuple):
    """Which moments can be looked at: any change from `oldest` to `newest`."""

    oldest: int
    newest: int
    days: int | None
    """What the account has chosen to keep; None for the operator's choice."""


class Entry(msgspec.Struct, frozen=True):
    """A change with what its object was before and after it; None where it did not exist, or that is not known."""

    seq: int
    at: int
    kind: str
    object_key: str
    actor: str
    before: StoredObject | None
    after: StoredObject | None


class LinkEntry(msgspec.Struct, frozen=True):
    """An object came into a tag, a share link or a board, or left it."""

    link_id: int
    at: int
    actor: str
    kind: str
    object_key: str
    other_key: str
    name: str
    added: bool


class EntryFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which changes; what is None or empty does not restrict them."""

    object_key: str | None = None
    since: int | None = None
    until: int | None = None
    kinds: Sequence[str] = ()
    actor: str | None = None
    """A whole actor; the beginning of one, ending with a slash; or the end of one, beginning with a slash."""
    below: str | None = None
    """A folder: only changes of what was in it, or below it, before or after the change."""


class EntryPage(NamedTuple):
    entries: list[Entry]
    next: int | None
    """The change before which the next page begins; None after the last page."""


class PastPlace(NamedTuple):
    """Where the next page of a past folder begins: in which of the three sources, and after what in it."""

    source: str
    value: bytes
    key: str


class PastPage(NamedTuple):
    objects: list[StoredObject]
    next: PastPlace | None


class PlacedObject(NamedTuple):
    """An object that could be seen, and the folders above it."""

    object: StoredObject
    keys: tuple[str, ...]
    """From the root down to the object itself."""
    names: tuple[str, ...]
    """The path: the root has no name, and is not in it."""


class Difference(NamedTuple):
    """An object that two moments show differently, and its last change between them."""

    object_key: str
    before: PlacedObject | None
    after: PlacedObject | None
    at: int
    actor: str


class DifferencePage(NamedTuple):
    differences: list[Difference]
    next: int | None
    """The change after which the next page begins; None after the last page."""


class ContentPlace(NamedTuple):
    """Where the bytes of a content are, be it in quarantine."""

    location: str
    size: int
    md5: str
    is_quarantined: bool


class History(Protocol):
    """Nothing here changes an object. A moment must be within the bounds; the caller has checked that."""

    def bounds(self, account_id: int) -> HistoryBounds:
        """Which moments can be looked at."""

    def moment(self, account_id: int, at: int) -> int:
        """The newest change at or before a time; the one before the oldest that is kept, if there is none."""

    def object(self, account_id: int, object_key: str, seq: int) -> StoredObject | None:
        """An object as it was, active or trashed; None where it did not exist, or nothing of it is kept."""

    def visible(self, account_id: int, object_key: str, seq: int) -> list[StoredObject] | None:
        """An object that could be seen, and the folders above it: from the root down to itself. None otherwise."""

    def placed(self, account_id: int, object_keys: Sequence[str], seq: int) -> dict[str, PlacedObject]:
        """Those of the objects that could be seen, and the folders above them."""

    def unchanged_child(self, account_id: int, folder_key: str, name: str, seq: int) -> StoredObject | None:
        """The object of that name that a folder held, if nothing has changed it since."""

    def child_named(self, account_id: int, folder_key: str, name: str, seq: int) -> StoredObject | None:
        """The object of that name that a folder held."""

    def children(
        self, account_id: int, folder_key: str, seq: int, *, limit: int, after: PastPlace | None = None
    ) -> PastPage:
        """What a folder held: what is still there by name, then what is not, in no order. Bounded by the limit."""

    def entries(
        self, account_id: int, wanted: EntryFilter, *, limit: int, among: int, before: int | None = None
    ) -> EntryPage:
        """Changes, newest first; a page looks through `among` changes at most, and may have none of them."""

    def differences(
        self, account_id: int, moments: tuple[int, int], after_seq: int, *, below: str | None, limit: int, among: int
    ) -> DifferencePage:
        """What the second of two moments shows differently, in the order of the first changes since the first.

        `after_seq` is the first moment, or where the page before ended. With `below`, only what is or was that folder
        or anything below it. A page looks through `among` changes at most, and may have no differences. What is below a
        folder that moved or went is not listed, unless it changed itself.
        """

    def links(self, account_id: int, object_key: str, seq: int, at: int) -> list[tuple[str, str, str]]:
        """The tags, share links and boards that an object was in: (kind, key, name)."""

    def content(self, sha256: str) -> ContentPlace | None:
        """Where a content that a record names still is; None where its bytes are gone."""

    def used(self, account_id: int) -> int:
        """Bytes of contents that nothing but the account's history keeps."""

    def set_days(self, account_id: int, days: int | None) -> None:
        """How long the account keeps its history; None for as long as the operator has chosen."""

    def forget(self, account_id: int, now: int) -> None:
        """History begins now. expire_some removes what was before."""

    def accounts_with_old(self, now: int, days: int, *, after: int, limit: int) -> list[int]:
        """Accounts some of whose history is older than they keep it, by number."""

    def expire_some(self, account_id: int, before: int, limit: int, now: int) -> bool:
        """Forget what is older than a time, some of each kind; true while some is left.

        Contents that no history needs any longer stay in quarantine for their time from now on.
        """
