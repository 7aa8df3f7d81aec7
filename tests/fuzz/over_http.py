"""Targets that need a server: share pages in this process, and HTTP heads sent to a server process."""

import asyncio
import re
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import msgspec
from argon2 import PasswordHasher
from starlette.types import Message
from tests.fuzz.engine import Run, Target
from tests.real_parts.migrated_sqlite import put_migrated
from tests.server.api import Api, logged_in, new_account
from tests.server.in_process import TestClient
from tests.server.running import RunningServer

from skyshelf.server.app import ServerSettings, app_for, open_context
from skyshelf.server.observability.watchdog import HELD_SECONDS
from skyshelf.service.accounts import passwords
from skyshelf.storage.open import embedded_urls

_STATUS = re.compile(rb"HTTP/1\.[01] ([0-9]{3})")
_MARKUP = b"<svg/onload=x>"
_ANSWER_SECONDS = 0.2
_READ_SECONDS = 20
_HEALTH_EVERY = 25


@contextmanager
def _share_pages() -> Iterator[Run]:
    """An input is a request: method and target, headers, an empty line, the body. $OPEN and $LOCKED stand for the
    tokens of two shares, $FILE and $FOLDER for keys of objects in the first."""
    hasher = passwords._hasher
    passwords._hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    try:
        with tempfile.TemporaryDirectory() as folder, asyncio.Runner() as runner:
            put_migrated(Path(folder))
            metadata, blobs = embedded_urls(Path(folder))
            settings = ServerSettings(metadata=metadata, blobs=blobs)
            app = app_for(open_context(settings), settings)
            with TestClient(app_for(open_context(settings), settings)) as client:
                known = _filled(logged_in(client, ctx := open_context(settings), new_account(ctx, "ada@example.org")))
                ctx.metadata.close()
            lifespan = app.lifespan()
            runner.run(lifespan.__aenter__())

            def run(data: bytes) -> None:
                for name, value in known.items():
                    data = data.replace(name, value)
                _check(*runner.run(_answer(app, data)))

            yield run
            runner.run(lifespan.__aexit__(None, None, None))
    finally:
        passwords._hasher = hasher


def _filled(api: Api) -> dict[bytes, bytes]:
    folder = api.folder("Holiday <b>&amp;")
    file = api.file("a\"b'.txt", b"some bytes", folder.object_key)
    api.file("b.txt", b"more", folder.object_key)

    def token(**limits: str) -> bytes:
        body = {"objectKeys": [folder.object_key], "shareName": "A link", **limits}
        url: str = api.post("/x/v1/shares", json=body).json()["shareURL"]
        return parse_qs(urlsplit(url).query)["u"][0].encode()

    return {
        b"$OPEN": token(),
        b"$LOCKED": token(password="open sesame"),
        b"$FILE": file.object_key.encode(),
        b"$FOLDER": folder.object_key.encode(),
    }


async def _answer(app: object, data: bytes) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    head, _, body = data.partition(b"\n\n")
    first, *lines = head.split(b"\n")
    method, _, target = first.partition(b" ")
    path, _, query = target.partition(b"?")
    pairs = (line.partition(b":") for line in lines)
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method.decode("latin-1").upper() or "GET",
        "scheme": "http",
        "path": path.decode("utf-8", "replace") or "/",
        "raw_path": path,
        "query_string": query,
        "root_path": "",
        "headers": [(name.strip().lower(), value.strip()) for name, _, value in pairs],
        "client": ("192.0.2.1", 1),
        "server": ("testserver", 80),
        "state": {},
    }
    sent: list[Message] = []
    coming = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return coming.pop() if coming else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)  # type: ignore[operator]
    start = sent[0]
    return start["status"], start["headers"], b"".join(message.get("body", b"") for message in sent[1:])


