"""Usage: what takes up the space of an account, and freeing earlier versions."""

from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import NOW, make_account, make_folder, put_file, trash

from skyshelf.storage.metadata.contracts.accounts import Account


def test_the_parts_add_up_to_what_the_quota_counts(store: Store, account: Account) -> None:
    root = account.root_key
    folder = make_folder(store, account, root, "folder")
    for data in (b"1", b"22", b"333"):
        put_file(store, account, root, "kept.txt", data)
        put_file(store, account, folder.object_key, "trashed.jpg", data)
    single = put_file(store, account, root, "single.mp3", b"55555").object
    trash(store, account, folder.object_key)
    trash(store, account, single.object_key)
    with store.read() as unit:
        used = unit.usage.used(account.account_id)
        quota = unit.quotas.get(account.account_id, NOW)
    assert (used.old_versions, used.trash, used.is_complete) == ({"document": 3}, {"photo": 6, "audio": 5}, True)
    assert quota.used == 3 + 3 + 6 + 5


def test_the_largest_come_first_in_pages_without_what_is_trashed(store: Store, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "folder")
    put_file(store, account, folder.object_key, "hidden.txt", b"x" * 50)
    trash(store, account, folder.object_key)
    for size in (3, 30, 20, 10):
        put_file(store, account, account.root_key, f"{size}.txt", b"x" * size)
    with store.read() as unit:
        names, after = [], None
        while True:
            page = unit.usage.largest(account.account_id, limit=2, after=after)
            names += [file.name for file in page.found]
            if (after := page.next) is None:
                break
        assert names == ["30.txt", "20.txt", "10.txt", "3.txt"]
        assert unit.usage.largest(make_account(store).account_id, limit=2).found == []


def test_duplicates_are_visible_files_with_the_same_content(store: Store, account: Account) -> None:
    root = account.root_key
    folder = make_folder(store, account, root, "folder")
    for number, name in enumerate(("a.txt", "b.txt", "trashed.txt")):
        put_file(store, account, root, name, b"the same", now=NOW + number)
    elsewhere = put_file(store, account, folder.object_key, "c.txt", b"the same", now=NOW + 9).object
    for name in ("empty.txt", "empty too.txt"):
        put_file(store, account, root, name, b"")
    # One file that had the same content before is no duplicate of itself.
    for data in (b"twice once", b"other", b"twice once"):
        put_file(store, account, root, "versions.txt", data)
    for name in ("d.txt", "e.txt"):
        put_file(store, account, root, name, b"smaller")
    with store.read() as unit:
        trashed = unit.tree.child_named(account.account_id, root, "trashed.txt")
        assert trashed is not None
    trash(store, account, trashed.object_key)
    with store.read() as unit:
        groups, after = [], None
        while True:
            page = unit.usage.duplicates(account.account_id, limit=1, after=after)
            groups += [[file.name for file in group] for group in page.found]
            if (after := page.next) is None:
                break
    assert groups == [["a.txt", "b.txt", elsewhere.name], ["d.txt", "e.txt"]]


def test_earlier_versions_are_listed_and_freed_and_the_current_one_stays(store: Store, account: Account) -> None:
    root = account.root_key
    for data in (b"1", b"22", b"333"):
        large = put_file(store, account, root, "large.txt", data * 10).object
        small = put_file(store, account, root, "small.txt", data).object
    put_file(store, account, root, "single.txt", b"s")
    with store.read() as unit:
        first = unit.usage.old_versions(account.account_id, limit=1)
        second = unit.usage.old_versions(account.account_id, limit=1, after=first.next)
    assert [(one.file.name, one.versions, one.size) for one in first.found + second.found] == [
        ("large.txt", 2, 30),
        ("small.txt", 2, 3),
    ]
    stranger = make_account(store)
    keys = [large.object_key, small.object_key]
    assert store.write(lambda unit: unit.usage.remove_old_versions(stranger.account_id, keys, NOW)) == (0, 0)
    assert store.write(lambda unit: unit.usage.remove_old_versions(account.account_id, keys, NOW)) == (4, 33)
    assert store.write(lambda unit: unit.usage.remove_old_versions(account.account_id, keys, NOW)) == (0, 0)
    with store.read() as unit:
        assert [one.size for one in unit.files.versions(account.account_id, large.object_key)] == [30]
        assert unit.quotas.recount(account.account_id, NOW) == unit.quotas.get(account.account_id, NOW)
        assert unit.inspection.miscounted(limit=10) == []
        assert unit.usage.old_versions(account.account_id, limit=1).found == []
