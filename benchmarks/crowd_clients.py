"""The clients of a crowd, in a separate process: asyncio and HTTP/1.1 by hand, so the load takes little of the
processor that the server needs.

Each client is one device with its own address and one connection. It does one thing at a time; when it does each kind
of thing is random, with the mean time of `MIX` in between. Standard input says who they are, standard output what they
measured.
"""

import asyncio
import hashlib
import json
import os
import random
import sys
import time
from typing import Any, Final

MIX: Final[dict[str, float]] = {"poll": 10, "listing": 30, "download": 30, "upload": 60}
"""Average seconds between two of a kind: a client asks for changes, opens a folder of 200 objects, fetches a file of
100 KB and sends one."""
UPLOAD_BYTES: Final = 100_000
_BLOCK: Final = os.urandom(UPLOAD_BYTES)
_PATIENCE: Final = 60
_OK: Final = 300


class Client:
    """One device."""

    def __init__(self, spec: dict[str, Any], number: int, results: dict[str, list[float]], errors: list[str]) -> None:
        self._spec = spec
        self._number = number
        self._headers = "".join(
            f"{name}: {value}\r\n"
            for name, value in spec["clients"][number].items()
            if name.lower() not in {"content-type", "accept-encoding"}
        )
        self._results, self._errors = results, errors
        self._random = random.Random(number)
        self._cursor = ""
        self._uploads = 0
        self._reader: asyncio.StreamReader
        self._writer: asyncio.StreamWriter

    async def connect(self) -> None:
        """Open the connection, and find out where the feed of changes stands."""
        await self._open()
        await self._poll()

    async def _open(self) -> None:
        place = f"127.0.{1 + self._number // 250}.{1 + self._number % 250}"
        self._reader, self._writer = await asyncio.open_connection(
            "127.0.0.1", self._spec["port"], local_addr=(place, 0)
        )

    async def work(self, until: float, counted_from: float) -> None:
        """Do what a device does, up to that time."""
        due = {kind: time.perf_counter() + self._random.random() * mean for kind, mean in MIX.items()}
        while True:
            kind = min(due, key=due.__getitem__)
            if due[kind] >= until:
                return
            await asyncio.sleep(max(0.0, due[kind] - time.perf_counter()))
            began = time.perf_counter()
            try:
                await asyncio.wait_for(getattr(self, f"_{kind}")(), _PATIENCE)
            except (OSError, EOFError, ValueError, TimeoutError) as problem:
                self._errors.append(f"{kind}: {type(problem).__name__} {problem}")
                self._writer.close()
                await self.connect()
            else:
                if began >= counted_from:
                    self._results[kind].append((time.perf_counter() - began) * 1000)
            due[kind] = time.perf_counter() + self._random.expovariate(1 / MIX[kind])

    def close(self) -> None:
        self._writer.close()

    async def _poll(self) -> None:
        more = f"?cursor={self._cursor}&limit=100" if self._cursor else ""
        self._cursor = json.loads(await self._ask("GET", f"/x/v1/changes{more}"))["cursor"]

    async def _listing(self) -> None:
        folder = self._random.choice(self._spec["folders"])
        await self._ask("GET", f"/nms/metadata?folderKey={folder}&type=f&limit=200")

    async def _download(self) -> None:
        await self._ask("GET", f"/download/files/{self._random.choice(self._spec['real'])}")

    async def _upload(self) -> None:
        self._uploads += 1
        mark = b"%016d %08d" % (self._number, self._uploads)
        data = mark + self._spec["run"].encode() + _BLOCK[len(mark) + len(self._spec["run"]) :]
        about = {
            "name": f"upload {self._number} {self._uploads}.bin",
            "size": len(data),
            "hash": hashlib.md5(data, usedforsecurity=False).hexdigest(),
            "folderKey": self._spec["upload_folder"],
        }
        parts = (("metadataString", json.dumps(about).encode()), ("file", data))
        body = b"".join(
            f'--bench\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'.encode() + content + b"\r\n"
            for name, content in parts
        )
        await self._ask("POST", "/upload/files", body + b"--bench--\r\n", "multipart/form-data; boundary=bench")

    async def _ask(self, method: str, path: str, body: bytes = b"", kind: str = "application/json") -> bytes:
        length = f"Content-Length: {len(body)}\r\n" if body else ""
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\n{self._headers}{length}\r\n"
        try:
            answer = await self._send(head.encode() + body)
        except (asyncio.IncompleteReadError, ConnectionError) as problem:
            if method != "GET" or (isinstance(problem, asyncio.IncompleteReadError) and problem.partial):
                raise
            # Closed while it was idle: every client tries once more on a new connection.
            self._errors.append("reopened")
            await self._open()
            answer = await self._send(head.encode() + body)
        status = int(answer[9:12])
        data = await self._body(answer.lower())
        if status >= _OK:
            raise ValueError(f"{status} {data[:200]!r}")
        return data

    async def _send(self, data: bytes) -> str:
        """Send a request; return the head of the answer."""
        self._writer.write(data)
        await self._writer.drain()
        return (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")

    async def _body(self, head: str) -> bytes:
        if "transfer-encoding: chunked" in head:
            pieces = []
            while size := int(await self._reader.readuntil(b"\r\n"), 16):
                pieces.append((await self._reader.readexactly(size + 2))[:-2])
            await self._reader.readexactly(2)
            return b"".join(pieces)
        _, found, rest = head.partition("content-length:")
        return await self._reader.readexactly(int(rest.split("\r\n", 1)[0])) if found else b""


async def _run(spec: dict[str, Any]) -> dict[str, Any]:
    results: dict[str, list[float]] = {kind: [] for kind in MIX}
    errors: list[str] = []
    clients = [Client(spec, number, results, errors) for number in range(len(spec["clients"]))]
    for first in range(0, len(clients), 20):
        await asyncio.gather(*(one.connect() for one in clients[first : first + 20]))
    print("connected", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    used, began = time.process_time(), time.perf_counter()
    counted_from = began + spec["warm_up"]
    until = counted_from + spec["seconds"]
    await asyncio.gather(*(one.work(until, counted_from) for one in clients))
    took = time.perf_counter() - began
    for one in clients:
        one.close()
    return {"times": results, "errors": errors, "processor": time.process_time() - used, "seconds": took}


def main() -> None:
    spec = json.loads(sys.stdin.readline())
    print(json.dumps(asyncio.run(_run(spec))), flush=True)


if __name__ == "__main__":
    main()
