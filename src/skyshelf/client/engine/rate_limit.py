"""A limit on bytes per second that many transfers share, so that the line is left to others too."""

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
            raise ValueError("a limit is at least one byte per second")
        self.bytes_per_second = bytes_per_second
        self._clock = clock
        self._sleep = sleep
        self._paid_until = float("-inf")

    def piece(self, size: int) -> int:
        """How much to move at once where `size` would do without a limit: small enough for an even flow."""
        return min(size, max(SMALLEST_PIECE, self.bytes_per_second // _PIECES_PER_SECOND))

    async def spend(self, count: int) -> None:
        """Wait until that many bytes are paid for. Time that nobody used is not saved up."""
        now = self._clock()
        # Each takes the next free time on the line, so that all of them together keep to the limit.
        self._paid_until = max(self._paid_until, now) + count / self.bytes_per_second
        await self._sleep(self._paid_until - now)
