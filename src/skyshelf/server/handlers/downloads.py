"""Downloads: originals and thumbnails."""

from starlette.requests import Request
from starlette.responses import Response

from skyshelf.server.call import Call, Handler, Streaming
from skyshelf.server.file_responses import original_answer, thumbnail_answer
from skyshelf.server.threads import Threads
from skyshelf.service import downloads, thumbnails


async def _download(call: Call, request: Request) -> Response:
    threads: Threads = request.app.state.threads

    def work() -> Response:
        original = downloads.original(call.house, call.caller, call.keys["object_key"], call.query.version)
        return original_answer(call.house, threads, request, call.headers, original)

    return await threads.call(work)


async def _thumbnail(call: Call, request: Request) -> Response:
    threads: Threads = request.app.state.threads
    webp = "image/webp" in (call.headers.accept or "").lower()

    def work() -> Response:
        key, size = call.keys["object_key"], call.query.size
        found = thumbnails.thumbnail(call.house, call.caller, key, size=size, webp=webp)
        return thumbnail_answer(call.house, threads, request, call.headers.if_none_match, found)

    # Making one can take a while: not in the threads that small requests need.
    return await threads.body(work)


HANDLERS: dict[str, Handler] = {
    "download": Streaming(_download),
    "thumbnail": Streaming(_thumbnail),
}
