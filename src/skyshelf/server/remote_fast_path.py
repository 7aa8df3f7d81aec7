"""The fast path of a store that is asked over a network: what is remembered is answered on the event loop.

Whether it still holds is one small question to the store, asked once for all requests of a turn of the event loop. If
something was committed, another one for the account says whether any of its files was changed (account_changes.py).
What is not remembered is read by the same functions, without the framework around them, and then remembered: also on
the event loop, which asks for the rows that they need, or in a thread where that does not do.
"""

import time
from collections.abc import Callable
from typing import Final

from starlette.types import Scope

from skyshelf.server.connections.gate import Gate
from skyshelf.server.fast_path import Asked, FastPath, FastRoute, name_of_head
from skyshelf.server.http.admission.requesters import Requesters, current_requester
from skyshelf.server.http.call import NotAtOnce
from skyshelf.server.http.endpoints import Routes
from skyshelf.server.http.prepared_file import PreparedFile
from skyshelf.server.http.thread_pools import Threads
from skyshelf.server.observability.access_log import AccessLog
from skyshelf.server.remembered_answers import Answered, Known
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.storage.metadata.replay import MissingRows, NotReplayed, Replay
from skyshelf.storage.metadata.store import StoreVersion, Versions
from skyshelf.storage.metadata.turns import current_turn
from skyshelf.wire.endpoint import Access

QUERIES_MAX: Final = 8
"""Of a call that is answered on the event loop."""


class _ForRoutes(Exception):
    """The routes have to answer."""


class _Found:
    """What a thread has read."""

    __slots__ = ("caller", "is_new", "known")

    def __init__(self, caller: Caller | None, known: Known, *, is_new: bool) -> None:
        self.caller = caller
        self.known = known
        self.is_new = is_new


class RemoteFastPath(FastPath):
    def __init__(
        self,
        ctx: ServiceContext,
        routes: Routes,
        *,
        requesters: Requesters,
        threads: Threads,
        gate: Gate,
        log: AccessLog,
        versions: Versions,
    ) -> None:
        super().__init__(ctx, routes, admission=threads.admission, gate=gate, log=log)
        self._requesters = requesters
        self._threads = threads
        self._versions = versions
        self._left_out: set[str] = set()

    async def open(self) -> None:
        await self._versions.open()

    async def close(self) -> None:
        await self._versions.close()

    async def answer_soon(self, scope: Scope, *, files: bool = False) -> Answered | None:
        """The response, perhaps with an open file; None where the framework has to answer."""
        began = time.perf_counter()
        route = self._route(scope)
        # Without its memory it would gain nothing.
        if route is None or not route.remembered_ms or route.endpoint.name in self._left_out:
            return None
        try:
            asked = self._asked(route.endpoint, scope, name_of_head(scope))
        except Exception:  # noqa: BLE001 - the routes meet the same, and say it
            return None
        if asked is None:
            return None
        with self._gate.in_progress(scope):
            try:
                return await self._answer_of_version(route, asked, began, files=files)
            except Exception:  # noqa: BLE001 - as above
                return None

    async def _answer_of_version(self, route: FastRoute, asked: Asked, began: float, *, files: bool) -> Answered | None:
        version = await self._versions.read()
        if version is None:
            return None
        found = self._remembered(route, asked, version)
        if found is None:
            found = await self._read(asked, lambda: self._looked_up(route, asked, version))
        self._admit(asked, found.caller)
        if found.is_new:
            self._keep(self._question(route, asked.request, asked.head, found.caller), found.known)
        try:
            return self.prepared(route.endpoint.name, asked.request, found.known, began, files=files)
        except NotAtOnce:
            if isinstance(found.known.answer, PreparedFile) and not found.known.answer.is_local():
                # Its bytes come over a network too, so this would be of no use for any other.
                self._left_out.add(route.endpoint.name)
            return None

    def _remembered(self, route: FastRoute, asked: Asked, version: StoreVersion) -> _Found | None:
        caller = self._known_caller(route.endpoint, asked, version)
        if caller is None and route.endpoint.access is not Access.PUBLIC:
            return None
        known = self._remembered_answer(route, self._question(route, asked.request, asked.head, caller))
        return None if known is None or known.version != version else _Found(caller, known, is_new=False)

    def _looked_up(self, route: FastRoute, asked: Asked, version: StoreVersion) -> _Found:
        """It may begin again, and changes nothing of what is remembered but until when that holds."""
        caller = self._caller(route.endpoint, asked, version)
        known = self._known(route, self._question(route, asked.request, asked.head, caller), caller, version)
        if known is not None:
            return _Found(caller, known, is_new=False)
        return _Found(caller, self._looked_up_anew(route, asked.request, caller, version), is_new=True)

    async def _read(self, asked: Asked, work: Callable[[], _Found]) -> _Found:
        """Run it, as work of the account whose credential has proved valid before.

        Anybody else is left to the routes: an invented credential must not cost more than one look.
        """
        requester = self._requesters.requester_of(asked.request.scope)
        if not isinstance(requester.key, int):
            raise _ForRoutes
        of_admission, of_store = current_requester.set(requester), current_turn.set(requester)
        try:
            found = await self._on_the_loop(work)
            return await self._threads.call(work) if found is None else found
        finally:
            current_turn.reset(of_store)
            current_requester.reset(of_admission)
            requester.leave()

    async def _on_the_loop(self, work: Callable[[], _Found]) -> _Found | None:
        """Run it with rows that the event loop reads; None where a thread has to."""
        replay = Replay()
        for _ in range(QUERIES_MAX):
            try:
                return replay.run(work)
            except NotReplayed:
                return None
            except MissingRows as missing:
                asked = missing
            rows = await self._versions.rows(asked)
            if rows is None:
                return None
            replay.add(asked, rows)
        return None


def fast_path_of(
    ctx: ServiceContext, routes: Routes, requesters: Requesters, threads: Threads, *, gate: Gate, log: AccessLog
) -> FastPath:
    """The one for this kind of store."""
    versions = ctx.metadata.versions()
    if versions is None:
        return FastPath(ctx, routes, admission=threads.admission, gate=gate, log=log)
    return RemoteFastPath(ctx, routes, requesters=requesters, threads=threads, gate=gate, log=log, versions=versions)
