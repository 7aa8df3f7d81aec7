"""Tests of the client: each that takes `client` runs with both clients."""

from collections.abc import AsyncIterator, Iterator
from typing import cast

import pytest
from argon2 import PasswordHasher
from tests.client.facade import AsyncFacade
from tests.client.serving import ClientServer, Person, client_server

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.sync_client import Client
from skyshelf.service.accounts import passwords


@pytest.fixture(autouse=True)
def ignore_user_settings(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests ignore the settings of the user who runs them."""
    import os

    for name in [name for name in os.environ if name.startswith("SKYSHELF_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("settings")))


@pytest.fixture(scope="session")
def client_host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClientServer]:
    """The server, once for all tests of the run."""
    with client_server(tmp_path_factory.mktemp("client-server")) as server:
        yield server


@pytest.fixture
def person(client_host: ClientServer, monkeypatch: pytest.MonkeyPatch) -> Person:
    """A fresh account with a session."""
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    return client_host.person()


@pytest.fixture(params=["async", "sync"])
async def client(request: pytest.FixtureRequest, person: Person) -> AsyncIterator[AsyncClient]:
    """The person's client; the synchronous one behind the same methods, awaited."""
    if request.param == "async":
        async with AsyncClient(**person.settings, retry_wait=0.01) as asynchronous:
            yield asynchronous
    else:
        with Client(**person.settings, retry_wait=0.01) as synchronous:
            yield cast("AsyncClient", AsyncFacade(synchronous))
