"""What our server and other programs make of the same bytes: h11 in this process, and nginx before a recorder."""

import asyncio
import re
import socket
import socketserver
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import h11
from starlette.types import Receive, Scope, Send
from tests.real_parts.nginx import nginx_with

from skyshelf.server.pipeline.answers import Answer
from skyshelf.server.serving.listener import Listener

_QUIET_TURNS: Final = 30
"""Turns of the event loop without anything received, after which nothing more happens: nothing here waits for time."""
_REFUSED: Final = re.compile(rb"HTTP/1\.1 [45]")
_PATIENCE: Final = 30


class Seen(NamedTuple):
    """A request that a program took for a whole one. Its target is another matter: a proxy may rewrite it."""

    method: str
    body: bytes


class Reading(NamedTuple):
    """What a program made of the bytes of a connection."""

    requests: list[Seen]
    has_refused: bool
    """Whether it refused what followed them, instead of waiting for more or reading no further."""


class _Recorder:
    def __init__(self) -> None:
        self.seen: list[Seen] = []

    def answer_now(self, scope: Scope, *, files: bool = False) -> Answer | None:
        return None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = b""
        while (message := await receive())["type"] == "http.request":
            body += message["body"]
            if not message["more_body"]:
                self.seen.append(Seen(scope["method"], body))
                await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
                await send({"type": "http.response.body", "body": b""})
                return


def by_us(pieces: Sequence[bytes]) -> Reading:
    """Send the pieces, each when nothing happens any more after the one before."""
    return asyncio.run(_by_us(pieces))


async def _by_us(pieces: Sequence[bytes]) -> Reading:
    app = _Recorder()
    listener = Listener(app, [], connections_max=1)
    ours, theirs = socket.socketpair()
    received = bytearray()
    with theirs:
        theirs.setblocking(False)
        listener._open(ours, "")
        for piece in (b"", *pieces):
            with suppress(BrokenPipeError):
                theirs.send(piece)
            quiet = 0
            while quiet < _QUIET_TURNS:
                quiet += 1
                await asyncio.sleep(0)
                with suppress(BlockingIOError, ConnectionResetError):
                    if data := theirs.recv(65536):
                        received += data
                        quiet = 0
        await listener.stop(0)
    return Reading(app.seen, bool(_REFUSED.search(received)))


def by_h11(data: bytes) -> Reading:
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(data)
    seen: list[Seen] = []
    method, body = "", b""
    try:
        while True:
            event = connection.next_event()
            if isinstance(event, h11.Request):
                method, body = event.method.decode(), b""
            elif isinstance(event, h11.Data):
                body += event.data
            elif isinstance(event, h11.EndOfMessage):
                seen.append(Seen(method, body))
                # With 2xx, CONNECT would be the last request.
                connection.send(h11.Response(status_code=404, headers=[("content-length", "0")]))
                connection.send(h11.EndOfMessage())
                if {connection.our_state, connection.their_state} != {h11.DONE}:
                    return Reading(seen, has_refused=False)
                connection.start_next_cycle()
            else:
                return Reading(seen, has_refused=False)
    except h11.RemoteProtocolError:
        return Reading(seen, has_refused=True)


class _Upstream(socketserver.StreamRequestHandler):
    """Records what nginx passes on, which it frames itself, with a length."""

    server: Any

    def handle(self) -> None:
        method = self.rfile.readline().decode("latin-1").partition(" ")[0]
        length = 0
        while line := self.rfile.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        self.server.seen.append(Seen(method, self.rfile.read(length)))
        self.wfile.write(b"HTTP/1.1 204 No Content\r\n\r\n")


class Nginx(NamedTuple):
    port: int
    upstream: Any

    def reads(self, data: bytes) -> Reading:
        """Send all and close this side; nginx still answers, and closes the other when nothing more can come."""
        self.upstream.seen = []
        received = bytearray()
        with socket.create_connection(("127.0.0.1", self.port), _PATIENCE) as connection:
            with suppress(OSError):
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
            with suppress(ConnectionResetError):
                while piece := connection.recv(65536):
                    received += piece
        return Reading(self.upstream.seen, bool(_REFUSED.search(received)))


@contextmanager
def running_beside(folder: Path) -> Iterator[Nginx]:
    """An nginx that passes whole requests on to a recorder."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Upstream) as upstream:
        thread = threading.Thread(target=upstream.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        passes = f"proxy_pass http://127.0.0.1:{upstream.server_address[1]}; proxy_ignore_client_abort on;"
        try:
            with nginx_with(folder, f"server {{ listen 127.0.0.1:PORT; location / {{ {passes} }} }}\n") as port:
                yield Nginx(port, upstream)
        finally:
            upstream.shutdown()
            thread.join()
