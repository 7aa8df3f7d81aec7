"""A real browser and a real server for the tests of the web client."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from tests.end_to_end.browser import chromium
from tests.real_parts.servers import Stack
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.web.stacks import Stacks, stacks_of
from tests.web.uploading import CHUNK
from tests.web.visiting import DESKTOP, Visit, open_account, visit

from skyshelf.service.context import ServiceContext


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "web_backend" in metafunc.fixturenames:
        metafunc.parametrize("web_backend", stacks_of(metafunc))


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all tests of the package; each test gets its own context."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="package")
def stacks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stacks]:
    with ExitStack() as until:
        yield Stacks(tmp_path_factory.mktemp, until)


@pytest.fixture
def stack(stacks: Stacks, web_backend: str) -> Stack:
    """The stack of this test."""
    return stacks[web_backend]


@pytest.fixture
def ctx(stack: Stack) -> ServiceContext:
    """Direct access to the server's stores."""
    return stack.ctx


@pytest.fixture
def server(stack: Stack) -> RunningServer:
    """A running server, whatever the previous test has done to it."""
    [running] = stack.servers
    if not running.is_listening():
        running.close()
        running.start()
    return running


@pytest.fixture
def api(server: RunningServer, ctx: ServiceContext, request: pytest.FixtureRequest) -> Iterator[Api]:
    """A separate account for every test."""
    with open_account(server, ctx, request.node.name) as account:
        yield account


@pytest.fixture
def page(browser: Browser, server: RunningServer, api: Api) -> Iterator[Page]:
    """A logged-in page on a desktop screen."""
    with visit(browser, server, api, Visit(size=DESKTOP)) as shown:
        yield shown


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A file of four chunks."""
    path = tmp_path / "film.bin"
    path.write_bytes(os.urandom(3 * CHUNK + 17))
    return path
