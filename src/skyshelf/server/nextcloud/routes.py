"""All addresses of the dialect."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final

from starlette.responses import Response

from skyshelf.server.dav.dialect import Dialect
from skyshelf.server.dav.routes import METHODS, Method, Tree, tree_routes
from skyshelf.server.nextcloud import ocs
from skyshelf.server.nextcloud.dialect import PATCH, FilesDialect, LegacyDialect, empty_response
from skyshelf.server.nextcloud.finding import REPORT, SEARCH, SearchDialect
from skyshelf.server.nextcloud.ids import instance_of
from skyshelf.server.nextcloud.login_flow import LoginFlow
from skyshelf.server.nextcloud.previews import Previews
from skyshelf.server.nextcloud.transfers import BULK, BulkDialect, TransferDialect
from skyshelf.server.nextcloud.transfers import METHODS as TRANSFER_METHODS
from skyshelf.server.nextcloud.trashbin import TRASH_METHODS, VERSION_METHODS, ListDialect
from skyshelf.server.pipeline.request import ServerRequest
from skyshelf.server.pipeline.router import Route
from skyshelf.server.pipeline.views import ANY_APP, AppOperation, Views, view_route
from skyshelf.service.accounts.app_passwords import App
from skyshelf.service.accounts.leave import Needs
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.errors import ServiceError
from skyshelf.storage.identity import SETTING as IDENTITY
from skyshelf.storage.identity import adoptions, read_identity
from skyshelf.wire import error_codes as codes

_MORE: Final = {"REPORT": REPORT, "PATCH": PATCH}
_FILES: Final = ("/remote.php/dav/files/{user}", "/remote.php/dav/files/{user}/{path:path}")
_LEGACY: Final = ("/remote.php/webdav", "/remote.php/webdav/{path:path}")
_UPLOADS: Final = ("/remote.php/dav/uploads/{user}/{path:path}",)
_TRASH: Final = ("/remote.php/dav/trashbin/{user}/{path:path}",)
_VERSIONS: Final = ("/remote.php/dav/versions/{user}/{path:path}",)
_SEARCH: Final = ("/remote.php/dav", "/remote.php/dav/")
_BULK: Final = ("/remote.php/dav/bulk",)

OcsView = Callable[[ServerRequest, App], ocs.Data]


class NextcloudRoutes(Views):
    def routes(self) -> list[Route]:
        return [
            view_route("/status.php", "nextcloud_status", self._status, ("GET", "HEAD")),
            view_route("/index.php/204", "nextcloud_204", _nothing, ("GET", "HEAD")),
            *LoginFlow(self._ctx, self._threads).routes(),
            *self._ocs_routes(),
            *Previews(self._ctx, self._threads).routes(),
            *tree_routes(self._ctx, self._threads, self._trees()),
        ]

    # Files

    def _trees(self) -> list[Tree]:
        return [
            self._tree("nextcloud", _FILES, FilesDialect, {**_MORE, **METHODS}, has_options=True),
            self._tree("nextcloud", _LEGACY, LegacyDialect, {**_MORE, **METHODS}, has_options=True),
            self._tree("nextcloud_transfer", _UPLOADS, TransferDialect, TRANSFER_METHODS),
            self._tree("nextcloud_trash", _TRASH, ListDialect, TRASH_METHODS),
            self._tree("nextcloud_versions", _VERSIONS, ListDialect, VERSION_METHODS),
            self._tree("nextcloud_search", _SEARCH, SearchDialect, {"SEARCH": SEARCH}),
            self._tree("nextcloud_bulk", _BULK, BulkDialect, {"POST": BULK}),
        ]

    def _tree(
        self,
        name: str,
        paths: tuple[str, ...],
        dialect: type[FilesDialect],
        methods: Mapping[str, Method],
        *,
        has_options: bool = False,
    ) -> Tree:
        def dialect_of(request: ServerRequest) -> Dialect | None:
            # The marks are read once, in a thread.
            if "_marks" not in self.__dict__:
                return None
            return dialect(request.path_params.get("user", ""), *self._marks)

        return Tree(
            name=name,
            paths=paths,
            dialect_of=dialect_of,
            methods=methods,
            has_options=has_options,
            prepare=lambda: self._marks,
        )

    @cached_property
    def _marks(self) -> tuple[str, str]:
        """Return the ids of this installation and of its data; the latter changes with the epoch of the data."""
        with self._ctx.metadata.read() as unit:
            identity = read_identity(unit.settings.get(IDENTITY))
        epoch = identity.epoch if identity else ""
        return instance_of(self._ctx), f"{epoch}{len(adoptions(self._ctx.metadata))}"

    # Calls besides WebDAV

    async def _status(self, _: ServerRequest) -> Response:
        mode = await self._threads.call(lambda: self._ctx.mode.now(self._ctx.metadata))
        return ocs.json_response(ocs.status(is_read_only=mode is not None))

    def _ocs_routes(self) -> list[Route]:
        user = self._with_app("nextcloud_user", self._user)
        has_one = self._with_app("nextcloud_app_password", _has_one)
        # A narrowed token must not end those that it was made from.
        apps_alone = Needs(is_for_delegations=False)
        forget = self._with_app("nextcloud_forget_app_password", self._forget, writes=True, needs=apps_alone)
        routes = []
        for version in ("v1", "v2"):
            base = f"/ocs/{version}.php"
            routes += [
                view_route(f"{base}/cloud/capabilities", "nextcloud_capabilities", self._capabilities),
                Route(f"{base}/cloud/user", ("GET",), user),
                Route(f"{base}/cloud/users/{{user}}", ("GET",), user),
                Route(f"{base}/core/getapppassword", ("GET",), has_one),
                Route(f"{base}/core/apppassword", ("DELETE",), forget),
            ]
        return routes

    async def _capabilities(self, request: ServerRequest) -> Response:
        agent = request.headers.get("user-agent", "")
        return ocs.answer(request, ocs.capabilities(request.head.client.origin, agent))

    def _with_app(self, name: str, view: OcsView, *, writes: bool = False, needs: Needs = ANY_APP) -> AppOperation:
        """Return the operation of a call by an app; the view runs in a worker thread."""

        async def respond(request: ServerRequest, app: App) -> Response:
            return ocs.answer(request, await self._threads.call(lambda: view(request, app)))

        return AppOperation(
            name, respond, ocs.refusal, self._threads, has_body=writes, needs_write_mode=writes, needs=needs
        )

    def _user(self, request: ServerRequest, app: App) -> ocs.Data:
        named = request.path_params.get("user")
        with self._ctx.metadata.read() as unit:
            account = unit.accounts.by_id(app.caller.account_id)
            quota = unit.quotas.get(account.account_id, self._ctx.clock.now())
        if named is not None and named.casefold() not in (account.email.casefold(), account.account_key.casefold()):
            raise ServiceError(codes.OBJECT_NOT_FOUND)
        return ocs.user(account, quota)

    def _forget(self, _: ServerRequest, app: App) -> ocs.Data:
        event = new_event(self._ctx, kinds.APP_REVOKED, app.caller)
        recorded(self._ctx, lambda unit: unit.sessions.close(app.caller.session_hash), event)
        return []


def _has_one(_: ServerRequest, app: App) -> ocs.Data:  # noqa: ARG001
    raise ServiceError(codes.FORBIDDEN, "This app has an app password already")


async def _nothing(_: ServerRequest) -> Response:
    return empty_response(204)
