"""The live stream of changes, as server-sent events."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from random import randrange
from typing import ClassVar, Final

import msgspec
from starlette.responses import Response, StreamingResponse

from skyshelf.server.api.call import Call, Handler, HandlerKind
from skyshelf.server.events.streams import BoardDigests, ChangeStreams
from skyshelf.server.pipeline.admission.kinds import STREAMS
from skyshelf.service.boards.boards import invitation_change_tokens
from skyshelf.service.errors import ServiceError
from skyshelf.service.files import changes
from skyshelf.storage.errors import StorageError
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.changes import BoardNews

PAUSE_SECONDS: Final = 1.0
"""Minimum time between two checks, since each reads the whole board."""
RECHECK_SECONDS: Final = 7.5
"""Maximum age of a shared digest that is used when nothing indicates a change."""

_encode = msgspec.json.Encoder().encode


class BoardWatch:
    """The board as a listener last saw it. When the listener is no longer a member, the watch ends."""

    event: ClassVar = b"board"

    def __init__(self, call: Call, board_key: str, digests: BoardDigests) -> None:
        self._call = call
        self._key = board_key
        self._digests = digests
        self._seen: bytes | None = None
        self._is_first = True
        self._is_dirty = True
        self._changed_at = 0.0
        self._next_check = 0.0

    async def begin(self) -> None:
        """Refuse a caller who is not a member, before the stream begins."""
        self._seen = await self._look(time.monotonic() - PAUSE_SECONDS)
        if self._seen is None:
            raise ServiceError(codes.BOARD_NOT_FOUND)

    def mark_dirty(self, *, is_changed: bool) -> None:
        """Check soon, now or when the pause is over, because something may have changed. Without a sign of a change,
        a recent digest from another stream is good enough."""
        self._is_dirty = self._seen is not None
        self._changed_at = max(self._changed_at, time.monotonic() - (0 if is_changed else RECHECK_SECONDS))

    @property
    def is_due(self) -> bool:
        """Whether something may have changed, and the pause is over."""
        return self._is_dirty and time.monotonic() >= self._next_check

    def seconds_to_wait(self, most: float) -> float:
        """Return how long to wait for the next change, at most `most`."""
        return min(most, max(0.01, self._next_check - time.monotonic())) if self._is_dirty else most

    async def news(self) -> bytes | None:
        """Return the event as JSON if the board has changed, and always at first, as a change may have been missed."""
        before, first = self._seen, self._is_first
        self._next_check = time.monotonic() + PAUSE_SECONDS
        self._is_first = self._is_dirty = False
        if not first:
            self._seen = await self._look(self._changed_at)
            if self._seen == before:
                return None
        return _encode(BoardNews(board_key=self._key, is_member=self._seen is not None))

    async def _look(self, since: float) -> bytes | None:
        return await self._digests.digest(self._call.caller, self._key, since)


class InvitationWatch:
    """The invitations as a listener last saw them."""

    event: ClassVar = b"invitations"

    def __init__(self, call: Call) -> None:
        self._call = call
        self._seen: str | None = None
        self._is_first = True
        self.is_due = True

    def mark_dirty(self, *, is_changed: bool) -> None:  # noqa: ARG002 - the same as for boards
        """Check soon, because something may have changed. A check costs one statement, so there is no pause."""
        self.is_due = True

    def seconds_to_wait(self, most: float) -> float:
        """Return how long to wait for the next change: always `most`."""
        return most

    async def news(self) -> bytes | None:
        """Return an empty object if the invitations have changed, and always at first."""
        account_id = self._call.caller.account_id
        tokens = await self._call.threads.call(lambda: invitation_change_tokens(self._call.ctx, [account_id]))
        before, self._seen = self._seen, tokens.get(account_id)
        first, self._is_first, self.is_due = self._is_first, False, False
        return b"{}" if first or self._seen != before else None


HEARTBEAT_SECONDS: Final = 15
RETRY_MS: Final = 2000
RECONNECT_MS: Final = 100, 2000
"""The range of pauses after which clients of a server that stops come back."""
_CHANGES_PER_EVENT: Final = 500
Watch = BoardWatch | InvitationWatch
_HEADERS: Final = {"cache-control": "no-store", "x-accel-buffering": "no"}


def change_stream(streams: ChangeStreams) -> Handler:
    """Return the handler of the event stream, which uses the streams of this process."""
    return Handler(lambda call: _stream(call, streams), HandlerKind.ASYNC)


async def _stream(call: Call, streams: ChangeStreams) -> Response:
    # Held until the stream ends.
    call.admission.take(STREAMS)
    cursor = call.headers.last_event_id or call.query.cursor
    start = await call.threads.call(lambda: changes.start_of_stream(call.ctx, call.caller, cursor))
    watches: list[Watch] = [InvitationWatch(call)] if call.query.invitations else []
    if (key := call.query.board_key) is not None:
        board = BoardWatch(call, key, streams.digests)
        await board.begin()
        watches.append(board)
    # An error later on ends the stream; the client reconnects, and the new request reports it.
    return StreamingResponse(
        _events(call, streams, start, watches), media_type="text/event-stream; charset=UTF-8", headers=_HEADERS
    )


async def _events(call: Call, streams: ChangeStreams, cursor: str, watches: list[Watch]) -> AsyncIterator[bytes]:
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + call.query.seconds
    # The cursor first: a client that loses the stream before any change knows where to continue.
    yield f"retry: {RETRY_MS}\nid: {cursor}\nevent: start\ndata: {{}}\n\n".encode()
    listening = streams.listening(call.caller.account_id, call.query.board_key, invitations=call.query.invitations)
    with listening as wake, suppress(ServiceError, StorageError):
        while True:
            wake.clear()
            while found := await call.threads.call(partial(_next, call, cursor)):
                cursor, page = found
                yield b"id: %s\nevent: changes\ndata: %s\n\n" % (cursor.encode(), page)
            for watch in watches:
                if watch.is_due and (news := await watch.news()):
                    yield b"event: %s\ndata: %s\n\n" % (watch.event, news)
            wait = min((watch.seconds_to_wait(HEARTBEAT_SECONDS) for watch in watches), default=HEARTBEAT_SECONDS)
            left = ends_at - loop.time()
            if left <= 0:
                return
            if streams.is_ending:
                # Not all at once: another instance gets all of them.
                pause = randrange(*RECONNECT_MS)  # noqa: S311 - no secret
                yield b"retry: %d\n: the server stops, reconnect\n\n" % pause
                return
            streams.keep_polling()
            try:
                await asyncio.wait_for(wake.wait(), min(left, wait))
            except TimeoutError:
                if wait == HEARTBEAT_SECONDS:
                    yield b": still here\n\n"
            for watch in watches:
                # Also checked without a wake-up: the second of two changes in one millisecond may not cause one.
                watch.mark_dirty(is_changed=wake.is_set())


def _next(call: Call, cursor: str) -> tuple[str, bytes] | None:
    if not changes.is_session_open(call.ctx, call.caller):
        raise ServiceError(codes.SESSION_INVALID)
    return changes.next_event(call.ctx, call.caller.account_id, cursor, _CHANGES_PER_EVENT, call.origin)
