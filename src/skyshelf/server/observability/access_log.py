"""Around every request: its id, the headers that every answer has, its line in the access log, and its figures."""

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from skyshelf.server.http.offload import offloaded_bytes
from skyshelf.server.http.proxies import Proxies
from skyshelf.server.http.views import IndexedRequest
from skyshelf.server.observability.access_lines import AccessLine, AccessLines, Times
from skyshelf.server.observability.counts import WorkerCounts
from skyshelf.server.observability.logs import current_request_id, new_request_id, proposed_request_id
from skyshelf.server.observability.slow_calls import SlowCalls
from skyshelf.storage.watching import Parts, current_parts
from skyshelf.wire.headers import REQUEST_ID

if TYPE_CHECKING:
    from skyshelf.server.observability.tracing.tracer import RequestSpan, Tracer

SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    # Only pages may load or run anything, and they set their own policy.
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
}

_SECURITY_HEADERS = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
_REQUEST_ID = REQUEST_ID.lower().encode()
# A year. Other hosts of the operator's domain are not ours to decide about, so they are not included.
_STRICT_TRANSPORT = (b"strict-transport-security", b"max-age=31536000")


class AccessLog:
    """The outermost layer of the application: request ids, security headers, metrics and the access log."""

    def __init__(
        self,
        proxies: Proxies,
        counts: WorkerCounts,
        lines: AccessLines,
        slow_calls: SlowCalls | None = None,
        tracer: "Tracer | None" = None,
    ) -> None:
        self.proxies = proxies
        self._slow_calls = slow_calls or SlowCalls(0)
        self._counts = counts
        self._lines = lines
        self._times = Times()
        self._tracer = tracer

    def close(self) -> None:
        if self._tracer is not None:
            self._tracer.close()
        self._lines.close()

    def around(self, app: ASGIApp) -> ASGIApp:
        async def logged(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http":
                await self._log(app, scope, receive, send)
            else:
                await app(scope, receive, send)

        return logged

    async def _log(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        request = IndexedRequest(scope)
        seen = _Counters()
        request_id = self.request_id(request)
        secure = self.proxies.is_secure(request)
        token = current_request_id.set(request_id)
        span = None if self._tracer is None else self._tracer.begin(request)
        parts = Parts() if span is None else span.parts
        parts_token = current_parts.set(parts)

        async def counting_receive() -> Message:
            began = time.perf_counter()
            message = await receive()
            parts.client += time.perf_counter() - began
            if message["type"] == "http.request":
                seen.received += len(message.get("body", b""))
            return message

        async def marking_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *_with_ours(message.get("headers", ()), secure=secure),
                    id_header(request_id),
                ]
                seen.start(message)
            elif message["type"] == "http.response.body":
                seen.sent += len(message.get("body", b""))
                seen.complete = not message.get("more_body", False)
            began = time.perf_counter()
            await send(message)
            parts.client += time.perf_counter() - began

        self._counts.requests.begin()
        try:
            await app(scope, counting_receive, marking_send)
        except Exception:
            # The innermost handler has responded and logged; only an incomplete response must look incomplete.
            if not seen.complete:
                raise
        finally:
            self._note(request, request_id, seen, parts, span)
            current_parts.reset(parts_token)
            current_request_id.reset(token)

    def request_id(self, request: Request) -> str:
        proposed = request.headers.get(REQUEST_ID) if self.proxies.is_trusted(request) else None
        return proposed_request_id(proposed) or new_request_id()

    def headers(self, request: Request, given: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """The headers of a response, with those that every response has, except its id."""
        return _with_ours(given, secure=self.proxies.is_secure(request))

    def _note(
        self, request: Request, request_id: str, seen: "_Counters", parts: Parts, span: "RequestSpan | None"
    ) -> None:
        name = request.scope.get("endpoint_name", "-")
        seconds = time.perf_counter() - seen.began
        # A file that the HTTP server sends itself passes no body through here.
        sent = seen.sent or offloaded_bytes(request.scope)
        sent = sent or (seen.announced if seen.status in {200, 206} and request.method != "HEAD" else 0)
        self._counts.requests.end(name, seen.status, seconds, received=seen.received, sent=sent)
        self._slow_calls.note(request.scope, request_id, name, seen.status, seconds=seconds, parts=parts)
        self._line(request, request_id, name, seen.status, sent, seconds=seconds, parts=parts)
        if span is not None:
            span.end(request.method, name, request_id, seen.status, received=seen.received, sent=sent)

    def begin(self) -> None:
        """A request is in progress before the framework."""
        self._counts.requests.begin()

    def end(self) -> None:
        """It has been answered there, or goes on to the framework."""
        self._counts.requests.leave()

    def note_short(
        self, request: Request, request_id: str, name: str, status: int, sent: int, *, began: float, received: int = 0
    ) -> None:
        """The same for a request that was answered before the framework."""
        seconds = time.perf_counter() - began
        self._counts.requests.add(name, status, seconds, received=received, sent=sent)
        parts = None
        if self._tracer is not None:
            span = self._tracer.begin(request, began)
            parts = span.parts
            span.end(request.method, name, request_id, status, received=received, sent=sent)
        self._slow_calls.note(request.scope, request_id, name, status, seconds=seconds, parts=parts)
        self._line(request, request_id, name, status, sent, seconds=seconds, parts=parts)

    def _line(
        self,
        request: Request,
        request_id: str,
        name: str,
        status: int,
        sent: int,
        *,
        seconds: float,
        parts: Parts | None,
    ) -> None:
        scope = request.scope
        self._lines.note(
            AccessLine(
                self._times.at(time.time()),
                "info",
                request_id,
                scope["method"],
                name,
                scope["path"],
                status,
                int(seconds * 10_000 + 0.5) / 10,
                sent,
                self.proxies.address(request),
                scope.get("user_id", "-"),
                (parts.trace_id if parts is not None else "") or msgspec.UNSET,
            )
        )


class _Counters:
    """The counters of a request."""

    def __init__(self) -> None:
        self.began = time.perf_counter()
        self.status = 0
        self.announced = 0
        self.received = 0
        self.sent = 0
        self.complete = False

    def start(self, message: Message) -> None:
        self.status = message["status"]
        for name, value in message["headers"]:
            if name == b"content-length" and value.isdigit():
                self.announced = int(value)


def id_header(request_id: str) -> tuple[bytes, bytes]:
    return _REQUEST_ID, request_id.encode()


def _with_ours(given: Iterable[tuple[bytes, bytes]], *, secure: bool) -> list[tuple[bytes, bytes]]:
    """Works on bytes, because it runs for every response."""
    headers = list(given)
    present = {name for name, _ in headers}
    headers += [pair for pair in _SECURITY_HEADERS if pair[0] not in present]
    if secure:
        headers.append(_STRICT_TRANSPORT)
    return headers
