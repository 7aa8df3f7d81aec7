"""Methods that read: OPTIONS, GET, HEAD and PROPFIND."""

from collections.abc import AsyncIterator
from functools import lru_cache
from typing import Final

from starlette.responses import Response

from skyshelf.server.dav.call import INFINITY, DavCall, Names
from skyshelf.server.dav.multistatus import TAIL, XML_UTF8, Asked, Entries, child_href, head
from skyshelf.server.dav.properties import View
from skyshelf.server.dav.xml_bodies import dav_child, is_dav, name_of, parse
from skyshelf.server.http.admission.kinds import DOWNLOADS
from skyshelf.server.http.call import NotAtOnce
from skyshelf.server.http.file_responses import original_headers, original_response
from skyshelf.server.http.prepared_file import PreparedFile
from skyshelf.server.http.streamed import StreamedResponse
from skyshelf.service.errors import ServiceError
from skyshelf.service.files import downloads
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import WEBDAV_INFINITY_MAX
from skyshelf.wire.resources.downloads import DownloadHeaders

_PAGE: Final = 500
_REMEMBERED_BODY_MAX: Final = 2048
_AT_ONCE_MAX: Final = 32 * 1024
_HEADERS: Final = {"content-type": XML_UTF8, "cache-control": "no-store"}
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
    """The same on the event loop of an embedded store, if the bytes are few and in memory; NotAtOnce otherwise."""
    stored = _found(call)
    if stored.is_folder:
        raise NotAtOnce
    original = downloads.original(call.ctx, call.caller, stored.object_key)
    if call.request.method != "GET" or not PreparedFile.is_plain(call.request.headers):
        return _sent(call, stored, original, at_once=True)
    return PreparedFile(
        call.ctx,
        sha256=original.sha256,
        location=original.location,
        size=original.size,
        headers={**original_headers(original), **call.dialect.headers_of_download(stored)},
    )


def _found(call: DavCall) -> StoredObject:
    with call.ctx.metadata.read() as unit:
        stored = call.find(unit)
        call.check_conditions(unit, is_read=True)
    return stored


def _sent(call: DavCall, stored: StoredObject, original: downloads.Original, *, at_once: bool = False) -> Response:
    asked = DownloadHeaders(
        range=call.headers.get("range"),
        if_range=call.headers.get("if-range"),
        if_none_match=call.headers.get("if-none-match"),
        if_modified_since=call.headers.get("if-modified-since"),
    )
    response = original_response(call.ctx, call.threads, call.request, asked, original, at_once=at_once)
    response.headers.update(call.dialect.headers_of_download(stored))
    return response


# PROPFIND


def asked_in(body: bytes) -> Asked:
    """What the body of a PROPFIND asks for; an empty one asks for everything. Programs send the same few bodies."""
    return _known(body) if len(body) <= _REMEMBERED_BODY_MAX else _read(body)


def _read(body: bytes) -> Asked:
    if not body:
        return Asked(is_all=True)
    root = parse(body)
    if not is_dav(root, "propfind"):
        raise ServiceError(codes.INVALID_REQUEST, "The body must be a propfind element")
    wanted = dav_child(root, "prop")
    if wanted is not None:
        return Asked(names=tuple(name_of(child) for child in wanted))
    if dav_child(root, "propname") is not None:
        return Asked(names_only=True)
    if dav_child(root, "allprop") is None:
        raise ServiceError(codes.INVALID_REQUEST, "A propfind element has prop, propname or allprop")
    included = dav_child(root, "include")
    return Asked(is_all=True, names=() if included is None else tuple(name_of(child) for child in included))


_known: Final = lru_cache(maxsize=128)(_read)


def propfind_at_once(call: DavCall, body: bytes) -> Response:
    """The answer about one resource, on the event loop of an embedded store; NotAtOnce where it has several."""
    asked, depth = asked_in(body), call.depth or INFINITY
    with call.ctx.metadata.read() as unit:
        stored = call.find(unit)
        entries = Entries(call.dialect.properties, asked)
        if stored.is_folder and (depth != "0" or entries.needs_query):
            raise NotAtOnce
        call.check_conditions(unit, is_read=True)
        text = _Listing(call, entries).own(unit, stored) + TAIL
    if len(text) > _AT_ONCE_MAX:
        raise NotAtOnce
    return Response(text.encode(), 207, _HEADERS)


