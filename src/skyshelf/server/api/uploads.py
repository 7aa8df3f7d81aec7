"""Uploads: whole, many at once, and in chunks."""

from collections.abc import Iterator
from typing import Final

import msgspec
from starlette.responses import Response

from skyshelf.server.api.call import Call, Handler, HandlerKind
from skyshelf.server.http.error_responses import error_response, json_response
from skyshelf.server.http.multipart import FormPart, boundary_in, last_of, parts_of
from skyshelf.server.pipeline.admission.kinds import UPLOADS
from skyshelf.server.pipeline.bodies import Body, drain_body_after
from skyshelf.server.pipeline.request import has_rows_at_hand
from skyshelf.server.pipeline.small_uploads import SmallFile, store_small
from skyshelf.service.boards.items import place_upload
from skyshelf.service.errors import ServiceError
from skyshelf.service.process.reservations import Reservation
from skyshelf.service.uploads import chunked, commit
from skyshelf.service.uploads.batch import UploadResult, upload_files
from skyshelf.storage.errors import OffsetConflict
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.wire_cache import wire_object
from skyshelf.wire import error_codes as codes
from skyshelf.wire.decoding import decode_body
from skyshelf.wire.limits import JSON_BODY_BYTES_DEFAULT, UPLOADS_AT_ONCE_BYTES_MAX
from skyshelf.wire.resources.uploads import (
    FILE_FIELD,
    METADATA_FIELD,
    ManyUploaded,
    ManyUploads,
    UploadMetadata,
    UploadOutcome,
    UploadProgress,
)
from skyshelf.wire.resources.uploads import OffsetConflict as OffsetConflictBody

_encode = msgspec.json.Encoder().encode


async def _upload(call: Call) -> Response:
    boundary = boundary_in(call.request.headers.get("content-type", ""))
    body = Body.of(call.request)
    if (body.announced or 0) > call.ctx.rules.max_file_size + JSON_BODY_BYTES_DEFAULT:
        raise ServiceError(codes.FILE_TOO_LARGE)
    body.limit(call.ctx.rules.max_file_size + JSON_BODY_BYTES_DEFAULT)
    lease = await call.admission.enter(UPLOADS)
    first = await body.block()
    if body.is_small(first) and has_rows_at_hand(call.request):
        small = await store_small(call.ctx, call.threads, call.caller, lambda: _small_form(boundary, first), lease)
        if small is not None:
            return _answer(call, small)
        lease = await call.admission.enter(UPLOADS)
    stored = await call.threads.body(lambda: _receive_form(call, parts_of(boundary, body.blocks(first))), lease)
    return _answer(call, stored)


def _small_form(boundary: str, data: bytes) -> SmallFile:
    """Return the file of a form with exactly one metadata part and one file; any other form is refused."""
    found: dict[str, bytes] = {}
    for part in parts_of(boundary, iter((data,))):
        if part.name in found or part.name not in {METADATA_FIELD, FILE_FIELD}:
            raise ServiceError(codes.INVALID_REQUEST)
        found[part.name] = part.text(len(data))
    if len(found) < 2 or len(found[METADATA_FIELD]) > JSON_BODY_BYTES_DEFAULT:
        raise ServiceError(codes.INVALID_REQUEST)
    metadata = decode_body(UploadMetadata, found[METADATA_FIELD])
    if metadata.board_key is not None or metadata.folder_key is None:
        raise ServiceError(codes.INVALID_REQUEST)
    return SmallFile(found[FILE_FIELD], metadata.size, lambda _: metadata)


def _receive_form(call: Call, parts: Iterator[FormPart]) -> StoredObject:
    """Store the file as it arrives; it gets its name once the form is complete."""
    with call.ctx.reservations.of(call.caller.account_id) as reservation:
        form = _Form(call, reservation)
        try:
            for part in parts:
                form.take(part)
            metadata, content = form.complete()
        except BaseException:
            if form.content is not None:
                commit.discard_content(call.ctx, form.content)
            raise
        return commit.commit_file(call.ctx, call.caller, metadata, content, place=place_upload, reservation=reservation)


