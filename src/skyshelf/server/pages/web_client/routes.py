"""The web client: one page at every address of the drive, and its files."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from skyshelf.server.http.error_responses import error_response
from skyshelf.server.http.prefix import prefix_of
from skyshelf.server.http.views import view_route
from skyshelf.server.pages import rendering
from skyshelf.server.pages.built_files import BuiltFile, built_files
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
# A worker is subject to its own file's policy: ours compute hashes in WebAssembly and load nothing else.
_SCRIPT_POLICY: Final = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
_AT_THE_ROOT: Final = ("/sw.js", "/manifest.webmanifest", "/icons/{name}")


async def page(request: Request) -> Response:
    """The only page; it shows what the address names."""
    built = built_files(prefix_of(request)).get("index.html")
    if built is None:
        return rendering.page("front.html", prefix=prefix_of(request), title="Skyshelf is running", version=VERSION)
    return _respond(request, built, {"cache-control": "no-cache", "content-security-policy": _PAGE_POLICY})


async def asset(request: Request) -> Response:
    """A file whose name changes with its content, so browsers can cache it for ever."""
    built = built_files().get(f"assets/{request.path_params['name']}")
    if built is None:
        return error_response(codes.NOT_OFFERED)
    return _respond(
        request,
        built,
        {"cache-control": "public, max-age=31536000, immutable", "content-security-policy": _SCRIPT_POLICY},
    )


async def file_at_the_root(request: Request) -> Response:
    """A file with a fixed address: the service worker, the manifest, an icon."""
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
    except FileNotFoundError:  # the package was replaced, and the server not restarted
        return error_response(codes.NOT_OFFERED)
    if coding:
        common["content-encoding"] = coding
    return Response(body, headers={**common, "content-type": built.content_type})


ROUTES: Final = [
    # All pages are below /drive, which no call of the API uses.
    *(view_route(path, "web_client", page) for path in ("/", "/drive", "/drive/{rest:path}")),
    view_route("/assets/{name}", "web_client", asset),
    *(view_route(path, "web_client", file_at_the_root) for path in _AT_THE_ROOT),
]
