"""The connections of a client: one pool for each event loop.

They have no threads of their own: whatever a client does happens in its event loop, and ends with it. So a program
can end at any moment, and a child of a fork begins anew.
"""

import asyncio
import os
import weakref
from typing import Final

from msgspec import Struct

from skyshelf.client.http.connection import HttpConnection
from skyshelf.client.http.connector import Connector, Route
from skyshelf.client.http.response import Scratch


class TransportSettings(Struct, frozen=True, kw_only=True):
    """How connections are made; the times are in seconds, and there is none for a whole transfer."""

    connect_timeout: float = 15.0
    read_timeout: float = 60.0
    ca_file: str | None = None
    use_proxies: bool = True
    connections: int = 64


class Pool:
    """The connections of one event loop; at most so many are used at the same time, and each can be used again."""

    def __init__(self, connector: Connector, most: int) -> None:
        self._connector = connector
        self._turns = asyncio.Semaphore(most)
        self._scratch = Scratch()
        self._idle: dict[str, list[HttpConnection]] = {}
        self._used: set[HttpConnection] = set()
        # Servers that close connections which they seemed to keep.
        self._dropping: set[str] = set()

    async def take(self, route: Route, *, repeatable: bool = True) -> HttpConnection:
        """A connection to send one request over; give it back.

        A request that gets lost with its connection is sent again, if it is repeatable. If not, it goes over a new
        connection where the server is known to drop those that it seemed to keep.
        """
        await self._turns.acquire()
        try:
            is_safe = repeatable or route.origin not in self._dropping
            connection = (self._found(route.origin) if is_safe else None) or await self._connector.connect(
                route, self._scratch
            )
        except BaseException:
            self._turns.release()
            raise
        self._used.add(connection)
        return connection

    def release(self, route: Route, connection: HttpConnection) -> None:
        """Whoever is next can use it, if nothing is left of the answer."""
        if connection in self._used:
            self._used.remove(connection)
            self._turns.release()
            self._note(route.origin, connection)
            if connection.finish():
                self._idle.setdefault(route.origin, []).append(connection)

    def close(self) -> None:
        """Close all; what is on its way fails."""
        for connection in [*self._used, *(one for idle in self._idle.values() for one in idle)]:
            connection.abort()
        self._idle.clear()

    def _found(self, origin: str) -> HttpConnection | None:
        idle = self._idle.get(origin)
        while idle:
            # The one that was used last: the others grow old and go.
            connection = idle.pop()
            if connection.is_usable:
                return connection
            self._note(origin, connection)
            connection.abort()
        return None

    def _note(self, origin: str, connection: HttpConnection) -> None:
        if connection.was_dropped:
            self._dropping.add(origin)


class Connections:
    """All pools of a client. It is used from one event loop at a time, usually from one ever."""

    def __init__(self, settings: TransportSettings) -> None:
        self._settings = settings
        self._connector = Connector(settings)
        self._pools: dict[asyncio.AbstractEventLoop, Pool] = {}
        _all.add(self)

    def route_to(self, url: str) -> tuple[Route, str]:
        """How to get there, and what to ask for there."""
        end = url.find("/", len("https://"))
        origin, target = (url, "/") if end < 0 else (url[:end], url[end:])
        return self._connector.to(origin), target

    def pool(self) -> Pool:
        """The pool of the running event loop."""
        loop = asyncio.get_running_loop()
        pool = self._pools.get(loop)
        if pool is None:
            for ended in [one for one in self._pools if one.is_closed()]:
                del self._pools[ended]
            pool = self._pools[loop] = Pool(self._connector, self._settings.connections)
        return pool

    async def close(self) -> None:
        """Close those of the running event loop, and let go of those whose event loop has ended."""
        pool = self._pools.pop(asyncio.get_running_loop(), None)
        if pool is not None:
            pool.close()
            # Sockets are closed in the next turn of the event loop, and this may be its last.
            await asyncio.sleep(0)
        for loop in [one for one in self._pools if one.is_closed()]:
            del self._pools[loop]

    def forget(self) -> None:
        """After a fork: what is open belongs to the parent, and must not be touched, not even to be closed."""
        _of_the_parent.append(self._pools)
        self._pools = {}


_all: Final[weakref.WeakSet[Connections]] = weakref.WeakSet()
_of_the_parent: Final[list[object]] = []


def _begin_anew() -> None:
    for one in list(_all):
        one.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
