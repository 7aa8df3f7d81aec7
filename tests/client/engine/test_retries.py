"""When a request is repeated, and after which wait."""

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from skyshelf.client.engine.retries import Retries, RetryPolicy, parse_retry_after
from skyshelf.client.errors import (
    ConflictError,
    IntegrityError,
    NetworkError,
    RateLimitError,
    RedirectRefusedError,
    RequestFailedError,
    ServerError,
)

POLICY = RetryPolicy()
NOW = datetime(2026, 5, 6, 7, 8, 9, tzinfo=UTC)


def middle() -> float:
    return 0.5


@pytest.mark.parametrize(("attempt", "seconds"), [(0, 1.5), (1, 3.0), (2, 6.0)])
def test_each_wait_is_twice_the_one_before(attempt: int, seconds: float) -> None:
    assert POLICY.delay(ServerError("x"), attempt, repeatable=True, noise=middle) == pytest.approx(seconds)


def test_there_are_three_repetitions_and_no_more() -> None:
    assert POLICY.delay(ServerError("x"), 2, repeatable=True) is not None
    assert POLICY.delay(ServerError("x"), 3, repeatable=True) is None


def test_waits_are_exact_unless_they_are_to_lie_apart() -> None:
    assert [POLICY.delay(ServerError("x"), 0, repeatable=True) for _ in range(3)] == [1.5] * 3
    spread = RetryPolicy(jitter=0.2)
    low = spread.delay(ServerError("x"), 0, repeatable=True, noise=lambda: 0.0)
    high = spread.delay(ServerError("x"), 0, repeatable=True, noise=lambda: 1.0)
    assert low == pytest.approx(1.2)
    assert high == pytest.approx(1.8)


@pytest.mark.parametrize("error", [ConflictError("x"), RedirectRefusedError("x")])
def test_only_throttling_server_faults_and_the_network_are_repeated(error: RequestFailedError) -> None:
    assert POLICY.delay(error, 0, repeatable=True) is None


@pytest.mark.parametrize(
    ("error", "is_sent_again"),
    [
        (RateLimitError("x"), True),
        (NetworkError("refused", may_have_happened=False), True),
        (NetworkError("reset"), False),
        (ServerError("x", status=503), False),
    ],
)
def test_what_must_not_happen_twice_is_repeated_only_when_it_certainly_did_not_happen(
    error: RequestFailedError, is_sent_again: bool
) -> None:
    assert (POLICY.delay(error, 0, repeatable=False) is not None) is is_sent_again


def test_the_servers_own_wait_is_respected_and_never_cut_short() -> None:
    assert POLICY.delay(RateLimitError("x", retry_after=7.0), 0, repeatable=True) == 7.0


def test_a_server_that_asks_for_hours_is_asked_again_after_the_longest_wait() -> None:
    assert POLICY.delay(RateLimitError("x", retry_after=7200.0), 0, repeatable=True) == 60.0
    patient = RetryPolicy(retry_after_max=600.0)
    assert patient.delay(ServerError("x", status=503, retry_after=7200.0), 2, repeatable=True) == 600.0


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("0", 0.0),
        ("120", 120.0),
        (" 3 ", 3.0),
        ("Wed, 06 May 2026 07:08:39 GMT", 30.0),
        ("Wed, 06 May 2026 07:00:00 GMT", 0.0),
        ("-1", None),
        ("soon", None),
        ("", None),
        (None, None),
        ("9" * 400, 999_999_999.0),
    ],
)
def test_retry_after_is_seconds_or_a_date(header: str | None, seconds: float | None) -> None:
    assert parse_retry_after(header, lambda: NOW) == seconds


def test_a_policy_can_be_extended_by_errors_that_are_retried_at_once_or_after_the_usual_wait() -> None:
    extended = replace(
        POLICY, errors=(IntegrityError,), codes=frozenset({"LOST"}), busy_codes=frozenset({"BUSY"}), retries=1
    )
    assert extended.delay(IntegrityError("x"), 0, repeatable=True) == 0.0
    assert extended.delay(ConflictError("x", code="LOST"), 0, repeatable=True) == 0.0
    assert extended.delay(ConflictError("x", code="BUSY"), 0, repeatable=True, noise=middle) == pytest.approx(1.5)
    assert extended.delay(ConflictError("x", code="OTHER"), 0, repeatable=True) is None
    assert extended.delay(IntegrityError("x"), 1, repeatable=True) is None
    assert POLICY.delay(IntegrityError("x"), 0, repeatable=True) is None


def test_progress_starts_the_count_again() -> None:
    retries = Retries(RetryPolicy(retries=2, wait=0.0))
    assert [retries.delay_after(ServerError("x")) for _ in range(3)] == [0.0, 0.0, None]
    retries.progressed()
    assert retries.delay_after(ServerError("x")) == 0.0
