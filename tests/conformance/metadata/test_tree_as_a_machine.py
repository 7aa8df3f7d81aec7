"""The tree against a model of it: whatever is done, in whatever order, both look the same."""

from itertools import count

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from tests.conformance.metadata.backends import Backend, Store
from tests.conformance.metadata.making import NOW, make_account, new_file, new_key, purge_all
from tests.conformance.metadata.reading import EVERYTHING, keys_of
from tests.conformance.metadata.tree_model import KEPT_VERSIONS, Refusal, TreeModel, refusal_of
from tests.examples import examples

from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts.tree import (
    Move,
    NewFolder,
    Outcome,
    PageOf,
    Rename,
    SetFavorite,
    StoredObject,
    Trash,
    TreeChange,
)
from skyshelf.wire.names import order_key

pytestmark = pytest.mark.backend

names = st.sampled_from(["a", "A", "b", "é", "a (1)"])
# Which of the objects there have been so far; one beyond them is a key that nobody knows.
picks = st.integers(0, 40)
changes = st.one_of(
    st.tuples(st.just("rename"), picks, names),
    st.tuples(st.just("move"), picks, picks),
    st.tuples(st.just("favorite"), picks, st.booleans()),
    st.tuples(st.just("trash"), picks),
)


def _refused(outcomes: list[Outcome]) -> list[Refusal]:
    return [type(outcome) if isinstance(outcome, StorageError) else None for outcome in outcomes]


