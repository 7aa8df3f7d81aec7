"""Who listens for changes, and waking them: one look at the store for all listeners of this process.

A listener holds no thread and no connection to the store while nothing happens. What this process writes wakes it at
once; what other instances write is seen by the next look.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from skyshelf.server.threads import Threads
from skyshelf.service import changes
from skyshelf.service.house import House
from skyshelf.service.refusals import Throttled
from skyshelf.storage.errors import StorageError
from skyshelf.wire.limits import CHANGE_STREAMS_PER_ACCOUNT

LOOK_SECONDS: Final = 1.0
_COME_BACK_SECONDS: Final = 30


class ChangeStreams:
    """All streams of one process. Everything here happens on its event loop."""

    def __init__(self, house: House, threads: Threads) -> None:
        self._house = house
        self._threads = threads
        self._listeners: dict[int, set[asyncio.Event]] = {}
        self._written = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None
        self.is_ending = False

    def refuse_too_many(self, account_id: int) -> None:
        """One account must not have all connections of a server."""
        if len(self._listeners.get(account_id, ())) >= CHANGE_STREAMS_PER_ACCOUNT:
            raise Throttled(_COME_BACK_SECONDS)

    @contextmanager
    def listening(self, account_id: int) -> Iterator[asyncio.Event]:
        """An event that is set whenever something has happened in the account, and at the end of everything."""
        heard = asyncio.Event()
        self._listeners.setdefault(account_id, set()).add(heard)
        if self.is_ending:
            heard.set()
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        try:
            yield heard
        finally:
            self._listeners[account_id].discard(heard)
            if not self._listeners[account_id]:
                del self._listeners[account_id]
            if not self._listeners:
                self._written.set()  # so that nobody looks for nobody

    def written(self) -> None:
        """Something may have changed: look now."""
        self._written.set()

    def end(self) -> None:
        """Have all streams end, so that a server that is told to stop does not wait for them."""
        self.is_ending = True
        for listeners in self._listeners.values():
            for heard in listeners:
                heard.set()
        self._written.set()

    async def _look(self) -> None:
        known: dict[int, int] = {}
        while self._listeners and not self.is_ending:
            self._written.clear()
            accounts = list(self._listeners)
            newest: dict[int, int] = {}
            with suppress(StorageError):  # a store that is away for a moment is asked again
                newest = await self._threads.call(lambda accounts=accounts: changes.newest(self._house, accounts))  # type: ignore[misc]
            for account_id, seq in newest.items():
                if known.get(account_id) != seq:
                    for heard in self._listeners.get(account_id, ()):
                        heard.set()
            known = newest or known
            with suppress(TimeoutError):
                await asyncio.wait_for(self._written.wait(), LOOK_SECONDS)
