"""Change streams: one poll of the store for all listeners of this process, which it wakes.

An idle listener occupies no thread and no connection to the store. Writes of this process wake it at once; writes of
other processes are noticed by the next poll.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Any, Final

from skyshelf.server.pipeline.threads import Threads
from skyshelf.service.boards.boards import board_change_tokens, fingerprint_for_member, invitation_change_tokens
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.files import changes
from skyshelf.storage.errors import StorageError

DIGESTS_KEPT: Final = 1024
_BoardOfMember = tuple[int, str]
_Run = Callable[[Callable[[], bytes | None]], Awaitable[bytes | None]]


class BoardDigests:
    """The last digest of each board, shared by all streams of an account: reading a large board is costly.

    Everything here runs on the event loop.
    """

    def __init__(self, ctx: ServiceContext, run: _Run) -> None:
        self._ctx = ctx
        self._run = run
        self._digests: dict[_BoardOfMember, tuple[float, bytes]] = {}
        self._running: dict[_BoardOfMember, tuple[float, asyncio.Task[bytes | None]]] = {}

    async def digest(self, caller: Caller, board_key: str, since: float) -> bytes | None:
        """Return a digest of the board for the caller, at least as new as that monotonic time; None for non-members."""
        key = (caller.account_id, board_key)
        at, seen = self._digests.get(key, (0.0, b""))
        if seen and at >= since:
            return seen
        began, running = self._running.get(key, (0.0, None))
        if running is None or began < since:
            if running is not None:
                # The running read may have begun before the change. Reads run one after another, so they never pile up.
                await asyncio.wait({running})
                return await self.digest(caller, board_key, since)
            running = asyncio.create_task(self._read(key, caller))
            self._running[key] = (time.monotonic(), running)
        return await asyncio.shield(running)

    async def _read(self, key: _BoardOfMember, caller: Caller) -> bytes | None:
        began = time.monotonic()
        try:
            seen = await self._run(lambda: fingerprint_for_member(self._ctx, caller, key[1]))
        finally:
            del self._running[key]
        self._digests.pop(key, None)
        if seen is not None:
            self._digests[key] = (began, seen)
            if len(self._digests) > DIGESTS_KEPT:
                del self._digests[next(iter(self._digests))]
        return seen


POLL_SECONDS: Final = 1.0
_Subject = tuple[str, int | str]
"""What a listener waits for: an account, a board, or the invitations of an account."""


class ChangeStreams:
    """All streams of a process. Everything here runs on its event loop."""

    def __init__(self, ctx: ServiceContext, threads: Threads) -> None:
        self._ctx = ctx
        self._threads = threads
        self.digests = BoardDigests(ctx, threads.call)
        self._listeners: dict[_Subject, set[asyncio.Event]] = {}
        self._written = asyncio.Event()
        self._polling: asyncio.Task[None] | None = None
        self.is_ending = False

    @contextmanager
    def listening(
        self, account_id: int, board_key: str | None = None, *, invitations: bool = False
    ) -> Iterator[asyncio.Event]:
        """Provide an event that is set on shutdown, after a change in the account, and after a possible change of the
        board or of the account's invitations."""
        wake = asyncio.Event()
        with ExitStack() as listening:
            listening.callback(self._stop_if_idle)
            listening.enter_context(self._registered(("account", account_id), wake))
            if board_key is not None:
                listening.enter_context(self._registered(("board", board_key), wake))
            if invitations:
                listening.enter_context(self._registered(("invitations", account_id), wake))
            if self.is_ending:
                wake.set()
            yield wake

    @property
    def count(self) -> int:
        return sum(len(events) for subject, events in self._listeners.items() if subject[0] == "account")

    def _stop_if_idle(self) -> None:
        if not self._listeners:
            self._written.set()  # ends the polling

    def keep_polling(self) -> None:
        """Keep polling; called before waiting, since a stream that only sends existing changes needs no polling."""
        if self._polling is None or self._polling.done():
            self._polling = asyncio.create_task(self._poll())

    def written(self) -> None:
        """Poll now, because something may have changed."""
        self._written.set()

    def end(self) -> None:
        """End all streams, so a stopping server does not wait for them."""
        self.is_ending = True
        for listeners in self._listeners.values():
            for wake in listeners:
                wake.set()
        self._written.set()

    async def _poll(self) -> None:
        known: dict[_Subject, object] = {}
        while self._listeners and not self.is_ending:
            self._written.clear()
            current = known
            with suppress(StorageError):  # an unavailable store is polled again
                current = await self._threads.call(partial(self._state, list(self._listeners)))
            for subject, events in self._listeners.items():
                # A token that has changed or disappeared.
                if known.get(subject) != current.get(subject):
                    for event in events:
                        event.set()
            known = current
            with suppress(TimeoutError):
                await asyncio.wait_for(self._written.wait(), POLL_SECONDS)

    def _state(self, subjects: list[_Subject]) -> dict[_Subject, object]:
        """Return the newest change of each account, and the change tokens of boards and invitations."""
        asked: dict[str, list[Any]] = {"account": [], "board": [], "invitations": []}
        for kind, key in subjects:
            asked[kind].append(key)
        found: dict[str, Mapping[Any, object]] = {
            "account": changes.newest(self._ctx, asked["account"]),
            "board": board_change_tokens(self._ctx, asked["board"]),
            "invitations": invitation_change_tokens(self._ctx, asked["invitations"]),
        }
        return {(kind, key): token for kind, tokens in found.items() for key, token in tokens.items()}

    @contextmanager
    def _registered(self, subject: _Subject, event: asyncio.Event) -> Iterator[None]:
        self._listeners.setdefault(subject, set()).add(event)
        try:
            yield
        finally:
            self._listeners[subject].discard(event)
            if not self._listeners[subject]:
                del self._listeners[subject]
