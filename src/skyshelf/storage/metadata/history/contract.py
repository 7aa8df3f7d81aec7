"""History: what an account looked like at a moment, and what has changed since.

A moment is the number of a change: everything up to it had happened, nothing after it. Each change keeps its object as
it was before; the first change after a moment therefore says what its object was at that moment. An object without such
a change is as it was.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from skyshelf.storage.metadata.contracts.tree import StoredObject


class HistoryBounds(NamedTuple):
    """Which moments can be looked at: any change from `oldest` to `newest`."""

    oldest: int
    newest: int
    days: int | None
    """What the account has chosen to keep; None for the operator's choice."""
    forgotten_at: int
    """When the account last had history forgotten; 0 for never."""


class Entry(msgspec.Struct, frozen=True):
    """A change with what its object was before and after it; None where it did not exist, or that is not known."""

    seq: int
    at: int
    kind: str
    object_key: str
    actor: str
    before: StoredObject | None
    after: StoredObject | None


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


class PastPlace(NamedTuple):
    """Where the next page of a past folder begins: in which of the three sources, and after what in it."""

    source: str
    value: bytes
    key: str


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


class ContentPlace(NamedTuple):
    """Where the bytes of a content are, even in quarantine."""

    location: str
    size: int
    md5: str
    is_quarantined: bool
