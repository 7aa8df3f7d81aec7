"""Find a request's route by the first segments of its path, and only then by patterns.

Trying the patterns of about a hundred routes one after another takes longer than most responses.
"""

from collections.abc import Sequence
from typing import Any

from starlette.routing import BaseRoute, Route, Router
from starlette.types import Receive, Scope, Send

_Segments = tuple[str, ...]
_DEPTH = 3


class PrefixRouter(Router):
    """Starlette's router, limited to the few routes that can match the path."""

    def __init__(self, routes: Sequence[BaseRoute], **options: Any) -> None:
        super().__init__(routes, redirect_slashes=False, **options)
        prefixed = [(_prefix(route), route) for route in routes]
        self._routers = {prefix: _subset(prefixed, prefix) for prefix in {(), *(prefix for prefix, _ in prefixed)}}

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Route the request among its candidates."""
        if scope["type"] != "http":
            await super().app(scope, receive, send)
            return
        scope["router"] = self
        await self.candidates(scope["path"]).app(scope, receive, send)

    def candidates(self, path: str) -> Router:
        """The routes whose fixed beginning matches the path."""
        segments = tuple(path.split("/", _DEPTH + 1)[1 : _DEPTH + 1])
        while (router := self._routers.get(segments)) is None:
            segments = segments[:-1]
        return router


def _subset(prefixed: Sequence[tuple[_Segments, BaseRoute]], segments: _Segments) -> Router:
    """The routes, in order, that a path which begins with these segments can match."""
    matching = [route for prefix, route in prefixed if prefix == segments[: len(prefix)]]
    return Router(matching, redirect_slashes=False)


def _prefix(route: BaseRoute) -> _Segments:
    """The fixed segments at the beginning of a route's path, at most three."""
    prefix: list[str] = []
    for segment in route.path.split("/")[1 : _DEPTH + 1] if isinstance(route, Route) else ():
        if "{" in segment:
            break
        prefix.append(segment)
    return tuple(prefix)
