"""The errors of the SDK: when they are raised, whether a request is retried, and exit codes of the command line."""

from typing import Final

from msgspec import Struct


class ClientError(Struct, frozen=True):
    """A kind of error in the SDK; `when` is the HTTP condition in words."""

    name: str
    when: str
    exit_code: int
    meaning: str
    retryable: bool = False


INVALID_REQUEST_ERROR: Final = ClientError(
    "InvalidRequestError", "400", 3, "the server refused a parameter, a header, a body or a batch entry"
)
AUTHENTICATION_ERROR: Final = ClientError("AuthenticationError", "401", 4, "the session is expired or not valid")
FORBIDDEN_ERROR: Final = ClientError("ForbiddenError", "403", 5, "the operation is not permitted")
OBJECT_NOT_FOUND_ERROR: Final = ClientError("ObjectNotFoundError", "404", 6, "no such object, board or share")
CONFLICT_ERROR: Final = ClientError("ConflictError", "409", 7, "the name is taken, or another change came first")
PAYLOAD_TOO_LARGE_ERROR: Final = ClientError("PayloadTooLargeError", "413", 8, "more bytes than the server accepts")
QUOTA_EXCEEDED_ERROR: Final = ClientError(
    "QuotaExceededError", "413 with its own code", 9, "the account's storage is full"
)
RATE_LIMIT_ERROR: Final = ClientError("RateLimitError", "429", 10, "throttled; wait and retry", retryable=True)
SERVER_ERROR: Final = ClientError("ServerError", "5xx", 11, "an error on the server", retryable=True)
NETWORK_ERROR: Final = ClientError(
    "NetworkError", "transport", 12, "the server cannot be reached: DNS, TLS, reset or timeout", retryable=True
)
SECOND_FACTOR_REQUIRED_ERROR: Final = ClientError(
    "SecondFactorRequiredError", "401 with its own code", 13, "the password is correct, but a code is needed as well"
)
CONTENT_DAMAGED_ERROR: Final = ClientError(
    "ContentDamagedError", "500 with its own code", 14, "the server has lost or damaged the content of a file"
)
READ_ONLY_ERROR: Final = ClientError(
    "ReadOnlyError", "503 with its own code", 15, "the operator has switched writing off for a while", retryable=True
)
SESSION_PAUSED_ERROR: Final = ClientError(
    "SessionPausedError",
    "403 with its own code",
    16,
    "this device has changed so much at once that its owner has to decide first",
)

CLIENT_ERRORS: Final = tuple(value for value in list(vars().values()) if isinstance(value, ClientError))

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

_BY_STATUS: Final = {int(error.when): error for error in CLIENT_ERRORS if error.when.isdigit()}


def client_error_for_status(status: int) -> ClientError:
    """Return the client error for an HTTP status without a known code.

    Statuses that the interface does not list: other 4xx are an invalid request, anything else unexpected (including
    redirects) is a server error.
    """
    return _BY_STATUS.get(status) or (INVALID_REQUEST_ERROR if 400 <= status < 500 else SERVER_ERROR)
