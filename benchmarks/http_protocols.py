"""The protocols of the HTTP server, by an application that does next to nothing: processor time per request."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from typing import Any

from benchmarks.server_process import cpu_seconds_of, free_port
from benchmarks.tables import print_left_out, print_table, short

SECONDS = 2
BODY = b"x" * 1000
CONTENT_BYTES = 100_000
HEADERS = [(f"x-header-{number}", "a value") for number in range(10)]
KINDS = {
    "asgi": "ASGI, 1,000 bytes",
    "rsgi": "RSGI, 1,000 bytes",
    "asgi-read": "ASGI, 100 KB of a file, read and sent as bytes",
    "asgi-path": "ASGI, 100 KB of a file, sent from its path",
    "rsgi-path": "RSGI, 100 KB of a file, sent from its path",
}


def http_protocols() -> None:
    """One table; nothing where wrk is missing."""
    if shutil.which("wrk") is None:
        print_left_out("the protocols of the HTTP server, as wrk was not found")
        return
    with tempfile.NamedTemporaryFile() as file:
        file.write(os.urandom(CONTENT_BYTES))
        file.flush()
        rows = [[name, *_measured(kind, file.name)] for kind, name in KINDS.items()]
    print_table(
        "the HTTP server's protocols, 32 connections",
        ["", "requests/s", "processor µs each"],
        rows,
        name="protocols of the HTTP server",
    )


def _measured(kind: str, path: str) -> list[str]:
    port = free_port()
    server = subprocess.Popen([sys.executable, "-m", __name__, kind, path, str(port)], stderr=subprocess.DEVNULL)
    try:
        _load(port, 1)
        before = cpu_seconds_of(server.pid)
        requests = _load(port, SECONDS)
        used = cpu_seconds_of(server.pid) - before
    finally:
        server.terminate()
        server.wait(20)
    return [short(requests / SECONDS), short(used / requests * 1e6)]


def _load(port: int, seconds: int) -> int:
    sent = [part for name, value in HEADERS for part in ("-H", f"{name}: {value}")]
    command = ["wrk", "-t1", "-c32", f"-d{seconds}s", *sent, f"http://127.0.0.1:{port}/"]
    for _ in range(100):
        said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        found = [line.split()[0] for line in said.splitlines() if "requests in" in line]
        if found and int(found[0]):
            return int(found[0])
        time.sleep(0.1)
    raise RuntimeError("the server did not start")


def _serve(kind: str, path: str, port: int) -> None:
    from granian.constants import Interfaces, Loops
    from granian.server import Server

    is_rsgi = kind.startswith("rsgi")
    application: Any = _Rsgi(kind, path) if is_rsgi else _asgi(kind, path)
    Server(
        "bare",
        address="127.0.0.1",
        port=port,
        interface=Interfaces.RSGI if is_rsgi else Interfaces.ASGI,
        loop=Loops.asyncio,
        log_enabled=False,
        websockets=False,
    ).serve(target_loader=lambda *_: application, wrap_loader=False)


class _Rsgi:
    def __init__(self, kind: str, path: str) -> None:
        self._path = path if kind == "rsgi-path" else None

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        dict(scope.headers.items())
        if self._path is None:
            protocol.response_bytes(200, HEADERS, BODY)
        else:
            protocol.response_file(200, HEADERS, self._path)


def _asgi(kind: str, path: str) -> Any:
    headers = [(name.encode(), value.encode()) for name, value in HEADERS]

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            return
        dict(scope["headers"])
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if kind == "asgi-path":
            await send({"type": "http.response.pathsend", "path": path})
        else:
            await send({"type": "http.response.body", "body": _read(path) if kind == "asgi-read" else BODY})

    return application


def _read(path: str) -> bytes:
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, CONTENT_BYTES + 1)
    finally:
        os.close(file)


if __name__ == "__main__":
    _serve(sys.argv[1], sys.argv[2], int(sys.argv[3]))
