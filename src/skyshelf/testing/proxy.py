"""A proxy before a server that lets requests fail, in the ways and as often as its plan says, and keeps a log."""

import asyncio
import ssl
import threading
from collections import Counter
from collections.abc import Mapping
from urllib.parse import urlsplit

from skyshelf.testing.exchange import Exchange, reset
from skyshelf.testing.faults import Fault, FaultDice, FaultPlan, FaultRecord
from skyshelf.testing.http_messages import READER_LIMIT, Message, read_body, read_head


class FaultProxy:
    """Listens on a port of this machine, from a thread of its own. Use it as a context manager.

    `plan` can be replaced at any time. `disguises` gives objects other names in listings, by their keys; `page_limit`
    is the most that a page holds, whatever `limit` asks for; without `goes_beyond` it knows the interface alone, and no
    path below `/x/`. They hold always, and do not count as faults. With `tls`, the context of a server with its
    certificate, clients come by https.
    """

    def __init__(self, upstream: str, plan: FaultPlan | None = None, *, tls: ssl.SSLContext | None = None) -> None:
        parts = urlsplit(upstream)
        assert parts.hostname is not None
        assert parts.port is not None
        self._upstream = (parts.hostname, parts.port)
        self._tls = tls
        self._dice = FaultDice(plan or FaultPlan())
        self.disguises: Mapping[str, str] = {}
        self.page_limit: int | None = None
        self.goes_beyond = True
        self.log: list[FaultRecord] = []
        self.requests = 0
        self._connections: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._run, name="skyshelf-fault-proxy", daemon=True)
        self._port = 0

    @property
    def url(self) -> str:
        """Where clients find the server behind it."""
        return f"http{'s' if self._tls else ''}://127.0.0.1:{self._port}"

    @property
    def plan(self) -> FaultPlan:
        """What goes wrong."""
        return self._dice.plan

    @plan.setter
    def plan(self, plan: FaultPlan) -> None:
        self._dice = FaultDice(plan)
        self.log = []
        self.requests = 0

    def counts(self) -> dict[Fault, int]:
        """How often each fault happened."""
        return dict(Counter(record.fault for record in self.log))

    def __enter__(self) -> "FaultProxy":
        self._thread.start()
        self._started.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop listening and drop all connections."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._stop = asyncio.Event()
        try:
            self._loop.run_until_complete(self._listen())
        finally:
            self._loop.close()

    async def _listen(self) -> None:
        server = await asyncio.start_server(
            self._connected, "127.0.0.1", 0, limit=READER_LIMIT, backlog=512, ssl=self._tls
        )
        self._port = server.sockets[0].getsockname()[1]
        self._started.set()
        await self._stop.wait()
        server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            while (request := await read_head(reader)) is not None:
                request.body = await read_body(reader, request)
                if not await self._exchange(request, writer):
                    break
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            # Whoever is gone needs no answer; a cancelled connection belongs to a proxy that ends.
            reset(writer)
        finally:
            self._connections.discard(task)
            writer.close()

    async def _exchange(self, request: Message, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; false when the connection ends with it."""
        self.requests += 1
        fault, dice = self._dice.draw(request.method, request.target, request.header("range") or "")
        exchange = Exchange(self, request, writer, fault, dice)
        return await exchange.answer(self._upstream)
