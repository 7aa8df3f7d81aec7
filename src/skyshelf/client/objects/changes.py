"""What changed in an account: since a cursor, and as it happens."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from msgspec import Struct

from skyshelf.client.engine.capabilities import require_extension
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.requests import decode
from skyshelf.client.errors import NetworkError, ServerError, UnexpectedAnswerError
from skyshelf.client.http.messages import PlannedRequest, StreamingResponse
from skyshelf.client.objects.remote_object import RemoteObject, page_objects
from skyshelf.wire.endpoints.history import CHANGE_STREAM, CHANGES, EPOCH
from skyshelf.wire.limits import CHANGES_LIMIT_DEFAULT
from skyshelf.wire.resources.changes import (
    Change,
    ChangesPage,
    ChangesQuery,
    ChangeStreamHeaders,
    ChangeStreamQuery,
    EpochQuery,
    ServerEpoch,
)

CHANGES_FEATURE: Final = "report changes"
EPOCH_FEATURE: Final = "report the epoch of its data"
_EVENT_BYTES_MAX: Final = 64 * 1024 * 1024
_PAUSE_SECONDS: Final = 1.0


class ChangeSet(Struct, frozen=True, kw_only=True):
    """Changes, oldest first, and the changed objects as they are now; purged ones are not among them.

    `cursor` is where the next call continues, `has_more` whether there is more to get right now.
    """

    changes: list[Change]
    objects: list[RemoteObject]
    cursor: str
    has_more: bool

    def object(self, key: str) -> RemoteObject | None:
        """Return a changed object as it is now; None where it no longer exists."""
        return next((found for found in self.objects if found.key == key), None)


async def changes_since(engine: Engine, cursor: str | None, limit: int = CHANGES_LIMIT_DEFAULT) -> ChangeSet:
    """Get one page of changes; without a cursor, only the current cursor."""
    request = engine.plan(CHANGES, query=ChangesQuery(cursor=cursor, limit=limit))
    with require_extension(CHANGES_FEATURE):
        response = await engine.send(request)
    return _read(response.body, request)


async def current_epoch(engine: Engine, cursor: str | None) -> ServerEpoch:
    """Return the epoch of the server's data, and whether the change of a cursor is still among those of the account."""
    request = engine.plan(EPOCH, query=EpochQuery(cursor=cursor))
    with require_extension(EPOCH_FEATURE):
        response = await engine.send(request)
    return decode(ServerEpoch, response.body, request)


async def watch_changes(engine: Engine, cursor: str | None) -> AsyncIterator[ChangeSet]:
    """Yield changes as they happen. A lost stream is resumed; a server that never answered is an error."""
    has_answered = False
    if cursor is None:
        cursor = (await changes_since(engine, None)).cursor
    while True:
        request = engine.plan(
            CHANGE_STREAM, query=ChangeStreamQuery(), headers=ChangeStreamHeaders(last_event_id=cursor)
        )
        try:
            with require_extension(CHANGES_FEATURE):
                async with engine.stream(request) as response:
                    has_answered = True
                    async for event in _events(response):
                        changes = _read_event(engine.hide_secrets_in(event), request)
                        if changes is not None:
                            cursor = changes.cursor
                            yield changes
        except (NetworkError, ServerError):
            if not has_answered:
                raise
        await asyncio.sleep(_PAUSE_SECONDS)


async def _events(response: StreamingResponse) -> AsyncIterator[bytes]:
    """Yield the events of a stream; each ends with an empty line."""
    waiting = b""
    async for piece in response.pieces():
        waiting += piece
        *complete, waiting = waiting.split(b"\n\n")
        for event in complete:
            yield event
        if len(waiting) > _EVENT_BYTES_MAX:
            raise NetworkError("the server's change stream sent an event that is far too large")


def _read_event(event: bytes, request: PlannedRequest) -> ChangeSet | None:
    """Return an event's changes; keep-alives and the start event have none."""
    fields = dict(line.split(b": ", 1) for line in event.split(b"\n") if b": " in line)
    if fields.get(b"event") != b"changes" or b"data" not in fields:
        return None
    return _read(fields[b"data"], request)


def _read(body: bytes, request: PlannedRequest) -> ChangeSet:
    page = decode(ChangesPage, body, request)
    if page.objects is None:
        raise UnexpectedAnswerError(
            "the server sent changes without the objects", method=request.method, path=request.path
        )
    return ChangeSet(
        changes=page.changes or [],
        objects=page_objects(page.objects, body),
        cursor=page.cursor or "",
        has_more=bool(page.has_more),
    )