def _check(status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    assert status < 500, f"status {status}"
    for name, value in headers:
        assert not {10, 13, 0} & set(name + value), "a line break in a header"
    kind = dict(headers).get(b"content-type", b"")
    assert not (kind.startswith(b"text/html") and _MARKUP in body), "markup of the request in the page"


_UNKNOWN_TO_US = {HTTPStatus.NOT_IMPLEMENTED, HTTPStatus.HTTP_VERSION_NOT_SUPPORTED}


@contextmanager
def _heads() -> Iterator[Run]:
    """An input is what a connection sends, before it is half closed. It must not hold the server's event loop."""
    with tempfile.TemporaryDirectory() as folder:
        server = RunningServer(Path(folder) / "data")
        put_migrated(server.data)
        server.start()
        sent, before = 0, len(_holds(server.log))

        def run(data: bytes) -> None:
            nonlocal sent
            for status in _statuses(server.port, data):
                assert status < 500 or status in _UNKNOWN_TO_US, f"status {status}"
            sent += 1
            if sent % _HEALTH_EVERY == 0:
                assert _statuses(server.port, b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n") == [200], (
                    "it does not answer"
                )
                assert len(_holds(server.log)) == before, f"the event loop was held: {_holds(server.log)[before:]}"

        try:
            yield run
        finally:
            server.close()


def _holds(log: Path) -> list[dict[str, object]]:
    """The holds of the event loop that took the processor for long: others are those of a busy machine."""
    lines = [line for line in log.read_bytes().splitlines() if b'"loop held"' in line]
    return [fields for fields in map(msgspec.json.decode, lines) if fields.get("cpu_ms", 0) > 1000 * HELD_SECONDS]


def _statuses(port: int, data: bytes) -> list[int]:
    """The status of the first answer, if there is one."""
    received = bytearray()
    with socket.create_connection(("127.0.0.1", port), _READ_SECONDS) as connection:
        connection.settimeout(_ANSWER_SECONDS)
        with suppress(OSError):  # it may answer and close before everything is sent
            connection.sendall(data)
        # A server need not answer a client that has closed its side, so first it gets time to.
        with suppress(OSError):
            received += connection.recv(65536)
        connection.settimeout(_READ_SECONDS)
        with suppress(OSError):
            connection.shutdown(socket.SHUT_WR)
            while piece := connection.recv(65536):
                received += piece
    found = _STATUS.match(received)
    return [int(found[1])] if found else []


OVER_HTTP = [
    Target(
        name="share-pages",
        about="the public pages of shares, in process",
        opened=_share_pages,
        seeds=[
            b"GET /l/?u=$OPEN\nAccept-Language: de, en;q=0.5\n\n",
            b"GET /l/?u=$OPEN&p=$FOLDER&page=0\n\n",
            b'HEAD /l/file/$FILE?u=$OPEN\nRange: bytes=0-3\nIf-None-Match: W/"a"\n\n',
            b"GET /l/zip?u=$OPEN&p=$FOLDER\n\n",
            b"GET /l/thumb/$FILE?u=$OPEN&size=m\n\n",
            b"POST /l/unlock?u=$LOCKED\nContent-Type: application/x-www-form-urlencoded\n\npassword=open+sesame",
            b"GET /l/file/$FILE?u=$LOCKED\nCookie: skyshelf_share_a=b\n\n",
        ],
        tokens=[
            b"$OPEN",
            b"$LOCKED",
            b"$FILE",
            b"$FOLDER",
            b"/l/",
            b"?u=",
            b"&p=",
            b"&",
            b"=",
            b"\n",
            b"\n\n",
            b"Range: bytes=",
            b"Cookie: ",
            b"Accept-Language: ",
            b"Content-Type: multipart/form-data; boundary=x",
            b"password=",
            _MARKUP,
            b"a=b&" * 9,
        ],
    ),
    Target(
        name="heads",
        about="raw HTTP to a server process",
        opened=_heads,
        seeds=[
            b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
            b"POST /x/v1/login HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}",
            b"POST /upload/files HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            b"GET /l/?u=x HTTP/1.0\r\n\r\n",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00",
        ],
        tokens=[
            b"\r\n",
            b"\r\n\r\n",
            b"Host: ",
            b"Content-Length: ",
            b"Transfer-Encoding: chunked\r\n",
            b"Expect: 100-continue\r\n",
            b"Upgrade: websocket\r\n",
            b"Connection: ",
            b"GET ",
            b" HTTP/1.1",
            b"Cookie: ",
            b"Range: bytes=",
            b"http://b/",
            b"%2e%2e/",
        ],
        is_measured=False,
    ),
]
