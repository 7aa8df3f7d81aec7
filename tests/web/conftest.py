"""A real browser in front of a real server, with an account that holds a bit of everything."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from tests.end_to_end.browser import chromium
from tests.server.api import Api
from tests.server.running import RunningServer, opened
from tests.web.uploading import CHUNK
from tests.web.visiting import DESKTOP, Visit, open_account, visit

from skyshelf.service.house import House


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One for all tests of the package; each comes with a window that knows nothing of the others."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="package")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    started = RunningServer(tmp_path_factory.mktemp("drive") / "data")
    try:
        started.start()
        yield started
    finally:
        started.close()


@pytest.fixture(scope="package")
def house(running: RunningServer) -> Iterator[House]:
    """The stores of the server, from this side."""
    with opened(running.data) as stores:
        yield stores


@pytest.fixture
def server(running: RunningServer) -> RunningServer:
    """A server that is there when a test begins, whatever the test before has done to it."""
    if not running.is_listening():
        running.close()
        running.start()
    return running


@pytest.fixture
def api(server: RunningServer, house: House, request: pytest.FixtureRequest) -> Iterator[Api]:
    """An account of its own for every test: what it puts there, no other test meets."""
    with open_account(server, house, request.node.name) as account:
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