class TreeMachine(RuleBasedStateMachine):
    """One account of its own for each run, in a store that all runs share."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.store = store
        self.account = make_account(store)
        self.id = self.account.account_id
        self.model = TreeModel(self.account.root_key)
        self.keys = [self.account.root_key]
        self.clock = NOW
        self.contents = count()
        self.purged = True

    def key(self, pick: int) -> str:
        return (
            self.keys[pick] if pick < len(self.keys) else self.keys[pick % len(self.keys)] if pick < 40 else new_key()
        )

    def change_of(self, description: tuple[object, ...]) -> TreeChange:
        match description:
            case ("rename", int(pick), str(name)):
                return Rename(self.key(pick), name)
            case ("move", int(pick), int(target)):
                return Move(self.key(pick), self.key(target))
            case ("favorite", int(pick), bool(favorite)):
                return SetFavorite(self.key(pick), favorite)
            case ("trash", int(pick)):
                return Trash(self.key(pick))
        raise AssertionError(description)

    @rule(pick=picks, name=names)
    def make_a_folder(self, pick: int, name: str) -> None:
        new = NewFolder(object_key=new_key(), parent_key=self.key(pick), name=name)
        expected = refusal_of(lambda: self.model.add_folder(new.object_key, new.parent_key, name))
        assert expected == refusal_of(
            lambda: self.store.write(lambda unit: unit.tree.add_folder(self.id, new, self.clock))
        )
        if expected is None:
            self.keys.append(new.object_key)

    @rule(pick=picks, name=names, size=st.integers(0, 3), new_content=st.booleans())
    def put_a_file(self, pick: int, name: str, size: int, new_content: bool) -> None:
        data = b"%d" % next(self.contents) if new_content else b"x" * size
        file = new_file(self.key(pick), name, data)
        expected = refusal_of(lambda: self.model.put(file.object_key, file.parent_key, name, len(data)))
        assert expected == refusal_of(
            lambda: self.store.write(
                lambda unit: unit.files.put(self.id, file, self.clock, keep_versions=KEPT_VERSIONS)
            )
        )
        if file.object_key in self.model.things:
            self.keys.append(file.object_key)

    @rule(batch=st.lists(changes, min_size=1, max_size=6))
    def change_a_batch(self, batch: list[tuple[object, ...]]) -> None:
        asked = [self.change_of(description) for description in batch]
        expected = self.model.apply(asked, self.clock)
        outcomes = self.store.write(lambda unit: unit.tree.apply(self.id, asked, self.clock))
        assert _refused(outcomes) == expected

    @rule(which=st.lists(picks, min_size=1, max_size=4))
    def restore(self, which: list[int]) -> None:
        keys = [self.key(pick) for pick in which]
        expected = [refusal_of(lambda key=key: self.model.restore(key)) for key in keys]  # type: ignore[misc]
        outcomes = self.store.write(lambda unit: unit.tree.restore(self.id, keys, self.clock))
        assert _refused(outcomes) == expected
        for key, outcome in zip(keys, outcomes, strict=True):
            if isinstance(outcome, StoredObject) and keys.count(key) == 1:
                assert outcome.name == self.model.things[key].name

    @rule(which=st.lists(picks, min_size=1, max_size=3))
    def mark_for_deletion(self, which: list[int]) -> None:
        keys = [self.key(pick) for pick in which]
        expected = self.model.mark_for_deletion(keys)
        assert self.store.write(lambda unit: unit.purge.mark_for_deletion(self.id, keys, self.clock)) == expected
        self.purged = self.purged and not expected

    @rule(ago=st.one_of(st.none(), st.integers(0, 5)))
    def empty_the_trash(self, ago: int | None) -> None:
        up_to = None if ago is None else self.clock - ago
        self.model.mark_all_for_deletion(up_to)
        self.store.write(lambda unit: unit.purge.mark_all_for_deletion(self.id, self.clock, trashed_up_to=up_to))
        self.purged = False

    @rule(limit=st.integers(1, 3))
    def purge_a_step(self, limit: int) -> None:
        more = self.store.write(lambda unit: unit.purge.delete_batch(self.id, limit, self.clock))
        if not more:
            self.model.purge()
            self.purged = True

    @rule(limit=st.integers(1, 20))
    def purge_everything(self, limit: int) -> None:
        purge_all(self.store, self.account, limit=limit)
        self.model.purge()
        self.purged = True

    @rule()
    def let_time_pass(self) -> None:
        self.clock += 1

    @invariant()
    def both_look_the_same(self) -> None:
        with self.store.snapshot() as unit:
            for folder in self.model.visible_folders():
                page = PageOf(folder_key=folder, limit=EVERYTHING)
                listed = keys_of(unit.tree.page(self.id, page))
                assert set(listed) == self.model.children(folder)
                shown = [unit.tree.get(self.id, key) for key in listed]
                assert listed == sorted(listed, key=lambda key: (order_key(self.model.things[key].name), key))
                assert len({one.name for one in shown}) == len(shown)
                for one in shown:
                    thing = self.model.things[one.object_key]
                    assert (one.parent_key, one.name, one.is_folder) == (thing.parent, thing.name, thing.is_folder)
                    assert (one.is_favorite, one.version, one.status) == (thing.is_favorite, thing.version, "A")
            seen = {key for key in self.model.things if self.model.is_visible(key)}
            assert unit.tree.visible_many(self.id, self.keys).keys() == seen
            assert set(keys_of(unit.tree.trash_page(self.id, limit=EVERYTHING))) == self.model.trash()

    @invariant()
    def the_books_balance(self) -> None:
        with self.store.snapshot() as unit:
            kept = unit.quotas.get(self.id, self.clock)
            assert kept == unit.quotas.recount(self.id, self.clock)
            if self.purged:
                assert kept.used == self.model.used()
            assert unit.inspection.miscounted(limit=10) == []
            feed = unit.changes.since(self.id, 0, EVERYTHING)
            assert [change.seq for change in feed] == list(range(1, self.model.changes + 1))


def test_the_tree_behaves_as_its_model_whatever_is_done_to_it(lasting_backend: Backend, lasting_store: Store) -> None:
    class TreeMachineHere(TreeMachine):
        def __init__(self) -> None:
            super().__init__(lasting_store)

    run_state_machine_as_test(
        TreeMachineHere,
        settings=settings(
            max_examples=examples(lasting_backend.examples),
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
