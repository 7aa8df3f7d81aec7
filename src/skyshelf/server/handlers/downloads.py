"""Downloads: originals, many small files in one response, and thumbnails."""

from typing import Final

from starlette.responses import Response

from skyshelf.server.http.admission.kinds import CONTENTS, DOWNLOADS, THUMBNAILS
from skyshelf.server.http.call import Call, Handler, HandlerKind
from skyshelf.server.http.file_responses import USER_CONTENT, original_response, thumbnail_response
from skyshelf.service.files import downloads, thumbnails

_CONTENTS_HEADERS: Final = {"content-type": "application/octet-stream", "cache-control": "no-store", **USER_CONTENT}


def _download(call: Call) -> Response:
    original = downloads.original(call.ctx, call.caller, call.keys["object_key"], call.query.version)
    return original_response(call.ctx, call.threads, call.request, call.headers, original)


async def _thumbnail(call: Call) -> Response:
    webp = "image/webp" in (call.headers.accept or "").lower()

    def work() -> Response:
        key, size = call.keys["object_key"], call.query.size
        found = thumbnails.thumbnail(call.ctx, call.caller, key, size=size, webp=webp)
        return thumbnail_response(call.ctx, call.threads, call.request, call.headers, found, of=call.query.of)

    # Creating one can take a while, so it stays out of the threads that small requests need.
    return await call.threads.body(work, await call.admission.enter(THUMBNAILS))


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
