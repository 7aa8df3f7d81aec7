"""Downloads. Browsers fetch them through plain links, so no header is required."""

from typing import Final

from msgspec.structs import replace

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import BINARY, EMPTY, Access, Group, Host, Origin
from skyshelf.wire.resources import downloads

_BY_LINK: Final = Group(host=Host.DOWNLOAD, path="/download", access=Access.SESSION_OR_NONCE, required_headers=())
_CONTENTS: Final = Group(host=Host.DOWNLOAD, path="/x/v1", origin=Origin.COMPLETIONS, required_headers=())
_METADATA: Final = Group(host=Host.METADATA, path="/x/v1", origin=Origin.COMPLETIONS)
_ARCHIVES: Final = replace(_BY_LINK, path="/download/archives", origin=Origin.COMPLETIONS)

DOWNLOAD: Final = _BY_LINK.call(
    "GET /files/{object_key}",
    "A file's content, whole or in ranges.",
    query=downloads.DownloadQuery,
    headers=downloads.DownloadHeaders,
    answers={200: BINARY, 206: BINARY, 304: EMPTY},
    errors=(errors.VERSION_NOT_FOUND, errors.FILE_EXPECTED, errors.RANGE_NOT_SATISFIABLE, errors.CONTENT_DAMAGED),
    head=True,
)
THUMBNAIL: Final = _BY_LINK.call(
    "GET /avimages/{object_key}",
    "A thumbnail of a picture, video or PDF.",
    query=downloads.ThumbnailQuery,
    headers=downloads.ThumbnailHeaders,
    answers={200: BINARY, 304: EMPTY},
    errors=(errors.NO_THUMBNAIL,),
    head=True,
)

CONTENTS: Final = _CONTENTS.call(
    "GET /contents",
    "The contents of many small files in one response.",
    query=downloads.ContentsQuery,
    answers={200: BINARY},
)

PLACEHOLDERS: Final = _METADATA.call(
    "GET /placeholders",
    "Tiny pictures to show until thumbnails have loaded.",
    query=downloads.FileKeysQuery,
    answer=downloads.Placeholders,
    must_have="placeholders",
)
TEXT: Final = _METADATA.call(
    "GET /texts/{object_key}",
    "The text of a PDF or an office document, whole or in parts.",
    query=downloads.TextQuery,
    answer=downloads.DocumentText,
    must_have="text",
    errors=(errors.NO_TEXT, errors.FILE_EXPECTED, errors.CONTENT_DAMAGED),
)
CREATE_ARCHIVE: Final = _METADATA.call(
    "POST /archives",
    "Prepares one ZIP file of the given files and folders.",
    body=downloads.ArchiveRequest,
    created=downloads.OwnArchive,
    must_have="archiveKey",
    errors=(errors.OBJECT_NOT_FOUND,),
)
DOWNLOAD_ARCHIVE: Final = _ARCHIVES.call(
    "GET /{archive_key}",
    "A prepared ZIP file, whole or in ranges.",
    query=downloads.ArchiveQuery,
    headers=downloads.ArchiveHeaders,
    answers={200: BINARY, 206: BINARY},
    errors=(errors.OBJECT_NOT_FOUND, errors.ARCHIVE_TOO_LARGE, errors.ARCHIVE_TOO_DEEP, errors.RANGE_NOT_SATISFIABLE),
    head=True,
)
