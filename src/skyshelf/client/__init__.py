"""The client SDK: `from skyshelf.client import Client` (or AsyncClient), and every error that it raises.

Nothing is loaded before it is asked for, so that a command line which only prints its help does not pay for HTTP.
"""

# Type checkers know the name; importing it from typing would cost more than the rest of this file.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from skyshelf.client.api.shares import PublicLink as PublicLink
    from skyshelf.client.async_client import AsyncClient as AsyncClient
    from skyshelf.client.credentials import Credentials as Credentials
    from skyshelf.client.download.bulk.report import BulkSummary as BulkSummary
    from skyshelf.client.download.bulk.report import DownloadEvent as DownloadEvent
    from skyshelf.client.download.file import Downloaded as Downloaded
    from skyshelf.client.engine.rate_limit import RateLimit as RateLimit
    from skyshelf.client.errors import AmbiguousNameError as AmbiguousNameError
    from skyshelf.client.errors import AnswerTooLargeError as AnswerTooLargeError
    from skyshelf.client.errors import AuthenticationError as AuthenticationError
    from skyshelf.client.errors import BrokenListingError as BrokenListingError
    from skyshelf.client.errors import ConfigurationError as ConfigurationError
    from skyshelf.client.errors import ConflictError as ConflictError
    from skyshelf.client.errors import DestinationExistsError as DestinationExistsError
    from skyshelf.client.errors import FileChangedError as FileChangedError
    from skyshelf.client.errors import ForbiddenError as ForbiddenError
    from skyshelf.client.errors import IntegrityError as IntegrityError
    from skyshelf.client.errors import InvalidRequestError as InvalidRequestError
    from skyshelf.client.errors import LocalFileError as LocalFileError
    from skyshelf.client.errors import NetworkError as NetworkError
    from skyshelf.client.errors import NotOfferedError as NotOfferedError
    from skyshelf.client.errors import ObjectNotFoundError as ObjectNotFoundError
    from skyshelf.client.errors import PayloadTooLargeError as PayloadTooLargeError
    from skyshelf.client.errors import QuotaExceededError as QuotaExceededError
    from skyshelf.client.errors import RateLimitError as RateLimitError
    from skyshelf.client.errors import RedirectRefusedError as RedirectRefusedError
    from skyshelf.client.errors import RequestFailedError as RequestFailedError
    from skyshelf.client.errors import SecondFactorRequiredError as SecondFactorRequiredError
    from skyshelf.client.errors import ServerError as ServerError
    from skyshelf.client.errors import SkyshelfError as SkyshelfError
    from skyshelf.client.errors import UnexpectedAnswerError as UnexpectedAnswerError
    from skyshelf.client.errors import UntrustedServerError as UntrustedServerError
    from skyshelf.client.objects.outcomes import BatchResult as BatchResult
    from skyshelf.client.objects.outcomes import Outcome as Outcome
    from skyshelf.client.objects.outcomes import UnprocessedError as UnprocessedError
    from skyshelf.client.objects.remote_object import RemoteObject as RemoteObject
    from skyshelf.client.objects.walk import WalkedObject as WalkedObject
    from skyshelf.client.sync_client import Client as Client
    from skyshelf.client.upload.file import UploadOptions as UploadOptions
    from skyshelf.client.upload.tree import UploadEvent as UploadEvent
    from skyshelf.client.upload.tree import UploadSummary as UploadSummary

_PLACES = {
    "PublicLink": "api.shares",
    "AsyncClient": "async_client",
    "Credentials": "credentials",
    "BulkSummary": "download.bulk.report",
    "DownloadEvent": "download.bulk.report",
    "Downloaded": "download.file",
    "RateLimit": "engine.rate_limit",
    "BatchResult": "objects.outcomes",
    "Outcome": "objects.outcomes",
    "UnprocessedError": "objects.outcomes",
    "RemoteObject": "objects.remote_object",
    "WalkedObject": "objects.walk",
    "Client": "sync_client",
    "UploadOptions": "upload.file",
    "UploadEvent": "upload.tree",
    "UploadSummary": "upload.tree",
}


def __getattr__(name: str) -> object:
    place = _PLACES.get(name) or ("errors" if name.endswith("Error") else None)
    if place is not None:
        from importlib import import_module

        found = getattr(import_module(f"skyshelf.client.{place}"), name, None)
        if found is not None:
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
