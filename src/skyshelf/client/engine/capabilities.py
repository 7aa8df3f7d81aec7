"""What a client has learned about its server: which optional endpoints it has, and how it pages.

Servers differ. The interface itself is always there in some form; extensions (`/x/v1`), bulk calls and even the paged
listing may be missing. There are two kinds of optional endpoint:

- Required by the call: `require_extension("change boards")` around the request turns a missing endpoint into a
  NotOfferedError.
- A shortcut with a slower alternative: an `OptionalEndpoint` of `ServerCapabilities`. It is probed by its first use,
  one request at a time, and abandoned when the server does not have it or keeps failing.

For both, `is_absent` decides what a missing endpoint looks like.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from skyshelf.client.engine.pagination import ShortPages
from skyshelf.client.errors import NotOfferedError, RequestFailedError
from skyshelf.client.http.messages import PlannedRequest
from skyshelf.wire.error_codes import NOT_OFFERED, find

_FAILURES_MAX: Final = 3
"""Consecutive failures after which a shortcut is abandoned."""


def is_absent(error: RequestFailedError) -> bool:
    """Whether the endpoint itself is missing: a 404 or 410 with a code of our table is about an object instead."""
    if error.status in {404, 410}:
        row = find(error.code) if error.code else None
        return row is None or row is NOT_OFFERED
    return error.status in {405, 501}


@contextmanager
def require_extension(feature: str) -> Iterator[None]:
    """Raise NotOfferedError, "this server cannot ...", where the server lacks the endpoint of a request."""
    try:
        yield
    except RequestFailedError as error:
        if not is_absent(error):
            raise
        raise NotOfferedError(
            f"this server cannot {feature}",
            status=error.status,
            code=error.code or NOT_OFFERED.code,
            method=error.method,
            path=error.path,
            request_id=error.request_id,
        ) from None


class OptionalEndpoint(Struct):
    """A shortcut that a server may not have; callers fall back to calls that every server has."""

    is_proven: bool = False
    is_probing: bool = False
    failures: int = 0

    @property
    def is_usable(self) -> bool:
        """Whether it may be called now: until it has worked once, only one caller at a time tries it."""
        return not self.is_abandoned and not self.is_probing

    @property
    def is_abandoned(self) -> bool:
        """Whether it is missing, or failed so often that it is not called again."""
        return self.failures >= _FAILURES_MAX

    def abandon(self) -> None:
        """Never call it again."""
        self.failures = _FAILURES_MAX

    def planned(self, request: PlannedRequest) -> PlannedRequest:
        """Adapt a request: until the endpoint has worked once, no failure is retried, since the fallback is quicker."""
        return request if self.is_proven else replace(request, repeatable=False)

    @contextmanager
    def probe(self) -> Iterator[None]:
        """Remember the outcome of one call; errors are raised as usual."""
        self.is_probing = not self.is_proven
        try:
            yield
        except RequestFailedError as error:
            if error.retryable:
                self.failures += 1
            else:
                # A server that refuses the call will refuse it again.
                self.abandon()
            raise
        else:
            self.failures, self.is_proven = 0, True
        finally:
            self.is_probing = False


class ServerCapabilities(Struct):
    """Everything learned about a server; it lives as long as the session, and a login starts over."""

    root_key: str | None = None
    short_pages: ShortPages = field(default_factory=ShortPages)
    paged_listing: OptionalEndpoint = field(default_factory=OptionalEndpoint)
    objects_by_key: OptionalEndpoint = field(default_factory=OptionalEndpoint)
    search: OptionalEndpoint = field(default_factory=OptionalEndpoint)
    upload_batch: OptionalEndpoint = field(default_factory=OptionalEndpoint)
    content_batch: OptionalEndpoint = field(default_factory=OptionalEndpoint)

    @property
    def has_extensions(self) -> bool:
        """Whether the server has proved to be ours: one of its extensions has worked."""
        shortcuts = (self.objects_by_key, self.search, self.upload_batch, self.content_batch)
        return any(endpoint.is_proven for endpoint in shortcuts)
