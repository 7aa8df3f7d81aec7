"""Waiting for thumbnails and texts that have yet to be made: without a thread, and only as long as the client does."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from skyshelf.server.pipeline.admission.kinds import THUMBNAILS
from skyshelf.server.pipeline.threads import Threads
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import Throttled
from skyshelf.service.files import thumbnails
from skyshelf.service.files.thumbnails import BUSY_SECONDS, MissingThumbnail, Thumbnail
from skyshelf.service.integrity.reading import DAMAGE
from skyshelf.service.media.pool import MediaBusy
from skyshelf.service.media.process import MediaUnavailable

LONGEST_WAIT_SECONDS = 60

_Made = TypeVar("_Made")


async def found_thumbnail(
    ctx: ServiceContext, threads: Threads, request: Request, find: Callable[[], Thumbnail | MissingThumbnail]
) -> Thumbnail:
    """Return the thumbnail that `find` returns, generated if missing; raise Throttled if that takes too long."""
    found = await threads.call(find)
    return found if isinstance(found, Thumbnail) else await made(request, thumbnails.generate(ctx, found))


async def sent_thumbnail(
    ctx: ServiceContext,
    threads: Threads,
    request: Request,
    find: Callable[[], Thumbnail | MissingThumbnail],
    respond: Callable[[Thumbnail], Response],
) -> Response:
    """Return the response with that thumbnail; one whose stored bytes are damaged or missing is generated again.

    `respond` may read from a distant store, so it stays out of the threads that small requests need.
    """

    async def send(found: Thumbnail) -> Response:
        return await threads.body(lambda: respond(found), await threads.admission.enter(THUMBNAILS))

    found = await found_thumbnail(ctx, threads, request, find)
    try:
        return await send(found)
    except DAMAGE:
        await threads.call(lambda: thumbnails.forget(ctx, found))
        return await send(await found_thumbnail(ctx, threads, request, find))


async def made(request: Request, submitted: "Future[_Made]") -> _Made:
    """Return the result of a media worker's job; raise Throttled if that takes too long."""
    generating = asyncio.wrap_future(submitted)
    gone = asyncio.ensure_future(_disconnected(request))
    try:
        either: set[asyncio.Future[Any]] = {generating, gone}
        await asyncio.wait(either, timeout=LONGEST_WAIT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if generating.done():
            return generating.result()
        if gone.done():
            raise ClientDisconnect
        raise Throttled(BUSY_SECONDS)
    except (MediaBusy, MediaUnavailable):
        raise Throttled(BUSY_SECONDS) from None
    finally:
        # This drops the job if no other request waits for it and it has not begun.
        generating.cancel()
        gone.cancel()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
