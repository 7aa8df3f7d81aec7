"""The errors of the SDK: when they are raised, whether the request is retried, and the exit code of the command line.

client error          status     retry  exit code
InvalidRequestError   400, 4xx   no     3
AuthenticationError   401        no     4
ForbiddenError        403        no     5
ObjectNotFoundError   404        no     6
ConflictError         409        no     7
PayloadTooLargeError  413        no     8
QuotaExceededError    by code    no     9
RateLimitError        429        yes    10
ServerError           5xx        yes    11
NetworkError          transport  yes    12
SecondFactorRequired… by code    no     13
ContentDamagedError   by code    no     14
ReadOnlyError         by code    yes    15
SessionPausedError    by code    no     16
"""

from typing import Final

from msgspec import Struct


class ClientError(Struct, frozen=True, kw_only=True):
    """A kind of error in the SDK; `when` is the HTTP condition in words."""

    name: str
    when: str
    retryable: bool
    exit_code: int
    meaning: str


def _kind(name: str, when: str, exit_code: int, meaning: str, *, retryable: bool = False) -> ClientError:
    return ClientError(name=name, when=when, retryable=retryable, exit_code=exit_code, meaning=meaning)


INVALID_REQUEST_ERROR: Final = _kind(
    "InvalidRequestError", "400", 3, "the server refused a parameter, a header, a body or a batch entry"
)
AUTHENTICATION_ERROR: Final = _kind("AuthenticationError", "401", 4, "the session is expired or not valid")
FORBIDDEN_ERROR: Final = _kind("ForbiddenError", "403", 5, "the operation is not permitted")
OBJECT_NOT_FOUND_ERROR: Final = _kind("ObjectNotFoundError", "404", 6, "no such object, board or share")
CONFLICT_ERROR: Final = _kind("ConflictError", "409", 7, "the name is taken, or another change came first")
PAYLOAD_TOO_LARGE_ERROR: Final = _kind("PayloadTooLargeError", "413", 8, "more bytes than the server accepts")
QUOTA_EXCEEDED_ERROR: Final = _kind("QuotaExceededError", "413 with its own code", 9, "the account's storage is full")
RATE_LIMIT_ERROR: Final = _kind("RateLimitError", "429", 10, "throttled; wait and retry", retryable=True)
SERVER_ERROR: Final = _kind("ServerError", "5xx", 11, "an error on the server", retryable=True)
NETWORK_ERROR: Final = _kind(
    "NetworkError", "transport", 12, "the server cannot be reached: DNS, TLS, reset or timeout", retryable=True
)
SECOND_FACTOR_REQUIRED_ERROR: Final = _kind(
    "SecondFactorRequiredError", "401 with its own code", 13, "the password is correct, but a code is needed as well"
)
CONTENT_DAMAGED_ERROR: Final = _kind(
    "ContentDamagedError", "500 with its own code", 14, "the server has lost or damaged the content of a file"
)
READ_ONLY_ERROR: Final = _kind(
    "ReadOnlyError", "503 with its own code", 15, "the operator has switched writing off for a while", retryable=True
)
SESSION_PAUSED_ERROR: Final = _kind(
    "SessionPausedError",
    "403 with its own code",
    16,
    "this device has changed so much at once that its owner has to decide first",
)

CLIENT_ERRORS: Final = (
    INVALID_REQUEST_ERROR,
    AUTHENTICATION_ERROR,
    FORBIDDEN_ERROR,
    OBJECT_NOT_FOUND_ERROR,
    CONFLICT_ERROR,
    PAYLOAD_TOO_LARGE_ERROR,
    QUOTA_EXCEEDED_ERROR,
    RATE_LIMIT_ERROR,
    SERVER_ERROR,
    NETWORK_ERROR,
    SECOND_FACTOR_REQUIRED_ERROR,
    CONTENT_DAMAGED_ERROR,
    READ_ONLY_ERROR,
    SESSION_PAUSED_ERROR,
)

EXIT_OK: Final = 0
EXIT_UNEXPECTED: Final = 1
EXIT_USAGE: Final = 2
EXIT_INTERRUPTED: Final = 130

EXIT_CODES: Final = {
    EXIT_OK: "success",
    EXIT_UNEXPECTED: "unexpected error",
    EXIT_USAGE: "wrong usage of the command line",
    **{error.exit_code: f"{error.name}: {error.meaning}" for error in CLIENT_ERRORS},
    EXIT_INTERRUPTED: "interrupted with Ctrl-C",
}

_BY_STATUS: Final = {
    400: INVALID_REQUEST_ERROR,
    401: AUTHENTICATION_ERROR,
    403: FORBIDDEN_ERROR,
    404: OBJECT_NOT_FOUND_ERROR,
    409: CONFLICT_ERROR,
    413: PAYLOAD_TOO_LARGE_ERROR,
    429: RATE_LIMIT_ERROR,
}


def client_error_for_status(status: int) -> ClientError:
    """The client error for an HTTP status without a known code.

    Statuses that the interface does not list: other 4xx are an invalid request, anything else unexpected (including
    redirects) is a server error.
    """
    known = _BY_STATUS.get(status)
    if known is not None:
        return known
    return INVALID_REQUEST_ERROR if 400 <= status < 500 else SERVER_ERROR
