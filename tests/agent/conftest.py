"""A real server, an account on it, and the entry points for calls."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.agent.entry_points import ENTRY_POINTS, CallTool
from tests.agent.shelf import Shelf
from tests.client.conftest import client_host, ignore_user_settings, person
from tests.client.serving import Person

from skyshelf.client.sync_client import Client

__all__ = ["client_host", "ignore_user_settings", "person"]


@pytest.fixture
def shelf(person: Person, tmp_path: Path) -> Iterator[Shelf]:
    """The account of a test, accessed without the bridge."""
    with Client(**person.settings, retry_wait=0.01) as client:
        yield Shelf(client, tmp_path)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder that downloads may go to."""
    folder = tmp_path / "downloads"
    folder.mkdir()
    return folder


@pytest.fixture(params=list(ENTRY_POINTS))
def call_tool(request: pytest.FixtureRequest, person: Person, root: Path) -> Iterator[CallTool]:
    """Calls a tool, through every entry point in turn."""
    with ENTRY_POINTS[request.param](person, root) as opened:
        yield opened


@pytest.fixture
def library(person: Person, root: Path) -> Iterator[CallTool]:
    """Calls a tool through the bridge, for tests that do not depend on the entry point."""
    with ENTRY_POINTS["library"](person, root) as opened:
        yield opened
