"""Files: versions, the content they refer to, and content that an account already owns."""

import hashlib

import pytest
from tests.conformance.metadata.making import (
    NOW,
    in_parallel,
    make_account,
    make_folder,
    new_file,
    new_key,
    purge_all,
    put_file,
    restore,
    trash,
)
from tests.conformance.metadata.reading import assert_books_balance, changes_of, listing, quota_of, stored

from skyshelf.storage.errors import NameTaken, NotAFile, NotAFolder, ObjectMissing
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import NewFile, PutOutcome, Version
from skyshelf.storage.metadata.store import MetadataStore


def _put_owned(store: MetadataStore, account: Account, file: NewFile, now: int = NOW) -> PutOutcome | None:
    return store.write(lambda unit: unit.files.put_owned(account.account_id, file, now, keep_versions=20))


def _refs(store: MetadataStore, data: bytes) -> int | None:
    with store.read() as unit:
        content = unit.content.get(hashlib.sha256(data).hexdigest())
    return None if content is None else content.refs


def test_a_taken_name_gets_the_next_version_under_the_same_key(store: MetadataStore, account: Account) -> None:
    outcomes = [put_file(store, account, account.root_key, "a", b"%d" % n, now=NOW + n) for n in range(5)]
    assert [outcome.created for outcome in outcomes] == [True] + [False] * 4
    assert {outcome.object.object_key for outcome in outcomes} == {outcomes[0].object.object_key}
    assert [outcome.object.version for outcome in outcomes] == [1, 2, 3, 4, 5]
    with store.read() as unit:
        versions = unit.files.versions(account.account_id, outcomes[0].object.object_key)
    assert [version.version for version in versions] == [5, 4, 3, 2, 1]
    assert [version.is_current for version in versions] == [True, False, False, False, False]
    assert [version.created_at for version in versions] == [NOW + n for n in (4, 3, 2, 1, 0)]
    assert [version.location for version in versions] == [outcome.location for outcome in reversed(outcomes)]


def test_one_version_is_found_by_number_and_the_current_one_without(store: MetadataStore, account: Account) -> None:
    for number in (1, 2, 3):
        key = put_file(store, account, account.root_key, "a", b"%d" % number).object.object_key
    with store.read() as unit:
        for number in (1, 2, 3):
            version = unit.files.version(account.account_id, key, number)
            assert (version.version, version.md5) == (number, hashlib.md5(b"%d" % number).hexdigest())
        assert unit.files.version(account.account_id, key).version == 3
        for number in (0, 4, -1):
            with pytest.raises(ObjectMissing):
                unit.files.version(account.account_id, key, number)


def test_only_the_newest_versions_are_kept_and_the_others_give_their_bytes_back(
    store: MetadataStore, account: Account
) -> None:
    for number in range(1, 9):
        outcome = put_file(store, account, account.root_key, "a", b"x" * number, keep_versions=3)
    assert outcome.object.version == 8
    with store.read() as unit:
        kept = unit.files.versions(account.account_id, outcome.object.object_key)
        with pytest.raises(ObjectMissing):
            unit.files.version(account.account_id, outcome.object.object_key, 5)
    assert [version.version for version in kept] == [8, 7, 6]
    assert quota_of(store, account).used == 8 + 7 + 6
    assert_books_balance(store, account)
    put_file(store, account, account.root_key, "a", b"x", keep_versions=1)
    assert quota_of(store, account).used == 1
    assert_books_balance(store, account)


def test_versions_belong_to_files_alone(store: MetadataStore, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "folder").object_key
    with store.read() as unit:
        for look in (unit.files.versions, unit.files.version):
            with pytest.raises(NotAFile):
                look(account.account_id, folder)
            with pytest.raises(ObjectMissing):
                look(account.account_id, new_key())


def test_many_visible_files_are_read_in_one_query(store: MetadataStore, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "folder").object_key
    below = make_folder(store, account, folder, "below").object_key
    put_file(store, account, folder, "a.txt", b"old")
    keys = [
        put_file(store, account, folder, "a.txt", b"new").object.object_key,
        put_file(store, account, below, "b.txt", b"b").object.object_key,
        put_file(store, account, account.root_key, "c.txt", b"c").object.object_key,
    ]
    trashed = put_file(store, account, account.root_key, "d.txt", b"d").object.object_key
    trash(store, account, trashed)
    stranger = make_account(store, "stranger@example.org")
    asked = [*keys, keys[0], trashed, folder, account.root_key, new_key()]

    def seen(account_id: int) -> dict[str, Version]:
        with store.read() as unit:
            return unit.files.visible_versions(account_id, asked)

    with store.read() as unit:
        assert seen(account.account_id) == {key: unit.files.version(account.account_id, key) for key in keys}
    assert seen(stranger.account_id) == {}
    trash(store, account, folder)
    assert seen(account.account_id).keys() == {keys[2]}
    restore(store, account, folder)
    assert seen(account.account_id).keys() == set(keys)


