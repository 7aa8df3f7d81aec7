"""Rewinds after random changes: the tree of every remembered moment comes back, whatever interrupts it."""

import random

import pytest
from tests.conformance.metadata.making import make_account
from tests.conformance.metadata.past import newest
from tests.conformance.metadata.random_changes import RandomChanges
from tests.conformance.metadata.rewinding import begin, ended, run, scope_of, steps, tree_now

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.history.rewinds import ACTIVE_STATES
from skyshelf.storage.metadata.store import MetadataStore


@pytest.mark.parametrize("seed", range(3))
def test_every_remembered_moment_comes_back_and_goes_again(store: MetadataStore, account: Account, seed: int) -> None:
    changes = RandomChanges(store, account, seed)
    remembered = []
    for number in range(150):
        changes.step()
        if number % 30 == 0:
            remembered.append((newest(store, account), changes.now, tree_now(store, account)))
            changes.now += 1
    random.Random(seed).shuffle(remembered)
    for seq, at, seen in remembered:
        changes.now += 10
        before = tree_now(store, account)
        rewound = run(store, account, scope_of(store, account, seq, at), changes.now)
        assert (rewound.state, rewound.counts.left) == ("done", 0)
        assert tree_now(store, account) == seen, f"as of {seq}"
        changes.now += 10
        undo = scope_of(store, account, rewound.scope.upto, rewound.created_at - 1, actor=rewound.actor)
        undone = run(store, account, undo, changes.now)
        assert (undone.state, undone.counts.left) == ("done", 0)
        assert tree_now(store, account) == before, f"undone, as of {seq}"
        for _ in range(5):
            changes.step()


@pytest.mark.parametrize("seed", range(10, 12))
def test_a_rewind_that_is_killed_again_and_again_ends_with_the_same_tree(
    store: MetadataStore, account: Account, seed: int
) -> None:
    changes, chance = RandomChanges(store, account, seed), random.Random(seed)
    remembered = []
    for number in range(120):
        changes.step()
        if number % 40 == 20:
            remembered.append((newest(store, account), changes.now, tree_now(store, account)))
            changes.now += 1
    stranger = make_account(store)
    beside = RandomChanges(store, stranger, seed)
    for seq, at, seen in remembered:
        changes.now += 10
        key = begin(store, account, scope_of(store, account, seq, at), changes.now)
        kills = 0
        while ended(store, account, key).state in ACTIVE_STATES:
            # A step that was not committed has never been; one that was is not made again.
            left = chance.randrange(6)
            for _ in steps(store, account, key, changes.now, limit=chance.choice([1, 3, 50])):
                beside.step()
                if not left:
                    kills += 1
                    break
                left -= 1
        assert kills
        assert (ended(store, account, key).state, ended(store, account, key).counts.left) == ("done", 0)
        assert tree_now(store, account) == seen, f"as of {seq}"
