"""Reading and writing: the guarantees of a transaction, whichever database is below it."""

import threading
from functools import partial

import pytest
from tests.conformance.metadata.backends import Backend
from tests.conformance.metadata.making import (
    NOW,
    in_parallel,
    make_account,
    make_folder,
    new_file,
    new_key,
    put_file,
)
from tests.conformance.metadata.reading import assert_books_balance, listing

from skyshelf.storage.errors import NameTaken, StorageError, StoreUnavailable
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import NewFolder
from skyshelf.storage.metadata.store import MetadataStore, Unit

pytestmark = pytest.mark.backend


class UnluckyError(Exception):
    """What a work under test raises."""


def test_a_write_returns_what_its_work_returned(store: MetadataStore) -> None:
    answer = object()
    assert store.write(lambda unit: answer) is answer
    assert store.write(lambda unit: None) is None


def test_nothing_of_a_failing_work_stays(store: MetadataStore, account: Account) -> None:
    folder, file = make_folder(store, account, account.root_key, "before"), new_file(account.root_key, "file")

    def work(unit: Unit) -> None:
        unit.files.put(account.account_id, file, NOW, keep_versions=1)
        unit.tree.add_folder(
            account.account_id, NewFolder(object_key=new_key(), parent_key=folder.object_key, name="x"), NOW
        )
        unit.accounts.set_password(account.account_id, "changed", NOW)
        raise UnluckyError

    with pytest.raises(UnluckyError):
        store.write(work)
    with store.read() as unit:
        assert unit.accounts.by_id(account.account_id) == account
        assert unit.content.get(file.sha256) is None
        assert unit.changes.newest(account.account_id) == 1
    assert listing(store, account, account.root_key) == ["before"]
    assert listing(store, account, folder.object_key) == []
    assert_books_balance(store, account)


def test_a_refusal_that_the_work_catches_undoes_nothing_else(store: MetadataStore, account: Account) -> None:
    make_folder(store, account, account.root_key, "taken")

    def work(unit: Unit) -> None:
        unit.tree.add_folder(
            account.account_id, NewFolder(object_key=new_key(), parent_key=account.root_key, name="one"), NOW
        )
        with pytest.raises(NameTaken):
            unit.tree.add_folder(
                account.account_id, NewFolder(object_key=new_key(), parent_key=account.root_key, name="taken"), NOW
            )
        unit.tree.add_folder(
            account.account_id, NewFolder(object_key=new_key(), parent_key=account.root_key, name="two"), NOW
        )

    store.write(work)
    assert listing(store, account, account.root_key) == ["one", "taken", "two"]
    assert_books_balance(store, account)


def test_the_error_of_a_work_reaches_its_own_caller_and_no_other(store: MetadataStore, account: Account) -> None:
    def run(number: int) -> list[str]:
        heard = []
        for turn in range(10):
            name = f"{number} {turn}"
            try:
                if (number + turn) % 3 == 0:
                    store.write(partial(_fail, account, name))
                else:
                    make_folder(store, account, account.root_key, name)
                    heard.append("done")
            except UnluckyError as error:
                heard.append(str(error))
        return heard

    heard = in_parallel(6, run)
    for number, answers in enumerate(heard):
        assert answers == [f"{number} {turn}" if (number + turn) % 3 == 0 else "done" for turn in range(10)]
    assert len(listing(store, account, account.root_key)) == sum(answers.count("done") for answers in heard)
    assert_books_balance(store, account)


def _fail(account: Account, name: str, unit: Unit) -> None:
    unit.tree.add_folder(
        account.account_id, NewFolder(object_key=new_key(), parent_key=account.root_key, name=name), NOW
    )
    raise UnluckyError(name)


def test_what_a_write_did_is_seen_by_every_later_read_of_every_store_on_the_place(
    store: MetadataStore, backend: Backend, account: Account
) -> None:
    other = backend.open()
    try:
        for number in range(10):
            make_folder(store, account, account.root_key, f"{number}")
            assert len(listing(other, account, account.root_key)) == number + 1
            assert len(listing(store, account, account.root_key)) == number + 1
    finally:
        other.close()


def test_uncommitted_work_is_invisible(store: MetadataStore, account: Account) -> None:
    added, looked = threading.Event(), threading.Event()

    def work(unit: Unit) -> None:
        new = NewFolder(object_key=new_key(), parent_key=account.root_key, name="later")
        unit.tree.add_folder(account.account_id, new, NOW)
        added.set()
        assert looked.wait(30)

    def run(number: int) -> list[str]:
        if number == 0:
            store.write(work)
            return listing(store, account, account.root_key)
        assert added.wait(30)
        try:
            return listing(store, account, account.root_key)
        finally:
            looked.set()

    assert in_parallel(2, run) == [["later"], []]


