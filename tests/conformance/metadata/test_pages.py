"""Pages of a folder: every order, both directions, each kind and both, exactly once."""

from itertools import product
from typing import Any

import pytest
from tests.conformance.metadata.making import (
    NOW,
    apply,
    fill_folder,
    make_account,
    make_folder,
    new_key,
    put_file,
    trash,
)
from tests.conformance.metadata.reading import EVERYTHING, keys_of, shown

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import Kind, Move, PageOf, Rename, SortBy, StoredObject
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.wire.names import order_key

pytestmark = pytest.mark.backend

SHOWN_AS = {
    SortBy.NAME: "objectName",
    SortBy.CREATED: "fileCreatedDate",
    SortBy.MODIFIED: "lastModifiedDate",
    SortBy.SIZE: "sizeInBytes",
}
EVERY_ORDER = list(product(SortBy, (False, True), (None, Kind.FOLDER, Kind.FILE)))


def _expected(objects: list[StoredObject], sort: SortBy, descending: bool, kind: Kind | None) -> list[str]:
    def place(one: StoredObject) -> tuple[Any, str]:
        values: dict[SortBy, Any] = {
            SortBy.NAME: order_key(one.name),
            SortBy.CREATED: one.file_created_at,
            SortBy.MODIFIED: one.last_modified_at,
            SortBy.SIZE: one.size,
        }
        return values[sort], one.object_key

    wanted = [one for one in objects if kind is None or one.is_folder == (kind is Kind.FOLDER)]
    return [one.object_key for one in sorted(wanted, key=place, reverse=descending)]


def _filled(store: MetadataStore, account: Account) -> tuple[str, list[StoredObject]]:
    """A folder with ties in every order, between others that must not show in it."""
    folder = make_folder(store, account, account.root_key, "folder").object_key
    fill_folder(store, account, folder, 18)
    inner = make_folder(store, account, folder, "inner").object_key
    put_file(store, account, inner, "below")
    put_file(store, account, account.root_key, "beside")
    trash(store, account, put_file(store, account, folder, "trashed").object.object_key)
    other = make_account(store)
    fill_folder(store, other, other.root_key, 2)
    with store.read() as unit:
        return folder, unit.tree.children(account.account_id, folder, limit=EVERYTHING)


def test_a_page_is_the_whole_folder_in_every_order(store: MetadataStore, account: Account) -> None:
    folder, objects = _filled(store, account)
    assert len(objects) == 37
    for sort, descending, kind in EVERY_ORDER:
        page = PageOf(folder_key=folder, sort=sort, descending=descending, kind=kind, limit=EVERYTHING)
        with store.read() as unit:
            wires = unit.tree.page(account.account_id, page)
        assert keys_of(wires) == _expected(objects, sort, descending, kind), page


@pytest.mark.parametrize("limit", [1, 7, 36, 37, 38])
def test_pages_by_offset_are_the_whole_exactly_once(store: MetadataStore, account: Account, limit: int) -> None:
    folder, objects = _filled(store, account)
    for sort, descending, kind in EVERY_ORDER:
        expected = _expected(objects, sort, descending, kind)
        seen: list[str] = []
        for offset in range(0, len(expected) + limit, limit):
            page = PageOf(folder_key=folder, sort=sort, descending=descending, kind=kind, limit=limit, offset=offset)
            with store.read() as unit:
                found = keys_of(unit.tree.page(account.account_id, page))
            assert found == expected[offset : offset + limit], page
            seen += found
        assert seen == expected


@pytest.mark.parametrize("limit", [1, 7, 37, 38])
def test_a_walk_from_one_object_to_the_next_is_the_whole_exactly_once(
    store: MetadataStore, account: Account, limit: int
) -> None:
    folder, objects = _filled(store, account)
    for sort, descending, kind in EVERY_ORDER:
        seen: list[str] = []
        after: tuple[str | int, str] | None = None
        while True:
            page = PageOf(folder_key=folder, sort=sort, descending=descending, kind=kind, limit=limit, after=after)
            with store.read() as unit:
                found = [shown(wire) for wire in unit.tree.page(account.account_id, page)]
            if not found:
                break
            assert len(found) <= limit
            seen += [one["objectKey"] for one in found]
            assert len(seen) <= len(objects), "a walk that goes in circles"
            after = (found[-1][SHOWN_AS[sort]], found[-1]["objectKey"])
        assert seen == _expected(objects, sort, descending, kind), (sort, descending, kind)


def test_a_walk_continues_after_an_object_that_was_deleted_since(store: MetadataStore, account: Account) -> None:
    keys = [make_folder(store, account, account.root_key, name).object_key for name in "abcde"]
    trash(store, account, keys[2])
    with store.read() as unit:
        page = unit.tree.page(account.account_id, PageOf(folder_key=account.root_key, after=("c", keys[2])))
    assert keys_of(page) == keys[3:]


def test_children_are_folders_first_then_by_name_in_pages(store: MetadataStore, account: Account) -> None:
    folder, objects = _filled(store, account)
    expected = sorted(objects, key=lambda one: (not one.is_folder, order_key(one.name), one.object_key))
    assert objects == expected
    seen: list[StoredObject] = []
    while True:
        with store.read() as unit:
            found = unit.tree.children(account.account_id, folder, after=seen[-1] if seen else None, limit=5)
        if not found:
            break
        seen += found
        assert len(seen) <= len(objects), "a walk that goes in circles"
    assert seen == expected


def test_an_empty_folder_and_an_unknown_one_have_empty_pages(store: MetadataStore, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "folder").object_key
    with store.read() as unit:
        for key in (folder, new_key()):
            for sort, descending, kind in EVERY_ORDER:
                page = PageOf(folder_key=key, sort=sort, descending=descending, kind=kind)
                assert unit.tree.page(account.account_id, page) == []


