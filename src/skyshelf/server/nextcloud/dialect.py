"""The tree of files in this dialect: its two addresses, properties, headers of uploads, and checksums on request."""

from collections.abc import Mapping, Sequence
from typing import Final

from starlette.responses import Response

from skyshelf.server.dav.call import DavCall
from skyshelf.server.dav.dialect import Dialect, UploadHeaders
from skyshelf.server.dav.paths import names_of, quoted
from skyshelf.server.dav.properties import LIVE, Property, PropertyTable, Render, View, etag_of
from skyshelf.server.dav.routes import Method
from skyshelf.server.dav.storing import Digests
from skyshelf.server.dav.xml_bodies import DAV, escape
from skyshelf.server.http.proxies import public_path
from skyshelf.server.nextcloud.ids import id_of, number_of
from skyshelf.server.pipeline.admission.kinds import CONTENTS
from skyshelf.service.accounts.accounts import normalize_email
from skyshelf.service.accounts.app_passwords import App
from skyshelf.service.errors import ServiceError
from skyshelf.service.files import downloads
from skyshelf.service.files.thumbnails import can_have_thumbnail
from skyshelf.storage.metadata.contracts.tree import SetFavorite, StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.leave import CallKind

OC: Final = "http://owncloud.org/ns"
NC: Final = "http://nextcloud.org/ns"
_PREFIXES: Final = {OC: "oc", NC: "nc", "http://open-collaboration-services.org/ns": "ocs"}


def check_user(app: App, user: str) -> None:
    """Raise OBJECT_NOT_FOUND unless a segment of an address names the app's own account."""
    given = normalize_email(user).casefold()
    if given not in (normalize_email(app.email).casefold(), app.caller.account_key.casefold()):
        raise ServiceError(codes.OBJECT_NOT_FOUND)


