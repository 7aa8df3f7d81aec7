"""The live stream of changes, as server-sent events."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from typing import Final

from starlette.responses import Response, StreamingResponse

from skyshelf.server.events.streams import ChangeStreams
from skyshelf.server.events.watches import BoardWatch, InvitationWatch
from skyshelf.server.http.admission.kinds import STREAMS
from skyshelf.server.http.call import Call, Handler, HandlerKind
from skyshelf.service.errors import ServiceError
from skyshelf.service.files import changes
from skyshelf.storage.errors import StorageError
from skyshelf.wire import error_codes as codes

HEARTBEAT_SECONDS: Final = 15
RETRY_MS: Final = 2000
_CHANGES_PER_EVENT: Final = 500
Watch = BoardWatch | InvitationWatch
_HEADERS: Final = {"cache-control": "no-store", "x-accel-buffering": "no"}


def change_stream(streams: ChangeStreams) -> Handler:
    """The handler of the event stream, over the streams of this process."""

    async def handle(call: Call) -> Response:
        return await _stream(call, streams)

    return Handler(handle, HandlerKind.ASYNC)


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
            if left <= 0 or streams.is_ending:
                return
            streams.keep_polling()
            try:
                await asyncio.wait_for(wake.wait(), min(left, wait))
            except TimeoutError:
                if wait == HEARTBEAT_SECONDS:
                    yield b": still here\n\n"
            for watch in watches:
                # Even without a wake-up: the second of two changes in one millisecond may not cause one.
                watch.mark_dirty(is_changed=wake.is_set())


def _next(call: Call, cursor: str) -> tuple[str, bytes] | None:
    if not changes.is_session_open(call.ctx, call.caller):
        raise ServiceError(codes.SESSION_INVALID)
    return changes.next_event(call.ctx, call.caller.account_id, cursor, _CHANGES_PER_EVENT, call.origin)
