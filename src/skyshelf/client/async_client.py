"""The asynchronous client; its methods are in api/, one noun per module."""

from pathlib import Path
from types import TracebackType
from typing import Self

from skyshelf.client import settings as config_file
from skyshelf.client.api.account import AsyncAccount
from skyshelf.client.api.alarms import AsyncAlarms
from skyshelf.client.api.boards import AsyncBoards
from skyshelf.client.api.changes import AsyncChanges, IndexCalls
from skyshelf.client.api.contacts import AsyncContacts
from skyshelf.client.api.delegations import AsyncDelegations
from skyshelf.client.api.exports import AsyncExports
from skyshelf.client.api.feeds import AsyncTimeline, FeedCalls
from skyshelf.client.api.files import FileCalls
from skyshelf.client.api.history import AsyncHistory, AsyncHistoryProofs, AsyncVersions
from skyshelf.client.api.modes import ModeCalls
from skyshelf.client.api.past import PastCalls
from skyshelf.client.api.rewinds import AsyncRewinds
from skyshelf.client.api.search import SearchCalls
from skyshelf.client.api.session import AsyncPasskeys, AsyncSecondFactor, AsyncServerInfo, SessionCalls
from skyshelf.client.api.shares import AsyncShares
from skyshelf.client.api.tags import AsyncTags
from skyshelf.client.api.transfers import AsyncUploads, TransferCalls
from skyshelf.client.api.trash import AsyncTrash
from skyshelf.client.engine.engine import Engine
from skyshelf.client.http.connector import TransportSettings
from skyshelf.client.http.transport import HttpTransport, Transport


class AsyncClient(SessionCalls, FileCalls, ModeCalls, SearchCalls, TransferCalls, FeedCalls, IndexCalls, PastCalls):
    """A session with a server. Close it, or use it as a context manager: it holds connections.

    Every argument is optional: what is missing comes from the environment, then from the config file that
    `skyshelf login` writes. A session is only sent to the server that it belongs to: with another `server`, the client
    starts without a session, and `logged_out_reason` says why.

    Args:
        server: The server's URL.
        auth_token: The session's token.
        user_id: The session's user.
        device_key: The session's device.
        profile: The profile of the config file to use.
        config: The config file.
        hosts: URLs of single hosts, where a server has several.
        retries: How often a failed request is repeated.
        retry_wait: Seconds before the first repetition; each further one waits twice as long.
        retry_jitter: How far such a wait may differ at random, as a share of it; 0.2 spreads many clients out.
        retry_after_max: Seconds to wait at most where a server asks for more.
        lag: Seconds that a server may take to list what was written. During this time, listings of this client include
            what it wrote, and it waits for what it created to be listed; 0 for neither. 5 by default.
        max_objects: How many objects a listing or a tree may have before it counts as endless; 10 million by default.
        ca_file: A certificate authority to trust besides those of the system.
        use_proxies: Use the proxies that the environment names.
        connect_timeout: Seconds until a connection must be open; 15 by default.
        read_timeout: Seconds without a byte after which a response counts as lost; 60 by default.
        connections: How many connections are open at most.
        transport: Sends the requests instead of HTTP connections; the five arguments before it do not apply then.
        agent_session: An id, `agent-` and 16 hex digits, that history notes with every change of this client.

    Raises:
        ConfigurationError: The server or the session is missing or invalid.
    """

    def __init__(
        self,
        server: str | None = None,
        *,
        auth_token: str | None = None,
        user_id: str | None = None,
        device_key: str | None = None,
        profile: str | None = None,
        config: Path | None = None,
        hosts: dict[str, str] | None = None,
        retries: int | None = None,
        retry_wait: float | None = None,
        retry_jitter: float | None = None,
        retry_after_max: float | None = None,
        lag: float | None = None,
        max_objects: int | None = None,
        ca_file: str | None = None,
        use_proxies: bool = True,
        connect_timeout: float | None = None,
        read_timeout: float | None = None,
        connections: int = 64,
        transport: Transport | None = None,
        agent_session: str | None = None,
    ) -> None:
        session = {"server": server, "auth_token": auth_token, "user_id": user_id, "device_key": device_key}
        settings = config_file.load_settings(
            {**session, **(hosts or {})},
            profile=profile,
            retries=retries,
            retry_wait=retry_wait,
            retry_jitter=retry_jitter,
            retry_after_max=retry_after_max,
            max_objects=max_objects,
            lag=lag,
            connect_timeout=connect_timeout,
            read_timeout=read_timeout,
            path=config,
        )
        if transport is None:
            transport = HttpTransport(
                TransportSettings(
                    connect_timeout=settings.connect_timeout,
                    read_timeout=settings.read_timeout,
                    ca_file=ca_file,
                    use_proxies=use_proxies,
                    connections=connections,
                )
            )
        engine = Engine(
            settings.hosts,
            settings.credentials,
            transport,
            policy=settings.policy,
            refusal=settings.refusal,
            bounds=settings.bounds,
            lag=settings.lag,
            agent_session=agent_session,
        )
        super().__init__(engine)
        self.account = AsyncAccount(engine)
        self.exports = AsyncExports(engine)
        self.second_factor = AsyncSecondFactor(engine)
        self.passkeys = AsyncPasskeys(engine)
        self.delegations = AsyncDelegations(engine)
        self.boards = AsyncBoards(engine)
        self.shares = AsyncShares(engine)
        self.tags = AsyncTags(engine)
        self.contacts = AsyncContacts(engine)
        self.trash = AsyncTrash(engine)
        self.versions = AsyncVersions(engine)
        self.changes = AsyncChanges(engine)
        self.history = AsyncHistory(engine)
        self.alarms = AsyncAlarms(engine)
        self.rewinds = AsyncRewinds(engine)
        self.history_proofs = AsyncHistoryProofs(engine)
        self.timeline = AsyncTimeline(engine)
        self.uploads = AsyncUploads(engine)
        self.server_info = AsyncServerInfo(engine)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncClient({self._engine.hosts.urls['base_url']})"

    async def close(self) -> None:
        """Close all connections."""
        await self._engine.close()
