"""The front page: what a browser meets at the address of the service."""

from functools import cache
from importlib.metadata import version

from starlette.requests import Request
from starlette.responses import Response

from skyshelf.server.pages.rendering import page


@cache
def _version() -> str:
    return version("skyshelf")


async def front(_: Request) -> Response:
    """Where the web client was not built."""
    return page("front.html", title="It is running", version=_version())
