"""Apps of two accounts."""

import pytest
from tests.server.api import new_account
from tests.server.dav.app import DavApp
from tests.server.in_process import TestClient

from skyshelf.service.context import ServiceContext


@pytest.fixture
def dav(client: TestClient, ctx: ServiceContext) -> DavApp:
    return DavApp(client, ctx, new_account(ctx, "ada@example.org"))


@pytest.fixture
def stranger(client: TestClient, ctx: ServiceContext) -> DavApp:
    return DavApp(client, ctx, new_account(ctx, "grace@example.org", first_name="Grace"))
