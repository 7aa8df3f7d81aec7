"""The client that all calls of a bridge use together: opened by the first, replaced when its session has ended."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import AuthenticationError


class SharedClient:
    """Lends one client to any number of calls at once. A client that was handed in stays its owner's to close."""

    def __init__(self, open_client: Callable[[], AsyncClient], *, lent: AsyncClient | None = None) -> None:
        self._open_client = open_client
        self._lent = lent
        self._current: AsyncClient | None = None
        self._users: dict[AsyncClient, int] = {}

    def current(self) -> AsyncClient:
        """The client, opened where there is none."""
        if self._lent is not None:
            return self._lent
        if self._current is None:
            self._current = self._open_client()
        return self._current

    @asynccontextmanager
    async def borrowed(self) -> AsyncIterator[AsyncClient]:
        """The client, for the length of a call."""
        client = self.current()
        self._users[client] = self._users.get(client, 0) + 1
        try:
            yield client
        except AuthenticationError:
            # Somebody may log in anew while we run: the next call reads the session again. Calls beside this one keep
            # the client that they have.
            if self._current is client:
                self._current = None
            raise
        finally:
            self._users[client] -= 1
            if not self._users[client]:
                del self._users[client]
                if client is not self._current and client is not self._lent:
                    await client.close()

    async def close(self) -> None:
        """Close what was opened here; a call that still runs closes its client when it ends."""
        client, self._current = self._current, None
        if client is not None and client not in self._users:
            await client.close()
