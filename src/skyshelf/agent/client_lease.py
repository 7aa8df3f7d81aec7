"""One client for concurrent calls, which outlives the session that it was opened with."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from skyshelf.agent.journal import account_fingerprint
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import AuthenticationError


class ClientLease:
    """Lends one client to any number of concurrent calls: opened by the first, replaced once its session has ended.

    A client passed in as `client` is never closed here.
    """

    def __init__(self, open_client: Callable[[], AsyncClient], *, client: AsyncClient | None = None) -> None:
        self._open_client = open_client
        self._given = client
        self._current: AsyncClient | None = None
        self._users: dict[AsyncClient, int] = {}

    def current(self) -> AsyncClient:
        """The client, opened if necessary."""
        if self._given is not None:
            return self._given
        if self._current is None:
            self._current = self._open_client()
        return self._current

    @asynccontextmanager
    async def acquire(self) -> AsyncIterator[AsyncClient]:
        """The client, for the duration of a call."""
        client = self.current()
        self._users[client] = self._users.get(client, 0) + 1
        try:
            yield client
        except AuthenticationError:
            # The user may log in again while we run: the next call reads the session again, while concurrent calls
            # keep their client.
            if self._current is client:
                self._current = None
            raise
        finally:
            self._users[client] -= 1
            if not self._users[client]:
                del self._users[client]
                if client is not self._current and client is not self._given:
                    await client.close()

    async def close(self) -> None:
        """Close the client opened here; a call in progress closes its client when it ends."""
        client, self._current = self._current, None
        if client is not None and client not in self._users:
            await client.close()


def fingerprint_of(client: AsyncClient) -> str:
    """The fingerprint of a client's account in the journal."""
    credentials = client.credentials
    return account_fingerprint(repr(client), credentials.user_id if credentials else "")
