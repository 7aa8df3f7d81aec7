"""The server's side as it is now, with the local name of each item."""

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from skyshelf.client.errors import BrokenListingError, ForbiddenError, InvalidRequestError, ObjectNotFoundError
from skyshelf.client.local.names import RESERVED, marked
from skyshelf.client.objects.remote_object import FoundObject, RemoteObject
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.index import Entry
from skyshelf.desktop.sync.local_tree import JUNK, LocalScan, Select, composed


class RemoteNode:
    """A file or folder on the server; `local_name` is the name that it has or gets here.

    `names` are all names in a folder, those of items that are not synced too: no new item may have one of them.
    """

    __slots__ = (
        "children",
        "entry",
        "is_folder",
        "key",
        "local_name",
        "md5",
        "name",
        "names",
        "object",
        "parent",
        "size",
    )

    def __init__(self, found: RemoteObject | None, key: str, parent: "RemoteNode | None") -> None:
        self.object = found
        self.key = key
        self.parent = parent
        self.name = "" if found is None else composed(found.name)
        self.is_folder = found is None or found.is_folder
        self.md5 = None if found is None else found.md5
        self.size = (0 if found is None else found.size) or 0
        self.children: list[RemoteNode] = []
        self.names: set[str] = set()
        self.entry: Entry | None = None
        self.local_name = ""

    @property
    def path(self) -> str:
        """Its path below the local folder, in local names."""
        above = "" if self.parent is None else self.parent.path
        return f"{above}/{self.local_name}" if above else self.local_name

    @property
    def is_executable(self) -> bool:
        """Whether the server has it as executable, if it keeps that."""
        return self.object is not None and self.object.is_executable

    def above(self) -> Iterator["RemoteNode"]:
        """Yield the folders that it is in, the nearest first."""
        if self.parent is not None:
            yield self.parent
            yield from self.parent.above()

    def below(self) -> Iterator["RemoteNode"]:
        """Yield everything in it, parents first."""
        for child in self.children:
            yield child
            yield from child.below()


class RemoteTree:
    """Everything below a folder, by key. `left` are items that are not synced, each with the reason."""

    def __init__(self, root_key: str) -> None:
        self.root = RemoteNode(None, root_key, None)
        self.nodes: dict[str, RemoteNode] = {root_key.upper(): self.root}
        self.left: list[tuple[str, str]] = []
        self.held: set[str] = set()
        """Keys of items that exist but cannot be synced: they are not deleted either."""

    def get(self, key: str) -> RemoteNode | None:
        """Return the item with a key, if it is below the folder."""
        return self.nodes.get(key.upper())


class _Naming(NamedTuple):
    """Gives everything a local name that is safe and unique in its folder, and leaves out what is not synced."""

    tree: RemoteTree
    entries: dict[str, Entry]
    scan: LocalScan
    select: Select | None

    def name_below(self, folder: RemoteNode, prefix: str = "") -> None:
        self._name_children(folder)
        kept = []
        for node in folder.children:
            path = prefix + node.local_name
            if node.name in JUNK or (self.select is not None and not self.select(path, node.is_folder)):
                self._leave_out(node)
            elif not node.is_folder and node.md5 is None:
                self.tree.left.append((path, "the server has no hash of it, so its content could not be verified"))
                self.tree.held.add(node.key)
                self._leave_out(node)
            else:
                kept.append(node)
                if node.is_folder:
                    self.name_below(node, f"{path}/")
        folder.children = kept

    def _name_children(self, folder: RemoteNode) -> None:
        """Name the children. Known ones keep their name; a name that several want goes to the smallest key."""
        used: set[str] = set()
        unnamed: list[RemoteNode] = []
        for node in sorted(folder.children, key=lambda one: one.key):
            entry = self.entries.get(node.key)
            if entry is not None and entry.name.casefold() in RESERVED:
                entry = None
            if entry is not None and entry.remote_name == node.name and self.scan.fold(entry.name) not in used:
                node.local_name = entry.name
                used.add(self.scan.fold(entry.name))
            else:
                unnamed.append(node)
        for node in unnamed:
            wanted = self.scan.local_name(node.name)
            is_reserved = wanted.casefold() in RESERVED
            node.local_name = marked(wanted, node.key) if is_reserved or self.scan.fold(wanted) in used else wanted
            used.add(self.scan.fold(node.local_name))

    def _leave_out(self, node: RemoteNode) -> None:
        del self.tree.nodes[node.key]
        for child in node.children:
            self._leave_out(child)


