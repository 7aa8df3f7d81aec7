"""The whole application in process, over SQLite and files in a temporary folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from tests.real_parts.migrated_sqlite import put_migrated
from tests.server.api import Api, HeldClock, logged_in, new_account
from tests.server.furnished import Furnished, Snapshot, context_for, restored, settings_for, snapshot
from tests.server.in_process import TestClient

from skyshelf.server.app import ServerSettings, SkyshelfApp, app_for
from skyshelf.service.accounts import passwords
from skyshelf.service.context import ServiceContext


@pytest.fixture(autouse=True)
def cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hundreds of logins would spend minutes on hashing; what a hash really costs is looked at in tests/service."""
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    passwords.nobodys_hash.cache_clear()
    yield
    passwords.nobodys_hash.cache_clear()


@pytest.fixture(autouse=True)
def prompt_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests are refused far more often than any client; what holds refusals back is tested beside it."""
    monkeypatch.setattr("skyshelf.server.pipeline.admission.admission.DELAY_SECONDS", 0.0)


@pytest.fixture
def clock() -> HeldClock:
    """The clock of the service; tests move it."""
    return HeldClock()


@pytest.fixture
def settings(tmp_path: Path) -> ServerSettings:
    put_migrated(tmp_path)
    return settings_for(tmp_path)


@pytest.fixture
def ctx(settings: ServerSettings, clock: HeldClock) -> Iterator[ServiceContext]:
    """Stores that are fresh for every test; closed by the application's own end, or else here."""
    ctx = context_for(settings, clock)
    yield ctx
    ctx.metadata.close()
    ctx.blobs.close()


@pytest.fixture
def app(ctx: ServiceContext, settings: ServerSettings) -> SkyshelfApp:
    return app_for(ctx, settings)


@pytest.fixture
def client(app: SkyshelfApp) -> Iterator[TestClient]:
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


@pytest.fixture(scope="session")
def two_furnished(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """Two accounts with one of everything, for tests that copy them."""
    return snapshot(tmp_path_factory.mktemp("furnished"), "ada", "grace")


@pytest.fixture
def furnished_pair(two_furnished: Snapshot, tmp_path: Path, clock: HeldClock) -> Iterator[list[Furnished]]:
    """Two furnished accounts in one fresh application."""
    with restored(two_furnished, tmp_path, clock) as pair:
        yield pair


@pytest.fixture
def furnished_account(furnished_pair: list[Furnished]) -> Furnished:
    """The first of them, for a test to which the other does not matter."""
    return furnished_pair[0]
