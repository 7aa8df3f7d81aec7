"""The pace of a client: one request rate for all its workers, and a limit on the bytes of many transfers.

When the server throttles one worker, all slow down together.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

from skyshelf.wire.limits import CLIENT_RETRY_WAIT_SECONDS

FIRST_INTERVAL: Final = 0.02
"""Seconds between two requests after the first 429; every further one doubles it."""

LONGEST_INTERVAL: Final = 2.0
"""The longest such interval. Both scale with the retry wait, so a client that retries sooner also sends sooner."""

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
        # Seconds between two turns; 0 without throttling.
        self.interval = 0.0
        self._next_turn = float("-inf")
        self._paused_until = float("-inf")
        self._throttled_at = float("-inf")

    async def turn(self) -> float:
        """Wait for this worker's turn; returns its time, which `throttled` takes."""
        while True:
            now = self._clock()
            if not self.interval and now >= self._next_turn:
                return now
            # Each waiter takes the next free slot, so they do not all wake at once.
            slot = max(now, self._next_turn)
            self._next_turn = slot + self.interval
            if slot > now:
                await self._sleep(slot - now)
                now = self._clock()
            if now >= self._paused_until:
                return now
            # Throttled again while waiting: take a slot after the new pause.

    def throttled(self, turn: float, wait: float) -> None:
        """Stop all workers for `wait` seconds: a request of that turn was answered 429.

        Several 429s to requests that were in flight together count once.
        """
        now = self._clock()
        self._paused_until = max(self._paused_until, now + wait)
        self._next_turn = max(self._next_turn, self._paused_until)
        if turn >= self._throttled_at:
            self.interval = min(max(2 * self.interval, self._first_interval), self._longest_interval)
            self._throttled_at = now

    def succeeded(self) -> None:
        """Speed up a little: a request was answered with something other than 429."""
        if self.interval:
            self.interval *= RECOVERY
            if self.interval < self._first_interval / 10:
                self.interval = 0.0


SMALLEST_PIECE: Final = 16 * 1024
_PIECES_PER_SECOND: Final = 8


class RateLimit:
    """A limit in bytes per second, shared by all transfers that get the same object: `RateLimit(2_000_000)`."""

    def __init__(
        self,
        bytes_per_second: int,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        if bytes_per_second < 1:
            raise ValueError("a rate limit must be at least one byte per second")
        self.bytes_per_second = bytes_per_second
        self._clock = clock
        self._sleep = sleep
        self._booked_until = float("-inf")

    def piece(self, size: int) -> int:
        """Return how much to transfer at once instead of `size`: small enough for an even flow."""
        return min(size, max(SMALLEST_PIECE, self.bytes_per_second // _PIECES_PER_SECOND))

    async def spend(self, count: int) -> None:
        """Wait until that many bytes fit the limit. Unused time is not saved up."""
        now = self._clock()
        # Each caller takes the next free time slot, so all of them together keep to the limit.
        self._booked_until = max(self._booked_until, now) + count / self.bytes_per_second
        await self._sleep(self._booked_until - now)
