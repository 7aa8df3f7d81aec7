"""From an async function to a route, and the request that it takes."""

from collections.abc import Awaitable, Callable, Iterable

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

_HEADERS = "skyshelf.headers"
View = Callable[[Request], Awaitable[Response]]


def view_route(path: str, name: str, view: View, methods: Iterable[str] = ("GET",)) -> Route:
    """A route to the view. The name appears in the access log and the metrics."""
    return Route(path, _ViewApp(name, view), methods=list(methods), name=name)


class _ViewApp:
    """What Starlette builds from a function, without its handling of exceptions, which the outer layers repeat."""

    def __init__(self, name: str, view: View) -> None:
        self._name = name
        self._view = view

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["endpoint_name"] = self._name
        response = await self._view(IndexedRequest(scope, receive, send))
        await response(scope, receive, send)


def forget_headers(scope: Scope) -> None:
    """They are to be read again."""
    scope.pop(_HEADERS, None)


class IndexedRequest(Request):
    """Starlette's request, with a dictionary of its headers instead of a search: they are looked up a dozen times."""

    @property
    def headers(self) -> "IndexedHeaders":
        # With the scope: every layer has its own request.
        known: IndexedHeaders | None = self.scope.get(_HEADERS)
        if known is None:
            known = self.scope[_HEADERS] = IndexedHeaders(self.scope)
        return known

    def remember(self, headers: "IndexedHeaders") -> None:
        """These are known to be its headers."""
        self.scope[_HEADERS] = headers


class IndexedHeaders(Headers):
    """The headers of a request; the first one counts if a header is repeated."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope=scope)
        self._first = {name.decode("latin-1"): value.decode("latin-1") for name, value in reversed(self._list)}

    def __getitem__(self, key: str) -> str:
        return self._first[key.lower()]

    def get(self, key: str, default: str | None = None) -> str | None:  # type: ignore[override]
        return self._first.get(key.lower(), default)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and key.lower() in self._first
