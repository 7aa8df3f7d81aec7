"""Batches: each change on its own, in order, and all of them in one transaction."""

import pytest
from tests.conformance.metadata.making import NOW, apply, make_folder, mark_for_deletion, new_key, put_file, trash
from tests.conformance.metadata.reading import assert_books_balance, changes_of, listing, stored, trash_listing

from skyshelf.storage.errors import (
    AccountMissing,
    NameTaken,
    ObjectMissing,
    RootIsFixed,
    StorageError,
    TargetIsAFile,
    TargetMissing,
    WouldCycle,
)
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import Move, Outcome, Rename, SetFavorite, StoredObject, Trash, TreeChange
from skyshelf.storage.metadata.store import MetadataStore

pytestmark = pytest.mark.backend


def _folders(store: MetadataStore, account: Account, *names: str, parent: str | None = None) -> list[str]:
    return [make_folder(store, account, parent or account.root_key, name).object_key for name in names]


def _kinds(outcomes: list[Outcome]) -> list[type[StorageError] | None]:
    return [type(outcome) if isinstance(outcome, StorageError) else None for outcome in outcomes]


def test_two_names_can_be_swapped_by_way_of_a_third(store: MetadataStore, account: Account) -> None:
    a, b = _folders(store, account, "a", "b")
    outcomes = apply(store, account, Rename(a, "between"), Rename(b, "a"), Rename(a, "b"))
    assert _kinds(outcomes) == [None] * 3
    assert (stored(store, account, a).name, stored(store, account, b).name) == ("b", "a")
    assert_books_balance(store, account)


def test_a_swap_without_a_third_name_is_refused_as_it_would_be_one_by_one(
    store: MetadataStore, account: Account
) -> None:
    a, b = _folders(store, account, "a", "b")
    assert _kinds(apply(store, account, Rename(a, "b"), Rename(b, "a"))) == [NameTaken, NameTaken]


def test_a_chain_of_renames_moves_every_name_on_by_one(store: MetadataStore, account: Account) -> None:
    keys = _folders(store, account, *(f"{number:03}" for number in range(50)))
    backwards = [Rename(keys[number], f"{number + 1:03}") for number in reversed(range(50))]
    assert _kinds(apply(store, account, *backwards)) == [None] * 50
    assert listing(store, account, account.root_key) == [f"{number:03}" for number in range(1, 51)]
    assert [stored(store, account, key).name for key in keys] == [f"{number:03}" for number in range(1, 51)]


def test_a_ring_of_renames_closes_through_a_free_name(store: MetadataStore, account: Account) -> None:
    a, b, c = _folders(store, account, "a", "b", "c")
    outcomes = apply(store, account, Rename(c, "free"), Rename(b, "c"), Rename(a, "b"), Rename(c, "a"))
    assert _kinds(outcomes) == [None] * 4
    assert [stored(store, account, key).name for key in (a, b, c)] == ["b", "c", "a"]


def test_a_name_that_trash_frees_within_the_batch_can_be_taken_in_it(store: MetadataStore, account: Account) -> None:
    a, b = _folders(store, account, "a", "b")
    assert _kinds(apply(store, account, Rename(a, "b"), Trash(b), Rename(a, "b"))) == [NameTaken, None, None]
    assert listing(store, account, account.root_key) == ["b"]
    assert trash_listing(store, account) == [b]


def test_a_name_that_a_move_frees_within_the_batch_can_be_taken_in_it(store: MetadataStore, account: Account) -> None:
    one, two = _folders(store, account, "one", "two")
    (in_one,) = _folders(store, account, "x", parent=one)
    (in_two,) = _folders(store, account, "x", parent=two)
    outcomes = apply(
        store, account, Move(in_one, two), Move(in_two, account.root_key), Move(in_one, two), Move(in_two, one)
    )
    assert _kinds(outcomes) == [NameTaken, None, None, None]
    assert stored(store, account, in_one).parent_key == two
    assert stored(store, account, in_two).parent_key == one
    assert_books_balance(store, account)


