"""Change streams: one poll of the store for all listeners of this process, which it wakes.

An idle listener occupies no thread and no connection to the store. Writes of this process wake it at once; those of
other processes are noticed by the next poll.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Final, NamedTuple, TypeVar

from skyshelf.server.events.board_digests import BoardDigests
from skyshelf.server.http.thread_pools import Threads
from skyshelf.service.boards import fingerprints
from skyshelf.service.context import ServiceContext
from skyshelf.service.files import changes
from skyshelf.storage.errors import StorageError

POLL_SECONDS: Final = 1.0
_Key = TypeVar("_Key", int, str)
_Listeners = dict[_Key, set[asyncio.Event]]


class ChangeStreams:
    """All streams of a process. Everything here runs on its event loop."""

    def __init__(self, ctx: ServiceContext, threads: Threads) -> None:
        self._ctx = ctx
        self._threads = threads
        self.digests = BoardDigests(ctx, threads.call)
        self._listeners: dict[int, set[asyncio.Event]] = {}
        self._board_listeners: dict[str, set[asyncio.Event]] = {}
        self._invited_listeners: dict[int, set[asyncio.Event]] = {}
        self._written = asyncio.Event()
        self._polling: asyncio.Task[None] | None = None
        self.is_ending = False

    @contextmanager
    def listening(
        self, account_id: int, board_key: str | None = None, *, invitations: bool = False
    ) -> Iterator[asyncio.Event]:
        """An event that is set after a change in the account, after a possible change of the board or of the account's
        invitations, and on shutdown."""
        wake = asyncio.Event()
        with ExitStack() as listening:
            listening.callback(self._stop_if_idle)
            listening.enter_context(_registered(self._listeners, account_id, wake))
            if board_key is not None:
                listening.enter_context(_registered(self._board_listeners, board_key, wake))
            if invitations:
                listening.enter_context(_registered(self._invited_listeners, account_id, wake))
            if self.is_ending:
                wake.set()
            yield wake

    @property
    def count(self) -> int:
        """How many streams are open."""
        return sum(map(len, self._listeners.values()))

    def _stop_if_idle(self) -> None:
        if not self._listeners:
            self._written.set()  # ends the polling

    def keep_polling(self) -> None:
        """Called before waiting: a stream that only sends existing changes needs no polling."""
        if self._polling is None or self._polling.done():
            self._polling = asyncio.create_task(self._poll())

    def written(self) -> None:
        """Something may have changed: poll now."""
        self._written.set()

    def end(self) -> None:
        """End all streams, so a stopping server does not wait for them."""
        self.is_ending = True
        for listeners in self._listeners.values():
            for wake in listeners:
                wake.set()
        self._written.set()

    async def _poll(self) -> None:
        known = _State({}, {}, {})
        while self._listeners and not self.is_ending:
            self._written.clear()
            asked = (list(self._listeners), list(self._board_listeners), list(self._invited_listeners))
            current = known
            with suppress(StorageError):  # an unavailable store is polled again
                current = await self._threads.call(partial(self._state, *asked))
            _wake(self._listeners, known.newest, current.newest)
            _wake(self._board_listeners, known.boards, current.boards)
            _wake(self._invited_listeners, known.invited, current.invited)
            known = current
            with suppress(TimeoutError):
                await asyncio.wait_for(self._written.wait(), POLL_SECONDS)

    def _state(self, accounts: list[int], boards: list[str], invited: list[int]) -> "_State":
        return _State(
            changes.newest(self._ctx, accounts),
            fingerprints.board_change_tokens(self._ctx, boards),
            fingerprints.invitation_change_tokens(self._ctx, invited),
        )


class _State(NamedTuple):
    """The result of a poll: the newest change per account, and change tokens of boards and invitations."""

    newest: dict[int, int]
    boards: dict[str, str]
    invited: dict[int, str]


def _wake(listeners: _Listeners[_Key], known: Mapping[_Key, object], current: Mapping[_Key, object]) -> None:
    """Wake the listeners whose token has changed or disappeared."""
    for key, events in listeners.items():
        if known.get(key) != current.get(key):
            for event in events:
                event.set()


@contextmanager
def _registered(listeners: _Listeners[_Key], key: _Key, event: asyncio.Event) -> Iterator[None]:
    listeners.setdefault(key, set()).add(event)
    try:
        yield
    finally:
        listeners[key].discard(event)
        if not listeners[key]:
            del listeners[key]
