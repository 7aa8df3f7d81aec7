"""Who listens for changes, and waking them: one look at the store for all listeners of this process.

A listener holds no thread and no connection to the store while nothing happens. What this process writes wakes it at
once; what other instances write is seen by the next look.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Final, NamedTuple, TypeVar

from skyshelf.server.http.thread_pools import Threads
from skyshelf.service.boards import fingerprints
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import Throttled
from skyshelf.service.files import changes
from skyshelf.storage.errors import StorageError
from skyshelf.wire.limits import CHANGE_STREAMS_PER_ACCOUNT

LOOK_SECONDS: Final = 1.0
_COME_BACK_SECONDS: Final = 30
_Key = TypeVar("_Key", int, str)
_Listeners = dict[_Key, set[asyncio.Event]]


class ChangeStreams:
    """All streams of one process. Everything here happens on its event loop."""

    def __init__(self, ctx: ServiceContext, threads: Threads) -> None:
        self._ctx = ctx
        self._threads = threads
        self._listeners: dict[int, set[asyncio.Event]] = {}
        self._board_listeners: dict[str, set[asyncio.Event]] = {}
        self._invited_listeners: dict[int, set[asyncio.Event]] = {}
        self._written = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None
        self.is_ending = False

    def refuse_too_many(self, account_id: int) -> None:
        """One account must not have all connections of a server."""
        if len(self._listeners.get(account_id, ())) >= CHANGE_STREAMS_PER_ACCOUNT:
            raise Throttled(_COME_BACK_SECONDS)

    @contextmanager
    def listening(
        self, account_id: int, board_key: str | None = None, *, invitations: bool = False
    ) -> Iterator[asyncio.Event]:
        """An event that is set whenever something has happened in the account, or may have on the board or to the
        invitations of the account, and at the end of everything."""
        heard = asyncio.Event()
        with ExitStack() as listening:
            listening.callback(self._nobody_is_left)
            listening.enter_context(_among(self._listeners, account_id, heard))
            if board_key is not None:
                listening.enter_context(_among(self._board_listeners, board_key, heard))
            if invitations:
                listening.enter_context(_among(self._invited_listeners, account_id, heard))
            if self.is_ending:
                heard.set()
            yield heard

    def _nobody_is_left(self) -> None:
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
        known = _Seen({}, {}, {})
        while self._listeners and not self.is_ending:
            self._written.clear()
            asked = (list(self._listeners), list(self._board_listeners), list(self._invited_listeners))
            seen = known
            with suppress(StorageError):  # a store that is away for a moment is asked again
                seen = await self._threads.call(partial(self._seen, *asked))
            _wake(self._listeners, known.newest, seen.newest)
            _wake(self._board_listeners, known.boards, seen.boards)
            _wake(self._invited_listeners, known.invited, seen.invited)
            known = seen
            with suppress(TimeoutError):
                await asyncio.wait_for(self._written.wait(), LOOK_SECONDS)

    def _seen(self, accounts: list[int], boards: list[str], invited: list[int]) -> "_Seen":
        return _Seen(
            changes.newest(self._ctx, accounts),
            fingerprints.board_change_tokens(self._ctx, boards),
            fingerprints.invitation_change_tokens(self._ctx, invited),
        )


class _Seen(NamedTuple):
    """What one look has found: the newest change of accounts, and signs of boards and of invitations."""

    newest: dict[int, int]
    boards: dict[str, str]
    invited: dict[int, str]


def _wake(listeners: _Listeners[_Key], known: Mapping[_Key, object], seen: Mapping[_Key, object]) -> None:
    """Wake those for whom there is another sign than before, or none any more."""
    for key, listening in listeners.items():
        if known.get(key) != seen.get(key):
            for heard in listening:
                heard.set()


@contextmanager
def _among(listeners: _Listeners[_Key], key: _Key, heard: asyncio.Event) -> Iterator[None]:
    listeners.setdefault(key, set()).add(heard)
    try:
        yield
    finally:
        listeners[key].discard(heard)
        if not listeners[key]:
            del listeners[key]
