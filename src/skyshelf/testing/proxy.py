"""A proxy in front of a server that makes requests fail as its plan says, and keeps a log."""

import asyncio
import ssl
import threading
from collections import Counter
from collections.abc import Mapping
from urllib.parse import urlsplit

from skyshelf.testing.exchange import READER_LIMIT, Exchange, Message, read_body, read_head, reset
from skyshelf.testing.faults import Fault, FaultPlan, FaultRecord, FaultSampler


class FaultProxy:
    """Listens on a local port, in its own thread. Use it as a context manager.

        with FaultProxy(server.url, every_fault(0.2, seed=1)) as proxy:
            ...  # a client of proxy.url

    `plan` can be replaced at any time, which clears `log` and `requests`. These settings always apply and are not
    logged as faults:

    - `renames` maps object keys to the names that listings show instead.
    - `page_limit` is the maximum number of objects in a page, whatever `limit` the client requests.
    - `has_extensions = False` hides every path below `/x/`, like a server with the basic interface only.

    With `tls`, a server context with a certificate, clients connect by HTTPS.
    """

    def __init__(self, upstream: str, plan: FaultPlan | None = None, *, tls: ssl.SSLContext | None = None) -> None:
        parts = urlsplit(upstream)
        assert parts.hostname is not None
        assert parts.port is not None
        self._upstream = (parts.hostname, parts.port)
        self._tls = tls
        self._sampler = FaultSampler(plan or FaultPlan())
        self.renames: Mapping[str, str] = {}
        self.page_limit: int | None = None
        self.has_extensions = True
        self.log: list[FaultRecord] = []
        self.requests = 0
        self._connections: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._run, name="skyshelf-fault-proxy", daemon=True)
        self._port = 0

    @property
    def url(self) -> str:
        """The base URL for clients."""
        return f"http{'s' if self._tls else ''}://127.0.0.1:{self._port}"

    @property
    def plan(self) -> FaultPlan:
        """The faults to inject."""
        return self._sampler.plan

    @plan.setter
    def plan(self, plan: FaultPlan) -> None:
        self._sampler = FaultSampler(plan)
        self.log = []
        self.requests = 0

    def counts(self) -> dict[Fault, int]:
        """How often each fault has happened since the plan was set."""
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
            # The client is gone, or the proxy is closing.
            reset(writer)
        finally:
            self._connections.discard(task)
            writer.close()

    async def _exchange(self, request: Message, writer: asyncio.StreamWriter) -> bool:
        """Handle one request; returns whether the connection stays open."""
        self.requests += 1
        fault, rng = self._sampler.draw(request.method, request.target, request.header("range") or "")
        return await Exchange(self, request, writer, fault, rng).run(self._upstream)
