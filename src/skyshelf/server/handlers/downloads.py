"""Downloads: originals and thumbnails."""

from starlette.requests import Request
from starlette.responses import Response

from skyshelf.server.call import Call, Handler, Streaming
from skyshelf.server.file_responses import original_answer
from skyshelf.server.threads import Threads
from skyshelf.service import downloads
from skyshelf.service.refusals import Refused
from skyshelf.wire import error_codes as codes


async def _download(call: Call, request: Request) -> Response:
    threads: Threads = request.app.state.threads

    def work() -> Response:
        original = downloads.original(call.house, call.caller, call.keys["object_key"], call.query.version)
        return original_answer(call.house, threads, request, call.headers, original)

    return await threads.call(work)


def _thumbnail(call: Call) -> object:
    downloads.original(call.house, call.caller, call.keys["object_key"])
    raise Refused(codes.NO_THUMBNAIL)


HANDLERS: dict[str, Handler] = {
    "download": Streaming(_download),
    "thumbnail": _thumbnail,
}
