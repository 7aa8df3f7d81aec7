"""An account of the interface, in memory. Listings may show it as it was some time ago."""

import hashlib
import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

USER = "0123456789ABCDEF0123456789ABCDEF"
OTHER_USER = "FEDCBA9876543210FEDCBA9876543210"
DEVICE = "00000000-0000-4000-8000-000000000005"
TOKEN = "aWRlbnRpdHkjQVRLI3NlY3JldA"
ROOT = "F0" * 16
BOARD = "B0" * 16

CREATED = 1_700_000_000_000
MODIFIED = 1_710_000_000_123

FOREVER = float("inf")


@dataclass(frozen=True)
class State:
    """What can change about an object."""

    parent: str
    name: str
    status: str = "A"
    favorite: bool = False


@dataclass
class Entry:
    """A file or folder with its history: when it came into which state."""

    key: str
    is_folder: bool
    content: bytes
    mime: tuple[str, str]
    history: list[tuple[float, State]] = field(default_factory=list)
    version: int = 1

    @property
    def now(self) -> State:
        return self.history[-1][1]

    def at(self, moment: float) -> State | None:
        """How it was at a moment; None before it existed."""
        known = [state for since, state in self.history if since <= moment]
        return known[-1] if known else None

    def shown(self, state: State, origin: str) -> dict[str, Any]:
        """The object on the wire."""
        found: dict[str, Any] = {
            "objectKey": self.key,
            "parentObjectKey": state.parent,
            "objectName": state.name,
            "objectType": "FR" if self.is_folder else "FE",
            "sizeInBytes": len(self.content),
            "mimeType": self.mime[0],
            "mimeSubType": self.mime[1],
            "sourceFolder": "/storage/DCIM",
            "fileCreatedDate": CREATED,
            "lastModifiedDate": MODIFIED,
            "status": state.status,
            "isHidden": False,
            "isLocked": False,
            "isReadonly": False,
            "isFavorite": state.favorite,
            "version": self.version,
            "sourceName": "DRIVE",
            "displayName": state.name,
            "iconName": "file",
            "cYear": "2024",
        }
        if not self.is_folder:
            found["hash"] = hashlib.md5(self.content).hexdigest()
            found["url"] = f"{origin}/download/files/{self.key}"
            found["imageTranscodeUrl"] = f"{origin}/download/avimages/{self.key}"
        return found


class Drive:
    """The account. `lag` is how many seconds old the state in listings, feeds and trash is."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.lag = 0.0
        self.entries: dict[str, Entry] = {}
        self.links: list[dict[str, Any]] = []
        self.boards: dict[str, dict[str, Any]] = {}
        self.contacts = [
            {"contactId": f"c{number}", "displayName": f"Person {number:02d}", "firstName": f"Person {number:02d}"}
            for number in range(35)
        ]
        self._clock = clock
        self._keys = itertools.count(1)

    def settle(self) -> None:
        """Let listings show everything."""
        for entry in self.entries.values():
            entry.history = [(-FOREVER, entry.now)]

    def add(
        self,
        name: str,
        content: bytes | None = None,
        parent: str = ROOT,
        *,
        mime: tuple[str, str] = ("text", "plain"),
        status: str = "A",
    ) -> Entry:
        """Put in a file, or a folder where there is no content; visible after the lag."""
        key = f"{next(self._keys):032X}"
        entry = Entry(key, content is None, content or b"", mime)
        entry.history.append((self._clock(), State(parent, name, status)))
        self.entries[key] = entry
        return entry

    def change(self, entry: Entry, **changes: Any) -> None:
        entry.history.append((self._clock(), replace(entry.now, **changes)))

    def find(self, key: str) -> Entry | None:
        return self.entries.get(key.upper())

    def is_folder(self, key: str) -> bool:
        entry = self.find(key)
        return key.upper() == ROOT or (entry is not None and entry.is_folder and entry.now.status == "A")

    def taken(self, parent: str, name: str, but: Entry | None = None) -> bool:
        """Whether an active object has the name, whatever listings show."""
        return any(
            entry is not but and (entry.now.parent, entry.now.name, entry.now.status) == (parent.upper(), name, "A")
            for entry in self.entries.values()
        )

    def listed(self) -> Iterator[tuple[Entry, State]]:
        """What listings show at this moment."""
        moment = self._clock() - self.lag
        for entry in self.entries.values():
            state = entry.at(moment)
            if state is not None:
                yield entry, state

    def named(self, *path: str) -> Entry:
        """The active object at a path, as it is now."""
        parent, found = ROOT, None
        for name in path:
            found = next(
                entry
                for entry in self.entries.values()
                if (entry.now.parent, entry.now.name, entry.now.status) == (parent, name, "A")
            )
            parent = found.key
        assert found is not None
        return found


def filled(drive: Drive) -> Drive:
    """The account that operations of the tests expect: two folders, five files, one trashed file, one board."""
    documents = drive.add("Documents")
    photos = drive.add("Photos")
    deep = drive.add("2024", parent=photos.key)
    drive.add("report.txt", b"a report", documents.key)
    drive.add("beach.jpg", bytes(range(256)) * 20, photos.key, mime=("image", "jpeg"))
    drive.add("deep.txt", b"far below", deep.key)
    drive.add("hello.txt", b"hello, world")
    drive.add("big.bin", bytes(range(251)) * 1200, mime=("application", "octet-stream"))
    drive.add("old.txt", b"old", status="T")
    drive.boards[BOARD] = {"boardKey": BOARD, "boardName": "Summer", "ownerUserId": USER, "members": [USER, OTHER_USER]}
    drive.settle()
    return drive
