"""Many new files at once, by the client's transfers of whole folders, which send small files many in a request.

Only files that are new on one side: everything else is transferred one by one. A download first arrives in the state
folder, where an interrupted one is resumed, and is then put in place as every other.
"""

import shutil
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from skyshelf.client.errors import SkyshelfError
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.transfers import TransferEvent, TransferSummary
from skyshelf.client.upload.file import UploadOptions
from skyshelf.desktop.sync.actions import Action
from skyshelf.desktop.sync.local_tree import LocalNode, composed
from skyshelf.desktop.sync.remote_tree import RemoteNode

if TYPE_CHECKING:
    from skyshelf.client.engine.rate_limit import RateLimit
    from skyshelf.client.sync_client import Client

BULK_FROM: Final = 20
"""So many new files are worth a transfer of the whole folder, which lists it first."""


Progress = Callable[[str, int, int], None]


def bulk_uploads(actions: list[Action]) -> list[Action]:
    """The uploads of new files whose folders have the same names on both sides."""
    same: dict[LocalNode, bool] = {}

    def has_same_names(folder: LocalNode | None) -> bool:
        if folder is None or folder.parent is None:
            return True
        if folder not in same:
            entry = folder.entry
            same[folder] = (
                entry is not None and entry.remote_name == composed(folder.name) and has_same_names(folder.parent)
            )
        return same[folder]

    found = [
        action
        for action in actions
        if action.kind == "upload"
        and action.remote is None
        and action.local is not None
        and has_same_names(action.local.parent)
    ]
    return found if len(found) >= BULK_FROM else []


def bulk_downloads(actions: list[Action]) -> list[Action]:
    """The downloads of files that are not here yet."""
    found = [action for action in actions if action.kind == "download" and action.local is None]
    return found if len(found) >= BULK_FROM else []


def upload_many(
    client: "Client",
    top: Path,
    root_key: str,
    actions: list[Action],
    *,
    workers: int,
    rate_limit: "RateLimit | None",
    done: Callable[[Action], None],
    progress: Progress,
) -> list[tuple[Action, SkyshelfError]]:
    """Upload; `done` is called with each file's step. Returns what failed."""
    by_path = {action.path: action for action in actions if action.local is not None}
    folders = {
        parent.path for action in actions if action.local is not None for parent in _above(action.local) if parent.path
    }

    def handle(event: TransferEvent) -> None:
        action = by_path.get(event.path)
        if action is None:
            return
        if event.kind in {"done", "skipped"}:
            done(action)
        elif event.kind == "progress":
            progress(event.path, event.transferred, event.size or 0)

    summary = client.upload_all(
        top,
        root_key,
        workers=workers,
        options=UploadOptions(expected_version=0),
        rate_limit=rate_limit,
        select=lambda path, local: path in (folders if local.is_dir() else by_path),
        progress=handle,
    )
    return _failures(summary, {action.path: action for action in actions})


def download_many(
    client: "Client",
    folder: Path,
    root_key: str,
    actions: list[Action],
    *,
    workers: int,
    rate_limit: "RateLimit | None",
    progress: Progress,
) -> tuple[list[tuple[Action, Path]], list[tuple[Action, SkyshelfError]]]:
    """Download into a folder; what has arrived, grouped by the folder that it belongs to, and what failed."""
    by_key = {action.remote.key: action for action in actions if action.remote is not None}
    folders = {parent.key for action in actions if action.remote is not None for parent in _folders_of(action.remote)}
    arrived: dict[RemoteNode | None, list[tuple[Action, Path]]] = defaultdict(list)
    failed: list[tuple[Action, SkyshelfError]] = []

    def select(_path: str, found: RemoteObject) -> bool:
        return found.key.upper() in (folders if found.is_folder else by_key)

    def handle(event: TransferEvent) -> None:
        action = by_key.get((event.object_key or "").upper())
        if action is None or action.remote is None:
            return
        if event.kind in {"done", "skipped"}:
            arrived[action.remote.parent].append((action, folder / event.path))
        elif event.kind == "progress":
            progress(action.path, event.transferred, event.size or 0)

    summary = client.download_all(
        folder, root_key, workers=workers, overwrite=True, select=select, rate_limit=rate_limit, progress=handle
    )
    for one in summary.failed:
        action = by_key.get((one.object_key or "").upper())
        if action is not None:
            failed.append((action, one.error))
    if summary.stopped_by is not None:
        raise summary.stopped_by
    return [one for group in arrived.values() for one in group], failed


def discard(folder: Path) -> None:
    """Delete what a bulk download left: everything in it was put in place."""
    shutil.rmtree(folder, ignore_errors=True)


def _failures(summary: TransferSummary, by_path: dict[str, Action]) -> list[tuple[Action, SkyshelfError]]:
    if summary.stopped_by is not None:
        raise summary.stopped_by
    return [(by_path[one.path], one.error) for one in summary.failed if one.path in by_path]


def _above(node: LocalNode) -> list[LocalNode]:
    found = []
    while node.parent is not None:
        node = node.parent
        found.append(node)
    return found


def _folders_of(node: RemoteNode) -> list[RemoteNode]:
    found = []
    while node.parent is not None:
        node = node.parent
        found.append(node)
    return found
