"""The web client: one page at every address of the drive, its files, and the page at addresses that do not exist."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from skyshelf.server.http.error_responses import error_response, response_for
from skyshelf.server.http.proxies import prefix_of
from skyshelf.server.pages import rendering
from skyshelf.server.pages.built_files import BuiltFile, built_files
from skyshelf.server.pages.words import Words
from skyshelf.server.pipeline.operation import Identify, Operation
from skyshelf.server.pipeline.request import ServerRequest
from skyshelf.server.pipeline.views import view_route
from skyshelf.wire import error_codes as codes
from skyshelf.wire.version import VERSION

_SAFE: Final = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_PAGE_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "media-src 'self' blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types svelte-trusted-html skyshelf",
    )
)
# A worker is subject to the policy of its own file: ours compute hashes in WebAssembly and load nothing else.
_SCRIPT_POLICY: Final = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
_AT_THE_ROOT: Final = ("/sw.js", "/manifest.webmanifest", "/icons/{name}")


async def drive_page(request: Request) -> Response:
    """Return the only page; it shows what the address names."""
    built = built_files(prefix_of(request)).get("index.html")
    if built is None:
        await rendering.ready()
        return rendering.page("front.html", prefix=prefix_of(request), title="Skyshelf is running", version=VERSION)
    return _respond(request, built, {"cache-control": "no-cache", "content-security-policy": _PAGE_POLICY})


async def asset(request: Request) -> Response:
    """Return a file whose name changes with its content, so browsers can cache it for ever."""
    built = built_files().get(f"assets/{request.path_params['name']}")
    if built is None:
        return error_response(codes.NOT_OFFERED)
    return _respond(
        request,
        built,
        {"cache-control": "public, max-age=31536000, immutable", "content-security-policy": _SCRIPT_POLICY},
    )


async def file_at_the_root(request: Request) -> Response:
    """Return a file with a fixed address: the service worker, the manifest, an icon."""
    built = built_files(prefix_of(request)).get(request.url.path.removeprefix("/"))
    if built is None:
        return error_response(codes.NOT_OFFERED)
    return _respond(request, built, {"cache-control": "no-cache", "content-security-policy": _SCRIPT_POLICY})


def _respond(request: Request, built: BuiltFile, headers: dict[str, str]) -> Response:
    try:
        common = {**_SAFE, **headers, "etag": built.etag, "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == built.etag:
            return Response(status_code=304, headers=common)
        coding, body = built.body_for(request.headers.get("accept-encoding", ""))
    except FileNotFoundError:  # the package was replaced without restarting the server
        return error_response(codes.NOT_OFFERED)
    if coding:
        common["content-encoding"] = coding
    return Response(body, headers={**common, "content-type": built.content_type})


ROUTES: Final = [
    # All pages are below /drive, which no call of the API uses.
    *(view_route(path, "web_client", drive_page) for path in ("/", "/drive", "/drive/{rest:path}")),
    view_route("/assets/{name}", "web_client", asset),
    *(view_route(path, "web_client", file_at_the_root) for path in _AT_THE_ROOT),
]


class UnknownAddress(Operation):
    """A request to an address that does not exist, or does not support the method."""

    name = "-"

    def __init__(self, methods: frozenset[str]) -> None:
        self._methods = methods

    async def answer(self, request: ServerRequest, identify: Identify) -> Response:  # noqa: ARG002
        if self._methods:
            return error_response(codes.METHOD_NOT_ALLOWED, headers={"Allow": ", ".join(sorted(self._methods))})
        return await unknown_address(request) if is_person(request) else error_response(codes.NOT_OFFERED)

    def refusal(self, request: ServerRequest, problem: Exception) -> Response:  # noqa: ARG002
        return response_for(problem)


def is_person(request: Request) -> bool:
    """Return whether a browser asks for a page: only browsers prefer HTML."""
    return request.method in {"GET", "HEAD"} and request.headers.get("accept", "").startswith("text/html")


async def unknown_address(request: Request) -> Response:
    await rendering.ready()
    is_german = request.headers.get("accept-language", "").lower().startswith("de")
    words = Words("de" if is_german else "en")
    title = words("Nothing at this address")
    return rendering.page("unknown.html", prefix=prefix_of(request), status=404, w=words, title=title)
