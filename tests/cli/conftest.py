"""One server for all tests of the command line, and a fresh account with a home of its own for each."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from tests.cli.typing_commands import Typist
from tests.client.serving import ClientServer, client_server

from skyshelf.service.accounts import passwords


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
