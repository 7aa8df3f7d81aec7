"""Tests of the drive on a computer: one server for all, and a fresh account for each."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from tests.client.serving import ClientServer, Person, client_server

from skyshelf.client.sync_client import Client
from skyshelf.service.accounts import passwords


@pytest.fixture(autouse=True)
def ignore_user_settings(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests ignore the settings of the user who runs them."""
    for name in [name for name in os.environ if name.startswith("SKYSHELF_")]:
        monkeypatch.delenv(name)
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path_factory.mktemp("settings")))


@pytest.fixture(scope="session")
def desktop_host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClientServer]:
    with client_server(tmp_path_factory.mktemp("desktop-server")) as server:
        yield server


@pytest.fixture
def person(desktop_host: ClientServer, monkeypatch: pytest.MonkeyPatch) -> Person:
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    return desktop_host.person()


@pytest.fixture
def client(person: Person) -> Iterator[Client]:
    """Somebody's client; also what other devices of the account do."""
    with Client(**person.settings, retry_wait=0.01) as client:
        yield client


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """The local folder."""
    folder = tmp_path / "here"
    folder.mkdir()
    return folder
