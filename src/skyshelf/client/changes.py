"""What happened since, and as it happens, from a server that tells."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from msgspec import Struct

from skyshelf.client.beyond import beyond
from skyshelf.client.engine import Engine
from skyshelf.client.errors import NetworkError, ServerError
from skyshelf.client.objects import RemoteObject, objects_in
from skyshelf.client.requests import PlannedRequest, decode
from skyshelf.client.transport import StreamedAnswer
from skyshelf.wire.endpoints.changes import CHANGE_STREAM, CHANGES
from skyshelf.wire.limits import CHANGES_LIMIT_DEFAULT
from skyshelf.wire.resources.changes import Change, ChangesPage, ChangesQuery, ChangeStreamHeaders, ChangeStreamQuery

WHAT: Final = "the changes of an account"
_EVENT_BYTES_MAX: Final = 64 * 1024 * 1024
_PAUSE_SECONDS: Final = 1.0


class Changes(Struct, frozen=True, kw_only=True):
    """What happened, oldest first, and the objects it happened to as they are now.

    What was purged is not among the objects. `cursor` is where to go on.
    """

    changes: list[Change]
    objects: list[RemoteObject]
    cursor: str
    has_more: bool

    def object(self, key: str) -> RemoteObject | None:
        """The object of a change as it is now; None where it is gone."""
        return next((one for one in self.objects if one.key == key), None)


async def changes_since(engine: Engine, cursor: str | None, limit: int = CHANGES_LIMIT_DEFAULT) -> Changes:
    """One page of changes; without a cursor nothing, and the cursor of now."""
    request = engine.plan(CHANGES, query=ChangesQuery(cursor=cursor, limit=limit))
    with beyond(WHAT):
        answer = await engine.send(request)
    return _read(answer.body, request)


async def watch(engine: Engine, cursor: str | None) -> AsyncIterator[Changes]:
    """What happens, as it happens; a stream that is lost is taken up where it was.

    A server that was there and is away for a while is waited for; one that never was there is an error.
    """
    was_there = False
    if cursor is None:
        cursor = (await changes_since(engine, None)).cursor
    while True:
        request = engine.plan(
            CHANGE_STREAM, query=ChangeStreamQuery(), headers=ChangeStreamHeaders(last_event_id=cursor)
        )
        try:
            with beyond(WHAT):
                async with engine.stream(request) as answer:
                    was_there = True
                    async for event in _events(answer):
                        told = _told(event, request)
                        if told is not None:
                            cursor = told.cursor
                            yield told
        except (NetworkError, ServerError):
            if not was_there:
                raise
        await asyncio.sleep(_PAUSE_SECONDS)


async def _events(answer: StreamedAnswer) -> AsyncIterator[bytes]:
    """The events of a stream; each ends with an empty line."""
    waiting = b""
    async for piece in answer.pieces():
        waiting += piece
        *whole, waiting = waiting.split(b"\n\n")
        for event in whole:
            yield event
        if len(waiting) > _EVENT_BYTES_MAX:
            raise NetworkError("the server's stream of changes has no end in sight")


def _told(event: bytes, request: PlannedRequest) -> Changes | None:
    """What an event tells; signs of life and the start tell nothing."""
    fields = dict(line.split(b": ", 1) for line in event.split(b"\n") if b": " in line)
    if fields.get(b"event") != b"changes" or b"data" not in fields:
        return None
    return _read(fields[b"data"], request)


def _read(body: bytes, request: PlannedRequest) -> Changes:
    page = decode(ChangesPage, body, request)
    return Changes(
        changes=page.changes or [],
        objects=objects_in(body, request),
        cursor=page.cursor or "",
        has_more=bool(page.has_more),
    )
