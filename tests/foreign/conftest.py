"""One foreign server for all tests of a module, and no settings of the user who runs them."""

from collections.abc import Iterator

import pytest
from tests.client.conftest import ignore_user_settings
from tests.foreign.server import ForeignServer, foreign_server

__all__ = ["ignore_user_settings"]


@pytest.fixture(scope="module")
def foreign() -> Iterator[ForeignServer]:
    with foreign_server() as server:
        yield server
