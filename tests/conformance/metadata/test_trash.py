"""The trash: what it hides, what it lists, and what it gives back."""

import pytest
from tests.conformance.metadata.making import (
    NOW,
    apply,
    make_folder,
    mark_for_deletion,
    new_key,
    purge_all,
    put_file,
    restore,
    trash,
)
from tests.conformance.metadata.reading import (
    assert_books_balance,
    changes_of,
    keys_of,
    listing,
    quota_of,
    stored,
    trash_listing,
)

from skyshelf.storage.errors import ObjectMissing
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import Move, StoredObject
from skyshelf.storage.metadata.store import MetadataStore


def test_a_trashed_folder_hides_what_is_below_it(store: MetadataStore, account: Account) -> None:
    outer = make_folder(store, account, account.root_key, "outer").object_key
    inner = make_folder(store, account, outer, "inner").object_key
    photo = put_file(store, account, inner, "a.jpg", app_code="dgl", taken_at=5, taken_day=101).object.object_key
    trash(store, account, outer)
    with store.read() as unit:
        for key in (outer, inner, photo):
            with pytest.raises(ObjectMissing):
                unit.tree.visible(account.account_id, key)
        assert unit.tree.visible_many(account.account_id, [outer, inner, photo, account.root_key]).keys() == {
            account.root_key
        }
        assert unit.tree.recent(account.account_id, media=True, limit=9) == []
        assert unit.tree.of_app(account.account_id, "dgl", limit=9) == []
        assert unit.tree.taken_on(account.account_id, first_day=1, last_day=1231, before=NOW, per_year=9) == []
        assert unit.tree.get(account.account_id, photo).status == "A"
    assert listing(store, account, account.root_key) == []


def test_the_trash_lists_the_folder_and_not_what_is_below_it(store: MetadataStore, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "folder").object_key
    put_file(store, account, folder, "a.jpg")
    trash(store, account, folder)
    assert trash_listing(store, account) == [folder]


def test_trashing_and_restoring_a_folder_touch_one_object(store: MetadataStore, account: Account) -> None:
    outer = make_folder(store, account, account.root_key, "outer").object_key
    inner = make_folder(store, account, outer, "inner").object_key
    below = [inner] + [put_file(store, account, inner, f"{number}").object.object_key for number in range(10)]
    before = [stored(store, account, key) for key in below]
    trash(store, account, outer, now=NOW + 50)
    restore(store, account, outer, now=NOW + 60)
    assert [stored(store, account, key) for key in below] == before
    assert len(changes_of(store, account, since=12)) == 2
    assert len(listing(store, account, inner)) == 10


