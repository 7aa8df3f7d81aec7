"""A foreign server, which answers as a test says."""

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from msgspec import json


class Asked(NamedTuple):
    """A request that arrived."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes


class Reply(NamedTuple):
    """What to answer; a body that is no bytes is written as JSON. Without a status the connection is cut."""

    status: int | None
    body: Any = b""
    headers: dict[str, str] = {}  # noqa: RUF012 - never changed


Answering = Callable[[Asked], Reply]


class Foreign:
    """The server: what it was asked, and how it answers from now on."""

    def __init__(self, url: str, answering: Answering) -> None:
        self.url = url
        self.answering = answering
        self.asked: list[Asked] = []

    def paths(self) -> list[str]:
        return [f"{one.method} {one.path}" for one in self.asked]


@contextmanager
def foreign_server(answering: Answering, tls: ssl.SSLContext | None = None) -> Iterator[Foreign]:
    """A server on a free port, until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Head and body leave in one piece; in two, the kernel would wait for an acknowledgement between them.
        wbufsize = 1024 * 1024

        def handle_any(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.command, parts.path, query, headers, body)
            foreign.asked.append(asked)
            reply = foreign.answering(asked)
            if reply.status is None:
                self.close_connection = True
                return
            content = reply.body if isinstance(reply.body, bytes) else json.encode(reply.body)
            self.send_response(reply.status)
            for name, value in {"Content-Length": str(len(content)), **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_PUT = do_POST = do_DELETE = handle_any  # noqa: N815 - the names that the library calls

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        foreign = Foreign(f"http{'s' if tls else ''}://127.0.0.1:{server.server_port}", answering)
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield foreign
        finally:
            server.shutdown()
            thread.join()