def test_a_visible_file_is_read_with_its_name_in_one_query(store: MetadataStore, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "folder").object_key
    put_file(store, account, folder, "a.txt", b"old")
    key = put_file(store, account, folder, "a.txt", b"new").object.object_key
    stranger = make_account(store, "stranger@example.org")

    def missing(account_id: int, object_key: str) -> None:
        with store.read() as unit, pytest.raises(ObjectMissing):
            unit.files.visible_version(account_id, object_key)

    with store.read() as unit:
        name, version = unit.files.visible_version(account.account_id, key)
        assert version == unit.files.version(account.account_id, key)
        with pytest.raises(NotAFile):
            unit.files.visible_version(account.account_id, folder)
    assert (name, version.version, version.md5) == ("a.txt", 2, hashlib.md5(b"new").hexdigest())
    missing(account.account_id, new_key())
    missing(stranger.account_id, key)
    trash(store, account, folder)
    missing(account.account_id, key)
    restore(store, account, folder)
    trash(store, account, key)
    missing(account.account_id, key)


def test_a_trashed_file_keeps_its_versions(store: MetadataStore, account: Account) -> None:
    for number in range(3):
        key = put_file(store, account, account.root_key, "a", b"%d" % number).object.object_key
    trash(store, account, key)
    with store.read() as unit:
        assert len(unit.files.versions(account.account_id, key)) == 3
    restore(store, account, key)
    assert put_file(store, account, account.root_key, "a", b"new").object.version == 4


def test_a_put_beside_a_trashed_file_of_that_name_is_a_new_file(store: MetadataStore, account: Account) -> None:
    first = put_file(store, account, account.root_key, "a", b"1").object.object_key
    trash(store, account, first)
    second = put_file(store, account, account.root_key, "a", b"2")
    assert second.created
    assert second.object.object_key != first
    assert second.object.version == 1


def test_a_refused_put_leaves_nothing_behind(store: MetadataStore, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "folder").object_key
    file = put_file(store, account, account.root_key, "file", b"kept").object.object_key
    trashed = make_folder(store, account, account.root_key, "trashed").object_key
    trash(store, account, trashed)
    seen = len(changes_of(store, account))
    for parent, name, refusal in (
        (account.root_key, "folder", NameTaken),
        (file, "x", NotAFolder),
        (trashed, "x", ObjectMissing),
        (new_key(), "x", ObjectMissing),
    ):
        with pytest.raises(refusal):
            put_file(store, account, parent, name, b"refused")
        with pytest.raises(refusal):
            _put_owned(store, account, new_file(parent, name, b"kept"))
    assert _refs(store, b"refused") is None
    assert _refs(store, b"kept") == 1
    assert len(changes_of(store, account)) == seen
    assert listing(store, account, folder) == []
    assert_books_balance(store, account)


