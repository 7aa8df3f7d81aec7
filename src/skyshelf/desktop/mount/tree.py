"""Paths of a mounted drive: names that a system can have, and listings that are remembered for a moment."""

import errno
import threading
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from skyshelf.client.local.names import marked
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.desktop.os_errors import as_os_errors

if TYPE_CHECKING:
    from skyshelf.client.sync_client import Client

LISTING_SECONDS: Final = 5.0
"""How long a listing is remembered; what is changed through the mount is seen at once."""


class Node(Struct, frozen=True):
    """A file or folder; the top folder has no object."""

    key: str
    object: RemoteObject | None

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return self.object is None or self.object.is_folder

    @property
    def size(self) -> int:
        """Its size in bytes."""
        return 0 if self.object is None else self.object.size or 0

    @property
    def modified_ns(self) -> int:
        """When it was last changed."""
        return 0 if self.object is None else (self.object.modified_ms or 0) * 1_000_000


class DriveTree:
    """Finds items by path. Safe to use from several threads."""

    def __init__(
        self,
        client: "Client",
        root_key: str,
        *,
        seconds: float = LISTING_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._root = Node(root_key, None)
        self._seconds = seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._listings: dict[str, tuple[float, dict[str, Node]]] = {}

    def find(self, path: str) -> Node:
        """The item at a path; FileNotFoundError where there is none."""
        node = self._root
        for name in names_in(path):
            child = self.children(node, path).get(name) if node.is_folder else None
            if child is None:
                raise FileNotFoundError(errno.ENOENT, "there is no such file or folder", path)
            node = child
        return node

    def children(self, folder: Node, path: str = "") -> dict[str, Node]:
        """Everything in a folder, by the name that it has here."""
        with self._lock:
            until, known = self._listings.get(folder.key, (0.0, {}))
            if until > self._clock():
                return known
        with as_os_errors(path):
            listed = _named(found.detached_copy() for found in self._client.list_folder(folder.key))
        with self._lock:
            self._listings[folder.key] = (self._clock() + self._seconds, listed)
        return listed

    def forget(self, *keys: str) -> None:
        """Something has changed in these folders."""
        with self._lock:
            for key in keys:
                self._listings.pop(key, None)

    def forget_all(self) -> None:
        """Something has changed somewhere."""
        with self._lock:
            self._listings.clear()


def names_in(path: str) -> list[str]:
    """The names in a path."""
    return [name for name in path.split("/") if name]


def parent_of(path: str) -> str:
    """The path of the folder that an item is in."""
    return "/" + "/".join(names_in(path)[:-1])


def name_of(path: str) -> str:
    """The last name in a path."""
    return names_in(path)[-1]


def _named(found: Iterable[RemoteObject]) -> dict[str, Node]:
    """Items by names that a folder can have: none of them empty, with a slash, or twice."""
    listed: dict[str, Node] = {}
    for one in sorted(found, key=lambda one: one.key):
        name = one.name.replace("/", "_").replace("\0", "_")
        name = "_" if name in {"", ".", ".."} else name
        listed[marked(name, one.key) if name in listed else name] = Node(one.key, one)
    return listed
