"""Items: files that members show to each other, as long as they can be seen."""

import json
from collections.abc import Callable

import pytest
from tests.conformance.metadata.board_making import board_as_seen_by, file_of, invite, join, leave, make_board, show
from tests.conformance.metadata.making import (
    NOW,
    apply,
    in_parallel,
    make_account,
    make_folder,
    mark_for_deletion,
    new_key,
    purge_all,
    put_file,
    restore,
    trash,
)
from tests.conformance.metadata.reading import keys_of, names_of

from skyshelf.storage.errors import NotAFile, ObjectMissing
from skyshelf.storage.metadata.contracts.accounts import DISABLED, Account
from skyshelf.storage.metadata.contracts.boards import Board
from skyshelf.storage.metadata.contracts.tree import Rename, SetFavorite, SortBy, StoredObject
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.storage.metadata.wire_cache import render_urls
from skyshelf.wire.names import order_key


def take_off(
    store: MetadataStore, caller: Account, board_key: str, *object_keys: str, only_own: bool = False, now: int = NOW
) -> list[str]:
    return store.write(
        lambda unit: unit.board_items.remove(caller.account_id, board_key, object_keys, now, only_own=only_own)
    )


def shown(store: MetadataStore, account: Account, board_key: str) -> list[str]:
    with store.read() as unit:
        return names_of(
            unit.board_items.page(account.account_id, board_key, sort=SortBy.NAME, descending=False, limit=100)
        )


def owner_of(store: MetadataStore, account: Account, object_key: str) -> int | None:
    with store.read() as unit:
        return unit.board_items.owner_of(account.account_id, object_key)


def changed_at(store: MetadataStore, account: Account, board_key: str) -> int:
    with store.read() as unit:
        return unit.boards.get(account.account_id, board_key).updated_at


