"""The feed of changes: one entry per thing that happened, in order, without holes."""

import threading

import pytest
from tests.conformance.metadata.making import (
    NOW,
    apply,
    in_parallel,
    make_account,
    make_folder,
    mark_for_deletion,
    new_file,
    purge_all,
    put_file,
    restore,
)
from tests.conformance.metadata.reading import changes_of

from skyshelf.storage.errors import NameTaken
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.changes import KINDS, Change
from skyshelf.storage.metadata.contracts.files import NewUpload
from skyshelf.storage.metadata.contracts.tree import Move, Rename, SetFavorite, Trash
from skyshelf.storage.metadata.store import MetadataStore


def test_everything_that_can_happen_is_one_change_of_its_kind(store: MetadataStore, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "folder", now=NOW + 1).object_key
    file = put_file(store, account, account.root_key, "a", b"1", now=NOW + 2).object.object_key
    put_file(store, account, account.root_key, "a", b"2", now=NOW + 3)
    owned = new_file(account.root_key, "owned", b"1")
    store.write(lambda unit: unit.files.put_owned(account.account_id, owned, NOW + 4, keep_versions=20))
    apply(store, account, Rename(file, "b"), now=NOW + 5)
    apply(store, account, Move(file, folder), now=NOW + 6)
    apply(store, account, SetFavorite(file, True), now=NOW + 7)
    apply(store, account, SetFavorite(file, False), now=NOW + 8)
    apply(store, account, Trash(file), now=NOW + 9)
    restore(store, account, file, now=NOW + 10)
    apply(store, account, Trash(file), now=NOW + 11)
    mark_for_deletion(store, account, file, now=NOW + 12)
    apply(store, account, Trash(folder), now=NOW + 13)
    store.write(lambda unit: unit.purge.mark_all_for_deletion(account.account_id, NOW + 14))
    purge_all(store, account)
    kinds = [
        ("created", folder),
        ("created", file),
        ("content", file),
        ("created", owned.object_key),
        ("renamed", file),
        ("moved", file),
        ("favorite", file),
        ("favorite", file),
        ("trashed", file),
        ("restored", file),
        ("trashed", file),
        ("purged", file),
        ("trashed", folder),
        ("emptied", account.root_key),
    ]
    feed = changes_of(store, account)
    assert feed == [Change(n, NOW + n, kind, key) for n, (kind, key) in enumerate(kinds, start=1)]
    assert {kind for kind, _ in kinds} == KINDS


def test_what_is_no_change_of_the_tree_is_not_in_the_feed(store: MetadataStore, account: Account) -> None:
    key = make_folder(store, account, account.root_key, "a").object_key
    make_folder(store, account, account.root_key, "b")
    seen = changes_of(store, account)
    apply(store, account, Rename(key, "a"), Rename(key, "b"), Move(key, key), Move(key, account.root_key))
    apply(store, account, SetFavorite(key, False), Trash(account.root_key))
    restore(store, account, key)
    mark_for_deletion(store, account, key)
    store.write(lambda unit: unit.purge.mark_all_for_deletion(account.account_id, NOW))
    purge_all(store, account)
    with pytest.raises(NameTaken):
        put_file(store, account, account.root_key, "a")
    upload = NewUpload(upload_key=key, parent_key=account.root_key, name="x", size=1, md5="0" * 32, details=b"")
    store.write(lambda unit: unit.uploads.begin(account.account_id, upload, NOW))
    store.write(lambda unit: unit.uploads.discard(account.account_id, key))
    store.write(lambda unit: unit.accounts.set_names(account.account_id, first_name="", last_name="", now=NOW))
    assert changes_of(store, account) == seen


def test_several_calls_of_one_write_go_on_counting(store: MetadataStore, account: Account) -> None:
    files = [new_file(account.root_key, f"{number}") for number in range(3)]

    def work(unit: object) -> None:
        for file in files:
            unit.files.put(account.account_id, file, NOW, keep_versions=1)  # type: ignore[attr-defined]
        unit.tree.apply(account.account_id, [Trash(files[0].object_key)], NOW)  # type: ignore[attr-defined]

    store.write(work)
    assert [(change.seq, change.kind) for change in changes_of(store, account)] == [
        (1, "created"),
        (2, "created"),
        (3, "created"),
        (4, "trashed"),
    ]


