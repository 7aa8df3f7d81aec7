"""What one account must hold: every acknowledged write, and for writes without an answer both outcomes.

A thing has one state that is certain, or several that are possible since a write to it was never answered. Only certain
things are written to, so every observation after a restart either is one of the possible states or a loss.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from tests.crash.contents import Content, bytes_of, md5_of

Json = dict[str, Any]


@dataclass(frozen=True)
class State:
    """Where a thing is and what it holds; a folder holds nothing."""

    parent: str
    name: str
    contents: tuple[Content, ...] = ()
    trashed: bool = False
    favorite: bool = False

    def but(self, **changed: Any) -> "State":
        return replace(self, **changed)


@dataclass(eq=False)
class Thing:
    """A file or folder. Its key is unknown while the answer to its creation is missing."""

    is_folder: bool
    possible: list[State | None]
    key: str = ""
    touched: bool = True
    """Since the last check of its bytes."""

    @property
    def state(self) -> State | None:
        """What is certain; None for something that may be gone, or be one of several."""
        return self.possible[0] if len(self.possible) == 1 else None

    @property
    def now(self) -> State:
        assert self.state is not None
        return self.state


@dataclass(eq=False)
class Unfinished:
    """An upload in progress; it may be at several offsets, and -1 means that it may be gone."""

    name: str
    parent: str
    content: Content
    offsets: set[int]
    key: str = ""


@dataclass(eq=False)
class Change:
    """A thing becomes something else, or is deleted; the feed shows it as its kind, or not at all."""

    kind: str
    thing: Thing
    after: State | None


@dataclass
class Account:
    """The journal of one account."""

    root: str
    things: list[Thing] = field(default_factory=list)
    uploads: list[Unfinished] = field(default_factory=list)
    shares: dict[str, bool] = field(default_factory=dict)
    """By name: whether it was acknowledged."""
    boards: dict[str, bool] = field(default_factory=dict)
    announced: list["Change"] = field(default_factory=list)
    """What the operation does that runs now."""
    together: list[list["Change"]] = field(default_factory=list)
    """What became of them is not known, and must be the same for all of a list."""
    feed: list[tuple["Change", bool]] = field(default_factory=list)
    """What the feed of changes must show since `cursor`, in order; false for what it may show."""
    cursor: str | None = None
    purging: int = 0
    """Bytes of purged objects: they count until a job has removed their rows."""

    def certain(self) -> Iterator[Thing]:
        return (thing for thing in self.things if thing.state is not None)

    def by_key(self, key: str) -> Thing | None:
        return next((thing for thing in self.things if thing.key == key), None)

    def is_visible(self, thing: Thing) -> bool:
        """Whether it certainly can be seen: itself and all folders above are certain and not in the trash."""
        state = thing.state
        if state is None or state.trashed:
            return False
        if state.parent == self.root:
            return True
        above = self.by_key(state.parent)
        return above is not None and self.is_visible(above)

    def below(self, thing: Thing) -> list[Thing]:
        """Everything that may be below a folder, at any depth."""
        direct = [
            one for one in self.things if any(state is not None and state.parent == thing.key for state in one.possible)
        ]
        return [*direct, *(deeper for one in direct if one.is_folder for deeper in self.below(one))]

    @property
    def used(self) -> int:
        """Bytes of all versions, once everything is certain."""
        return sum(_size(thing.state) for thing in self.certain())

    # The life of an operation: announced, then acknowledged or left open

    def announce(self, kind: str, thing: Thing, after: State | None) -> None:
        """The operation that begins may do this."""
        thing.possible.append(after)
        self.announced.append(Change(kind, thing, after))

    def acknowledge(self) -> None:
        """Note that the operation has succeeded."""
        for change in self.announced:
            before = change.thing.possible[0]
            change.thing.possible, change.thing.touched = [change.after], True
            self.purging += _size(before) if change.after is None else 0
        self.feed += [(change, True) for change in self.announced]
        self.forget([change.thing for change in self.announced if change.after is None])
        self.announced = []

    def withdraw(self) -> None:
        """Note that the operation was refused: what it would have made does not exist."""
        self.things = [one for one in self.things if all(one is not change.thing for change in self.announced)]
        self.announced = []

    def take_back(self, keys: Collection[str]) -> None:
        """Note that the operation was refused for some objects, which are as before."""
        for change in self.announced:
            if change.thing.key in keys:
                change.thing.possible.pop()
        self.announced = [change for change in self.announced if change.thing.key not in keys]

    def leave_open(self) -> None:
        """Nobody knows."""
        self.feed += [(change, False) for change in self.announced]
        if self.announced:
            self.together.append(self.announced)
        self.announced = []

    def forget(self, gone: list[Thing]) -> None:
        """They are deleted, or were never there."""
        self.things = [one for one in self.things if one not in gone]
        self.purging += sum(max(_size(state) for state in one.possible) for one in gone)

    # After a restart

    def settle(self, objects: list[Json], uploads: list[Json]) -> list[str]:
        """Compare with what the service shows, and learn what became of writes without an answer; what is wrong."""
        wrong: list[str] = []
        seen = {one["objectKey"]: one for one in objects}
        nameless = {
            (state.parent, state.name): thing
            for thing in self.things
            if not thing.key
            for state in thing.possible
            if state is not None
        }
        for key, one in seen.items():
            if self.by_key(key) is None:
                found = nameless.get((one["parentObjectKey"], one["objectName"]))
                if found is None or found.key:
                    wrong.append(f"nobody put {_shown(one)}, or it was deleted")
                else:
                    found.key = key
        for thing in list(self.things):
            observed = seen.get(thing.key)
            fitting = [state for state in thing.possible if fits(thing, state, observed)]
            if not fitting:
                wrong.append(f"should be one of {thing.possible}, is {_shown(observed)}")
            elif fitting[-1] is None:
                self.forget([thing])
            else:
                thing.touched = thing.touched or len(thing.possible) > 1
                thing.possible = [fitting[-1]]
        wrong += [
            f"half of an operation happened: {[(one.kind, one.thing.possible, one.after) for one in group]}"
            for group in self.together
            if len({self._happened(change) for change in group}) > 1
        ]
        self.together = []
        return wrong + self._settle_uploads(uploads)

    def _happened(self, change: Change) -> bool:
        return (change.thing not in self.things) if change.after is None else change.thing.possible == [change.after]

    def settle_feed(self, shown: list[tuple[str, str]], cursor: str) -> list[str]:
        """The feed shows every acknowledged change once and in order, and nothing that nobody did."""
        expected, self.feed, self.cursor = self.feed, [], cursor
        left = list(shown)
        wrong = []
        for change, is_certain in expected:
            if left and left[0] == (change.kind, change.thing.key):
                left.pop(0)
            elif is_certain and change.kind:
                wrong.append(f"the feed misses {change.kind} of {change.thing.key}, and goes on with {left[:3]}")
        return wrong + ([f"the feed shows what nobody did: {left}"] if left else [])

    def _settle_uploads(self, shown: list[Json]) -> list[str]:
        wrong: list[str] = []
        seen = {one["transactionId"]: one for one in shown}
        by_name = {one["name"]: key for key, one in seen.items()}
        for upload in list(self.uploads):
            upload.key = upload.key or by_name.get(upload.name, "")
            offset = seen.pop(upload.key, {"offset": -1})["offset"]
            if offset not in upload.offsets:
                wrong.append(f"the upload {upload.name} should be at one of {upload.offsets}, is at {offset}")
            if offset == -1:
                self.uploads.remove(upload)
            upload.offsets = {offset}
        return wrong + [f"nobody began the upload {one}" for one in seen.values()]

    def settle_names(self, kept: dict[str, bool], shown: set[str], what: str) -> list[str]:
        """Compare things of which only the existence counts."""
        wrong = [f"the {what} {name} is gone" for name, is_certain in kept.items() if is_certain and name not in shown]
        for name in [name for name in kept if name not in shown]:
            del kept[name]
        kept.update(dict.fromkeys(kept, True))
        return wrong


def _size(state: State | None) -> int:
    return sum(len(bytes_of(content)) for content in state.contents) if state is not None else 0


def fits(thing: Thing, state: State | None, observed: Json | None) -> bool:
    """Whether the service shows a thing in this state; None is one that is gone."""
    if state is None or observed is None:
        return state is None and observed is None
    return (
        (observed["objectType"] == "FR") == thing.is_folder
        and observed["parentObjectKey"] == state.parent
        and observed["objectName"] == state.name
        and (observed["status"] == "T") == state.trashed
        and observed["isFavorite"] == state.favorite
        and (thing.is_folder or observed["hash"] == md5_of(state.contents[-1]))
        and (thing.is_folder or observed["version"] == len(state.contents))
    )


def _shown(one: Json | None) -> str:
    if one is None:
        return "missing"
    return " ".join(f"{name}={one.get(name)}" for name in (
        "objectKey", "parentObjectKey", "objectName", "status", "isFavorite", "version", "hash"
    ))  # fmt: skip
