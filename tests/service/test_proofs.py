"""The logs of accounts: what the background step adds, who signs it, and what stays when history is forgotten."""

from threading import Barrier, Thread

from tests.conformance.metadata.making import make_folder
from tests.server.api import HeldClock, new_account
from tests.service.callers import caller_of

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.history import logs
from skyshelf.service.history.logs import add_some, current_key, log_history, log_now, rotate
from skyshelf.service.jobs.maintenance import PERIODIC_TASKS, expire_history
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.wire.proofs.heads import SignedHead, read_note
from skyshelf.wire.resources.history import LeavesQuery

DAY = 24 * 60 * 60 * 1000


def account_of(ctx: ServiceContext, caller: Caller) -> Account:
    with ctx.metadata.read() as unit:
        return unit.accounts.by_id(caller.account_id)


def folders(ctx: ServiceContext, caller: Caller, count: int, name: str = "folder") -> None:
    account = account_of(ctx, caller)
    for number in range(count):
        make_folder(ctx.metadata, account, account.root_key, f"{name} {number}", now=ctx.clock.now())


def run(ctx: ServiceContext) -> None:
    for _ in log_history(ctx):
        pass


def head_of(ctx: ServiceContext, caller: Caller) -> SignedHead:
    note = logs.head(ctx, caller).note
    assert note is not None
    return read_note(note)


def test_the_step_adds_all_changes_of_all_accounts(ctx: ServiceContext, caller: Caller) -> None:
    assert logs.TASK in {task.name for task in PERIODIC_TASKS}
    other = caller_of(new_account(ctx, "grace@example.org"))
    folders(ctx, caller, 3)
    folders(ctx, other, 2)
    before = logs.head(ctx, caller)
    assert (before.note, before.size, before.newest_number) == (None, 0, 3)
    run(ctx)
    assert (head_of(ctx, caller).head.size, head_of(ctx, other).head.size) == (3, 2)
    assert head_of(ctx, caller).head.log != head_of(ctx, other).head.log
    first = head_of(ctx, caller)
    run(ctx)
    assert head_of(ctx, caller) == first, "nothing to add, nothing to sign"
    folders(ctx, caller, 1, "more")
    assert logs.head(ctx, caller).waiting == 1
    run(ctx)
    assert head_of(ctx, caller).head.newest == 4


def test_two_appenders_at_once_make_one_log(ctx: ServiceContext, caller: Caller) -> None:
    folders(ctx, caller, 20)
    key = current_key(ctx)
    start = Barrier(2)

    def append() -> None:
        start.wait()
        while add_some(ctx, caller.account_id, key, limit=3):
            pass

    threads = [Thread(target=append) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    signed = head_of(ctx, caller)
    leaves = logs.leaves(ctx, caller, LeavesQuery(number=1)).leaves or []
    assert (signed.head.size, len(leaves)) == (20, 20)
    assert all(leaf.record for leaf in leaves)


def test_changes_that_left_the_feed_before_have_a_leaf_that_says_so(ctx: ServiceContext, caller: Caller) -> None:
    folders(ctx, caller, 2)
    log_now(ctx, caller.account_id)
    folders(ctx, caller, 2, "lost")
    ctx.metadata.write(lambda unit: unit.changes.forget(caller.account_id, 4))
    folders(ctx, caller, 1, "kept")
    log_now(ctx, caller.account_id)
    leaves = logs.leaves(ctx, caller, LeavesQuery(number=1)).leaves or []
    assert [leaf.record is not None for leaf in leaves] == [False, False, False, False, True]
    # A repair forgets the whole feed, and skips a number.
    ctx.metadata.write(lambda unit: unit.repair.forget_feed(caller.account_id))
    log_now(ctx, caller.account_id)
    assert head_of(ctx, caller).head.newest == 6


def test_records_go_with_history_and_the_log_stays(ctx: ServiceContext, caller: Caller, clock: HeldClock) -> None:
    folders(ctx, caller, 3)
    log_now(ctx, caller.account_id)
    signed = head_of(ctx, caller)
    clock.advance(ms=40 * DAY)
    for _ in expire_history(ctx):
        pass
    assert head_of(ctx, caller) == signed
    leaves = logs.leaves(ctx, caller, LeavesQuery(number=1)).leaves or []
    assert [leaf.record for leaf in leaves] == [None] * 3
    assert logs.head(ctx, caller).kept_from == 4


def test_what_was_forgotten_before_it_was_logged_is_in_its_leaf_alone(ctx: ServiceContext, caller: Caller) -> None:
    folders(ctx, caller, 1)
    log_now(ctx, caller.account_id)
    folders(ctx, caller, 2, "secret")
    ctx.metadata.write(lambda unit: unit.history.forget(caller.account_id, ctx.clock.now()))
    log_now(ctx, caller.account_id)
    assert head_of(ctx, caller).head.size == 3
    leaves = logs.leaves(ctx, caller, LeavesQuery(number=1)).leaves or []
    assert [leaf.record for leaf in leaves] == [None] * 3


def test_a_replaced_key_is_signed_by_the_former_one_and_signs_later_heads(ctx: ServiceContext, caller: Caller) -> None:
    folders(ctx, caller, 1)
    run(ctx)
    first = current_key(ctx)
    made = rotate(ctx)
    assert current_key(ctx).key_id == made.key_id
    assert not add_some(ctx, caller.account_id, first), "nothing to add"
    folders(ctx, caller, 1, "more")
    assert add_some(ctx, caller.account_id, first), "refused, and so to be tried again with the key in use"
    assert head_of(ctx, caller).head.size == 1
    run(ctx)
    assert head_of(ctx, caller).key_hash.hex() == made.key_id[:8]
    shown = logs.keys(ctx, caller).keys or []
    assert [one.key_id for one in shown] == [first.key_id, made.key_id]
    assert (shown[0].signature, shown[1].retired_date) == (None, None)
    assert shown[0].retired_date
    with ctx.metadata.read() as unit:
        assert all(key.private_key is None for key in unit.history_keys.all())
    assert first.private_key is not None
    assert "private" not in repr(first)