def test_a_page_follows_renames_and_moves(store: MetadataStore, account: Account) -> None:
    box = make_folder(store, account, account.root_key, "box").object_key
    keys = [make_folder(store, account, account.root_key, name).object_key for name in ("b", "c")]
    apply(store, account, Rename(keys[0], "z"), Move(keys[1], box))
    with store.read() as unit:
        assert keys_of(unit.tree.page(account.account_id, PageOf(folder_key=account.root_key))) == [box, keys[0]]
        assert keys_of(unit.tree.page(account.account_id, PageOf(folder_key=box))) == [keys[1]]


def test_recent_files_are_those_whose_content_came_last(store: MetadataStore, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "folder").object_key
    photos = [
        put_file(store, account, folder, f"{number}.jpg", b"%d" % number, now=NOW + number // 2).object.object_key
        for number in range(6)
    ]
    video = put_file(store, account, folder, "v.mp4", b"v", now=NOW + 10).object.object_key
    song = put_file(store, account, folder, "s.mp3", b"s", now=NOW + 11).object.object_key
    put_file(store, account, folder, "0.jpg", b"again", now=NOW + 12)
    apply(store, account, Rename(photos[1], "renamed.jpg"), now=NOW + 20)
    trash(store, account, photos[5], now=NOW + 21)
    expected = [photos[0], video, photos[4], photos[3], photos[2], photos[1]]
    with store.read() as unit:
        assert keys_of(unit.tree.recent(account.account_id, media=True, limit=50)) == expected
        assert keys_of(unit.tree.recent(account.account_id, media=True, limit=2)) == expected[:2]
        assert keys_of(unit.tree.recent(account.account_id, media=False, limit=50)) == [song]


def test_files_of_an_app_are_its_own_newest_first(store: MetadataStore, account: Account) -> None:
    root = account.root_key
    keys = [
        put_file(store, account, root, f"{number}", b"%d" % number, app_code="dgl", now=NOW + number).object.object_key
        for number in range(5)
    ]
    put_file(store, account, root, "other", app_code="other", now=NOW + 10)
    put_file(store, account, root, "none", now=NOW + 11)
    keys.reverse()
    with store.read() as unit:
        assert keys_of(unit.tree.of_app(account.account_id, "dgl", limit=50)) == keys
        assert keys_of(unit.tree.of_app(account.account_id, "dgl", limit=2, offset=1)) == keys[1:3]
        assert unit.tree.of_app(account.account_id, "", limit=50) == []
        assert unit.tree.of_app(account.account_id, "DGL", limit=50) == []


def test_what_can_be_seen_of_many_is_found_in_one_go(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    foreign = make_folder(store, other, other.root_key, "foreign").object_key
    seen, hidden = [account.root_key], []
    for number in range(4):
        outer = make_folder(store, account, account.root_key, f"{number}").object_key
        inner = make_folder(store, account, outer, "inner").object_key
        below = [outer, inner, *(put_file(store, account, inner, f"{n}").object.object_key for n in range(3))]
        if number % 2:
            trash(store, account, outer)
            hidden += below
        else:
            trashed = put_file(store, account, inner, "trashed").object.object_key
            trash(store, account, trashed)
            hidden.append(trashed)
            seen += below
    with store.read() as unit:
        found = unit.tree.visible_many(account.account_id, [*hidden, foreign, new_key(), *seen, *seen])
        assert found == {key: unit.tree.visible(account.account_id, key) for key in seen}
        assert unit.tree.visible_many(account.account_id, []) == {}


def test_ancestors_go_from_the_root_down(store: MetadataStore, account: Account) -> None:
    parents = [account.root_key]
    for level in range(12):
        parents.append(make_folder(store, account, parents[-1], f"{level}").object_key)
    file = put_file(store, account, parents[-1], "file").object.object_key
    with store.read() as unit:
        assert [one.object_key for one in unit.tree.ancestors(account.account_id, file)] == parents
        assert unit.tree.ancestors(account.account_id, account.root_key) == []
    trash(store, account, parents[3])
    with store.read() as unit:
        assert [one.status for one in unit.tree.ancestors(account.account_id, file)][2:5] == ["A", "T", "A"]


def test_pictures_of_a_day_come_from_every_year_but_not_too_many_of_one(store: MetadataStore, account: Account) -> None:
    year = 31_556_952_000
    keys: dict[tuple[int, int], str] = {}
    for years_ago, number in product((1, 2, 5), range(4)):
        taken = NOW - years_ago * year - number * 1000
        name = f"{years_ago} {number}.jpg"
        put = put_file(store, account, account.root_key, name, name.encode(), taken_at=taken, taken_day=615)
        keys[years_ago, number] = put.object.object_key
    put_file(store, account, account.root_key, "another day.jpg", taken_at=NOW - year, taken_day=616)
    put_file(store, account, account.root_key, "not yet.jpg", taken_at=NOW + 5, taken_day=615)
    put_file(store, account, account.root_key, "no picture.txt", taken_at=NOW - year, taken_day=615)
    with store.read() as unit:
        found = unit.tree.taken_on(account.account_id, first_day=615, last_day=615, before=NOW, per_year=2)
        assert [one.object_key for one in found] == [keys[y, n] for y in (1, 2, 5) for n in (0, 1)]
        month = unit.tree.taken_on(account.account_id, first_day=601, last_day=631, before=NOW, per_year=99)
    assert len(month) == 13
    assert [one.taken_at for one in month] == sorted((one.taken_at or 0 for one in month), reverse=True)
