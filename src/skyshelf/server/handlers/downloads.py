"""Downloads: originals, many small files in one response, and thumbnails."""

from typing import Final

from starlette.responses import Response

from skyshelf.server.http.admission.kinds import CONTENTS, DOWNLOADS, THUMBNAILS
from skyshelf.server.http.call import Call, Handler, HandlerKind
from skyshelf.server.http.file_responses import USER_CONTENT, original_response, thumbnail_response
from skyshelf.server.http.thumbnail_wait import sent_thumbnail
from skyshelf.service.files import downloads, thumbnails

_CONTENTS_HEADERS: Final = {"content-type": "application/octet-stream", "cache-control": "no-store", **USER_CONTENT}


def _download(call: Call) -> Response:
    original = downloads.original(call.ctx, call.caller, call.keys["object_key"], call.query.version)
    return original_response(call.ctx, call.threads, call.request, call.headers, original)


async def _thumbnail(call: Call) -> Response:
    ctx, threads, key, size = call.ctx, call.threads, call.keys["object_key"], call.query.size
    webp = "image/webp" in (call.headers.accept or "").lower()

    async def send(found: thumbnails.Thumbnail) -> Response:
        # Reading from a distant store can take a while, so it stays out of the threads that small requests need.
        return await threads.body(
            lambda: thumbnail_response(ctx, threads, call.request, call.headers, found, of=call.query.of),
            await call.admission.enter(THUMBNAILS),
        )

    def find() -> thumbnails.Thumbnail | thumbnails.MissingThumbnail:
        return thumbnails.find(ctx, call.caller, key, size=size, webp=webp)

    return await sent_thumbnail(ctx, threads, call.request, find, send)


async def _contents(call: Call) -> Response:
    # Many reads from a distant store can take a while.
    lease = await call.admission.enter(CONTENTS)
    body = await call.threads.body(lambda: b"".join(downloads.contents(call.ctx, call.caller, call.query.keys)), lease)
    return Response(body, headers=_CONTENTS_HEADERS)


HANDLERS: Final = {
    "download": Handler(_download, enters=DOWNLOADS),
    "thumbnail": Handler(_thumbnail, HandlerKind.ASYNC),
    "contents": Handler(_contents, HandlerKind.ASYNC),
}
