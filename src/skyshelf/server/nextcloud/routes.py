"""All addresses of the dialect."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import cached_property
from typing import Final

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from skyshelf.server.dav.dialect import Dialect
from skyshelf.server.dav.paths import raw_path_of, segments_of
from skyshelf.server.dav.routes import METHODS, DavRoutes, Method
from skyshelf.server.http.bodies import drain_body_after
from skyshelf.server.http.endpoints import HELD_BACK
from skyshelf.server.http.proxies import Proxies
from skyshelf.server.http.thread_pools import Threads
from skyshelf.server.http.views import IndexedRequest, view_route
from skyshelf.server.nextcloud import capabilities, ocs
from skyshelf.server.nextcloud.bulk import BULK, BulkDialect
from skyshelf.server.nextcloud.checksums import PATCH
from skyshelf.server.nextcloud.dialect import FilesDialect, LegacyDialect
from skyshelf.server.nextcloud.finding import REPORT, SEARCH, SearchDialect
from skyshelf.server.nextcloud.ids import instance_of
from skyshelf.server.nextcloud.login_flow import LoginFlow
from skyshelf.server.nextcloud.previews import Previews
from skyshelf.server.nextcloud.transfers import METHODS as TRANSFER_METHODS
from skyshelf.server.nextcloud.transfers import TransferDialect
from skyshelf.server.nextcloud.trashbin import TRASH_METHODS, VERSION_METHODS, ListDialect
from skyshelf.service.accounts.app_passwords import App
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.identity import SETTING as IDENTITY
from skyshelf.storage.identity import adoptions, read_identity
from skyshelf.wire import error_codes as codes

_MORE: Final = {"REPORT": REPORT, "PATCH": PATCH}
_JSON: Final = {"content-type": "application/json; charset=utf-8", "cache-control": "no-store"}
_FILES: Final = "/remote.php/dav/files/{user}"
_LEGACY: Final = "/remote.php/webdav"
_UPLOADS: Final = "/remote.php/dav/uploads/{user}/{path:path}"
_TRASH: Final = ("/remote.php/dav/trashbin/{user}/{path:path}",)
_VERSIONS: Final = ("/remote.php/dav/versions/{user}/{path:path}",)
_SEARCH: Final = ("/remote.php/dav", "/remote.php/dav/")
_BULK: Final = "/remote.php/dav/bulk"

OcsView = Callable[[Request, App], ocs.Data]


class _OcsDialect(Dialect):
    """For the scope of app passwords: these calls are not WebDAV."""

    is_webdav = False


class NextcloudRoutes:
    """Creates the routes."""

    def __init__(self, ctx: ServiceContext, threads: Threads, proxies: Proxies, dav: DavRoutes) -> None:
        self._ctx = ctx
        self._threads = threads
        self._proxies = proxies
        self._dav = dav

    def routes(self) -> list[Route]:
        return [
            view_route("/status.php", "nextcloud_status", self._status, ("GET", "HEAD")),
            view_route("/index.php/204", "nextcloud_204", _nothing, ("GET", "HEAD")),
            *LoginFlow(self._ctx, self._threads, self._proxies).routes(),
            *self._ocs_routes(),
            *Previews(self._ctx, self._threads, self._proxies, self._dav).routes(),
            *self._file_routes(),
        ]

    # Files

    def _file_routes(self) -> list[Route]:
        methods = ["OPTIONS", *_MORE, *METHODS]
        paths = (_FILES, f"{_FILES}/{{path:path}}", _LEGACY, f"{_LEGACY}/{{path:path}}")
        return [
            *(Route(path, _TreeApp("nextcloud", self.files), methods=methods, name="nextcloud") for path in paths),
            Route(
                _UPLOADS,
                _TreeApp("nextcloud_transfer", self.transfers),
                methods=list(TRANSFER_METHODS),
                name="nextcloud_transfer",
            ),
            *(self._tree(path, "nextcloud_trash", self.trash, TRASH_METHODS) for path in _TRASH),
            *(self._tree(path, "nextcloud_versions", self.versions, VERSION_METHODS) for path in _VERSIONS),
            *(self._tree(path, "nextcloud_search", self.search, ("SEARCH",)) for path in _SEARCH),
            Route(_BULK, _TreeApp("nextcloud_bulk", self.bulk), methods=["POST"], name="nextcloud_bulk"),
        ]

    def _tree(
        self, path: str, name: str, view: Callable[[Request], Awaitable[Response]], methods: Iterable[str]
    ) -> Route:
        return Route(path, _TreeApp(name, view), methods=list(methods), name=name)

    async def transfers(self, request: Request) -> Response:
        """A request about a transfer."""
        instance, fingerprint = await self._threads.call(lambda: self._marks)
        dialect = TransferDialect(request.path_params["user"], instance, fingerprint)
        return await self._dav.answer(dialect, request, TRANSFER_METHODS[request.method])

    async def trash(self, request: Request) -> Response:
        """A request about the trash."""
        return await self._list(request, TRASH_METHODS)

    async def versions(self, request: Request) -> Response:
        """A request about the versions of a file."""
        return await self._list(request, VERSION_METHODS)

    async def _list(self, request: Request, methods: Mapping[str, Method]) -> Response:
        instance, fingerprint = await self._threads.call(lambda: self._marks)
        dialect = ListDialect(request.path_params["user"], instance, fingerprint)
        return await self._dav.answer(dialect, request, methods[request.method])

    async def search(self, request: Request) -> Response:
        """A search; the folder is in the body."""
        instance, fingerprint = await self._threads.call(lambda: self._marks)
        return await self._dav.answer(SearchDialect("", instance, fingerprint), request, SEARCH)

    async def bulk(self, request: Request) -> Response:
        """Many small files."""
        instance, fingerprint = await self._threads.call(lambda: self._marks)
        return await self._dav.answer(BulkDialect("", instance, fingerprint), request, BULK)

    async def files(self, request: Request) -> Response:
        """A request about the tree of files."""
        raw_path = raw_path_of(request.scope)
        dialect = self.tree_at(raw_path)
        if dialect is None:
            await self._threads.call(lambda: self._marks)
            dialect = self.tree_at(raw_path)
            assert dialect is not None
        if request.method in _MORE:
            return await self._dav.answer(dialect, request, _MORE[request.method])
        return await self._dav.respond(dialect, request)

    def tree_at(self, raw_path: bytes) -> FilesDialect | None:
        """The tree of files that an address is in; None for any other address, and before the first request."""
        if "_marks" not in self.__dict__:
            return None
        segments = segments_of(raw_path[:4096])
        if segments[1:2] == ["webdav"]:
            return LegacyDialect("", *self._marks)
        return FilesDialect(segments[3], *self._marks) if segments[1:3] == ["dav", "files"] and segments[3:] else None

    @cached_property
    def _marks(self) -> tuple[str, str]:
        """The names of this installation, and of its data: the latter changes when a backup was put in place."""
        with self._ctx.metadata.read() as unit:
            identity = read_identity(unit.settings.get(IDENTITY))
        store = identity.store if identity else ""
        return instance_of(self._ctx), f"{store}{len(adoptions(self._ctx.metadata))}"

    # Calls besides WebDAV

    async def _status(self, _: Request) -> Response:
        mode = await self._threads.call(lambda: self._ctx.mode.now(self._ctx.metadata))
        is_read_only = mode is not None
        return Response(msgspec.json.encode(capabilities.status(is_read_only=is_read_only)), headers=_JSON)

    def _ocs_routes(self) -> list[Route]:
        routes = []
        for version in ("v1", "v2"):
            base = f"/ocs/{version}.php"
            routes += [
                view_route(f"{base}/cloud/capabilities", "nextcloud_capabilities", self._capabilities),
                view_route(f"{base}/cloud/user", "nextcloud_user", self._with_app(self._user)),
                view_route(f"{base}/cloud/users/{{user}}", "nextcloud_user", self._with_app(self._user)),
                view_route(f"{base}/core/getapppassword", "nextcloud_app_password", self._with_app(_has_one)),
                view_route(
                    f"{base}/core/apppassword",
                    "nextcloud_forget_app_password",
                    self._with_app(self._forget, writes=True),
                    ("DELETE",),
                ),
            ]
        return routes

    async def _capabilities(self, request: Request) -> Response:
        agent = request.headers.get("user-agent", "")
        return ocs.answer(request, capabilities.capabilities(self._proxies.origin(request), agent))

    def _with_app(self, view: OcsView, *, writes: bool = False) -> Callable[[Request], Awaitable[Response]]:
        """A call by an app; the view runs in a worker thread."""
        dialect = _OcsDialect()

        def work(request: Request) -> Response:
            # What ends an app's own access needs no right to write files.
            app = self._dav.authenticate(dialect, request, writes=False)
            if writes:
                self._ctx.mode.check(self._ctx.metadata)
            return ocs.answer(request, view(request, app))

        async def respond(request: Request) -> Response:
            try:
                return await self._threads.call(lambda: work(request))
            except ClientDisconnect:
                return Response(status_code=499)
            except Exception as problem:  # noqa: BLE001 - every error has a response
                response = ocs.refusal(request, problem)
                if response.status_code in HELD_BACK:
                    await self._threads.admission.hold_back()
                return drain_body_after(request, response)

        return respond

    def _user(self, request: Request, app: App) -> ocs.Data:
        named = request.path_params.get("user")
        with self._ctx.metadata.read() as unit:
            account = unit.accounts.by_id(app.caller.account_id)
            quota = unit.quotas.get(account.account_id, self._ctx.clock.now())
        if named is not None and named.casefold() not in (account.email.casefold(), account.account_key.casefold()):
            raise ServiceError(codes.OBJECT_NOT_FOUND)
        return capabilities.user(account, quota)

    def _forget(self, _: Request, app: App) -> ocs.Data:
        event = new_event(self._ctx, kinds.APP_REVOKED, app.caller)
        recorded(self._ctx, lambda unit: unit.sessions.close(app.caller.session_hash), event)
        return []


def _has_one(_: Request, app: App) -> ocs.Data:  # noqa: ARG001
    raise ServiceError(codes.FORBIDDEN, "This app has an app password already")


async def _nothing(_: Request) -> Response:
    return Response(status_code=204, headers={"cache-control": "no-store"})


class _TreeApp:
    """A view of WebDAV as an application; the access log names requests by their method."""

    def __init__(self, name: str, view: Callable[[Request], Awaitable[Response]]) -> None:
        self._name = name
        self._view = view

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["endpoint_name"] = f"{self._name}_{scope['method'].lower()}"
        response = await self._view(IndexedRequest(scope, receive, send))
        await response(scope, receive, send)
