"""The application: endpoints, handlers and stores put together. No other module of the server opens stores."""

import asyncio
import os
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp

from skyshelf.server.application import SkyshelfApp, TracedApp
from skyshelf.server.connections.descriptors import CONNECTIONS_MAX, connection_limit, descriptor_limit
from skyshelf.server.connections.evictions import KEEP_ALIVE_SECONDS, Limits
from skyshelf.server.connections.gate import CONNECTIONS_PER_ADDRESS, Gate
from skyshelf.server.connections.guard import Guard
from skyshelf.server.dav.dialect import Dialect
from skyshelf.server.dav.routes import DavRoutes
from skyshelf.server.events.streams import ChangeStreams
from skyshelf.server.fast_uploads import FastUploads
from skyshelf.server.fast_webdav import FastWebdav
from skyshelf.server.fault_injection import Simulation, Simulator
from skyshelf.server.handlers.changes import change_stream
from skyshelf.server.handlers.table import HANDLERS
from skyshelf.server.http.admission.admission import Admission
from skyshelf.server.http.admission.kinds import THREADS, kinds_with
from skyshelf.server.http.admission.requesters import RequesterLayer, Requesters
from skyshelf.server.http.authentication import AcceptedApps
from skyshelf.server.http.endpoints import Routes
from skyshelf.server.http.error_responses import error_response, response_for
from skyshelf.server.http.offload import Offload, OffloadSettings
from skyshelf.server.http.prefix import PathPrefix
from skyshelf.server.http.proxies import Proxies
from skyshelf.server.http.thread_pools import Threads
from skyshelf.server.nextcloud.routes import NextcloudRoutes
from skyshelf.server.observability.access_lines import BlockLines, LoggedLines
from skyshelf.server.observability.access_log import AccessLog
from skyshelf.server.observability.counts import WorkerCounts
from skyshelf.server.observability.health import Health
from skyshelf.server.observability.noting import FigureNoting
from skyshelf.server.observability.slow_calls import SlowCalls
from skyshelf.server.observability.tracing.settings import TracingSettings
from skyshelf.server.oidc.routes import OidcRoutes
from skyshelf.server.pages.api_docs import routes as api_docs
from skyshelf.server.pages.share.views import SharePages
from skyshelf.server.pages.unknown_address import is_person, unknown_address
from skyshelf.server.pages.web_client import routes as web_client
from skyshelf.server.remote_fast_path import RemoteFastPath, fast_path_of
from skyshelf.service.context import Rules, ServiceContext
from skyshelf.service.disk_reserve import reserve_on
from skyshelf.service.jobs.runner import MAIL_JOBS, MEDIA_JOBS, REWIND_JOBS, JobRunner
from skyshelf.service.jobs.scrub_task import SCRUB
from skyshelf.service.jobs.watching import job_runs
from skyshelf.service.mail_settings import MailSettings
from skyshelf.service.media.pool import WORKERS as MEDIA_WORKERS
from skyshelf.service.media.pool import Workers
from skyshelf.service.oidc.parties import Parties
from skyshelf.service.oidc.settings import Provider
from skyshelf.service.reservations import Reservations
from skyshelf.service.retention import load_retention, store_retention
from skyshelf.service.uploads import duplicates
from skyshelf.storage.metadata.read_only import ReadOnly, ReadOnlyStore
from skyshelf.storage.open import open_stores
from skyshelf.storage.traced_stores import traced
from skyshelf.wire import error_codes as codes
from skyshelf.wire.endpoint import Host
from skyshelf.wire.endpoints import ENDPOINTS
from skyshelf.wire.headers import API_KEY, APP_SECRET

if TYPE_CHECKING:
    from skyshelf.server.observability.tracing.tracer import Tracer

# How long a stopping server goes on checking copies of known content; the sweeper checks the rest.
SETTLE_SECONDS: Final = 2.0
# Share pages bring their own routes: each of their errors is a page.
API_ENDPOINTS: Final = tuple(endpoint for endpoint in ENDPOINTS if endpoint.host is not Host.SHARE)


class ServerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `skyshelf serve`: plain data, which can be passed to worker processes."""

    metadata: str
    blobs: str
    database_connections: int = 16
    """To PostgreSQL, per worker."""
    public_url: str | None = None
    trusted_proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    accepted_apps: tuple[tuple[str, str], ...] = ()
    rules: Rules = Rules()
    mail: MailSettings | None = None
    providers: tuple[Provider, ...] = ()
    """Where people may log in besides here."""
    metrics_readers: tuple[str, ...] = ()
    first_account_token: str | None = None
    simulation: Simulation | None = None
    background: bool = False
    reserve_space: int | None = None
    connections_per_address: int = CONNECTIONS_PER_ADDRESS
    connections: int = CONNECTIONS_MAX
    """Of one worker, at most."""
    keep_alive_seconds: float = KEEP_ALIVE_SECONDS
    threads: int = THREADS
    """For calls, per worker."""
    media_workers: int = MEDIA_WORKERS
    retention: Mapping[str, int] = {}
    """What the operator has chosen in the configuration; it is stored where it differs from what is stored."""
    offload: OffloadSettings | None = None
    """How a reverse proxy sends files; None where this server sends all of them."""
    guarded_port: int | None = None
    """the port whose connections are looked after; None where another program serves the application."""
    instance: bytes = b""
    """New at every start, and the same in all workers."""
    block_log: str | None = None
    """The format of the access log where it is written in blocks; None where it goes through the logging package."""
    slow_seconds: float = 2.0
    """Calls that take as long are logged with what they spend their time on; 0 for none."""
    tracing: TracingSettings | None = None
    """Where traces of requests and jobs are sent."""
    read_only_reason: str | None = None
    """Why this instance writes nothing; None where it does."""
    adopt_reason: str | None = None
    """Why stores are used together that do not seem to belong together; counts once, before the workers start."""


def open_context(settings: ServerSettings) -> ServiceContext:
    metadata, blobs = open_stores(
        settings.metadata,
        settings.blobs,
        adopt_reason=settings.adopt_reason,
        connections=settings.database_connections,
    )
    if settings.tracing is not None:
        metadata, blobs = traced(metadata, blobs)
    if settings.read_only_reason is not None:
        metadata = ReadOnlyStore(metadata, ReadOnly(settings.read_only_reason, time.time_ns() // 1_000_000))
    ctx = ServiceContext(
        metadata=metadata,
        blobs=blobs,
        rules=settings.rules,
        reservations=Reservations(reserve_on(metadata, blobs, settings.reserve_space)),
        instance=settings.instance or os.urandom(8),
        first_account_token=settings.first_account_token,
        media=Workers(settings.media_workers),
        mail=settings.mail,
        providers=Parties(settings.providers),
    )
    load_retention(ctx)
    if settings.read_only_reason is None:
        store_retention(ctx, settings.retention)
    return ctx


def create_app(settings: ServerSettings) -> SkyshelfApp:
    """The ASGI application of one worker process."""
    return app_for(open_context(settings), settings)


def app_for(ctx: ServiceContext, settings: ServerSettings) -> SkyshelfApp:
    """The application over open stores, which it closes on shutdown."""
    threads = Threads(Admission(kinds_with(settings.threads)))
    apps = AcceptedApps(frozenset({(API_KEY, APP_SECRET), *settings.accepted_apps}))
    proxies = Proxies(settings.public_url, settings.trusted_proxies)
    requesters = Requesters(proxies)
    counts = WorkerCounts()
    ctx.integrity.on_damaged_read(counts.damaged_read)
    change_streams = ChangeStreams(ctx, threads)
    figures = FigureNoting(ctx, counts, threads.admission, change_streams, descriptors=descriptor_limit())
    dav, webdav = DavRoutes(ctx, threads, proxies, requesters, on_write=change_streams.written), Dialect()
    nextcloud = NextcloudRoutes(ctx, threads, proxies, dav)
    routes = Routes(ctx, threads, apps, proxies, requesters, on_write=change_streams.written)
    background = _runners(ctx) if settings.background else []
    limits = _limits(settings, proxies)
    gate = Gate(proxies, counts, limits)
    tracer = _tracer(proxies, counts, settings)
    log = _access_log(proxies, counts, settings, tracer)
    handlers = {**HANDLERS, "change_stream": change_stream(change_streams)}
    fast_path, fast_uploads, fast_webdav = None, None, None
    # Faults are injected between the framework and the server, so there it answers everything.
    if settings.simulation is None:
        fast_path = fast_path_of(ctx, routes, requesters, threads, gate=gate, log=log)
        fast_path.add(API_ENDPOINTS, handlers)
        fast_uploads = FastUploads(ctx, fast_path, threads, gate=gate, log=log, on_write=change_streams.written)
        fast_webdav = FastWebdav(
            ctx,
            fast_path,
            dav,
            threads,
            trees=[(b"/dav/", lambda _: webdav), (b"/remote.php/", nextcloud.tree_at)],
            gate=gate,
            log=log,
            on_write=change_streams.written,
        )
    guard = (
        Guard(settings.guarded_port, limits, gate.visits, counts, gate.set_pressure) if settings.guarded_port else None
    )

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        _trace_jobs(tracer)
        for runner in background:
            runner.start()
        if guard is not None:
            guard.start()
        if isinstance(fast_path, RemoteFastPath):
            await fast_path.open()
        _on_stop_signal(change_streams.end)
        noting = asyncio.create_task(figures.keep_noting())
        yield
        noting.cancel()
        figures.end()
        if guard is not None:
            guard.stop()
        change_streams.end()
        if isinstance(fast_path, RemoteFastPath):
            await fast_path.close()
        # Not on this thread: running work may need the event loop to finish.
        await asyncio.to_thread(_end_work, ctx, background, threads)
        ctx.metadata.close()
        ctx.blobs.close()
        # It waits for a moment if the collector of traces is away.
        await asyncio.to_thread(log.close)

    def around(app: ASGIApp) -> ASGIApp:
        if settings.simulation is not None:
            app = Simulator(app, settings.simulation, ctx.clock.now)
        return gate.around(RequesterLayer(app, requesters), log.around)

    return _application(
        tracer,
        routes=[
            *routes.of(API_ENDPOINTS, handlers),
            *Health(ctx, threads, figures, proxies).routes(settings.metrics_readers),
            *dav.of([webdav]),
            *nextcloud.routes(),
            *OidcRoutes(ctx, threads, proxies).routes(),
            *SharePages(ctx, threads, proxies).routes(),
            *api_docs.ROUTES,
            *web_client.ROUTES,
        ],
        lifespan=lifespan,
        exception_handlers={HTTPException: _http_error, Exception: _fault},
        around=around,
        change_streams=change_streams,
        fast_path=fast_path,
        fast_uploads=fast_uploads,
        fast_webdav=fast_webdav,
        offload=Offload(settings.offload, proxies) if settings.offload else None,
        prefix=PathPrefix(proxies.prefix) if proxies.prefix else None,
    )


def _application(tracer: "Tracer | None", **options: Any) -> SkyshelfApp:
    if tracer is None:
        return SkyshelfApp(**options)
    application = TracedApp(**options)
    tracer.use_routes(application.routes)
    return application


def _runners(ctx: ServiceContext) -> list[JobRunner]:
    # The scrub has a separate runner, too: it reads for hours.
    return [
        JobRunner(ctx),
        JobRunner(ctx, jobs=MEDIA_JOBS, tasks=()),
        JobRunner(ctx, jobs={}, tasks=(SCRUB,)),
        JobRunner(ctx, jobs=REWIND_JOBS, tasks=()),
        *([JobRunner(ctx, jobs=MAIL_JOBS, tasks=())] if ctx.mail is not None else []),
    ]


def _end_work(ctx: ServiceContext, background: list[JobRunner], threads: Threads) -> None:
    # The media workers first: the runners may be waiting for one.
    ctx.media.close()
    for runner in background:
        runner.stop()
    _trace_jobs(None)
    threads.close()
    _settle(ctx)


def _limits(settings: ServerSettings, proxies: Proxies) -> Limits:
    connections = connection_limit(settings.connections)
    return Limits(
        connections=connections,
        descriptors=descriptor_limit(),
        # Where there is little to share, one client must leave some of it.
        per_address=min(settings.connections_per_address, connections // 2),
        is_exempt=proxies.trusts,
        keep_alive_seconds=settings.keep_alive_seconds,
    )


def _tracer(proxies: Proxies, counts: WorkerCounts, settings: ServerSettings) -> "Tracer | None":
    if settings.tracing is None:
        return None
    # Its packages are optional, and take megabytes.
    from skyshelf.server.observability.tracing.tracer import Tracer

    database = "postgresql" if settings.metadata.startswith("postgres") else "sqlite"
    tracer = Tracer(settings.tracing, proxies, instance=settings.instance, database=database)
    counts.spans = tracer.counts
    return tracer


def _trace_jobs(tracer: "Tracer | None") -> None:
    job_runs.around = None if tracer is None else tracer.job


def _access_log(proxies: Proxies, counts: WorkerCounts, settings: ServerSettings, tracer: "Tracer | None") -> AccessLog:
    lines = BlockLines(settings.block_log) if settings.block_log else LoggedLines()
    return AccessLog(proxies, counts, lines, SlowCalls(settings.slow_seconds), tracer)


def _settle(ctx: ServiceContext) -> None:
    """Before the stores are closed: check copies of known content, and record all events."""
    duplicates.drain(SETTLE_SECONDS)
    ctx.trail.close()


async def _http_error(request: Request, problem: Exception) -> Response:
    """The router's own errors: unknown paths and wrong methods."""
    assert isinstance(problem, HTTPException)
    if problem.status_code != 405:
        if is_person(request):
            return unknown_address(request)
        return error_response(codes.NOT_OFFERED, headers=problem.headers)
    # A path can have several routes, and the router names only the first one's methods.
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    matching = [route for route in routes if route.matches(request.scope)[0] is not Match.NONE]
    methods = sorted({method for route in matching for method in route.methods or ()})
    return error_response(codes.METHOD_NOT_ALLOWED, headers={"Allow": ", ".join(methods)})


async def _fault(_: Request, problem: Exception) -> Response:
    """An error outside of any endpoint."""
    return response_for(problem)


def _on_stop_signal(stop: Callable[[], None]) -> None:
    """Call `stop` on this event loop when the process is asked to stop, in addition to the HTTP server's own handling.

    The HTTP server waits for running requests before it shuts the application down, and an event stream never ends
    otherwise. Its own handlers are those of the event loop, which receives signals through a file descriptor, so
    setting a handler here takes nothing away from it. Only the main thread can handle signals; tests run elsewhere.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()

    def handle(_signal: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stop)

    for number in (signal.SIGTERM, signal.SIGINT):
        # Only signals which the event loop handles; any other handler stays.
        if signal.getsignal(number) not in (signal.SIG_DFL, signal.SIG_IGN, signal.default_int_handler, None):
            signal.signal(number, handle)
