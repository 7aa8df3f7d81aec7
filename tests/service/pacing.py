"""Steps of one size, for tests that stop between them."""

import pytest

from skyshelf.service import adaptive_steps


def hold_pace(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    for name in ("FIRST", "LEAST", "MOST"):
        monkeypatch.setattr(adaptive_steps, name, size)
