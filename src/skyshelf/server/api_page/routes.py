"""`/docs` and `/openapi.json`: public, cacheable, and without a script or anything from elsewhere."""

import hashlib
from functools import cache
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from skyshelf.server.api_page.rendering import STYLE_HASH, api_page
from skyshelf.server.openapi import document_bytes
from skyshelf.wire.headers import JSON_UTF8

PAGE_PATH: Final = "/docs"
FILE_PATH: Final = "/openapi.json"
_POLICY: Final = (
    f"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


async def _page(request: Request) -> Response:
    request.scope["endpoint_name"] = "docs"
    headers = {"content-type": "text/html; charset=utf-8", "content-security-policy": _POLICY}
    return _kept(request, _page_bytes(), headers)


async def _file(request: Request) -> Response:
    request.scope["endpoint_name"] = "openapi"
    # Tools and pages of other places may read it: it holds nothing that is not public.
    headers = {
        "content-type": JSON_UTF8,
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
    }
    return _kept(request, document_bytes(), headers)


def _kept(request: Request, content: bytes, headers: dict[str, str]) -> Response:
    """An answer that changes with the server's version only."""
    mark = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {**headers, "etag": mark, "cache-control": "no-cache"}
    if mark in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers)


@cache
def _page_bytes() -> bytes:
    return api_page().encode()


ROUTES: Final = [
    Route(PAGE_PATH, _page, methods=["GET"], name="docs"),
    Route(FILE_PATH, _file, methods=["GET"], name="openapi"),
]