def test_the_same_content_is_kept_once_and_counted_by_every_version(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    first = put_file(store, account, account.root_key, "a", b"same")
    second = put_file(store, account, account.root_key, "b", b"same")
    third = put_file(store, other, other.root_key, "c", b"same")
    fourth = put_file(store, other, other.root_key, "c", b"same")
    assert {second.location, third.location, fourth.location} == {first.location}
    assert _refs(store, b"same") == 4
    assert quota_of(store, account).used == 8
    assert quota_of(store, other).used == 8
    assert_books_balance(store, account, other)


def test_unreferenced_content_is_idle_at_once_and_can_be_reused(store: MetadataStore, account: Account) -> None:
    first = put_file(store, account, account.root_key, "a", b"content")
    trash(store, account, first.object.object_key)
    store.write(lambda unit: unit.purge.mark_all_for_deletion(account.account_id, NOW))
    purge_all(store, account, now=NOW + 50)
    with store.read() as unit:
        idle = unit.content.get(hashlib.sha256(b"content").hexdigest())
    assert idle is not None
    assert (idle.refs, idle.idle_since, idle.location) == (0, NOW + 50, first.location)
    assert store.write(lambda unit: unit.content.release_idle(NOW + 50, 10, NOW)).contents == []
    again = put_file(store, account, account.root_key, "b", b"content")
    assert again.location == first.location
    assert store.write(lambda unit: unit.content.release_idle(NOW + 51, 10, NOW)).contents == []
    assert_books_balance(store, account)


def test_released_content_is_forgotten_and_a_later_put_takes_its_own_location(
    store: MetadataStore, account: Account
) -> None:
    first = put_file(store, account, account.root_key, "a", b"content")
    put_file(store, account, account.root_key, "kept", b"kept")
    trash(store, account, first.object.object_key)
    store.write(lambda unit: unit.purge.mark_all_for_deletion(account.account_id, NOW))
    purge_all(store, account, now=NOW)
    with store.read() as unit:
        assert unit.content.known([first.location, "blob-unknown"]) == {first.location}
    assert store.write(lambda unit: unit.content.release_idle(NOW + 1, 10, NOW)).contents == [first.location]
    assert _refs(store, b"content") is None
    with store.read() as unit:
        assert unit.content.known([first.location]) == set()
        assert unit.content.known([]) == set()
    again = put_file(store, account, account.root_key, "a", b"content")
    assert again.location != first.location
    assert_books_balance(store, account)


def test_idle_content_is_released_oldest_first_up_to_the_limit(store: MetadataStore, account: Account) -> None:
    locations = []
    for number in range(5):
        outcome = put_file(store, account, account.root_key, f"{number}", b"%d" % number)
        locations.append(outcome.location)
        trash(store, account, outcome.object.object_key)
        store.write(lambda unit: unit.purge.mark_all_for_deletion(account.account_id, NOW))
        purge_all(store, account, now=NOW + number)
    assert sorted(store.write(lambda unit: unit.content.release_idle(NOW + 100, 2, NOW)).contents) == sorted(
        locations[:2]
    )
    assert sorted(store.write(lambda unit: unit.content.release_idle(NOW + 4, 100, NOW)).contents) == sorted(
        locations[2:4]
    )


def test_owned_content_gets_a_second_name_without_an_upload(store: MetadataStore, account: Account) -> None:
    first = put_file(store, account, account.root_key, "a.txt", b"owned")
    wanted = new_file(account.root_key, "b.txt", b"owned", sha256="", location="")
    outcome = _put_owned(store, account, wanted)
    assert outcome is not None
    assert outcome.created
    assert outcome.location == first.location
    assert outcome.object.sha256 == first.object.sha256
    assert stored(store, account, wanted.object_key) == outcome.object
    assert _refs(store, b"owned") == 2
    assert_books_balance(store, account)


def test_content_of_another_account_or_size_or_digest_is_not_owned(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    put_file(store, other, other.root_key, "a", b"theirs")
    put_file(store, account, account.root_key, "a", b"mine")
    md5 = hashlib.md5(b"mine").hexdigest()
    for wanted in (
        new_file(account.root_key, "x", b"theirs"),
        new_file(account.root_key, "x", b"mine", size=5),
        new_file(account.root_key, "x", b"mine", md5="0" * 32),
    ):
        assert _put_owned(store, account, wanted) is None
    with store.read() as unit:
        assert unit.content.owned(other.account_id, md5, 4) is None
        owned = unit.content.owned(account.account_id, md5, 4)
    assert owned is not None
    assert owned.sha256 == hashlib.sha256(b"mine").hexdigest()
    assert listing(store, account, account.root_key) == ["a"]


def test_content_of_an_old_version_and_of_the_trash_is_owned(store: MetadataStore, account: Account) -> None:
    put_file(store, account, account.root_key, "a", b"old")
    put_file(store, account, account.root_key, "a", b"new")
    trashed = put_file(store, account, account.root_key, "t", b"trashed").object.object_key
    trash(store, account, trashed)
    for data in (b"old", b"trashed"):
        assert _put_owned(store, account, new_file(account.root_key, f"{data!r}", data)) is not None
    store.write(lambda unit: unit.purge.mark_all_for_deletion(account.account_id, NOW))
    purge_all(store, account)
    assert _refs(store, b"trashed") == 1
    assert_books_balance(store, account)


def test_many_uploads_of_one_name_at_once_are_versions_without_loss(store: MetadataStore, account: Account) -> None:
    def upload(number: int) -> list[int]:
        return [
            put_file(
                store, account, account.root_key, "same", b"%d %d" % (number, turn), keep_versions=1000
            ).object.version
            for turn in range(5)
        ]

    numbers = [version for versions in in_parallel(8, upload) for version in versions]
    assert sorted(numbers) == list(range(1, 41))
    with store.read() as unit:
        key = unit.tree.children(account.account_id, account.root_key)[0].object_key
        versions = unit.files.versions(account.account_id, key)
    assert [version.version for version in versions] == list(range(40, 0, -1))
    assert len({version.sha256 for version in versions}) == 40
    assert_books_balance(store, account)


def test_the_same_new_content_from_many_accounts_at_once_is_kept_once(store: MetadataStore) -> None:
    accounts = [make_account(store) for _ in range(8)]

    def upload(number: int) -> str:
        one = accounts[number]
        for turn in range(4):
            location = put_file(store, one, one.root_key, f"{turn}", b"the same").location
        return location

    assert len(set(in_parallel(8, upload))) == 1
    assert _refs(store, b"the same") == 32
    assert_books_balance(store, *accounts)


def test_releasing_never_takes_content_that_an_upload_has_just_brought_back(
    store: MetadataStore, account: Account
) -> None:
    """Uploads, purges and the sweeper at once: a version always refers to content that has its row."""

    def churn(number: int) -> set[str]:
        released: set[str] = set()
        for turn in range(12):
            if number == 0:
                idle = store.write(lambda unit: unit.content.release_idle(NOW + 10_000, 10, NOW))
                released.update(idle.contents)
            elif number == 1:
                store.write(lambda unit: unit.purge.mark_all_for_deletion(account.account_id, NOW))
                store.write(lambda unit: unit.purge.delete_batch(account.account_id, 100, NOW))
            else:
                key = put_file(store, account, account.root_key, f"{number}", b"shared").object.object_key
                trash(store, account, key, now=NOW + turn)
        return released

    released = in_parallel(4, churn)[0]
    put = put_file(store, account, account.root_key, "last", b"shared")
    assert put.location not in released
    assert_books_balance(store, account)
