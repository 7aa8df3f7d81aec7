"""What an actor may do, if that is limited, and what of it is used up."""

import msgspec

from skyshelf.storage.metadata.contracts.accounts import Device
from skyshelf.wire.leave import ALL_KINDS, CallKind

ROOT_LINK = b""
"""The link of a delegation as it was made."""


class Amounts(msgspec.Struct, frozen=True, kw_only=True):
    """What calls use up."""

    reads: int = 0
    read_bytes: int = 0
    writes: int = 0
    written_bytes: int = 0
    deletions: int = 0
    calls: int = 0
    """Calls in the current minute."""


class Most(msgspec.Struct, frozen=True, kw_only=True):
    """How much a delegation allows of each of the Amounts; None where that is not limited."""

    reads: int | None = None
    read_bytes: int | None = None
    writes: int | None = None
    written_bytes: int | None = None
    deletions: int | None = None
    calls: int | None = None


class Link(msgspec.Struct, frozen=True):
    """A link of a delegation's chain: its name, and the numbers that it adds."""

    name: bytes
    most: Most


class Leave(msgspec.Struct, frozen=True, kw_only=True):
    """What an actor may do. It is given with every unit that the actor changes something in."""

    kinds: frozenset[CallKind] = ALL_KINDS
    folders: tuple[str, ...] = ()
    """Everything it sees is in all of these folders; none for the whole drive."""
    webdav_only: bool = False
    delegation: bytes | None = None
    """The digest by which the delegation is stored; None for an app password."""
    links: tuple[Link, ...] = ()
    """The links of a delegation that limit numbers; the first is the delegation itself."""
    maker: str = ""
    """The device whose session made the delegation: alarms count for it, or a session could deal out what it does."""
    until: int = 0
    """When a delegation ends; 0 for an app password, which ends with its session."""


class NewDelegation(msgspec.Struct, frozen=True, kw_only=True):
    maker: str
    """The device whose session made it."""
    purpose: str
    kinds: str
    """Names of kinds, separated by spaces."""
    folder_key: str | None = None
    reads: int | None = None
    read_bytes: int | None = None
    writes: int | None = None
    written_bytes: int | None = None
    deletions: int | None = None
    calls: int | None = None

    @property
    def most(self) -> Most:
        return Most(**{name: getattr(self, name) for name in Most.__struct_fields__})


class StoredDelegation(msgspec.Struct, frozen=True):
    """A delegation as its owner sees it in a list."""

    device: Device
    secret_hash: bytes
    terms: NewDelegation
    used: Amounts
    narrowed: int
    """How many narrowed tokens with numbers of their own were used."""
    created_at: int
    last_used_at: int
    expires_at: int
