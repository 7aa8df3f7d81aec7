"""Clients of two accounts."""

import pytest
from tests.server.api import new_account
from tests.server.in_process import TestClient
from tests.server.nextcloud.app import CloudApp

from skyshelf.service.context import ServiceContext


@pytest.fixture
def cloud(client: TestClient, ctx: ServiceContext) -> CloudApp:
    return CloudApp(client, ctx, new_account(ctx, "ada@example.org"))


@pytest.fixture
def stranger(client: TestClient, ctx: ServiceContext) -> CloudApp:
    return CloudApp(client, ctx, new_account(ctx, "grace@example.org", first_name="Grace"))