def read_remote(
    client: Client,
    root_key: str,
    entries: dict[str, Entry],
    scan: LocalScan,
    *,
    select: Select | None = None,
) -> RemoteTree:
    """Walk the folder. `entries` are the index's entries by key: what is known keeps its local name."""
    tree = RemoteTree(root_key)
    for found in client.walk(root_key):
        parent = tree.nodes.get(found.folder_key.upper())
        if parent is None:
            continue
        _check_entry(tree, found, parent)
        if not (found.object.is_folder or found.object.is_file):
            tree.left.append((found.path.strip("/"), "it is neither a file nor a folder"))
            tree.held.add(found.object.key.upper())
            parent.names.add(composed(found.object.name))
            continue
        node = RemoteNode(found.object, found.object.key.upper(), parent)
        tree.nodes[node.key] = node
        parent.children.append(node)
        parent.names.add(node.name)
    _Naming(tree, entries, scan, select).name_below(tree.root)
    return tree


def _check_entry(tree: RemoteTree, found: FoundObject, parent: RemoteNode) -> None:
    """Refuse an entry that says too little, or contradicts the others: what it hides would look deleted."""
    item = found.object
    if not item.key or not item.name:
        raise BrokenListingError(f"the server lists an item without a {'name' if item.key else 'key'}: {found.path}")
    named = tree.get(item.parent_key or "")
    if tree.get(item.key) is not None or item.key.upper() in tree.held or named not in {None, parent}:
        raise BrokenListingError(f"the server lists {found.path} in more than one folder, or twice in one")


def linked_keys(client: Client, known: Container[str]) -> Container[str]:
    """Return the keys of everything with a public link; all known keys where the server cannot list links."""
    try:
        return {found.key.upper() for found in client.shares.objects()}
    except (ForbiddenError, InvalidRequestError, ObjectNotFoundError):
        return known


def keys_in(client: Client, folder_keys: Iterable[str]) -> set[str]:
    """Ask the server again, and return the keys of everything in some folders."""
    return {key for folder_key in folder_keys for key in _children_now(client, folder_key)}


def _children_now(client: Client, folder_key: str) -> dict[str, RemoteObject]:
    """Ask the server what is in a folder, by key; nothing where the folder no longer exists."""
    client.leave_index()
    try:
        return {found.key.upper(): found for found in client.list_folder(folder_key)}
    except ObjectNotFoundError:
        return {}


def unchanged_nodes(client: Client, nodes: Iterable[RemoteNode]) -> set[RemoteNode]:
    """Ask the server again, and return the items that are as they were read, folders with all their content."""
    by_folder: dict[str, list[RemoteNode]] = defaultdict(list)
    for node in nodes:
        if node.parent is not None:
            by_folder[node.parent.key].append(node)
    unchanged = set()
    for folder_key, group in by_folder.items():
        found = _children_now(client, folder_key)
        unchanged |= {node for node in group if _is_unchanged(client, node, found.get(node.key))}
    return unchanged


def _is_unchanged(client: Client, node: RemoteNode, found: RemoteObject | None) -> bool:
    if found is None or _state(found) != _state(node.object):
        return False
    if not node.is_folder:
        return True
    known = {one.key: (one.parent and one.parent.key, _state(one.object)) for one in node.below()}
    try:
        walked = {one.object.key.upper(): (one.folder_key.upper(), _state(one.object)) for one in client.walk(node.key)}
    except ObjectNotFoundError:
        return False
    return walked == known


def _state(found: RemoteObject | None) -> tuple[object, ...]:
    return () if found is None else (found.name, found.is_folder, found.version, found.md5)
