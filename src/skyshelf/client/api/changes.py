"""What happened, and a memory of everything by it."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from skyshelf.client.api import Calls
from skyshelf.client.engine.capabilities import beyond
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.requests import decode
from skyshelf.client.errors import NetworkError, ServerError
from skyshelf.client.http.messages import PlannedRequest, StreamingResponse
from skyshelf.client.objects import lookup
from skyshelf.client.objects.remote_object import RemoteObject, page_objects
from skyshelf.wire.endpoints.changes import CHANGE_STREAM, CHANGES
from skyshelf.wire.limits import CHANGES_LIMIT_DEFAULT
from skyshelf.wire.resources.changes import Change, ChangesPage, ChangesQuery, ChangeStreamHeaders, ChangeStreamQuery

# What happened since, and as it happens, from a server that tells.

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


async def _events(answer: StreamingResponse) -> AsyncIterator[bytes]:
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
        objects=page_objects(page.objects, body),
        cursor=page.cursor or "",
        has_more=bool(page.has_more),
    )


# What happened, and a memory of everything by it.


class ChangeCalls(Calls):
    """What happened in the account."""

    async def changes(self, cursor: str | None = None, *, limit: int = CHANGES_LIMIT_DEFAULT) -> Changes:
        """What happened since a cursor, oldest first; without one nothing, and the cursor of now.

        A cursor that is too old is an InvalidRequestError with the code SKY1011: begin anew.
        """
        return await changes_since(self._engine, cursor, limit)

    async def watch(self, cursor: str | None = None) -> AsyncIterator[Changes]:
        """What happens, as it happens, since a cursor or from now on; it goes on until you stop.

        A connection that is lost is made again, and nothing is missed in between.
        """
        async for told in watch(self._engine, cursor):
            yield told

    async def use_index(self, *, build: bool = True, folder: Path | None = None) -> bool:
        """Take listings from a memory of everything in the cache folder, brought up to date now; whether it is used.

        Walks, searches, paths and downloads of many files then need no listing of the server. Only servers that tell
        of changes can be remembered. Without `build`, an index that is not there is not made. Whatever this client
        writes ends its use: what follows comes from the server again, or call this once more.
        """
        # Only who wants an index pays for loading a database.
        from skyshelf.client.index.index import LocalIndex, index_path

        await self.leave_index()
        index = LocalIndex(self._engine, index_path(self._engine, folder), await lookup.root_key(self._engine))
        if not await index.refresh(build=build):
            await index.close()
            return False
        self._engine.index = index
        return True

    async def leave_index(self) -> None:
        """Take listings from the server again."""
        index, self._engine.index = self._engine.index, None
        if index is not None:
            await index.close()
