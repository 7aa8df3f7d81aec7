"""Random sessions of an agent beside other people's work, and a model of what an undo of the session has to leave."""

import random
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from tests.foreign.drive import ROOT, Drive

from skyshelf.agent.bridge import Bridge
from skyshelf.client.sync_client import Client

AGENT, OTHER = "agent", "other"


class Look(NamedTuple):
    """What can change about an object."""

    name: str
    parent: str
    is_trashed: bool
    is_favorite: bool


State = dict[str, Look]


class Account(Protocol):
    """The account as everybody but the agent uses it."""

    root: str
    has_history: bool

    def state(self) -> State: ...

    def folders(self) -> set[str]: ...

    def rename(self, key: str, name: str) -> None: ...

    def move(self, key: str, folder: str) -> None: ...

    def trash(self, key: str) -> None: ...

    def favorite(self, key: str) -> None: ...

    def file(self, name: str, folder: str) -> None: ...


class OwnAccount:
    """An account of our server. What is below a trashed folder cannot be seen."""

    has_history = True

    def __init__(self, client: Client, add_file: Callable[[str, bytes, str], Any]) -> None:
        self._client, self._add_file = client, add_file
        self.root = client.root_key()

    def state(self) -> State:
        seen = [one.object for one in self._client.walk()]
        found = {one.key: Look(one.name, one.parent_key or self.root, False, one.is_favorite) for one in seen}
        trash = {
            one.key: Look(one.name, one.parent_key or "", True, one.is_favorite) for one in self._client.trash.list()
        }
        return found | trash

    def folders(self) -> set[str]:
        return {one.object.key for one in self._client.walk() if one.object.is_folder}

    def rename(self, key: str, name: str) -> None:
        self._client.rename(key, name)

    def move(self, key: str, folder: str) -> None:
        self._client.move([key], folder)

    def trash(self, key: str) -> None:
        self._client.move_to_trash([key])

    def favorite(self, key: str) -> None:
        self._client.set_favorite([key], not self._client.get(key).is_favorite)

    def file(self, name: str, folder: str) -> None:
        self._add_file(name, name.encode(), folder)


class ForeignAccount:
    """An account of the foreign server, changed in its memory."""

    has_history = False
    root = ROOT

    def __init__(self, drive: Drive) -> None:
        self._drive = drive

    def _visible(self, key: str) -> bool:
        return key == ROOT or ((one := self._drive.entries[key]).now.status == "A" and self._visible(one.now.parent))

    def state(self) -> State:
        return {
            key: Look(one.now.name, one.now.parent, one.now.status == "T", one.now.favorite)
            for key, one in self._drive.entries.items()
            if one.now.status == "T" or self._visible(key)
        }

    def folders(self) -> set[str]:
        return {key for key, one in self._drive.entries.items() if one.is_folder and self._visible(key)}

    def rename(self, key: str, name: str) -> None:
        self._drive.change(self._drive.entries[key], name=name)

    def move(self, key: str, folder: str) -> None:
        self._drive.change(self._drive.entries[key], parent=folder)

    def trash(self, key: str) -> None:
        self._drive.change(self._drive.entries[key], status="T")

    def favorite(self, key: str) -> None:
        entry = self._drive.entries[key]
        self._drive.change(entry, favorite=not entry.now.favorite)

    def file(self, name: str, folder: str) -> None:
        self._drive.add(name, name.encode(), folder)


