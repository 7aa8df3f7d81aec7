"""Inspection: checks whether the rows are consistent, and repairs for those that are not.

Inspection only reads. Pages are in the order of their keys, so a walk over millions of rows needs no memory;
a walk inside one MetadataStore.snapshot sees one moment, and so no false alarm while others write.
"""

import msgspec

from skyshelf.storage.metadata.contracts.content import ThumbnailKey

WalkPosition = tuple[int, str]
"""An account and an object's key: how far a walk over all objects has come."""


class Totals(msgspec.Struct, frozen=True):
    accounts: int
    objects: int
    versions: int
    blobs: int


class Dangling(msgspec.Struct, frozen=True):
    """Rows of a table that refer to rows which are not there."""

    table: str
    columns: tuple[str, ...]
    to: str
    rows: int
    may_go: bool
    """Whether such a row is useless without the other one and may be removed."""


class FaultyObject(msgspec.Struct, frozen=True):
    """An object that an inspection found fault with."""

    account_id: int
    object_key: str
    name: str
    columns: tuple[str, ...] = ()
    """Derived columns that are not what the other columns say."""


class MiscountedContent(msgspec.Struct, frozen=True):
    sha256: str
    refs: int
    counted: int


class ThumbnailRow(ThumbnailKey, frozen=True):
    location: str
    bytes: int


class NamedVersion(msgspec.Struct, frozen=True):
    """A version of a file, as sentences name it."""

    account_id: int
    object_key: str
    name: str
    version: int
