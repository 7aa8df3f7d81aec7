"""Previews by a file's number, and links for one download without a password."""

import base64
import hmac
from typing import Final

from starlette.responses import Response

from skyshelf.server.files.file_responses import original_response, thumbnail_response
from skyshelf.server.files.thumbnail_wait import sent_thumbnail
from skyshelf.server.http.error_responses import error_response
from skyshelf.server.nextcloud import ocs
from skyshelf.server.nextcloud.ids import is_below, visible_file
from skyshelf.server.pipeline.admission.kinds import DOWNLOADS
from skyshelf.server.pipeline.request import ServerRequest
from skyshelf.server.pipeline.router import Route
from skyshelf.server.pipeline.views import AppOperation, Views, plain_refusal, read_form, view_route
from skyshelf.service.accounts.app_passwords import SETTING, App
from skyshelf.service.accounts.leave import Needs
from skyshelf.service.accounts.sessions import caller_of
from skyshelf.service.context import Caller
from skyshelf.service.errors import ServiceError
from skyshelf.service.files import downloads, thumbnails
from skyshelf.wire import error_codes as codes
from skyshelf.wire.keys import is_key
from skyshelf.wire.leave import CallKind
from skyshelf.wire.limits import DIRECT_LINK_HOURS, THUMBNAIL_SIZES
from skyshelf.wire.resources.downloads import DownloadHeaders, ThumbnailHeaders

_HOUR: Final = 60 * 60 * 1000
_MAC_BYTES: Final = 24
# Such a link needs no password, so what a delegation reads by it could not be counted.
_LINKS: Final = Needs(kind=CallKind.READ, is_for_delegations=False)
_FORM_BYTES_MAX: Final = 4096


class Previews(Views):
    """The addresses of previews and of links for one download."""

    def routes(self) -> list[Route]:
        preview = AppOperation(
            "nextcloud_preview", self._preview, plain_refusal, self._threads, needs=Needs(kind=CallKind.READ)
        )
        direct = AppOperation("nextcloud_direct", self._direct, ocs.refusal, self._threads, has_body=True, needs=_LINKS)
        return [
            Route("/index.php/core/preview", ("GET",), preview),
            Route("/index.php/core/preview.png", ("GET",), preview),
            *(Route(f"/ocs/{version}.php/apps/dav/api/v1/direct", ("POST",), direct) for version in ("v1", "v2")),
            view_route("/remote.php/direct/{token}", "nextcloud_direct_download", self._download, ("GET", "HEAD")),
            view_route("/index.php/avatar/{user}/{size}", "nextcloud_avatar", _no_avatar),
        ]

    async def _preview(self, request: ServerRequest, app: App) -> Response:
        ctx, threads = self._ctx, self._threads
        headers = ThumbnailHeaders(if_none_match=request.headers.get("if-none-match"))
        size = _size(request)

        def find() -> thumbnails.Thumbnail | thumbnails.MissingThumbnail:
            with ctx.metadata.read() as unit:
                stored = visible_file(unit, app, request.query_params.get("fileId", ""))
            return thumbnails.find(ctx, app.caller, stored.object_key, size=size, webp=False)

        def respond(found: thumbnails.Thumbnail) -> Response:
            return thumbnail_response(ctx, threads, request, headers, found, of=None)

        return await sent_thumbnail(ctx, threads, request, find, respond)

    async def _direct(self, request: ServerRequest, app: App) -> Response:
        form = await read_form(request, _FORM_BYTES_MAX)
        number = form.get("fileId") or request.query_params.get("fileId", "")
        link = await self._threads.call(lambda: self._link(request, app, number))
        return ocs.answer(request, {"url": link})

    def _link(self, request: ServerRequest, app: App, number: str) -> str:
        with self._ctx.metadata.read() as unit:
            key = visible_file(unit, app, number).object_key
        until = self._ctx.clock.now() + DIRECT_LINK_HOURS * _HOUR
        token = f"{until:x}-{key}-{app.caller.session_hash.hex()}"
        return f"{request.head.client.origin}/remote.php/direct/{token}-{self._mac(token)}"

    def _mac(self, token: str) -> str:
        key = self._ctx.secret(SETTING)
        mac = hmac.digest(key, b"direct " + token.encode(), "sha256")
        return base64.b32encode(mac[:_MAC_BYTES]).decode().rstrip("=")

    async def _download(self, request: ServerRequest) -> Response:
        await self._threads.admission.enter(DOWNLOADS)
        return await self._threads.call(lambda: self._linked(request))

    def _linked(self, request: ServerRequest) -> Response:
        """Send the file of a link, while the link is valid and the app that requested it is connected."""
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
            # The file may have been moved out of the app's folder.
            if not is_below(unit, caller.account_id, given[1], found.scope.folder_key):
                raise ServiceError(codes.OBJECT_NOT_FOUND)
        asked = DownloadHeaders(
            range=request.headers.get("range"),
            if_range=request.headers.get("if-range"),
            if_none_match=request.headers.get("if-none-match"),
        )
        original = downloads.original(self._ctx, caller, given[1])
        return original_response(self._ctx, self._threads, request, asked, original)


def _size(request: ServerRequest) -> int:
    """Return the size of the smallest thumbnail that is large enough."""
    given = [request.query_params.get(name, "") for name in ("x", "y")]
    wanted = max((int(one) for one in given if one.isascii() and one.isdigit() and len(one) < 6), default=0)
    return next((size for size in THUMBNAIL_SIZES if size >= wanted), THUMBNAIL_SIZES[-1])


async def _no_avatar(_: ServerRequest) -> Response:
    return error_response(codes.NOT_OFFERED)
