"""Downloads. Browsers fetch them through plain links, so no header is required."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import BINARY, EMPTY, Access, BodyKind, Endpoint, Host, Origin, json_answer
from skyshelf.wire.resources.downloads import (
    ArchiveHeaders,
    ArchiveQuery,
    ArchiveRequest,
    ContentsQuery,
    DownloadHeaders,
    DownloadQuery,
    OwnArchive,
    Placeholders,
    PlaceholdersQuery,
    ThumbnailHeaders,
    ThumbnailQuery,
)

DOWNLOAD: Final = Endpoint(
    name="download",
    host=Host.DOWNLOAD,
    method="GET",
    path="/download/files/{object_key}",
    summary="A file's content, whole or in ranges.",
    query=DownloadQuery,
    headers=DownloadHeaders,
    answers={200: BINARY, 206: BINARY, 304: EMPTY},
    access=Access.SESSION_OR_NONCE,
    required_headers=(),
    errors=(
        errors.OBJECT_NOT_FOUND,
        errors.VERSION_NOT_FOUND,
        errors.FILE_EXPECTED,
        errors.RANGE_NOT_SATISFIABLE,
        errors.CONTENT_DAMAGED,
    ),
    head=True,
)
THUMBNAIL: Final = Endpoint(
    name="thumbnail",
    host=Host.DOWNLOAD,
    method="GET",
    path="/download/avimages/{object_key}",
    summary="A thumbnail of a picture, video or PDF.",
    query=ThumbnailQuery,
    headers=ThumbnailHeaders,
    answers={200: BINARY, 304: EMPTY},
    access=Access.SESSION_OR_NONCE,
    required_headers=(),
    errors=(errors.OBJECT_NOT_FOUND, errors.NO_THUMBNAIL),
    head=True,
)

CONTENTS: Final = Endpoint(
    name="contents",
    host=Host.DOWNLOAD,
    method="GET",
    path="/x/v1/contents",
    summary="The contents of many small files in one response.",
    query=ContentsQuery,
    answers={200: BINARY},
    required_headers=(),
    errors=(errors.BAD_KEY,),
    origin=Origin.COMPLETIONS,
)

PLACEHOLDERS: Final = Endpoint(
    name="placeholders",
    host=Host.METADATA,
    method="GET",
    path="/x/v1/placeholders",
    summary="Tiny pictures to show until thumbnails have loaded.",
    query=PlaceholdersQuery,
    answers={200: json_answer(Placeholders)},
    errors=(errors.BAD_KEY,),
    origin=Origin.COMPLETIONS,
)
CREATE_ARCHIVE: Final = Endpoint(
    name="create_archive",
    host=Host.METADATA,
    method="POST",
    path="/x/v1/archives",
    summary="Prepares one ZIP file of the given files and folders.",
    body=ArchiveRequest,
    body_kind=BodyKind.JSON,
    answers={201: json_answer(OwnArchive)},
    errors=(errors.BAD_KEY, errors.OBJECT_NOT_FOUND),
    needs_space=True,
    origin=Origin.COMPLETIONS,
)
DOWNLOAD_ARCHIVE: Final = Endpoint(
    name="download_archive",
    host=Host.DOWNLOAD,
    method="GET",
    path="/download/archives/{archive_key}",
    summary="A prepared ZIP file, whole or in ranges.",
    query=ArchiveQuery,
    headers=ArchiveHeaders,
    answers={200: BINARY, 206: BINARY},
    access=Access.SESSION_OR_NONCE,
    required_headers=(),
    errors=(
        errors.ARCHIVE_NOT_FOUND,
        errors.OBJECT_NOT_FOUND,
        errors.ARCHIVE_TOO_LARGE,
        errors.ARCHIVE_TOO_DEEP,
        errors.RANGE_NOT_SATISFIABLE,
    ),
    head=True,
    origin=Origin.COMPLETIONS,
)
