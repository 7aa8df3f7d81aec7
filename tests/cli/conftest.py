"""One server for all tests of the command line, and a fresh account with a home of its own for each."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from tests.cli.typing_commands import Typist
from tests.client.serving import ClientServer, client_server

from skyshelf.cli.admin import config_file
from skyshelf.service.accounts import passwords


@pytest.fixture(autouse=True)
def no_configuration_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the files and variables with which somebody runs a server or a client here."""
    for name in [name for name in os.environ if name.startswith("SKYSHELF_SERVE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "no-configuration"))
    monkeypatch.setattr(config_file, "default_places", list)


@pytest.fixture(scope="session")
def cli_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClientServer]:
    with client_server(tmp_path_factory.mktemp("cli-server")) as server:
        yield server


@pytest.fixture
def stranger(cli_server: ClientServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typist:
    """Somebody who has an account and has not logged in."""
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    return Typist(cli_server.person(), tmp_path)


@pytest.fixture
def typist(stranger: Typist) -> Typist:
    """Somebody who is logged in."""
    return stranger.login()
