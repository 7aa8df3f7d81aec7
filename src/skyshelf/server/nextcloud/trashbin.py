"""The trash and the versions of files, as folders: listed, restored, deleted."""

from collections.abc import Iterator, Sequence
from typing import Final

from starlette.responses import Response

from skyshelf.server.dav.call import DavCall, in_thread
from skyshelf.server.dav.listing import Listing
from skyshelf.server.dav.multistatus import FOLDER, Entries, head, plain_entry
from skyshelf.server.dav.paths import quoted
from skyshelf.server.dav.properties import Property, Ways, http_date
from skyshelf.server.dav.reading import asked_in
from skyshelf.server.dav.routes import Method
from skyshelf.server.dav.xml_bodies import escape
from skyshelf.server.files.file_responses import original_response
from skyshelf.server.nextcloud.dialect import NC, FilesDialect, check_user, empty_response, own_address
from skyshelf.server.nextcloud.ids import key_of, number_of, visible_file
from skyshelf.server.pipeline.admission.kinds import DOWNLOADS
from skyshelf.service.accounts.app_passwords import App
from skyshelf.service.errors import ServiceError
from skyshelf.service.files import downloads, trash
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts.tree import TRASHED, Outcome, StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.wire_cache import key_in
from skyshelf.wire import error_codes as codes
from skyshelf.wire.batches import batched
from skyshelf.wire.leave import CallKind
from skyshelf.wire.resources.batch import PurgeRequest
from skyshelf.wire.resources.downloads import DownloadHeaders
from skyshelf.wire.resources.objects import VersionRestoreRequest

LISTED_MAX: Final = 1000


class ListDialect(FilesDialect):
    """Addresses below /remote.php/dav/trashbin/USER and /remote.php/dav/versions/USER."""

    def names_in(self, app: App, segments: Sequence[str]) -> tuple[str, ...]:
        if list(segments[:2]) != ["remote.php", "dav"] or len(segments) < 5:
            raise ServiceError(codes.OBJECT_NOT_FOUND)
        check_user(app, segments[3])
        return tuple(segments[2:3]) + tuple(segments[4:])


# The trash: trashbin/trash/NAME.dNUMBER, restored by a move to trashbin/restore/NAME


async def list_trash(call: DavCall) -> Response:
    body = await call.body()
    return await Listing(call, lambda listing: _trashed_entries(listing, body)).response()


