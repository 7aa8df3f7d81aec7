"""Carries a plan out, step by step; each is recorded in the index when it is done."""

import hashlib
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Final

from skyshelf.client.errors import (
    AuthenticationError,
    FileChangedError,
    LocalFileError,
    NetworkError,
    QuotaExceededError,
    RateLimitError,
    ReadOnlyError,
    ServerError,
    SkyshelfError,
)
from skyshelf.client.local.files import DiskFullError
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.desktop.sync.actions import Action, SyncPlan
from skyshelf.desktop.sync.events import SyncEvent
from skyshelf.desktop.sync.index import Entry, SyncIndex
from skyshelf.desktop.sync.local_side import ChangedMeanwhile, LocalSide
from skyshelf.desktop.sync.local_tree import LocalNode, composed, signed_inode
from skyshelf.desktop.sync.remote_tree import RemoteNode

if TYPE_CHECKING:
    from skyshelf.client.engine.rate_limit import RateLimit
    from skyshelf.client.sync_client import Client

STOPPING: Final = (
    AuthenticationError,
    DiskFullError,
    NetworkError,
    QuotaExceededError,
    RateLimitError,
    ReadOnlyError,
    ServerError,
)
"""Errors that end a run."""
_TRASH_BATCH: Final = 100


class Execution:
    """One plan being carried out."""

    def __init__(
        self,
        client: "Client",
        index: SyncIndex,
        local: LocalSide,
        *,
        workers: int,
        rate_limit: "RateLimit | None" = None,
        report: Callable[[SyncEvent], None],
    ) -> None:
        self._client = client
        self._index = index
        self._local = local
        self._workers = workers
        self._rate_limit = rate_limit
        self._report = report
        self._lock = threading.Lock()
        self._created_here: dict[RemoteNode, tuple[tuple[str, ...], int]] = {}
        self._created_there: dict[LocalNode, tuple[str, int]] = {}
        self.failures: list[tuple[str, SkyshelfError]] = []
        self.retry = False
        """Whether something changed while it was synced, so another round is needed."""
        self.done = 0
        self.failed_moves: set[int] = set()

    def run(self, plan: SyncPlan) -> bool:
        """Carry it out as far as possible without reading both sides again; whether that was all of it."""
        for action in plan.records:
            self._record(action)
        for action in plan.conflicts:
            self._attempt(action, self._conflict)
        if plan.conflicts:
            return False
        for action in plan.folders:
            self._attempt(action, self._create)
        for action in plan.moves:
            self._attempt(action, self._move)
        if plan.is_structural:
            return False
        self._transfer(plan.transfers)
        if not self.failures and not self.retry:
            # After a failed transfer, the trash could receive the only copy of something.
            self._delete(plan.deletions)
        return not self.retry

    def _attempt(self, action: Action, step: Callable[[Action], None]) -> None:
        try:
            step(action)
        except (ChangedMeanwhile, FileChangedError):
            self.retry = True
        except STOPPING:
            raise  # every further step would fail too
        except SkyshelfError as error:
            if action.kind in {"move local", "move remote"} and action.entry is not None:
                self.failed_moves.add(action.entry.id)
            self._fail(action.path, error)

    def _fail(self, path: str, error: SkyshelfError) -> None:
        with self._lock:
            error.__traceback__ = error.__context__ = None
            self.failures.append((path, error))
        self._report(SyncEvent(kind="failed", path=path, reason=str(error)))

    def _did(self, action: Action, *, to: str = "", size: int = 0) -> None:
        with self._lock:
            self.done += 1
        kind = action.kind
        assert kind != "link"
        assert kind != "forget"
        self._report(SyncEvent(kind=kind, path=action.path, to=to, reason=action.reason, size=size, transferred=size))

    # The index

    def _record(self, action: Action) -> None:
        entry = action.entry
        if action.kind == "forget":
            assert entry is not None
            self._index.forget([entry.id])
            return
        local, remote = action.local, action.remote
        assert local is not None
        assert remote is not None
        if entry is None:
            assert action.parent_local is not None
            above = action.parent_local.entry
            assert above is not None
            entry = _entry(None, above.id, local.name, remote.name, remote.key, is_folder=local.is_folder)
        elif action.parent_local is not None and action.parent_local.entry is not None:
            entry.parent, entry.name = action.parent_local.entry.id, action.name
            entry.remote_name = action.remote_name
        self._note_content(entry, local, remote.md5)
        entry.key = remote.key
        self._index.record(entry)
        local.entry = remote.entry = entry

    def _note_content(self, entry: Entry, local: LocalNode, md5: str | None) -> None:
        entry.md5, entry.inode = md5, local.inode
        entry.size, entry.modified_ns = local.size, local.modified_ns

    # Structure

    def _conflict(self, action: Action) -> None:
        assert action.local is not None
        parts = action.local.parts
        name = self._local.give_way(parts)
        self._did(action, to="/".join((*parts[:-1], name)))

    def _create(self, action: Action) -> None:
        if action.kind == "create local folder":
            self._create_here(action)
        else:
            self._create_there(action)
        self._did(action)

    def _create_here(self, action: Action) -> None:
        remote = action.remote
        assert remote is not None
        above, parent = self._place_here(action)
        parts = (*above, action.name)
        found = self._local.create_folder(parts)
        entry = _entry(action.entry, parent, action.name, remote.name, remote.key, is_folder=True)
        entry.inode = signed_inode(found)
        self._index.record(entry)
        remote.entry = entry
        self._created_here[remote] = (parts, entry.id)

    def _create_there(self, action: Action) -> None:
        local = action.local
        assert local is not None
        key, parent = self._place_there(action)
        made = self._client.create_folder(action.remote_name, key, exist_ok=True)
        entry = _entry(action.entry, parent, local.name, made.name, made.key, is_folder=True)
        entry.inode = local.inode
        self._index.record(entry)
        local.entry = entry
        self._created_there[local] = (made.key, entry.id)

    def _place_here(self, action: Action) -> tuple[tuple[str, ...], int]:
        """The local folder for a new item, and that folder's entry."""
        if action.parent_local is not None:
            assert action.parent_local.entry is not None
            return action.parent_local.parts, action.parent_local.entry.id
        assert action.remote is not None
        assert action.remote.parent is not None
        found = self._created_here.get(action.remote.parent)
        if found is None:
            raise LocalFileError("its folder could not be created")
        return found

    def _place_there(self, action: Action) -> tuple[str, int]:
        if action.parent_remote is not None:
            assert action.parent_remote.entry is not None
            return action.parent_remote.key, action.parent_remote.entry.id
        assert action.local is not None
        assert action.local.parent is not None
        found = self._created_there.get(action.local.parent)
        if found is None:
            raise LocalFileError("its folder could not be created on the server")
        return found

    def _move(self, action: Action) -> None:
        entry, local, remote = action.entry, action.local, action.remote
        assert entry is not None
        assert local is not None
        assert remote is not None
        assert action.parent_local is not None
        assert action.parent_remote is not None
        assert action.parent_local.entry is not None
        if action.kind == "move local":
            self._local.move(local.parts, (*action.parent_local.parts, action.name))
            local.parent, local.name = action.parent_local, action.name
        else:
            assert remote.object is not None
            moving: RemoteObject = remote.object
            if action.parent_remote is not remote.parent:
                moved = self._client.move([moving], action.parent_remote.key).outcomes[0].object
                moving = moved or self._client.get(remote.key, parent=action.parent_remote.key)
            if action.remote_name != remote.name:
                self._client.rename(moving, action.remote_name)
            remote.parent, remote.name = action.parent_remote, action.remote_name
        if local.parent is action.parent_local and remote.parent is action.parent_remote:
            entry.parent, entry.name = action.parent_local.entry.id, action.name
            entry.remote_name = action.remote_name
            self._index.record(entry)
        self._did(action, to=action.to)

    # Contents

    def _transfer(self, actions: list[Action]) -> None:
        """Several at once; Ctrl-C drops those that have not begun."""
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
        else:
            key, parent = self._place_there(action)
            name = action.remote_name
        parts = local.parts
        if not self._local.is_as_scanned(parts, local):
            raise ChangedMeanwhile(f"{action.path} changed since then")
        sent = self._client.upload(
            self._local.path(parts),
            key,
            name=name,
            rate_limit=self._rate_limit,
            progress=lambda done, total: self._moved(action.path, done, total),
        )
        if not self._local.is_as_scanned(parts, local):
            self.retry = True
        entry = _entry(entry, parent, local.name, sent.name, sent.key)
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
        entry = _entry(entry, parent, parts[-1], remote.name, remote.key)
        entry.md5, entry.inode = got.md5, signed_inode(found)
        entry.size, entry.modified_ns = found.st_size, found.st_mtime_ns
        self._index.record(entry)
        remote.entry = entry
        self._did(action, size=got.size)

    def _moved(self, path: str, done: int, total: int) -> None:
        self._report(SyncEvent(kind="progress", path=path, size=total, transferred=done))

    # Deletions

    def _delete(self, actions: Iterable[Action]) -> None:
        there = [action for action in actions if action.kind == "trash remote"]
        for start in range(0, len(there), _TRASH_BATCH):
            self._trash_there(there[start : start + _TRASH_BATCH])
        for action in actions:
            if action.kind == "trash local":
                self._attempt(action, self._trash_here)

    def _trash_there(self, actions: list[Action]) -> None:
        objects = [one.remote.object for one in actions if one.remote is not None and one.remote.object is not None]
        result = self._client.move_to_trash(objects, on_error="return")
        for action, outcome in zip(actions, result.outcomes, strict=False):
            if outcome.ok:
                self._forget(action.remote)
                self._did(action)
            else:
                self._fail(action.path, SkyshelfError(outcome.reason))

    def _trash_here(self, action: Action) -> None:
        assert action.local is not None
        self._local.trash(action.local.parts, action.local)
        nodes = (action.local, *action.local.below())
        self._index.forget([node.entry.id for node in nodes if node.entry is not None])
        self._did(action)

    def _forget(self, remote: RemoteNode | None) -> None:
        """The entries of everything that was trashed."""
        waiting = [] if remote is None else [remote]
        ids = []
        while waiting:
            node = waiting.pop()
            waiting += node.children
            if node.entry is not None:
                ids.append(node.entry.id)
        self._index.forget(ids)


def _entry(
    known: Entry | None, parent: int, name: str, remote_name: str, key: str, *, is_folder: bool = False
) -> Entry:
    """The entry of an item that both sides have by now."""
    entry = known or Entry(parent=parent, name=name, remote_name=remote_name, is_folder=is_folder, key=key)
    entry.parent, entry.name, entry.remote_name, entry.key = parent, name, composed(remote_name), key.upper()
    return entry
