"""The outbox: what was asked for runs at least once afterwards, and never in two hands at a time."""

from functools import partial
from itertools import count
from threading import Event

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conformance.metadata.making import NOW, in_parallel, make_account
from tests.examples import examples

from skyshelf.storage.metadata.contracts.jobs import Job
from skyshelf.storage.metadata.store import MetadataStore, Unit

pytestmark = pytest.mark.backend

LEASE = 1000
_tokens = count(1)


def put(
    store: MetadataStore, subject: str = "album", *, kind: str = "purge", payload: bytes = b"", run_at: int = NOW
) -> None:
    store.write(lambda unit: unit.outbox.put(kind, subject, payload, run_at))


def claim(store: MetadataStore, now: int = NOW, *, kinds: tuple[str, ...] = ("purge",)) -> Job | None:
    lease = f"lease {next(_tokens)}"
    return store.write(lambda unit: unit.outbox.claim(kinds, now, lease=lease, lease_until=now + LEASE))


def claimed(store: MetadataStore, now: int = NOW) -> Job:
    job = claim(store, now)
    assert job is not None
    return job


def done(store: MetadataStore, job: Job) -> bool:
    return store.write(lambda unit: unit.outbox.done(job))


def failed(store: MetadataStore, job: Job, error: str = "no luck", *, retry_at: int) -> bool:
    return store.write(lambda unit: unit.outbox.failed(job, error, retry_at))


def test_a_job_arrives_as_it_was_put(store: MetadataStore) -> None:
    put(store, "Ä 📷", payload=b"\x00\xff")
    job = claimed(store)
    assert (job.kind, job.subject, job.payload, job.attempts) == ("purge", "Ä 📷", b"\x00\xff", 1)
    assert done(store, job)
    assert claim(store, NOW + 10 * LEASE) is None


def test_a_job_waits_for_its_time(store: MetadataStore) -> None:
    put(store, run_at=NOW + 5)
    assert claim(store, NOW + 4) is None
    assert claim(store, NOW + 5) is not None


def test_jobs_are_claimed_in_the_order_they_are_due(store: MetadataStore) -> None:
    for subject, run_at in (("third", NOW), ("first", NOW - 2), ("second", NOW - 1), ("fourth", NOW)):
        put(store, subject, run_at=run_at)
    assert [claimed(store).subject for _ in range(4)] == ["first", "second", "third", "fourth"]


def test_a_worker_gets_only_the_kinds_it_asked_for(store: MetadataStore) -> None:
    put(store, kind="thumbnail")
    assert claim(store, kinds=("purge", "sweep")) is None
    assert claim(store, kinds=()) is None
    assert claim(store, kinds=("purge", "thumbnail")) is not None


def test_a_job_exists_only_if_its_cause_was_committed(store: MetadataStore) -> None:
    def put_and_fail(unit: Unit) -> None:
        unit.outbox.put("purge", "album", b"", NOW)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.write(put_and_fail)
    assert claim(store) is None


def test_the_same_job_put_twice_while_it_waits_runs_once_with_the_last_payload(store: MetadataStore) -> None:
    put(store, payload=b"first")
    put(store, payload=b"second")
    put(store, "another album", payload=b"other")
    put(store, kind="sweep", payload=b"other kind")
    job = claimed(store)
    assert (job.subject, job.payload) == ("album", b"second")
    assert claimed(store).subject == "another album"
    assert claim(store) is None


@pytest.mark.parametrize("times", [(NOW + 10, NOW + 20), (NOW + 20, NOW + 10)])
def test_the_earlier_time_wins(store: MetadataStore, times: tuple[int, int]) -> None:
    for run_at in times:
        put(store, run_at=run_at)
    assert claim(store, NOW + 9) is None
    assert done(store, claimed(store, NOW + 10))
    assert claim(store, NOW + 20) is None


def test_a_job_that_is_put_while_it_is_worked_on_runs_once_more_afterwards(store: MetadataStore) -> None:
    put(store, payload=b"before")
    job = claimed(store)
    put(store, payload=b"later", run_at=NOW + 9)
    put(store, payload=b"latest", run_at=NOW + 5)
    put(store, payload=b"latest", run_at=NOW + 7)
    assert claim(store, NOW + 9) is None, "the first run has not ended"
    assert done(store, job)
    assert claim(store, NOW + 4) is None
    again = claimed(store, NOW + 5)
    assert (again.payload, again.attempts) == (b"latest", 1)
    assert done(store, again)
    assert claim(store, NOW + 100 * LEASE) is None


