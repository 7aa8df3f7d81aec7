"""The router finds what trying all routes one after the other would find."""

import pytest
from starlette.responses import Response
from starlette.routing import Route as PatternRoute
from starlette.routing import Router as PatternRouter

from skyshelf.server.app import SkyshelfApp
from skyshelf.server.pages.web_client.routes import UnknownAddress
from skyshelf.server.pipeline.operation import Identify, Operation
from skyshelf.server.pipeline.request import IndexedHeaders, ServerRequest
from skyshelf.server.pipeline.router import Route, Router


class Named(Operation):
    """An operation that is never called."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def answer(self, request: ServerRequest, identify: Identify) -> Response:
        raise AssertionError

    def refusal(self, request: ServerRequest, problem: Exception) -> Response:
        raise AssertionError


PATTERNS = {
    "/": ("GET",),
    "/nms/metadata": ("GET", "POST"),
    "/nms/metadata/recent": ("GET",),
    "/nms/metadata/{key}": ("GET",),
    "/nms/{noun}/all": ("GET",),
    "/nms/{noun}": ("PUT",),
    "/files": ("GET",),
    "/files/{name:path}": ("GET", "MKCOL"),
    "/x/v1/a/b": ("GET",),
    "/x/v1/{key}": ("GET",),
    "/{page}": ("GET",),
}
PATHS = [
    *("/", "/nms", "/nms/", "/nms/metadata", "/nms/metadata/", "/nms/metadata/recent", "/nms/metadata/abc"),
    *("/nms/other", "/nms/other/all", "/nms/metadata/all", "/files", "/files/", "/files/a", "/files/a/b/c"),
    *("/elsewhere", "/elsewhere/a", "//", "//a", "/nms//all", "/x", "/x/v1", "/x/v1/a", "/x/v1/a/b", "/x/v1/b"),
    "/x/v1/a/b/c",
]


def found_by_patterns(method: str, path: str) -> tuple[str, dict[str, str]] | set[str]:
    """The best of all patterns that match, as a framework would try them: fixed paths first."""
    order = sorted(PATTERNS, key=lambda pattern: ("{" in pattern, ":path" in pattern, -pattern.count("/")))
    routes = PatternRouter([PatternRoute(pattern, lambda: None, methods=list(PATTERNS[pattern])) for pattern in order])
    methods: set[str] = set()
    for route in routes.routes:
        assert isinstance(route, PatternRoute)
        match, scope = route.matches({"type": "http", "method": method, "path": path, "headers": []})
        if match.value == 2:
            return route.path, scope["path_params"]
        if match.value == 1:
            methods |= route.methods or set()
    return methods


@pytest.mark.parametrize("method", ["GET", "POST", "HEAD", "PUT", "MKCOL"])
@pytest.mark.parametrize("path", PATHS)
def test_every_path_is_found_as_by_patterns(path: str, method: str) -> None:
    allowed: list[frozenset[str]] = []

    def unknown(methods: frozenset[str]) -> Operation:
        allowed.append(methods)
        return Named("unknown")

    router = Router([Route(pattern, methods, Named(pattern)) for pattern, methods in PATTERNS.items()], unknown)
    operation, parameters = router.operation_of(method, path)
    expected = found_by_patterns(method, path)
    if isinstance(expected, set):
        assert (operation.name, allowed) == ("unknown", [frozenset(expected)])
    else:
        assert (operation.name, parameters) == expected


def test_every_route_of_the_server_is_found(app: SkyshelfApp) -> None:
    router = Router(app.routes, UnknownAddress)
    for route in app.routes:
        filled = route.path.replace("{", "").replace("}", "").replace(":path", "")
        for method in route.methods:
            assert router.operation_of(method, filled)[0].name == route.operation.name


def test_of_a_header_that_came_twice_the_first_counts() -> None:
    raw = [(b"host", b"first"), (b"x-other", b"1"), (b"host", b"second")]
    headers = IndexedHeaders({"type": "http", "headers": raw})
    assert (headers["Host"], headers.get("HOST"), headers.getlist("host")) == ("first", "first", ["first", "second"])
    assert "X-Other" in headers
    assert "missing" not in headers
    assert headers.get("missing") is None
    with pytest.raises(KeyError):
        headers["missing"]
