"""A request, what the stages have found out about it, and the heads that a process remembers.

Clients send the same headers again and again, so what they imply is remembered.
"""

import time
from hashlib import blake2b
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
_AUTHORIZATION: Final = b"authorization"


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
    new_head: "HeadName | None" = None
    """The name by which its head can be remembered; None if it already is."""
    refused: "ErrorCode | None" = None
    """Why the gate refuses it."""
    request_id = ""
    requester: "Requester | None" = None
    identity: "Identity | None" = None
    """The caller, once identified; it stays None if no credential is needed."""
    is_identified = False
    call: Any = None
    """The decoded request, in the form of its protocol."""
    problem: Exception | None = None
    """The error on the event loop, if any; the request continues with its refusal."""
    answer: "Answer | None" = None
    """A complete answer that was too large to be sent at once."""
    span: "RequestSpan | None" = None
    parts: "Parts | None" = None
    received = 0
    version: object = None
    """The version of a store behind a network, read since the request came."""
    has_rows_at_hand = False
    """Whether the event loop may read the store's rows, because the store is embedded."""
    is_on_loop = False
    """Whether the event loop answered it without a thread."""
    _indexed: IndexedHeaders | None = None

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.began = time.perf_counter()

    @property
    def headers(self) -> IndexedHeaders:
        if self._indexed is None:
            self._indexed = IndexedHeaders(self.scope)
        return self._indexed

    def use_headers(self, headers: IndexedHeaders) -> None:
        """Use the headers of a remembered head, which lack the password of an app."""
        self._indexed = headers

    @property
    def authorization(self) -> str | None:
        """The first Authorization header, as this request brought it."""
        return next((value.decode("latin-1") for name, value in self.scope["headers"] if name == _AUTHORIZATION), None)

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
_CONDITIONS: Final = frozenset(
    {"range", "if-range", "if", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since"}
)
_OF_BODY: Final = frozenset({b"content-type", b"content-length", b"oc-checksum", b"oc-total-length", b"x-oc-ctime"}) | {
    b"x-oc-mtime",
    b"x-offset",
}
"""Headers that describe a body. They imply nothing about the client, and differ from request to request."""
_SECRETS: Final = frozenset({_AUTHORIZATION, b"cookie"})
_OF_BODY_OR_SECRETS: Final = _OF_BODY | _SECRETS


class Head:
    """What the headers of a request and its peer imply."""

    __slots__ = ("about", "client", "complete_for", "credential", "has_credential", "headers", "identity", "network")

    def __init__(self, headers: IndexedHeaders, client: Client, credential: bytes | None = None) -> None:
        self.headers = headers
        self.client = client
        self.network = network_of(client.address)
        self.credential = credential
        """A digest of the headers that can prove who the caller is; None if there are none."""
        self.has_credential = "authorization" in headers
        self.complete_for: set[str] = set()
        """The operations for which no required header is missing."""
        self.identity: Identity | None = None
        """The caller, if the credential is a session."""
        # The media types that a client accepts determine the format of a thumbnail.
        about = (headers.get("accept") or "", client.origin, client.is_secure)
        is_short = len(about[0]) + len(about[1]) <= ABOUT_BYTES_MAX
        self.about = about if is_short and not headers.has_any(_CONDITIONS) else None
        """What an answer depends on besides the account; None if the answer is not remembered."""


HeadName = tuple[bool, str, str, tuple[tuple[bytes, bytes], ...], bytes | None]
"""Equal names mean the same peer and headers, except those that describe a body. A digest stands for the headers with
the password of an app, which stays in memory no longer than its request."""


class Heads:
    """The heads that a process remembers, by their bytes; the oldest are forgotten first."""

    def __init__(self) -> None:
        self._heads: dict[HeadName, Head] = {}

    def __len__(self) -> int:
        return len(self._heads)

    def get(self, name: HeadName) -> Head | None:
        return self._heads.get(name)

    def remember(self, request: ServerRequest) -> None:
        """Remember the new head of a request whose caller is known."""
        name, headers = request.new_head, request.scope["headers"]
        request.new_head = None
        if name is None or sum([len(key) + len(value) for key, value in headers]) > HEAD_BYTES_MAX:
            return
        head = request.head
        if name[-1] is not None:
            head.headers = IndexedHeaders({"headers": [line for line in headers if line[0] not in _SECRETS]})
        self._heads[name] = head
        if len(self._heads) > HEADS_REMEMBERED:
            del self._heads[next(iter(self._heads))]


def has_body(scope: Scope) -> bool:
    """Return whether a request with this method may have a meaningful body."""
    return scope["method"] not in _WITHOUT_BODY


def credential_in(scope: Scope) -> bytes | None:
    """Return a digest of the headers that can prove who the caller is; None if there are none."""
    given = [part for line in scope["headers"] if line[0] in _SECRETS for part in line]
    return blake2b(b"\n".join(given), digest_size=16).digest() if given else None


def name_of_head(scope: Scope, *, has_password: bool) -> HeadName:
    """Return the name of a request's head; `has_password` if its credential is to be a password of an app."""
    headers, with_body = scope["headers"], scope["method"] not in _WITHOUT_BODY
    credential = credential_in(scope) if has_password else None
    if credential is not None:
        left_out = _OF_BODY_OR_SECRETS if with_body else _SECRETS
        headers = [line for line in headers if line[0] not in left_out]
    elif with_body:
        headers = [line for line in headers if line[0] not in _OF_BODY]
    client = scope.get("client")
    peer = client[0] if client else ""
    return with_body, peer, scope.get("scheme", "http"), tuple(headers), credential
