"""Errors as WebDAV clients expect them: their statuses, and a body in XML with the sentence for people."""

from collections.abc import Mapping
from typing import Final

import msgspec
from starlette.responses import Response

from skyshelf.server.dav.multistatus import XML_UTF8
from skyshelf.server.dav.xml_bodies import escape
from skyshelf.server.http.error_responses import response_for
from skyshelf.wire import error_codes as codes
from skyshelf.wire.error_codes import ErrorBody, ErrorCode

# The interface has its own statuses for these.
_STATUSES: Final[Mapping[ErrorCode, int]] = {
    codes.STORAGE_FULL: 507,
    codes.ACCOUNT_LIMIT: 507,
    codes.NAME_TAKEN: 405,
    codes.TARGET_NOT_FOLDER: 409,
    codes.FOLDER_EXPECTED: 409,
    codes.FILE_EXPECTED: 409,
    codes.MOVE_INTO_ITSELF: 403,
    codes.ROOT_FIXED: 403,
    codes.TOO_DEEP: 403,
    codes.SESSION_INVALID: 401,
}
_STATUS_BY_CODE: Final = {row.code: status for row, status in _STATUSES.items()}
# The names that RFC 4918 and RFC 4331 give to what is wrong.
_PRECONDITIONS: Final = {
    codes.LOCKED.code: "<D:lock-token-submitted><D:href>{href}</D:href></D:lock-token-submitted>",
    codes.LOCK_NOT_FOUND.code: "<D:lock-token-matches-request-uri/>",
    codes.TREE_TOO_LARGE.code: "<D:propfind-finite-depth/>",
    codes.STORAGE_FULL.code: "<D:quota-not-exceeded/>",
    codes.DISK_FULL.code: "<D:sufficient-disk-space/>",
}
_decode: Final = msgspec.json.Decoder(ErrorBody).decode


def dav_error(problem: Exception, href: str) -> Response:
    """The response to an exception."""
    answer = response_for(problem)
    body = _decode(answer.body)
    code, message = body.code or "", body.message or ""
    condition = _PRECONDITIONS.get(code, "").format(href=href)
    text = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<D:error xmlns:D="DAV:" xmlns:s="http://sabredav.org/ns">{condition}'
        f"<s:exception>{escape(code)}</s:exception><s:message>{escape(message)}</s:message></D:error>\n"
    )
    headers = {"content-type": XML_UTF8, "cache-control": "no-store"}
    if "retry-after" in answer.headers:
        headers["retry-after"] = answer.headers["retry-after"]
    return Response(text.encode(), _STATUS_BY_CODE.get(code, answer.status_code), headers)
