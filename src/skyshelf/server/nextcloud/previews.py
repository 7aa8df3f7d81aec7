"""Previews by a file's number, and links for one download without a password."""

import base64
import hmac
from typing import Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from skyshelf.server.dav.dialect import Dialect
from skyshelf.server.dav.routes import DavRoutes
from skyshelf.server.http.admission.kinds import DOWNLOADS, THUMBNAILS
from skyshelf.server.http.endpoints import HELD_BACK
from skyshelf.server.http.error_responses import error_response, response_for
from skyshelf.server.http.file_responses import original_response, thumbnail_response
from skyshelf.server.http.forms import read_form
from skyshelf.server.http.proxies import Proxies
from skyshelf.server.http.thread_pools import Threads
from skyshelf.server.http.thumbnail_wait import sent_thumbnail
from skyshelf.server.http.views import view_route
from skyshelf.server.nextcloud import ocs
from skyshelf.server.nextcloud.lookups import is_below, visible_file
from skyshelf.service.accounts.app_passwords import SETTING, App
from skyshelf.service.accounts.sessions import caller_of
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.files import downloads, thumbnails
from skyshelf.service.secrets import get_or_create_secret
from skyshelf.wire import error_codes as codes
from skyshelf.wire.keys import is_key
from skyshelf.wire.limits import DIRECT_LINK_HOURS, THUMBNAIL_SIZES
from skyshelf.wire.resources.downloads import DownloadHeaders, ThumbnailHeaders

_HOUR: Final = 60 * 60 * 1000
_MAC_BYTES: Final = 24
_FORM_BYTES_MAX: Final = 4096


class _PlainDialect(Dialect):
    is_webdav = False


class Previews:
    """Their routes."""

    def __init__(self, ctx: ServiceContext, threads: Threads, proxies: Proxies, dav: DavRoutes) -> None:
        self._ctx = ctx
        self._threads = threads
        self._proxies = proxies
        self._dav = dav

    def routes(self) -> list[Route]:
        direct = [f"/ocs/{version}.php/apps/dav/api/v1/direct" for version in ("v1", "v2")]
        return [
            view_route("/index.php/core/preview", "nextcloud_preview", self._preview),
            view_route("/index.php/core/preview.png", "nextcloud_preview", self._preview),
            *(view_route(path, "nextcloud_direct", self._direct, ("POST",)) for path in direct),
            view_route("/remote.php/direct/{token}", "nextcloud_direct_download", self._download, ("GET", "HEAD")),
            view_route("/index.php/avatar/{user}/{size}", "nextcloud_avatar", _no_avatar),
        ]

    async def _preview(self, request: Request) -> Response:
        ctx, threads = self._ctx, self._threads
        headers = ThumbnailHeaders(if_none_match=request.headers.get("if-none-match"))
        size = _size(request)

        def find() -> thumbnails.Thumbnail | thumbnails.MissingThumbnail:
            app = self._dav.authenticate(_PlainDialect(), request, writes=False)
            with ctx.metadata.read() as unit:
                stored = visible_file(unit, app, request.query_params.get("fileId", ""))
            return thumbnails.find(ctx, app.caller, stored.object_key, size=size, webp=False)

        async def send(found: thumbnails.Thumbnail) -> Response:
            return await threads.body(
                lambda: thumbnail_response(ctx, threads, request, headers, found, of=None),
                await threads.admission.enter(THUMBNAILS),
            )

        try:
            return await sent_thumbnail(ctx, threads, request, find, send)
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception as problem:  # noqa: BLE001 - every error has a response
            return await self._held_back(response_for(problem))

    async def _direct(self, request: Request) -> Response:
        try:
            form = await read_form(request, _FORM_BYTES_MAX)
            number = form.get("fileId") or request.query_params.get("fileId", "")
            link = await self._threads.call(lambda: self._link(request, number))
            return ocs.answer(request, {"url": link})
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception as problem:  # noqa: BLE001 - every error has a response
            return await self._held_back(ocs.refusal(request, problem))

    def _link(self, request: Request, number: str) -> str:
        app: App = self._dav.authenticate(_PlainDialect(), request, writes=False)
        with self._ctx.metadata.read() as unit:
            key = visible_file(unit, app, number).object_key
        until = self._ctx.clock.now() + DIRECT_LINK_HOURS * _HOUR
        token = f"{until:x}-{key}-{app.caller.session_hash.hex()}"
        return f"{self._proxies.origin(request)}/remote.php/direct/{token}-{self._mac(token)}"

    def _mac(self, token: str) -> str:
        key = get_or_create_secret(self._ctx, SETTING)
        mac = hmac.digest(key, b"direct " + token.encode(), "sha256")
        return base64.b32encode(mac[:_MAC_BYTES]).decode().rstrip("=")

    async def _download(self, request: Request) -> Response:
        try:
            await self._threads.admission.enter(DOWNLOADS)
            return await self._threads.call(lambda: self._linked(request))
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception as problem:  # noqa: BLE001 - every error has a response
            return await self._held_back(response_for(problem))

    def _linked(self, request: Request) -> Response:
        """The file of a link, while that is valid and the app which asked for it is connected."""
        token, _, mac = request.path_params["token"].rpartition("-")
        given = token.split("-")
        if not hmac.compare_digest(mac.encode(), self._mac(token).encode()) or len(given) != 3 or not is_key(given[1]):
            raise ServiceError(codes.OBJECT_NOT_FOUND)
        now, secret = self._ctx.clock.now(), bytes.fromhex(given[2])
        with self._ctx.metadata.read() as unit:
            found = unit.app_passwords.find(secret, now)
            if found is None or now >= int(given[0], 16):
                raise ServiceError(codes.OBJECT_NOT_FOUND)
            caller: Caller = caller_of(found.session)
            # The file may have been moved out of what the app sees.
            if not is_below(unit, caller.account_id, given[1], found.scope.folder_key):
                raise ServiceError(codes.OBJECT_NOT_FOUND)
        asked = DownloadHeaders(
            range=request.headers.get("range"),
            if_range=request.headers.get("if-range"),
            if_none_match=request.headers.get("if-none-match"),
        )
        original = downloads.original(self._ctx, caller, given[1])
        return original_response(self._ctx, self._threads, request, asked, original)

    async def _held_back(self, response: Response) -> Response:
        if response.status_code in HELD_BACK:
            await self._threads.admission.hold_back()
        return response


def _size(request: Request) -> int:
    """The smallest thumbnail that is large enough."""
    given = [request.query_params.get(name, "") for name in ("x", "y")]
    wanted = max((int(one) for one in given if one.isascii() and one.isdigit() and len(one) < 6), default=0)
    return next((size for size in THUMBNAIL_SIZES if size >= wanted), THUMBNAIL_SIZES[-1])


async def _no_avatar(_: Request) -> Response:
    return error_response(codes.NOT_OFFERED)
