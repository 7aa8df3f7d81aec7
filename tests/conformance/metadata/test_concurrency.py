"""Many at once: threads of one process, and several processes on one store."""

import random
import threading
from functools import partial
from itertools import cycle

import pytest
from tests.conformance.metadata.backends import Backend
from tests.conformance.metadata.making import (
    NOW,
    apply,
    in_parallel,
    make_account,
    make_folder,
    mark_for_deletion,
    purge_all,
    put_file,
    restore,
    trash,
)
from tests.conformance.metadata.other_process import in_processes, put_versions
from tests.conformance.metadata.reading import EVERYTHING, assert_books_balance, listing, shown

from skyshelf.storage.errors import NameTaken, ObjectMissing, StorageError
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import Move, PageOf, Rename, SortBy, Trash
from skyshelf.storage.metadata.store import MetadataStore, Unit

pytestmark = pytest.mark.backend


def test_of_many_who_want_one_name_at_once_one_gets_it(store: MetadataStore, account: Account) -> None:
    def make(_number: int) -> list[bool]:
        made = []
        for turn in range(10):
            try:
                make_folder(store, account, account.root_key, f"{turn}")
            except NameTaken:
                made.append(False)
            else:
                made.append(True)
        return made

    outcomes = in_parallel(6, make)
    assert [sum(made) for made in zip(*outcomes, strict=True)] == [1] * 10
    assert len(listing(store, account, account.root_key)) == 10
    assert_books_balance(store, account)


def test_folders_moved_into_each_others_subtrees_never_make_a_ring(store: MetadataStore, account: Account) -> None:
    sides = []
    for side in ("left", "right"):
        parent, keys = account.root_key, []
        for level in range(3):
            parent = make_folder(store, account, parent, f"{side} {level}").object_key
            keys.append(parent)
        sides.append(keys)

    def move(number: int) -> int:
        rng = random.Random(number)
        mine, theirs = sides[number], sides[1 - number]
        moved = 0
        for turn in range(200):
            target = account.root_key if turn % 5 == 0 else rng.choice(theirs)
            (outcome,) = apply(store, account, Move(rng.choice(mine), target))
            moved += not isinstance(outcome, StorageError)
        return moved

    assert all(moved > 20 for moved in in_parallel(2, move))
    with store.snapshot() as unit:
        parents = {key: unit.tree.get(account.account_id, key).parent_key for side in sides for key in side}
    for key in parents:
        way = [key]
        while way[-1] != account.root_key:
            assert len(way) <= len(parents), "a ring of folders"
            above = parents[way[-1]]
            assert above is not None
            way.append(above)
    assert_books_balance(store, account)


