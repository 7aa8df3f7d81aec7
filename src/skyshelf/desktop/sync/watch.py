"""Wakes a sync when something changes: locally by the system's notifications, remotely by the server's change stream.

Where either is missing, that side is polled. Both are checked every now and then in any case: systems drop
notifications when too many arrive at once.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Final

from skyshelf.client.errors import AuthenticationError, NotOfferedError, SkyshelfError
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.local_tree import STATE_FOLDER, LocalNode, LocalScan
from skyshelf.desktop.sync.selection import SELECTION

POLL_SECONDS: Final = 60.0
"""How often a server without a change stream is polled."""

_LOCAL_POLL_SECONDS: Final = 5.0
_QUIET_SECONDS: Final = 0.3
_RETRY_SECONDS: Final = 5.0
_RETRY_SECONDS_MAX: Final = 120.0
_CHECK_SECONDS: Final = 900.0


class Watch:
    """Watches both sides in two threads. Close it after use."""

    def __init__(
        self, client: Client, top: Path, *, interval: float = POLL_SECONDS, note: Callable[[str], None]
    ) -> None:
        """`note` is called with a sentence where a side cannot be watched and is looked at from time to time."""
        self._client = client
        self._top = top.resolve()
        self._interval = interval
        self._note = note
        self._changed = threading.Event()
        self._closed = threading.Event()
        self._threads = [
            threading.Thread(target=self._watch_local, name="sync-local", daemon=True),
            threading.Thread(target=self._watch_remote, name="sync-remote", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def wait(self, seconds: float = _CHECK_SECONDS) -> bool:
        """Wait for a change, and until no more follow at once; False after that time without one."""
        deadline = time.monotonic() + seconds
        # In steps: a signal that arrives just as the thread falls asleep does not wake it.
        while not self._changed.wait(min(0.5, max(0.0, deadline - time.monotonic()))):
            if time.monotonic() >= deadline:
                return False
        while self._changed.is_set():
            self._changed.clear()
            self._closed.wait(_QUIET_SECONDS)
        return True

    def close(self) -> None:
        self._closed.set()

    def _watch_local(self) -> None:
        try:
            import watchfiles
        except ImportError:
            self._note(
                f"Local changes are looked for every {_LOCAL_POLL_SECONDS:.0f} seconds; with `pip install"
                " skyshelf[sync]` they are noticed at once."
            )
            self._poll_local()
            return
        state = str(self._top / STATE_FOLDER)
        try:
            for _ in watchfiles.watch(
                self._top,
                watch_filter=lambda _, path: not path.startswith(state) or path.endswith(SELECTION),
                stop_event=self._closed,
                raise_interrupt=False,
                rust_timeout=500,
                debounce=200,
            ):
                self._changed.set()
        except (OSError, RuntimeError) as error:
            # Too many folders for the system's limit, or a file system without notifications.
            self._note(f"The system cannot watch {self._top} ({error}): it is looked at every few seconds.")
            self._poll_local()

    def _poll_local(self) -> None:
        before: object = None
        while not self._closed.wait(_LOCAL_POLL_SECONDS):
            try:
                now = _summary(LocalScan(self._top).read())
            except SkyshelfError:
                continue  # the sync itself reports it
            if before is not None and now != before:
                self._changed.set()
            before = now

    def _watch_remote(self) -> None:
        wait = _RETRY_SECONDS
        while not self._closed.is_set():
            try:
                for _ in self._client.changes.watch():
                    wait = _RETRY_SECONDS
                    self._changed.set()
                    if self._closed.is_set():
                        return
            except NotOfferedError:
                self._note(f"This server cannot report changes: it is looked at every {self._interval:.0f} seconds.")
                while not self._closed.wait(self._interval):
                    self._changed.set()
                return
            except AuthenticationError:
                self._changed.set()  # the sync that follows ends with the reason
                return
            except (SkyshelfError, RuntimeError, CancelledError):
                pass  # no connection, or the client is being closed
            if self._closed.wait(wait):
                return
            wait = min(2 * wait, _RETRY_SECONDS_MAX)
            # Something may have changed while there was no connection.
            self._changed.set()


def _summary(root: LocalNode) -> frozenset[tuple[str, int, int, int]]:
    return frozenset((node.path, node.size, node.modified_ns, node.changed_ns) for node in root.below())


def keep_in_sync(run: Callable[[], None], watch: Watch, *, problem: Callable[[SkyshelfError], None]) -> None:
    """Sync whenever something changes, until an interrupt; wait while there is no connection.

    `problem` is called with each error; one that waiting does not help is raised.
    """
    wait = _RETRY_SECONDS
    while True:
        try:
            run()
        except SkyshelfError as error:
            if not error.retryable:
                raise
            problem(error)
            watch.wait(wait)
            wait = min(2 * wait, _RETRY_SECONDS_MAX)
            continue
        wait = _RETRY_SECONDS
        watch.wait()
