"""Responses in JSON; every error is `{"code", "message", "error"}`."""

import logging
from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec.structs import replace
from starlette.responses import Response

from skyshelf.service.accounts.passkeys.assertions import SecondFactorRequired
from skyshelf.service.errors import Busy, Throttled, code_of
from skyshelf.storage.errors import (
    LeaveRefused,
    LeaveUsedUp,
    LimitReached,
    OffsetConflict,
    StorageError,
    StoreFull,
    StoreReadOnly,
)
from skyshelf.wire import error_codes as codes
from skyshelf.wire.error_codes import ErrorBody, ErrorCode
from skyshelf.wire.headers import JSON_UTF8
from skyshelf.wire.refusals import Refusal
from skyshelf.wire.resources.passkeys import SecondFactorMissing
from skyshelf.wire.resources.uploads import OffsetConflict as OffsetConflictBody

_log = logging.getLogger("skyshelf.server")
RETRY_SECONDS: Final = 5
RETRY_READ_ONLY_SECONDS: Final = 15
_AT_RESERVE = "The server's disk is almost full: nothing can be added until space is freed, but deleting works"


def json_response(content: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return JSON that browsers and proxies must not store."""
    return Response(content, status, {"content-type": JSON_UTF8, "cache-control": "no-store", **(headers or {})})


def error_response(
    error: ErrorCode,
    message: str | None = None,
    *,
    headers: Mapping[str, str] | None = None,
    body: ErrorBody | None = None,
) -> Response:
    body = body or ErrorBody(code=error.code, message=message or error.message)
    return json_response(msgspec.json.encode(replace(body, error=body.message)), error.status, headers)


def response_for(problem: Exception) -> Response:
    """Return the response to an exception; an unexpected one is logged in full and answered without details."""
    if isinstance(problem, SecondFactorRequired):
        row = problem.error
        return error_response(
            row,
            body=SecondFactorMissing(
                code=row.code,
                message=row.message,
                is_without_app=None if problem.has_app else True,
                passkey=problem.passkey,
            ),
        )
    if isinstance(problem, Refusal):
        return error_response(problem.error, problem.message)
    if isinstance(problem, Throttled):
        row = codes.SERVER_BUSY if isinstance(problem, Busy) else codes.THROTTLED
        return error_response(row, headers={"retry-after": str(problem.seconds)})
    if isinstance(problem, OffsetConflict):
        row = codes.UPLOAD_OFFSET
        return error_response(row, body=OffsetConflictBody(code=row.code, message=row.message, offset=problem.received))
    if isinstance(problem, StorageError):
        row, sentence = code_of(problem), _sentence(problem)
        # Damaged content was already logged when it was found.
        if row.status >= 500 and sentence is None and row is not codes.CONTENT_DAMAGED:
            _log.error("storage failed: %s", problem, exc_info=problem)
        seconds = RETRY_READ_ONLY_SECONDS if isinstance(problem, StoreReadOnly) else RETRY_SECONDS
        return error_response(row, sentence, headers={"retry-after": str(seconds)} if row.status == 503 else None)
    _log.error("unexpected error", exc_info=problem)
    return error_response(codes.INTERNAL)


def _sentence(problem: StorageError) -> str | None:
    """Return the message of a storage error if it tells the caller more than its code."""
    if isinstance(problem, LeaveRefused | LeaveUsedUp | LimitReached | StoreReadOnly):
        return str(problem)
    # The change to this state has already been logged.
    return _AT_RESERVE if isinstance(problem, StoreFull) and problem.is_reserve else None