def _trashed_entries(listing: Listing, body: bytes) -> Iterator[str]:
    call, folder = listing.call, own_address(listing.call)
    _expect(call, "trash", 2)
    places: dict[str, str] = {}
    table = call.dialect.properties.extended(
        [
            Property(namespace=NC, name="trashbin-filename", render=lambda one, _: escape(one.name)),
            Property(
                namespace=NC, name="trashbin-original-location", render=lambda one, _: escape(places[one.object_key])
            ),
            Property(namespace=NC, name="trashbin-deletion-time", render=lambda one, _: str(one.trashed_at // 1000)),
        ],
        {},
    )
    entries = Entries(table, asked_in(body))
    yield head(table) + plain_entry(f"{folder}/", FOLDER)
    if call.depth == "0":
        return
    keys = [key_in(one) for one in listing.view.unit.tree.trash_page(call.account_id, limit=LISTED_MAX)[:]]
    for some in batched(keys, entries.at_once):
        view = listing.view
        ways = Ways(view.unit, view.account_id, some)
        found = [place.object for place in ways.places.values() if place.object.status == TRASHED]
        places.clear()
        places |= {one.object_key: "/".join(ways.names(one.object_key, view.root_key) or (one.name,)) for one in found}
        yield from listing.entries(entries, [(f"{folder}/{quoted(_trash_name(one))}", one) for one in found])
        yield ""


def _trash_name(one: StoredObject) -> str:
    return f"{one.name}.d{number_of(one.object_key)}"


def _trashed(unit: Unit, call: DavCall) -> StoredObject:
    """Return the trashed object that the address names."""
    _expect(call, "trash", 3)
    key = key_of(unit, call.account_id, call.names[2].rpartition(".d")[2])
    try:
        stored = None if key is None else unit.tree.get(call.account_id, key)
    except StorageError:
        stored = None
    if stored is None or stored.status != TRASHED or _trash_name(stored) != call.names[2]:
        raise ServiceError(codes.NOT_IN_TRASH)
    return stored


@in_thread
def restore(call: DavCall) -> Response:
    """Restore an object to where it was; the name in the destination is ignored, as Nextcloud's clients expect."""
    if call.destination[:2] != (call.names[0], "restore"):
        raise ServiceError(codes.FORBIDDEN, "What is in the trash can be moved to restore alone")
    with call.ctx.metadata.read() as unit:
        key, now = _trashed(unit, call).object_key, call.ctx.clock.now()

    def work(unit: Unit) -> list[Outcome]:
        call.caller.act_in(unit)
        return unit.tree.restore(call.account_id, [key], now)

    (outcome,) = call.ctx.metadata.write(work)
    if isinstance(outcome, StorageError):
        raise outcome
    return empty_response(201)


@in_thread
def delete(call: DavCall) -> Response:
    """Delete one trashed object permanently, or empty the trash."""
    if len(call.names) == 2:
        _expect(call, "trash", 2)
        trash.empty_trash(call.ctx, call.caller)
    else:
        with call.ctx.metadata.read() as unit:
            key = _trashed(unit, call).object_key
        trash.purge(call.ctx, call.caller, PurgeRequest(object_keys=[key]))
    return empty_response(204)


# Versions: versions/versions/FILE/NUMBER, restored by a move to versions/restore


async def list_versions(call: DavCall) -> Response:
    await call.body()
    return await Listing(call, _versions).response()


def _versions(listing: Listing) -> Iterator[str]:
    call, unit = listing.call, listing.view.unit
    _expect(call, "versions", 3)
    stored, folder = visible_file(unit, call.app, call.names[2]), own_address(call)
    yield head(call.dialect.properties) + plain_entry(f"{folder}/", FOLDER)
    for one in unit.files.versions(call.account_id, stored.object_key):
        if not one.is_current:
            yield plain_entry(
                f"{folder}/{one.version}",
                f"<D:resourcetype/><D:getcontentlength>{one.size}</D:getcontentlength>"
                f"<D:getcontenttype>{escape(f'{one.mime_type}/{one.mime_subtype}')}</D:getcontenttype>"
                f'<D:getetag>"{one.md5}"</D:getetag>'
                f"<D:getlastmodified>{http_date(one.last_modified_at // 1000)}</D:getlastmodified>",
            )


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


@in_thread
def restore_version(call: DavCall) -> Response:
    if call.destination[:2] != (call.names[0], "restore"):
        raise ServiceError(codes.FORBIDDEN, "A version can be moved to restore alone")
    stored, number = _version(call)
    request = VersionRestoreRequest(object_key=stored.object_key, version=number)
    downloads.restore_version(call.ctx, call.caller, request, "")
    return empty_response(201)


def _expect(call: DavCall, folder: str, count: int) -> None:
    if len(call.names) != count or call.names[1] != folder:
        raise ServiceError(codes.OBJECT_NOT_FOUND)


TRASH_METHODS: Final = {
    "PROPFIND": Method(handle=list_trash, kind=CallKind.LIST, writes=False, is_confinable=False),
    "MOVE": Method(handle=restore, is_confinable=False),
    "DELETE": Method(handle=delete, kind=CallKind.PURGE, frees=True, is_confinable=False),
}
VERSION_METHODS: Final = {
    "PROPFIND": Method(handle=list_versions, kind=CallKind.LIST, writes=False),
    "GET": Method(handle=get_version, kind=CallKind.READ, writes=False),
    "HEAD": Method(handle=get_version, kind=CallKind.LIST, writes=False),
    "MOVE": Method(handle=restore_version),
}
