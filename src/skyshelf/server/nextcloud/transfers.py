"""Uploads of several requests or files: in chunks (version 2), and in bulk.

Chunks are put into a folder, and a move assembles them into a file. A bulk upload has many small files in one
multipart/related body, stored by the code that stores batches.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

import msgspec
from starlette.responses import Response

from skyshelf.server.dav.call import DavCall
from skyshelf.server.dav.dialect import seconds_in
from skyshelf.server.dav.listing import Listing
from skyshelf.server.dav.multistatus import FOLDER, head, plain_entry
from skyshelf.server.dav.paths import names_of
from skyshelf.server.dav.routes import Method
from skyshelf.server.dav.storing import Digests, change_at, stored_response
from skyshelf.server.nextcloud.dialect import FilesDialect, check_user, empty_response, own_address
from skyshelf.server.nextcloud.ocs import json_response
from skyshelf.server.pipeline.admission.kinds import BODIES, UPLOADS
from skyshelf.server.pipeline.bodies import Body
from skyshelf.service.accounts.app_passwords import App
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.locks import Change
from skyshelf.service.uploads import batch, streamed, transfers
from skyshelf.service.uploads.transfer_chunks import TransferChunk
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire import error_codes as codes
from skyshelf.wire.leave import CallKind
from skyshelf.wire.limits import UPLOADS_AT_ONCE_BYTES_MAX, UPLOADS_AT_ONCE_MAX
from skyshelf.wire.resources.uploads import FileToUpload

_UPLOADS = ["remote.php", "dav", "uploads"]
_WHOLE = ".file"


class TransferDialect(FilesDialect):
    """Addresses of transfers; what a header names is a file."""

    def names_in(self, app: App, segments: Sequence[str]) -> tuple[str, ...]:
        if list(segments[:3]) != _UPLOADS or len(segments) not in (5, 6):
            raise ServiceError(codes.OBJECT_NOT_FOUND)
        check_user(app, segments[3])
        return tuple(segments[4:])

    def named_in(self, app: App, segments: Sequence[str]) -> tuple[str, ...]:
        return super().names_in(app, segments)


async def mkcol(call: DavCall) -> Response:
    (transfer_id,) = _parts(call, 1)
    size = _total(call)
    is_new = await call.threads.call(lambda: transfers.begin(call.ctx, call.caller, transfer_id, size))
    if not is_new:
        raise ServiceError(codes.NAME_TAKEN, "There is a transfer of that name already")
    return empty_response(201)


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
    return empty_response(201)


async def delete(call: DavCall) -> Response:
    (transfer_id,) = _parts(call, 1)
    await call.threads.call(lambda: transfers.cancel(call.ctx, call.caller, transfer_id))
    return empty_response(204)


async def propfind(call: DavCall) -> Response:
    await call.body()
    (transfer_id,) = _parts(call, 1)
    found = await call.threads.call(lambda: transfers.chunks(call.ctx, call.caller, transfer_id))
    return await Listing(call, lambda _: _entries(call, found)).response()


def _entries(call: DavCall, chunks: Sequence[TransferChunk]) -> Iterator[str]:
    folder = own_address(call)
    yield head(call.dialect.properties) + plain_entry(f"{folder}/", FOLDER)
    for one in chunks if call.depth != "0" else ():
        size = f"<D:resourcetype/><D:getcontentlength>{one.size}</D:getcontentlength>"
        yield plain_entry(f"{folder}/{one.name}", size)


async def move(call: DavCall) -> Response:
    transfer_id, name = _parts(call, 2)
    if name != _WHOLE:
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    lease = await call.threads.admission.enter(UPLOADS)
    received = call.dialect.received(call.headers)
    stored = await call.threads.body(lambda: _finish(call, transfer_id), lease)
    return stored_response(call, stored, received, is_new=stored.version == 1)


def _finish(call: DavCall, transfer_id: str) -> StoredObject:
    received = call.dialect.received(call.headers)
    # Conditions apply to the file.
    call.names = call.destination
    with call.ctx.metadata.read() as unit:
        spot = call.spot(unit, call.names)
        existing = call.look_up(unit, call.names)
    if existing is not None and existing.is_folder:
        raise ServiceError(codes.NAME_TAKEN, "A folder has that name")
    if existing is not None and not call.overwrites:
        raise ServiceError(codes.CONDITION_FAILED, "There is a file at the destination already")
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

    return transfers.finish(
        call.ctx, call.caller, transfer_id, file, check, guard=call.guard(change_at(spot, existing))
    )


def _parts(call: DavCall, count: int) -> tuple[str, ...]:
    if len(call.names) != count:
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    return call.names


def _total(call: DavCall) -> int | None:
    given = call.headers.get("oc-total-length", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) <= 18 else None


METHODS = {
    "MKCOL": Method(handle=mkcol),
    "PUT": Method(handle=put),
    "MOVE": Method(handle=move),
    "DELETE": Method(handle=delete, frees=True),
    "PROPFIND": Method(handle=propfind, kind=CallKind.LIST, writes=False),
}

_RELATED: Final = re.compile(r'multipart/related\s*;.*?boundary="?([^";,\s]{1,100})"?', re.IGNORECASE)
_HEAD_BYTES_MAX: Final = 16 * 1024
_MD5: Final = re.compile(r"(?:MD5:)?([0-9a-fA-F]{32})")


class BulkDialect(FilesDialect):
    """The one address of bulk uploads; the paths are in the parts."""

    def base_of(self, app: App) -> str:  # noqa: ARG002
        return "/remote.php/dav/bulk"

    def names_in(self, app: App, segments: Sequence[str]) -> tuple[str, ...]:  # noqa: ARG002
        return ()


class BulkFile(msgspec.Struct, frozen=True):
    path: str
    md5: str
    modified_at: int | None
    content: bytes


def files_in(content_type: str, body: bytes) -> Iterator[BulkFile]:
    """Yield the parts of a body, each of which states its length."""
    found = _RELATED.match(content_type.strip())
    if found is None:
        raise ServiceError(codes.WRONG_CONTENT_TYPE, "Send multipart/related with its boundary")
    mark, at = b"--" + found[1].encode("latin-1"), 0
    while True:
        at = body.find(mark, at)
        if at < 0:
            raise ServiceError(codes.INVALID_REQUEST, "The last boundary of the body is missing")
        at += len(mark)
        if body.startswith(b"--", at):
            return
        end = body.find(b"\r\n\r\n", at, at + _HEAD_BYTES_MAX)
        if end < 0:
            raise ServiceError(codes.INVALID_REQUEST, "A part of the body has no headers, or too many")
        headers = _headers(body[at:end])
        size = headers.get("content-length", "")
        if not (size.isascii() and size.isdigit() and len(size) < 12 and "x-file-path" in headers):
            raise ServiceError(codes.INVALID_REQUEST, "A part needs Content-Length and X-File-Path")
        start, at = end + 4, end + 4 + int(size)
        if at > len(body):
            raise ServiceError(codes.INVALID_REQUEST, "A part is longer than the body")
        md5 = _MD5.fullmatch(headers.get("x-file-md5") or headers.get("oc-checksum", ""))
        if md5 is None:
            raise ServiceError(codes.INVALID_REQUEST, "A part needs its MD5 in X-File-MD5")
        mtime = seconds_in(headers.get("x-file-mtime"))
        yield BulkFile(headers["x-file-path"], md5[1].lower(), mtime, body[start:at])


def _headers(head: bytes) -> dict[str, str]:
    lines = head.decode("utf-8", "replace").split("\r\n")
    pairs = (line.partition(":") for line in lines if line)
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


async def post(call: DavCall) -> Response:
    body = Body.of(call.request)
    body.limit(UPLOADS_AT_ONCE_BYTES_MAX)
    await call.threads.admission.enter(BODIES, weight=body.announced or UPLOADS_AT_ONCE_BYTES_MAX)
    whole = await body.all(UPLOADS_AT_ONCE_BYTES_MAX)
    lease = await call.threads.admission.enter(UPLOADS)
    return json_response(await call.threads.body(lambda: _store(call, whole), lease))


def _store(call: DavCall, body: bytes) -> dict[str, dict[str, object]]:
    files = list(islice(files_in(call.headers.get("content-type", ""), body), UPLOADS_AT_ONCE_MAX + 1))
    if len(files) > UPLOADS_AT_ONCE_MAX:
        raise ServiceError(codes.INVALID_REQUEST, f"Send at most {UPLOADS_AT_ONCE_MAX} files at once")
    answer: dict[str, dict[str, object]] = {}
    wanted: list[tuple[BulkFile, FileToUpload]] = []
    with call.ctx.metadata.read() as unit:
        held = call.held(unit)
        for file in files:
            try:
                names = names_of(segment for segment in file.path.split("/") if segment)
                spot = call.spot(unit, names)
                existing = call.look_up(unit, names) if held.locks else None
                changed = [] if existing is None else [existing.object_key]
                held.check(Change(members_of=[spot.folder_key], changed=changed), frozenset())
            except ServiceError as refused:
                answer[file.path] = _refused(refused)
                continue
            metadata = FileToUpload(
                name=spot.name,
                size=len(file.content),
                hash=file.md5,
                folder_key=spot.folder_key,
                last_modified_date=file.modified_at,
            )
            wanted.append((file, metadata))
    contents = (file.content for file, _ in wanted)
    results = batch.upload_files(call.ctx, call.caller, [metadata for _, metadata in wanted], contents)
    for (file, _), result in zip(wanted, results, strict=True):
        answer[file.path] = _refused(result) if isinstance(result, ServiceError) else _stored(call, file, result)
    return answer


def _stored(call: DavCall, file: BulkFile, stored: StoredObject) -> dict[str, object]:
    etag = (call.dialect.etag_of(stored) or "").strip('"')
    file_id = call.dialect.headers_of_folder(stored)["oc-fileid"]
    answer: dict[str, object] = {"error": False, "etag": etag, "fileid": file_id, "permissions": "GDNVW"}
    return {**answer, "X-OC-MTime": "accepted"} if file.modified_at is not None else answer


def _refused(problem: ServiceError) -> dict[str, object]:
    return {"error": True, "message": str(problem) or problem.error.message}


BULK: Final = Method(handle=post)
