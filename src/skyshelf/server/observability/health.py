"""Liveness, readiness and metrics, for operators, without a session."""

import asyncio
import ipaddress
import logging
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from skyshelf.server.http.error_responses import error_response
from skyshelf.server.http.proxies import Proxies, is_within
from skyshelf.server.http.thread_pools import Threads
from skyshelf.server.http.views import view_route
from skyshelf.server.observability.noting import FigureNoting
from skyshelf.service.context import ServiceContext
from skyshelf.service.integrity import damage, scrub
from skyshelf.service.jobs.brakes import brakes
from skyshelf.storage.errors import StorageError, StoreFull
from skyshelf.storage.metadata.read_only import ReadOnly
from skyshelf.wire import error_codes as codes
from skyshelf.wire.headers import JSON_UTF8

if TYPE_CHECKING:
    from skyshelf.server.observability.metrics import Metrics

_log = logging.getLogger("skyshelf.server")
_METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_TOTALS_SECONDS = 60
READY_SECONDS = 1.8
"""A probe gets its response within two seconds, whatever the stores do."""
_NO_ANSWER = "no answer"
LOOPBACK = ("127.0.0.0/8", "::1/128")


class Health:
    def __init__(
        self,
        ctx: ServiceContext,
        threads: Threads,
        figures: FigureNoting,
        proxies: Proxies,
    ) -> None:
        self._ctx = ctx
        self._threads = threads
        self._figures = figures
        self._proxies = proxies
        self._totals_noted: float | None = None
        self._checking: asyncio.Task[None] | None = None
        self._found: dict[str, str] = {}

    def routes(self, metrics_readers: Iterable[str]) -> list[Route]:
        """`metrics_readers` are further networks that may read the metrics; the local machine always may."""
        readers = [ipaddress.ip_network(network, strict=False) for network in (*LOOPBACK, *metrics_readers)]

        async def metrics(request: Request) -> Response:
            if not is_within(self._proxies.address(request), readers):
                return error_response(codes.NOT_OFFERED)
            # Read for the first time, they are loaded first: that takes a while.
            await self._threads.check(self._figures.metrics)
            self._figures.note()
            page = await self._threads.check(self._metrics_page)
            return Response(page, headers={"content-type": _METRICS_TYPE})

        return [
            view_route("/healthz", "healthz", self._healthz),
            # The name that the probes of Kubernetes use by custom.
            view_route("/livez", "livez", self._healthz),
            # Where other people's clients ask.
            view_route("/nms/ping", "ping", self._healthz),
            view_route("/readyz", "readyz", self._readyz),
            view_route("/metrics", "metrics", metrics),
        ]

    async def _healthz(self, _: Request) -> Response:
        return _json({"status": "up"}, 200)

    async def _readyz(self, _: Request) -> Response:
        if self._checking is None or self._checking.done():
            # Of a check that takes longer than its probe, the next one gets what has been found since.
            self._found = {"metadata": _NO_ANSWER, "blobs": _NO_ANSWER}
            self._checking = asyncio.create_task(self._check(self._found))
        # However many ask at once, the stores are checked once.
        await asyncio.wait({self._checking}, timeout=READY_SECONDS)
        stores = [self._found["metadata"], self._found["blobs"]]
        # An instance that refuses uploads still serves everything else, so it stays in its load balancer.
        return _json(self._found, 503 if "unavailable" in stores or _NO_ANSWER in stores else 200)

    async def _check(self, found: dict[str, str]) -> None:
        async def look(which: str, check: Callable[[], None]) -> None:
            found[which] = await self._state(check, which)

        await asyncio.gather(look("metadata", self._ctx.metadata.check), look("blobs", self._ctx.blobs.check))
        is_there = "unavailable" not in found.values()
        has_space = "full" not in found.values() and await self._threads.check(self._ctx.reservations.disk.has_space)
        found["space"] = "ready" if has_space else "at the reserve: uploads are refused"
        stopped = await self._threads.check(self._stopped_jobs) if is_there else []
        mode = await self._threads.check(self._mode) if is_there else None
        damaged = await self._threads.check(self._damaged_contents) if is_there else 0
        found["jobs"] = f"stopped: {', '.join(stopped)}" if stopped else "ready"
        found["writes"] = "ready" if mode is None else f"read-only: {mode.reason}"
        # Named only when there is something to say: everything else is served, so the instance stays in service.
        if damaged:
            found["contents"] = f"{damaged} damaged: see skyshelf admin scrub status"

    def _mode(self) -> ReadOnly | None:
        try:
            return self._ctx.mode.now(self._ctx.metadata)
        except StorageError:
            return None

    def _stopped_jobs(self) -> list[str]:
        try:
            return [brake.task for brake in brakes(self._ctx)]
        except StorageError:
            # The next check of the store reports it.
            return []

    def _damaged_contents(self) -> int:
        try:
            return damage.count(self._ctx)
        except StorageError:
            return 0

    def _metrics_page(self) -> bytes:
        metrics = self._figures.metrics()
        metrics.damaged_contents(self._damaged_contents())
        self._note_totals(metrics)
        with suppress(StorageError):
            now = self._ctx.clock.now()
            with self._ctx.metadata.read() as unit:
                queue = unit.outbox.figures(now)
            metrics.server.note_queue(queue, now)
        metrics.read_only(is_on=self._mode() is not None)
        with suppress(StorageError):
            state = scrub.state_of(self._ctx)
            if state is not None:
                metrics.scrub(state, self._ctx.clock.now())
        metrics.jobs_stopped(len(self._stopped_jobs()))
        return metrics.page(self._ctx.reservations.disk)

    def _note_totals(self, metrics: "Metrics") -> None:
        """Not at every request: a large quarantine, or many accounts, take a while to add up."""
        now = time.monotonic()
        if self._totals_noted is not None and now - self._totals_noted < _TOTALS_SECONDS:
            return
        with suppress(StorageError):
            with self._ctx.metadata.read() as unit:
                totals, quotas = unit.quarantine.totals(), unit.operators.quota_totals()
            metrics.quarantine(totals)
            metrics.server.note_quotas(quotas)
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


def _json(content: object, status: int) -> Response:
    return Response(msgspec.json.encode(content), status, {"content-type": JSON_UTF8, "cache-control": "no-store"})
