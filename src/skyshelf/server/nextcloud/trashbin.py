"""The trash and the versions of files, as folders: listed, restored, deleted."""

from collections.abc import Sequence
from typing import Final

from starlette.responses import Response

from skyshelf.server.dav.call import DavCall
from skyshelf.server.dav.multistatus import TAIL, XML_UTF8, Asked, Entries, head
from skyshelf.server.dav.paths import quoted
from skyshelf.server.dav.properties import Property, View, http_date
from skyshelf.server.dav.reading import asked_in
from skyshelf.server.dav.routes import Method
from skyshelf.server.dav.xml_bodies import escape
from skyshelf.server.http.admission.kinds import DOWNLOADS
from skyshelf.server.http.file_responses import original_response
from skyshelf.server.http.prefix import public_path
from skyshelf.server.nextcloud.dialect import NC, FilesDialect, check_user
from skyshelf.server.nextcloud.ids import key_of, number_of
from skyshelf.server.nextcloud.lookups import refuse_confined, visible_file
from skyshelf.service.accounts.app_passwords import App
from skyshelf.service.errors import ServiceError
from skyshelf.service.files import downloads, trash, versions
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts.tree import TRASHED, Outcome, StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.wire_cache import key_in
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.downloads import DownloadHeaders
from skyshelf.wire.resources.trash import PurgeRequest
from skyshelf.wire.resources.versions import VersionRestoreRequest

LISTED_MAX: Final = 1000
_HEADERS: Final = {"content-type": XML_UTF8, "cache-control": "no-store"}
_FOLDER: Final = "<D:resourcetype><D:collection/></D:resourcetype>"


class ListDialect(FilesDialect):
    """Addresses below /remote.php/dav/trashbin/USER and /remote.php/dav/versions/USER."""

    def names_in(self, app: App, segments: Sequence[str]) -> tuple[str, ...]:
        if list(segments[:2]) != ["remote.php", "dav"] or len(segments) < 5:
            raise ServiceError(codes.OBJECT_NOT_FOUND)
        check_user(app, segments[3])
        return tuple(segments[2:3]) + tuple(segments[4:])


# The trash: trashbin/trash/NAME.dNUMBER, restored by a move to trashbin/restore/NAME


async def list_trash(call: DavCall) -> Response:
    asked = asked_in(await call.body())
    return await call.threads.call(lambda: _list_trash(call, asked))