def test_accounts_count_for_themselves(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    make_folder(store, account, account.root_key, "a")
    make_folder(store, other, other.root_key, "b")
    assert [change.seq for change in changes_of(store, account)] == [1]
    assert [change.seq for change in changes_of(store, other)] == [1]


def test_the_feed_is_read_in_pages_from_a_cursor(store: MetadataStore, account: Account) -> None:
    for number in range(7):
        make_folder(store, account, account.root_key, f"{number}")
    with store.read() as unit:
        feed = unit.changes.since(account.account_id, 0, 100)
        assert unit.changes.since(account.account_id, 2, 3) == feed[2:5]
        assert unit.changes.since(account.account_id, 7, 3) == []
        assert unit.changes.since(account.account_id, 99, 3) == []


def test_the_changes_of_one_object_are_found_among_the_latest(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    folder = make_folder(store, account, account.root_key, "folder")
    file = put_file(store, account, account.root_key, "a").object
    apply(store, account, Rename(file.object_key, "b"), Move(file.object_key, folder.object_key))
    with store.read() as unit:
        found = unit.changes.of_object(account.account_id, file.object_key, among=100, limit=10)
        assert [change.kind for change in found] == ["moved", "renamed", "created"]
        assert unit.changes.of_object(account.account_id, file.object_key, among=2, limit=10) == found[:2]
        assert unit.changes.of_object(account.account_id, file.object_key, among=100, limit=1) == found[:1]
        assert unit.changes.of_object(other.account_id, file.object_key, among=100, limit=10) == []


def test_what_is_below_a_purged_folder_is_gone_at_once(store: MetadataStore, account: Account) -> None:
    """Its rows go in the background; a client that lists them would keep them, for the feed never names them."""
    folder = make_folder(store, account, account.root_key, "going")
    inner = make_folder(store, account, folder.object_key, "inner")
    low = put_file(store, account, inner.object_key, "low").object
    stays = make_folder(store, account, account.root_key, "stays")
    apply(store, account, Trash(folder.object_key))
    mark_for_deletion(store, account, folder.object_key)
    with store.read() as unit:
        assert [key for key, _ in unit.changes.everything(account.account_id, limit=10)] == [stays.object_key]
        keys = [folder.object_key, inner.object_key, low.object_key, stays.object_key]
        assert len(unit.changes.objects(account.account_id, keys)) == 1


def test_what_was_forgotten_is_gone_and_the_count_goes_on(store: MetadataStore, account: Account) -> None:
    def ends() -> tuple[int, int]:
        with store.read() as unit:
            return unit.changes.oldest(account.account_id), unit.changes.newest(account.account_id)

    assert ends() == (1, 0)
    for number in range(5):
        make_folder(store, account, account.root_key, f"{number}")
    assert ends() == (1, 5)
    store.write(lambda unit: unit.changes.forget(account.account_id, 3))
    assert ends() == (4, 5)
    store.write(lambda unit: unit.changes.forget(account.account_id, 99))
    assert ends() == (6, 5)
    make_folder(store, account, account.root_key, "next")
    assert ends() == (6, 6)
    assert [change.seq for change in changes_of(store, account)] == [6]


def test_a_reader_never_misses_a_change_that_comes_late(store: MetadataStore, account: Account) -> None:
    """A feed that numbers before it commits shows 5 before 4; a reader that then asks for changes after 5 misses 4."""
    done = threading.Event()
    seen: list[int] = []

    def follow() -> None:
        while True:
            last_round = done.is_set()
            with store.read() as unit:
                new = unit.changes.since(account.account_id, seen[-1] if seen else 0, 7)
            seen.extend(change.seq for change in new)
            if last_round and not new:
                return

    def work(number: int) -> None:
        if number == 0:
            follow()
            return
        try:
            for turn in range(15):
                make_folder(store, account, account.root_key, f"{number} {turn}")
        finally:
            if barrier.wait() == 0:
                done.set()

    barrier = threading.Barrier(4)
    in_parallel(5, work)
    assert seen == list(range(1, 61))


def test_the_oldest_kept_change_is_never_newer_than_the_newest(store: MetadataStore, account: Account) -> None:
    """A reader that asks for the oldest while others add and forget must not skip a change that is kept."""
    done = threading.Event()

    def look(number: int) -> None:
        if number == 0:
            for turn in range(40):
                make_folder(store, account, account.root_key, f"{turn}")
                if turn % 2:
                    store.write(lambda unit, turn=turn: unit.changes.forget(account.account_id, turn + 1))  # type: ignore[misc]
            done.set()
            return
        while not done.is_set():
            with store.read() as unit:
                before = unit.changes.newest(account.account_id)
                oldest = unit.changes.oldest(account.account_id)
                after = unit.changes.newest(account.account_id)
            # Everything up to the newest before may be forgotten by now; nothing beyond the newest after exists.
            assert oldest <= after + 1, (before, oldest, after)

    in_parallel(3, look)
