"""Uploads that were begun and are not finished. All of it is beyond the interface."""

from collections.abc import AsyncIterator, Iterable
from typing import Final

from skyshelf.client.beyond import beyond
from skyshelf.client.cursors import walk
from skyshelf.client.engine import Engine
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoints.uploads import GIVE_UP_UPLOAD, UNFINISHED_UPLOADS
from skyshelf.wire.resources.uploads import UnfinishedUpload, UnfinishedUploads

WHAT: Final = "a list of uploads that were begun"


async def unfinished_uploads(engine: Engine, page_size: int) -> AsyncIterator[UnfinishedUpload]:
    """What was begun, newest first."""

    async def fetch(cursor: str | None) -> tuple[Iterable[UnfinishedUpload], str | None]:
        query = CursorQuery(cursor=cursor, limit=page_size)
        with beyond(WHAT):
            page = await engine.call(UNFINISHED_UPLOADS, UnfinishedUploads, query=query)
        return page.uploads or (), page.next_cursor

    async for found in walk(fetch):
        yield found


async def give_up_upload(engine: Engine, transaction_id: str) -> None:
    """Forget one, and free the room that was kept for it."""
    with beyond(WHAT):
        await engine.send(engine.plan(GIVE_UP_UPLOAD, keys={"upload_key": transaction_id}))
