"""The application: endpoints, handlers and stores put together. No other module of the server opens stores."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Final, Literal

import msgspec
from starlette.types import Receive, Scope, Send

from skyshelf.server.api.changes import change_stream
from skyshelf.server.api.endpoints import endpoint_routes
from skyshelf.server.api.table import HANDLERS
from skyshelf.server.connections.evictions import KEEP_ALIVE_SECONDS, Limits
from skyshelf.server.connections.guard import Guard
from skyshelf.server.connections.traffic import CONNECTIONS_MAX, connection_limit, descriptor_limit
from skyshelf.server.dav.dialect import Dialect
from skyshelf.server.dav.routes import METHODS, Tree, tree_routes
from skyshelf.server.events.streams import ChangeStreams
from skyshelf.server.http.authentication import AcceptedApps
from skyshelf.server.http.offload import Offload, OffloadSettings
from skyshelf.server.http.proxies import PathPrefix, Proxies
from skyshelf.server.nextcloud.routes import NextcloudRoutes
from skyshelf.server.observability.counts import WorkerCounts
from skyshelf.server.observability.logs import BlockLines, LoggedLines, SlowCalls
from skyshelf.server.observability.noting import FigureNoting
from skyshelf.server.observability.tracing.settings import TracingSettings
from skyshelf.server.observability.watchdog import LoopWatchdog
from skyshelf.server.oidc.routes import OidcRoutes
from skyshelf.server.pages.api_docs import routes as api_docs
from skyshelf.server.pages.health import Health
from skyshelf.server.pages.share.views import SharePages
from skyshelf.server.pages.web_client import routes as web_client
from skyshelf.server.pages.web_client.routes import UnknownAddress
from skyshelf.server.pipeline.access_log import AccessLog
from skyshelf.server.pipeline.admission.admission import Admission
from skyshelf.server.pipeline.admission.kinds import THREADS, kinds_with
from skyshelf.server.pipeline.admission.requesters import Requesters
from skyshelf.server.pipeline.answers import Answer
from skyshelf.server.pipeline.callers import Callers
from skyshelf.server.pipeline.fault_injection import Simulation, Simulator
from skyshelf.server.pipeline.gate import CONNECTIONS_PER_ADDRESS, Gate
from skyshelf.server.pipeline.loop_reads import LoopReads
from skyshelf.server.pipeline.pipeline import Pipeline
from skyshelf.server.pipeline.router import Route, Router
from skyshelf.server.pipeline.threads import Threads
from skyshelf.service.context import Rules, ServiceContext
from skyshelf.service.jobs.maintenance import PERIODIC_TASKS, SCRUB
from skyshelf.service.jobs.runner import MAIL_JOBS, MEDIA_JOBS, REWIND_JOBS, JobRunner, job_runs
from skyshelf.service.media.pool import WORKERS as MEDIA_WORKERS
from skyshelf.service.media.pool import Workers
from skyshelf.service.oidc.relying_party import Parties
from skyshelf.service.oidc.settings import Provider
from skyshelf.service.operator.incidents import TELL_OPERATORS
from skyshelf.service.process.mail_settings import MailSettings
from skyshelf.service.process.reservations import Reservations, reserve_on
from skyshelf.service.retention import load_retention, store_retention
from skyshelf.service.uploads import duplicates
from skyshelf.storage.access import Access
from skyshelf.storage.blobs.protocols import BlobStore
from skyshelf.storage.first_look import refuse_other_half
from skyshelf.storage.host_lease import HostLease
from skyshelf.storage.local_paths import is_postgres, local_path
from skyshelf.storage.metadata.read_only import ReadOnly, refusing_writes
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.storage.open import open_metadata, open_stores
from skyshelf.storage.traced_stores import traced
from skyshelf.wire.endpoint import Host
from skyshelf.wire.endpoints import ENDPOINTS
from skyshelf.wire.headers import API_KEY, APP_SECRET

if TYPE_CHECKING:
    from skyshelf.server.observability.tracing.tracer import Tracer

# How long a stopping server goes on checking copies of known content; the sweeper checks the rest.
SETTLE_SECONDS: Final = 2.0
# Share pages bring their own routes: each of their errors is a page.
API_ENDPOINTS: Final = tuple(endpoint for endpoint in ENDPOINTS if endpoint.host is not Host.SHARE)


class SkyshelfApp:
    """An ASGI application that can also answer requests immediately, without a task, if nothing has to be awaited."""

    def __init__(
        self,
        pipeline: Pipeline,
        routes: tuple[Route, ...],
        lifespan: Callable[[], AbstractAsyncContextManager[None]],
        change_streams: ChangeStreams,
        *,
        guard: Guard,
        health: Health,
    ) -> None:
        self.pipeline = pipeline
        self.routes = routes
        self.lifespan = lifespan
        """A context that spans from the start of the background jobs to the end of the last one."""
        self.change_streams = change_streams
        self.guard = guard
        """Watches the connections of the listener that it is started with."""
        self.health = health
        self.answer_now: Callable[..., Answer | None] = pipeline.answer_now

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            await self.pipeline.serve(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        async with self.lifespan():
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})


class BackupCut(msgspec.Struct, frozen=True):
    """A cut of a backup that is served read-only; its rows are the metadata, and its contents stay where they are."""

    destination: str
    id: str
    identity: str | None = None
    """The file with the identity of an encrypted backup."""


class ServerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `skyshelf serve`: plain data, which can be passed to worker processes."""

    metadata: str
    blobs: str
    database_connections: int = 16
    """Maximum number of connections to PostgreSQL, per worker."""
    public_url: str | None = None
    trusted_proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    accepted_apps: tuple[tuple[str, str], ...] = ()
    rules: Rules = Rules()
    mail: MailSettings | None = None
    providers: tuple[Provider, ...] = ()
    """External login providers."""
    metrics_readers: tuple[str, ...] = ()
    simulation: Simulation | None = None
    background: bool = False
    reserve_space: int | None = None
    connections_per_address: int = CONNECTIONS_PER_ADDRESS
    connections: int = CONNECTIONS_MAX
    """Maximum number of client connections, per worker."""
    keep_alive_seconds: float = KEEP_ALIVE_SECONDS
    threads: int = THREADS
    """Number of threads for calls, per worker."""
    media_workers: int = MEDIA_WORKERS
    retention: Mapping[str, int] = {}
    """Values from the operator's configuration; they replace stored values that differ."""
    offload: OffloadSettings | None = None
    """How a reverse proxy sends files; None if this server sends all of them."""
    instance: bytes = b""
    """An id of this run: new at every start, and shared by all workers."""
    block_log: str | None = None
    """The format of the access log if it is written in blocks; None if it goes through the logging package."""
    slow_seconds: float = 2.0
    """Calls that take at least this long are logged with a breakdown of their time; 0 logs none."""
    tracing: TracingSettings | None = None
    """Where traces of requests and jobs are sent."""
    read_only_reason: str | None = None
    """Why this instance is read-only; None if it is not."""
    cut: BackupCut | None = None
    """The cut whose contents are served instead of blobs."""
    adopt_reason: str | None = None
    """Why stores that do not seem to belong together are used anyway; applied once, before the workers start."""
    answer_on: Literal["loop", "thread"] = "loop"
    """Where calls that need not wait are answered. For tests: a thread must give the same answers as the loop."""


