"""The server's side as it is now, with the local name of each item."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from skyshelf.client.local.names import marked, safe_name
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.desktop.sync.index import Entry
from skyshelf.desktop.sync.local_tree import JUNK, STATE_FOLDER, Select, composed

if TYPE_CHECKING:
    from skyshelf.client.sync_client import Client


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


class RemoteTree:
    """Everything below a folder, by key. `left` are items that are not synced, each with the reason."""

    def __init__(self, root_key: str) -> None:
        self.root = RemoteNode(None, root_key, None)
        self.nodes: dict[str, RemoteNode] = {root_key.upper(): self.root}
        self.left: list[tuple[str, str]] = []
        self.held: set[str] = set()
        """Keys of items that exist but cannot be synced: they are not deleted either."""

    def get(self, key: str) -> RemoteNode | None:
        """The item with a key, if it is below the folder."""
        return self.nodes.get(key.upper())


class _Naming:
    """Gives everything a local name that is safe and unique in its folder, and leaves out what is not synced."""

    def __init__(
        self, tree: RemoteTree, entries: dict[str, Entry], fold: Callable[[str], str], select: Select | None
    ) -> None:
        self._tree = tree
        self._entries = entries
        self._fold = fold
        self._select = select

    def name_below(self, folder: RemoteNode, prefix: str = "") -> None:
        self._name_children(folder)
        kept = []
        for node in folder.children:
            path = prefix + node.local_name
            if node.name in JUNK or (self._select is not None and not self._select(path, node.is_folder)):
                self._leave_out(node)
            elif not node.is_folder and node.md5 is None:
                self._tree.left.append((path, "the server has no hash of it, so its content could not be verified"))
                self._tree.held.add(node.key)
                self._leave_out(node)
            else:
                kept.append(node)
                if node.is_folder:
                    self.name_below(node, f"{path}/")
        folder.children = kept

    def _name_children(self, folder: RemoteNode) -> None:
        """What is known keeps its name; of the others, the one with the smallest key gets a name that several have."""
        used: set[str] = set()
        unnamed: list[RemoteNode] = []
        for node in sorted(folder.children, key=lambda one: one.key):
            entry = self._entries.get(node.key)
            if entry is not None and entry.remote_name == node.name and self._fold(entry.name) not in used:
                node.local_name = entry.name
                used.add(self._fold(entry.name))
            else:
                unnamed.append(node)
        for node in unnamed:
            wanted = safe_name(node.name)
            is_reserved = wanted.casefold() == STATE_FOLDER
            node.local_name = marked(wanted, node.key) if is_reserved or self._fold(wanted) in used else wanted
            used.add(self._fold(node.local_name))

    def _leave_out(self, node: RemoteNode) -> None:
        del self._tree.nodes[node.key]
        for child in node.children:
            self._leave_out(child)


def read_remote(
    client: "Client",
    root_key: str,
    entries: dict[str, Entry],
    *,
    fold: Callable[[str], str],
    select: Select | None = None,
) -> RemoteTree:
    """Walk the folder. `entries` are those of the index, by key: what is known keeps its local name."""
    tree = RemoteTree(root_key)
    for found in client.walk(root_key):
        parent = tree.nodes.get(found.folder_key.upper())
        if parent is None or found.object.key.upper() in tree.nodes:
            continue
        if not (found.object.is_folder or found.object.is_file):
            tree.left.append((found.path.strip("/"), "it is neither a file nor a folder"))
            tree.held.add(found.object.key.upper())
            parent.names.add(composed(found.object.name))
            continue
        node = RemoteNode(found.object, found.object.key.upper(), parent)
        tree.nodes[node.key] = node
        parent.children.append(node)
        parent.names.add(node.name)
    _Naming(tree, entries, fold, select).name_below(tree.root)
    return tree
