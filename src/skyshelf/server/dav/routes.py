"""Routes of WebDAV: authentication, scope, the method, and what becomes of its errors."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Final

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from skyshelf.server.dav import arranging, describing, locking, reading, storing
from skyshelf.server.dav.authentication import CHALLENGE, Apps
from skyshelf.server.dav.call import DavCall
from skyshelf.server.dav.dialect import Dialect
from skyshelf.server.dav.errors import dav_error
from skyshelf.server.dav.paths import raw_path_of
from skyshelf.server.dav.xml_bodies import escape
from skyshelf.server.http.admission.kinds import RESPONSES
from skyshelf.server.http.admission.requesters import Requesters
from skyshelf.server.http.bodies import drain_body_after
from skyshelf.server.http.endpoints import HELD_BACK
from skyshelf.server.http.prefix import prefix_of
from skyshelf.server.http.proxies import Proxies
from skyshelf.server.http.streamed import in_pieces
from skyshelf.server.http.thread_pools import Threads
from skyshelf.server.http.views import IndexedRequest
from skyshelf.service.accounts.app_passwords import App
from skyshelf.service.audit.origins import note_caller
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.errors import StoreFull
from skyshelf.wire import error_codes as codes


class Method(msgspec.Struct, frozen=True, kw_only=True):
    handle: Callable[[DavCall], Awaitable[Response]]
    writes: bool = True
    needs_space: bool = False
    """Whether it adds something: on a full disk, everything else still works."""


METHODS: Final = {
    "GET": Method(handle=reading.get, writes=False),
    "HEAD": Method(handle=reading.get, writes=False),
    "PROPFIND": Method(handle=reading.propfind, writes=False),
    "PUT": Method(handle=storing.put, needs_space=True),
    "MKCOL": Method(handle=arranging.mkcol, needs_space=True),
    "COPY": Method(handle=arranging.copy, needs_space=True),
    "MOVE": Method(handle=arranging.move),
    "DELETE": Method(handle=arranging.delete),
    "PROPPATCH": Method(handle=describing.proppatch, needs_space=True),
    "LOCK": Method(handle=locking.lock, needs_space=True),
    "UNLOCK": Method(handle=locking.unlock),
}
_ALLOW: Final = ", ".join(["OPTIONS", *METHODS])
_CLASSES: Final = {"dav": "1, 2, 3", "allow": _ALLOW, "ms-author-via": "DAV"}
# A browser says where a request comes from; other sites must not use the password that it remembers.
_OWN_SITES: Final = frozenset({None, "same-origin", "none"})


class DavRoutes:
    """Creates the routes of dialects."""

    def __init__(
        self,
        ctx: ServiceContext,
        threads: Threads,
        proxies: Proxies,
        requesters: Requesters,
        *,
        on_write: Callable[[], None] = lambda: None,
    ) -> None:
        self._ctx = ctx
        self._threads = threads
        self._proxies = proxies
        self._requesters = requesters
        self._on_write = on_write
        self.apps = Apps(ctx)

    def of(self, dialects: Iterable[Dialect]) -> list[Route]:
        routes = []
        for dialect in dialects:
            app = _DavApp(self, dialect)
            methods = ["OPTIONS", *METHODS]
            routes.append(Route(dialect.prefix, app, methods=methods, name=dialect.name))
            routes.append(Route(f"{dialect.prefix}/{{path:path}}", app, methods=methods, name=dialect.name))
        return routes

    async def respond(self, dialect: Dialect, request: Request) -> Response:
        method = METHODS.get(request.method)
        if method is None:
            return Response(status_code=200, headers=_CLASSES)
        return await self.answer(dialect, request, method)

    async def answer(self, dialect: Dialect, request: Request, method: Method) -> Response:
        """The response of a method; every error has one, too."""
        try:
            self._threads.admission.check(RESPONSES)
            app = await self._app_of(dialect, request, writes=method.writes)
            if method.needs_space:
                self._ctx.reservations.disk.check()
            origin = self._proxies.origin(request)
            call = DavCall(self._ctx, self._threads, request, dialect=dialect, app=app, origin=origin)
            response = await self._even_on_a_full_disk(method, call)
            if method.writes:
                self._on_write()
            return in_pieces(self._threads.admission, response)
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception as problem:  # noqa: BLE001 - every error has a response
            return await self._refuse(request, problem)

    async def _app_of(self, dialect: Dialect, request: Request, *, writes: bool) -> App:
        """The app of a request: in this moment if the store is embedded, else in a worker thread."""
        app = self.authenticate_now(dialect, request, self._ctx.metadata.version(), writes=writes)
        if app is not None:
            return app
        return await self._threads.call(lambda: self.authenticate(dialect, request, writes=writes))

    def authenticate_now(
        self, dialect: Dialect, request: Request, version: object | None, *, writes: bool
    ) -> App | None:
        """As `authenticate`, for the event loop; None where that has to decide."""
        _refuse_other_sites(request)
        app = self.apps.find_now(request.headers.get("authorization"), version)
        return None if app is None else self._admitted(app, dialect, request, writes=writes)

    def authenticate(self, dialect: Dialect, request: Request, *, writes: bool) -> App:
        """The app of a request, if its scope allows what it wants; for a worker thread."""
        _refuse_other_sites(request)
        try:
            app = self.apps.find(request.headers.get("authorization"), self._proxies.address(request))
        except ServiceError:
            self._requesters.forget()
            raise
        return self._admitted(app, dialect, request, writes=writes)

    def _admitted(self, app: App, dialect: Dialect, request: Request, *, writes: bool) -> App:
        self._requesters.recognize(app.caller.account_id)
        note_caller(app.caller)
        request.scope["user_id"] = app.caller.account_key
        if (writes and not app.scope.can_write) or (app.scope.webdav_only and not dialect.is_webdav):
            raise ServiceError(codes.APP_SCOPE)
        if writes:
            # Before the body is read: the commit would refuse it in any case.
            self._ctx.mode.check(self._ctx.metadata)
        return app

    async def _even_on_a_full_disk(self, method: Method, call: DavCall) -> Response:
        """A method that adds nothing, such as a deletion, is tried again with the space of the ballast."""
        try:
            return await method.handle(call)
        except StoreFull:
            if not method.writes or method.needs_space or not self._ctx.reservations.disk.note_full():
                raise
            return await method.handle(call)

    async def _refuse(self, request: Request, problem: Exception) -> Response:
        if isinstance(problem, StoreFull) and not problem.is_reserve:
            self._ctx.reservations.disk.note_full()
        response = refusal(request, problem)
        if response.status_code in HELD_BACK:
            await self._threads.admission.hold_back()
        return drain_body_after(request, response)


def refusal(request: Request, problem: Exception) -> Response:
    """The response to an exception, with the headers that belong to its status."""
    href = escape(prefix_of(request) + raw_path_of(request.scope).decode("latin-1"))
    response = dav_error(problem, href)
    if response.status_code == 401:
        response.headers["www-authenticate"] = CHALLENGE
    if response.status_code == 405:
        response.headers["allow"] = _ALLOW
    return response


def _refuse_other_sites(request: Request) -> None:
    if request.headers.get("sec-fetch-site") not in _OWN_SITES:
        raise ServiceError(codes.FORBIDDEN, "Other sites cannot use this address")


class _DavApp:
    """A dialect as an application; the access log names requests by their method."""

    def __init__(self, routes: DavRoutes, dialect: Dialect) -> None:
        self._routes = routes
        self._dialect = dialect

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["endpoint_name"] = f"{self._dialect.name}_{scope['method'].lower()}"
        response = await self._routes.respond(self._dialect, IndexedRequest(scope, receive, send))
        await response(scope, receive, send)
