"""The application: endpoints × handlers × stores. The one place of the server that opens stores."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp

from skyshelf.server.events.streams import ChangeStreams
from skyshelf.server.fault_injection import Simulation, Simulator
from skyshelf.server.handlers import all_handlers
from skyshelf.server.http.authentication import AcceptedApps
from skyshelf.server.http.endpoints import Routes
from skyshelf.server.http.error_responses import error_response, response_for
from skyshelf.server.http.proxies import Proxies
from skyshelf.server.http.router import Dispatch
from skyshelf.server.http.thread_pools import Threads
from skyshelf.server.observability.access_log import AccessLog
from skyshelf.server.observability.health import Health
from skyshelf.server.observability.metrics import Metrics
from skyshelf.server.pages.api_docs import routes as api_docs
from skyshelf.server.pages.first_account import FirstAccount
from skyshelf.server.pages.share import views
from skyshelf.server.pages.web_client import routes as web_client
from skyshelf.server.shutdown import when_told_to_stop
from skyshelf.service.context import Rules, ServiceContext
from skyshelf.service.jobs.runner import Background
from skyshelf.storage.open import open_blobs, open_metadata
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
    metrics_readers: tuple[str, ...] = ()
    first_account_token: str | None = None
    simulation: Simulation | None = None
    background: bool = False


class SkyshelfApp(Starlette):
    """Starlette, with our own outermost layer: also what the framework answers gets an id and a line in the log."""

    def __init__(self, *args: Any, around: Callable[[ASGIApp], ASGIApp], **options: Any) -> None:
        super().__init__(*args, **options)
        self.router = Dispatch(self.routes, lifespan=options["lifespan"])
        self._around = around

    def build_middleware_stack(self) -> ASGIApp:
        return self._around(super().build_middleware_stack())


def open_house(settings: ServerSettings) -> ServiceContext:
    return ServiceContext(
        metadata=open_metadata(settings.metadata), blobs=open_blobs(settings.blobs), rules=settings.rules
    )


def create_app(settings: ServerSettings) -> SkyshelfApp:
    """The ASGI application of one worker process."""
    return app_for(open_house(settings), settings)


def app_for(ctx: ServiceContext, settings: ServerSettings) -> SkyshelfApp:
    """The application over stores that are open already; it closes them at its end."""
    threads = Threads()
    apps = AcceptedApps(frozenset({(API_KEY, APP_SECRET), *settings.accepted_apps}))
    proxies = Proxies(settings.public_url, settings.trusted_proxies)
    metrics = Metrics()
    change_streams = ChangeStreams(ctx, threads)
    routes = Routes(ctx, threads, apps, proxies, written=change_streams.written)
    background = Background(ctx) if settings.background else None

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        if background is not None:
            background.start()
        when_told_to_stop(change_streams.end)
        yield
        change_streams.end()
        # Not on this thread: what still runs may need the event loop to come to its end.
        if background is not None:
            await asyncio.to_thread(background.stop)
        await asyncio.to_thread(threads.close)
        ctx.media.close()
        ctx.metadata.close()
        ctx.blobs.close()

    def around(app: ASGIApp) -> ASGIApp:
        if settings.simulation is not None:
            app = Simulator(app, settings.simulation, ctx.clock.now)
        return AccessLog(app, proxies, metrics)

    app = SkyshelfApp(
        routes=[
            *routes.of(ENDPOINTS, all_handlers()),
            *Health(ctx, threads, metrics, proxies).routes(settings.metrics_readers),
            *FirstAccount(ctx, threads, proxies, settings.first_account_token).routes(),
            *views.ROUTES,
            *api_docs.ROUTES,
            *web_client.ROUTES,
        ],
        lifespan=lifespan,
        exception_handlers={HTTPException: _http_error, Exception: _fault},
        around=around,
    )
    app.state.ctx, app.state.threads, app.state.proxies = ctx, threads, proxies
    app.state.change_streams = change_streams
    return app


async def _http_error(request: Request, problem: Exception) -> Response:
    """What the router itself refuses: unknown paths and wrong methods."""
    assert isinstance(problem, HTTPException)
    if problem.status_code != 405:
        return error_response(codes.NOT_OFFERED, headers=problem.headers)
    # A path can have several routes, and the router names the methods of the first alone.
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    alike = [route for route in routes if route.matches(request.scope)[0] is not Match.NONE]
    methods = sorted({method for route in alike for method in route.methods or ()})
    return error_response(codes.METHOD_NOT_ALLOWED, headers={"Allow": ", ".join(methods)})


async def _fault(_: Request, problem: Exception) -> Response:
    """What went wrong outside of any endpoint."""
    return response_for(problem)
