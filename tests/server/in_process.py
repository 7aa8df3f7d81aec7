"""Starlette's test client, with one hop to the event loop per response instead of eight, a third of a test's time."""

from typing import Any
from urllib.parse import unquote

import anyio
import httpx2
from starlette import testclient
from starlette.types import ASGIApp, Message, Scope

_STREAMED = "skyshelf.streamed"
"""The extension of a request whose response is read piece by piece, while the application still sends it."""


class TestClient(testclient.TestClient):
    """The application in this process, as an HTTP client sees it."""

    __test__ = False

    def __init__(self, app: ASGIApp, **options: Any) -> None:
        super().__init__(app, **options)
        assert isinstance(self._transport, testclient._TestClientTransport)
        self._transport = _Transport(self._transport)

    def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:
        if stream:
            request.extensions = {**request.extensions, _STREAMED: True}
        return super().send(request, stream=stream, **options)


class _Transport(httpx2.BaseTransport):
    """Runs the application to its end in one call; only what is streamed goes the way of the original."""

    def __init__(self, original: testclient._TestClientTransport) -> None:
        self._original = original
        self.close = original.close  # type: ignore[method-assign]

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        if _STREAMED in request.extensions or request.url.scheme in {"ws", "wss"}:
            return self._original.handle_request(request)
        body = request.read()
        with self._original.portal_factory() as portal:
            return portal.call(self._respond, request, body)

    async def _respond(self, request: httpx2.Request, body: bytes) -> httpx2.Response:
        messages = [{"type": "http.request", "body": body}]
        done = anyio.Event()
        begun: Message = {}
        pieces: list[bytes] = []

        async def receive() -> Message:
            if messages:
                return messages.pop()
            await done.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                assert not begun, "the response began twice"
                begun.update(message)
            elif message["type"] == "http.response.body":
                assert begun, "a body without a response"
                assert not done.is_set(), "a body after its end"
                pieces.append(bytes(message.get("body", b"")))
                if not message.get("more_body", False):
                    done.set()

        try:
            await self._original.app(self._scope(request), receive, send)
        except Exception:
            if self._original.raise_server_exceptions:
                raise
        if not begun:
            assert not self._original.raise_server_exceptions, "no response"
            return httpx2.Response(500, request=request)
        return httpx2.Response(
            begun["status"],
            headers=[(name.decode(), value.decode()) for name, value in begun.get("headers", ())],
            stream=httpx2.ByteStream(b"" if request.method == "HEAD" else b"".join(pieces)),
            request=request,
        )

    def _scope(self, request: httpx2.Request) -> Scope:
        url, raw_path = request.url, request.url.raw_path
        return {
            "type": "http",
            "http_version": "1.1",
            "method": request.method,
            "path": unquote(url.path),
            "raw_path": raw_path.split(b"?", 1)[0],
            "root_path": self._original.root_path,
            "scheme": url.scheme,
            "query_string": url.query,
            "headers": [(name.lower().encode(), value.encode()) for name, value in request.headers.multi_items()],
            "client": self._original.client,
            "server": [url.raw_host.decode("ascii"), url.port or {"http": 80, "https": 443}[url.scheme]],
            "extensions": {"http.response.debug": {}, "http.response.trailers": {}},
            "state": self._original.app_state.copy(),
        }
