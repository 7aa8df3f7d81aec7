"""`/docs` and `/openapi.json`: public, cacheable, without scripts or external resources."""

import asyncio
import hashlib
import threading
from collections.abc import Callable
from functools import cache, partial
from typing import Final, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from skyshelf.server.http.prefix import prefix_of
from skyshelf.server.http.streamed import shared_in_pieces
from skyshelf.server.http.views import view_route
from skyshelf.server.openapi.document import document_bytes
from skyshelf.wire.headers import JSON_UTF8

T = TypeVar("T")
_making: Final = threading.Lock()
PAGE_PATH: Final = "/docs"
FILE_PATH: Final = "/openapi.json"


async def _page(request: Request) -> Response:
    # Rendered once, and not on the event loop: it takes a while.
    content, policy = await asyncio.to_thread(_once, _page_and_policy)
    headers = {"content-type": "text/html; charset=utf-8", "content-security-policy": policy}
    return _cacheable(request, content, headers)


async def _file(request: Request) -> Response:
    # Tools and other sites may read it: everything in it is public.
    headers = {
        "content-type": JSON_UTF8,
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
    }
    return _cacheable(request, await asyncio.to_thread(_once, partial(_document, prefix_of(request))), headers)


def _cacheable(request: Request, content: bytes, headers: dict[str, str]) -> Response:
    """A response that changes only with the server's version."""
    etag = _etag(content)
    headers = {**headers, "etag": etag, "cache-control": "no-cache"}
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return shared_in_pieces(Response(content, headers=headers))


def _once(make: Callable[[], T]) -> T:
    """What it makes and caches. One at a time: many requests for the first page would each render it."""
    with _making:
        return make()


@cache
def _etag(content: bytes) -> str:
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


@cache
def _document(prefix: str) -> bytes:
    """The description of this server, which may be below a path of its host."""
    if not prefix:
        return document_bytes()
    described = msgspec.json.decode(document_bytes())
    for server in described["servers"]:
        server["url"] = prefix + server["url"]
    return msgspec.json.encode(described)


@cache
def _page_and_policy() -> tuple[bytes, str]:
    # Importing Jinja takes a tenth of a second, so the server starts without it.
    from skyshelf.server.pages.api_docs.rendering import STYLE_HASH, api_page

    policy = f"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; base-uri 'none'; form-action 'none'"
    return api_page().encode(), f"{policy}; frame-ancestors 'none'"


ROUTES: Final = [
    view_route(PAGE_PATH, "docs", _page),
    view_route(FILE_PATH, "openapi", _file),
]
