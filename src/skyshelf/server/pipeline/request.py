"""A request, what the stages have found out about it, and the heads that a process remembers.

Clients send the same headers again and again, so what they imply is remembered.
"""

import time
from typing import TYPE_CHECKING, Any, Final, overload

from starlette.datastructures import Headers
from starlette.requests import Request, empty_receive
from starlette.types import Message, Receive, Scope

from skyshelf.server.http.proxies import Client
from skyshelf.service.networks import network_of

if TYPE_CHECKING:
    from skyshelf.server.observability.tracing.tracer import RequestSpan
    from skyshelf.server.pipeline.admission.requesters import Requester
    from skyshelf.server.pipeline.answers import Answer
    from skyshelf.server.pipeline.callers import Identity
    from skyshelf.server.pipeline.operation import Operation
    from skyshelf.storage.watching import Parts
    from skyshelf.wire.error_codes import ErrorCode

REQUEST: Final = "skyshelf.request"
"""The key of the request in an ASGI scope."""


def has_rows_at_hand(request: Request) -> bool:
    """Return whether rows can be read on the event loop for this request."""
    return isinstance(request, ServerRequest) and request.has_rows_at_hand


class IndexedHeaders(Headers):
    """The headers of a request as a dictionary, for a dozen look-ups; of repeated headers, the first counts."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope=scope)
        self._first = {name.decode("latin-1"): value.decode("latin-1") for name, value in reversed(self._list)}

    def __getitem__(self, key: str) -> str:
        return self._first[key.lower()]

    @overload  # type: ignore[override]
    def get(self, key: str) -> str | None: ...
    @overload
    def get(self, key: str, default: str) -> str: ...
    def get(self, key: str, default: str | None = None) -> str | None:
        return self._first.get(key.lower(), default)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and key.lower() in self._first

    def has_any(self, names: frozenset[str]) -> bool:
        """Return whether one of these headers, named in lower case, was sent."""
        return not names.isdisjoint(self._first)


class ServerRequest(Request):
    """A request on its way through the stages, and into a thread or task if it continues there."""

    operation: "Operation"
    head: "Head"

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.began = time.perf_counter()
        self.is_new_head = True
        self.refused: ErrorCode | None = None
        """Why the gate refuses it."""
        self.request_id = ""
        self.requester: Requester | None = None
        self.identity: Identity | None = None
        """The caller, once identified; it stays None if no credential is needed."""
        self.is_identified = False
        self.call: Any = None
        """The decoded request, in the form of its protocol."""
        self.problem: Exception | None = None
        """The error on the event loop, if any; the request continues with its refusal."""
        self.answer: Answer | None = None
        """A complete answer that was too large to be sent at once."""
        self.span: RequestSpan | None = None
        self.parts: Parts | None = None
        self.received = 0
        self.version: object = None
        """The version of a store behind a network, read since the request came."""
        self.has_rows_at_hand = False
        """Whether the event loop may read the store's rows, because the store is embedded."""
        self.is_on_loop = False
        """Whether the event loop answered it without a thread."""
        self._indexed: IndexedHeaders | None = None

    @property
    def headers(self) -> IndexedHeaders:
        if self._indexed is None:
            self._indexed = IndexedHeaders(self.scope)
        return self._indexed

    def use_headers(self, headers: IndexedHeaders) -> None:
        self._indexed = headers

    def attach(self, receive: Receive) -> None:
        """Let handlers read the body from here."""

        async def counting() -> Message:
            began = time.perf_counter()
            message = await receive()
            if self.parts is not None:
                self.parts.client += time.perf_counter() - began
            if message["type"] == "http.request":
                self.received += len(message.get("body", b""))
            return message

        self._receive = counting

    def detach(self) -> None:
        """Let go of the body."""
        self._receive = empty_receive


HEADS_REMEMBERED: Final = 2048
HEAD_BYTES_MAX: Final = 2048
ABOUT_BYTES_MAX: Final = 512
_WITHOUT_BODY: Final = frozenset({"GET", "HEAD"})
_OF_BODY: Final = frozenset({b"content-type", b"content-length"})
_CONDITIONS: Final = frozenset(
    {"range", "if-range", "if", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since"}
)


class Head:
    """What the headers of a request and its peer imply."""

    __slots__ = ("about", "client", "complete_for", "has_credential", "headers", "identity", "network")

    def __init__(self, headers: IndexedHeaders, client: Client) -> None:
        self.headers = headers
        self.client = client
        self.network = network_of(client.address)
        self.has_credential = "authorization" in headers
        self.complete_for: set[str] = set()
        """The operations for which no required header is missing."""
        self.identity: Identity | None = None
        # The media types that a client accepts determine the format of a thumbnail.
        about = (headers.get("accept") or "", client.origin, client.is_secure)
        is_short = len(about[0]) + len(about[1]) <= ABOUT_BYTES_MAX
        self.about = about if is_short and not headers.has_any(_CONDITIONS) else None
        """What an answer depends on besides the account; None if the answer is not remembered."""


class Heads:
    """The heads that a process remembers, by their bytes; the oldest are forgotten first."""

    def __init__(self) -> None:
        self._heads: dict[object, Head] = {}

    def __len__(self) -> int:
        return len(self._heads)

    def get(self, name: object) -> Head | None:
        return self._heads.get(name)

    def remember(self, request: ServerRequest) -> None:
        """Remember the head of a request whose caller is known."""
        if sum([len(key) + len(value) for key, value in request.scope["headers"]]) > HEAD_BYTES_MAX:
            return
        self._heads[name_of_head(request.scope)] = request.head
        if len(self._heads) > HEADS_REMEMBERED:
            del self._heads[next(iter(self._heads))]


def has_body(scope: Scope) -> bool:
    """Return whether a request with this method may have a meaningful body."""
    return scope["method"] not in _WITHOUT_BODY


def name_of_head(scope: Scope) -> object:
    """Return a name for the head: equal names mean the same peer and headers, except those that describe a body."""
    headers, with_body = scope["headers"], has_body(scope)
    if with_body:
        headers = [header for header in headers if header[0] not in _OF_BODY]
    client = scope.get("client")
    return with_body, client[0] if client else "", scope.get("scheme", "http"), tuple(headers)
