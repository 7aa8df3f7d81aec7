"""Answers to callers who are refused again and again are held back for a moment.

A refusal costs little, but a caller who repeats a refused request at once, on hundreds of connections, would keep the
event loop busy with nothing else. A client that waits for `Retry-After` does not notice.
"""

import time
from typing import Final

from skyshelf.server.http.admission.kinds import Key

FREE: Final = 20
"""Refusals in a window that are answered at once."""
WINDOW_SECONDS: Final = 10.0
DELAY_SECONDS: Final = 1.0
CALLERS_KEPT: Final = 4096


class Refusals:
    """The refusals of each caller in the current window."""

    def __init__(self) -> None:
        self._counts: dict[Key, int] = {}
        self._window_ends = 0.0

    def delay(self, key: Key) -> float:
        """Count a refusal; the seconds to wait before it is answered."""
        now = time.monotonic()
        if now > self._window_ends or len(self._counts) > CALLERS_KEPT:
            self._counts.clear()
            self._window_ends = now + WINDOW_SECONDS
        count = self._counts[key] = self._counts.get(key, 0) + 1
        return DELAY_SECONDS if count > FREE else 0.0
