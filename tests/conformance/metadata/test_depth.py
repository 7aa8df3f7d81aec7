"""How deep folders can be nested: whatever is moved where, nothing gets beyond the limits, and nothing is walked."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import (
    NOW,
    apply,
    in_parallel,
    insert_chain,
    make_account,
    make_folder,
    mark_for_deletion,
    new_key,
    purge_all,
    put_file,
    restore,
    trash,
)
from tests.conformance.metadata.recording import statements_of_write
from tests.examples import examples

from skyshelf.storage.errors import ObjectMissing, TooDeep
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import Move, NewFolder, Rename, StoredObject
from skyshelf.storage.metadata.sql.tree import placing
from skyshelf.storage.metadata.sql.tree.objects import new_folder
from skyshelf.storage.metadata.store import MetadataStore, Unit
from skyshelf.wire.limits import FOLDER_DEPTH_MAX, FOLDER_PATH_BYTES_MAX


def chain(store: MetadataStore, account: Account, parent_key: str, levels: int, name: str = "n") -> list[str]:
    """Folders in each other, from the outermost on."""
    keys: list[str] = []
    for _ in range(levels):
        parent_key = make_folder(store, account, parent_key, name).object_key
        keys.append(parent_key)
    return keys


def chain_from_before(store: Store, account: Account, levels: int, name: str = "old") -> list[str]:
    """Folders in each other, as a store has them from before there were limits."""
    keys = [account.root_key, *(new_key() for _ in range(levels))]
    rows = [
        new_folder(account.account_id, key, above, f"{name} {number:03}", NOW)
        for number, (above, key) in enumerate(pairwise(keys))
    ]

    def work(unit: Unit) -> None:
        insert_chain(unit.sql, rows)

    store.write(work)
    return keys[1:]


def test_a_path_of_every_length_is_found(store: Store) -> None:
    account = make_account(store)
    keys = chain_from_before(store, account, FOLDER_DEPTH_MAX + 1)
    names = [f"old {number:03}" for number in range(FOLDER_DEPTH_MAX + 1)]
    with store.read() as unit:
        for length, key in enumerate(keys, start=1):
            found = unit.tree.at_path(account.account_id, account.root_key, names[:length])
            assert found is not None
            assert found.object_key == key
        assert unit.tree.at_path(account.account_id, account.root_key, [*names[:40], "other", *names[41:]]) is None


def test_what_is_below_a_folder_is_counted_as_far_as_it_matters(store: Store, account: Account) -> None:
    keys = chain(store, account, account.root_key, 10)
    put_file(store, account, keys[-1], "file")
    trashed = chain(store, account, keys[4], 2, "gone")
    trash(store, account, trashed[0])
    with store.read() as unit:
        for most, counted in ((100, 11), (11, 11), (4, 4)):
            assert unit.tree.count_below(account.account_id, account.root_key, most) == counted
        assert unit.tree.count_below(account.account_id, keys[-1], 100) == 1
        assert unit.tree.count_below(make_account(store).account_id, keys[-1], 100) == 0


def longest(store: MetadataStore, account: Account) -> tuple[int, int]:
    """The deepest folder of an account, and the bytes of the longest path of one, by a walk; trashed ones too."""
    with store.read() as unit:
        rows = unit.sql.all(
            "SELECT object_key, parent_key, name FROM objects WHERE account_id = :account AND kind = 0",
            {"account": account.account_id},
        )
    above = {bytes(key): (None if parent is None else bytes(parent), name) for key, parent, name in rows}
    found = (0, 0)
    for start in list(above.values()):
        levels, path = 0, -1
        parent, name = start
        while parent is not None:
            levels, path = levels + 1, path + len(name.encode()) + 1
            parent, name = above[parent]
        found = max(found[0], levels), max(found[1], path)
    return found


def only(outcomes: Sequence[object]) -> object:
    (outcome,) = outcomes
    return outcome


def test_folders_are_nested_up_to_the_limit_and_not_further(store: MetadataStore, account: Account) -> None:
    keys = chain(store, account, account.root_key, FOLDER_DEPTH_MAX)
    with pytest.raises(TooDeep):
        make_folder(store, account, keys[-1], "one more")
    put_file(store, account, keys[-1], "a file does not count.txt")
    make_folder(store, account, keys[-2], "beside the last")


def test_a_path_has_as_many_bytes_as_it_may_and_no_more(store: MetadataStore, account: Account) -> None:
    name = "ü" * 127  # 254 bytes, and a slash
    whole, rest = divmod(FOLDER_PATH_BYTES_MAX + 1, 255)
    keys = chain(store, account, account.root_key, whole, name)
    with pytest.raises(TooDeep):
        make_folder(store, account, keys[-1], "n" * rest)
    last = make_folder(store, account, keys[-1], "n" * (rest - 1)).object_key
    assert longest(store, account)[1] == FOLDER_PATH_BYTES_MAX
    assert isinstance(only(apply(store, account, Rename(keys[0], "ü" * 127 + "n"))), TooDeep), "all paths get longer"
    assert isinstance(only(apply(store, account, Rename(last, "n" * rest))), TooDeep)
    assert isinstance(only(apply(store, account, Rename(last, "n"))), StoredObject)


def test_a_move_counts_what_is_below_without_reading_it(store: Store, account: Account) -> None:
    deep = chain(store, account, account.root_key, 60, "deep")
    low = chain(store, account, account.root_key, 41, "low")
    assert isinstance(only(apply(store, account, Move(low[0], deep[-1]))), TooDeep)
    few = len(
        statements_of_write(store, lambda unit: unit.tree.apply(account.account_id, [Move(low[1], deep[-1])], NOW))
    )
    assert longest(store, account)[0] == FOLDER_DEPTH_MAX
    shallow = make_folder(store, account, account.root_key, "shallow").object_key
    statements = statements_of_write(
        store, lambda unit: unit.tree.apply(account.account_id, [Move(shallow, deep[-1])], NOW)
    )
    assert abs(len(statements) - few) <= 1, "one for what the folders above have below them now"


def test_a_batch_counts_what_it_has_moved_itself(store: MetadataStore, account: Account) -> None:
    one, two, three = (chain(store, account, account.root_key, 40, name) for name in "abc")
    outcomes = apply(store, account, Move(two[0], one[-1]), Move(three[0], two[-1]), Move(three[1], two[-1]))
    assert [isinstance(outcome, TooDeep) for outcome in outcomes] == [False, True, True]
    assert longest(store, account)[0] == 80
    outcomes = apply(store, account, Move(two[0], account.root_key), Move(three[0], two[-1]))
    assert not any(isinstance(outcome, TooDeep) for outcome in outcomes)


def test_two_moves_at_once_do_not_get_beyond_it_together(store: MetadataStore) -> None:
    for _ in range(2):
        account = make_account(store)
        one, two, three = (chain(store, account, account.root_key, 40, name) for name in "abc")
        moves = [Move(two[0], one[-1]), Move(three[0], two[-1])]

        def move(number: int, account: Account = account, moves: list[Move] = moves) -> object:
            return only(apply(store, account, moves[number]))

        outcomes = in_parallel(2, move)
        assert sum(isinstance(outcome, TooDeep) for outcome in outcomes) == 1
        assert longest(store, account)[0] == 80


def test_what_left_a_folder_counts_no_longer(store: MetadataStore, account: Account) -> None:
    deep = chain(store, account, account.root_key, 60, "deep")
    emptied = chain(store, account, account.root_key, 50, "emptied")
    trash(store, account, emptied[1])
    assert isinstance(only(apply(store, account, Move(emptied[0], deep[-1]))), TooDeep), "it may come back"
    mark_for_deletion(store, account, emptied[1])
    purge_all(store, account)
    assert isinstance(only(apply(store, account, Move(emptied[0], deep[-1]))), StoredObject)


def test_too_much_to_count_is_refused(store: MetadataStore, account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = chain(store, account, account.root_key, 60, "deep")
    wide = chain(store, account, account.root_key, 50, "wide")
    apply(store, account, Rename(wide[2], "elsewhere"), Move(wide[2], account.root_key))
    for number in range(5):
        make_folder(store, account, wide[0], f"{number}")
    monkeypatch.setattr(placing, "MOST_COUNTED", 5)
    assert isinstance(only(apply(store, account, Move(wide[0], deep[-1]))), TooDeep)
    monkeypatch.setattr(placing, "MOST_COUNTED", 6)
    assert isinstance(only(apply(store, account, Move(wide[0], deep[-1]))), StoredObject)


def test_what_comes_back_fits_where_it_was_or_goes_to_the_root(store: MetadataStore, account: Account) -> None:
    whole, rest = divmod(FOLDER_PATH_BYTES_MAX + 1, 255)
    keys = chain(store, account, account.root_key, whole, "n" * 254)
    name = "x" * (rest - 1)
    key = make_folder(store, account, keys[-1], name).object_key
    trash(store, account, key)
    (back,) = restore(store, account, key)
    assert (back.parent_key, back.name) == (keys[-1], name)
    trash(store, account, key)
    make_folder(store, account, keys[-1], name)
    (back,) = restore(store, account, key)
    assert (back.parent_key, back.name) == (account.root_key, name), (
        "its own name is taken, and a longer one does not fit"
    )
    assert longest(store, account)[1] == FOLDER_PATH_BYTES_MAX


def test_a_deeper_tree_from_before_is_read_moved_up_renamed_trashed_and_restored(
    store: Store, account: Account
) -> None:
    keys = chain_from_before(store, account, 300)
    with store.read() as unit:
        assert [one.object_key for one in unit.tree.ancestors(account.account_id, keys[-1])][1:] == keys[:-1]
        assert unit.tree.visible(account.account_id, keys[-1]).object_key == keys[-1]
    with pytest.raises(TooDeep):
        make_folder(store, account, keys[200], "new")
    assert isinstance(only(apply(store, account, Move(keys[50], keys[0]))), StoredObject), "up, though still too deep"
    assert isinstance(only(apply(store, account, Move(keys[50], keys[20]))), TooDeep), "down"
    assert isinstance(only(apply(store, account, Rename(keys[50], "a longer name"))), TooDeep)
    assert isinstance(only(apply(store, account, Rename(keys[50], "ol"))), StoredObject)
    trash(store, account, keys[0])
    (back,) = restore(store, account, keys[0])
    assert back.parent_key == account.root_key
    assert isinstance(only(apply(store, account, Move(keys[250], account.root_key))), StoredObject)
    make_folder(store, account, keys[-1], "fits now")
    trash(store, account, keys[0])
    mark_for_deletion(store, account, keys[0])
    purge_all(store, account)


moving = st.tuples(
    st.sampled_from(["add", "move", "rename", "trash", "restore"]), st.integers(0, 30), st.integers(0, 30)
)


@given(steps=st.lists(moving, min_size=5, max_size=40))
@settings(
    max_examples=examples(5),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
def test_whatever_is_moved_nothing_gets_beyond_the_limits(
    store: MetadataStore, steps: list[tuple[str, int, int]]
) -> None:
    account = make_account(store)
    keys = chain(store, account, account.root_key, 48, "n" * 60)
    keys += chain(store, account, account.root_key, 48, "m" * 20)
    for kind, first, second in steps:
        one, other = keys[first * 7919 % len(keys)], keys[second * 104_729 % len(keys)]
        if kind == "add":
            new = NewFolder(object_key=new_key(), parent_key=other, name=f"{first}" * 20 + new_key())
            with suppress(TooDeep, ObjectMissing):
                store.write(lambda unit, new=new: unit.tree.add_folder(account.account_id, new, NOW))  # type: ignore[misc]
                keys.append(new.object_key)
        elif kind == "move":
            apply(store, account, Move(one, other))
        elif kind == "rename":
            apply(store, account, Rename(one, "r" * (second * 8 + 1)))
        elif kind == "trash":
            trash(store, account, one)
        else:
            restore_any(store, account, one)
        deepest, path = longest(store, account)
        assert deepest <= FOLDER_DEPTH_MAX
        assert path <= FOLDER_PATH_BYTES_MAX


def restore_any(store: MetadataStore, account: Account, key: str) -> None:
    store.write(lambda unit: unit.tree.restore(account.account_id, [key], NOW))
