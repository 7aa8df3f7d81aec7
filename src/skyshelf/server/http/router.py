"""Finding the route of a request: by the first names of its path, and only then by patterns.

There are about a hundred routes. To try their patterns one after another took longer than most answers.
"""

from collections.abc import Sequence
from typing import Any

from starlette.routing import BaseRoute, Route, Router
from starlette.types import Receive, Scope, Send

_Names = tuple[str, ...]
_NAMES = 3


class Dispatch(Router):
    """Starlette's router over the few routes that can fit; which of them does, and what is said when none does, is
    decided as ever."""

    def __init__(self, routes: Sequence[BaseRoute], **options: Any) -> None:
        super().__init__(routes, redirect_slashes=False, **options)
        self._fitting = {names: self._over(names) for names in {(), *map(_names, routes)}}

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand over to the routes that begin like the path."""
        if scope["type"] != "http":
            await super().app(scope, receive, send)
            return
        scope["router"] = self
        await self.candidates(scope["path"]).app(scope, receive, send)

    def candidates(self, path: str) -> Router:
        """The routes whose fixed beginning fits the path."""
        names = tuple(path.split("/", _NAMES + 1)[1 : _NAMES + 1])
        while (fitting := self._fitting.get(names)) is None:
            names = names[:-1]
        return fitting

    def _over(self, names: _Names) -> Router:
        """The routes, in their order, that a path which begins with these names can fit."""
        fitting = [route for route in self.routes if _begins_alike(_names(route), names)]
        return Router(fitting, redirect_slashes=False)


def _begins_alike(of_route: _Names, names: _Names) -> bool:
    return of_route == names[: len(of_route)]


def _names(route: BaseRoute) -> _Names:
    """The names that every path of the route begins with, three at most."""
    names: list[str] = []
    for name in route.path.split("/")[1 : _NAMES + 1] if isinstance(route, Route) else ():
        if "{" in name:
            break
        names.append(name)
    return tuple(names)