def test_a_failed_job_is_tried_again_at_its_time_and_counts_its_attempts(store: MetadataStore) -> None:
    put(store)
    assert failed(store, claimed(store), retry_at=NOW + 50)
    assert claim(store, NOW + 49) is None
    again = claimed(store, NOW + 50)
    assert again.attempts == 2
    assert done(store, again)


def test_a_failed_job_that_was_queued_again_is_retried_at_the_earlier_time(store: MetadataStore) -> None:
    for asked, retry, due in ((NOW + 5, NOW + 50, NOW + 5), (NOW + 90, NOW + 50, NOW + 50)):
        put(store)
        job = claimed(store)
        put(store, run_at=asked)
        assert failed(store, job, retry_at=retry)
        assert claim(store, due - 1) is None
        assert done(store, claimed(store, due))
        assert claim(store, NOW + 1000) is None


def test_a_new_wish_brings_a_failed_job_forward(store: MetadataStore) -> None:
    put(store)
    assert failed(store, claimed(store), retry_at=NOW + 50)
    put(store, run_at=NOW + 1)
    assert claimed(store, NOW + 1).attempts == 2


def test_a_lease_that_ran_out_lets_another_worker_in_and_the_first_one_out(store: MetadataStore) -> None:
    put(store)
    slow = claimed(store)
    assert claim(store, NOW + LEASE - 1) is None
    quick = claimed(store, NOW + LEASE)
    assert quick.attempts == 2
    assert not done(store, slow)
    assert not failed(store, slow, retry_at=NOW)
    assert not store.write(lambda unit: unit.outbox.extend(slow, NOW + 99 * LEASE))
    assert claim(store, NOW + LEASE) is None, "what the first one said had no effect"
    assert done(store, quick)
    assert claim(store, NOW + 99 * LEASE) is None


def test_what_was_put_while_a_crashed_worker_had_the_job_is_not_lost(store: MetadataStore) -> None:
    put(store, payload=b"old")
    claimed(store)
    put(store, payload=b"new")
    after_the_crash = claimed(store, NOW + LEASE)
    assert after_the_crash.payload == b"new"
    assert done(store, after_the_crash)
    assert claim(store, NOW + 99 * LEASE) is None, "that run came after the wish, so the wish is fulfilled"


def test_a_slow_worker_that_was_not_replaced_still_finishes_its_job(store: MetadataStore) -> None:
    put(store)
    job = claimed(store)
    put(store, run_at=NOW + 3 * LEASE)
    assert done(store, job)
    assert claim(store, NOW + 3 * LEASE - 1) is None
    assert claim(store, NOW + 3 * LEASE) is not None


def test_an_extended_lease_keeps_others_out(store: MetadataStore) -> None:
    put(store)
    job = claimed(store)
    assert store.write(lambda unit: unit.outbox.extend(job, NOW + 5 * LEASE))
    assert claim(store, NOW + 5 * LEASE - 1) is None
    assert claim(store, NOW + 5 * LEASE) is not None


def test_nothing_can_be_said_about_a_job_twice(store: MetadataStore) -> None:
    put(store)
    job = claimed(store)
    assert done(store, job)
    assert not done(store, job)
    assert not failed(store, job, retry_at=NOW)
    put(store)
    assert not done(store, job), "the same wish again is not the old job"
    assert claim(store) is not None


def test_errors_are_reported_until_the_job_succeeds(store: MetadataStore) -> None:
    put(store, "once")
    put(store, "twice")
    assert failed(store, claimed(store), "half \ud800 and \0", retry_at=NOW + 50)
    assert failed(store, claimed(store), "bad disk", retry_at=NOW + 1)
    assert failed(store, claimed(store, NOW + 1), "bad disk again", retry_at=NOW + 2)
    with store.read() as unit:
        errors = unit.outbox.errors(10)
        assert unit.outbox.errors(1) == errors[:1]
    assert errors[0] == ("purge", "twice", 2, "bad disk again")
    assert errors[1][:3] == ("purge", "once", 1)
    assert errors[1][3].startswith("half")
    assert done(store, claimed(store, NOW + 2))
    with store.read() as unit:
        assert [subject for _, subject, _, _ in unit.outbox.errors(10)] == ["once"]