def test_renames_moves_and_trash_mixed_end_where_one_by_one_would(store: MetadataStore, account: Account) -> None:
    box, a, b, c = _folders(store, account, "box", "a", "b", "c")
    outcomes = apply(
        store,
        account,
        Move(a, box),
        Rename(b, "a"),
        Move(b, box),  # taken: a is in there as "a"
        Trash(a),
        Move(b, box),
        Rename(c, "b"),
        Rename(b, "c"),
        Move(c, box),
        SetFavorite(c, True),
    )
    assert _kinds(outcomes) == [None, None, NameTaken, None, None, None, None, None, None]
    assert listing(store, account, account.root_key) == ["box"]
    assert listing(store, account, box) == ["b", "c"]
    assert (stored(store, account, b).name, stored(store, account, c).name) == ("c", "b")
    assert stored(store, account, c).is_favorite
    assert [change.kind for change in changes_of(store, account, since=4)] == [
        "moved", "renamed", "trashed", "moved", "renamed", "renamed", "moved", "favorite",
    ]  # fmt: skip


def test_each_outcome_shows_the_object_as_it_was_after_that_change(store: MetadataStore, account: Account) -> None:
    (a,) = _folders(store, account, "a")
    first, second, third = apply(store, account, Rename(a, "b"), SetFavorite(a, True), Trash(a), now=NOW + 7)
    assert isinstance(first, StoredObject)
    assert isinstance(second, StoredObject)
    assert isinstance(third, StoredObject)
    assert (first.name, first.is_favorite, first.status) == ("b", False, "A")
    assert (second.name, second.is_favorite, second.status) == ("b", True, "A")
    assert (third.status, third.trashed_at, third.updated_at) == ("T", NOW + 7, NOW + 7)
    assert stored(store, account, a) == third


def test_what_already_holds_succeeds_and_is_no_change(store: MetadataStore, account: Account) -> None:
    (a,) = _folders(store, account, "a")
    before = stored(store, account, a)
    outcomes = apply(store, account, Rename(a, "a"), Move(a, account.root_key), SetFavorite(a, False), now=NOW + 5)
    assert outcomes == [before, before, before]
    assert stored(store, account, a) == before
    trash(store, account, a, now=NOW + 6)
    trashed = stored(store, account, a)
    assert apply(store, account, Trash(a), now=NOW + 9) == [trashed]
    assert [change.kind for change in changes_of(store, account)] == ["created", "trashed"]


def test_the_root_stays_where_it_is_under_its_name(store: MetadataStore, account: Account) -> None:
    (a,) = _folders(store, account, "a")
    root = account.root_key
    outcomes = apply(store, account, Rename(root, "x"), Move(root, a), Trash(root), SetFavorite(root, True))
    assert _kinds(outcomes) == [RootIsFixed, RootIsFixed, RootIsFixed, None]
    assert stored(store, account, root).is_favorite


def test_a_folder_goes_neither_into_itself_nor_below_itself(store: MetadataStore, account: Account) -> None:
    (a,) = _folders(store, account, "a")
    (b,) = _folders(store, account, "b", parent=a)
    (c,) = _folders(store, account, "c", parent=b)
    assert _kinds(apply(store, account, Move(a, a), Move(a, b), Move(a, c), Move(b, c))) == [WouldCycle] * 4


def test_moves_of_one_batch_cannot_close_a_ring_together(store: MetadataStore, account: Account) -> None:
    a, b, c = _folders(store, account, "a", "b", "c")
    assert _kinds(apply(store, account, Move(a, b), Move(b, c), Move(c, a))) == [None, None, WouldCycle]
    with store.read() as unit:
        assert [one.object_key for one in unit.tree.ancestors(account.account_id, a)] == [account.root_key, c, b]


def test_a_move_out_of_the_way_within_the_batch_makes_a_move_possible(store: MetadataStore, account: Account) -> None:
    (a,) = _folders(store, account, "a")
    (b,) = _folders(store, account, "b", parent=a)
    assert _kinds(apply(store, account, Move(a, b), Move(b, account.root_key), Move(a, b))) == [WouldCycle, None, None]


def test_a_move_needs_a_folder_that_can_be_seen(store: MetadataStore, account: Account) -> None:
    a, outer = _folders(store, account, "a", "outer")
    (inner,) = _folders(store, account, "inner", parent=outer)
    file = put_file(store, account, account.root_key, "file").object.object_key
    trash(store, account, outer)
    outcomes = apply(store, account, Move(a, file), Move(a, outer), Move(a, inner), Move(a, new_key()))
    assert _kinds(outcomes) == [TargetIsAFile, TargetMissing, TargetMissing, TargetMissing]
    assert stored(store, account, a).parent_key == account.root_key


