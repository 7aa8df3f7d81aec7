"""`./dev bench http_clients`: small requests with our HTTP client, aiohttp and httpx2, to a local server."""

import argparse
import asyncio
import json
import multiprocessing
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Final

from benchmarks.tables import print_table, short

_BODY: Final = json.dumps({"objects": [{"objectKey": "0" * 32, "objectName": "beach.jpg"}]}).encode()
_REPLY: Final = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (
    len(_BODY),
    _BODY,
)
_CONCURRENCY: Final = 32
_IMPORTS: Final = {"Skyshelf": "skyshelf.client.http.transport", "aiohttp": "aiohttp", "httpx2": "httpx2"}


class _Server(asyncio.Protocol):
    """Answers every request with the same small JSON document."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._transport.write(_REPLY * data.count(b"\r\n\r\n"))


def _serve(listening: socket.socket) -> None:
    async def run() -> None:
        server = await asyncio.get_running_loop().create_server(_Server, sock=listening)
        await server.serve_forever()

    asyncio.run(run())


async def _load(get: Callable[[], Awaitable[bytes]], requests: int) -> tuple[float, float]:
    """Requests a second, and processor microseconds of the client for each."""
    remaining = iter(range(requests))

    async def worker() -> None:
        for _ in remaining:
            assert await get() == _BODY

    wall, processor = time.perf_counter(), time.process_time()
    await asyncio.gather(*(worker() for _ in range(_CONCURRENCY)))
    return requests / (time.perf_counter() - wall), (time.process_time() - processor) / requests * 1e6


async def _ours(url: str, requests: int) -> tuple[float, float]:
    from skyshelf.client.http.messages import PlannedRequest
    from skyshelf.client.http.transport import HttpTransport

    transport = HttpTransport()
    request = PlannedRequest(method="GET", url=url, path="/objects", headers={}, repeatable=True)

    async def get() -> bytes:
        return (await transport.send(request)).body

    try:
        return await _load(get, requests)
    finally:
        await transport.close()


async def _aiohttp(url: str, requests: int) -> tuple[float, float]:
    import aiohttp

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=_CONCURRENCY)) as session:

        async def get() -> bytes:
            async with session.get(url) as response:
                return await response.read()

        return await _load(get, requests)


async def _httpx(url: str, requests: int) -> tuple[float, float]:
    import httpx2

    async with httpx2.AsyncClient() as client:

        async def get() -> bytes:
            return (await client.get(url)).content

        return await _load(get, requests)


_CLIENTS: Final = {"Skyshelf": _ours, "aiohttp": _aiohttp, "httpx2": _httpx}


def _import_ms(module: str) -> float:
    """The median time to import it in a new interpreter, less that of an empty program."""

    def run(code: str) -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - start

    return statistics.median(run(f"import {module}") - run("pass") for _ in range(7)) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench http_clients", description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000, help="requests per client (httpx2: a tenth)")
    requests = parser.parse_args().requests
    with socket.create_server(("127.0.0.1", 0), backlog=256) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/objects"
        server = multiprocessing.get_context("fork").Process(target=_serve, args=(listening,), daemon=True)
        server.start()
        rows = []
        for name, load in _CLIENTS.items():
            count = requests // 10 if name == "httpx2" else requests
            asyncio.run(load(url, count // 10))
            rate, processor = asyncio.run(load(url, count))
            rows.append([name, short(rate), short(processor), short(_import_ms(_IMPORTS[name]))])
        server.terminate()
    head = ["client", "requests/s", "processor µs each", "import ms"]
    print_table(f"small GET requests, {_CONCURRENCY} concurrent, keep-alive", head, rows, name="clients")


if __name__ == "__main__":
    main()
