"""Downloads: originals, many small ones at once, and thumbnails."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from skyshelf.server.http.call import Answering, Call, Handler, Streaming
from skyshelf.server.http.file_responses import USER_CONTENT, original_answer, thumbnail_answer
from skyshelf.server.http.thread_pools import Threads
from skyshelf.service.files import downloads, thumbnails

_TOGETHER: Final = {"content-type": "application/octet-stream", "cache-control": "no-store", **USER_CONTENT}


def _download(call: Call, request: Request) -> Response:
    original = downloads.original(call.ctx, call.caller, call.keys["object_key"], call.query.version)
    return original_answer(call.ctx, request.app.state.threads, request, call.headers, original)


async def _thumbnail(call: Call, request: Request) -> Response:
    threads: Threads = request.app.state.threads
    webp = "image/webp" in (call.headers.accept or "").lower()

    def work() -> Response:
        key, size = call.keys["object_key"], call.query.size
        found = thumbnails.thumbnail(call.ctx, call.caller, key, size=size, webp=webp)
        return thumbnail_answer(call.ctx, threads, request, call.headers, found, of=call.query.of)

    # Making one can take a while: not in the threads that small requests need.
    return await threads.body(work)


async def _contents(call: Call, request: Request) -> Response:
    threads: Threads = request.app.state.threads
    # So many reads can take a while where the store is far away.
    body = await threads.body(lambda: b"".join(downloads.contents(call.ctx, call.caller, call.query.keys)))
    return Response(body, headers=_TOGETHER)


HANDLERS: dict[str, Handler] = {
    "download": Answering(_download),
    "thumbnail": Streaming(_thumbnail),
    "contents": Streaming(_contents),
}