def test_each_call_on_a_read_sees_what_was_committed_before_it(store: MetadataStore, account: Account) -> None:
    with store.read() as unit:
        assert unit.tree.children(account.account_id, account.root_key) == []
        make_folder(store, account, account.root_key, "new")
        assert [one.name for one in unit.tree.children(account.account_id, account.root_key)] == ["new"]


def test_a_snapshot_sees_one_moment_despite_concurrent_writes(store: MetadataStore, account: Account) -> None:
    make_folder(store, account, account.root_key, "old")
    with store.snapshot() as unit:
        assert [one.name for one in unit.tree.children(account.account_id, account.root_key)] == ["old"]
        make_folder(store, account, account.root_key, "new")
        put_file(store, account, account.root_key, "file")
        assert [one.name for one in unit.tree.children(account.account_id, account.root_key)] == ["old"]
        assert unit.changes.newest(account.account_id) == 1
        assert unit.quotas.get(account.account_id, NOW).used == 0
    assert listing(store, account, account.root_key) == ["file", "new", "old"]


def test_reads_and_snapshots_of_one_thread_may_be_open_at_once(store: MetadataStore, account: Account) -> None:
    def names(unit: Unit) -> list[str]:
        return [one.name for one in unit.tree.children(account.account_id, account.root_key)]

    with store.snapshot() as first:
        assert names(first) == []
        make_folder(store, account, account.root_key, "one")
        with store.read() as now:
            assert names(now) == ["one"]
            with store.snapshot() as second:
                assert names(second) == ["one"]
                make_folder(store, account, account.root_key, "two")
                assert names(second) == ["one"]
            assert names(now) == ["one", "two"]
        assert names(first) == []


def test_a_read_only_unit_cannot_write(store: MetadataStore, account: Account) -> None:
    new = NewFolder(object_key=new_key(), parent_key=account.root_key, name="x")
    for look in (store.read, store.snapshot):
        # Which error it is belongs to the database: this is a mistake in the program, not an answer.
        with pytest.raises(Exception, match=r"read.?only"), look() as unit:
            unit.tree.add_folder(account.account_id, new, NOW)
    assert listing(store, account, account.root_key) == []
    make_folder(store, account, account.root_key, "still works")


def test_a_read_that_raises_leaves_the_store_usable(store: MetadataStore, account: Account) -> None:
    for look in (store.read, store.snapshot):
        with pytest.raises(UnluckyError), look() as unit:  # noqa: PT012
            unit.accounts.count()
            raise UnluckyError
        with look() as unit:
            assert unit.accounts.count() == 1
    make_folder(store, account, account.root_key, "x")


def test_a_reader_never_waits_for_a_writer(store: MetadataStore, account: Account) -> None:
    writing, looked = threading.Event(), threading.Event()

    def run(number: int) -> bool:
        if number == 0:

            def work(unit: Unit) -> bool:
                unit.accounts.set_password(account.account_id, "x", NOW)
                writing.set()
                return looked.wait(30)

            return store.write(work)
        assert writing.wait(30)
        for _ in range(20):
            assert listing(store, account, account.root_key) == []
        looked.set()
        return True

    assert in_parallel(2, run) == [True, True]


def test_a_closed_store_says_so_and_may_be_closed_again(backend: Backend) -> None:
    store = backend.open()
    account = make_account(store)
    listing(store, account, account.root_key)
    store.check()
    store.close()
    store.close()
    with pytest.raises(StoreUnavailable):
        store.write(lambda unit: unit.accounts.count())
    for look in (store.read, store.snapshot):
        with pytest.raises(StoreUnavailable), look() as unit:
            unit.accounts.count()
    with pytest.raises(StoreUnavailable):
        store.check()


def test_closing_while_many_write_keeps_what_was_answered(backend: Backend) -> None:
    store = backend.open()
    account = make_account(store)
    begun = threading.Barrier(5)

    def run(number: int) -> list[str]:
        done: list[str] = []
        begun.wait()
        if number == 0:
            store.close()
            return done
        for turn in range(50):
            try:
                make_folder(store, account, account.root_key, f"{number} {turn}")
            except StoreUnavailable:
                break
            done.append(f"{number} {turn}")
        return done

    answered = {name for names in in_parallel(5, run) for name in names}
    again = backend.open()
    try:
        assert answered <= set(listing(again, account, account.root_key))
        assert_books_balance(again, account)
    finally:
        again.close()


def test_work_that_starts_a_nested_write_fails_instead_of_deadlocking(store: MetadataStore, account: Account) -> None:
    with pytest.raises((RuntimeError, StorageError)):
        store.write(lambda unit: store.write(lambda inner: inner.accounts.count()))
    make_folder(store, account, account.root_key, "x")