def test_many_claimers_at_once_never_get_the_same_job(store: MetadataStore) -> None:
    for number in range(40):
        put(store, f"album {number}")

    def work(_number: int) -> list[str]:
        subjects = []
        while job := claim(store):
            subjects.append(job.subject)
        return subjects

    found = [subject for subjects in in_parallel(8, work) for subject in subjects]
    assert sorted(found) == sorted(f"album {number}" for number in range(40))


def test_of_two_claims_of_the_only_job_one_gets_it(store: MetadataStore) -> None:
    for round_number in range(20):
        put(store, f"album {round_number}")
        answers = in_parallel(2, lambda _: claim(store))
        assert len([job for job in answers if job is not None]) == 1


def test_workers_and_writers_at_once_lose_no_wish(store: MetadataStore) -> None:
    """Each wish comes with a new value in the same commit; some run that ended well saw the last value."""
    account = make_account(store)
    writing = 2
    workers_may_stop = Event()
    seen: list[str] = []

    def write(unit: Unit, value: str) -> None:
        unit.accounts.set_names(account.account_id, first_name=value, last_name="", now=NOW)
        unit.outbox.put("purge", "album", b"", NOW)

    def current_value() -> str:
        with store.read() as unit:
            return unit.accounts.by_id(account.account_id).first_name

    def run_one() -> bool:
        job = claim(store)
        if job is None:
            return False
        value = current_value()
        assert done(store, job)
        seen.append(value)
        return True

    def write_or_work(number: int) -> None:
        if number < writing:
            for step in range(20):
                store.write(partial(write, value=f"{number}-{step}"))
            workers_may_stop.set()
        else:
            while run_one() or not workers_may_stop.is_set():
                pass

    in_parallel(writing + 2, write_or_work)
    while run_one():
        pass
    assert current_value() in seen
    assert claim(store, NOW + 99 * LEASE) is None


@settings(max_examples=examples(10), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.sampled_from(["put", "claim", "done", "failed", "crash"]), max_size=25))
def test_every_wish_is_followed_by_a_run_that_ends_well(store: MetadataStore, steps: list[str]) -> None:
    """Whatever workers do: while no run that began after the last wish has ended well, there is a job to claim."""
    kind = f"kind {next(_tokens)}"
    now = NOW
    held: Job | None = None
    unfulfilled = False
    held_began_after_the_last_wish = False
    for step in steps:
        now += 1
        if step == "put":
            put(store, kind=kind, run_at=now)
            unfulfilled, held_began_after_the_last_wish = True, False
        elif step == "claim" and held is None:
            held = claim(store, now, kinds=(kind,))
            held_began_after_the_last_wish = held is not None
        elif step == "done" and held is not None:
            assert done(store, held)
            unfulfilled = unfulfilled and not held_began_after_the_last_wish
            held = None
        elif step == "failed" and held is not None:
            assert failed(store, held, retry_at=now)
            held = None
        elif step == "crash" and held is not None:
            held = None
            now += LEASE
    job = claim(store, now + LEASE, kinds=(kind,))
    assert (job is not None) == unfulfilled


def test_the_next_due_time_includes_the_end_of_a_lease(store: MetadataStore) -> None:
    def next_due(*kinds: str) -> int | None:
        with store.read() as unit:
            return unit.outbox.next_due(kinds)

    assert next_due("purge") is None
    put(store, "later", run_at=NOW + 5000)
    put(store, "other", kind="sweep", run_at=NOW + 1)
    assert next_due("purge") == NOW + 5000
    put(store, "now")
    assert (next_due("purge"), next_due("purge", "sweep"), next_due("sweep")) == (NOW, NOW, NOW + 1)
    job = claimed(store)
    assert next_due("purge") == NOW + LEASE
    store.write(lambda unit: unit.outbox.extend(job, NOW + 9000))
    assert next_due("purge") == NOW + 5000
