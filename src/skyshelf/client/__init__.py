"""The client SDK: `from skyshelf.client import Client` (or AsyncClient), the types of its methods, and its errors.

Names are loaded when they are first used, so a command line that only prints its help does not load HTTP.
"""

# Type checkers know the name; importing it from typing would cost more than the rest of this file.
TYPE_CHECKING = False
# Generated from _MODULES by `python -m docs.generate`.
if TYPE_CHECKING:
    from skyshelf.client.api.shares import PublicLink as PublicLink
    from skyshelf.client.async_client import AsyncClient as AsyncClient
    from skyshelf.client.credentials import Credentials as Credentials
    from skyshelf.client.download.file import Downloaded as Downloaded
    from skyshelf.client.engine.rate_limit import RateLimit as RateLimit
    from skyshelf.client.errors import AmbiguousNameError as AmbiguousNameError
    from skyshelf.client.errors import AnswerTooLargeError as AnswerTooLargeError
    from skyshelf.client.errors import AuthenticationError as AuthenticationError
    from skyshelf.client.errors import BrokenListingError as BrokenListingError
    from skyshelf.client.errors import ConfigurationError as ConfigurationError
    from skyshelf.client.errors import ConflictError as ConflictError
    from skyshelf.client.errors import ContentDamagedError as ContentDamagedError
    from skyshelf.client.errors import DestinationExistsError as DestinationExistsError
    from skyshelf.client.errors import EndlessListingError as EndlessListingError
    from skyshelf.client.errors import FileChangedError as FileChangedError
    from skyshelf.client.errors import ForbiddenError as ForbiddenError
    from skyshelf.client.errors import IncompleteListingWarning as IncompleteListingWarning
    from skyshelf.client.errors import IntegrityError as IntegrityError
    from skyshelf.client.errors import InvalidRequestError as InvalidRequestError
    from skyshelf.client.errors import LocalFileError as LocalFileError
    from skyshelf.client.errors import NetworkError as NetworkError
    from skyshelf.client.errors import NotOfferedError as NotOfferedError
    from skyshelf.client.errors import ObjectNotFoundError as ObjectNotFoundError
    from skyshelf.client.errors import PayloadTooLargeError as PayloadTooLargeError
    from skyshelf.client.errors import QuotaExceededError as QuotaExceededError
    from skyshelf.client.errors import RateLimitError as RateLimitError
    from skyshelf.client.errors import ReadOnlyError as ReadOnlyError
    from skyshelf.client.errors import RedirectRefusedError as RedirectRefusedError
    from skyshelf.client.errors import RequestFailedError as RequestFailedError
    from skyshelf.client.errors import SecondFactorRequiredError as SecondFactorRequiredError
    from skyshelf.client.errors import ServerError as ServerError
    from skyshelf.client.errors import SessionPausedError as SessionPausedError
    from skyshelf.client.errors import SkyshelfError as SkyshelfError
    from skyshelf.client.errors import UnexpectedAnswerError as UnexpectedAnswerError
    from skyshelf.client.errors import UntrustedServerError as UntrustedServerError
    from skyshelf.client.errors import UnverifiedFileError as UnverifiedFileError
    from skyshelf.client.http.messages import BufferedResponse as BufferedResponse
    from skyshelf.client.http.messages import PlannedRequest as PlannedRequest
    from skyshelf.client.http.messages import StreamingResponse as StreamingResponse
    from skyshelf.client.http.transport import HttpTransport as HttpTransport
    from skyshelf.client.http.transport import Transport as Transport
    from skyshelf.client.objects.changes import ChangeSet as ChangeSet
    from skyshelf.client.objects.outcomes import BatchResult as BatchResult
    from skyshelf.client.objects.outcomes import Outcome as Outcome
    from skyshelf.client.objects.outcomes import UnprocessedError as UnprocessedError
    from skyshelf.client.objects.remote_object import FoundObject as FoundObject
    from skyshelf.client.objects.remote_object import RemoteObject as RemoteObject
    from skyshelf.client.sync_client import Client as Client
    from skyshelf.client.transfers import TransferError as TransferError
    from skyshelf.client.transfers import TransferEvent as TransferEvent
    from skyshelf.client.transfers import TransferFailure as TransferFailure
    from skyshelf.client.transfers import TransferSummary as TransferSummary
    from skyshelf.client.upload.file import UploadOptions as UploadOptions

_MODULES = {
    "api.shares": ("PublicLink",),
    "async_client": ("AsyncClient",),
    "credentials": ("Credentials",),
    "download.file": ("Downloaded",),
    "engine.rate_limit": ("RateLimit",),
    "http.messages": ("BufferedResponse", "PlannedRequest", "StreamingResponse"),
    "http.transport": ("HttpTransport", "Transport"),
    "objects.changes": ("ChangeSet",),
    "objects.outcomes": ("BatchResult", "Outcome", "UnprocessedError"),
    "objects.remote_object": ("FoundObject", "RemoteObject"),
    "sync_client": ("Client",),
    "transfers": ("TransferError", "TransferEvent", "TransferFailure", "TransferSummary"),
    "upload.file": ("UploadOptions",),
}
"""What is exported besides the errors, by module."""

# Generated too, so that `from skyshelf.client import *` brings them all.
__all__ = [
    "AmbiguousNameError",
    "AnswerTooLargeError",
    "AsyncClient",
    "AuthenticationError",
    "BatchResult",
    "BrokenListingError",
    "BufferedResponse",
    "ChangeSet",
    "Client",
    "ConfigurationError",
    "ConflictError",
    "ContentDamagedError",
    "Credentials",
    "DestinationExistsError",
    "Downloaded",
    "EndlessListingError",
    "FileChangedError",
    "ForbiddenError",
    "FoundObject",
    "HttpTransport",
    "IncompleteListingWarning",
    "IntegrityError",
    "InvalidRequestError",
    "LocalFileError",
    "NetworkError",
    "NotOfferedError",
    "ObjectNotFoundError",
    "Outcome",
    "PayloadTooLargeError",
    "PlannedRequest",
    "PublicLink",
    "QuotaExceededError",
    "RateLimit",
    "RateLimitError",
    "ReadOnlyError",
    "RedirectRefusedError",
    "RemoteObject",
    "RequestFailedError",
    "SecondFactorRequiredError",
    "ServerError",
    "SessionPausedError",
    "SkyshelfError",
    "StreamingResponse",
    "TransferError",
    "TransferEvent",
    "TransferFailure",
    "TransferSummary",
    "Transport",
    "UnexpectedAnswerError",
    "UnprocessedError",
    "UntrustedServerError",
    "UnverifiedFileError",
    "UploadOptions",
]

_LOCATIONS = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    module = _LOCATIONS.get(name) or ("errors" if name.endswith(("Error", "Warning")) else None)
    if module is not None:
        from importlib import import_module

        found = getattr(import_module(f"skyshelf.client.{module}"), name, None)
        if found is not None:
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