def test_a_folder_that_the_batch_itself_trashed_takes_nothing_more(store: MetadataStore, account: Account) -> None:
    a, outer = _folders(store, account, "a", "outer")
    (inner,) = _folders(store, account, "inner", parent=outer)
    assert _kinds(apply(store, account, Trash(outer), Move(a, inner), Move(a, outer))) == [
        None,
        TargetMissing,
        TargetMissing,
    ]


def test_a_trashed_object_can_be_renamed_and_moved_and_stays_trashed(store: MetadataStore, account: Account) -> None:
    a, box = _folders(store, account, "a", "box")
    make_folder(store, account, box, "b")
    trash(store, account, a)
    assert _kinds(apply(store, account, Rename(a, "b"), Move(a, box), SetFavorite(a, True))) == [None] * 3
    after = stored(store, account, a)
    assert (after.status, after.name, after.parent_key, after.is_favorite) == ("T", "b", box, True)
    assert listing(store, account, box) == ["b"]


def test_the_same_object_may_come_any_number_of_times(store: MetadataStore, account: Account) -> None:
    (a,) = _folders(store, account, "a")
    changes = [Rename(a, f"{number}") for number in range(200)]
    assert _kinds(apply(store, account, *changes)) == [None] * 200
    assert listing(store, account, account.root_key) == ["199"]
    assert [one.kind for one in changes_of(store, account)] == ["created", "renamed"]


def test_what_changes_nothing_in_all_is_no_change(store: MetadataStore, account: Account) -> None:
    a, box = _folders(store, account, "a", "box")
    before, newest = stored(store, account, a), changes_of(store, account)
    there_and_back: list[TreeChange] = [
        SetFavorite(a, True),
        SetFavorite(a, False),
        Rename(a, "b"),
        Rename(a, "a"),
        Move(a, box),
    ]
    assert _kinds(apply(store, account, *there_and_back, Move(a, account.root_key))) == [None] * 6
    assert (stored(store, account, a), changes_of(store, account)) == (before, newest)
    assert _kinds(apply(store, account, *[SetFavorite(a, number % 2 == 0) for number in range(99)])) == [None] * 99
    assert [one.kind for one in changes_of(store, account)[len(newest) :]] == ["favorite"]
    assert stored(store, account, a).is_favorite


def test_an_empty_batch_and_a_batch_of_unknown_keys_change_nothing(store: MetadataStore, account: Account) -> None:
    assert apply(store, account) == []
    unknown = new_key()
    outcomes = apply(store, account, Rename(unknown, "x"), Move(unknown, unknown), SetFavorite(unknown, True))
    assert _kinds(outcomes) == [ObjectMissing] * 3
    assert changes_of(store, account) == []


def test_a_batch_needs_an_account(store: MetadataStore, account: Account) -> None:
    with pytest.raises(AccountMissing):
        store.write(lambda unit: unit.tree.apply(account.account_id + 1, [Trash(account.root_key)], NOW))


def test_contents_of_a_folder_being_deleted_are_missing_and_objects_trashed_separately_are_not(
    store: MetadataStore, account: Account
) -> None:
    (outer,) = _folders(store, account, "outer")
    goes, stays = _folders(store, account, "goes", "stays", parent=outer)
    (below_what_stays,) = _folders(store, account, "below", parent=stays)
    trash(store, account, stays)
    trash(store, account, outer)
    mark_for_deletion(store, account, outer)
    outcomes = apply(
        store,
        account,
        SetFavorite(outer, True),
        SetFavorite(goes, True),
        SetFavorite(stays, True),
        SetFavorite(below_what_stays, True),
    )
    assert _kinds(outcomes) == [ObjectMissing, ObjectMissing, None, None]
    with store.read() as unit:
        for gone in (outer, goes):
            with pytest.raises(ObjectMissing):
                unit.tree.get(account.account_id, gone)
        assert unit.tree.get(account.account_id, stays).is_favorite
        assert unit.tree.get(account.account_id, below_what_stays).is_favorite
