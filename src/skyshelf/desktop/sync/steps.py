"""What all steps of a sync share: their reports, their failures, and where new items belong."""

import threading
from collections.abc import Callable
from typing import Final

from skyshelf.client import errors
from skyshelf.client.engine.pacer import RateLimit
from skyshelf.client.local.files import DiskFullError
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.actions import Action, SyncEvent
from skyshelf.desktop.sync.index import Entry, SyncIndex
from skyshelf.desktop.sync.local_side import ChangedSinceScan, LocalSide
from skyshelf.desktop.sync.local_tree import LocalNode, composed
from skyshelf.desktop.sync.refusals import can_be_merged, refusal
from skyshelf.desktop.sync.remote_tree import RemoteNode
from skyshelf.wire import error_codes as codes

STOPPING: Final = (
    errors.AuthenticationError,
    DiskFullError,
    errors.NetworkError,
    errors.QuotaExceededError,
    errors.RateLimitError,
    errors.ReadOnlyError,
    errors.ServerError,
)
"""Errors that end a run."""


class Steps:
    """One plan being carried out."""

    def __init__(
        self,
        client: Client,
        index: SyncIndex,
        local: LocalSide,
        root_key: str,
        *,
        workers: int,
        upload_limit: RateLimit | None = None,
        download_limit: RateLimit | None = None,
        report: Callable[[SyncEvent], None],
    ) -> None:
        self._client = client
        self._index = index
        self._local = local
        self._root_key = root_key
        self._workers = workers
        self._upload_limit = upload_limit
        self._download_limit = download_limit
        self._report = report
        self._lock = threading.Lock()
        self._created_here: dict[RemoteNode, tuple[tuple[str, ...], int]] = {}
        self._created_there: dict[LocalNode, tuple[str, int]] = {}
        self.has_modes = False
        """Whether both sides keep which files are executable."""
        self.failures: list[tuple[str, errors.SkyshelfError]] = []
        self.changed: set[str] = set()
        """Paths of items that changed while they were synced, so another round is needed."""
        self.again = False
        """Whether another round records what this one did."""
        self.done = 0
        self.failed_moves: set[int] = set()
        self.refused_moves: dict[int, tuple[str, errors.SkyshelfError]] = {}
        """The failures of moves that stay as they are, by entry: nothing on either side would make them possible."""

    @property
    def retry(self) -> bool:
        return bool(self.changed)

    def _attempt(self, action: Action, step: Callable[[Action], None]) -> None:
        try:
            step(action)
        except (ChangedSinceScan, errors.FileChangedError):
            self._changed(action)
        except errors.ConflictError as error:
            if error.code != codes.VERSION_CHANGED.code:
                self._failed_step(action, error)
            else:
                # Somebody else was faster: the next round finds two edits, and keeps both.
                self._changed(action)
        except STOPPING:
            raise  # every further step would fail too
        except errors.SkyshelfError as error:
            self._failed_step(action, error)

    def _failed_step(self, action: Action, error: errors.SkyshelfError) -> None:
        error = refusal(error)
        if action.kind in {"move local", "move remote"} and action.entry is not None:
            if can_be_merged(error):
                self.failed_moves.add(action.entry.id)
            else:
                self.refused_moves[action.entry.id] = (action.path, error)
        self._fail(action.path, error)

    def _changed(self, action: Action) -> None:
        with self._lock:
            self.changed.add(action.path)

    def _fail(self, path: str, error: errors.SkyshelfError) -> None:
        with self._lock:
            error.__traceback__ = error.__context__ = None
            self.failures.append((path, error))
        self._report(SyncEvent(kind="failed", path=path, reason=str(error)))

    def _did(self, action: Action, *, to: str = "", size: int = 0) -> None:
        with self._lock:
            self.done += 1
        self._report(
            SyncEvent(kind=action.kind, path=action.path, to=to, reason=action.reason, size=size, transferred=size)
        )

    def _note_content(self, entry: Entry, local: LocalNode, md5: str | None) -> None:
        entry.md5, entry.inode, entry.is_mount = md5, local.inode, local.is_mount
        entry.size, entry.modified_ns, entry.changed_ns = local.size, local.trusted_ns, local.changed_ns

    def _place_here(self, action: Action) -> tuple[tuple[str, ...], int]:
        """Return the local folder for a new item, and that folder's entry."""
        if action.parent_local is not None:
            assert action.parent_local.entry is not None
            return action.parent_local.parts, action.parent_local.entry.id
        assert action.there.parent is not None
        found = self._created_here.get(action.there.parent)
        if found is None:
            raise errors.LocalFileError("its folder could not be created")
        return found

    def _place_there(self, action: Action) -> tuple[str, int]:
        if action.parent_remote is not None:
            assert action.parent_remote.entry is not None
            return action.parent_remote.key, action.parent_remote.entry.id
        assert action.here.parent is not None
        found = self._created_there.get(action.here.parent)
        if found is None:
            raise errors.LocalFileError("its folder could not be created on the server")
        return found


def entry_of(
    known: Entry | None, parent: int, name: str, remote_name: str, key: str, *, is_folder: bool = False
) -> Entry:
    """Return the entry of an item that both sides have by now."""
    entry = known or Entry(parent=parent, name=name, remote_name=remote_name, is_folder=is_folder, key=key)
    entry.parent, entry.name, entry.remote_name, entry.key = parent, name, composed(remote_name), key.upper()
    return entry
