"""A service without HTTP on both stacks: SQLite with files, and PostgreSQL with S3."""

from collections.abc import Callable, Iterator
from pathlib import Path
from secrets import token_hex

import pytest
from argon2 import PasswordHasher
from tests.operating.full_disks import Full, full_disk
from tests.operating.stacks import BUCKET, STACKS, Stack
from tests.real_parts import shared
from tests.real_parts.postgres import PostgresServer
from tests.real_parts.seaweedfs import ACCESS_KEY, SECRET_KEY, SeaweedFS

from skyshelf.service.accounts import passwords


@pytest.fixture(autouse=True)
def cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


@pytest.fixture(scope="session")
def postgres_server() -> Callable[[], PostgresServer]:
    return shared.postgres


@pytest.fixture(scope="session")
def seaweedfs() -> Callable[[], SeaweedFS]:
    return shared.seaweedfs


@pytest.fixture(params=list(STACKS))
def stack(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    postgres_server: Callable[[], PostgresServer],
    seaweedfs: Callable[[], SeaweedFS],
) -> Iterator[Stack]:
    """Empty, migrated stores of each kind, and a service context over them."""
    with STACKS[request.param](tmp_path / "data", monkeypatch, postgres_server, seaweedfs) as stack:
        yield stack


@pytest.fixture
def embedded(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    postgres_server: Callable[[], PostgresServer],
    seaweedfs: Callable[[], SeaweedFS],
) -> Iterator[Stack]:
    """The embedded stack alone, for what does not depend on the stores."""
    with STACKS["sqlite+disk"](tmp_path / "data", monkeypatch, postgres_server, seaweedfs) as stack:
        yield stack


@pytest.fixture
def bucket(seaweedfs: Callable[[], SeaweedFS], monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """New, empty prefixes of a bucket, as destinations or for blobs."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", ACCESS_KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET_KEY)

    def prefix() -> str:
        seaweedfs().make_bucket(BUCKET)
        return f"s3://{BUCKET}/{token_hex(8)}?endpoint={seaweedfs().endpoint}"

    return prefix


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Full]:
    with full_disk(tmp_path / "disk") as full:
        yield full
