"""A real browser in front of a real server, with an account that holds a bit of everything."""

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
    """One for all tests of the package; each comes with a window that knows nothing of the others."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="package")
def stacks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stacks]:
    with ExitStack() as until:
        yield Stacks(tmp_path_factory.mktemp, until)


@pytest.fixture
def stack(stacks: Stacks, web_backend: str) -> Stack:
    """The one that this test runs on."""
    return stacks[web_backend]


@pytest.fixture
def ctx(stack: Stack) -> ServiceContext:
    """The stores of the server, from this side."""
    return stack.ctx


@pytest.fixture
def server(stack: Stack) -> RunningServer:
    """A server that is there when a test begins, whatever the test before has done to it."""
    [running] = stack.servers
    if not running.is_listening():
        running.close()
        running.start()
    return running


@pytest.fixture
def api(server: RunningServer, ctx: ServiceContext, request: pytest.FixtureRequest) -> Iterator[Api]:
    """An account of its own for every test: what it puts there, no other test meets."""
    with open_account(server, ctx, request.node.name) as account:
        yield account


@pytest.fixture
def page(browser: Browser, server: RunningServer, api: Api) -> Iterator[Page]:
    """A logged-in page of the size of a desktop."""
    with visit(browser, server, api, Visit(size=DESKTOP)) as shown:
        yield shown


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A file of four chunks."""
    path = tmp_path / "film.bin"
    path.write_bytes(os.urandom(3 * CHUNK + 17))
    return path
