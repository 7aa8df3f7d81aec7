"""Ways for a client of httpx2 to reach an application that runs in this process."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import httpx2
from starlette.types import ASGIApp, Message, Scope

Run = Callable[[Callable[[], Awaitable[Any]]], Any]


class Asgi(httpx2.BaseTransport):
    """Calls the application as an ASGI server does; `run` awaits something on its event loop."""

    def __init__(self, app: ASGIApp, run: Run, *, client: tuple[str, int]) -> None:
        self._app = app
        self._run = run
        self._client = client

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        pieces = list(_pieces(request))
        status, headers, body = self._run(lambda: self._answer(self._scope(request), pieces))
        return httpx2.Response(status, headers=headers, stream=httpx2.ByteStream(body))

    def _scope(self, request: httpx2.Request) -> Scope:
        raw_path, _, query = request.url.raw_path.partition(b"?")
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": request.method,
            "scheme": request.url.scheme,
            "path": request.url.path,
            "raw_path": raw_path,
            "query_string": query,
            "root_path": "",
            "headers": [(name.lower(), value) for name, value in request.headers.raw],
            "client": self._client,
            "server": (request.url.host, 80),
            "extensions": {},
        }

    async def _answer(self, scope: Scope, pieces: list[bytes]) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        sent: list[Message] = []

        async def receive() -> Message:
            if not pieces:
                # The client stays until it has the answer.
                await asyncio.Event().wait()
            body = pieces.pop(0)
            return {"type": "http.request", "body": body, "more_body": bool(pieces)}

        async def send(message: Message) -> None:
            sent.append(message)

        await self._app(scope, receive, send)
        start, *rest = sent
        # A server sends no body in answer to HEAD, whatever the application says.
        body = b"" if scope["method"] == "HEAD" else b"".join(one.get("body", b"") for one in rest)
        return start["status"], list(start["headers"]), body


class Socket(httpx2.BaseTransport):
    """Sends every request to a port of this machine, whatever host it names."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._transport = httpx2.HTTPTransport(verify=False)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url.copy_with(host="127.0.0.1", port=self._port)
        return self._transport.handle_request(
            httpx2.Request(request.method, url, headers=request.headers.raw, stream=request.stream)
        )

    def close(self) -> None:
        self._transport.close()


def _pieces(request: httpx2.Request) -> Iterator[bytes]:
    """The body as it would arrive; an empty one is a piece, too."""
    empty = True
    assert isinstance(request.stream, httpx2.SyncByteStream)
    for piece in request.stream:
        empty = False
        yield piece
    if empty:
        yield b""
