"""Digests of boards, shared by all streams of an account: reading a large board is costly, and all see the same."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from skyshelf.service.boards import fingerprints
from skyshelf.service.context import Caller, ServiceContext

DIGESTS_KEPT: Final = 1024
_Key = tuple[int, str]
_Run = Callable[[Callable[[], bytes | None]], Awaitable[bytes | None]]


class BoardDigests:
    """What the members with streams last saw of their boards. Everything here runs on the event loop."""

    def __init__(self, ctx: ServiceContext, run: _Run) -> None:
        self._ctx = ctx
        self._run = run
        self._digests: dict[_Key, tuple[float, bytes]] = {}
        self._running: dict[_Key, tuple[float, asyncio.Task[bytes | None]]] = {}

    async def digest(self, caller: Caller, board_key: str, since: float) -> bytes | None:
        """A digest of what the caller saw at that moment of the monotonic clock or later; None if not a member."""
        key = (caller.account_id, board_key)
        at, seen = self._digests.get(key, (0.0, b""))
        if seen and at >= since:
            return seen
        began, running = self._running.get(key, (0.0, None))
        if running is None or began < since:
            if running is not None:
                # It may have read the board before the change; one after the other, so they never pile up.
                with suppress(Exception):
                    await asyncio.shield(running)
                return await self.digest(caller, board_key, since)
            running = asyncio.create_task(self._read(key, caller))
            self._running[key] = (time.monotonic(), running)
        return await asyncio.shield(running)

    async def _read(self, key: _Key, caller: Caller) -> bytes | None:
        began = time.monotonic()
        try:
            seen = await self._run(lambda: fingerprints.fingerprint_for_member(self._ctx, caller, key[1]))
        finally:
            del self._running[key]
        self._digests.pop(key, None)
        if seen is not None:
            self._digests[key] = (began, seen)
            if len(self._digests) > DIGESTS_KEPT:
                del self._digests[next(iter(self._digests))]
        return seen
