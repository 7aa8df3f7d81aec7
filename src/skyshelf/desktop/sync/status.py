"""How a folder that is kept in sync is doing, without asking the server."""

from typing import Literal

from msgspec import Struct

from skyshelf.desktop.sync.conflicts import conflicts_in
from skyshelf.desktop.sync.folders import SyncedFolder
from skyshelf.desktop.sync.index import ROOT_ID, Entry, SyncIndex
from skyshelf.desktop.sync.local_side import INDEX
from skyshelf.desktop.sync.local_tree import UNKNOWN_TIME, LocalNode, LocalScan, Select
from skyshelf.desktop.sync.log import LOG, LoggedRun, SyncLog
from skyshelf.desktop.sync.pausing import paused_until

SyncState = Literal["missing", "paused", "syncing", "watching", "idle"]


class SyncStatus(Struct, frozen=True, kw_only=True):
    """What is known of one folder. `waiting` counts files that were changed here since they were synced."""

    state: SyncState
    path: str
    is_running: bool = False
    paused_until: int | None = None
    last: LoggedRun | None = None
    failures: list[tuple[str, str]] = []
    waiting: int = 0
    conflicts: int = 0


def status_of(folder: SyncedFolder, select: Select) -> SyncStatus:
    """Look at a folder; one that is not there, such as on a disk that is not mounted, is missing."""
    if not folder.state.is_dir():
        return SyncStatus(state="missing", path=folder.path)
    runs: list[LoggedRun] = []
    failures: list[tuple[str, str]] = []
    if (folder.state / LOG).is_file():
        with SyncLog(folder.state) as log:
            runs, failures = log.runs(), log.failures()
    until = paused_until(folder.state)
    is_running = folder.is_running()
    state: SyncState = "idle"
    if until is not None:
        state = "paused"
    elif is_running:
        state = "syncing" if runs and runs[0].ended is None else "watching"
    scan = LocalScan(folder.top, select)
    root = scan.read()
    entries, path = _index(folder)
    return SyncStatus(
        state=state,
        path=path,
        is_running=is_running,
        paused_until=until,
        last=runs[0] if runs else None,
        failures=failures,
        waiting=_changed_files(entries, root, scan),
        conflicts=len(conflicts_in(root)),
    )


def _index(folder: SyncedFolder) -> tuple[list[Entry], str]:
    """Return what was synced, and the folder on the server: a call that was refused may have named another one."""
    path = folder.state / INDEX
    if not path.is_file():
        return [], folder.path
    index = SyncIndex(path)
    try:
        return index.entries(), index.get("path") or folder.path
    finally:
        index.close()


def _changed_files(entries: list[Entry], root: LocalNode, scan: LocalScan) -> int:
    """Count files that are not as they were synced: new, edited, moved or deleted."""
    missing = {(entry.parent, scan.fold(entry.name)): entry for entry in entries}
    left: set[int] = set()

    def visit(folder: LocalNode, folder_id: int) -> int:
        for folded in folder.left:
            if (entry := missing.pop((folder_id, folded), None)) is not None:
                left.add(entry.id)
        changed = 0
        for folded, node in folder.children.items():
            entry = missing.pop((folder_id, folded), None)
            if node.is_folder:
                changed += visit(node, -1 if entry is None else entry.id)
            else:
                changed += entry is None or not _is_as_synced(entry, node)
        return changed

    changed = visit(root, ROOT_ID)
    parents = {entry.id: entry.parent for entry in entries}

    def is_left(entry_id: int) -> bool:
        """Whether it is in something that is left alone, so nothing is known of it."""
        return entry_id in left or (entry_id in parents and is_left(parents[entry_id]))

    return changed + sum(not entry.is_folder and not is_left(entry.id) for entry in missing.values())


def _is_as_synced(entry: Entry, node: LocalNode) -> bool:
    if entry.modified_ns == UNKNOWN_TIME:
        # It was synced right after it was written.
        return (entry.size, entry.inode, entry.changed_ns) == (node.size, node.inode, node.changed_ns)
    return not entry.is_folder and node.looks_like(entry)