@pytest.mark.parametrize("sort", [SortBy.NAME, SortBy.MODIFIED], ids=lambda sort: sort.value)
def test_a_walk_meets_what_was_there_all_along_exactly_once_whatever_others_do(
    store: MetadataStore, account: Account, sort: SortBy
) -> None:
    folder = make_folder(store, account, account.root_key, "folder").object_key
    stable = {
        put_file(store, account, folder, f"{number:03} stays", last_modified_at=number // 3).object.object_key
        for number in range(0, 60, 2)
    }
    restless = [
        put_file(store, account, folder, f"{number:03} restless", last_modified_at=number // 3).object.object_key
        for number in range(1, 60, 2)
    ]
    done = threading.Event()

    def walk() -> None:
        for descending in (False, True) * 3:
            seen: list[str] = []
            after: tuple[str | int, str] | None = None
            while True:
                page = PageOf(folder_key=folder, sort=sort, descending=descending, limit=4, after=after)
                with store.read() as unit:
                    found = [shown(wire) for wire in unit.tree.page(account.account_id, page)]
                if not found:
                    break
                seen += [one["objectKey"] for one in found]
                assert len(seen) < 10_000, "a walk that goes in circles"
                last = found[-1]
                after = (last["objectName" if sort is SortBy.NAME else "lastModifiedDate"], last["objectKey"])
            kept = [key for key in seen if key in stable]
            assert len(kept) == len(stable)
            assert set(kept) == stable

    def disturb(number: int) -> None:
        rng = random.Random(number)
        for turn in cycle(range(1000)):
            if done.is_set():
                return
            key = rng.choice(restless)
            if turn % 3 == 0:
                apply(store, account, Rename(key, f"{rng.randrange(60):03} restless {number} {turn}"))
            elif turn % 3 == 1:
                put_file(
                    store, account, folder, f"{rng.randrange(60):03} new {number} {turn}", last_modified_at=turn % 20
                )
            else:
                trash(store, account, key)
                restore(store, account, key)

    def run(number: int) -> None:
        if number:
            disturb(number)
            return
        try:
            walk()
        finally:
            done.set()

    in_parallel(3, run)
    assert_books_balance(store, account)


def test_everything_at_once_in_one_account_leaves_the_books_balanced(store: MetadataStore, account: Account) -> None:
    folders = [make_folder(store, account, account.root_key, f"{number}").object_key for number in range(4)]

    def churn(number: int) -> None:
        rng = random.Random(number)
        for turn in range(25):
            folder = rng.choice(folders)
            name, data = f"{rng.randrange(6)}", b"%d" % rng.randrange(9)
            try:
                key = put_file(store, account, folder, name, data).object.object_key
            except ObjectMissing:
                continue  # somebody has just trashed the folder
            match turn % 5:
                case 0:
                    apply(store, account, Move(key, rng.choice(folders)), Rename(key, f"{turn}"))
                case 1:
                    apply(store, account, Trash(key), now=turn)
                case 2:
                    apply(store, account, Trash(folder), now=turn)
                    store.write(partial(_restore, account, folder))
                case 3:
                    apply(store, account, Trash(key), now=turn)
                    mark_for_deletion(store, account, key)
                case _:
                    store.write(lambda unit: unit.purge.mark_all_for_deletion(account.account_id, 1, trashed_up_to=20))
                    purge_all(store, account, limit=5)

    in_parallel(4, churn)
    assert_books_balance(store, account)
    store.write(lambda unit: unit.purge.mark_all_for_deletion(account.account_id, 10**6))
    purge_all(store, account)
    assert_books_balance(store, account)


def _restore(account: Account, object_key: str, unit: Unit) -> None:
    unit.tree.restore(account.account_id, [object_key], NOW)


def test_writers_of_different_accounts_do_not_disturb_each_other(store: MetadataStore) -> None:
    accounts = [make_account(store) for _ in range(6)]

    def write(number: int) -> list[str]:
        account = accounts[number]
        for turn in range(10):
            key = put_file(store, account, account.root_key, f"{turn}", b"shared %d" % turn).object.object_key
            if turn % 3 == 0:
                trash(store, account, key)
        store.write(lambda unit: unit.purge.mark_all_for_deletion(account.account_id, 10**15))
        purge_all(store, account)
        return listing(store, account, account.root_key)

    assert in_parallel(6, write) == [["1", "2", "4", "5", "7", "8"]] * 6
    assert_books_balance(store, *accounts)


def test_several_processes_write_one_store_without_loss(
    store: MetadataStore, backend: Backend, account: Account
) -> None:
    versions = in_processes(3, put_versions, backend.address)
    assert sorted(number for numbers in versions for number in numbers) == list(range(1, 31))
    for numbers in versions:
        assert numbers == sorted(numbers)
    names = listing(store, account, account.root_key)
    assert sorted(names) == sorted(["same", *(f"{number} {turn}" for number in range(3) for turn in range(10))])
    with store.read() as unit:
        same = unit.tree.child_named(account.account_id, account.root_key, "same")
        assert same is not None
        assert len(unit.files.versions(account.account_id, same.object_key)) == 30
        assert len(unit.changes.since(account.account_id, 0, EVERYTHING)) == 60
    assert_books_balance(store, account)
