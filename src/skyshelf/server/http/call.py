"""One call of an endpoint, as its handler sees it."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.wire.endpoint import Endpoint


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """What came in, checked and decoded. query, headers and body are of the types that the endpoint names."""

    ctx: ServiceContext
    endpoint: Endpoint
    origin: str
    address: str
    keys: Mapping[str, str]
    query: Any = None
    headers: Any = None
    body: Any = None
    known_caller: Caller | None = None

    @property
    def caller(self) -> Caller:
        """Who calls; every endpoint but the public ones has one."""
        assert self.known_caller is not None
        return self.known_caller


class Encoded(msgspec.Struct, frozen=True):
    """JSON that is encoded already."""

    json: bytes


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """An answer with a status or headers of its own."""

    answer: object = None
    status: int | None = None
    headers: Mapping[str, str] = {}


# A plain handler runs in a worker thread and returns what is to be encoded: a model, a list, Encoded or a Reply.
PlainHandler = Callable[[Call], object]
# A streaming handler runs on the event loop; it takes the body or gives the answer in pieces.
StreamingHandler = Callable[[Call, Request], Awaitable[Response]]


class Streaming(msgspec.Struct, frozen=True):
    """Marks a handler that streams."""

    handle: StreamingHandler


class Answering(msgspec.Struct, frozen=True):
    """Marks a handler that makes the whole answer in a worker thread, to which a request goes only once."""

    handle: Callable[[Call, Request], Response]


class Slow(msgspec.Struct, frozen=True):
    """Marks a plain handler that costs much of the processor; few of them run at once, and others do not wait."""

    handle: PlainHandler


class Page(msgspec.Struct, frozen=True):
    """Marks a handler that reads the address by itself: whatever is in it, a person meets a page and not JSON."""

    handle: Callable[[Request], Awaitable[Response]]


Handler = PlainHandler | Slow | Answering | Streaming | Page
