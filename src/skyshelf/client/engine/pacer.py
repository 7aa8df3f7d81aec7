"""One request rate for all workers of a client: when the server throttles one of them, all slow down together."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

from skyshelf.wire.limits import CLIENT_RETRY_WAIT_SECONDS

FIRST_INTERVAL: Final = 0.02
"""Seconds between two requests after the first 429; every further one doubles it."""

LONGEST_INTERVAL: Final = 2.0
"""Both intervals scale with the retry wait: a client that waits less after a failure is as much quicker here."""

RECOVERY: Final = 0.9
"""How much of the interval is left after a response other than 429; below a tenth of the first it is dropped."""


class Pacer:
    """Hands out turns: at once without throttling; one by one, at intervals, after a 429."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        *,
        wait: float = CLIENT_RETRY_WAIT_SECONDS,
    ) -> None:
        share = wait / CLIENT_RETRY_WAIT_SECONDS
        self._first_interval = FIRST_INTERVAL * share
        self._longest_interval = LONGEST_INTERVAL * share
        self._clock = clock
        self._sleep = sleep
        self._interval = 0.0
        self._next_turn = float("-inf")
        self._paused_until = float("-inf")
        self._throttled_at = float("-inf")

    @property
    def interval(self) -> float:
        """Seconds between two turns now; 0 without throttling."""
        return self._interval

    async def turn(self) -> float:
        """Wait for this worker's turn; returns its time, which `throttled` takes."""
        while True:
            now = self._clock()
            if not self._interval and now >= self._next_turn:
                return now
            # Each waiter takes the next free slot, so they do not all wake at once.
            slot = max(now, self._next_turn)
            self._next_turn = slot + self._interval
            if slot > now:
                await self._sleep(slot - now)
                now = self._clock()
            if now >= self._paused_until:
                return now
            # Throttled again while waiting: take a slot after the new pause.

    def throttled(self, turn: float, wait: float) -> None:
        """A request of that turn was answered 429: no worker sends anything for `wait` seconds.

        Several 429s to requests that were in flight together count once.
        """
        now = self._clock()
        self._paused_until = max(self._paused_until, now + wait)
        self._next_turn = max(self._next_turn, self._paused_until)
        if turn >= self._throttled_at:
            self._interval = min(max(2 * self._interval, self._first_interval), self._longest_interval)
            self._throttled_at = now

    def succeeded(self) -> None:
        """A request was answered with something other than 429: speed up a little."""
        if self._interval:
            self._interval *= RECOVERY
            if self._interval < self._first_interval / 10:
                self._interval = 0.0
