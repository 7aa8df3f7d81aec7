"""The connections of a client: one pool per event loop.

They have no threads: everything a pool does happens in its event loop, and ends with it.
"""

import asyncio

from skyshelf.client.http.connection import HttpConnection
from skyshelf.client.http.connector import Connector, Route, TransportSettings
from skyshelf.client.http.process_end import reset_in_children
from skyshelf.client.http.response import Scratch


class Pool:
    """The connections of one event loop; `limit` bounds how many are in use at once, and idle ones are reused."""

    def __init__(self, connector: Connector, limit: int) -> None:
        self._connector = connector
        self._slots = asyncio.Semaphore(limit)
        self._scratch = Scratch()
        self._idle: dict[str, list[HttpConnection]] = {}
        self._used: set[HttpConnection] = set()
        # Servers that close connections without having announced it.
        self._dropping: set[str] = set()

    async def acquire(self, route: Route, *, repeatable: bool = True) -> HttpConnection:
        """A connection for one request; release it afterwards.

        A repeatable request that is lost with a reused connection is sent again. One that is not repeatable gets a
        new connection where the server is known to drop idle ones.
        """
        await self._slots.acquire()
        try:
            may_reuse = repeatable or route.origin not in self._dropping
            connection = (self._reused(route.origin) if may_reuse else None) or await self._connector.connect(
                route, self._scratch
            )
        except BaseException:
            self._slots.release()
            raise
        self._used.add(connection)
        return connection

    def release(self, route: Route, connection: HttpConnection) -> None:
        """Keep the connection for the next request, if the response was read to its end."""
        if connection in self._used:
            self._used.remove(connection)
            self._slots.release()
            self._note_drop(route.origin, connection)
            if connection.finish():
                self._idle.setdefault(route.origin, []).append(connection)

    def close(self) -> None:
        """Close all connections; requests in flight fail."""
        for connection in [*self._used, *(connection for idle in self._idle.values() for connection in idle)]:
            connection.abort()
        self._idle.clear()

    def _reused(self, origin: str) -> HttpConnection | None:
        idle = self._idle.get(origin)
        while idle:
            # The one used last: the others age and are closed.
            connection = idle.pop()
            if connection.is_usable:
                return connection
            self._note_drop(origin, connection)
            connection.abort()
        return None

    def _note_drop(self, origin: str, connection: HttpConnection) -> None:
        if connection.was_dropped:
            self._dropping.add(origin)


class Connections:
    """All pools of a client. It is used from one event loop at a time, usually from a single one ever."""

    def __init__(self, settings: TransportSettings) -> None:
        self._settings = settings
        self._connector = Connector(settings)
        self._pools: dict[asyncio.AbstractEventLoop, Pool] = {}
        reset_in_children(self)

    def route_to(self, url: str) -> tuple[Route, str]:
        """The route to a URL's origin, and the request target there."""
        end = url.find("/", len("https://"))
        origin, target = (url, "/") if end < 0 else (url[:end], url[end:])
        return self._connector.route_to(origin), target

    def pool(self) -> Pool:
        """The pool of the running event loop."""
        loop = asyncio.get_running_loop()
        pool = self._pools.get(loop)
        if pool is None:
            self._drop_closed_loops()
            pool = self._pools[loop] = Pool(self._connector, self._settings.connections)
        return pool

    async def close(self) -> None:
        """Close the running event loop's connections, and forget those of loops that have ended."""
        pool = self._pools.pop(asyncio.get_running_loop(), None)
        if pool is not None:
            pool.close()
            # Sockets are closed in the next turn of the event loop, and this may be its last.
            await asyncio.sleep(0)
        self._drop_closed_loops()

    def reset_after_fork(self) -> object:
        """Forget the parent's connections, without closing them."""
        parents, self._pools = self._pools, {}
        return parents

    def _drop_closed_loops(self) -> None:
        for loop in [loop for loop in self._pools if loop.is_closed()]:
            del self._pools[loop]