def test_the_trash_is_newest_first_in_pages(store: MetadataStore, account: Account) -> None:
    keys = [make_folder(store, account, account.root_key, f"{number}").object_key for number in range(7)]
    for number, key in enumerate(keys):
        trash(store, account, key, now=NOW + number // 2)
    with store.read() as unit:
        pages = [keys_of(unit.tree.trash_page(account.account_id, limit=3, offset=offset)) for offset in (0, 3, 6, 9)]
    newest_first = sorted(keys, key=lambda key: (NOW + keys.index(key) // 2, key), reverse=True)
    assert pages == [newest_first[:3], newest_first[3:6], newest_first[6:], []]


def test_a_restored_object_is_as_it_was(store: MetadataStore, account: Account) -> None:
    before = put_file(store, account, account.root_key, "a.jpg").object
    trash(store, account, before.object_key, now=NOW + 1)
    (after,) = restore(store, account, before.object_key, now=NOW + 2)
    before.updated_at = NOW + 2
    assert after == before
    assert stored(store, account, before.object_key) == before
    assert trash_listing(store, account) == []


def test_an_object_whose_folder_is_trashed_comes_back_in_the_root(store: MetadataStore, account: Account) -> None:
    outer = make_folder(store, account, account.root_key, "outer").object_key
    inner = make_folder(store, account, outer, "inner").object_key
    file = put_file(store, account, inner, "file").object.object_key
    trash(store, account, file)
    trash(store, account, outer)
    (restored,) = restore(store, account, file)
    assert restored.parent_key == account.root_key
    assert listing(store, account, account.root_key) == ["file"]


@pytest.mark.parametrize("purges", [0, 1, None], ids=["marked", "half purged", "purged"])
def test_an_object_whose_folder_is_gone_comes_back_in_the_root(
    store: MetadataStore, account: Account, purges: int | None
) -> None:
    outer = make_folder(store, account, account.root_key, "outer").object_key
    inner = make_folder(store, account, outer, "inner").object_key
    file = put_file(store, account, inner, "file").object.object_key
    trash(store, account, file)
    trash(store, account, outer)
    mark_for_deletion(store, account, outer)
    if purges is None:
        purge_all(store, account)
    for _ in range(purges or 0):
        store.write(lambda unit: unit.purge.delete_batch(account.account_id, 1, NOW))
    assert trash_listing(store, account) == [file]
    first, second = restore(store, account, file, file)
    assert first.parent_key == account.root_key
    assert second == first
    purge_all(store, account)
    assert listing(store, account, account.root_key) == ["file"]
    assert_books_balance(store, account)


def test_a_taken_name_gets_a_number_the_first_that_is_free(store: MetadataStore, account: Account) -> None:
    trashed = []
    for number in range(4):
        key = put_file(store, account, account.root_key, "a.txt", b"%d" % number).object.object_key
        trash(store, account, key, now=NOW + number)
        trashed.append(key)
    put_file(store, account, account.root_key, "a.txt")
    put_file(store, account, account.root_key, "a (2).txt")
    assert [one.name for one in restore(store, account, *trashed)] == [
        "a (1).txt",
        "a (3).txt",
        "a (4).txt",
        "a (5).txt",
    ]


def test_hundreds_of_one_name_come_back_with_a_number_each(store: MetadataStore, account: Account) -> None:
    def fill(number: int) -> str:
        key = make_folder(store, account, account.root_key, "same").object_key
        trash(store, account, key, now=NOW + number)
        return key

    keys = [fill(number) for number in range(150)]
    names = [one.name for one in restore(store, account, *keys)]
    assert names == ["same"] + [f"same ({number})" for number in range(1, 150)]
    assert sorted(listing(store, account, account.root_key)) == sorted(names)


def test_a_long_name_stays_within_its_limit_when_it_gets_a_number(store: MetadataStore, account: Account) -> None:
    name = "é" * 125 + ".jpg"
    first = put_file(store, account, account.root_key, name).object.object_key
    trash(store, account, first)
    put_file(store, account, account.root_key, name)
    (restored,) = restore(store, account, first)
    assert restored.name.endswith(" (1).jpg")
    assert len(restored.name.encode()) <= 255


def test_a_folder_and_what_was_trashed_in_it_come_back_together_when_the_folder_comes_first(
    store: MetadataStore, account: Account
) -> None:
    folder = make_folder(store, account, account.root_key, "folder").object_key
    file = put_file(store, account, folder, "file").object.object_key
    trash(store, account, file)
    trash(store, account, folder)
    _, restored = restore(store, account, folder, file)
    assert restored.parent_key == folder
    assert listing(store, account, folder) == ["file"]


def test_they_come_back_together_also_from_a_folder_that_is_being_purged(
    store: MetadataStore, account: Account
) -> None:
    gone = make_folder(store, account, account.root_key, "gone").object_key
    half_gone = make_folder(store, account, gone, "half gone").object_key
    folder = make_folder(store, account, half_gone, "folder").object_key
    file = put_file(store, account, folder, "file").object.object_key
    trash(store, account, file)
    trash(store, account, folder)
    trash(store, account, gone)
    mark_for_deletion(store, account, gone)
    # One step of the purge lets "half gone" go from its folder, and has not yet looked below it.
    store.write(lambda unit: unit.purge.delete_batch(account.account_id, 1, NOW))
    _, restored = restore(store, account, folder, file)
    assert restored.parent_key == folder
    assert listing(store, account, folder) == ["file"]


def test_restoring_what_is_not_in_the_trash(store: MetadataStore, account: Account) -> None:
    active = make_folder(store, account, account.root_key, "active")
    hidden_by = make_folder(store, account, account.root_key, "hidden by").object_key
    hidden = make_folder(store, account, hidden_by, "hidden").object_key
    trash(store, account, hidden_by)
    seen = len(changes_of(store, account))
    outcomes = store.write(
        lambda unit: unit.tree.restore(
            account.account_id, [active.object_key, account.root_key, hidden, new_key()], NOW + 1
        )
    )
    assert outcomes[0] == active
    assert isinstance(outcomes[1], StoredObject)
    assert isinstance(outcomes[2], ObjectMissing)
    assert isinstance(outcomes[3], ObjectMissing)
    assert len(changes_of(store, account)) == seen


def test_a_restored_object_goes_where_it_was_moved_while_in_the_trash(store: MetadataStore, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "folder").object_key
    file = put_file(store, account, account.root_key, "file").object.object_key
    trash(store, account, file)
    apply(store, account, Move(file, folder))
    (restored,) = restore(store, account, file)
    assert restored.parent_key == folder


def test_trashed_files_and_their_versions_count_until_they_are_purged(store: MetadataStore, account: Account) -> None:
    for size in (10, 20):
        key = put_file(store, account, account.root_key, "a.bin", b"x" * size).object.object_key
    trash(store, account, key)
    assert quota_of(store, account).used == 30
    mark_for_deletion(store, account, key)
    assert quota_of(store, account).used == 30
    purge_all(store, account)
    assert quota_of(store, account).used == 0
    assert_books_balance(store, account)
