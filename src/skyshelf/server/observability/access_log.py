"""Around every request: its id, the headers that every answer has, its line in the access log, and its figures.

The log never holds a token, cookie, nonce, query value or body: only the path without its query is written.
"""

import logging
import time

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from skyshelf.server.http.proxies import Proxies
from skyshelf.server.observability.logs import ACCESS_LOGGER, current_request_id, new_request_id, proposed_request_id
from skyshelf.server.observability.metrics import Metrics
from skyshelf.wire.headers import REQUEST_ID

_log = logging.getLogger(ACCESS_LOGGER)

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

    def __init__(self, app: ASGIApp, proxies: Proxies, metrics: Metrics) -> None:
        self._app = app
        self._proxies = proxies
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        seen = _Counters()
        request_id = self._request_id(request)
        secure = self._proxies.is_secure(request)
        token = current_request_id.set(request_id)

        async def counting_receive() -> Message:
            message = await receive()
            if message["type"] == "http.request":
                seen.received += len(message.get("body", b""))
            return message

        async def marking_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(message, request_id, secure=secure)
                seen.start(message)
            elif message["type"] == "http.response.body":
                seen.sent += len(message.get("body", b""))
                seen.complete = not message.get("more_body", False)
            await send(message)

        self._metrics.begin()
        try:
            await self._app(scope, counting_receive, marking_send)
        except Exception:
            # The innermost handler has responded and logged; only an incomplete response must look incomplete.
            if not seen.complete:
                raise
        finally:
            self._note(request, request_id, seen)
            current_request_id.reset(token)

    def _request_id(self, request: Request) -> str:
        proposed = request.headers.get(REQUEST_ID) if self._proxies.is_trusted(request) else None
        return proposed_request_id(proposed) or new_request_id()

    def _note(self, request: Request, request_id: str, seen: "_Counters") -> None:
        name = request.scope.get("endpoint_name", "-")
        seconds = time.perf_counter() - seen.began
        # A file that the HTTP server sends itself passes no body through here.
        sent = seen.sent or (seen.announced if seen.status in {200, 206} and request.method != "HEAD" else 0)
        self._metrics.end(name, seen.status, seconds, received=seen.received, sent=sent)
        fields = {
            "request_id": request_id,
            "method": request.method,
            "endpoint": name,
            "path": request.scope["path"],
            "status": seen.status,
            "ms": round(seconds * 1000, 1),
            "bytes": sent,
            "address": self._proxies.address(request),
            "user": request.scope.get("user_id", "-"),
        }
        _log.info("request", extra={"fields": fields})


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


def _add_headers(message: Message, request_id: str, *, secure: bool) -> None:
    """Works on bytes, because it runs for every response."""
    headers = list(message.get("headers", ()))
    present = {name for name, _ in headers}
    headers += [pair for pair in _SECURITY_HEADERS if pair[0] not in present]
    headers.append((_REQUEST_ID, request_id.encode()))
    if secure:
        headers.append(_STRICT_TRANSPORT)
    message["headers"] = headers
