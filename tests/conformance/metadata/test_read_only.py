"""Read-only mode is a fence: once it is on, no write of any process commits, and no acknowledged one is missing."""

import threading

import pytest
from tests.conformance.metadata.backends import Backend, Store
from tests.conformance.metadata.making import in_parallel, make_account, make_folder

from skyshelf.storage.errors import StoreReadOnly
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.read_only import (
    ReadOnly,
    even_while_read_only,
    read_only,
    refusing_writes,
    switch_off,
    switch_on,
)

pytestmark = pytest.mark.backend

MOVING = ReadOnly("we move to a larger disk", 1_700_000_000_000)


def test_writes_are_refused_with_the_reason_until_it_is_off_and_reads_go_on(
    store: Store, backend: Backend, account: Account
) -> None:
    other = backend.open()
    try:
        assert read_only(store) is None
        switch_on(other, MOVING)
        assert read_only(store) == MOVING
        for one in (store, other):
            with pytest.raises(StoreReadOnly, match="we move to a larger disk") as refused:
                make_folder(one, account, account.root_key, "new")
            assert refused.value.reason == MOVING.reason
            with one.read() as unit:
                assert unit.accounts.by_id(account.account_id) == account
        assert switch_off(store)
        assert not switch_off(store)
        make_folder(other, account, account.root_key, "new")
    finally:
        other.close()


def test_what_a_login_needs_may_be_written_nevertheless(store: Store) -> None:
    switch_on(store, MOVING)
    with even_while_read_only():
        make_account(store, "ada@example.org")
    with pytest.raises(StoreReadOnly):
        make_account(store)
    with store.read() as unit:
        assert [one.email for one in unit.accounts.list()] == ["ada@example.org"]


def test_a_write_that_has_begun_ends_before_the_mode_is_on(store: Store, backend: Backend, account: Account) -> None:
    other = backend.open()
    begun, go_on, is_on = threading.Event(), threading.Event(), threading.Event()

    def slow() -> None:
        def work(unit: object) -> None:
            del unit
            begun.set()
            assert go_on.wait(30)

        store.write(work)

    def switch() -> None:
        switch_on(other, MOVING)
        is_on.set()

    threads = [threading.Thread(target=slow), threading.Thread(target=switch)]
    threads[0].start()
    assert begun.wait(30)
    threads[1].start()
    assert not is_on.wait(0.2)
    go_on.set()
    for thread in threads:
        thread.join(30)
    assert is_on.is_set()
    other.close()
    assert read_only(store) == MOVING
    del account


def test_of_many_writers_nothing_is_acknowledged_that_was_not_there_when_it_was_on(
    store: Store, backend: Backend, account: Account
) -> None:
    """Six writers on two instances write until they are refused."""
    stores = [store, backend.open()]
    seen: set[str] = set()
    started = threading.Barrier(7)

    def write(number: int) -> set[str]:
        if number == 6:
            started.wait(30)
            # Another instance than half of the writers; some of their writes are on their way.
            switch_on(stores[1], MOVING)
            with store.read() as unit:
                seen.update(change.object_key for change in unit.changes.since(account.account_id, 0, 100_000))
            return set()
        acknowledged: set[str] = set()
        mine = make_account(stores[number % 2]) if number > 2 else account
        try:
            for count in range(10_000):
                made = make_folder(stores[number % 2], mine, mine.root_key, f"{number} {count}")
                if mine is account:
                    acknowledged.add(made.object_key)
                if count == 0:
                    started.wait(30)
        except StoreReadOnly:
            return acknowledged
        raise AssertionError("never refused")

    acknowledged = set().union(*in_parallel(7, write))
    stores[1].close()
    assert acknowledged
    assert acknowledged <= seen
    with store.read() as unit:
        after = {change.object_key for change in unit.changes.since(account.account_id, 0, 100_000)}
    assert after == seen


def test_an_instance_may_refuse_writes_on_its_own(store: Store, account: Account) -> None:
    ours = refusing_writes(store, MOVING)
    assert read_only(ours) == MOVING
    with pytest.raises(StoreReadOnly):
        ours.write(lambda unit: unit.settings.set("a", b"b"))
    make_folder(store, account, account.root_key, "of another instance")
