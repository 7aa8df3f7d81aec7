"""A server in process that offers logins through a provider which does what the test says."""

from collections.abc import Iterator
from typing import Any

import pytest
from joserfc import jwk
from tests.real_parts.scripted_provider import CLIENT, SECRET, ScriptedProvider, new_key, scripted_provider
from tests.server.api import HeldClock
from tests.server.in_process import TestClient
from tests.server.oidc.browser import Browser

from skyshelf.server.app import ServerSettings, app_for
from skyshelf.service.context import ServiceContext, SystemClock
from skyshelf.service.oidc.relying_party import Parties
from skyshelf.service.oidc.settings import Provider
from skyshelf.storage.open import open_blobs, open_metadata


@pytest.fixture(scope="package")
def key() -> jwk.RSAKey:
    return new_key()


@pytest.fixture
def provider(key: jwk.RSAKey) -> Iterator[ScriptedProvider]:
    with scripted_provider(key) as running:
        yield running


@pytest.fixture
def chosen() -> dict[str, Any]:
    """What the operator has set besides; a test changes it before anything is sent."""
    return {"new_accounts": True}


@pytest.fixture
def clock() -> HeldClock:
    """Begins now: the provider has a clock of its own."""
    return HeldClock(SystemClock().now())


@pytest.fixture
def ctx(
    settings: ServerSettings, provider: ScriptedProvider, chosen: dict[str, Any], clock: HeldClock
) -> Iterator[ServiceContext]:
    given = {
        "id": "company",
        "name": "Company",
        "issuer": provider.issuer,
        "client_id": CLIENT,
        "client_secret": SECRET,
        **chosen,
    }
    ctx = ServiceContext(
        metadata=open_metadata(settings.metadata),
        blobs=open_blobs(settings.blobs),
        clock=clock,
        providers=Parties([Provider(**given)]),
    )
    yield ctx
    ctx.metadata.close()
    ctx.blobs.close()


@pytest.fixture
def browser(ctx: ServiceContext, settings: ServerSettings, provider: ScriptedProvider) -> Iterator[Browser]:
    with TestClient(app_for(ctx, settings), follow_redirects=False, raise_server_exceptions=False) as client:
        yield Browser(client, provider)
