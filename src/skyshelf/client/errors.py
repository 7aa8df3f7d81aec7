"""Every error that the client raises, as one family.

SkyshelfError
├── ConfigurationError         credentials, hosts or options cannot be used; nothing was sent
├── RequestFailedError         a request failed, or could not be sent
│   ├── InvalidRequestError    400 and other 4xx
│   │   └── UnprocessedError   entries in `unprocessed[]`, whatever the status; has all outcomes (objects/outcomes.py)
│   ├── AuthenticationError    401
│   │   └── SecondFactorRequiredError  401 with a specific code: log in again with a second factor
│   ├── ForbiddenError         403
│   │   └── SessionPausedError 403 with a specific code: the owner has to decide first
│   ├── ObjectNotFoundError    404
│   │   └── NotOfferedError    404 for a whole feature: this server does not have it
│   ├── ConflictError          409
│   ├── PayloadTooLargeError   413
│   │   └── QuotaExceededError 413 with a specific code
│   ├── RateLimitError         429, retried
│   ├── ServerError            5xx, retried
│   │   ├── ContentDamagedError     500 with a specific code; not retried
│   │   ├── ReadOnlyError           503 with a specific code: the operator has switched writing off; retried
│   │   ├── UnexpectedAnswerError   a response that cannot be read, after all retries
│   │   │   └── AnswerTooLargeError larger than such a response can be; not retried
│   │   ├── RedirectRefusedError    3xx; neither retried nor followed
│   │   ├── BrokenListingError      pages that do not form a whole; not retried
│   │   └── EndlessListingError     more objects than a listing can have; not retried
│   └── NetworkError           DNS, TLS, reset, timeout; retried
│       └── UntrustedServerError    a certificate that is not valid for the server; not retried
├── AmbiguousNameError         several objects have that name
├── LocalFileError             something about a local file
│   ├── FileChangedError       a file changed while it was read
│   └── DestinationExistsError the destination already exists
└── IntegrityError             bytes that differ from those that the server announced
    └── UnverifiedFileError    the server has no hash of a file; nothing was downloaded

Names in the interface's table are exact; every other class derives from the nearest row.
"""

from typing import ClassVar, Final

from skyshelf.wire import client_errors as kinds
from skyshelf.wire.client_errors import EXIT_UNEXPECTED, EXIT_USAGE, ClientError
from skyshelf.wire.error_codes import client_error_for, find


class SkyshelfError(Exception):
    """The base of every error that this package raises on purpose."""

    exit_code: ClassVar[int] = EXIT_UNEXPECTED
    retryable: ClassVar[bool] = False

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ConfigurationError(SkyshelfError):
    """Credentials, hosts or options cannot be used; nothing was sent."""

    exit_code = EXIT_USAGE


class RequestFailedError(SkyshelfError):
    """A request failed; `method` and `path` say which one, never its query or headers."""

    kind: ClassVar[ClientError] = kinds.SERVER_ERROR

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: str | None = None,
        method: str | None = None,
        path: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        body: bytes = b"",
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.method = method
        self.path = path
        self.request_id = request_id
        self.retry_after = retry_after
        # The raw body, for errors with more than code and message.
        self.body = body

    def add_unknown(self, advice: str) -> None:
        """Say that it is unknown whether the change was made, and what to do about it."""
        self.message = f"{self.message}; whether the change was made is unknown: {advice}"

    @property
    def advice(self) -> str | None:
        """What to do next, for known codes."""
        row = find(self.code) if self.code else None
        return row.advice if row else None

    def __str__(self) -> str:
        details = [str(part) for part in (self.status, self.code) if part]
        if self.method and self.path:
            details.append(f"{self.method} {self.path}")
        if self.request_id:
            details.append(f"request {self.request_id}")
        return f"{self.message} ({', '.join(details)})" if details else self.message


class InvalidRequestError(RequestFailedError):
    """The server rejected a parameter, a header, a body or an entry of a batch."""

    kind = kinds.INVALID_REQUEST_ERROR
    exit_code = kind.exit_code


class AuthenticationError(RequestFailedError):
    """The session has expired or is not valid."""

    kind = kinds.AUTHENTICATION_ERROR
    exit_code = kind.exit_code


class SecondFactorRequiredError(AuthenticationError):
    """The password is right, but the account also requires a second factor: log in again with `code`."""

    kind = kinds.SECOND_FACTOR_REQUIRED_ERROR
    exit_code = kind.exit_code


class ForbiddenError(RequestFailedError):
    """The operation is not permitted."""

    kind = kinds.FORBIDDEN_ERROR
    exit_code = kind.exit_code


