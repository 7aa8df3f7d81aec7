"""The contents of a plan: uploads and downloads, several at once."""

import hashlib
import os
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path

from skyshelf.client.errors import SkyshelfError
from skyshelf.client.upload.file import UploadOptions
from skyshelf.desktop.hashing import md5_of
from skyshelf.desktop.sync.actions import Action
from skyshelf.desktop.sync.bulk import bulk_downloads, bulk_uploads, discard, download_many, upload_many
from skyshelf.desktop.sync.events import SyncEvent
from skyshelf.desktop.sync.local_side import ChangedMeanwhile
from skyshelf.desktop.sync.local_tree import signed_inode
from skyshelf.desktop.sync.steps import Steps, entry_of


class Transfers(Steps):
    """The steps that move contents."""

    def _transfer(self, actions: list[Action]) -> None:
        """Several at once; Ctrl-C drops those that have not begun."""
        actions = self._in_bulk(actions)
        if not actions:
            return
        pool = ThreadPoolExecutor(self._workers, thread_name_prefix="sync")
        try:
            running = {pool.submit(self._attempt, action, self._copy) for action in actions}
            while running:
                done, running = wait(running, timeout=0.5, return_when=FIRST_COMPLETED)
                for one in done:
                    one.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _in_bulk(self, actions: list[Action]) -> list[Action]:
        """Transfer many new files together; what is left is transferred one by one."""
        workers, limit = self._workers, self._rate_limit
        uploads, downloads = bulk_uploads(actions), bulk_downloads(actions)
        failed: list[tuple[Action, SkyshelfError]] = []
        if uploads:
            failed += upload_many(
                self._client,
                self._local.top,
                self._root_key,
                uploads,
                done=self._sent,
                progress=self._moved,
                workers=workers,
                rate_limit=limit,
            )
        if downloads:
            folder = self._local.incoming / "many"
            arrived, missing = download_many(
                self._client,
                folder,
                self._root_key,
                downloads,
                progress=self._moved,
                workers=workers,
                rate_limit=limit,
            )
            failed += missing
            for action, path in arrived:
                self._attempt(action, partial(self._place, downloaded=path))
            discard(folder)
        for action, error in failed:
            self._attempt(action, partial(_raise, error))
        taken = {id(action) for action in (*uploads, *downloads)}
        return [action for action in actions if id(action) not in taken]

    def _sent(self, action: Action) -> None:
        """A file of a bulk upload has arrived; the next round finds it equal on both sides, and records it."""
        self.again = True
        self._did(action, size=action.size)

    def _place(self, action: Action, *, downloaded: Path) -> None:
        """Put a file of a bulk download in place."""
        remote = action.remote
        assert remote is not None
        above, parent = self._place_here(action)
        parts = (*above, action.name)
        md5 = md5_of(downloaded)
        found = self._local.place(downloaded, parts, None)
        self._placed(action, parts, parent, found, md5)

    def _copy(self, action: Action) -> None:
        if action.kind == "upload":
            self._upload(action)
        else:
            self._download(action)

    def _upload(self, action: Action) -> None:
        local, entry = action.local, action.entry
        assert local is not None
        if action.remote is not None and entry is not None:
            assert action.remote.parent is not None
            key, parent, name = action.remote.parent.key, entry.parent, entry.remote_name
            seen = None if action.remote.object is None else action.remote.object.version
        else:
            key, parent = self._place_there(action)
            name, seen = action.remote_name, 0
        parts = local.parts
        if not self._local.is_as_scanned(parts, local):
            raise ChangedMeanwhile(f"{action.path} changed since then")
        sent = self._client.upload(
            self._local.path(parts),
            key,
            name=name,
            options=UploadOptions(expected_version=seen),
            rate_limit=self._rate_limit,
            progress=lambda done, total: self._moved(action.path, done, total),
        )
        if not self._local.is_as_scanned(parts, local):
            self._changed(action)
        entry = entry_of(entry, parent, local.name, sent.name, sent.key)
        self._note_content(entry, local, sent.md5 or local.md5)
        self._index.record(entry)
        local.entry = entry
        self._did(action, size=local.size)

    def _download(self, action: Action) -> None:
        remote, entry, replaced = action.remote, action.entry, action.local
        assert remote is not None
        assert remote.object is not None
        if replaced is not None:
            assert entry is not None
            parts, parent = replaced.parts, entry.parent
        else:
            above, parent = self._place_here(action)
            parts = (*above, action.name)
        waiting = self._local.incoming / hashlib.sha256(f"{remote.key} {remote.md5}".encode()).hexdigest()[:32]
        if replaced is not None and not self._local.is_as_scanned(parts, replaced):
            raise ChangedMeanwhile(f"{action.path} changed since then")
        got = self._client.download(
            remote.object,
            waiting,
            overwrite=True,
            rate_limit=self._rate_limit,
            within=self._local.top,
            progress=lambda done, total: self._moved(action.path, done, total),
        )
        found = self._local.place(waiting, parts, replaced)
        self._placed(action, parts, parent, found, got.md5)

    def _placed(self, action: Action, parts: tuple[str, ...], parent: int, found: os.stat_result, md5: str) -> None:
        remote = action.remote
        assert remote is not None
        entry = entry_of(action.entry, parent, parts[-1], remote.name, remote.key)
        entry.md5, entry.inode = md5, signed_inode(found)
        entry.size, entry.modified_ns = found.st_size, found.st_mtime_ns
        self._index.record(entry)
        remote.entry = entry
        self._did(action, size=found.st_size)

    def _moved(self, path: str, done: int, total: int) -> None:
        self._report(SyncEvent(kind="progress", path=path, size=total, transferred=done))


def _raise(error: SkyshelfError, _: Action) -> None:
    raise error
