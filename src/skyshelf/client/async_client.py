"""The client: a session with a server. Its methods live in calls/, one noun per file."""

from pathlib import Path
from types import TracebackType
from typing import Self

from skyshelf.client import settings as config_file
from skyshelf.client.api.account import AccountCalls
from skyshelf.client.api.boards import BoardCalls, BoardPeopleCalls
from skyshelf.client.api.changes import ChangeCalls
from skyshelf.client.api.contacts import ContactCalls
from skyshelf.client.api.downloads import DownloadCalls
from skyshelf.client.api.feeds import FeedCalls
from skyshelf.client.api.files import FileCalls
from skyshelf.client.api.search import SearchCalls
from skyshelf.client.api.shares import ShareCalls
from skyshelf.client.api.tags import TagCalls
from skyshelf.client.api.trash import TrashCalls
from skyshelf.client.api.uploads import UploadCalls
from skyshelf.client.api.versions import VersionCalls
from skyshelf.client.credentials import Credentials
from skyshelf.client.engine.engine import Engine
from skyshelf.client.http.connector import TransportSettings
from skyshelf.client.http.transport import HttpTransport, Transport


class AsyncClient(
    AccountCalls,
    FileCalls,
    SearchCalls,
    ChangeCalls,
    TrashCalls,
    VersionCalls,
    FeedCalls,
    TagCalls,
    ShareCalls,
    BoardCalls,
    BoardPeopleCalls,
    ContactCalls,
    DownloadCalls,
    UploadCalls,
):
    """A session with a server.

    What is not given comes from the environment and then from the config file. Use it as a context manager, or
    close it: it holds connections. `transport` sends the requests instead of HTTP connections of this client.
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
        ca_file: str | None = None,
        use_proxies: bool = True,
        connect_timeout: float = 15.0,
        read_timeout: float = 60.0,
        connections: int = 64,
        transport: Transport | None = None,
    ) -> None:
        given = {"server": server, "auth_token": auth_token, "user_id": user_id, "device_key": device_key}
        settings = config_file.load_settings(
            {**given, **(hosts or {})}, profile=profile, retries=retries, retry_wait=retry_wait, path=config
        )
        if transport is None:
            transport = HttpTransport(
                TransportSettings(
                    connect_timeout=connect_timeout,
                    read_timeout=read_timeout,
                    ca_file=ca_file,
                    use_proxies=use_proxies,
                    connections=connections,
                )
            )
        self._engine = Engine(settings.hosts, settings.credentials, transport, policy=settings.policy)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncClient({self._engine.hosts.urls['base_url']})"

    @property
    def credentials(self) -> Credentials | None:
        """The session; None before a login."""
        return self._engine.credentials

    async def close(self) -> None:
        """Close all connections."""
        await self._engine.close()
