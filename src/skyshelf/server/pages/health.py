"""Liveness, readiness and metrics, for operators, without a session."""

import asyncio
import ipaddress
import logging
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from skyshelf.server.http.error_responses import error_response, json_response
from skyshelf.server.http.proxies import is_within
from skyshelf.server.observability.noting import FigureNoting
from skyshelf.server.pipeline.request import ServerRequest
from skyshelf.server.pipeline.router import Route
from skyshelf.server.pipeline.threads import Threads
from skyshelf.server.pipeline.views import view_route
from skyshelf.service.context import ServiceContext
from skyshelf.service.integrity import damage, scrub
from skyshelf.service.jobs.brakes import brakes
from skyshelf.service.operator.backups import BackupState, backup_state
from skyshelf.storage.errors import StorageError, StoreFull
from skyshelf.storage.metadata.read_only import ReadOnly
from skyshelf.wire import error_codes as codes

if TYPE_CHECKING:
    from skyshelf.server.observability.metrics import Metrics

T = TypeVar("T")
_log = logging.getLogger("skyshelf.server")
_METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_TOTALS_SECONDS = 60
READY_SECONDS = 1.8
"""How long a check may take: probes get a response within two seconds, whatever the stores do."""
_NO_ANSWER = "no answer"
LOOPBACK = ("127.0.0.0/8", "::1/128")


class Health:
    def __init__(self, ctx: ServiceContext, threads: Threads, figures: FigureNoting) -> None:
        self._ctx = ctx
        self._threads = threads
        self._figures = figures
        self._totals_noted: float | None = None
        self._checking: asyncio.Task[None] | None = None
        self._found: dict[str, str] = {}
        self.is_stopping = False
        """Whether load balancers are to send requests elsewhere, though they are still answered here."""

    def routes(self, metrics_readers: Iterable[str]) -> list[Route]:
        """Return the routes. `metrics_readers` are networks that may read the metrics, besides the local machine."""
        readers = [ipaddress.ip_network(network, strict=False) for network in (*LOOPBACK, *metrics_readers)]

        async def metrics(request: ServerRequest) -> Response:
            if not is_within(request.head.client.address, readers):
                return error_response(codes.NOT_OFFERED)
            # The first reading has to load the library, which takes a while.
            await self._threads.check(self._figures.metrics)
            self._figures.note()
            page = await self._threads.check(self._metrics_page)
            return Response(page, headers={"content-type": _METRICS_TYPE})

        return [
            view_route("/healthz", "healthz", self._healthz, is_admitted=False),
            # The customary name for probes of Kubernetes.
            view_route("/livez", "livez", self._healthz, is_admitted=False),
            # The address that third-party clients use.
            view_route("/nms/ping", "ping", self._healthz, is_admitted=False),
            view_route("/readyz", "readyz", self._readyz, is_admitted=False),
            view_route("/metrics", "metrics", metrics, is_admitted=False),
        ]

    async def _healthz(self, _: Request) -> Response:
        return json_response(b'{"status":"up"}')

    async def _readyz(self, _: Request) -> Response:
        if self.is_stopping:
            return json_response(b'{"server":"stopping: requests are still answered"}', 503)
        if self._checking is None or self._checking.done():
            # If a check outlasts its probe, the next probe gets its result.
            self._found = {"metadata": _NO_ANSWER, "blobs": _NO_ANSWER}
            self._checking = asyncio.create_task(self._check(self._found))
        # Concurrent probes share one check of the stores.
        await asyncio.wait({self._checking}, timeout=READY_SECONDS)
        stores = [self._found["metadata"], self._found["blobs"]]
        # An instance that refuses uploads still serves everything else, so it stays in its load balancer.
        status = 503 if "unavailable" in stores or _NO_ANSWER in stores else 200
        return json_response(msgspec.json.encode(self._found), status)

    async def _check(self, found: dict[str, str]) -> None:
        async def look(which: str, check: Callable[[], None]) -> None:
            found[which] = await self._state(check, which)

        await asyncio.gather(look("metadata", self._ctx.metadata.check), look("blobs", self._ctx.blobs.check))
        is_there = "unavailable" not in found.values()
        has_space = "full" not in found.values() and await self._threads.check(self._ctx.reservations.disk.has_space)
        found["space"] = "ready" if has_space else "at the reserve: uploads are refused"
        stopped = await self._threads.check(self._stopped_jobs) if is_there else []
        mode = await self._threads.check(self._read_only) if is_there else None
        damaged = await self._threads.check(self._damaged_contents) if is_there else 0
        found["jobs"] = f"stopped: {', '.join(stopped)}" if stopped else "ready"
        found["writes"] = "ready" if mode is None else f"read-only: {mode.reason}"
        # Listed only if there is a problem: everything else is served, so the instance stays in service.
        if damaged:
            found["contents"] = f"{damaged} damaged: see skyshelf admin scrub status"
        backups = await self._threads.check(self._backups) if is_there else None
        if backups is not None and backups.is_failing:
            found["backups"] = "failing: see skyshelf admin backup-status"
        elif backups is not None and backups.is_overdue(self._ctx.clock.now(), self._ctx.rules.backup_max_age):
            found["backups"] = "overdue: see skyshelf admin backup-status"

    def _known(self, read: Callable[[ServiceContext], T], otherwise: T) -> T:
        """Return what the store says; if it cannot be read, its own check reports that."""
        try:
            return read(self._ctx)
        except StorageError:
            return otherwise

    def _read_only(self) -> ReadOnly | None:
        return self._known(lambda ctx: ctx.mode.now(ctx.metadata), None)

    def _stopped_jobs(self) -> list[str]:
        return self._known(lambda ctx: [brake.task for brake in brakes(ctx)], [])

    def _backups(self) -> BackupState | None:
        return self._known(backup_state, None)

    def _damaged_contents(self) -> int:
        return self._known(damage.count, 0)

    def _metrics_page(self) -> bytes:
        metrics = self._figures.metrics()
        metrics.set("damaged_contents", self._damaged_contents())
        self._note_totals(metrics)
        with suppress(StorageError):
            now = self._ctx.clock.now()
            with self._ctx.metadata.read() as unit:
                queue = unit.outbox.figures(now)
            metrics.queue(queue, now)
        metrics.set("read_only", self._read_only() is not None)
        with suppress(StorageError):
            state = scrub.state_of(self._ctx)
            if state is not None:
                metrics.scrub(state, self._ctx.clock.now())
        metrics.set("jobs_stopped", len(self._stopped_jobs()))
        if (backups := self._backups()) is not None:
            metrics.backups(backups)
        return metrics.page(self._ctx.reservations.disk)

    def _note_totals(self, metrics: "Metrics") -> None:
        """Update the totals, but not at every request: a large quarantine or many accounts take a while to add up."""
        now = time.monotonic()
        if self._totals_noted is not None and now - self._totals_noted < _TOTALS_SECONDS:
            return
        with suppress(StorageError):
            with self._ctx.metadata.read() as unit:
                totals, quotas = unit.quarantine.totals(), unit.operators.quota_totals()
            metrics.quarantine(totals)
            metrics.quotas(quotas)
            self._totals_noted = now

    async def _state(self, check: Callable[[], None], which: str) -> str:
        try:
            await self._threads.check(check)
        except StoreFull as problem:
            _log.warning("the %s store is full: %s", which, problem)
            return "full"
        except StorageError as problem:
            _log.warning("the %s store is not ready: %s", which, problem)
            return "unavailable"
        return "ready"
