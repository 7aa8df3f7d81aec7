"""The client SDK: `from skyshelf.client import Client` (or AsyncClient), the types of its methods, and its errors.

Names are loaded when they are first used, so a command line that only prints its help does not load HTTP.
"""

# Type checkers know the name; importing it from typing would cost more than the rest of this file.
TYPE_CHECKING = False
# Generated from _MODULES by `./dev docs`.
if TYPE_CHECKING:
    from skyshelf.client.api.delegations import narrow as narrow
    from skyshelf.client.api.shares import PublicLink as PublicLink
    from skyshelf.client.async_client import AsyncClient as AsyncClient
    from skyshelf.client.credentials import Credentials as Credentials
    from skyshelf.client.download.file import Downloaded as Downloaded
    from skyshelf.client.engine.pacer import RateLimit as RateLimit
    from skyshelf.client.errors import *  # noqa: F403 - every error
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
    "api.delegations": ("narrow",),
    "api.shares": ("PublicLink",),
    "async_client": ("AsyncClient",),
    "credentials": ("Credentials",),
    "download.file": ("Downloaded",),
    "engine.pacer": ("RateLimit",),
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

_LOCATIONS = {name: module for module, names in _MODULES.items() for name in names}
_ERRORS = ("Error", "Warning")


def __getattr__(name: str) -> object:
    from importlib import import_module

    found: object = None
    if name == "__all__":
        errors = vars(import_module("skyshelf.client.errors"))
        own = (kind for kind in errors if kind.endswith(_ERRORS) and errors[kind].__module__ == errors["__name__"])
        found = sorted([*_LOCATIONS, *own])
    elif module := _LOCATIONS.get(name) or ("errors" if name.endswith(_ERRORS) else None):
        found = getattr(import_module(f"skyshelf.client.{module}"), name, None)
    if found is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found
