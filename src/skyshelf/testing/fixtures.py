"""pytest fixtures; enable them with `pytest_plugins = ["skyshelf.testing.fixtures"]` in a conftest.py.

`skyshelf_server` is a real server for the whole run. `skyshelf_account` is a new account on it, logged in, for each
test. `fault_proxy` is a proxy in front of the server; it injects no faults until the test sets a plan:

    def test_my_backup_survives(skyshelf_account, fault_proxy):
        skyshelf_account.add_file("a.txt", b"content")
        fault_proxy.plan = every_fault(0.2, seed=1)
        with Client(**skyshelf_account.session.via(fault_proxy.url).settings()) as client:
            ...
        print(fault_proxy.log)
"""

import itertools
from collections.abc import Iterator

import pytest

from skyshelf.testing.faults import FaultPlan
from skyshelf.testing.proxy import FaultProxy
from skyshelf.testing.server import TestAccount, TestServer

_NUMBERS = itertools.count(1)


@pytest.fixture(scope="session")
def skyshelf_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestServer]:
    """A real server for the whole run."""
    with TestServer(tmp_path_factory.mktemp("skyshelf") / "data") as server:
        yield server


@pytest.fixture
def skyshelf_account(skyshelf_server: TestServer) -> TestAccount:
    """A new account, logged in."""
    return skyshelf_server.add_account(f"test-{next(_NUMBERS)}@example.org")


@pytest.fixture
def fault_proxy(skyshelf_server: TestServer) -> Iterator[FaultProxy]:
    """A proxy in front of the server; without a plan it forwards everything unchanged."""
    with FaultProxy(skyshelf_server.url, FaultPlan()) as proxy:
        yield proxy