class _Form:
    """The parts of the form received so far; they come in either order."""

    def __init__(self, call: Call, reservation: Reservation) -> None:
        self._call = call
        self._reservation = reservation
        self._metadata: UploadMetadata | None = None
        self.content: commit.Content | None = None

    def take(self, part: FormPart) -> None:
        ctx, caller = self._call.ctx, self._call.caller
        if part.name == METADATA_FIELD and self._metadata is None:
            self._metadata = decode_body(UploadMetadata, part.text(JSON_BODY_BYTES_DEFAULT))
            commit.precheck_upload(ctx, caller, self._metadata, self._reservation, place_upload)
        elif part.name == FILE_FIELD and self.content is None:
            self.content = commit.store_content(ctx, caller, self._metadata, part, self._reservation)
        elif part.name in {METADATA_FIELD, FILE_FIELD}:
            raise ServiceError(codes.INVALID_REQUEST, f"The form has {part.name} twice")

    def complete(self) -> tuple[UploadMetadata, commit.Content]:
        if self._metadata is None or self.content is None:
            raise ServiceError(codes.INVALID_REQUEST, f"The form needs {METADATA_FIELD} and {FILE_FIELD}")
        return self._metadata, self.content


async def _upload_many(call: Call) -> Response:
    boundary = boundary_in(call.request.headers.get("content-type", ""))
    body = Body.of(call.request)
    body.limit(UPLOADS_AT_ONCE_BYTES_MAX + ManyUploads.max_bytes + JSON_BODY_BYTES_DEFAULT)
    lease = await call.admission.enter(UPLOADS)
    first = await body.block()
    arrived = await call.threads.body(lambda: _receive_many(call, parts_of(boundary, body.blocks(first))), lease)
    return json_response(_encode(ManyUploaded(files=[_outcome(call, one) for one in arrived])))


def _receive_many(call: Call, parts: Iterator[FormPart]) -> list[UploadResult]:
    """Store several files. Their sizes must precede the contents, to tell where one ends and the next begins."""
    described, known = None, {METADATA_FIELD, FILE_FIELD}
    for part in parts:
        if part.name == METADATA_FIELD and described is None:
            described = decode_body(ManyUploads, part.text(ManyUploads.max_bytes))
        elif part.name == FILE_FIELD and described is not None:
            return upload_files(call.ctx, call.caller, described.files, last_of(part, parts, known))
        elif part.name in known:
            break
    raise ServiceError(codes.INVALID_REQUEST, f"The form needs {METADATA_FIELD} once, and {FILE_FIELD} behind it")


def _outcome(call: Call, arrived: UploadResult) -> UploadOutcome:
    if isinstance(arrived, StoredObject):
        return UploadOutcome(object=wire_object(arrived, call.origin))
    return UploadOutcome(error_code=arrived.code, error_message=arrived.message)


async def _initiate(call: Call) -> Response:
    call.check_content_type()
    metadata = decode_body(UploadMetadata, await Body.of(call.request).all(call.endpoint.body_bytes_max))
    return _answer(
        call, await call.threads.call(lambda: chunked.initiate(call.ctx, call.caller, metadata, place_upload)), 201
    )


async def _chunk(call: Call) -> Response:
    call.check_content_type()
    body = Body.of(call.request)
    body.limit(call.endpoint.body_bytes_max)
    chunk = chunked.Chunk(
        upload_key=call.query.upload_id, offset=call.headers.offset, md5=call.headers.md5, size=body.announced
    )
    lease = await call.admission.enter(UPLOADS)
    first = await body.block()
    try:
        received = await call.threads.body(
            lambda: chunked.receive(call.ctx, call.caller, chunk, body.blocks(first), place_upload), lease
        )
    except OffsetConflict as conflict:
        row = codes.UPLOAD_OFFSET
        where = OffsetConflictBody(
            code=row.code, message=row.message, transaction_id=chunk.upload_key.upper(), offset=conflict.received
        )
        return drain_body_after(call.request, error_response(row, body=where))
    return _answer(call, received)


def _answer(call: Call, received: UploadProgress | StoredObject, status_of_progress: int = 200) -> Response:
    """Return the stored object, or the progress of its upload if it is not complete."""
    if isinstance(received, StoredObject):
        return json_response(_encode(wire_object(received, call.origin)), 201)
    return json_response(_encode(received), status_of_progress)


HANDLERS: Final = {
    "upload": Handler(_upload, HandlerKind.ASYNC),
    "upload_many": Handler(_upload_many, HandlerKind.ASYNC),
    "initiate_upload": Handler(_initiate, HandlerKind.ASYNC),
    "upload_chunk": Handler(_chunk, HandlerKind.ASYNC),
}
