"""Finding a route by the beginning of a path finds what trying them all would find."""

import asyncio
from collections.abc import Iterator

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, Router
from starlette.testclient import TestClient
from starlette.types import Message

from skyshelf.server.application import SkyshelfApp
from skyshelf.server.http.router import PrefixRouter
from skyshelf.server.http.views import IndexedHeaders


def _route(path: str, *methods: str) -> Route:
    async def view(request: Request) -> Response:
        return PlainTextResponse(f"{path} {sorted(request.path_params.items())}")

    return Route(path, view, methods=list(methods) or ["GET"])


ROUTES = [
    _route("/"),
    _route("/nms/metadata"),
    _route("/nms/metadata", "POST"),
    _route("/nms/metadata/recent"),
    _route("/nms/{noun}/all"),
    _route("/nms/metadata/{key}"),
    _route("/nms/{noun}"),
    _route("/files"),
    _route("/files/{name:path}"),
    _route("/x/v1/a/b"),
    _route("/x/v1/{key}"),
    _route("/{page}"),
]
PATHS = [
    "/",
    "/nms",
    "/nms/",
    "/nms/metadata",
    "/nms/metadata/",
    "/nms/metadata/recent",
    "/nms/metadata/abc",
    "/nms/other",
    "/nms/other/all",
    "/nms/metadata/all",
    "/files",
    "/files/",
    "/files/a",
    "/files/a/b/c",
    "/elsewhere",
    "/elsewhere/a",
    "//",
    "//a",
    "/nms//all",
    "/x",
    "/x/v1",
    "/x/v1/a",
    "/x/v1/a/b",
    "/x/v1/b",
    "/x/v1/a/b/c",
]


@pytest.mark.parametrize("method", ["GET", "POST", "HEAD", "PUT"])
@pytest.mark.parametrize("path", PATHS)
def test_every_path_is_answered_as_the_plain_router_does(path: str, method: str) -> None:
    plain, quick = Router(ROUTES, redirect_slashes=False), PrefixRouter(ROUTES)
    assert _answer(quick, method, path) == _answer(plain, method, path)


def _answer(router: Router, method: str, path: str) -> list[Message]:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": []}
    asyncio.run(router(scope, receive, send))
    return sent


def _all_paths(router: Router) -> Iterator[tuple[str, str]]:
    for route in router.routes:
        assert isinstance(route, Route)
        for method in route.methods or ():
            yield method, route.path


def test_every_route_of_the_server_is_found(client: TestClient) -> None:
    assert isinstance(client.app, SkyshelfApp)
    router = client.app.router
    assert isinstance(router, PrefixRouter)
    for method, path in _all_paths(router):
        filled = path.replace("{", "").replace("}", "").replace(":path", "")
        scope = {"type": "http", "method": method, "path": filled, "headers": []}
        first = next(route for route in router.routes if route.matches(scope)[0].value == 2)
        tried = router.candidates(filled).routes
        assert next(route for route in tried if route.matches(scope)[0].value == 2) is first
        assert len(tried) < len(router.routes) / 4


def test_of_a_header_that_came_twice_the_first_counts() -> None:
    raw = [(b"host", b"first"), (b"x-other", b"1"), (b"host", b"second")]
    headers = IndexedHeaders({"type": "http", "headers": raw})
    assert (headers["Host"], headers.get("HOST"), headers.getlist("host")) == ("first", "first", ["first", "second"])
    assert "X-Other" in headers
    assert "missing" not in headers
    assert headers.get("missing") is None
    with pytest.raises(KeyError):
        headers["missing"]
