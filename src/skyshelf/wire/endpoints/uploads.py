"""Uploads, whole and in chunks. The interface defines none, so all of them complete it."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoint import EMPTY, BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.objects import CloudObject
from skyshelf.wire.resources.uploads import (
    ChunkHeaders,
    ChunkQuery,
    ManyUploaded,
    ManyUploads,
    OffsetConflict,
    UnfinishedUploads,
    UploadMetadata,
    UploadProgress,
)

_OF_WHOLE_FILES: Final = (
    errors.WRONG_CONTENT_TYPE,
    errors.BAD_NAME,
    errors.BAD_KEY,
    errors.OBJECT_NOT_FOUND,
    errors.FOLDER_EXPECTED,
    errors.NAME_TAKEN,
    errors.VERSION_CHANGED,
    errors.SESSION_PAUSED,
    errors.CONTENT_HASH_MISMATCH,
    errors.CONTENT_SIZE_MISMATCH,
    errors.FILE_TOO_LARGE,
    errors.STORAGE_FULL,
    errors.DISK_FULL,
)

UPLOAD: Final = Endpoint(
    name="upload",
    needs_space=True,
    host=Host.UPLOAD,
    method="POST",
    path="/upload/files",
    summary="Uploads a small file in one call: a field `metadataString` with JSON and a part `file`.",
    body=UploadMetadata,
    body_kind=BodyKind.MULTIPART,
    answers={201: json_answer(CloudObject)},
    required_headers=(),
    errors=(*_OF_WHOLE_FILES, errors.FORBIDDEN, errors.BOARD_NOT_FOUND),
    origin=Origin.COMPLETIONS,
)
UPLOAD_MANY: Final = Endpoint(
    name="upload_many",
    needs_space=True,
    host=Host.UPLOAD,
    method="POST",
    path="/x/v1/uploads/many",
    summary="Uploads many small files in one call: a field `metadataString` with JSON, then a part `file` with the"
    " contents of all of them, one directly after the other. Each file succeeds or is refused separately.",
    body=ManyUploads,
    body_kind=BodyKind.MULTIPART,
    answers={200: json_answer(ManyUploaded)},
    required_headers=(),
    errors=_OF_WHOLE_FILES,
    # A file that already has this content stays unchanged.
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
INITIATE_UPLOAD: Final = Endpoint(
    name="initiate_upload",
    needs_space=True,
    host=Host.UPLOAD,
    method="POST",
    path="/upload/files/chunked/initiate",
    summary="Starts or resumes an upload; returns the object at once if no byte is missing.",
    body=UploadMetadata,
    body_kind=BodyKind.JSON,
    answers={201: json_answer(UploadProgress | CloudObject)},
    required_headers=(),
    errors=(
        errors.WRONG_CONTENT_TYPE,
        errors.BAD_NAME,
        errors.BAD_KEY,
        errors.FORBIDDEN,
        errors.BOARD_NOT_FOUND,
        errors.OBJECT_NOT_FOUND,
        errors.FOLDER_EXPECTED,
        errors.NAME_TAKEN,
        errors.VERSION_CHANGED,
        errors.SESSION_PAUSED,
        errors.UPLOAD_NOT_FOUND,
        errors.UPLOAD_BUSY,
        errors.CONTENT_HASH_MISMATCH,
        errors.FILE_TOO_LARGE,
        errors.STORAGE_FULL,
        errors.DISK_FULL,
    ),
    repeats_safely=True,
    origin=Origin.COMPLETIONS,
)
UPLOAD_CHUNK: Final = Endpoint(
    name="upload_chunk",
    needs_space=True,
    host=Host.UPLOAD,
    method="PUT",
    path="/upload/files/chunked",
    summary="Sends the next chunk (200); the last one completes the file (201).",
    query=ChunkQuery,
    headers=ChunkHeaders,
    error_bodies={409: OffsetConflict},
    body_kind=BodyKind.OCTET_STREAM,
    answers={200: json_answer(UploadProgress), 201: json_answer(CloudObject)},
    required_headers=(),
    errors=(
        errors.WRONG_CONTENT_TYPE,
        errors.UPLOAD_NOT_FOUND,
        errors.FORBIDDEN,
        errors.BOARD_NOT_FOUND,
        errors.OBJECT_NOT_FOUND,
        errors.NAME_TAKEN,
        errors.VERSION_CHANGED,
        errors.SESSION_PAUSED,
        errors.UPLOAD_OFFSET,
        errors.UPLOAD_BUSY,
        errors.CHUNK_HASH_MISMATCH,
        errors.CONTENT_HASH_MISMATCH,
        errors.CONTENT_SIZE_MISMATCH,
        errors.STORAGE_FULL,
        errors.DISK_FULL,
    ),
    origin=Origin.COMPLETIONS,
)
UNFINISHED_UPLOADS: Final = Endpoint(
    name="unfinished_uploads",
    host=Host.UPLOAD,
    method="GET",
    path="/x/v1/uploads",
    summary="The user's unfinished uploads, newest first.",
    query=CursorQuery,
    answers={200: json_answer(UnfinishedUploads)},
    required_headers=(),
    errors=(errors.BAD_CURSOR,),
    origin=Origin.COMPLETIONS,
)
CANCEL_UPLOAD: Final = Endpoint(
    name="cancel_upload",
    host=Host.UPLOAD,
    method="DELETE",
    path="/x/v1/uploads/{upload_key}",
    summary="Cancels an upload and frees its reserved space at once.",
    answers={204: EMPTY},
    required_headers=(),
    errors=(errors.UPLOAD_NOT_FOUND,),
    origin=Origin.COMPLETIONS,
)
