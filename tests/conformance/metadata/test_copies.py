"""Copies: new objects with content that exists already."""

import pytest
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import GIB, NOW, make_account, make_folder, new_key, put_file, trash
from tests.conformance.metadata.recording import statements_of_write

from skyshelf.storage.errors import NotAFolder, ObjectMissing, QuotaExceeded, RootIsFixed, WouldCycle
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import CopyOf
from skyshelf.storage.metadata.contracts.tree import Outcome, StoredObject


def copy(store: Store, account: Account, folder_key: str, *keys: str) -> list[Outcome]:
    copies = [CopyOf(key, new_key()) for key in keys]
    copied = store.write(
        lambda unit: unit.copies.copy(account.account_id, copies, folder_key, NOW + 5, created_by="Ada")
    )
    return copied.outcomes


def copied(outcome: Outcome) -> StoredObject:
    assert isinstance(outcome, StoredObject), outcome
    return outcome


def test_a_copy_shares_the_content_counts_in_the_quota_and_outlives_the_original(
    store: Store, account: Account
) -> None:
    file = put_file(store, account, account.root_key, "a.jpg", b"12345", taken_at=7, taken_day=101).object
    first, second = map(copied, copy(store, account, account.root_key, file.object_key, file.object_key))
    assert (first.name, second.name) == ("a (1).jpg", "a (2).jpg")
    assert (first.sha256, first.taken_at, first.last_modified_at, first.version) == (
        file.sha256, file.taken_at, file.last_modified_at, 1,
    )  # fmt: skip
    with store.read() as unit:
        quota = unit.quotas.get(account.account_id, NOW)
        assert (quota.photo_used, quota.objects) == (15, 3)
        assert unit.quotas.recount(account.account_id, NOW) == quota
        assert file.sha256
        content = unit.content.get(file.sha256)
        assert content is not None
        assert content.refs == 3
        assert unit.inspection.miscounted(limit=10) == []


def test_a_folder_is_copied_empty_and_never_into_itself(store: Store, account: Account) -> None:
    outer = make_folder(store, account, account.root_key, "outer")
    inner = make_folder(store, account, outer.object_key, "inner")
    put_file(store, account, outer.object_key, "a.txt")
    made = copied(copy(store, account, account.root_key, outer.object_key)[0])
    assert (made.name, made.is_folder) == ("outer (1)", True)
    with store.read() as unit:
        assert unit.tree.children(account.account_id, made.object_key) == []
    for target in (outer.object_key, inner.object_key):
        [refused] = copy(store, account, target, outer.object_key)
        assert isinstance(refused, WouldCycle)


def test_each_is_refused_on_its_own_and_a_bad_target_as_a_whole(store: Store) -> None:
    account = make_account(store, default_space=25)
    root, stranger = account.root_key, make_account(store)
    file = put_file(store, account, root, "a.txt", b"0123456789").object
    gone = make_folder(store, account, root, "gone")
    trash(store, account, gone.object_key)
    theirs = put_file(store, stranger, stranger.root_key, "b.txt").object
    outcomes = copy(store, account, root, theirs.object_key, gone.object_key, root, *[file.object_key] * 2)
    assert [type(one) for one in outcomes] == [ObjectMissing, ObjectMissing, RootIsFixed, StoredObject, QuotaExceeded]
    for target, error in ((gone.object_key, ObjectMissing), (file.object_key, NotAFolder), (new_key(), ObjectMissing)):
        with pytest.raises(error):
            copy(store, account, target, file.object_key)


def test_many_copies_cost_what_one_costs(store: Store) -> None:
    account = make_account(store, default_space=GIB)
    folders = [make_folder(store, account, account.root_key, name) for name in ("from", "few", "many")]
    keys = [put_file(store, account, folders[0].object_key, f"{n}.txt", b"%d" % n).object.object_key for n in range(12)]

    def cost(target: str, some: list[str]) -> int:
        copies = [CopyOf(key, new_key()) for key in some]
        return len(
            statements_of_write(
                store, lambda unit: unit.copies.copy(account.account_id, copies, target, NOW, created_by="Ada")
            )
        )

    assert cost(folders[2].object_key, keys) == cost(folders[1].object_key, keys[:1])
