"""What can go wrong, one family.

SkyshelfError
├── ConfigurationError         credentials, hosts or options that cannot be used; nothing was sent
├── RequestFailedError         a request was sent, or was to be sent
│   ├── InvalidRequestError    400 and other 4xx
│   │   └── UnprocessedError   any entry in `unprocessed[]`, whatever the status; tells what succeeded
│   ├── AuthenticationError    401
│   │   └── SecondFactorRequiredError 401 with its own code: log in again with a code
│   ├── ForbiddenError         403
│   ├── ObjectNotFoundError    404
│   │   └── NotOfferedError    404 for a whole feature: this server does not have it
│   ├── ConflictError          409
│   ├── PayloadTooLargeError   413
│   │   └── QuotaExceededError 413 with its own code
│   ├── RateLimitError         429, repeated
│   ├── ServerError            5xx, repeated
│   │   ├── UnexpectedAnswerError   an answer that nobody can read, after all repetitions
│   │   │   └── AnswerTooLargeError more than such an answer can be; not repeated
│   │   ├── RedirectRefusedError    3xx; not repeated and not followed
│   │   └── BrokenListingError      pages that cannot be put together to the whole; not repeated
│   └── NetworkError           name, TLS, reset, timeout; repeated
│       └── UntrustedServerError    a certificate that is not valid for the server; not repeated
├── AmbiguousNameError         several objects have that name
├── LocalFileError             something about a local file
│   ├── FileChangedError       a file changed while it was read
│   └── DestinationExistsError the destination is there already
└── IntegrityError             bytes that are not those that the server announced

The names of the interface's table are exact; what the table does not have, derives from the nearest row.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from skyshelf.wire import client_errors as kinds
from skyshelf.wire.client_errors import EXIT_UNEXPECTED, EXIT_USAGE, ClientError
from skyshelf.wire.error_codes import client_error_for, find

if TYPE_CHECKING:
    from skyshelf.client.objects.outcomes import Outcome


class SkyshelfError(Exception):
    """Everything that this package raises on purpose."""

    exit_code: ClassVar[int] = EXIT_UNEXPECTED
    retryable: ClassVar[bool] = False

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ConfigurationError(SkyshelfError):
    """Credentials, hosts or options cannot be used; nothing was sent."""

    exit_code = EXIT_USAGE


class RequestFailedError(SkyshelfError):
    """A request did not succeed; `method` and `path` tell which, and never its query or its headers."""

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
        # The raw body, for errors that say more than code and message.
        self.body = body

    @property
    def advice(self) -> str | None:
        """What to do next, where the code is one that we know."""
        row = find(self.code) if self.code else None
        return row.advice if row else None

    def __str__(self) -> str:
        told = [str(part) for part in (self.status, self.code) if part]
        if self.method and self.path:
            told.append(f"{self.method} {self.path}")
        if self.request_id:
            told.append(f"request {self.request_id}")
        return f"{self.message} ({', '.join(told)})" if told else self.message


class InvalidRequestError(RequestFailedError):
    """The server refused a parameter, a header, a body or an entry of a batch."""

    kind = kinds.INVALID_REQUEST_ERROR
    exit_code = kind.exit_code


class UnprocessedError(InvalidRequestError):
    """Entries of a batch were refused; `outcomes` tells of each what became of it, the successes too."""

    def __init__(self, message: str, outcomes: "Sequence[Outcome]", *, code: str | None = None) -> None:
        super().__init__(message, code=code)
        self.outcomes = tuple(outcomes)

    @property
    def succeeded(self) -> "tuple[Outcome, ...]":
        """What was done all the same."""
        return tuple(outcome for outcome in self.outcomes if outcome.ok)

    @property
    def failed(self) -> "tuple[Outcome, ...]":
        """What was refused."""
        return tuple(outcome for outcome in self.outcomes if not outcome.ok)


class AuthenticationError(RequestFailedError):
    """The session is expired or not valid."""

    kind = kinds.AUTHENTICATION_ERROR
    exit_code = kind.exit_code


class SecondFactorRequiredError(AuthenticationError):
    """The password is right, and the account asks for a code too: log in again with `code`."""

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
    """The server does not have this feature at all."""


class ConflictError(RequestFailedError):
    """The name is taken, or somebody else was faster."""

    kind = kinds.CONFLICT_ERROR
    exit_code = kind.exit_code


class PayloadTooLargeError(RequestFailedError):
    """More bytes than the server takes."""

    kind = kinds.PAYLOAD_TOO_LARGE_ERROR
    exit_code = kind.exit_code


class QuotaExceededError(PayloadTooLargeError):
    """The storage of the account is full."""

    kind = kinds.QUOTA_EXCEEDED_ERROR
    exit_code = kind.exit_code


class RateLimitError(RequestFailedError):
    """Throttled, and still so after all repetitions."""

    kind = kinds.RATE_LIMIT_ERROR
    exit_code = kind.exit_code
    retryable = True


class ServerError(RequestFailedError):
    """A fault on the server."""

    kind = kinds.SERVER_ERROR
    exit_code = kind.exit_code
    retryable = True


class UnexpectedAnswerError(ServerError):
    """The answer has a form that nobody can read: it was damaged on its way, or the server means something else."""


class AnswerTooLargeError(UnexpectedAnswerError):
    """The answer is larger than any that such a request can have; it was not read to its end."""

    retryable = False


class RedirectRefusedError(ServerError):
    """The server points elsewhere; credentials are never carried there."""

    retryable = False


class BrokenListingError(ServerError):
    """Pages repeat, or end before the whole was listed; an incomplete listing is never passed off as complete."""

    retryable = False


class NetworkError(RequestFailedError):
    """The server was not reached, or the connection was lost.

    `may_have_happened` tells whether the request can have arrived: not when the connection was never made.
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
    """The certificate is of another server, or of an authority that nobody here trusts; nothing was sent."""

    retryable = False


class AmbiguousNameError(SkyshelfError):
    """Several objects of a folder have the name; `keys` tells them apart."""

    exit_code = kinds.CONFLICT_ERROR.exit_code

    def __init__(self, message: str, keys: tuple[str, ...]) -> None:
        super().__init__(message)
        self.keys = keys


class LocalFileError(SkyshelfError):
    """Something about a local file."""


class FileChangedError(LocalFileError):
    """A file changed while it was read."""


class DestinationExistsError(LocalFileError):
    """The destination is there already, and overwriting was not asked for."""


class IntegrityError(SkyshelfError):
    """Bytes that arrived are not those that the server announced."""


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
    )
}


def error_class(status: int, code: str | None = None) -> type[RequestFailedError]:
    """The class for an answer, by the one table of codes."""
    return _BY_KIND[client_error_for(status, code).name]
