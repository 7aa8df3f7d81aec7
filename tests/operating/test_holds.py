"""Legal holds and deletions at once, on both stacks: what stays, what comes back, and what goes in the end."""

import pytest
from tests.operating.shelves import Shelf
from tests.operating.stacks import Stack
from tests.operating.test_brakes import run_due
from tests.server.api import new_account

from skyshelf.service.accounts import holds, own_account
from skyshelf.service.audit import kinds
from skyshelf.service.audit.search import EventQuery, newest_events, own_events
from skyshelf.service.context import Caller
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.trash import enqueue_purge
from skyshelf.service.history import consents
from skyshelf.service.history.rewinds import rewind as rewind_of
from skyshelf.service.integrity.quarantine import delete_quarantined
from skyshelf.service.jobs import brakes, maintenance, removal
from skyshelf.service.jobs.runner import REWIND_JOBS, JobRunner
from skyshelf.service.operator import rewinds
from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.contracts.accounts import DISABLED
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.account import AccountEventsQuery
from skyshelf.wire.resources.rewind import OperatorConsentRequest, RewindRequest


@pytest.fixture
def shelf(stack: Stack) -> Shelf:
    new_account(stack.ctx, "operator@example.org")
    return Shelf(stack, new_account(stack.ctx, "ada@example.org"))


def purge(shelf: Shelf, *keys: str) -> None:
    """Delete for good, as the person does, and let the job run."""
    ctx, now = shelf.stack.ctx, shelf.stack.clock.now()
    shelf.trash(*keys)

    def work(unit: Unit) -> None:
        unit.purge.mark_all_for_deletion(shelf.id, now)
        enqueue_purge(unit, shelf.id, now)

    ctx.metadata.write(work)
    for _ in maintenance.purge(ctx, shelf.id):
        pass


def names(shelf: Shelf) -> set[str]:
    ctx = shelf.stack.ctx
    with ctx.metadata.read() as unit:
        rows = unit.sql.all("SELECT name FROM objects WHERE account_id = :a AND status = 'A'", {"a": shelf.id})
    return {name for (name,) in rows} - {"root"}


def pass_years(shelf: Shelf) -> None:
    """Let everything run that deletes by age, and what operators and a full disk do besides."""
    stack = shelf.stack
    stack.clock.advance(days=800)
    for _ in range(3):
        for brake in brakes.brakes(stack.ctx):
            brakes.release(stack.ctx, brake.task, "the test has moved the clock")
        run_due(stack.ctx)
        stack.clock.advance(days=1)
    while stack.ctx.metadata.write(lambda unit: unit.history.give_up_some(100)):
        pass
    for _ in delete_quarantined(stack.ctx, stack.clock.now()):
        pass


def rewound(shelf: Shelf, at: int, reason: str | None = "asked by phone") -> str:
    started = rewinds.start(shelf.stack.ctx, shelf.account, RewindRequest(to=at), reason)
    for _ in REWIND_JOBS["rewind"](shelf.stack.ctx, started.rewind_key or ""):
        pass
    ended = rewind_of(shelf.stack.ctx, Caller.of(shelf.account), started.rewind_key or "")
    return ended.state or ""


def test_what_a_held_account_deletes_comes_back_years_later_with_its_content(stack: Stack, shelf: Shelf) -> None:
    first = shelf.file("a.txt", b"first")
    shelf.file("a.txt", b"second")
    other = shelf.file("b.txt", b"other")
    stack.ctx.metadata.write(lambda unit: unit.history.set_days(shelf.id, 0))
    holds.hold(stack.ctx, shelf.account, "case 12")
    stack.clock.advance(minutes=5)
    at = stack.clock.now()
    stack.clock.advance(minutes=5)
    purge(shelf, first.object_key, other.object_key)
    forgotten_at = stack.clock.now()
    stack.ctx.metadata.write(lambda unit: unit.history.forget(shelf.id, forgotten_at))
    pass_years(shelf)
    assert names(shelf) == set()
    found = holds.hold_of(stack.ctx, shelf.account)
    assert found is not None
    assert found[1].content_bytes == len(b"firstsecondother"), "what the hold costs is shown"

    assert rewound(shelf, at) == "done"
    assert names(shelf) == {"a.txt", "b.txt"}
    with stack.ctx.metadata.read() as unit:
        version = unit.files.version(shelf.id, first.object_key)
    assert b"".join(stack.ctx.blobs.read(version.location)) == b"second"


def test_after_the_release_everything_goes_that_was_due(stack: Stack, shelf: Shelf) -> None:
    gone = shelf.file("a.txt", b"gone")
    location = shelf.location(gone)
    holds.hold(stack.ctx, shelf.account, "case 12")
    purge(shelf, gone.object_key)
    pass_years(shelf)
    assert b"".join(stack.ctx.blobs.read(location)) == b"gone"
    released = holds.release(stack.ctx, shelf.account, "closed")
    assert released is not None
    assert released.reason == "case 12"
    assert holds.release(stack.ctx, shelf.account, None) is None
    pass_years(shelf)
    assert location not in {blob.location for blob in stack.ctx.blobs.list()}


