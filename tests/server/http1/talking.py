"""A small application behind our HTTP server, and raw connections to it."""

import asyncio
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import uvloop
from starlette.types import Message, Receive, Scope, Send

from skyshelf.server.pipeline.answers import ANSWERS, Answer
from skyshelf.server.pipeline.sending import StreamedResponse, pieces_of
from skyshelf.server.serving.listener import ConnectionSettings, Listener
from skyshelf.server.serving.sockets import listen, listen_at, port_of

LOOPS: dict[str, Callable[[], asyncio.AbstractEventLoop]] = {
    "uvloop": uvloop.new_event_loop,
    "asyncio": asyncio.new_event_loop,
}
PATIENCE = 20


class Application:
    """Answers by path: /now at once and /file with an open file if there is a chance, everything else in a task, /soon
    with an open file too."""

    def __init__(self, folder: Path) -> None:
        self.scopes: list[Scope] = []
        self.bodies: list[bytes] = []
        self.messages: list[Message] = []
        self.sent: list[Answer] = []
        self.has_left = threading.Event()
        self.is_waiting = threading.Event()
        self.go_on = threading.Event()
        self.file = folder / "file"
        self.file.write_bytes(bytes(range(256)) * 1000)
        self.known = {"/early": b"early", "/now": b"now", "/file": self.file.read_bytes()}

    def answer_now(self, scope: Scope, *, files: bool = False) -> Answer | None:
        if scope["path"] == "/now":
            return Answer(200, [(b"content-length", b"3")], b"now")
        if scope["path"] == "/file" and files:
            return self._with_file()
        return None

    def _with_file(self) -> Answer:
        size = self.file.stat().st_size
        headers = [(b"content-length", str(size).encode())]
        return Answer(200, headers, b"", os.open(self.file, os.O_RDONLY), size)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scopes.append(scope)
        path = scope["path"]
        if path.startswith("/big/"):
            await self._reply(send, bytes(int(path[5:])))
            return
        if path in self.known:
            await self._reply(send, self.known[path])
            return
        if path == "/unread":
            try:
                await StreamedResponse(pieces_of(bytes(50_000_000)))(scope, receive, send)
            finally:
                self.has_left.set()
            return
        if path == "/path":
            size = self.file.stat().st_size
            await send(_start(200, [(b"content-length", str(size).encode())]))
            try:
                await send({"type": "http.response.pathsend", "path": str(self.file)})
            finally:
                self.has_left.set()
            return
        if path in {"/soon", "/too late"}:
            while path == "/too late" and (await receive())["type"] != "http.disconnect":
                pass
            self.sent.append(self._with_file())
            try:
                await send({"type": ANSWERS, "answered": self.sent[-1]})
            finally:
                self.has_left.set()
            return
        if path == "/split":
            await send(_start(200, [(b"x", b"a\r\nset-cookie: b")]))
            return
        if path == "/short":
            await send(_start(200, [(b"content-length", b"10")]))
            await send({"type": "http.response.body", "body": b"12345"})
            return
        body = b""
        while (message := await receive())["type"] == "http.request":
            body += message.get("body", b"")
            if not message["more_body"]:
                break
        self.bodies.append(body)
        if message["type"] == "http.disconnect":
            self.has_left.set()
            return
        if path == "/wait":
            self.is_waiting.set()
            await asyncio.to_thread(self.go_on.wait, PATIENCE)
        if path == "/left":
            self.is_waiting.set()
            self.messages.append(await receive())
            self.has_left.set()
            return
        if path == "/stream":
            await send(_start(200, []))
            await send({"type": "http.response.body", "body": b"one", "more_body": True})
            await send({"type": "http.response.body", "body": b"two", "more_body": False})
            return
        await self._reply(send, body or b"later")

    async def _reply(self, send: Send, body: bytes) -> None:
        await send(_start(200, [(b"content-length", str(len(body)).encode())]))
        await send({"type": "http.response.body", "body": body})


def _start(status: int, headers: Any) -> Message:
    return {"type": "http.response.start", "status": status, "headers": headers}


class Running:
    """The application, served in a thread."""

    def __init__(
        self,
        app: Application,
        loop_name: str,
        *,
        connections_max: int = 100,
        settings: ConnectionSettings | None = None,
        path: Path | None = None,
    ) -> None:
        self.app = app
        self._sockets = listen("127.0.0.1", 0, 100) if path is None else listen_at(path, 0o600, 100)
        self.port: int = port_of(self._sockets[0]) or 0
        self._path = path
        self._settings = settings
        self._connections_max = connections_max
        self._loop = LOOPS[loop_name]()
        self._listener: Listener | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        assert self._ready.wait(PATIENCE)

    def _run(self) -> None:
        async def main() -> None:
            self._listener = Listener(
                self.app,
                self._sockets,
                connections_max=self._connections_max,
                settings=self._settings,
            )
            self._listener.start()
            self._stopped = asyncio.Event()
            self._ready.set()
            await self._stopped.wait()
            await self._listener.stop(PATIENCE)

        self._loop.run_until_complete(main())
        self._loop.close()

    def begin_to_stop(self) -> None:
        self._loop.call_soon_threadsafe(self._stopped.set)

    def stop_after(self, act: Callable[[], None]) -> None:
        """Do something while the event loop accepts nobody, and then begin to stop."""

        def act_and_stop() -> None:
            act()
            self._stopped.set()

        self._loop.call_soon_threadsafe(act_and_stop)

    def stop(self) -> None:
        self.app.go_on.set()
        # It may have been stopped already.
        with suppress(RuntimeError):
            self.begin_to_stop()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    @contextmanager
    def connected(self) -> Iterator["Raw"]:
        if self._path is not None:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(PATIENCE)
                connection.connect(str(self._path))
                yield Raw(connection)
            return
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            yield Raw(connection)


class Raw:
    """A connection, byte for byte."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self._held = b""

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def head(self) -> tuple[int, dict[str, str]]:
        """The next status and headers."""
        while b"\r\n\r\n" not in self._held:
            self._receive()
        head, _, self._held = self._held.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        return int(first.split(" ")[1]), dict(line.split(": ", 1) for line in lines)

    def body(self, size: int) -> bytes:
        while len(self._held) < size:
            self._receive()
        body, self._held = self._held[:size], self._held[size:]
        return body

    def answer(self) -> tuple[int, bytes]:
        """The next response that says its length."""
        status, headers = self.head()
        return status, self.body(int(headers["content-length"]))

    def rest(self) -> bytes:
        """Until the server closes."""
        while data := self.socket.recv(65536):
            self._held += data
        return self._held

    def _receive(self) -> None:
        data = self.socket.recv(65536)
        assert data, f"closed after {self._held!r}"
        self._held += data
