"""Bringing back a version: one more reference to the same content, under the rules of a put."""

import pytest
from tests.conformance.metadata.making import NOW, make_account, make_folder, new_key, put_file, trash
from tests.conformance.metadata.reading import assert_books_balance, changes_of, quota_of, stored

from skyshelf.storage.errors import NotAFile, ObjectMissing, QuotaExceeded
from skyshelf.storage.metadata.contracts import changes as feed
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import MetadataStore


def bring_back(
    store: MetadataStore,
    account: Account,
    key: str,
    number: int,
    *,
    now: int = NOW,
    keep: int = 20,
    taken: tuple[int, int] | None = None,
) -> StoredObject:
    return store.write(
        lambda unit: unit.files.restore_version(
            account.account_id, key, number, now, keep_versions=keep, created_by="Grace", taken=taken
        )
    )


def numbers(store: MetadataStore, account: Account, key: str) -> list[tuple[int, int, str]]:
    with store.read() as unit:
        found = unit.files.versions(account.account_id, key)
    return [(one.version, one.size, one.created_by) for one in found]


def test_the_content_of_a_version_is_the_next_one(store: MetadataStore) -> None:
    account = make_account(store)
    put_file(store, account, account.root_key, "a.jpg", b"one", file_created_at=5, last_modified_at=6)
    key = put_file(store, account, account.root_key, "a.jpg", b"second").object.object_key
    before = stored(store, account, key)
    result = bring_back(store, account, key, 1, now=NOW + 9, taken=(77, 1231))
    assert (result.version, result.size, result.sha256 != before.sha256) == (3, 3, True)
    assert (result.file_created_at, result.last_modified_at, result.arrived_at) == (5, 6, NOW + 9)
    assert (result.taken_at, result.taken_day) == (77, 1231)
    assert stored(store, account, key) == result
    assert numbers(store, account, key) == [(3, 3, "Grace"), (2, 6, "Ada"), (1, 3, "Ada")]
    assert quota_of(store, account).photo_used == 12
    assert [(one.kind, one.object_key) for one in changes_of(store, account)][-1] == (feed.CONTENT, key)
    assert_books_balance(store, account)


def test_the_current_version_stays_and_no_change_is_recorded(store: MetadataStore) -> None:
    account = make_account(store)
    put_file(store, account, account.root_key, "a.txt", b"one")
    key = put_file(store, account, account.root_key, "a.txt", b"second").object.object_key
    recorded = len(changes_of(store, account))
    assert bring_back(store, account, key, 2).version == 2
    assert len(changes_of(store, account)) == recorded
    first = bring_back(store, account, key, 1)
    assert bring_back(store, account, key, 1) == first
    assert bring_back(store, account, key, 3) == first


def test_the_version_that_goes_can_be_the_one_that_comes_back(store: MetadataStore) -> None:
    account = make_account(store, default_space=4)
    for data in (b"1", b"22"):
        key = put_file(store, account, account.root_key, "a.txt", data, keep_versions=2).object.object_key
    assert bring_back(store, account, key, 1, keep=2).size == 1
    assert numbers(store, account, key) == [(3, 1, "Grace"), (2, 2, "Ada")]
    assert_books_balance(store, account)


def test_space_freed_by_the_next_version_counts_as_free(store: MetadataStore) -> None:
    account = make_account(store, default_space=6)
    for data in (b"12", b"34", b"56"):
        key = put_file(store, account, account.root_key, "a.txt", data, keep_versions=3).object.object_key
    with store.read() as unit:
        assert unit.files.bytes_freed_by_next_version(account.account_id, key, 3) == 2
        assert unit.files.bytes_freed_by_next_version(account.account_id, key, 4) == 0
        assert unit.files.bytes_freed_by_next_version(account.account_id, key, 1) == 6
        assert unit.files.bytes_freed_by_next_version(account.account_id, new_key(), 1) == 0
    with pytest.raises(QuotaExceeded):
        put_file(store, account, account.root_key, "a.txt", b"789", keep_versions=3)
    with pytest.raises(QuotaExceeded):
        bring_back(store, account, key, 1, keep=4)
    put_file(store, account, account.root_key, "a.txt", b"78", keep_versions=3)
    assert quota_of(store, account).used == 6
    assert_books_balance(store, account)


def test_files_that_cannot_be_seen_and_versions_that_are_gone_are_missing(store: MetadataStore) -> None:
    account, other = make_account(store), make_account(store)
    folder = make_folder(store, account, account.root_key, "folder").object_key
    key = put_file(store, account, folder, "a.txt", b"one").object.object_key
    put_file(store, account, folder, "a.txt", b"two")
    for owner, wanted, number in ((account, key, 3), (account, new_key(), 1), (other, key, 1)):
        with pytest.raises(ObjectMissing):
            bring_back(store, owner, wanted, number)
    with pytest.raises(NotAFile):
        bring_back(store, account, folder, 1)
    trash(store, account, folder)
    with pytest.raises(ObjectMissing):
        bring_back(store, account, key, 1)
