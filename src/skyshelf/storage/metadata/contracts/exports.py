"""Exports: what they read of objects, folders and boards."""

from typing import NamedTuple


class ObjectSize(NamedTuple):
    """An object, and the number and the bytes of all its versions."""

    object_key: str
    versions: int
    size: int


class FolderAbove(NamedTuple):
    """A folder whose status counts for what is below it; only the root has no parent."""

    object_key: str
    parent_key: str | None
    status: str
    name: str


class BoardItem(NamedTuple):
    """A file on a board, and the member whose it is."""

    object_key: str
    account_key: str
    first_name: str
    name: str
    added_at: int
