"""Paths in an export: safe on every system, and the same whichever part asks.

A name that has to be changed, or that differs from a neighbour's in case alone, gets a mark made of its object's key.
So no two objects ever have the same path, and none needs to know its neighbours; the original name is in the metadata.
"""

import hashlib
from collections.abc import Iterable
from typing import Final, NamedTuple

from skyshelf.service.exporting import DEEP, FILES, TRASH
from skyshelf.storage.metadata.contracts.exports import FolderAbove
from skyshelf.storage.metadata.contracts.tree import ACTIVE, StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import NAME_BYTES_MAX
from skyshelf.wire.names import cut_to, order_key, safe_name, split_ending

_DIGITS: Final = 10
_LONG: Final = 2000
"""Bytes of a folder's path beyond which what is in it goes elsewhere: few programs unpack longer ones."""


class PlaceOf(NamedTuple):
    """Where an object is in the export, and where it was in the account."""

    path: str
    names: list[str]
    is_in_trash: bool


def marked(name: str, key: str) -> str:
    """Return a safe name with a mark before its extension that no other object has."""
    stem, ending = split_ending(safe_name(name))
    mark = f" ~{hashlib.sha256(key.encode()).hexdigest()[:_DIGITS]}"
    return cut_to(stem, NAME_BYTES_MAX - len((mark + ending).encode())) + mark + ending


class ExportPaths:
    """The places of objects of one part, which are read together."""

    def __init__(self, unit: Unit, account_id: int, objects: Iterable[StoredObject]) -> None:
        self._folders: dict[str, FolderAbove] = {}
        self._places: dict[str, PlaceOf] = {}
        wanted = {one.parent_key for one in objects if one.parent_key}
        while wanted:
            found = unit.exports.folders(account_id, sorted(wanted))
            self._folders |= {one.object_key: one for one in found}
            wanted = {one.parent_key for one in found if one.parent_key} - self._folders.keys()
        self._clashes = unit.exports.clashes(account_id, sorted(self._folders))

    def place(self, stored: StoredObject) -> PlaceOf:
        """Return the place of an object of the part."""
        return self._below(stored.object_key, stored.parent_key, stored.status, stored.name)

    def _of_folder(self, key: str) -> PlaceOf:
        # From the top down, without recursion: folders may be nested very deep.
        # What has no folder above it, or is below itself, is at the top: the rows of a backup may say anything.
        way: list[FolderAbove] = []
        at: str | None = key
        while at is not None and at not in self._places and len(way) <= len(self._folders):
            folder = self._folders.get(at, FolderAbove(at, None, ACTIVE, ""))
            way.append(folder)
            at = folder.parent_key
        for folder in reversed(way):
            if folder.parent_key is None or folder.parent_key not in self._places:
                place = PlaceOf(FILES, [], is_in_trash=False)
            else:
                place = self._below(folder.object_key, folder.parent_key, folder.status, folder.name)
            self._places[folder.object_key] = place
        return self._places[key]

    def _below(self, key: str, parent_key: str | None, status: str, name: str) -> PlaceOf:
        assert parent_key is not None, "the root is not exported"
        above = self._of_folder(parent_key)
        names = [*above.names, name]
        if status != ACTIVE:
            return PlaceOf(f"{TRASH}/{marked(name, key)}", names, is_in_trash=True)
        is_marked = safe_name(name) != name or (parent_key, order_key(name)) in self._clashes
        folder, own = above.path, marked(name, key) if is_marked else name
        if len(folder.encode()) > _LONG:
            folder, own = DEEP, marked(name, key)
        return PlaceOf(f"{folder}/{own}", names, above.is_in_trash)
