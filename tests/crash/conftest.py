"""What the crash tests share: how many rounds, and from which seed."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crash.campaign import Campaign


@pytest.fixture(scope="session")
def crash_rounds(pytestconfig: pytest.Config) -> int:
    rounds: int = pytestconfig.getoption("--crash-rounds")
    return rounds


@pytest.fixture(scope="session")
def crash_seed(pytestconfig: pytest.Config) -> int:
    """Given, or new; every failure and the summary name it."""
    given: int | None = pytestconfig.getoption("--crash-seed")
    return secrets.randbelow(1_000_000) if given is None else given


@pytest.fixture
def campaign(tmp_path: Path, crash_seed: int) -> Iterator[Campaign]:
    running = Campaign(tmp_path / "data", crash_seed)
    yield running
    running.close()
