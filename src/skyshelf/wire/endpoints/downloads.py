"""Downloads. Browsers fetch them through plain links, so no header is required."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import BINARY, EMPTY, Access, Endpoint, Host, Origin
from skyshelf.wire.resources.downloads import (
    ContentsQuery,
    DownloadHeaders,
    DownloadQuery,
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
