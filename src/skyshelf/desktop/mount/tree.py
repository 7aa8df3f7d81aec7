"""Paths of a mounted drive: names that a system can have, and listings that are remembered for a moment."""

import errno
import threading
import time
from collections.abc import Iterable
from concurrent.futures import Future
from typing import Final

from msgspec import Struct

from skyshelf.client.local.names import marked, path_part
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.sync_client import Client
from skyshelf.desktop.os_errors import as_os_errors

LISTING_SECONDS: Final = 5.0
"""How long a listing is remembered, or as long as it took; what is changed through the mount is seen at once."""
NODES_KEPT: Final = 100_000
"""Items in all remembered listings; beyond it the oldest listings are forgotten, other than the newest one."""


class Node(Struct, frozen=True):
    """A file or folder; the top folder has no object."""

    key: str
    object: RemoteObject | None

    @property
    def is_folder(self) -> bool:
        return self.object is None or self.object.is_folder

    @property
    def size(self) -> int:
        return 0 if self.object is None else self.object.size or 0

    @property
    def modified_ns(self) -> int:
        return 0 if self.object is None else (self.object.modified_ms or 0) * 1_000_000


class _Listing(Struct):
    """What a folder has, until it is listed again."""

    nodes: dict[str, Node]
    until: float


class DriveTree:
    """Finds items by path. Safe to use from several threads."""

    def __init__(self, client: Client, root_key: str, *, seconds: float) -> None:
        self._client = client
        self._root = Node(root_key, None)
        self._seconds = seconds
        self._lock = threading.Lock()
        # Oldest first.
        self._listings: dict[str, _Listing] = {}
        self._under_way: dict[str, Future[dict[str, Node]]] = {}

    def find(self, path: str) -> Node:
        """Return the item at a path; FileNotFoundError where there is none."""
        node = self._root
        for name in names_in(path):
            child = self.children(node, path).get(name) if node.is_folder else None
            if child is None:
                raise FileNotFoundError(errno.ENOENT, "there is no such file or folder", path)
            node = child
        return node

    def children(self, folder: Node, path: str = "") -> dict[str, Node]:
        """Return everything in a folder, by the name that it has here. Calls that need one listing share it."""
        with self._lock:
            known = self._listings.get(folder.key)
            if known is not None and known.until > time.monotonic():
                return known.nodes
            shared = self._under_way.get(folder.key)
            if shared is None:
                own = self._under_way[folder.key] = Future()
        if shared is not None:
            return shared.result()
        try:
            own.set_result(self._list(folder.key, path, own))
        except BaseException as problem:
            own.set_exception(problem)
            raise
        finally:
            with self._lock:
                if self._under_way.get(folder.key) is own:
                    del self._under_way[folder.key]
        return own.result()

    def _list(self, folder_key: str, path: str, own: Future[dict[str, Node]]) -> dict[str, Node]:
        began = time.monotonic()
        with as_os_errors(path):
            nodes = _named(found.detached_copy() for found in self._client.list_folder(folder_key))
        now = time.monotonic()
        with self._lock:
            # Something has changed since it began: the next call lists the folder again.
            if self._under_way.get(folder_key) is own:
                self._listings.pop(folder_key, None)
                self._forget_oldest(len(nodes), now)
                self._listings[folder_key] = _Listing(nodes, now + max(self._seconds, now - began))
        return nodes

    def _forget_oldest(self, more: int, now: float) -> None:
        kept = sum(len(one.nodes) for one in self._listings.values()) + more
        for key, one in list(self._listings.items()):
            if one.until <= now or kept > NODES_KEPT:
                kept -= len(self._listings.pop(key).nodes)

    def forget(self, *keys: str) -> None:
        """Forget the listings of these folders, where something has changed."""
        with self._lock:
            for key in keys:
                self._listings.pop(key, None)
                self._under_way.pop(key, None)


def names_in(path: str) -> list[str]:
    return [name for name in path.split("/") if name]


def parent_of(path: str) -> str:
    """Return the path of the folder that an item is in."""
    return "/" + "/".join(names_in(path)[:-1])


def name_of(path: str) -> str:
    return names_in(path)[-1]


def _named(found: Iterable[RemoteObject]) -> dict[str, Node]:
    """Map items by names that a folder can have: none of them empty, with a slash, or twice."""
    listed: dict[str, Node] = {}
    for one in sorted(found, key=lambda one: one.key):
        name = path_part(one.name)
        listed[marked(name, one.key) if name in listed else name] = Node(one.key, one)
    return listed
