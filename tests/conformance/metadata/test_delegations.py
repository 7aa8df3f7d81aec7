"""Delegations: what changes are compared with a leave in their own transaction, and counted exactly."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import (
    NOW,
    in_parallel,
    make_account,
    make_folder,
    new_file,
    new_key,
    put_file,
    trash,
)

from skyshelf.storage.errors import AppLeaveRefused, LeaveRefused, LeaveUsedUp, LimitReached, StorageError
from skyshelf.storage.metadata.contracts.accounts import Account, NewDevice
from skyshelf.storage.metadata.contracts.leave import ROOT_LINK, Amounts, Leave, Link, Most, NewDelegation
from skyshelf.storage.metadata.contracts.sessions import NewSession
from skyshelf.storage.metadata.contracts.tree import Move, NewFolder, Outcome, Rename, SetFavorite, Trash, TreeChange
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.leave import ALL_KINDS, CallKind
from skyshelf.wire.limits import DELEGATION_NARROWED_MAX, DELEGATIONS_MAX

FAR = NOW + 10**9
DEVICE = "6b1f1f0e-0000-4000-8000-000000000007"


def add_delegation(store: Store, account: Account, secret: bytes = b"one", device: str = DEVICE, **terms: Any) -> None:
    new = NewDelegation(maker="laptop", purpose="Tidy up", kinds="list write", **terms)

    def work(unit: Unit) -> None:
        unit.devices.register(
            account.account_id, NewDevice(device_key=device, device_name="Tidy up", platform_type="Delegation"), NOW
        )
        session = NewSession(secret_hash=secret, device_key=device, expires_at=FAR)
        unit.sessions.open(account.account_id, session, NOW)
        unit.delegations.add(account.account_id, secret, new, generation=1)

    store.write(work)


def leave_for(store: Store, account: Account, **most: int) -> Leave:
    add_delegation(store, account, b"one", DEVICE, **most)
    return Leave(delegation=b"one", links=(Link(ROOT_LINK, Most(**most)),))


def act(store: Store, leave: Leave, work: Callable[[Unit], Any]) -> Any:
    def as_agent(unit: Unit) -> Any:
        unit.act_as(f"{DEVICE}/0123456789abcdef", leave)
        return work(unit)

    return store.write(as_agent)


def change(store: Store, account: Account, leave: Leave, *changes: TreeChange) -> list[Outcome]:
    outcomes: list[Outcome] = act(store, leave, lambda unit: unit.tree.apply(account.account_id, changes, NOW))
    return outcomes


def make_as(store: Store, account: Account, leave: Leave, new: NewFolder) -> None:
    act(store, leave, lambda unit: unit.tree.add_folder(account.account_id, new, NOW))


def used(store: Store, account: Account) -> Amounts:
    with store.read() as unit:
        (one,) = unit.delegations.of_account(account.account_id, NOW)
    return one.used


def newest(store: Store, account: Account) -> int:
    with store.read() as unit:
        return unit.changes.newest(account.account_id)


def test_it_is_found_until_its_session_ends_or_expires(store: Store, account: Account) -> None:
    add_delegation(store, account, reads=3, folder_key=account.root_key)
    with store.read() as unit:
        found = unit.delegations.find(b"one", NOW)
        assert found is not None
        assert (found.terms.reads, found.terms.folder_key, found.email) == (3, account.root_key, account.email)
        (one,) = unit.delegations.of_account(account.account_id, NOW)
        assert (one.terms, one.used, one.narrowed, one.expires_at) == (found.terms, Amounts(), 0, FAR)
        assert unit.delegations.find(b"one", FAR) is None
        assert unit.delegations.of_account(account.account_id, FAR) == []
        assert unit.delegations.of_account(make_account(store).account_id, NOW) == []
        # Its digest opens no app's door.
        assert unit.app_passwords.find(b"one", NOW) is None
    store.write(lambda unit: unit.devices.remove(account.account_id, DEVICE))
    with store.read() as unit:
        assert unit.delegations.find(b"one", NOW) is None


def test_an_account_has_so_many(store: Store, account: Account) -> None:
    for number in range(DELEGATIONS_MAX):
        add_delegation(store, account, b"%d" % number, f"device {number}")
    with pytest.raises(LimitReached):
        add_delegation(store, account, b"one more", "one more")


def test_a_deleted_folder_counts_as_what_is_in_it(store: Store, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "many")
    inner = make_folder(store, account, folder.object_key, "inner")
    for number in range(7):
        put_file(store, account, inner.object_key, f"{number}.txt")
    leave = leave_for(store, account, deletions=7)
    before = newest(store, account)
    with pytest.raises(LeaveUsedUp):
        change(store, account, leave, Trash(folder.object_key))
    assert (newest(store, account), used(store, account).deletions) == (before, 0)
    change(store, account, leave, Trash(inner.object_key))
    assert used(store, account).deletions == 7
    with pytest.raises(LeaveUsedUp):
        change(store, account, leave, Trash(folder.object_key))


def test_what_a_batch_moves_into_a_folder_counts_when_it_deletes_the_folder(store: Store, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "folder")
    inner = make_folder(store, account, folder.object_key, "inner")
    other = make_folder(store, account, account.root_key, "other")
    for number in range(3):
        put_file(store, account, other.object_key, f"{number}.txt")
    single = put_file(store, account, account.root_key, "single.txt").object
    stays = put_file(store, account, folder.object_key, "stays.txt").object
    batch = (
        Move(other.object_key, inner.object_key),
        Move(single.object_key, folder.object_key),
        # It was there before, so it counts once.
        Move(stays.object_key, inner.object_key),
        Trash(folder.object_key),
    )
    leave = leave_for(store, account, deletions=7)
    change(store, account, leave, *batch)
    # The inner folder, the other one with three files, the single file, and the one that stays.
    assert used(store, account).deletions == 7


def test_a_batch_that_deletes_what_it_moves_is_refused_as_a_whole(store: Store, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "folder")
    files = [put_file(store, account, account.root_key, f"{number}.txt").object for number in range(3)]
    leave = leave_for(store, account, deletions=2)
    moves = [Move(one.object_key, folder.object_key) for one in files]
    with pytest.raises(LeaveUsedUp):
        change(store, account, leave, *moves, Trash(folder.object_key))
    with store.read() as unit:
        assert unit.tree.get(account.account_id, folder.object_key).status == "A"
        assert unit.tree.get(account.account_id, files[0].object_key).parent_key == account.root_key


def test_what_is_purged_counts_as_well(store: Store, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "many")
    for number in range(3):
        put_file(store, account, folder.object_key, f"{number}.txt")
    trash(store, account, folder.object_key)
    leave = leave_for(store, account, deletions=2)

    def purge(unit: Unit) -> None:
        unit.purge.mark_for_deletion(account.account_id, [folder.object_key], NOW)

    with pytest.raises(LeaveUsedUp):
        act(store, leave, purge)
    with pytest.raises(LeaveRefused):
        act(store, leave, lambda unit: unit.purge.mark_all_for_deletion(account.account_id, NOW))
    with store.read() as unit:
        assert unit.tree.get(account.account_id, folder.object_key).status == "T"


@pytest.mark.parametrize("kind", [CallKind.WRITE, CallKind.DELETE])
def test_a_change_of_another_kind_undoes_the_whole_unit(store: Store, account: Account, kind: CallKind) -> None:
    kept = put_file(store, account, account.root_key, "kept.txt").object
    other = put_file(store, account, account.root_key, "other.txt").object
    leave = replace(leave_for(store, account), kinds=ALL_KINDS - {kind})
    with pytest.raises(LeaveRefused):
        change(store, account, leave, Trash(kept.object_key), Rename(other.object_key, "renamed.txt"))
    with store.read() as unit:
        assert unit.tree.get(account.account_id, kept.object_key).status == "A"
        assert unit.tree.get(account.account_id, other.object_key).name == "other.txt"
    assert used(store, account) == Amounts()


def test_nothing_changes_outside_of_the_folder(store: Store, account: Account) -> None:
    inside = make_folder(store, account, account.root_key, "inside")
    outside = make_folder(store, account, account.root_key, "outside")
    deep = make_folder(store, account, inside.object_key, "deep")
    mine = put_file(store, account, deep.object_key, "mine.txt").object
    theirs = put_file(store, account, outside.object_key, "theirs.txt").object
    app = Leave(folders=(inside.object_key,))
    for leave, refusal in (
        (app, AppLeaveRefused),
        (replace(leave_for(store, account), folders=app.folders), LeaveRefused),
    ):
        for refused in (
            Move(mine.object_key, outside.object_key),
            Move(theirs.object_key, inside.object_key),
            Trash(theirs.object_key),
            Trash(inside.object_key),
            Rename(inside.object_key, "another"),
            SetFavorite(theirs.object_key, True),
        ):
            with pytest.raises(refusal):
                change(store, account, leave, refused)
        new = NewFolder(object_key=new_key(), parent_key=account.root_key, name="new")
        with pytest.raises(refusal):
            make_as(store, account, leave, new)
        (moved,) = change(store, account, leave, Move(mine.object_key, inside.object_key))
        assert not isinstance(moved, StorageError)
        change(store, account, leave, Move(mine.object_key, deep.object_key))


def test_uploads_count_their_bytes(store: Store, account: Account) -> None:
    leave = leave_for(store, account, written_bytes=15, writes=5)

    def put(name: str) -> None:
        file = new_file(account.root_key, name)
        act(store, leave, lambda unit: unit.files.put(account.account_id, file, NOW, keep_versions=3))

    put("one.txt")
    with pytest.raises(LeaveUsedUp):
        put("two.txt")
    assert (used(store, account).written_bytes, used(store, account).writes) == (10, 1)


def test_nothing_is_changed_after_its_end(store: Store, account: Account) -> None:
    file = put_file(store, account, account.root_key, "a.txt").object
    leave = leave_for(store, account)
    with pytest.raises(LeaveRefused, match="has ended"):
        change(store, account, replace(leave, until=NOW), Rename(file.object_key, "b.txt"))
    with store.read() as unit:
        assert unit.tree.get(account.account_id, file.object_key).name == "a.txt"
    change(store, account, replace(leave, until=NOW + 1), Rename(file.object_key, "b.txt"))
    assert used(store, account).writes == 1


def test_numbers_are_exact_for_those_who_come_at_once(store: Store, account: Account) -> None:
    files = [put_file(store, account, account.root_key, f"{number}.txt").object for number in range(12)]
    leave = leave_for(store, account, deletions=5)

    def delete(number: int) -> bool:
        try:
            change(store, account, leave, Trash(files[number].object_key))
        except LeaveUsedUp:
            return False
        return True

    assert sum(in_parallel(12, delete)) == 5
    assert used(store, account).deletions == 5
    with store.read() as unit:
        left = [unit.tree.get(account.account_id, one.object_key).status for one in files]
    assert left.count("T") == 5


def test_reads_that_are_set_aside_are_never_more_than_allowed(store: Store, account: Account) -> None:
    leave = leave_for(store, account, reads=100)

    def reserve(_: int) -> int:
        spare = Amounts(reads=64)
        try:
            granted: Amounts = store.write(
                lambda unit: unit.delegations.reserve(account.account_id, leave, Amounts(reads=1), spare, 0)
            )
        except LeaveUsedUp:
            return 0
        return granted.reads

    granted = [sum(in_parallel(8, reserve)) for _ in range(13)]
    assert sum(granted) == 100
    assert used(store, account).reads == 100


def test_calls_count_in_their_minute(store: Store, account: Account) -> None:
    leave = leave_for(store, account, calls=2)

    def call(minute: int) -> None:
        store.write(lambda unit: unit.delegations.spend(account.account_id, leave, Amounts(calls=1), minute=minute))

    call(5)
    call(5)
    with pytest.raises(LeaveUsedUp):
        call(5)
    call(6)
    with store.read() as unit:
        assert unit.delegations.left(leave, 6) == {"calls": 1}


def test_a_narrowed_token_counts_for_itself_and_for_the_delegation(store: Store, account: Account) -> None:
    leave = leave_for(store, account, reads=5)
    narrower = replace(leave, links=(*leave.links, Link(b"narrower", Most(reads=2))))

    def read(reader: Leave) -> None:
        store.write(lambda unit: unit.delegations.spend(account.account_id, reader, Amounts(reads=1)))

    read(narrower)
    read(narrower)
    with pytest.raises(LeaveUsedUp):
        read(narrower)
    for _ in range(3):
        read(leave)
    with pytest.raises(LeaveUsedUp):
        read(leave)
    with store.read() as unit:
        (one,) = unit.delegations.of_account(account.account_id, NOW)
        assert (one.used.reads, one.narrowed) == (5, 1)


def test_narrowed_tokens_that_count_are_limited(store: Store, account: Account) -> None:
    leave = leave_for(store, account)

    def read(number: int) -> None:
        links = (*leave.links, Link(b"%d" % number, Most(reads=2)))
        reader = replace(leave, links=links)
        store.write(lambda unit: unit.delegations.spend(account.account_id, reader, Amounts(reads=1)))

    for number in range(DELEGATION_NARROWED_MAX):
        read(number)
    with pytest.raises(LeaveUsedUp):
        read(DELEGATION_NARROWED_MAX)
    read(0)


def test_one_that_has_ended_meanwhile_changes_nothing(store: Store, account: Account) -> None:
    file = put_file(store, account, account.root_key, "a.txt").object
    leave = leave_for(store, account)
    store.write(lambda unit: unit.devices.remove(account.account_id, DEVICE))
    with pytest.raises(LeaveRefused):
        change(store, account, leave, Trash(file.object_key))
