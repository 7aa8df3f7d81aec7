"""One pace for all workers of a client: when the server throttles one of them, all slow down together."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

from skyshelf.wire.limits import CLIENT_RETRY_WAIT_SECONDS

FIRST_INTERVAL: Final = 0.02
"""Seconds between two requests after the first 429; doubled by every further one."""

LONGEST_INTERVAL: Final = 2.0
"""Both are for the usual waits; a client that waits less after a fault is as much quicker here."""

RECOVERY: Final = 0.9
"""What an answer other than 429 makes of the interval; below a tenth of the first one there is none again."""


class Pacer:
    """Hands out turns. Without throttling a turn costs nothing; after a 429 turns come one by one, at intervals."""

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
        """Seconds that lie between two turns now; 0 when nobody throttles."""
        return self._interval

    async def turn(self) -> float:
        """Wait until it is this worker's turn; returns the moment, which `throttled` wants to know."""
        while True:
            now = self._clock()
            if not self._interval and now >= self._next_turn:
                return now
            # Each waiter takes the next free place, so that they do not all wake at once.
            place = max(now, self._next_turn)
            self._next_turn = place + self._interval
            if place > now:
                await self._sleep(place - now)
                now = self._clock()
            if now >= self._paused_until:
                return now
            # Throttled again while waiting: whoever waited takes a place after the new pause.

    def throttled(self, turn: float, wait: float) -> None:
        """A request that began at that turn was answered 429: nobody sends anything for `wait` seconds.

        The answers to requests that were under way together are one sign and not many, so that the interval grows
        once for them.
        """
        now = self._clock()
        self._paused_until = max(self._paused_until, now + wait)
        self._next_turn = max(self._next_turn, self._paused_until)
        if turn >= self._throttled_at:
            self._interval = min(max(2 * self._interval, self._first_interval), self._longest_interval)
            self._throttled_at = now

    def went_well(self) -> None:
        """A request was answered, and not with 429: speed up a little."""
        if self._interval:
            self._interval *= RECOVERY
            if self._interval < self._first_interval / 10:
                self._interval = 0.0
