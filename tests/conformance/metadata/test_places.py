"""Places: paths of many objects, and covers of folders."""

from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import NOW, make_account, make_folder, new_key, put_file, trash

from skyshelf.storage.metadata.contracts.accounts import Account


def test_a_trashed_object_still_knows_where_it_was(store: Store, account: Account) -> None:
    outer = make_folder(store, account, account.root_key, "outer")
    inner = make_folder(store, account, outer.object_key, "inner")
    file = put_file(store, account, inner.object_key, "a.txt").object
    other = put_file(store, account, account.root_key, "b.txt").object
    trash(store, account, file.object_key, other.object_key)
    keys = [file.object_key, other.object_key, new_key()]
    with store.read() as unit:
        places, folders = unit.places.above(account.account_id, keys)
    assert [(place.object.name, place.is_parent_visible) for place in places] == [("a.txt", True), ("b.txt", True)]
    assert {folder.name for folder in folders if folder.parent_key} == {"outer", "inner"}
    trash(store, account, outer.object_key)
    with store.read() as unit:
        places, _ = unit.places.above(account.account_id, keys)
        assert [place.is_parent_visible for place in places] == [False, True]
        assert unit.places.above(make_account(store).account_id, keys) == ([], [])
    store.write(lambda unit: unit.purge.mark_all_for_deletion(account.account_id, NOW + 99))
    with store.read() as unit:
        assert unit.places.above(account.account_id, keys) == ([], [])


def test_a_cover_is_of_the_newest_pictures_of_visible_folders(store: Store, account: Account) -> None:
    trip = make_folder(store, account, account.root_key, "trip")
    texts = make_folder(store, account, account.root_key, "texts")
    gone = make_folder(store, account, account.root_key, "gone")
    for number in range(6):
        put_file(store, account, trip.object_key, f"{number}.jpg", b"%d" % number, file_created_at=NOW + number)
    put_file(store, account, trip.object_key, "notes.txt", file_created_at=NOW + 99)
    put_file(store, account, texts.object_key, "notes.txt")
    put_file(store, account, gone.object_key, "a.jpg")
    trash(store, account, gone.object_key)
    keys = [trip.object_key, texts.object_key, gone.object_key, new_key()]
    with store.read() as unit:
        covers = unit.places.covers(account.account_id, keys)
        assert list(covers) == [trip.object_key]
        names = unit.tree.visible_many(account.account_id, [one.object_key for one in covers[trip.object_key]])
        assert [names[one.object_key].name for one in covers[trip.object_key]] == ["5.jpg", "4.jpg", "3.jpg", "2.jpg"]
        assert unit.places.covers(make_account(store).account_id, keys) == {}
