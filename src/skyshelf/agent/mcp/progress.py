"""Progress on its way to the host: never faster than the host takes it, and never backwards."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from skyshelf.agent.context import ReportProgress

PAUSE_SECONDS: Final = 0.1

Send = Callable[[float, float | None, str | None], Awaitable[None]]


@asynccontextmanager
async def passed_on(send: Send) -> AsyncIterator[ReportProgress]:
    """Something to tell progress to; only the newest is passed on, and at the end of a block that succeeds the last."""
    newest: list[tuple[int, int | None, str]] = []
    news = asyncio.Event()
    sent = 0

    def report_progress(done: int, total: int | None, words: str) -> None:
        newest[:] = [(done, total, words)]
        news.set()

    async def send_newest() -> None:
        nonlocal sent
        # A transfer that begins anew goes backwards; the protocol allows only larger numbers.
        if newest and newest[0][0] > sent:
            sent = newest[0][0]
            await send(*newest.pop())

    async def keep_sending() -> None:
        while await news.wait():
            news.clear()
            await send_newest()
            await asyncio.sleep(PAUSE_SECONDS)

    sender = asyncio.create_task(keep_sending())
    try:
        yield report_progress
    finally:
        sender.cancel()
        await asyncio.wait([sender])
    await send_newest()
