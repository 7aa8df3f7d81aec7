"""Jobs cost by what there is to do, and not by accounts or files; on both stacks."""

from collections.abc import Callable, Iterator

import msgspec
import pytest
from tests.operating.stacks import Stack
from tests.server.api import new_account
from tests.server.recording_store import RecordingStore
from tests.service.making import folder

from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs import orphans
from skyshelf.service.jobs.maintenance import expire_history
from skyshelf.service.jobs.orphans import sweep_orphans
from skyshelf.storage.blobs.protocols import StoredBlob
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.watching import store_calls

DAY = 24 * 60 * 60 * 1000
Job = Callable[[ServiceContext], Iterator[None]]


def statements_of(stack: Stack, job: Job) -> int:
    """Run a job; how many statements it took."""
    recording = RecordingStore(stack.ctx.metadata)  # type: ignore[arg-type]
    run(msgspec.structs.replace(stack.ctx, metadata=recording), job)
    return len(recording.statements)


def run(ctx: ServiceContext, job: Job) -> None:
    for _ in job(ctx):
        pass


def accounts_with_a_folder(stack: Stack, count: int) -> list[Account]:
    numbers = range(count)
    made = [new_account(stack.ctx, f"{stack.ctx.new_key()}{number}@example.org") for number in numbers]
    for account in made:
        folder(stack.ctx, account, "a")
    return made


def floors(stack: Stack, accounts: list[Account]) -> set[int]:
    """The newest changes that the histories no longer have."""
    with stack.ctx.metadata.read() as unit:
        return {unit.history.bounds(one.account_id).oldest for one in accounts}


# What history keeps


def test_history_expires_by_what_is_due_and_not_by_accounts(stack: Stack) -> None:
    taken = []
    for others in (2, 60):
        due = accounts_with_a_folder(stack, 2)
        run(stack.ctx, expire_history)
        stack.clock.advance(days=20)
        idle = accounts_with_a_folder(stack, others)
        run(stack.ctx, expire_history)
        stack.clock.advance(days=11)
        taken.append(statements_of(stack, expire_history))
        assert floors(stack, due) == {1}
        assert floors(stack, idle) == {0}
    assert taken[0] == taken[1]


def test_a_run_that_finds_nothing_due_looks_at_no_account(stack: Stack) -> None:
    accounts_with_a_folder(stack, 5)
    run(stack.ctx, expire_history)
    assert statements_of(stack, expire_history) == 2


def test_accounts_that_are_due_at_once_are_looked_at_in_groups(stack: Stack) -> None:
    """After an upgrade, nothing is known of any."""
    taken = []
    for count in (1, 40):
        accounts_with_a_folder(stack, count)
        taken.append(statements_of(stack, expire_history))
    assert taken[0] == taken[1]


def test_an_account_that_keeps_less_is_due_earlier_and_one_that_forgets_at_once(stack: Stack) -> None:
    brief, forgetful, other = accounts_with_a_folder(stack, 3)
    stack.ctx.metadata.write(lambda unit: unit.history.set_days(brief.account_id, 5))
    run(stack.ctx, expire_history)
    stack.clock.advance(days=4)
    run(stack.ctx, expire_history)
    assert floors(stack, [brief, forgetful, other]) == {0}
    stack.clock.advance(days=2)
    stack.ctx.metadata.write(lambda unit: unit.history.forget(forgetful.account_id, stack.clock.now()))
    run(stack.ctx, expire_history)
    assert floors(stack, [brief, forgetful]) == {1}
    assert floors(stack, [other]) == {0}
    with stack.ctx.metadata.read() as unit:
        assert unit.history.due_to_expire(stack.clock.now(), 30, limit=10) == []


def test_history_of_later_changes_is_due_in_its_time(stack: Stack) -> None:
    [account] = accounts_with_a_folder(stack, 1)
    run(stack.ctx, expire_history)
    stack.clock.advance(days=10)
    folder(stack.ctx, account, "b")
    for days, floor in ((21, 1), (8, 1), (2, 2)):
        stack.clock.advance(days=days)
        run(stack.ctx, expire_history)
        assert floors(stack, [account]) == {floor}, days


# What crashes left


def files_of(stack: Stack, account: Account, count: int) -> None:
    """Put that many small contents, each with a file."""
    with stack.ctx.blobs.batch() as batch:
        blobs = [batch.put([stack.ctx.new_key().encode()]) for _ in range(count)]
        batch.seal()
    new = [_file(stack.ctx, account, blob) for blob in blobs]
    stack.ctx.metadata.write(
        lambda unit: unit.files.put_many(account.account_id, new, stack.clock.now(), keep_versions=1)
    )


def _file(ctx: ServiceContext, account: Account, blob: StoredBlob) -> NewFile:
    return NewFile(
        object_key=ctx.new_key(),
        parent_key=account.root_key,
        name=f"{ctx.new_key()}.txt",
        sha256=blob.sha256,
        md5=blob.md5,
        size=blob.size,
        location=blob.location,
        category="document",
        mime_type="text",
        mime_subtype="plain",
        file_created_at=1,
        last_modified_at=1,
        created_by="Ada",
    )


def lists_of(work: Callable[[], object]) -> int:
    """How many pages of listings the bucket was asked for."""
    store_calls.take()
    work()
    figures = store_calls.take().get(("bucket", "list"))
    return 0 if figures is None else sum(figures.durations)


@pytest.mark.whole
def test_a_sweep_lists_once_and_compares_thousands_of_lines_at_once(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orphans, "COMPARED", 500)
    account = new_account(stack.ctx, "ada@example.org")
    files_of(stack, account, 500)
    stack.clock.advance(days=2)
    few = statements_of(stack, sweep_orphans)
    stack.clock.advance(days=-2)
    files_of(stack, account, 1000)
    stack.clock.advance(days=2)
    taken: list[int] = []
    listed = lists_of(lambda: taken.append(statements_of(stack, sweep_orphans)))
    assert listed == lists_of(lambda: list(stack.ctx.blobs.list_all()))
    # One statement per 500 lines that are all known.
    assert taken[0] - few == 2
    with stack.ctx.metadata.read() as unit:
        assert unit.quarantine.page(limit=1) == []


def test_orphans_between_known_contents_are_found_and_nothing_else(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a range of the rows has far more than the listing."""
    monkeypatch.setattr(orphans, "COMPARED", 7)
    account = new_account(stack.ctx, "ada@example.org")
    files_of(stack, account, 150)
    left = {stack.ctx.blobs.put([b"left %d" % number]).location for number in range(4)}
    left.add(stack.ctx.blobs.put([bytes(9 << 20)]).location)
    lost = stack.ctx.new_key()
    with stack.ctx.blobs.uploading(lost) as held:
        held.append([b"a chunk that no row knows"], after=None)
    stack.clock.advance(days=2)
    run(stack.ctx, sweep_orphans)
    with stack.ctx.metadata.read() as unit:
        assert {one.location for one in unit.quarantine.page(limit=100)} == {*left, lost}


def test_a_listing_of_few_lines_over_many_rows_does_not_read_them_all(stack: Stack) -> None:
    account = new_account(stack.ctx, "ada@example.org")
    files_of(stack, account, 300)
    lines = sorted(line.location for line in stack.ctx.blobs.list())
    ends = [lines[0], "g", lines[-1]]
    with stack.ctx.metadata.read() as unit:
        assert unit.content.explained(ends) == {lines[0], lines[-1]}
        assert unit.content.explained([*lines, "g"]) == set(lines)
        assert unit.content.explained([]) == set()