class Session:
    """One random session: who did what to each object, in order."""

    def __init__(self, seed: int, account: Account, bridge: Bridge) -> None:
        self._random = random.Random(seed)
        self._account, self._bridge = account, bridge
        self._names = 0
        self.first = self._last = account.state()
        self.deeds: dict[str, list[tuple[str, Look]]] = {}
        self.folders: set[str] = account.folders()

    def run(self) -> None:
        others = self._random.random() * 0.6
        for _ in range(self._random.randint(3, 12)):
            if self._random.random() < others:
                self._other_acts()
                self._note(OTHER)
            else:
                self._agent_acts()
                self._note(AGENT)

    def _note(self, who: str) -> None:
        now = self._account.state()
        for key, look in now.items():
            if self._last.get(key) != look:
                self.deeds.setdefault(key, []).append((who, look))
        # Contents of a trashed folder are not seen, and keep what they are.
        self._last = self._last | now
        self.folders |= self._account.folders()

    def _name(self) -> str:
        self._names += 1
        return f"name {self._names}"

    def _visible(self) -> list[str]:
        return sorted(key for key, look in self._account.state().items() if not look.is_trashed)

    def _place(self) -> str:
        return self._random.choice([self._account.root, *sorted(self._account.folders())])

    def _call(self, tool: str, **arguments: object) -> None:
        envelope: Any = self._bridge.call({"tool": tool, "arguments": arguments})
        assert envelope["ok"] is True, (tool, envelope)

    def _agent_acts(self) -> None:
        visible = self._visible()
        trashed = sorted(key for key, look in self._account.state().items() if look.is_trashed)
        match self._random.choice(["create", "rename", "rename", "favorite", "trash", "restore", "share"]):
            case "create":
                self._call("create_folder", name=self._name(), parent_folder_key=self._place())
            case "rename" if visible:
                self._call("rename_object", object_key=self._random.choice(visible), new_name=self._name())
            case "favorite" if visible:
                keys = self._random.sample(visible, min(2, len(visible)))
                self._call("set_favorite", object_keys=keys, favorite=self._random.random() < 0.7)
            case "trash" if visible:
                self._call("move_to_trash", object_keys=[self._random.choice(visible)], confirm=True)
            case "restore" if trashed:
                key = self._random.choice(trashed)
                # The folder that it belongs to may be in the trash itself.
                self._bridge.call({"tool": "restore_from_trash", "arguments": {"object_keys": [key], "confirm": True}})
            case "share" if visible:
                self._call("share_link", object_keys=[self._random.choice(visible)], confirm=True)

    def _other_acts(self) -> None:
        visible = self._visible()
        untouched = [key for key in visible if AGENT not in {who for who, _ in self.deeds.get(key, [])}]
        match self._random.choice(["rename", "rename", "file", "move", "favorite", "trash"]):
            case "rename" if visible:
                self._account.rename(self._random.choice(visible), self._name())
            case "file":
                self._account.file(self._name(), self._place())
            case "move" if files := [key for key in visible if key not in self._account.folders()]:
                self._account.move(self._random.choice(files), self._place())
            case "favorite" if untouched:
                self._account.favorite(self._random.choice(untouched))
            case "trash" if untouched:
                self._account.trash(self._random.choice(untouched))

    def check(self, left: set[str], *, others_acted_on: set[str]) -> None:
        """Compare the account with the model; what is in `left` may be as it was, or as it should be."""
        now = self._account.state()
        if not others_acted_on:
            assert left == set()
        for key, last in self._last.items():
            found = now.get(key)
            if found is None:
                # Below a folder in the trash.
                continue
            expected = self._expected(key, last)
            if key in left:
                assert found in {expected, last} or self._account.has_history is False, (key, found, expected, last)
            else:
                assert self._is_right(found, expected, now), (key, found, expected, last)
        if not others_acted_on:
            assert now.keys() >= self.first.keys()

    def _is_right(self, found: Look, expected: Look, now: State) -> bool:
        if self._account.has_history and expected.is_trashed:
            # A rewind leaves the names of what it returns to the trash.
            return found.is_trashed
        return found == expected or self._is_elsewhere(found, expected, now)

    def _is_elsewhere(self, found: Look, expected: Look, now: State) -> bool:
        """Whether the folder that something belongs to cannot be seen, so it had to go elsewhere."""
        parent = now.get(expected.parent)
        return expected.parent != self._account.root and (parent is None or parent.is_trashed)

    def _expected(self, key: str, last: Look) -> Look:
        deeds = self.deeds.get(key, [])
        if AGENT not in {who for who, _ in deeds}:
            return last
        if not self._account.has_history:
            return self._field_by_field(key, deeds)
        if deeds[-1][0] == OTHER:
            return last
        before = [look for who, look in deeds if who == OTHER]
        first = self.first.get(key)
        target = before[-1] if before else first
        return (
            deeds[0][1]._replace(is_trashed=True, name=last.name, parent=last.parent, is_favorite=last.is_favorite)
            if target is None
            else target
        )

    def _field_by_field(self, key: str, deeds: list[tuple[str, Look]]) -> Look:
        """Without history, each property goes back unless somebody else was the last to change it."""
        first = self.first.get(key)
        if first is None:
            made, (_, look) = deeds[0][0], deeds[0]
            first = look._replace(is_trashed=True) if made == AGENT else look
        result, previous = {name: (getattr(first, name), OTHER) for name in Look._fields}, first
        kept = {name: getattr(first, name) for name in Look._fields}
        for who, look in deeds:
            for name in Look._fields:
                if getattr(look, name) != getattr(previous, name):
                    if who == OTHER:
                        kept[name] = getattr(look, name)
                    result[name] = (getattr(look, name), who)
            previous = look
        return Look(**{name: kept[name] for name in Look._fields})
