"""Steps of one size, for tests that stop between them."""

import pytest

from skyshelf.service.jobs import adaptive_batches


def hold_pace(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    for name in ("FIRST", "LEAST", "MOST"):
        monkeypatch.setattr(adaptive_batches, name, size)
