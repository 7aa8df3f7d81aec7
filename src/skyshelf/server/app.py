"""The application: endpoints × handlers × stores. The one place of the server that opens stores."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from skyshelf.server.authentication import AcceptedApps
from skyshelf.server.error_responses import error_response
from skyshelf.server.handlers import all_handlers
from skyshelf.server.proxies import Proxies
from skyshelf.server.routes import Routes
from skyshelf.server.threads import Threads
from skyshelf.service.house import House, Rules
from skyshelf.storage.open_stores import open_blobs, open_metadata
from skyshelf.wire import error_codes as codes
from skyshelf.wire.endpoints import ENDPOINTS
from skyshelf.wire.headers import API_KEY, APP_SECRET


class ServerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that `skyshelf serve` can be told; plain data, so that worker processes can be handed it."""

    metadata: str
    blobs: str
    public_url: str | None = None
    trusted_proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    accepted_apps: tuple[tuple[str, str], ...] = ()
    rules: Rules = Rules()


def open_house(settings: ServerSettings) -> House:
    return House(metadata=open_metadata(settings.metadata), blobs=open_blobs(settings.blobs), rules=settings.rules)


def create_app(settings: ServerSettings) -> Starlette:
    """The ASGI application of one worker process."""
    return app_for(open_house(settings), settings)


def app_for(house: House, settings: ServerSettings) -> Starlette:
    threads = Threads()
    apps = AcceptedApps(frozenset({(API_KEY, APP_SECRET), *settings.accepted_apps}))
    proxies = Proxies(settings.public_url, settings.trusted_proxies)
    routes = Routes(house, threads, apps, proxies)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        threads.close()
        house.metadata.close()
        house.blobs.close()

    handlers = all_handlers()
    app = Starlette(
        routes=routes.of([one for one in ENDPOINTS if one.name in handlers], handlers),
        lifespan=lifespan,
        exception_handlers={HTTPException: _http_error},
    )
    app.router.redirect_slashes = False
    app.state.house, app.state.threads, app.state.proxies = house, threads, proxies
    return app


async def _http_error(_: Request, problem: Exception) -> Response:
    """What the router itself refuses: unknown paths and wrong methods."""
    assert isinstance(problem, HTTPException)
    row = codes.METHOD_NOT_ALLOWED if problem.status_code == 405 else codes.NOT_OFFERED
    return error_response(row, headers=problem.headers)
