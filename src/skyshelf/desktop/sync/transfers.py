"""The contents of a plan: uploads and downloads, several at once.

Many files that are new on one side are transferred together, by the client's transfers of whole folders, which batch
small files; everything else one by one. A download first arrives in the state folder, where an interrupted one is
resumed, and is then put in place like any other.
"""

import hashlib
import os
import shutil
import stat
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from typing import Final

from skyshelf.client.errors import SkyshelfError
from skyshelf.client.local.files import md5_of, translate_os_errors
from skyshelf.client.transfers import TransferEvent, TransferFailure, TransferSummary
from skyshelf.client.upload.file import UploadOptions
from skyshelf.desktop.sync.actions import Action, SyncEvent
from skyshelf.desktop.sync.local_side import ChangedSinceScan
from skyshelf.desktop.sync.local_tree import LocalNode, composed, signed_inode
from skyshelf.desktop.sync.remote_tree import RemoteNode
from skyshelf.desktop.sync.steps import Steps, entry_of

BULK_FROM: Final = 20
"""Number of new files from which on a transfer of the whole folder, which lists it first, pays off."""

_Failures = list[tuple[Action, SkyshelfError]]


class Transfers(Steps):
    """The steps that move contents."""

    def _transfer(self, actions: list[Action]) -> None:
        """Transfer several files at once; Ctrl-C drops those that have not begun."""
        actions = self._in_bulk(actions)
        if not actions:
            return
        pool = ThreadPoolExecutor(self._workers, thread_name_prefix="sync")
        try:
            running = {
                pool.submit(self._attempt, action, self._upload if action.kind == "upload" else self._download)
                for action in actions
            }
            while running:
                done, running = wait(running, timeout=0.5, return_when=FIRST_COMPLETED)
                for one in done:
                    one.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _in_bulk(self, actions: list[Action]) -> list[Action]:
        """Transfer many new files together; what is left is transferred one by one."""
        uploads, downloads = _bulk_uploads(actions), _bulk_downloads(actions)
        sent, failed = self._upload_many(uploads) if uploads else ([], [])
        settled = {id(action) for action in sent}
        if downloads:
            folder = self._local.incoming / "many"
            arrived, missing = self._download_many(folder, downloads)
            failed += missing
            for action, path in arrived:
                self._attempt(action, partial(self._place, downloaded=path))
            settled |= {id(action) for action, _ in arrived}
            shutil.rmtree(folder, ignore_errors=True)
        for action, error in failed:
            self._attempt(action, partial(_raise, error))
        # What was neither transferred nor reported is in a folder that failed as a whole.
        settled |= {id(action) for action, _ in failed}
        return [action for action in actions if id(action) not in settled]

    def _upload_many(self, actions: list[Action]) -> tuple[list[Action], _Failures]:
        sent: list[Action] = []
        by_path = {action.path: action for action in actions}
        folders = {parent.path for action in actions for parent in action.here.above() if parent.path}

        def handle(event: TransferEvent) -> None:
            action = by_path.get(event.path)
            if action is not None and event.kind in {"done", "skipped"}:
                # The next round finds it equal on both sides and records it.
                self.again = True
                sent.append(action)
                self._did(action, size=action.size)
            elif action is not None and event.kind == "progress":
                self._moved(event.path, event.transferred, event.size or 0)

        summary = self._client.upload_all(
            self._local.top,
            self._root_key,
            workers=self._workers,
            options=UploadOptions(expected_version=0),
            rate_limit=self._upload_limit,
            select=lambda path, local: path in (folders if local.is_dir() else by_path),
            progress=handle,
        )
        return sent, _failures(summary, lambda one: by_path.get(one.path))

    def _download_many(self, folder: Path, actions: list[Action]) -> tuple[list[tuple[Action, Path]], _Failures]:
        """Download into a folder; return what has arrived, grouped by its folder, and what failed."""
        by_key = {action.there.key: action for action in actions}
        folders = {parent.key for action in actions for parent in action.there.above()}
        arrived: dict[RemoteNode | None, list[tuple[Action, Path]]] = defaultdict(list)

        def handle(event: TransferEvent) -> None:
            action = by_key.get((event.object_key or "").upper())
            if action is not None and event.kind in {"done", "skipped"}:
                arrived[action.there.parent].append((action, folder / event.path))
            elif action is not None and event.kind == "progress":
                self._moved(action.path, event.transferred, event.size or 0)

        summary = self._client.download_all(
            folder,
            self._root_key,
            workers=self._workers,
            overwrite=True,
            select=lambda _, found: found.key.upper() in (folders if found.is_folder else by_key),
            rate_limit=self._download_limit,
            progress=handle,
        )
        failed = _failures(summary, lambda one: by_key.get((one.object_key or "").upper()))
        return [one for group in arrived.values() for one in group], failed

    def _place(self, action: Action, *, downloaded: Path) -> None:
        """Put a file of a bulk download in place."""
        above, parent = self._place_here(action)
        parts = (*above, action.name)
        with translate_os_errors("cannot read", downloaded):
            md5 = md5_of(downloaded)
        found = self._local.place(downloaded, parts, None, is_executable=self.has_modes and action.there.is_executable)
        self._placed(action, parts, parent, found, md5)

    def _upload(self, action: Action) -> None:
        local, entry = action.here, action.entry
        if action.remote is not None and entry is not None:
            assert action.remote.parent is not None
            key, parent, name = action.remote.parent.key, entry.parent, entry.remote_name
            seen = None if action.remote.object is None else action.remote.object.version
        else:
            key, parent = self._place_there(action)
            name, seen = action.remote_name, 0
        parts = local.parts
        if not self._local.is_as_scanned(parts, local):
            raise ChangedSinceScan(f"{action.path} changed since then")
        sent = self._client.upload(
            self._local.path(parts),
            key,
            name=name,
            options=UploadOptions(expected_version=seen),
            rate_limit=self._upload_limit,
            progress=lambda done, total: self._moved(action.path, done, total),
        )
        if not self._local.is_as_scanned(parts, local):
            self._changed(action)
        entry = entry_of(entry, parent, local.name, sent.name, sent.key)
        self._note_content(entry, local, sent.md5 or local.md5)
        if action.remote is None:
            entry.is_executable = sent.is_executable
            # The next round makes the new file executable there, if that can be.
            self.again = self.again or (self.has_modes and bool(local.is_executable))
        self._index.record(entry)
        self._index.note_versions({entry.key: sent.version or 0})
        local.entry = entry
        self._did(action, size=local.size)

    def _download(self, action: Action) -> None:
        remote, entry, replaced = action.there, action.entry, action.local
        assert remote.object is not None
        if replaced is not None:
            assert entry is not None
            parts, parent = replaced.parts, entry.parent
        else:
            above, parent = self._place_here(action)
            parts = (*above, action.name)
        waiting = self._local.incoming / hashlib.sha256(f"{remote.key} {remote.md5}".encode()).hexdigest()[:32]
        if replaced is not None and not self._local.is_as_scanned(parts, replaced):
            raise ChangedSinceScan(f"{action.path} changed since then")
        got = self._client.download(
            remote.object,
            waiting,
            overwrite=True,
            rate_limit=self._download_limit,
            within=self._local.top,
            progress=lambda done, total: self._moved(action.path, done, total),
        )
        found = self._local.place(waiting, parts, replaced, is_executable=self.has_modes and remote.is_executable)
        self._placed(action, parts, parent, found, got.md5)

    def _placed(self, action: Action, parts: tuple[str, ...], parent: int, found: os.stat_result, md5: str) -> None:
        self._local.check_place()
        self._local.check_disk(parts, found)
        remote = action.there
        entry = entry_of(action.entry, parent, parts[-1], remote.name, remote.key)
        entry.md5, entry.inode = md5, signed_inode(found)
        entry.size, entry.modified_ns, entry.changed_ns = found.st_size, found.st_mtime_ns, found.st_ctime_ns
        if action.local is None:
            entry.is_executable = bool(found.st_mode & stat.S_IXUSR)
        self._index.record(entry)
        remote.entry = entry
        self._did(action, size=found.st_size)

    def _moved(self, path: str, done: int, total: int) -> None:
        self._report(SyncEvent(kind="progress", path=path, size=total, transferred=done))


def _raise(error: SkyshelfError, _: Action) -> None:
    raise error


def _bulk_uploads(actions: list[Action]) -> list[Action]:
    """Return the uploads of new files whose folders have the same names on both sides."""
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


def _bulk_downloads(actions: list[Action]) -> list[Action]:
    """Return the downloads of files that are not here yet."""
    found = [action for action in actions if action.kind == "download" and action.local is None]
    return found if len(found) >= BULK_FROM else []


def _failures(summary: TransferSummary, action_of: Callable[[TransferFailure], Action | None]) -> _Failures:
    if summary.stopped_by is not None:
        raise summary.stopped_by
    return [(action, one.error) for one in summary.failed if (action := action_of(one)) is not None]