class ObjectNotFoundError(RequestFailedError):
    """No such object, board or share."""

    kind = kinds.OBJECT_NOT_FOUND_ERROR
    exit_code = kind.exit_code


class NotOfferedError(ObjectNotFoundError):
    """The server does not have this feature."""


class ConflictError(RequestFailedError):
    """The name is taken, or another client changed the object first."""

    kind = kinds.CONFLICT_ERROR
    exit_code = kind.exit_code


class PayloadTooLargeError(RequestFailedError):
    """More bytes than the server accepts."""

    kind = kinds.PAYLOAD_TOO_LARGE_ERROR
    exit_code = kind.exit_code


class QuotaExceededError(PayloadTooLargeError):
    """The account's storage is full."""

    kind = kinds.QUOTA_EXCEEDED_ERROR
    exit_code = kind.exit_code


class RateLimitError(RequestFailedError):
    """Throttled, even after all retries."""

    kind = kinds.RATE_LIMIT_ERROR
    exit_code = kind.exit_code
    retryable = True


class ServerError(RequestFailedError):
    """The server failed."""

    kind = kinds.SERVER_ERROR
    exit_code = kind.exit_code
    retryable = True


class ContentDamagedError(ServerError):
    """The server has lost or damaged the content of the file; its operator has been informed."""

    kind = kinds.CONTENT_DAMAGED_ERROR
    exit_code = kind.exit_code
    retryable = False


class SessionPausedError(ForbiddenError):
    """This device has deleted, replaced or moved so much at once that its owner has to decide first. Nothing was done;
    reading and adding files work."""

    kind = kinds.SESSION_PAUSED_ERROR
    exit_code = kind.exit_code


class ReadOnlyError(ServerError):
    """The operator has switched writing off for a while; the message has the reason. Reading works."""

    kind = kinds.READ_ONLY_ERROR
    exit_code = kind.exit_code


class UnexpectedAnswerError(ServerError):
    """The response cannot be read: it was damaged in transit, or comes from something else."""


class AnswerTooLargeError(UnexpectedAnswerError):
    """The response is larger than such a response can be; the rest was not read."""

    retryable = False


class RedirectRefusedError(ServerError):
    """The server redirects elsewhere; credentials are never sent there."""

    retryable = False


class BrokenListingError(ServerError):
    """Pages repeat or end too early; an incomplete listing is never returned as a complete one."""

    retryable = False


class EndlessListingError(ServerError):
    """A listing has more objects than the client accepts; nothing that was listed counts as complete."""

    retryable = False


class NetworkError(RequestFailedError):
    """The server could not be reached, or the connection was lost.

    `may_have_happened` says whether the request can have arrived; it cannot when the connection was never opened.
    """

    kind = kinds.NETWORK_ERROR
    exit_code = kind.exit_code
    retryable = True

    def __init__(
        self, message: str, *, method: str | None = None, path: str | None = None, may_have_happened: bool = True
    ) -> None:
        super().__init__(message, method=method, path=path)
        self.may_have_happened = may_have_happened


class UntrustedServerError(NetworkError):
    """The certificate is for another server, or from an authority that is not trusted; nothing was sent."""

    retryable = False


class AmbiguousNameError(SkyshelfError):
    """Several objects in a folder have the name; `keys` has the key of each."""

    exit_code = kinds.CONFLICT_ERROR.exit_code

    def __init__(self, message: str, keys: tuple[str, ...]) -> None:
        super().__init__(message)
        self.keys = keys


class LocalFileError(SkyshelfError):
    """A local file cannot be read, written or created."""


class FileChangedError(LocalFileError):
    """A file changed while it was read."""


class DestinationExistsError(LocalFileError):
    """The destination already exists, and overwriting was not requested."""


class IntegrityError(SkyshelfError):
    """Received bytes differ from those that the server announced."""


class UnverifiedFileError(IntegrityError):
    """The server has no hash of a file, so its content could not be verified; nothing was downloaded."""


class IncompleteListingWarning(UserWarning):
    """A list is as long as the server can make it, and may still miss objects."""


_BY_KIND: Final[dict[str, type[RequestFailedError]]] = {
    error.kind.name: error
    for error in (
        InvalidRequestError,
        AuthenticationError,
        SecondFactorRequiredError,
        ForbiddenError,
        ObjectNotFoundError,
        ConflictError,
        PayloadTooLargeError,
        QuotaExceededError,
        RateLimitError,
        ServerError,
        ContentDamagedError,
        ReadOnlyError,
        SessionPausedError,
    )
}


def error_class(status: int, code: str | None = None) -> type[RequestFailedError]:
    """The error class for a response, by the table of codes."""
    return _BY_KIND[client_error_for(status, code).name]
