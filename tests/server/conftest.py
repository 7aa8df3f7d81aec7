"""The whole application in process, over SQLite and files in a temporary folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from starlette.applications import Starlette
from starlette.testclient import TestClient
from tests.real_parts.migrated_sqlite import put_migrated
from tests.server.api import Api, HeldClock, logged_in, new_account
from tests.server.identities import OFFERED

from skyshelf.server.app import ServerSettings, app_for
from skyshelf.server.application import SkyshelfApp
from skyshelf.service.accounts import passwords
from skyshelf.service.context import ServiceContext
from skyshelf.service.mail_settings import mail_settings
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata


@pytest.fixture(autouse=True)
def cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hundreds of logins would spend minutes on hashing; what a hash really costs is looked at in tests/service."""
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    passwords._nobodys_hash.cache_clear()
    yield
    passwords._nobodys_hash.cache_clear()


@pytest.fixture(autouse=True)
def prompt_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests are refused far more often than any client; what holds refusals back is tested beside it."""
    monkeypatch.setattr("skyshelf.server.http.admission.refusals.DELAY_SECONDS", 0.0)


@pytest.fixture
def clock() -> HeldClock:
    """The clock of the service; tests move it."""
    return HeldClock()


@pytest.fixture
def settings(tmp_path: Path) -> ServerSettings:
    put_migrated(tmp_path)
    metadata, blobs = embedded_urls(tmp_path)
    # Nobody listens there, and nothing is sent: the application runs without background jobs.
    mail = mail_settings("smtp://localhost:1", sender=None, password=None, public_url="https://drive.example.org")
    return ServerSettings(metadata=metadata, blobs=blobs, mail=mail)


@pytest.fixture
def ctx(settings: ServerSettings, clock: HeldClock) -> Iterator[ServiceContext]:
    """Stores that are fresh for every test; closed by the application's own end, or else here."""
    ctx = ServiceContext(
        metadata=open_metadata(settings.metadata),
        blobs=open_blobs(settings.blobs),
        clock=clock,
        rules=settings.rules,
        mail=settings.mail,
        providers=OFFERED,
    )
    yield ctx
    ctx.metadata.close()
    ctx.blobs.close()


@pytest.fixture
def app(ctx: ServiceContext, settings: ServerSettings) -> SkyshelfApp:
    return app_for(ctx, settings)


@pytest.fixture
def client(app: Starlette) -> Iterator[TestClient]:
    """Sends exactly what a test says, and neither follows redirects nor keeps cookies of other tests."""
    with TestClient(app, follow_redirects=False, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def anonymous(client: TestClient) -> TestClient:
    """Somebody without a session."""
    return client


@pytest.fixture
def api(client: TestClient, ctx: ServiceContext) -> Api:
    """A logged-in client of a fresh account."""
    return logged_in(client, ctx, new_account(ctx, "ada@example.org"))


@pytest.fixture
def other_api(client: TestClient, ctx: ServiceContext) -> Api:
    """A logged-in client of a second account."""
    return logged_in(client, ctx, new_account(ctx, "grace@example.org", first_name="Grace"))


@pytest.fixture
def carol(client: TestClient, ctx: ServiceContext) -> Api:
    """A third person, for boards."""
    return logged_in(client, ctx, new_account(ctx, "carol@example.org", first_name="Carol"))
