"""The front page: what a browser meets at the address of the service."""

from functools import cache
from importlib.metadata import version

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from skyshelf.server.share_page.rendering import page


@cache
def _version() -> str:
    return version("skyshelf")


async def _front(_: Request) -> Response:
    return page("front.html", title="It is running", version=_version())


ROUTE = Route("/", _front, methods=["GET"], name="front_page")
