"""Throttles: failures close a bucket for longer each time, and no count is ever lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conformance.metadata.making import NOW, in_parallel

from skyshelf.storage.metadata.contracts.accounts import ThrottleRule
from skyshelf.storage.metadata.store import MetadataStore

pytestmark = pytest.mark.backend

RULE = ThrottleRule(free_failures=3, first_pause=1000, longest_pause=10_000, memory=60_000)
BUCKET = b"digest of an address"


def fail(store: MetadataStore, now: int, bucket: bytes = BUCKET, rule: ThrottleRule = RULE) -> int:
    return store.write(lambda unit: unit.throttles.failed(bucket, now, rule))


def admit(store: MetadataStore, now: int, bucket: bytes = BUCKET, rule: ThrottleRule = RULE) -> int:
    return store.write(lambda unit: unit.throttles.admit(bucket, now, rule))


def closed_until(store: MetadataStore, now: int, *buckets: bytes) -> int:
    with store.read() as unit:
        return unit.throttles.closed_until(buckets or (BUCKET,), now)


@given(
    failures=st.integers(0, 10_000),
    free=st.integers(0, 20),
    first=st.integers(1, 10_000),
    longest=st.integers(1, 10**9),
)
def test_pauses_double_from_the_first_to_the_longest(failures: int, free: int, first: int, longest: int) -> None:
    rule = ThrottleRule(free_failures=free, first_pause=first, longest_pause=longest, memory=1)
    pause = rule.pause_after(failures)
    if failures <= free:
        assert pause == 0
    elif failures == free + 1:
        assert pause == min(first, longest)
    else:
        assert pause == min(2 * rule.pause_after(failures - 1), longest)


def test_free_failures_cost_nothing_and_each_further_one_twice_as_much(store: MetadataStore) -> None:
    closed = [fail(store, NOW) - NOW for _ in range(8)]
    assert closed == [-NOW, -NOW, -NOW, 1000, 2000, 4000, 8000, 10_000]
    assert closed_until(store, NOW) == NOW + 10_000


def test_a_bucket_opens_at_the_end_of_its_pause(store: MetadataStore) -> None:
    for _ in range(4):
        fail(store, NOW)
    assert closed_until(store, NOW + 999) == NOW + 1000
    assert closed_until(store, NOW + 1000) == 0


def test_of_several_buckets_the_one_that_is_closed_longest_counts(store: MetadataStore) -> None:
    for _ in range(4):
        fail(store, NOW, b"account")
    for _ in range(5):
        fail(store, NOW, b"address")
    assert closed_until(store, NOW, b"account", b"address", b"unknown") == NOW + 2000
    assert closed_until(store, NOW, b"account") == NOW + 1000
    assert closed_until(store, NOW, b"unknown") == 0
    with store.read() as unit:
        assert unit.throttles.closed_until([], NOW) == 0


def test_a_later_failure_never_shortens_a_pause(store: MetadataStore) -> None:
    strict = ThrottleRule(free_failures=0, first_pause=5000, longest_pause=5000, memory=60_000)
    mild = ThrottleRule(free_failures=0, first_pause=10, longest_pause=10, memory=60_000)
    fail(store, NOW, rule=strict)
    assert fail(store, NOW, rule=mild) == NOW + 5000


def test_success_forgets_the_failures_of_that_bucket_alone(store: MetadataStore) -> None:
    for _ in range(5):
        fail(store, NOW, b"one")
        fail(store, NOW, b"two")
    store.write(lambda unit: unit.throttles.succeeded(b"one"))
    store.write(lambda unit: unit.throttles.succeeded(b"unknown"))
    assert closed_until(store, NOW, b"one") == 0
    assert closed_until(store, NOW, b"two") == NOW + 2000
    assert fail(store, NOW, b"one") == 0


def test_failures_are_forgotten_after_a_quiet_time(store: MetadataStore) -> None:
    for _ in range(5):
        fail(store, NOW)
    assert fail(store, NOW + 60_000) > 0, "within the memory the counting goes on"
    assert [fail(store, NOW + 200_000) for _ in range(4)] == [0, 0, 0, NOW + 201_000]


def test_failures_are_not_forgotten_while_the_bucket_is_closed(store: MetadataStore) -> None:
    long = ThrottleRule(free_failures=0, first_pause=10_000, longest_pause=100_000, memory=1)
    fail(store, NOW, rule=long)
    assert fail(store, NOW + 5000, rule=long) == NOW + 25_000


def test_an_attempt_counts_before_it_is_judged(store: MetadataStore) -> None:
    assert [admit(store, NOW) for _ in range(4)] == [0, 0, 0, 0]
    assert admit(store, NOW) == NOW + 1000


def test_an_attempt_on_a_closed_bucket_is_refused_and_not_counted(store: MetadataStore) -> None:
    for _ in range(4):
        admit(store, NOW)
    assert [admit(store, NOW + 10) for _ in range(20)] == [NOW + 1000] * 20
    assert admit(store, NOW + 1000) == 0, "after the pause one attempt is let through"
    assert admit(store, NOW + 1000) == NOW + 3000, "and closes the bucket for twice as long"


def test_many_failures_at_once_are_all_counted(store: MetadataStore) -> None:
    rule = ThrottleRule(free_failures=0, first_pause=1, longest_pause=10**12, memory=60_000)
    in_parallel(16, lambda _: fail(store, NOW, rule=rule))
    assert closed_until(store, NOW) == NOW + 2**15


def test_of_many_attempts_at_once_only_the_free_ones_and_one_more_pass(store: MetadataStore) -> None:
    answers = in_parallel(16, lambda _: admit(store, NOW))
    assert sorted(answers) == [0] * 4 + [NOW + 1000] * 12


def test_a_sweep_forgets_what_is_old_and_open(store: MetadataStore) -> None:
    for number in range(4):
        fail(store, NOW - 100, b"old %d" % number)
    long = ThrottleRule(free_failures=0, first_pause=10_000, longest_pause=10_000, memory=1)
    fail(store, NOW - 100, b"closed", rule=long)
    fail(store, NOW, b"new")
    assert store.write(lambda unit: unit.throttles.sweep(NOW, 3)) == 3
    assert store.write(lambda unit: unit.throttles.sweep(NOW, 3)) == 1
    assert store.write(lambda unit: unit.throttles.sweep(NOW, 3)) == 0
    assert closed_until(store, NOW, b"closed") == NOW + 9900