def _open_stores(settings: ServerSettings) -> tuple[MetadataStore, BlobStore]:
    if settings.cut is None:
        return open_stores(
            settings.metadata,
            settings.blobs,
            adopt_reason=settings.adopt_reason,
            connections=settings.database_connections,
        )
    from skyshelf.backup.opened import open_contents

    metadata = open_metadata(settings.metadata, Access.WRITE)
    try:
        return metadata, open_contents(settings.cut.destination, settings.cut.id, settings.cut.identity, metadata)
    except BaseException:
        metadata.close()
        raise


def open_context(settings: ServerSettings) -> ServiceContext:
    metadata, blobs = _open_stores(settings)
    if settings.tracing is not None:
        metadata, blobs = traced(metadata, blobs)
    if settings.read_only_reason is not None:
        metadata = refusing_writes(metadata, ReadOnly(settings.read_only_reason, time.time_ns() // 1_000_000))
    ctx = ServiceContext(
        metadata=metadata,
        blobs=blobs,
        rules=settings.rules,
        reservations=Reservations(reserve_on(metadata, blobs, settings.reserve_space)),
        instance=settings.instance or os.urandom(8),
        media=Workers(settings.media_workers),
        mail=settings.mail,
        providers=Parties(settings.providers),
    )
    load_retention(ctx)
    if settings.read_only_reason is None:
        store_retention(ctx, settings.retention)
    return ctx


def open_first_context(settings: ServerSettings) -> ServiceContext:
    """Open the stores for the first time in a run. What can be refused is refused before anything is written."""
    lease = lease_of(settings)
    if lease is not None:
        lease.refuse_others()
    if settings.adopt_reason is None and settings.cut is None:
        refuse_other_half(settings.metadata, settings.blobs)
    if lease is not None:
        lease.take()
    return open_context(settings)


def lease_of(settings: ServerSettings) -> HostLease | None:
    """Return this machine's lease on embedded metadata; None for a database server, which any machine may use."""
    return None if is_postgres(settings.metadata) else HostLease(local_path(settings.metadata))


def create_app(settings: ServerSettings) -> SkyshelfApp:
    """Return the ASGI application of one worker process."""
    return app_for(open_context(settings), settings)


def app_for(ctx: ServiceContext, settings: ServerSettings) -> SkyshelfApp:
    """Return the application for open stores, which it closes on shutdown."""
    threads = Threads(Admission(kinds_with(settings.threads)))
    proxies = Proxies(settings.public_url, settings.trusted_proxies)
    requesters, counts = Requesters(), WorkerCounts()
    ctx.integrity.on_damaged_read(counts.damaged_read)
    change_streams = ChangeStreams(ctx, threads)
    figures = FigureNoting(ctx, counts, threads.admission, change_streams, descriptors=descriptor_limit())
    background = _runners(ctx) if settings.background else []
    limits = _limits(settings, proxies)
    gate = Gate(counts, limits)
    tracer = _tracer(counts, settings)
    lines = BlockLines(settings.block_log) if settings.block_log else LoggedLines()
    log = AccessLog(counts, lines, SlowCalls(settings.slow_seconds), tracer)
    health = Health(ctx, threads, figures)
    routes = _routes(ctx, settings, threads, change_streams=change_streams, health=health)
    router = Router(routes, UnknownAddress)
    if tracer is not None:
        tracer.use_routes(router.routes)
    apps = AcceptedApps(frozenset({(API_KEY, APP_SECRET), *settings.accepted_apps}))
    reads = LoopReads(ctx, threads, is_on=settings.answer_on == "loop" and settings.simulation is None)
    guard = Guard(limits, gate.visits, counts, gate.set_pressure)
    pipeline = Pipeline(
        ctx=ctx,
        router=router,
        threads=threads,
        admission=threads.admission,
        proxies=proxies,
        gate=gate,
        callers=Callers(ctx, apps, requesters),
        requesters=requesters,
        log=log,
        reads=reads,
        on_write=change_streams.written,
        prefix=PathPrefix(proxies.prefix) if proxies.prefix else None,
        offload=Offload(settings.offload, proxies) if settings.offload else None,
        simulator=Simulator(settings.simulation, ctx.clock.now) if settings.simulation else None,
    )

    @asynccontextmanager
    async def lifespan() -> AsyncIterator[None]:
        _trace_jobs(tracer)
        for runner in background:
            runner.start()
        await reads.open()
        noting, watchdog = asyncio.create_task(figures.keep_noting()), LoopWatchdog(counts)
        watchdog.start()
        yield
        watchdog.end()
        noting.cancel()
        figures.end()
        guard.stop()
        change_streams.end()
        await reads.close()
        # Not on this thread: running work may need the event loop to finish.
        await asyncio.to_thread(_end_work, ctx, background, threads)
        ctx.metadata.close()
        ctx.blobs.close()
        # This waits briefly if the trace collector is unreachable.
        await asyncio.to_thread(log.close)

    return SkyshelfApp(pipeline, router.routes, lifespan, change_streams, guard=guard, health=health)


def _routes(
    ctx: ServiceContext,
    settings: ServerSettings,
    threads: Threads,
    *,
    change_streams: ChangeStreams,
    health: Health,
) -> Iterator[Route]:
    webdav = Dialect()
    handlers = {**HANDLERS, "change_stream": change_stream(change_streams)}
    yield from endpoint_routes(ctx, threads, API_ENDPOINTS, handlers)
    yield from health.routes(settings.metrics_readers)
    paths = (webdav.prefix, f"{webdav.prefix}/{{path:path}}")
    yield from tree_routes(
        ctx, threads, [Tree(name=webdav.name, paths=paths, dialect_of=lambda _: webdav, methods=METHODS)]
    )
    yield from NextcloudRoutes(ctx, threads).routes()
    yield from OidcRoutes(ctx, threads).routes()
    yield from SharePages(ctx, threads).routes()
    yield from api_docs.ROUTES
    yield from web_client.ROUTES


def _runners(ctx: ServiceContext) -> list[JobRunner]:
    # The scrub has a separate runner, too: it reads for hours.
    return [
        JobRunner(ctx, tasks=(*PERIODIC_TASKS, TELL_OPERATORS)),
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
    # Copies of known content are checked and all events recorded before the stores are closed.
    duplicates.drain(SETTLE_SECONDS)
    ctx.trail.close()


def _limits(settings: ServerSettings, proxies: Proxies) -> Limits:
    connections = connection_limit(settings.connections)
    return Limits(
        connections=connections,
        descriptors=descriptor_limit(),
        # If there are few connections, one client must not take all of them.
        per_address=min(settings.connections_per_address, connections // 2),
        is_exempt=proxies.trusts,
        keep_alive_seconds=settings.keep_alive_seconds,
    )


def _tracer(counts: WorkerCounts, settings: ServerSettings) -> "Tracer | None":
    if settings.tracing is None:
        return None
    # OpenTelemetry's packages are optional, and take megabytes.
    from skyshelf.server.observability.tracing.tracer import Tracer

    database = "postgresql" if settings.metadata.startswith("postgres") else "sqlite"
    tracer = Tracer(settings.tracing, instance=settings.instance, database=database)
    counts.spans = tracer.counts
    return tracer


def _trace_jobs(tracer: "Tracer | None") -> None:
    job_runs.around = None if tracer is None else tracer.job
