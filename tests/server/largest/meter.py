"""What one request takes of a server, as counts: statements, bytes written, memory, processor time.

Processor time is measured in units: what a fixed piece of work takes here and now, as slowly as the machine is.
"""

import asyncio
import gc
import json
import time
import tracemalloc
from asyncio.events import Handle
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import apsw
import msgspec
import pytest
from starlette.requests import ClientDisconnect
from starlette.types import Message, Scope
from tests.server.in_process import TestClient

from skyshelf.storage.metadata.sqlite import file
from skyshelf.storage.metadata.sqlite.dialect import SqliteSql

_PIECE = 64 * 1024
_LOG_BYTES_MAX = 32 * 1024 * 1024
_KEPT_BYTES = 4096
_STATEMENTS = ("all", "one", "run", "run_many", "insert_many", "insert_returning")


class Taken(msgspec.Struct):
    """What a request took, and what it was answered."""

    status: int = 0
    text: str = ""
    """How the answer begins."""
    sent: int = 0
    received: int = 0
    statements: int = 0
    written: int = 0
    """Bytes of the database."""
    peak: int = 0
    """Bytes that Python held at most, beyond those before the request."""
    cpu: float = 0
    loop: float = 0
    """The longest callback on the event loop. Both are units of processor time."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A request as it is on the wire; `path` is percent-encoded, and so is `query`."""

    method: str
    path: str
    query: str = ""
    headers: dict[str, str] = {}
    body: bytes = b""

    def scope(self) -> Scope:
        given = {"host": "testserver", "content-length": str(len(self.body)), **self.headers}
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": self.method,
            "scheme": "http",
            "path": unquote(self.path),
            "raw_path": self.path.encode(),
            "query_string": self.query.encode(),
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode("utf-8")) for name, value in given.items()],
            "client": ("127.0.0.1", 1),
            "server": ("testserver", 80),
            "state": {},
        }


class Meter:
    """Measures one request at a time; no collection of garbage falls into it."""

    def __init__(self, log: Path) -> None:
        self._log = log
        self._now = Taken()
        with _traced():
            self._unit = min(map(_worked, range(5)))

    def ask(self, client: TestClient, request: Request) -> Taken:
        """Send a request to the application, piece by piece, and keep nothing of the answer but its beginning."""
        taken = self._now = Taken(sent=len(request.body))
        self._shorten_log()
        before = self._log_bytes()
        assert client.portal is not None
        with _traced():
            began = time.process_time()
            client.portal.call(self._ask, client.app, request, taken)
            taken.cpu = (time.process_time() - began) / self._unit
            taken.peak = tracemalloc.get_traced_memory()[1]
        taken.written = self._log_bytes() - before
        taken.loop /= self._unit
        self._now = Taken()
        return taken

    async def _ask(self, app: Callable[..., Awaitable[None]], request: Request, taken: Taken) -> None:
        body, at, kept = memoryview(request.body), 0, bytearray()
        done = asyncio.Event()

        async def receive() -> Message:
            nonlocal at
            if at > len(body):
                await done.wait()
                return {"type": "http.disconnect"}
            piece, at = bytes(body[at : at + _PIECE]), at + _PIECE
            if at >= len(body):
                at = len(body) + 1
            return {"type": "http.request", "body": piece, "more_body": at <= len(body)}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                taken.status = message["status"]
                return
            piece = message.get("body", b"")
            taken.received += len(piece)
            kept.extend(bytes(piece[: _KEPT_BYTES - len(kept)]))
            if not message.get("more_body"):
                done.set()

        try:
            await app(request.scope(), receive, send)
        except ClientDisconnect:
            taken.status = taken.status or 499
        taken.text = kept.decode("utf-8", "replace")

    def _log_bytes(self) -> int:
        return self._log.stat().st_size if self._log.exists() else 0

    def _shorten_log(self) -> None:
        if self._log_bytes() > _LOG_BYTES_MAX:
            self.shorten_log()

    def shorten_log(self) -> None:
        connection = apsw.Connection(str(self._log).removesuffix("-wal"))
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        connection.close()

    def patch(self, patch: pytest.MonkeyPatch) -> None:
        """Count from now on: statements of connections that are opened from here on, and callbacks of event loops."""
        for name in _STATEMENTS:
            patch.setattr(SqliteSql, name, self._counting(getattr(SqliteSql, name)))
        patch.setattr(Handle, "_run", self._timing(Handle._run))
        connect = file.connect

        def watched(path: Path) -> apsw.Connection:
            connection = connect(path)
            connection.wal_autocheckpoint(0)
            return connection

        for module in ("file", "store"):
            patch.setattr(f"skyshelf.storage.metadata.sqlite.{module}.connect", watched)

    def _counting(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any) -> Any:
            self._now.statements += 1
            return method(*arguments)

        return counted

    def _timing(self, run: Callable[[Handle], None]) -> Callable[[Handle], None]:
        def timed(handle: Handle) -> None:
            began = time.thread_time()
            run(handle)
            self._now.loop = max(self._now.loop, time.thread_time() - began)

        return timed


@contextmanager
def _traced() -> Iterator[None]:
    """Trace memory, and collect no garbage: when that happens depends on what ran before."""
    gc.disable()
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()
        gc.enable()


def _worked(_: int) -> float:
    """The processor time of a unit: texts as the service handles them, some hundredths of a second."""
    rows = [{"key": f"{number:032x}", "names": [str(number)] * 5} for number in range(2000)]
    began = time.process_time()
    again = json.loads(json.dumps(rows))
    assert len(again) == len(rows)
    return time.process_time() - began
