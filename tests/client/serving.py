"""A real server process for the whole run, and a fresh account of it for every test."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypedDict

from tests.server.running import RunningServer

from skyshelf.service.accounts import accounts, sessions
from skyshelf.service.context import ServiceContext
from skyshelf.storage.identity import SETTING, Identity
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata
from skyshelf.wire.resources.credentials import LoginAnswer, LoginRequest

PASSWORD = "correct horse battery"

_numbers = itertools.count(1)


class Settings(TypedDict):
    """The arguments of a client."""

    server: str
    auth_token: str
    user_id: str
    device_key: str


class Person:
    """An account with a session, and ways to put things into it past the interface."""

    def __init__(self, server: "ClientServer", account: Account, login: LoginAnswer) -> None:
        self.server = server
        self.account = account
        self.login = login

    @property
    def settings(self) -> "Settings":
        """The arguments of a client."""
        assert self.login.auth_token is not None
        assert self.login.device_key is not None
        return {
            "server": self.server.url,
            "auth_token": self.login.auth_token,
            "user_id": self.login.user_id,
            "device_key": self.login.device_key,
        }


class ClientServer:
    """The process, and its stores as seen from this one."""

    def __init__(self, process: RunningServer, ctx: ServiceContext) -> None:
        self.process = process
        self.ctx = ctx

    @property
    def url(self) -> str:
        return self.process.url

    def person(self, *, quota: int | None = None) -> Person:
        email = f"person{next(_numbers)}@example.org"
        account = accounts.add_account(self.ctx, email, "Ada", "Byron", PASSWORD, quota=quota)
        login = sessions.login(self.ctx, LoginRequest(email_id=email, password=PASSWORD), "127.0.0.1")
        return Person(self, account, login)


@contextmanager
def client_server(folder: Path) -> Iterator[ClientServer]:
    """A server over a folder; killed at the end."""
    data = folder / "data"
    data.mkdir()
    metadata, blobs = embedded_urls(data)
    process = RunningServer(data)
    process.start()
    ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs))
    try:
        yield ClientServer(process, ctx)
    finally:
        process.close()
        ctx.metadata.close()
        ctx.blobs.close()


def begin_epoch(unit: Unit) -> None:
    """Give the store another epoch, as a move does."""
    known = unit.settings.load(SETTING, Identity)
    assert known is not None
    unit.settings.store(SETTING, known.in_new_place())
