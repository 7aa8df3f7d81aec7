"""The export of a whole account in open forms, in ZIP files."""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import BINARY, Access, Group, Host, Origin
from skyshelf.wire.resources import downloads, exports

_EXPORT: Final = Group(host=Host.ACCOUNT, path="/x/v1/account/export", origin=Origin.COMPLETIONS)
_BY_LINK: Final = Group(
    host=Host.DOWNLOAD,
    path="/download/export",
    origin=Origin.COMPLETIONS,
    access=Access.SESSION_OR_NONCE,
    required_headers=(),
)

BEGIN_EXPORT: Final = _EXPORT.call(
    "POST",
    "Begins an export of everything in the account, confirmed like a login; the owner is informed.",
    body=exports.ExportRequest,
    created=exports.BegunExport,
    must_have="export",
    errors=errors.OF_CONFIRMATIONS,
    while_full=True,
)
EXPORT_PARTS: Final = _EXPORT.call(
    "GET /parts",
    "The parts of an export, each a ZIP file.",
    query=exports.ExportQuery,
    answer=exports.ExportParts,
    must_have="parts",
    errors=(errors.EXPORT_NOT_FOUND,),
)
DOWNLOAD_EXPORT: Final = _BY_LINK.call(
    "GET",
    "A part of an export as a ZIP file, whole or in ranges.",
    query=exports.ExportPartQuery,
    headers=downloads.ArchiveHeaders,
    answers={200: BINARY, 206: BINARY},
    errors=(errors.EXPORT_NOT_FOUND, errors.RANGE_NOT_SATISFIABLE),
    head=True,
)
