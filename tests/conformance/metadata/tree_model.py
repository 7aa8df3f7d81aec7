"""The tree as a person would describe it: a dictionary, and rules that are as plain as they are slow."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby

from skyshelf.storage.errors import (
    NameTaken,
    NotAFolder,
    ObjectMissing,
    RootIsFixed,
    StorageError,
    TargetIsAFile,
    TargetMissing,
    WouldCycle,
)
from skyshelf.storage.metadata.contracts.tree import Move, SetExecutable, SetFavorite, Trash, TreeChange
from skyshelf.wire.names import numbered

KEPT_VERSIONS = 3
Refusal = type[StorageError] | None


def refusal_of(attempt: Callable[[], object]) -> Refusal:
    """What a rule of the model refuses with, or None."""
    try:
        attempt()
    except StorageError as refusal:
        return type(refusal)
    return None


@dataclass
class Thing:
    """A file or a folder. Its status is A, T, or P from the moment it is marked for deletion."""

    parent: str | None
    name: str
    is_folder: bool
    status: str = "A"
    is_favorite: bool = False
    trashed_at: int = 0
    sizes: list[int] = field(default_factory=list)
    version: int = 1


class TreeModel:
    """The expected state of the store. Every rule raises what the store must refuse with, and then changes nothing."""

    def __init__(self, root_key: str) -> None:
        self.root = root_key
        self.things = {root_key: Thing(None, "root", True)}
        self.trash_watermark = 0
        self.changes = 0
        self._kinds: dict[str, list[str]] = {}

    # Looking.

    def way_up(self, key: str | None) -> list[str]:
        """The key and those above it."""
        way = []
        while key is not None:
            assert key not in way, "the model has a ring"
            way.append(key)
            key = self.things[key].parent if key in self.things else None
        return way

    def is_visible(self, key: str | None) -> bool:
        return key is not None and all(
            one in self.things and self.things[one].status == "A" for one in self.way_up(key)
        )

    def is_being_purged(self, key: str) -> bool:
        """Whether it is marked for deletion, or goes with a folder that is: the nearest that is not active decides."""
        return next((self.things[one].status for one in self.way_up(key) if self.things[one].status != "A"), "A") == "P"

    def named(self, parent: str | None, name: str) -> str | None:
        """The active object of that name in that folder."""
        return next(
            (key for key, one in self.things.items() if (one.parent, one.name, one.status) == (parent, name, "A")),
            None,
        )

    def children(self, folder: str) -> set[str]:
        return {key for key, one in self.things.items() if one.parent == folder and one.status == "A"}

    def trash(self) -> set[str]:
        return {key for key, one in self.things.items() if one.status == "T"}

    def visible_folders(self) -> list[str]:
        return [key for key, one in self.things.items() if one.is_folder and self.is_visible(key)]

    def used(self) -> int:
        return sum(sum(one.sizes) for one in self.things.values())

    # Changing.

    def add_folder(self, key: str, parent: str, name: str) -> None:
        self._refuse_as_parent(parent)
        if self.named(parent, name) is not None:
            raise NameTaken
        self.things[key] = Thing(parent, name, True)
        self.changes += 1

    def put(self, key: str, parent: str, name: str, size: int) -> str:
        """The key under which the file is then found."""
        self._refuse_as_parent(parent)
        there = self.named(parent, name)
        if there is None:
            self.things[key] = Thing(parent, name, False, sizes=[size])
        elif self.things[there].is_folder:
            raise NameTaken
        else:
            key, thing = there, self.things[there]
            thing.sizes = [*thing.sizes, size][-KEPT_VERSIONS:]
            thing.version += 1
        self.changes += 1
        return key

    def apply(self, batch: Sequence[TreeChange], now: int) -> list[Refusal]:
        """A thing that ends as it began has not changed, and changes of it of one kind in a row are one."""
        before = {key: replace(thing) for key, thing in self.things.items()}
        self._kinds = {}
        refusals = [refusal_of(partial(self._change, one, now)) for one in batch]
        for key, kinds in self._kinds.items():
            if self.things[key] != before[key]:
                self.changes += len(list(groupby(kinds)))
        return refusals

    def _change(self, change: TreeChange, now: int) -> None:
        thing = self.things.get(change.object_key)
        if thing is None or self.is_being_purged(change.object_key):
            raise ObjectMissing
        if isinstance(change, SetFavorite):
            if thing.is_favorite != change.favorite:
                thing.is_favorite = change.favorite
                self._note(change, "favorite")
            return
        if isinstance(change, SetExecutable):
            raise NotImplementedError("no operation of the model sets it")
        if thing.parent is None:
            raise RootIsFixed
        if isinstance(change, Trash):
            if thing.status == "A":
                thing.status, thing.trashed_at = "T", max(now, self.trash_watermark + 1)
                self._note(change, "trashed")
            return
        if isinstance(change, Move):
            self._refuse_as_target(change)
        parent, name = (change.parent_key, thing.name) if isinstance(change, Move) else (thing.parent, change.name)
        if (parent, name) == (thing.parent, thing.name):
            return
        if thing.status == "A" and self.named(parent, name) is not None:
            raise NameTaken
        thing.parent, thing.name = parent, name
        self._note(change, "moved" if isinstance(change, Move) else "renamed")

    def _note(self, change: TreeChange, kind: str) -> None:
        self._kinds.setdefault(change.object_key, []).append(kind)

    def restore(self, key: str) -> None:
        thing = self.things.get(key)
        if thing is None or thing.status == "P":
            raise ObjectMissing
        if thing.status == "A":
            if not self.is_visible(key):
                raise ObjectMissing
            return
        folder = thing.parent if self.is_visible(thing.parent) else self.root
        names = [thing.name, *(numbered(thing.name, number) for number in range(1, len(self.things) + 1))]
        thing.name = next(name for name in names if self.named(folder, name) is None)
        thing.parent, thing.status, thing.trashed_at = folder, "A", 0
        self.changes += 1

    def mark_for_deletion(self, keys: list[str]) -> list[str]:
        marked = [key for key in dict.fromkeys(keys) if key in self.things and self.things[key].status == "T"]
        for key in marked:
            self.things[key].status = "P"
        self.changes += len(marked)
        return marked

    def mark_all_for_deletion(self, up_to: int | None) -> None:
        old = [one for one in self.things.values() if one.status == "T" and (up_to is None or one.trashed_at <= up_to)]
        if old:
            self.trash_watermark = max(one.trashed_at for one in old)
            self.changes += 1
        for one in old:
            one.status = "P"

    def purge(self) -> None:
        """Delete everything that is marked; an object trashed separately inside of it stays."""
        gone = {key for key in self.things if self.is_being_purged(key)}
        for key, thing in self.things.items():
            if key not in gone and thing.parent in gone:
                thing.parent = self.root
        for key in gone:
            del self.things[key]

    def _refuse_as_parent(self, key: str) -> None:
        if key not in self.things or not self.is_visible(key):
            raise ObjectMissing
        if not self.things[key].is_folder:
            raise NotAFolder

    def _refuse_as_target(self, move: Move) -> None:
        target = self.things.get(move.parent_key)
        if target is None or target.status != "A":
            raise TargetMissing
        if not target.is_folder:
            raise TargetIsAFile
        if move.object_key in self.way_up(move.parent_key):
            raise WouldCycle
        if not self.is_visible(move.parent_key):
            raise TargetMissing
