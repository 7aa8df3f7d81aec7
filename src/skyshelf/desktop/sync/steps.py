"""What all steps of a sync share: their reports, their failures, and where new items belong."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from skyshelf.client.errors import (
    AuthenticationError,
    ConflictError,
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
from skyshelf.desktop.sync.actions import Action
from skyshelf.desktop.sync.events import SyncEvent
from skyshelf.desktop.sync.index import Entry, SyncIndex
from skyshelf.desktop.sync.local_side import ChangedMeanwhile, LocalSide
from skyshelf.desktop.sync.local_tree import LocalNode, composed
from skyshelf.desktop.sync.remote_tree import RemoteNode
from skyshelf.wire import error_codes as codes

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


class Steps:
    """One plan being carried out."""

    def __init__(
        self,
        client: "Client",
        index: SyncIndex,
        local: LocalSide,
        root_key: str,
        *,
        workers: int,
        rate_limit: "RateLimit | None" = None,
        report: Callable[[SyncEvent], None],
    ) -> None:
        self._client = client
        self._index = index
        self._local = local
        self._root_key = root_key
        self._workers = workers
        self._rate_limit = rate_limit
        self._report = report
        self._lock = threading.Lock()
        self._created_here: dict[RemoteNode, tuple[tuple[str, ...], int]] = {}
        self._created_there: dict[LocalNode, tuple[str, int]] = {}
        self.failures: list[tuple[str, SkyshelfError]] = []
        self.changed: set[str] = set()
        """Paths of items that changed while they were synced, so another round is needed."""
        self.again = False
        """Whether another round records what this one did."""
        self.done = 0
        self.failed_moves: set[int] = set()

    @property
    def retry(self) -> bool:
        """Whether another round is needed."""
        return bool(self.changed)

    def _attempt(self, action: Action, step: Callable[[Action], None]) -> None:
        try:
            step(action)
        except (ChangedMeanwhile, FileChangedError):
            self._changed(action)
        except ConflictError as error:
            if error.code != codes.VERSION_CHANGED.code:
                self._failed_step(action, error)
            else:
                # Somebody else was faster: the next round finds two edits, and keeps both.
                self._changed(action)
        except STOPPING:
            raise  # every further step would fail too
        except SkyshelfError as error:
            self._failed_step(action, error)

    def _failed_step(self, action: Action, error: SkyshelfError) -> None:
        if action.kind in {"move local", "move remote"} and action.entry is not None:
            self.failed_moves.add(action.entry.id)
        self._fail(action.path, error)

    def _changed(self, action: Action) -> None:
        with self._lock:
            self.changed.add(action.path)

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

    def _note_content(self, entry: Entry, local: LocalNode, md5: str | None) -> None:
        entry.md5, entry.inode = md5, local.inode
        entry.size, entry.modified_ns = local.size, local.trusted_ns

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


def entry_of(
    known: Entry | None, parent: int, name: str, remote_name: str, key: str, *, is_folder: bool = False
) -> Entry:
    """The entry of an item that both sides have by now."""
    entry = known or Entry(parent=parent, name=name, remote_name=remote_name, is_folder=is_folder, key=key)
    entry.parent, entry.name, entry.remote_name, entry.key = parent, name, composed(remote_name), key.upper()
    return entry
