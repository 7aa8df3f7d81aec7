"""Uploads in parts, version 2: a folder for the chunks, the chunks, and a move that makes them a file."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from starlette.responses import Response

from skyshelf.server.dav.call import DavCall
from skyshelf.server.dav.multistatus import TAIL, XML_UTF8, head
from skyshelf.server.dav.paths import quoted
from skyshelf.server.dav.routes import Method
from skyshelf.server.dav.storing import Digests
from skyshelf.server.http.admission.kinds import UPLOADS
from skyshelf.server.http.bodies import Body
from skyshelf.server.http.prefix import public_path
from skyshelf.server.nextcloud.dialect import FilesDialect, check_user
from skyshelf.service.accounts.app_passwords import App
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.locks import Change
from skyshelf.service.uploads import streamed, transfers
from skyshelf.service.uploads.transfer_chunks import TransferChunk
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire import error_codes as codes

_UPLOADS = ["remote.php", "dav", "uploads"]
_WHOLE = ".file"


class TransferDialect(FilesDialect):
    """Addresses of transfers; those of files are understood too, for the destination of a move."""

    def names_in(self, app: App, segments: Sequence[str]) -> tuple[str, ...]:
        if list(segments[:3]) != _UPLOADS:
            return super().names_in(app, segments)
        if len(segments) not in (5, 6):
            raise ServiceError(codes.OBJECT_NOT_FOUND)
        check_user(app, segments[3])
        return tuple(segments[4:])


async def mkcol(call: DavCall) -> Response:
    (transfer_id,) = _parts(call, 1)
    size = _total(call)
    is_new = await call.threads.call(lambda: transfers.begin(call.ctx, call.caller, transfer_id, size))
    if not is_new:
        raise ServiceError(codes.NAME_TAKEN, "There is a transfer of that name already")
    return _empty(201)


async def put(call: DavCall) -> Response:
    transfer_id, name = _parts(call, 2)
    body = Body.of(call.request)
    body.limit(call.ctx.rules.max_file_size)
    lease = await call.threads.admission.enter(UPLOADS)
    first = await body.block()
    size = len(first) if body.is_complete else body.announced
    if size is None:
        raise ServiceError(codes.INVALID_REQUEST, "A chunk needs a Content-Length")
    chunk = TransferChunk(name, size)
    await call.threads.body(
        lambda: transfers.receive(call.ctx, call.caller, transfer_id, chunk, body.blocks(first)), lease
    )
    return _empty(201)


async def delete(call: DavCall) -> Response:
    (transfer_id,) = _parts(call, 1)
    await call.threads.call(lambda: transfers.cancel(call.ctx, call.caller, transfer_id))
    return _empty(204)


async def propfind(call: DavCall) -> Response:
    await call.body()
    (transfer_id,) = _parts(call, 1)
    found = await call.threads.call(lambda: transfers.chunks(call.ctx, call.caller, transfer_id))
    base = public_path(call.request).rstrip("/")
    folder = "/".join(quoted(segment) for segment in base.split("/"))
    text = [head(call.dialect.properties), _entry(f"{folder}/", "<D:resourcetype><D:collection/></D:resourcetype>")]
    if call.depth != "0":
        text += [
            _entry(f"{folder}/{one.name}", f"<D:resourcetype/><D:getcontentlength>{one.size}</D:getcontentlength>")
            for one in found
        ]
    headers = {"content-type": XML_UTF8, "cache-control": "no-store"}
    return Response("".join([*text, TAIL]).encode(), 207, headers)


async def move(call: DavCall) -> Response:
    transfer_id, name = _parts(call, 2)
    if name != _WHOLE:
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    lease = await call.threads.admission.enter(UPLOADS)
    received = call.dialect.received(call.headers)
    stored = await call.threads.body(lambda: _finish(call, transfer_id), lease)
    headers = {"cache-control": "no-store", **call.dialect.headers_of_upload(stored, received)}
    return Response(status_code=201 if stored.version == 1 else 204, headers=headers)


def _finish(call: DavCall, transfer_id: str) -> StoredObject:
    received = call.dialect.received(call.headers)
    # Conditions are about the file.
    call.names = call.destination
    with call.ctx.metadata.read() as unit:
        spot = call.spot(unit, call.names)
        existing = call.look_up(unit, call.names)
    if existing is not None and existing.is_folder:
        raise ServiceError(codes.NAME_TAKEN, "A folder has that name")
    if existing is not None and not call.overwrites:
        raise ServiceError(codes.CONDITION_FAILED, "There is a file at the destination already")
    change = Change(members_of=[spot.folder_key]) if existing is None else Change(changed=[existing.object_key])
    file = streamed.StreamedFile(
        folder_key=spot.folder_key,
        name=spot.name,
        size=_total(call),
        modified_at=received.modified_at,
        created_at=received.created_at,
    )

    def check(known: Mapping[str, str], read: Callable[[], Iterable[bytes]]) -> None:
        digests = Digests(received.checksums)
        if digests.needs_bytes:
            for _ in digests.reading(iter(read())):
                pass
        digests.check(known)

    return transfers.finish(call.ctx, call.caller, transfer_id, file, check, guard=call.guard(change))


def _parts(call: DavCall, count: int) -> tuple[str, ...]:
    if len(call.names) != count:
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    return call.names


def _total(call: DavCall) -> int | None:
    given = call.headers.get("oc-total-length", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) <= 18 else None


def _entry(href: str, properties: str) -> str:
    return (
        f"<D:response><D:href>{href}</D:href><D:propstat><D:prop>{properties}</D:prop>"
        "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
    )


def _empty(status: int) -> Response:
    return Response(status_code=status, headers={"cache-control": "no-store"})


METHODS = {
    "MKCOL": Method(handle=mkcol, needs_space=True),
    "PUT": Method(handle=put, needs_space=True),
    "MOVE": Method(handle=move, needs_space=True),
    "DELETE": Method(handle=delete),
    "PROPFIND": Method(handle=propfind, writes=False),
}