async def propfind(call: DavCall) -> Response:
    asked = asked_in(await call.body())
    depth = call.depth or INFINITY
    answer = _Listing(call, Entries(call.dialect.properties, asked))
    first = await call.threads.call(lambda: answer.begin(depth))
    if answer.is_complete:
        return Response(first, 207, _HEADERS)
    return StreamedResponse(answer.pieces(first), 207, _HEADERS)


class _Listing:
    """The answer to a PROPFIND: made page by page, each in a worker thread, so that no folder is held in memory."""

    def __init__(self, call: DavCall, entries: Entries) -> None:
        self._call = call
        self._entries = entries
        self._folder: StoredObject | None = None
        self._last: StoredObject | None = None
        self.is_complete = False

    def begin(self, depth: str) -> bytes:
        """The object itself and the first page below it, if that is wanted."""
        call = self._call
        with call.ctx.metadata.read() as unit:
            stored = call.find(unit)
            call.check_conditions(unit, is_read=True)
            text = self.own(unit, stored)
        self.is_complete = depth == "0" or not stored.is_folder
        if self.is_complete:
            return (text + TAIL).encode()
        if depth == INFINITY:
            return self._everything(text, stored)
        self._folder = stored
        return text.encode() + self.page()

    def own(self, unit: Unit, stored: StoredObject) -> str:
        """The beginning, with the object that was asked for."""
        call, view = self._call, self._view(unit)
        self._entries.load(view, [stored])
        own = self._entries.entry(call.href(call.names, is_folder=stored.is_folder), stored, view)
        return head(call.dialect.properties) + own

    def page(self) -> bytes:
        """The next entries of the folder."""
        assert self._folder is not None
        call = self._call
        with call.ctx.metadata.read() as unit:
            found = self._children(unit, self._folder, self._last)
            text = self._written(unit, found, call.names)
        self.is_complete = len(found) < _PAGE
        self._last = found[-1] if found else None
        return (text + TAIL if self.is_complete else text).encode()

    async def pieces(self, first: bytes) -> AsyncIterator[bytes]:
        yield first
        while not self.is_complete:
            yield await self._call.threads.call(self.page)

    def _everything(self, text: str, stored: StoredObject) -> bytes:
        """All that is below a folder, if that is not too much: once a status is sent, no error can follow."""
        waiting: list[tuple[StoredObject, Names]] = [(stored, self._call.names)]
        parts, count = [text], 1
        with self._call.ctx.metadata.read() as unit:
            while waiting:
                folder, names = waiting.pop()
                last = None
                while True:
                    found = self._children(unit, folder, last)
                    count += len(found)
                    if count > WEBDAV_INFINITY_MAX:
                        raise ServiceError(codes.TREE_TOO_LARGE)
                    parts.append(self._written(unit, found, names))
                    waiting += [(one, (*names, one.name)) for one in found if one.is_folder]
                    if len(found) < _PAGE:
                        break
                    last = found[-1]
        self.is_complete = True
        return "".join([*parts, TAIL]).encode()

    def _children(self, unit: Unit, folder: StoredObject, last: StoredObject | None) -> list[StoredObject]:
        return unit.tree.children(self._call.account_id, folder.object_key, after=last, limit=_PAGE)

    def _written(self, unit: Unit, found: list[StoredObject], names: Names) -> str:
        view = self._view(unit)
        self._entries.load(view, found)
        base, entry = self._call.href(names, is_folder=True), self._entries.entry
        return "".join([entry(child_href(base, one), one, view) for one in found])

    def _view(self, unit: Unit) -> View:
        call = self._call
        return View(call.ctx, unit, call.account_id, call.base, root_key=call.caller.root_key)
