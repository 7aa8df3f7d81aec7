"""Methods that read: OPTIONS, GET, HEAD and PROPFIND."""

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from typing import Final

from starlette.responses import Response

from skyshelf.server.dav.call import INFINITY, DavCall
from skyshelf.server.dav.listing import Listing
from skyshelf.server.dav.multistatus import Entries, PropertyRequest, child_href, head, multistatus
from skyshelf.server.dav.paths import quoted
from skyshelf.server.dav.xml_bodies import dav_child, is_dav, parse, properties_in
from skyshelf.server.files.file_responses import original_headers, original_response, prepared_original
from skyshelf.server.pipeline.admission.kinds import DOWNLOADS
from skyshelf.server.pipeline.answers import PreparedFile
from skyshelf.server.pipeline.operation import NotAtOnce
from skyshelf.server.pipeline.request import has_rows_at_hand
from skyshelf.service.errors import ServiceError
from skyshelf.service.files import downloads
from skyshelf.service.files.moves import refuse_large
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire import error_codes as codes
from skyshelf.wire.decoding import decode_parameters
from skyshelf.wire.limits import WEBDAV_INFINITY_MAX
from skyshelf.wire.resources.downloads import DownloadHeaders

_SHORT_BODY: Final = 4096
"""Bytes of a body that is remembered, and read on the event loop."""
_FOLDER_TEXT: Final = (
    "This is a folder of a WebDAV server. Open this address in the file manager of your computer or phone, "
    "with your email address and an app password.\n"
)


# GET and HEAD


async def get(call: DavCall) -> Response:
    await call.threads.admission.enter(DOWNLOADS)
    return await call.threads.call(lambda: _get(call))


def _get(call: DavCall) -> Response:
    stored = _found(call)
    if stored.is_folder:
        return Response(
            _FOLDER_TEXT, headers={"content-type": "text/plain; charset=utf-8", "cache-control": "no-store"}
        )
    return _sent(call, stored, downloads.original(call.ctx, call.caller, stored.object_key))


def get_at_once(call: DavCall) -> Response | PreparedFile:
    """Answer GET on the event loop if the bytes are few and in memory; raise NotAtOnce otherwise."""
    stored = _found(call)
    if stored.is_folder:
        raise NotAtOnce
    original = downloads.original(call.ctx, call.caller, stored.object_key)
    if call.request.method != "GET" or not PreparedFile.is_plain(call.request.headers):
        return _sent(call, stored, original, at_once=True)
    headers = {**original_headers(original), **call.dialect.headers_of_download(stored)}
    return prepared_original(call.ctx, original, headers, original.account_id)


def _found(call: DavCall) -> StoredObject:
    with call.ctx.metadata.read() as unit:
        stored = call.find(unit)
        call.check_conditions(unit, is_read=True)
    return stored


def _sent(call: DavCall, stored: StoredObject, original: downloads.Original, *, at_once: bool = False) -> Response:
    asked = decode_parameters(DownloadHeaders, call.headers)
    response = original_response(call.ctx, call.threads, call.request, asked, original, at_once=at_once)
    response.headers.update(call.dialect.headers_of_download(stored))
    return response


# PROPFIND


def asked_in(body: bytes) -> PropertyRequest:
    """Return the request in a PROPFIND's body, all properties if it is empty. Programs send the same few bodies."""
    return _known(body) if len(body) <= _SHORT_BODY else _read(body)


def _read(body: bytes) -> PropertyRequest:
    if not body:
        return PropertyRequest(is_all=True)
    root = parse(body)
    if not is_dav(root, "propfind"):
        raise ServiceError(codes.INVALID_REQUEST, "The body must be a propfind element")
    wanted = dav_child(root, "prop")
    if wanted is not None:
        return PropertyRequest(names=properties_in(wanted))
    if dav_child(root, "propname") is not None:
        return PropertyRequest(names_only=True)
    if dav_child(root, "allprop") is None:
        raise ServiceError(codes.INVALID_REQUEST, "A propfind element has prop, propname or allprop")
    return PropertyRequest(is_all=True, names=properties_in(dav_child(root, "include") or ()))


_known: Final = lru_cache(maxsize=128)(_read)


def _one_resource(call: DavCall, asked: PropertyRequest) -> Response:
    """Answer for one resource on the event loop; raise NotAtOnce if there are several."""
    depth = call.depth
    with call.ctx.metadata.read() as unit:
        stored = call.find(unit)
        entries = Entries(call.dialect.properties, asked)
        if stored.is_folder and (depth != "0" or entries.needs_query):
            raise NotAtOnce
        call.check_conditions(unit, is_read=True)
        view = call.view(unit)
        entries.load(view, [stored])
        entry = entries.entry(call.href(call.names, is_folder=stored.is_folder), stored, view)
    return multistatus(head(call.dialect.properties), entry)


async def propfind(call: DavCall) -> Response:
    body = await call.body()
    if has_rows_at_hand(call.request) and len(body) <= _SHORT_BODY and call.conditions.if_header is None:
        with suppress(NotAtOnce):
            return _one_resource(call, asked_in(body))
    return await Listing(call, lambda listing: _resources(listing, body)).response()


def _resources(listing: Listing, body: bytes) -> Iterator[str]:
    """Yield the entries of the requested object and of what is below it, folder by folder."""
    call, unit = listing.call, listing.view.unit
    depth = call.depth or INFINITY
    entries = Entries(call.dialect.properties, asked_in(body))
    stored = call.find(unit)
    call.check_conditions(unit, is_read=True)
    yield head(call.dialect.properties)
    found = [(call.href(call.names, is_folder=stored.is_folder), stored)]
    if depth == "0" or not stored.is_folder:
        yield from listing.entries(entries, found)
        return
    if depth == INFINITY:
        refuse_large(unit, call.account_id, stored.object_key, WEBDAV_INFINITY_MAX - 1)
    waiting = [(found[0][0], "", stored.object_key)]
    while waiting:
        above, segment, folder_key = waiting.pop()
        base, last = above + segment, None
        while True:
            tree = listing.view.unit.tree
            children = tree.children(call.account_id, folder_key, after=last, limit=entries.at_once)
            found += [(child_href(base, one), one) for one in children]
            yield from listing.entries(entries, found)
            found = []
            if depth == INFINITY:
                waiting += [(base, quoted(one.name) + "/", one.object_key) for one in children if one.is_folder]
            yield ""
            if len(children) < entries.at_once:
                break
            last = children[-1]
