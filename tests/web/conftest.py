"""A real browser in front of a real server, with an account that holds a bit of everything."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from tests.end_to_end.browser import chromium
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.web.visiting import DESKTOP, Visit, open_account, visit


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    started = RunningServer(tmp_path_factory.mktemp("drive") / "data")
    started.start()
    yield started
    started.stop()


@pytest.fixture
def api(server: RunningServer, request: pytest.FixtureRequest) -> Iterator[Api]:
    """An account of its own for every test: what it puts there, no other test meets."""
    with open_account(server, request.node.name) as opened:
        yield opened


@pytest.fixture
def page(browser: Browser, server: RunningServer, api: Api) -> Iterator[Page]:
    """A logged-in page of the size of a desktop."""
    with visit(browser, server, api, Visit(size=DESKTOP)) as opened:
        yield opened