def test_members_see_each_others_files(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    join(store, account, board, friend)
    assert len(show(store, account, board, file_of(store, account, "mine.jpg"))) == 1
    assert len(show(store, friend, board, file_of(store, friend, "theirs.jpg"))) == 1
    assert shown(store, account, board) == shown(store, friend, board) == ["mine.jpg", "theirs.jpg"]


def test_what_is_on_the_board_already_is_not_added_again(store: MetadataStore, account: Account) -> None:
    board = make_board(store, account)
    a, b = file_of(store, account, "a.jpg"), file_of(store, account, "b.jpg")
    assert show(store, account, board, a, now=NOW + 1) == [a]
    assert show(store, account, board, b, a, b, now=NOW + 2) == [b]
    assert show(store, account, board, b, a, now=NOW + 3) == []
    assert show(store, account, board, now=NOW + 4) == []
    assert changed_at(store, account, board) == NOW + 2, "nothing changed after that"
    assert shown(store, account, board) == ["a.jpg", "b.jpg"]


def test_only_own_files_that_can_be_seen_are_added_and_all_or_none(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    join(store, account, board, friend)
    fine, trashed = file_of(store, account, "a.jpg"), file_of(store, account, "b.jpg")
    trash(store, account, trashed)
    for bad in (trashed, file_of(store, friend, "theirs.jpg"), new_key()):
        with pytest.raises(ObjectMissing):
            show(store, account, board, fine, bad)
    with pytest.raises(NotAFile):
        show(store, account, board, fine, account.root_key)
    assert shown(store, account, board) == []


def test_own_items_or_anybodys_are_taken_off(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    join(store, account, board, friend)
    mine, theirs = file_of(store, account, "mine.jpg"), file_of(store, friend, "theirs.jpg")
    show(store, account, board, mine)
    show(store, friend, board, theirs)
    assert take_off(store, friend, board, mine, theirs, only_own=True, now=NOW + 5) == [theirs]
    assert shown(store, account, board) == ["mine.jpg"]
    assert changed_at(store, account, board) == NOW + 5
    assert take_off(store, friend, board, new_key(), mine, mine, now=NOW + 6) == [mine]
    assert take_off(store, friend, board, mine, now=NOW + 7) == []
    assert take_off(store, friend, board, now=NOW + 7) == []
    assert shown(store, account, board) == []
    assert changed_at(store, account, board) == NOW + 6


def test_what_is_trashed_is_hidden_until_it_is_restored_and_what_is_purged_is_gone(
    store: MetadataStore, account: Account
) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    join(store, account, board, friend)
    folder = make_folder(store, account, account.root_key, "Photos").object_key
    below = put_file(store, account, folder, "below.jpg").object.object_key
    top = file_of(store, account, "top.jpg")
    show(store, account, board, below, top)
    trash(store, account, folder)
    assert shown(store, friend, board) == ["top.jpg"]
    assert owner_of(store, friend, below) is None
    restore(store, account, folder)
    assert shown(store, friend, board) == ["below.jpg", "top.jpg"]
    assert owner_of(store, friend, below) == account.account_id
    trash(store, account, top)
    mark_for_deletion(store, account, top)
    purge_all(store, account)
    assert shown(store, friend, board) == ["below.jpg"]


def test_a_board_shows_the_current_name(store: MetadataStore, account: Account) -> None:
    board = make_board(store, account)
    key = file_of(store, account, "old.jpg")
    show(store, account, board, key)
    apply(store, account, Rename(key, "Neu 🌊.jpg"))
    assert shown(store, account, board) == ["Neu 🌊.jpg"]


@pytest.mark.parametrize("sort", SortBy)
@pytest.mark.parametrize("descending", [False, True])
def test_items_are_paged_in_every_order_without_overlap(
    store: MetadataStore, account: Account, sort: SortBy, descending: bool
) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    join(store, account, board, friend)
    put: list[StoredObject] = []
    for number, (name, rank) in enumerate((("b", 1), ("A", 0), ("c", 2), ("d", 2), ("E", 3))):
        owner = account if number % 2 else friend
        created, modified = NOW + rank, NOW - rank
        outcome = put_file(
            store, owner, owner.root_key, name, bytes(rank), file_created_at=created, last_modified_at=modified
        )
        put.append(outcome.object)
        show(store, owner, board, outcome.object.object_key)
    values: dict[SortBy, Callable[[StoredObject], int | bytes]] = {
        SortBy.NAME: lambda one: order_key(one.name),
        SortBy.CREATED: lambda one: one.file_created_at,
        SortBy.MODIFIED: lambda one: one.last_modified_at,
        SortBy.SIZE: lambda one: one.size,
    }
    put.sort(key=lambda one: (values[sort](one), one.object_key), reverse=descending)
    with store.read() as unit:
        paged = [
            key
            for offset in (0, 2, 4)
            for key in keys_of(
                unit.board_items.page(
                    account.account_id, board, sort=sort, descending=descending, limit=2, offset=offset
                )
            )
        ]
    assert paged == [one.object_key for one in put]


def test_the_last_modified_comes_first_unless_asked_otherwise(store: MetadataStore, account: Account) -> None:
    board = make_board(store, account)
    for number in range(3):
        key = put_file(
            store, account, account.root_key, f"{number}.jpg", last_modified_at=NOW + number
        ).object.object_key
        show(store, account, board, key)
    with store.read() as unit:
        assert names_of(unit.board_items.page(account.account_id, board, limit=2)) == ["2.jpg", "1.jpg"]


def test_only_active_members_may_see_what_the_board_shows(store: MetadataStore, account: Account) -> None:
    friend, invited, stranger = (make_account(store) for _ in range(3))
    board = make_board(store, account)
    join(store, account, board, friend)
    invite(store, account, board, invited)
    key = file_of(store, account, "a.jpg")
    assert owner_of(store, friend, key) is None
    show(store, account, board, key)
    assert owner_of(store, friend, key) == account.account_id
    assert owner_of(store, account, key) == account.account_id
    assert owner_of(store, invited, key) is None
    assert owner_of(store, stranger, key) is None
    assert owner_of(store, friend, new_key()) is None
    leave(store, friend, board)
    assert owner_of(store, friend, key) is None


def test_a_file_on_two_boards_is_seen_through_either(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    boards = [make_board(store, account) for _ in range(2)]
    key = file_of(store, account, "a.jpg")
    for board in boards:
        join(store, account, board, friend)
        show(store, account, board, key)
    take_off(store, account, boards[0], key)
    assert owner_of(store, friend, key) == account.account_id
    take_off(store, account, boards[1], key)
    assert owner_of(store, friend, key) is None


def test_files_of_a_disabled_account_are_not_shown(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    join(store, account, board, friend)
    key = file_of(store, account, "a.jpg")
    show(store, account, board, key)
    store.write(lambda unit: unit.accounts.set_status(account.account_id, DISABLED, NOW))
    assert shown(store, friend, board) == []
    assert owner_of(store, friend, key) is None


def test_adding_and_purging_at_the_same_moment_leaves_no_item_without_its_file(
    store: MetadataStore, account: Account
) -> None:
    board = make_board(store, account)
    for number in range(10):
        key = file_of(store, account, f"{number}.jpg")

        def add_or_purge(thread: int, key: str = key) -> None:
            if thread:
                trash(store, account, key)
                mark_for_deletion(store, account, key)
                purge_all(store, account)
                return
            try:
                show(store, account, board, key)
            except ObjectMissing:
                assert owner_of(store, account, key) is None

        in_parallel(2, add_or_purge)
    assert shown(store, account, board) == []


def test_the_same_file_added_by_many_at_once_is_on_the_board_once(store: MetadataStore, account: Account) -> None:
    board = make_board(store, account)
    key = file_of(store, account, "a.jpg")
    added = in_parallel(8, lambda _: show(store, account, board, key))
    assert sorted(added) == [[]] * 7 + [[key]]
    assert shown(store, account, board) == ["a.jpg"]


def test_others_see_what_is_on_the_board_and_nothing_of_where_its_owner_keeps_it(
    store: MetadataStore, account: Account
) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    join(store, account, board, friend)
    folder = make_folder(store, account, account.root_key, "secret place").object_key
    put = put_file(store, account, folder, "\x7f\u2028ü \\.jpg", source_folder="/home/ada", app_code="dgl")
    key = put.object.object_key
    apply(store, account, SetFavorite(key, True))
    show(store, account, board, key)
    with store.read() as unit:
        (own,) = unit.board_items.page(account.account_id, board, limit=9)
        (theirs,) = unit.board_items.page(friend.account_id, board, limit=9)
        assert unit.board_items.shown(friend.account_id, board, [key, new_key()]) == {key: theirs}
        assert unit.board_items.shown(account.account_id, board, [key]) == {key: own}
        assert unit.board_items.shown(account.account_id, board, []) == {}
    seen, kept = (json.loads(render_urls(one, "https://x.example")) for one in (theirs, own))
    assert kept["parentObjectKey"] == folder
    assert seen == {name: kept[name] for name in SEEN_BY_OTHERS}
    assert seen["url"] == f"https://x.example/download/files/{key}"


SEEN_BY_OTHERS = [
    "objectKey", "objectName", "displayName", "objectType", "sizeInBytes", "mimeType", "mimeSubType", "hash",
    "fileCreatedDate", "lastModifiedDate", "status", "url", "imageTranscodeUrl",
]  # fmt: skip


def test_a_cover_stands_for_the_board_while_the_board_shows_it(store: MetadataStore, account: Account) -> None:
    board = make_board(store, account)
    cover, beside = file_of(store, account, "cover.jpg"), file_of(store, account, "beside.jpg")
    show(store, account, board, cover)

    def set_cover(key: str | None) -> Board:
        return store.write(lambda unit: unit.boards.set_cover(account.account_id, board, key, NOW + 1))

    with pytest.raises(ObjectMissing):
        set_cover(beside)
    made = set_cover(cover)
    assert (made.cover_key, made.updated_at) == (cover, NOW + 1)
    trash(store, account, cover)
    assert board_as_seen_by(store, account, board).cover_key is None
    restore(store, account, cover)
    assert board_as_seen_by(store, account, board).cover_key == cover
    assert set_cover(None).cover_key is None


def test_a_gallery_is_in_the_order_in_which_its_files_were_taken(store: MetadataStore, account: Account) -> None:
    board = make_board(store, account)
    keys = [
        put_file(store, account, account.root_key, f"{n}.jpg", taken_at=NOW - n).object.object_key for n in range(4)
    ]
    show(store, account, board, *keys)
    with store.read() as unit:
        shown = unit.board_items.gallery(board, limit=10)
        assert [one.object_key for one in shown] == keys[::-1]
        assert [one.object_key for one in unit.board_items.gallery(board, limit=2, after=shown[1])] == [
            one.object_key for one in shown[2:]
        ]
        assert unit.board_items.beside(board, shown[1]) == (shown[0].object_key, shown[2].object_key)
        assert unit.board_items.beside(board, shown[0])[0] is None
        assert unit.board_items.beside(board, shown[3])[1] is None
        assert unit.board_items.in_gallery(board, keys[0]) == shown[3]
    trash(store, account, keys[0])
    with store.read() as unit:
        assert unit.board_items.in_gallery(board, keys[0]) is None
        assert unit.board_items.beside(board, shown[2])[1] is None