def test_the_trail_says_who_held_it_and_why_and_the_person_does_not_see_it(stack: Stack, shelf: Shelf) -> None:
    holds.hold(stack.ctx, shelf.account, "case 12")
    holds.release(stack.ctx, shelf.account, "closed")
    found = newest_events(stack.ctx, EventQuery(account_key=shelf.account.account_key, kinds=("hold",)), 10)
    assert [(one.kind, one.details["reason"]) for one in found] == [
        (kinds.ACCOUNT_RELEASED, "closed"),
        (kinds.ACCOUNT_HELD, "case 12"),
    ]
    shown = own_events(stack.ctx, Caller.of(shelf.account), AccountEventsQuery()).events or []
    assert shown
    assert not {one.kind for one in shown} & set(kinds.HIDDEN)


def test_a_deletion_that_is_due_waits_for_the_end_of_the_hold(stack: Stack, shelf: Shelf) -> None:
    shelf.file("a.txt", b"a")
    until = own_account.schedule_deletion(stack.ctx, shelf.account)
    holds.hold(stack.ctx, shelf.account, "case 12")
    stack.clock.advance(until - stack.clock.now() + 1)
    worker = JobRunner(stack.ctx, tasks=())
    for _ in range(5):
        worker.work_once()
    with stack.ctx.metadata.read() as unit:
        account = unit.accounts.by_id(shelf.id)
        assert account.status == DISABLED, "it is out of sight"
        assert unit.outbox.figures(stack.clock.now()).due == 0, "no job turns in circles"
    assert names(shelf) == {"a.txt"}
    holds.release(stack.ctx, account, "closed")
    while worker.work_once():
        pass
    with pytest.raises(AccountMissing), stack.ctx.metadata.read() as unit:
        unit.accounts.by_id(shelf.id)


def test_a_held_account_is_neither_deleted_at_once_nor_scheduled(stack: Stack, shelf: Shelf) -> None:
    holds.hold(stack.ctx, shelf.account, "case 12")
    with pytest.raises(ServiceError, match="legal hold"):
        removal.begin_removal(stack.ctx, shelf.account, "request")
    with pytest.raises(ServiceError, match="legal hold"):
        own_account.schedule_deletion(stack.ctx, shelf.account)
    with pytest.raises(ServiceError, match="legal hold"):
        holds.hold(stack.ctx, shelf.account, "another reason")
    with stack.ctx.metadata.read() as unit:
        assert unit.accounts.by_id(shelf.id).delete_at == 0


def test_deleting_at_once_leaves_a_record_without_names(stack: Stack, shelf: Shelf) -> None:
    shelf.file("secret name.txt", b"12345")
    counts = removal.begin_removal(stack.ctx, shelf.account, "request 7")
    assert (counts.objects, counts.used) == (1, 5)
    steps = removal.removal_steps(stack.ctx, shelf.id)
    next(steps, None)
    # Interrupted: the job that was put in the same transaction finishes it.
    worker = JobRunner(stack.ctx, tasks=())
    while worker.work_once():
        pass
    with pytest.raises(AccountMissing), stack.ctx.metadata.read() as unit:
        unit.accounts.by_id(shelf.id)
    found = newest_events(stack.ctx, EventQuery(account_key=shelf.account.account_key), 50)
    records = [one for one in found if one.kind in {kinds.ACCOUNT_DELETED, kinds.ACCOUNT_REMOVED}]
    assert [one.kind for one in records] == [kinds.ACCOUNT_DELETED], "one record, whoever finished it"
    assert records[0].details == {
        "reason": "request 7", "objects": 1, "used": 5, "history_used": 0, "boards": 0, "contacts": 0, "shares": 0,
        "devices": 0,
    }  # fmt: skip


def test_a_consent_counts_once_and_for_its_time(stack: Stack, shelf: Shelf) -> None:
    at = stack.clock.now()
    stack.clock.advance(minutes=1)
    shelf.file("late.txt", b"late")
    stack.clock.advance(minutes=1)
    with pytest.raises(rewinds.NoConsent):
        rewound(shelf, at, None)
    caller = Caller.of(shelf.account)
    consents.set_consent(stack.ctx, caller, OperatorConsentRequest(hours=1))
    stack.clock.advance(minutes=60)
    with pytest.raises(rewinds.NoConsent):
        rewound(shelf, at, None)
    consents.set_consent(stack.ctx, caller, OperatorConsentRequest(hours=1))
    consents.set_consent(stack.ctx, caller, OperatorConsentRequest(hours=0))
    with pytest.raises(rewinds.NoConsent):
        rewound(shelf, at, None)
    consents.set_consent(stack.ctx, caller, OperatorConsentRequest(hours=1))
    assert rewound(shelf, at, None) == "done"
    assert names(shelf) == set()
    with pytest.raises(rewinds.NoConsent):
        rewound(shelf, at, None)
    found = newest_events(stack.ctx, EventQuery(account_key=shelf.account.account_key, kinds=("account",)), 50)
    assert [one.details["by"] for one in found if one.kind == kinds.REWOUND_BY_OPERATOR] == ["consent"]
