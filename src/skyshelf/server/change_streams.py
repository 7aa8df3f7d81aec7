"""Who listens for changes, and waking them: one look at the store for all listeners of this process.

A listener holds no thread and no connection to the store while nothing happens. What this process writes wakes it at
once; what other instances write is seen by the next look.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Final, TypeVar

from skyshelf.server.threads import Threads
from skyshelf.service import board_news, changes
from skyshelf.service.house import House
from skyshelf.service.refusals import Throttled
from skyshelf.storage.errors import StorageError
from skyshelf.wire.limits import CHANGE_STREAMS_PER_ACCOUNT

LOOK_SECONDS: Final = 1.0
_COME_BACK_SECONDS: Final = 30
_Key = TypeVar("_Key", int, str)


class ChangeStreams:
    """All streams of one process. Everything here happens on its event loop."""

    def __init__(self, house: House, threads: Threads) -> None:
        self._house = house
        self._threads = threads
        self._listeners: dict[int, set[asyncio.Event]] = {}
        self._board_listeners: dict[str, set[asyncio.Event]] = {}
        self._written = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None
        self.is_ending = False

    def refuse_too_many(self, account_id: int) -> None:
        """One account must not have all connections of a server."""
        if len(self._listeners.get(account_id, ())) >= CHANGE_STREAMS_PER_ACCOUNT:
            raise Throttled(_COME_BACK_SECONDS)

    @contextmanager
    def listening(self, account_id: int, board_key: str | None = None) -> Iterator[asyncio.Event]:
        """An event that is set whenever something has happened in the account, or may have on the board, and at the
        end of everything."""
        heard = asyncio.Event()
        self._listeners.setdefault(account_id, set()).add(heard)
        if board_key is not None:
            self._board_listeners.setdefault(board_key, set()).add(heard)
        if self.is_ending:
            heard.set()
        try:
            yield heard
        finally:
            _leave(self._listeners, account_id, heard)
            if board_key is not None:
                _leave(self._board_listeners, board_key, heard)
            if not self._listeners:
                self._written.set()  # so that nobody looks for nobody

    def keep_looking(self) -> None:
        """To be called before waiting: a stream that only tells what there is needs nobody who looks."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())

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
        known_signs: dict[str, str] = {}
        while self._listeners and not self.is_ending:
            self._written.clear()
            accounts = list(self._listeners)
            newest: dict[int, int] = {}
            signs: dict[str, str] = known_signs
            with suppress(StorageError):  # a store that is away for a moment is asked again
                newest, signs = await self._threads.call(partial(self._seen, accounts, list(self._board_listeners)))
            for account_id, seq in newest.items():
                if known.get(account_id) != seq:
                    for heard in self._listeners.get(account_id, ()):
                        heard.set()
            known = newest or known
            self._wake_boards(known_signs, signs)
            known_signs = signs
            with suppress(TimeoutError):
                await asyncio.wait_for(self._written.wait(), LOOK_SECONDS)

    def _seen(self, accounts: list[int], boards: list[str]) -> tuple[dict[int, int], dict[str, str]]:
        return changes.newest(self._house, accounts), board_news.signs(self._house, boards)

    def _wake_boards(self, known: dict[str, str], signs: dict[str, str]) -> None:
        """Wake those whose board has another sign than before, or none any more."""
        for board, listeners in self._board_listeners.items():
            if known.get(board) != signs.get(board):
                for heard in listeners:
                    heard.set()


def _leave(listeners: dict[_Key, set[asyncio.Event]], key: _Key, heard: asyncio.Event) -> None:
    listeners[key].discard(heard)
    if not listeners[key]:
        del listeners[key]
