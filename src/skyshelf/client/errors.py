"""Every error that the client raises, as one family.

Names in the interface's table are exact; every other class derives from the nearest row.
"""

from typing import ClassVar, Final

from skyshelf.wire import client_errors
from skyshelf.wire.error_codes import client_error_for, find


class SkyshelfError(Exception):
    """The base of every error that this package raises on purpose."""

    exit_code: ClassVar[int] = client_errors.EXIT_UNEXPECTED
    retryable: ClassVar[bool] = False

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ConfigurationError(SkyshelfError):
    """Credentials, hosts or options cannot be used; nothing was sent."""

    exit_code = client_errors.EXIT_USAGE


_ROWS: Final = {row.name: row for row in client_errors.CLIENT_ERRORS}
_CLASSES: "Final[dict[str, type[RequestFailedError]]]" = {}


class RequestFailedError(SkyshelfError):
    """A request failed; `method` and `path` say which one, never its query or headers."""

    kind: ClassVar[client_errors.ClientError] = client_errors.SERVER_ERROR

    def __init_subclass__(cls) -> None:
        """Take exit code and retries from the table of the interface, where it has a row of that name."""
        super().__init_subclass__()
        row = _ROWS.get(cls.__name__)
        if row is not None:
            cls.kind, cls.exit_code, cls.retryable = row, row.exit_code, row.retryable
            _CLASSES.setdefault(row.name, cls)

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


class AuthenticationError(RequestFailedError):
    """The session has expired or is not valid."""


class SecondFactorRequiredError(AuthenticationError):
    """The password is right, but the account also requires a second factor: log in again with `code`."""


class ForbiddenError(RequestFailedError):
    """The operation is not permitted."""


class ObjectNotFoundError(RequestFailedError):
    """No such object, board or share."""


class NotOfferedError(ObjectNotFoundError):
    """The server does not have this feature."""


class ConflictError(RequestFailedError):
    """The name is taken, or another client changed the object first."""


class PayloadTooLargeError(RequestFailedError):
    """More bytes than the server accepts."""


class QuotaExceededError(PayloadTooLargeError):
    """The account's storage is full."""


class RateLimitError(RequestFailedError):
    """Throttled, even after all retries."""


class ServerError(RequestFailedError):
    """The server failed."""


class ContentDamagedError(ServerError):
    """The server has lost or damaged the content of the file; its operator has been informed."""


class SessionPausedError(ForbiddenError):
    """This device has deleted, replaced or moved so much at once that its owner has to decide first. Nothing was done;
    reading and adding files work."""


class ReadOnlyError(ServerError):
    """The operator has switched writing off for a while; the message has the reason. Reading works."""


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

    exit_code = client_errors.CONFLICT_ERROR.exit_code

    def __init__(self, message: str, keys: tuple[str, ...]) -> None:
        super().__init__(message)
        self.keys = keys


class ServerStateError(SkyshelfError):
    """The server was restored, moved, or went back to an older state since this client last saw it.

    Nothing was changed: local files may be newer than those of the server.
    """

    exit_code = client_errors.CONFLICT_ERROR.exit_code


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


def error_class(status: int, code: str | None = None) -> type[RequestFailedError]:
    """Return the error class for a response, by the table of codes."""
    return _CLASSES[client_error_for(status, code).name]
