"""A limit on bytes per second, shared by many transfers."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

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
        """How much to transfer at once instead of `size`: small enough for an even flow."""
        return min(size, max(SMALLEST_PIECE, self.bytes_per_second // _PIECES_PER_SECOND))

    async def spend(self, count: int) -> None:
        """Wait until that many bytes fit the limit. Unused time is not saved up."""
        now = self._clock()
        # Each caller takes the next free time slot, so all of them together keep to the limit.
        self._booked_until = max(self._booked_until, now) + count / self.bytes_per_second
        await self._sleep(self._booked_until - now)
