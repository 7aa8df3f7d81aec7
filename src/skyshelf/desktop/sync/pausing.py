"""When a sync may run: not while it is paused, and only in the hours that the user allows.

A pause is a file in the state folder, so every process sees it at once, a running watch too. A run that may not go on
ends after the step that it is at; transfers wait (`schedule.py`).
"""

import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Final

from skyshelf.client.errors import SkyshelfError
from skyshelf.client.local.files import translate_os_errors, write_private
from skyshelf.desktop.sync.actions import SyncEvent
from skyshelf.desktop.sync.schedule import Hours
from skyshelf.wire.client_errors import CONFLICT_ERROR

PAUSE: Final = "paused"
FOREVER: Final = 0
LOOK_SECONDS: Final = 1.0
"""How often a running sync looks for a pause."""


class PausedError(SkyshelfError):
    """The sync may not go on now; what was done is done, and it continues later."""

    exit_code = CONFLICT_ERROR.exit_code
    retryable = True


def pause(state: Path, until: int = FOREVER) -> None:
    """Pause the sync with this state folder, until a time in epoch milliseconds or until it is resumed."""
    with translate_os_errors("cannot write", state / PAUSE):
        write_private(state / PAUSE, str(until).encode())


def resume(state: Path) -> bool:
    """End a pause; return whether there was one."""
    was_paused = paused_until(state) is not None
    with translate_os_errors("cannot delete", state / PAUSE):
        (state / PAUSE).unlink(missing_ok=True)
    return was_paused


def paused_until(state: Path, now: float | None = None) -> int | None:
    """Return until when a sync is paused; None if it is not. A file that says something else pauses for good."""
    try:
        text = (state / PAUSE).read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    until = int(text) if text.isascii() and text.isdigit() else FOREVER
    is_over = until != FOREVER and until <= (time.time() if now is None else now) * 1000
    return None if is_over else until


class Gate:
    """Says whether a sync may run now. Safe to call from any thread."""

    def __init__(
        self,
        state: Path,
        hours: Hours | None = None,
        *,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:
        self._state = state
        self._hours = hours
        self._now = now
        self._looked = float("-inf")
        self._reason: str | None = None

    def reason(self) -> str | None:
        """Say why the sync may not run now; None if it may. The file is looked at every second at most."""
        at = time.monotonic()
        if at - self._looked >= LOOK_SECONDS:
            self._looked = at
            self._reason = self._found()
        return self._reason

    def check(self, _: SyncEvent | None = None) -> None:
        """Raise PausedError where the sync may not go on."""
        reason = self.reason()
        if reason is not None:
            raise PausedError(reason)

    def wait(self, note: Callable[[str], None]) -> None:
        """Return when the sync may run; `note` is called with the reason for waiting, once."""
        told = ""
        while (reason := self._found()) is not None:
            if reason != told:
                note(reason)
                told = reason
            time.sleep(LOOK_SECONDS)
        self._looked = float("-inf")

    def _found(self) -> str | None:
        until = paused_until(self._state, self._now().timestamp())
        if until is not None:
            moment = f" until {datetime.fromtimestamp(until / 1000).astimezone():%Y-%m-%d %H:%M}" if until else ""
            return f"{self._state.parent} is paused{moment}: `skyshelf sync resume` ends the pause"
        if self._hours is not None and self._now().time() not in self._hours:
            return f"{self._state.parent} is synced from {self._hours} only"
        return None