def _list_trash(call: DavCall, asked: Asked) -> Response:
    refuse_confined(call.app)
    _expect(call, "trash", 2)
    with call.ctx.metadata.snapshot() as unit:
        keys = [key_in(one) for one in unit.tree.trash_page(call.account_id, limit=LISTED_MAX)[:]]
        found = [unit.tree.get(call.account_id, key) for key in keys] if call.depth != "0" else []
        places = {one.object_key: _former_place(unit, one) for one in found}
        table = call.dialect.properties.extended(
            [
                Property(namespace=NC, name="trashbin-filename", render=lambda one, _: escape(one.name)),
                Property(
                    namespace=NC,
                    name="trashbin-original-location",
                    render=lambda one, _: escape(places.get(one.object_key, one.name)),
                ),
                Property(
                    namespace=NC, name="trashbin-deletion-time", render=lambda one, _: str(one.trashed_at // 1000)
                ),
            ],
            {},
        )
        entries = Entries(table, asked)
        view = View(call.ctx, unit, call.account_id, call.base, root_key=call.caller.root_key)
        entries.load(view, found)
        folder = _address(call)
        lines = [entries.entry(f"{folder}/{quoted(_trash_name(one))}", one, view) for one in found]
    text = [head(table), _entry(f"{folder}/", _FOLDER), *lines, TAIL]
    return Response("".join(text).encode(), 207, _HEADERS)


def _trash_name(one: StoredObject) -> str:
    return f"{one.name}.d{number_of(one.object_key)}"


def _former_place(unit: Unit, one: StoredObject) -> str:
    above = unit.tree.ancestors(one.account_id, one.object_key)
    return "/".join([*(folder.name for folder in above[1:]), one.name])


def _trashed(unit: Unit, call: DavCall) -> StoredObject:
    """The object in the trash that the address names."""
    refuse_confined(call.app)
    _expect(call, "trash", 3)
    key = key_of(unit, call.account_id, call.names[2].rpartition(".d")[2])
    try:
        stored = None if key is None else unit.tree.get(call.account_id, key)
    except StorageError:
        stored = None
    if stored is None or stored.status != TRASHED or _trash_name(stored) != call.names[2]:
        raise ServiceError(codes.NOT_IN_TRASH)
    return stored


async def restore(call: DavCall) -> Response:
    """Back to where it was; the name in the destination does not count, as with Nextcloud's own clients."""

    def work() -> None:
        destination = call.destination
        if destination[:2] != (call.names[0], "restore"):
            raise ServiceError(codes.FORBIDDEN, "What is in the trash can be moved to restore alone")
        with call.ctx.metadata.read() as unit:
            key, now = _trashed(unit, call).object_key, call.ctx.clock.now()

        def restore(unit: Unit) -> list[Outcome]:
            unit.act_as(call.caller.actor)
            return unit.tree.restore(call.account_id, [key], now)

        (outcome,) = call.ctx.metadata.write(restore)
        if isinstance(outcome, StorageError):
            raise outcome

    await call.threads.call(work)
    return _empty(201)


async def delete(call: DavCall) -> Response:
    """One object for good, or all of the trash."""

    def work() -> None:
        refuse_confined(call.app)
        if len(call.names) == 2:
            _expect(call, "trash", 2)
            trash.empty_trash(call.ctx, call.caller)
            return
        with call.ctx.metadata.read() as unit:
            key = _trashed(unit, call).object_key
        trash.purge(call.ctx, call.caller, PurgeRequest(object_keys=[key]))

    await call.threads.call(work)
    return _empty(204)


# Versions: versions/versions/FILE/NUMBER, restored by a move to versions/restore


async def list_versions(call: DavCall) -> Response:
    await call.body()
    return await call.threads.call(lambda: _list_versions(call))


def _list_versions(call: DavCall) -> Response:
    _expect(call, "versions", 3)
    with call.ctx.metadata.read() as unit:
        stored = visible_file(unit, call.app, call.names[2])
        found = unit.files.versions(call.account_id, stored.object_key)
    folder = _address(call)
    lines = [
        _entry(
            f"{folder}/{one.version}",
            f"<D:resourcetype/><D:getcontentlength>{one.size}</D:getcontentlength>"
            f"<D:getcontenttype>{escape(f'{one.mime_type}/{one.mime_subtype}')}</D:getcontenttype>"
            f'<D:getetag>"{one.md5}"</D:getetag>'
            f"<D:getlastmodified>{http_date(one.last_modified_at // 1000)}</D:getlastmodified>",
        )
        for one in found
        if not one.is_current
    ]
    text = [head(call.dialect.properties), _entry(f"{folder}/", _FOLDER), *lines, TAIL]
    return Response("".join(text).encode(), 207, _HEADERS)


def _version(call: DavCall) -> tuple[StoredObject, int]:
    _expect(call, "versions", 4)
    number = call.names[3]
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise ServiceError(codes.VERSION_NOT_FOUND)
    with call.ctx.metadata.read() as unit:
        return visible_file(unit, call.app, call.names[2]), int(number)


async def get_version(call: DavCall) -> Response:
    await call.threads.admission.enter(DOWNLOADS)

    def work() -> Response:
        stored, number = _version(call)
        original = downloads.original(call.ctx, call.caller, stored.object_key, number)
        asked = DownloadHeaders(range=call.headers.get("range"), if_range=call.headers.get("if-range"))
        return original_response(call.ctx, call.threads, call.request, asked, original)

    return await call.threads.call(work)


async def restore_version(call: DavCall) -> Response:
    def work() -> None:
        destination = call.destination
        if destination[:2] != (call.names[0], "restore"):
            raise ServiceError(codes.FORBIDDEN, "A version can be moved to restore alone")
        stored, number = _version(call)
        request = VersionRestoreRequest(object_key=stored.object_key, version=number)
        versions.restore_version(call.ctx, call.caller, request, "")

    await call.threads.call(work)
    return _empty(201)


def _expect(call: DavCall, folder: str, count: int) -> None:
    if len(call.names) != count or call.names[1] != folder:
        raise ServiceError(codes.OBJECT_NOT_FOUND)


def _address(call: DavCall) -> str:
    return "/".join(quoted(segment) for segment in public_path(call.request).rstrip("/").split("/"))


def _entry(href: str, properties: str) -> str:
    return (
        f"<D:response><D:href>{href}</D:href><D:propstat><D:prop>{properties}</D:prop>"
        "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
    )


def _empty(status: int) -> Response:
    return Response(status_code=status, headers={"cache-control": "no-store"})


TRASH_METHODS: Final = {
    "PROPFIND": Method(handle=list_trash, writes=False),
    "MOVE": Method(handle=restore),
    "DELETE": Method(handle=delete),
}
VERSION_METHODS: Final = {
    "PROPFIND": Method(handle=list_versions, writes=False),
    "GET": Method(handle=get_version, writes=False),
    "HEAD": Method(handle=get_version, writes=False),
    "MOVE": Method(handle=restore_version),
}