def properties(app: App, instance: str, fingerprint: str) -> PropertyTable:
    """Return the live properties for one app. None of them is in answers to allprop, which other programs ask for."""
    can_write = app.scope.can_write

    def permissions(one: StoredObject, _: View) -> str:
        if not can_write:
            return "G"
        return "GDNVCK" if one.is_folder else "GDNVW"

    def checksums(one: StoredObject, _: View) -> str | None:
        if one.md5 is None:
            return None
        return f"<oc:checksum>MD5:{one.md5} SHA256:{one.sha256}</oc:checksum>"

    def preview(one: StoredObject, _: View) -> str:
        can_have = not one.is_folder and can_have_thumbnail(one.mime_type, one.mime_subtype)
        return "true" if can_have else "false"

    owner = escape(app.email)
    rendered: list[tuple[str, str, Render]] = [
        (OC, "id", lambda one, _: id_of(one.object_key, instance)),
        (OC, "fileid", lambda one, _: str(number_of(one.object_key))),
        (OC, "permissions", permissions),
        (OC, "size", lambda one, _: None if one.is_folder else str(one.size)),
        (OC, "favorite", lambda one, _: "1" if one.is_favorite else "0"),
        (OC, "checksums", checksums),
        (OC, "owner-id", lambda _one, _: owner),
        (OC, "owner-display-name", lambda _one, _: escape(app.caller.first_name) or owner),
        (OC, "data-fingerprint", lambda _one, _: fingerprint),
        (NC, "has-preview", preview),
        (NC, "is-encrypted", lambda one, _: "0" if one.is_folder else None),
        (NC, "creation_time", lambda one, _: str(one.file_created_at // 1000)),
        (NC, "upload_time", lambda one, _: str(one.arrived_at // 1000)),
    ]

    def etag(one: StoredObject, view: View) -> str | None:
        return f'"{view.marks.get(one.object_key, 0):x}"' if one.is_folder else etag_of(one)

    table = [Property(namespace=DAV, name="getetag", render=etag, load=_load_marks)]
    table += [
        Property(
            namespace=namespace,
            name=name,
            render=render,
            in_allprop=False,
            write=_write_favorite if name == "favorite" else None,
        )
        for namespace, name, render in rendered
    ]
    return LIVE.extended(table, _PREFIXES)


def _write_favorite(unit: Unit, stored: StoredObject, value: str | None, now: int) -> None:
    unit.tree.apply(stored.account_id, [SetFavorite(stored.object_key, value in {"1", "true"})], now)


def _load_marks(view: View, objects: Sequence[StoredObject]) -> None:
    """Load the last change below each folder of a page."""
    keys = [one.object_key for one in objects if one.is_folder]
    view.marks = view.unit.folder_marks.newest(view.account_id, keys)


class FilesDialect(Dialect):
    """The tree at remote.php/dav/files/USER, for one request."""

    prefix = "/remote.php/dav/files"
    name = "nextcloud"

    def __init__(self, user: str, instance: str, fingerprint: str) -> None:
        self._user = user
        self._instance = instance
        self._fingerprint = fingerprint

    def bind(self, app: App) -> None:
        self.properties = properties(app, self._instance, self._fingerprint)

    def base_of(self, app: App) -> str:
        check_user(app, self._user)
        return f"{self.prefix}/{quoted(self._user)}"

    def names_in(self, app: App, segments: Sequence[str]) -> tuple[str, ...]:
        base = [segment for segment in self.prefix.split("/") if segment]
        if list(segments[: len(base)]) != base or len(segments) <= len(base):
            raise ServiceError(codes.OBJECT_NOT_FOUND)
        check_user(app, segments[len(base)])
        return names_of(segments[len(base) + 1 :])

    def headers_of_upload(self, stored: StoredObject, received: UploadHeaders) -> dict[str, str]:
        headers = super().headers_of_upload(stored, received)
        return {**headers, "oc-etag": headers["etag"], **self.headers_of_folder(stored)}

    def headers_of_folder(self, stored: StoredObject) -> dict[str, str]:
        return {"oc-fileid": id_of(stored.object_key, self._instance)}

    def headers_of_download(self, stored: StoredObject) -> Mapping[str, str]:
        etag = self.etag_of(stored) or ""
        return {"oc-etag": etag, "oc-checksum": f"SHA256:{stored.sha256}", **self.headers_of_folder(stored)}


class LegacyDialect(FilesDialect):
    """The tree at remote.php/webdav, an address that names no user."""

    prefix = "/remote.php/webdav"

    def base_of(self, app: App) -> str:  # noqa: ARG002
        return self.prefix

    def names_in(self, app: App, segments: Sequence[str]) -> tuple[str, ...]:
        return Dialect.names_in(self, app, segments)


def own_address(call: DavCall) -> str:
    """Return the address of a request as its client sees it, without a trailing slash."""
    return "/".join(quoted(segment) for segment in public_path(call.request).rstrip("/").split("/"))


def empty_response(status: int) -> Response:
    return Response(status_code=status, headers={"cache-control": "no-store"})


_DIGESTS: Final = {"md5": "MD5", "sha1": "SHA1", "sha256": "SHA256", "adler32": "ADLER32"}


async def patch(call: DavCall) -> Response:
    """Return the checksum that X-Recalculate-Hash names, which rclone uses to compare files."""
    kind = _DIGESTS.get(call.headers.get("x-recalculate-hash", "").strip().lower())
    if kind is None:
        raise ServiceError(codes.INVALID_REQUEST, "Name md5, sha1, sha256 or adler32 in X-Recalculate-Hash")
    lease = await call.threads.admission.enter(CONTENTS)
    digest = await call.threads.body(lambda: _digest(call, kind), lease)
    return Response(status_code=204, headers={"oc-checksum": f"{kind}:{digest}", "cache-control": "no-store"})


def _digest(call: DavCall, kind: str) -> str:
    with call.ctx.metadata.read() as unit:
        stored = call.find(unit)
        call.check_conditions(unit, call.held(unit), is_read=True)
    if stored.md5 is None or stored.sha256 is None:
        raise ServiceError(codes.FILE_EXPECTED)
    known = {"MD5": stored.md5, "SHA256": stored.sha256}
    if kind in known:
        return known[kind]
    original = downloads.original(call.ctx, call.caller, stored.object_key)
    digests = Digests({kind: ""})
    for _ in digests.reading(iter(call.ctx.blobs.read(original.location))):
        pass
    return digests.found()[kind]


PATCH: Final = Method(handle=patch, kind=CallKind.LIST, writes=False)
