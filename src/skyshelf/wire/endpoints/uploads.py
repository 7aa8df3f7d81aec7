"""Uploads, whole and in chunks. The interface defines none, so all of them complete it."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoint import BodyKind, Group, Host, Origin, json_answer
from skyshelf.wire.resources import objects, uploads

_UPLOAD: Final = Group(host=Host.UPLOAD, origin=Origin.COMPLETIONS, required_headers=())

_OF_COMMITS: Final = (
    errors.WRONG_CONTENT_TYPE,
    errors.OBJECT_NOT_FOUND,
    errors.NAME_TAKEN,
    errors.VERSION_CHANGED,
    errors.CONTENT_HASH_MISMATCH,
    errors.STORAGE_FULL,
    errors.DISK_FULL,
)
_OF_METADATA: Final = (errors.BAD_NAME, errors.BAD_KEY, errors.FOLDER_EXPECTED, errors.FILE_TOO_LARGE)
_OF_WHOLE_FILES: Final = (*_OF_COMMITS, *_OF_METADATA, errors.CONTENT_SIZE_MISMATCH)
_OF_BOARDS: Final = (errors.FORBIDDEN, errors.BOARD_NOT_FOUND)

UPLOAD: Final = _UPLOAD.call(
    "POST /upload/files",
    "Uploads a small file in one call: a field `metadataString` with JSON and a part `file`.",
    body=uploads.UploadMetadata,
    body_kind=BodyKind.MULTIPART,
    created=objects.CloudObject,
    must_have="objectKey",
    errors=(*_OF_WHOLE_FILES, *_OF_BOARDS),
)
UPLOAD_MANY: Final = _UPLOAD.call(
    "POST /x/v1/uploads/many",
    "Uploads many small files in one call: a field `metadataString` with JSON, then a part `file` with the"
    " contents of all of them, one directly after the other. Each file succeeds or is refused separately.",
    body=uploads.ManyUploads,
    body_kind=BodyKind.MULTIPART,
    answer=uploads.ManyUploaded,
    must_have="files",
    errors=_OF_WHOLE_FILES,
    repeats_safely=True,
    # A file that already has this content stays unchanged.
)
INITIATE_UPLOAD: Final = _UPLOAD.call(
    "POST /upload/files/chunked/initiate",
    "Starts or resumes an upload; returns the object at once if no byte is missing.",
    body=uploads.UploadMetadata,
    answers={201: json_answer(uploads.UploadProgress | objects.CloudObject)},
    must_have="transactionId objectKey",
    errors=(*_OF_COMMITS, *_OF_METADATA, *_OF_BOARDS, errors.UPLOAD_NOT_FOUND, errors.UPLOAD_BUSY),
    repeats_safely=True,
)
UPLOAD_CHUNK: Final = _UPLOAD.call(
    "PUT /upload/files/chunked",
    "Sends the next chunk (200); the last one completes the file (201).",
    query=uploads.ChunkQuery,
    headers=uploads.ChunkHeaders,
    body_kind=BodyKind.OCTET_STREAM,
    answers={200: json_answer(uploads.UploadProgress), 201: json_answer(objects.CloudObject)},
    must_have="transactionId objectKey",
    errors=(
        *_OF_COMMITS,
        *_OF_BOARDS,
        errors.CONTENT_SIZE_MISMATCH,
        errors.UPLOAD_NOT_FOUND,
        errors.UPLOAD_OFFSET,
        errors.UPLOAD_BUSY,
        errors.CHUNK_HASH_MISMATCH,
    ),
    error_bodies={409: uploads.OffsetConflict},
    repeats_safely=False,
)
UNFINISHED_UPLOADS: Final = _UPLOAD.call(
    "GET /x/v1/uploads",
    "The user's unfinished uploads, newest first.",
    query=CursorQuery,
    answer=uploads.UnfinishedUploads,
    must_have="uploads",
)
CANCEL_UPLOAD: Final = _UPLOAD.call(
    "DELETE /x/v1/uploads/{upload_key}", "Cancels an upload and frees its reserved space at once."
)
