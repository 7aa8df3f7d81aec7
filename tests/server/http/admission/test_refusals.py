"""Refusals: the first ones come at once, those of a caller who does not listen are held back."""

import pytest

from skyshelf.server.pipeline.admission.admission import CALLERS_KEPT, DELAY_SECONDS, FREE, WINDOW_SECONDS, Refusals


@pytest.fixture(autouse=True)
def prompt_refusals() -> None:
    """Here they are held back."""


def test_only_a_caller_with_many_refusals_waits_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    of = Refusals()
    assert [of.delay("192.0.2.1") for _ in range(FREE + 2)] == [0.0] * FREE + [DELAY_SECONDS] * 2
    assert of.delay(1) == 0.0
    clock[0] += WINDOW_SECONDS + 1
    assert of.delay("192.0.2.1") == 0.0


def test_callers_are_not_remembered_without_bound() -> None:
    of = Refusals()
    for number in range(3 * CALLERS_KEPT):
        of.delay(number)
    assert len(of._counts) <= CALLERS_KEPT + 1
