"""The steps of a plan, and what a sync reports of them while it runs."""

from typing import Literal

from msgspec import Struct, field

from skyshelf.desktop.sync.index import Entry
from skyshelf.desktop.sync.local_tree import LocalNode
from skyshelf.desktop.sync.remote_tree import RemoteNode

ActionKind = Literal[
    "link",
    "forget",
    "conflict",
    "merge",
    "create remote folder",
    "create local folder",
    "move remote",
    "move local",
    "upload",
    "download",
    "mode remote",
    "mode local",
    "trash remote",
    "trash local",
]

EventKind = Literal[ActionKind, "failed", "left", "progress"]


class SyncEvent(Struct, frozen=True, kw_only=True):
    """A step that was done, or failed; `to` is where the item is now, `reason` why it was not synced or kept twice."""

    kind: EventKind
    path: str
    to: str = ""
    reason: str = ""
    size: int = 0
    transferred: int = 0


class Action(Struct, kw_only=True, eq=False):
    """One step. `path` is where the item is now and `to` where it goes, below the folder, in local names."""

    kind: ActionKind
    path: str
    to: str = ""
    reason: str = ""
    entry: Entry | None = None
    local: LocalNode | None = None
    remote: RemoteNode | None = None
    parent_local: LocalNode | None = None
    parent_remote: RemoteNode | None = None
    name: str = ""
    remote_name: str = ""
    files: int = 0
    """How many files a deletion removes from that side."""
    has_same_content: bool = True
    """Whether a link also means that both sides have the same content, and not only the same name."""
    is_awaited: bool = False
    """Whether another item waits for the name of an item that is to be deleted."""
    vacant: bool = False
    """Whether nothing here had the name of an item that is to be deleted on the server."""

    @property
    def here(self) -> LocalNode:
        """The local item, for a step that has one."""
        assert self.local is not None
        return self.local

    @property
    def there(self) -> RemoteNode:
        """The server's item, for a step that has one."""
        assert self.remote is not None
        return self.remote

    @property
    def size(self) -> int:
        if self.kind == "upload" and self.local is not None:
            return self.local.size
        return self.remote.size if self.kind == "download" and self.remote is not None else 0


class SyncPlan(Struct, kw_only=True):
    """Everything that one round does, in groups that are carried out in this order.

    `left` is what is not synced by design, and `held` what cannot be synced now, each with the reason; neither is
    deleted on the other side. `waiting` counts steps that can be planned only when others are done. `known_files` is
    how many files the index has, which deletions are compared with. `has_modes` says that both sides keep which files
    are executable.
    """

    records: list[Action] = field(default_factory=list)
    conflicts: list[Action] = field(default_factory=list)
    folders: list[Action] = field(default_factory=list)
    moves: list[Action] = field(default_factory=list)
    transfers: list[Action] = field(default_factory=list)
    modes: list[Action] = field(default_factory=list)
    deletions: list[Action] = field(default_factory=list)
    left: list[tuple[str, str]] = field(default_factory=list)
    held: list[tuple[str, str]] = field(default_factory=list)
    waiting: int = 0
    known_files: int = 0
    has_modes: bool = False

    @property
    def is_structural(self) -> bool:
        """Whether both sides have to be read again before contents are transferred."""
        return bool(self.conflicts or self.moves or self.waiting)

    @property
    def steps(self) -> list[Action]:
        """Everything that changes a side."""
        return [*self.conflicts, *self.folders, *self.moves, *self.transfers, *self.modes, *self.deletions]

    def files_deleted(self, kind: ActionKind) -> int:
        """Return how many files one side loses."""
        return sum(one.files for one in self.deletions if one.kind == kind)
