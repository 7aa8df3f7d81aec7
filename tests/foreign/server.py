"""The foreign server on a port of this machine, with one quirk at a time."""

import ssl
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.client.certificates import Authority
from tests.foreign.drive import DEVICE, TOKEN, USER, Drive, filled
from tests.foreign.headers import missing_headers, refusal
from tests.foreign.interface import Interface
from tests.foreign.messages import Asked, Reply
from tests.foreign.quirk import NO_QUIRK, Certificate, Quirk


class ForeignServer:
    """What it was asked, what was not to the letter of the text, and its account."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.ca_file: str | None = None
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self.begin(NO_QUIRK)

    def begin(self, quirk: Quirk) -> None:
        """A fresh account, and answers with the quirk from now on."""
        with self._lock:
            self.quirk = quirk.begun()
            self.drive = filled(Drive())
            self.interface = Interface(self.drive, self.url, self.quirk.render)
            self.quirk.prepare(self.drive, self.interface)
            self.asked: list[Asked] = []
            self.offences: list[str] = []

    @property
    def settings(self) -> dict[str, Any]:
        """The arguments of a client that has a session here."""
        return {"server": self.url, "auth_token": TOKEN, "user_id": USER, "device_key": DEVICE}

    @property
    def environment(self) -> dict[str, str]:
        """The variables of a process that has a session here."""
        return {f"SKYSHELF_{name.upper()}": value for name, value in self.settings.items()}

    def calls(self) -> list[str]:
        return [f"{one.method} {one.path}" for one in self.asked]

    def answer(self, asked: Asked) -> Reply:
        with self._lock:
            self.asked.append(asked)
            self._judge(asked)
            instead = self.quirk.instead(asked)
            if instead is not None:
                return instead
            refused = refusal(asked) if asked.is_of_the_interface else None
            return self.quirk.changed(asked, refused or self.interface.answer(asked))

    def _judge(self, asked: Asked) -> None:
        """Note what a client must never send, even if it is answered."""
        if not asked.is_of_the_interface:
            return
        self.offences += [f"{asked.method} {asked.path} without {name}" for name in missing_headers(asked)]
        if asked.path.endswith("/nms/metadata/delete"):
            self.offences.append("the legacy delete was used")
        if asked.path == "/nms/metadata/1.0":
            entries = (asked.json() or {}).get("objects", [])
            if any(one.get("correlationId") != USER for one in entries):
                self.offences.append("a correlationId is not the user id")
        if int(asked.query.get("limit", "0")) > (5000 if asked.host == "boards" else 2000):
            self.offences.append(f"{asked.path} with a limit of {asked.query['limit']}")


@contextmanager
def foreign_server(tls: ssl.SSLContext | None = None) -> Iterator[ForeignServer]:
    """A server on a free port, until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Head and body leave in one piece; in two, the kernel would wait for an acknowledgement between them.
        wbufsize = 1024 * 1024

        def handle_any(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[-1] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            self._send(server.answer(Asked(self.command, parts.path, query, headers, body)))

        def _send(self, reply: Reply) -> None:
            if reply.stalled:
                server.stopping.wait()
            if reply.dropped or reply.stalled:
                self.close_connection = True
                return
            content = reply.content()
            self.send_response(reply.status)
            for name, value in reply.head().items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content[: reply.sent])
            if reply.sent is not None or reply.claimed is not None:
                self.close_connection = True

        do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = handle_any  # noqa: N815 - the names that the library calls

        def log_message(self, *_: object) -> None:
            pass

    class Listening(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, *_: object) -> None:
            """A client that is gone is no event."""

    with Listening(("127.0.0.1", 0), Handler) as listening:
        server = ForeignServer(f"http{'s' if tls else ''}://127.0.0.1:{listening.server_port}")
        if tls is not None:
            listening.socket = tls.wrap_socket(listening.socket, server_side=True, do_handshake_on_connect=False)
        thread = threading.Thread(target=listening.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.stopping.set()
            listening.shutdown()
            thread.join()


@contextmanager
def secure_server(certificate: Certificate) -> Iterator[ForeignServer]:
    """A server over TLS whose certificate is not valid."""
    with tempfile.TemporaryDirectory() as folder:
        authority = Authority(Path(folder))
        name = "example.org" if certificate == "for another name" else "127.0.0.1"
        with foreign_server(authority.server(name, expired=certificate == "expired")) as server:
            # Clients trust the authority where something else is wrong.
            server.ca_file = None if certificate == "unsigned" else authority.ca_file
            yield server
