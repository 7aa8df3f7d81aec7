"""Forwards progress to the host: at a limited rate, and never backwards."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from skyshelf.agent.context import ReportProgress

PAUSE_SECONDS: Final = 0.1

Send = Callable[[float, float | None, str | None], Awaitable[None]]


@asynccontextmanager
async def forward_progress(send: Send) -> AsyncIterator[ReportProgress]:
    """A progress callback that sends only the latest report, and the final one if the block succeeds."""
    latest: list[tuple[int, int | None, str]] = []
    reported = asyncio.Event()
    sent = 0

    def report_progress(done: int, total: int | None, unit: str) -> None:
        latest[:] = [(done, total, unit)]
        reported.set()

    async def send_latest() -> None:
        nonlocal sent
        # A restarted transfer goes backwards, but the protocol requires increasing values.
        if latest and latest[0][0] > sent:
            sent = latest[0][0]
            await send(*latest.pop())

    async def keep_sending() -> None:
        while await reported.wait():
            reported.clear()
            await send_latest()
            await asyncio.sleep(PAUSE_SECONDS)

    sender = asyncio.create_task(keep_sending())
    try:
        yield report_progress
    finally:
        sender.cancel()
        await asyncio.wait([sender])
    await send_latest()
