"""Bulk upload: many small files in one multipart/related body, stored by the code that stores batches."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from starlette.responses import Response

from skyshelf.server.dav.call import DavCall
from skyshelf.server.dav.dialect import seconds_in
from skyshelf.server.dav.paths import names_of
from skyshelf.server.dav.routes import Method
from skyshelf.server.http.admission.kinds import BODIES, UPLOADS
from skyshelf.server.http.bodies import Body
from skyshelf.server.nextcloud.dialect import FilesDialect
from skyshelf.service.accounts.app_passwords import App
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.locks import Change, HeldLocks
from skyshelf.service.uploads import batch
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import UPLOADS_AT_ONCE_BYTES_MAX, UPLOADS_AT_ONCE_MAX
from skyshelf.wire.resources.uploads import FileToUpload

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
    """One part."""

    path: str
    md5: str
    modified_at: int | None
    content: bytes


def files_in(content_type: str, body: bytes) -> Iterator[BulkFile]:
    """The parts of a body, each of which says how long it is."""
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
    await call.threads.admission.enter(BODIES, weight=min(body.announced or BODIES_WHOLE, BODIES_WHOLE))
    whole = await body.all(UPLOADS_AT_ONCE_BYTES_MAX)
    files = list(files_in(call.headers.get("content-type", ""), whole))
    if len(files) > UPLOADS_AT_ONCE_MAX:
        raise ServiceError(codes.INVALID_REQUEST, f"Send at most {UPLOADS_AT_ONCE_MAX} files at once")
    lease = await call.threads.admission.enter(UPLOADS)
    answer = await call.threads.body(lambda: _store(call, files), lease)
    headers = {"content-type": "application/json; charset=utf-8", "cache-control": "no-store"}
    return Response(msgspec.json.encode(answer), headers=headers)


BODIES_WHOLE: Final = UPLOADS_AT_ONCE_BYTES_MAX


def _store(call: DavCall, files: Sequence[BulkFile]) -> dict[str, dict[str, object]]:
    answer: dict[str, dict[str, object]] = {}
    wanted: list[tuple[BulkFile, FileToUpload]] = []
    with call.ctx.metadata.read() as unit:
        held = HeldLocks(unit, call.account_id, call.ctx.clock.now())
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


BULK: Final = Method(handle=post, needs_space=True)
