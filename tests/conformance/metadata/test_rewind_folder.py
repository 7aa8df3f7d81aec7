"""Rewinds of one folder after random changes, held against what was seen: the folder is exactly as it was, and nothing
else changes but what has to leave it.

`--rewound-histories 1000` takes minutes.
"""

import random
from collections.abc import Iterator

import pytest
from tests.conformance.metadata.making import NOW, apply, make_account, make_folder, put_file, restore, trash
from tests.conformance.metadata.past import newest, seen_now
from tests.conformance.metadata.random_changes import RandomChanges
from tests.conformance.metadata.rewinding import run, scope_of, tree_now

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import ACTIVE, PURGING, Move, StoredObject
from skyshelf.storage.metadata.history.rewinds import Scope, StoredRewind
from skyshelf.storage.metadata.sql.tree.objects import objects_where
from skyshelf.storage.metadata.store import MetadataStore

STEPS = 60


class Snapshot:
    """All objects of an account, as their rows are, with the tags and albums of those that can be seen."""

    def __init__(self, store: MetadataStore, account: Account) -> None:
        self.seq = newest(store, account)
        with store.read() as unit:
            found = objects_where(unit.sql, account.account_id, "1 = 1", {})
        self.objects = {one.object_key: one for one in found if one.status != PURGING}
        # What is below something that is being deleted for good is gone as well.
        self.objects = {key: one for key, one in self.objects.items() if list(self.way(key))[-1].parent_key is None}
        self.visible = {key for key in self.objects if self._is_visible(key)}
        self.links = {known[0]: known[7:] for known in seen_now(store, account).values()}

    def way(self, key: str) -> Iterator[StoredObject]:
        """From the object up, as far as folders exist."""
        one = self.objects.get(key)
        while one is not None:
            yield one
            one = self.objects.get(one.parent_key or "")

    def _is_visible(self, key: str) -> bool:
        way = list(self.way(key))
        return way[-1].parent_key is None and all(one.status == ACTIVE for one in way)

    def below(self, folder_key: str) -> set[str]:
        """What can be seen below a folder."""
        return {key for key in self.visible if any(one.parent_key == folder_key for one in self.way(key))}

    def comes_with(self, keys: set[str]) -> set[str]:
        """What is seen wherever one of these is: everything below them that is not in the trash on its own."""
        found = set()
        for key in self.objects:
            for one in self.way(key):
                if one.status != ACTIVE:
                    break
                if one.parent_key in keys:
                    found.add(key)
                    break
        return found

    def row(self, key: str) -> tuple[object, ...]:
        one = self.objects[key]
        return one.parent_key, one.name, one.sha256, one.is_favorite, one.status


def check_rewound(then: Snapshot, before: Snapshot, after: Snapshot, folder: str) -> None:
    """Hold a rewind of a folder against the three moments."""
    members = then.comes_with({folder})
    is_inside = any(one.object_key in members for one in before.way(folder))
    if is_inside and folder not in then.visible:
        # It was in the trash, and is in something that has to be in it again.
        assert folder not in after.visible
        return
    assert after.below(folder) == members
    for key in members:
        assert after.row(key) == then.row(key)
        assert folder not in then.visible or after.links.get(key) == then.links.get(key)
    has_to_come = folder in then.visible and (folder not in before.visible or is_inside)
    way = {one.object_key for one in then.way(folder)} - before.visible if has_to_come else set()
    way |= {folder} if has_to_come else set()
    guests = before.comes_with({folder, *members}) - members - way
    for key in guests | way:
        if key not in then.visible:
            assert key not in after.visible
            continue
        was, became = then.objects[key], after.objects[key]
        assert key in after.visible
        assert (became.parent_key == was.parent_key) or was.parent_key not in after.visible
        assert became.name == was.name or became.name.startswith(f"{was.name} (")
        assert (became.sha256, became.is_favorite) == (was.sha256, was.is_favorite)
    for key in before.objects.keys() - members - guests - way:
        assert after.row(key) == before.row(key)


def undo_of(store: MetadataStore, account: Account, rewound: StoredRewind) -> Scope:
    return scope_of(store, account, rewound.scope.upto, rewound.created_at - 1, actor=rewound.actor)


def rewind_a_folder(store: MetadataStore, seed: int) -> None:
    """Make a history, rewind a folder to a moment of it, and undo that."""
    account, chance = make_account(store), random.Random(seed)
    changes = RandomChanges(store, account, seed)
    remembered: list[tuple[int, Snapshot]] = []
    for number in range(STEPS):
        changes.step()
        if number % 10 == 9:
            remembered.append((changes.now, Snapshot(store, account)))
            changes.now += 1
    at, then = chance.choice(remembered[:-1])
    before, tree = Snapshot(store, account), tree_now(store, account)
    folders = [key for key in changes.folders[1:] if key in then.visible | before.visible]
    if not folders:
        return
    folder = chance.choice(folders)
    changes.now += 10
    rewound = run(store, account, scope_of(store, account, then.seq, at, folder_key=folder), changes.now)
    assert (rewound.state, rewound.counts.left) == ("done", 0)
    check_rewound(then, before, Snapshot(store, account), folder)
    changes.now += 10
    undone = run(store, account, undo_of(store, account, rewound), changes.now)
    assert (undone.state, undone.counts.left) == ("done", 0)
    assert tree_now(store, account) == tree


def test_a_folder_of_a_random_history_is_exactly_as_it_was(
    lasting_store: MetadataStore, request: pytest.FixtureRequest
) -> None:
    wrong = []
    for seed in range(request.config.getoption("--rewound-histories")):
        try:
            rewind_a_folder(lasting_store, seed)
        except AssertionError as error:
            wrong.append(f"seed {seed}: {error}")
    assert not wrong, "\n".join([f"{len(wrong)} histories", *wrong])


def rewound(store: MetadataStore, account: Account, seq: int, folder: StoredObject) -> StoredRewind:
    return run(store, account, scope_of(store, account, seq, NOW, folder_key=folder.object_key), NOW + 1000)


def test_a_folder_that_comes_back_leaves_what_it_got_elsewhere(store: MetadataStore, account: Account) -> None:
    photos = make_folder(store, account, account.root_key, "Photos")
    sea = make_folder(store, account, photos.object_key, "Sea")
    put_file(store, account, sea.object_key, "old.jpg")
    letter = put_file(store, account, account.root_key, "letter.txt").object
    seq = newest(store, account)
    apply(store, account, Move(sea.object_key, account.root_key), Move(letter.object_key, sea.object_key))
    put_file(store, account, sea.object_key, "new.jpg")
    assert rewound(store, account, seq, photos).counts.trashed == 1
    assert set(tree_now(store, account)) == {"/Photos", "/Photos/Sea", "/Photos/Sea/old.jpg", "/letter.txt"}


def test_what_was_restored_out_of_a_folders_trash_stays_where_it_is(store: MetadataStore, account: Account) -> None:
    photos = make_folder(store, account, account.root_key, "Photos")
    old = put_file(store, account, photos.object_key, "old.jpg").object
    elsewhere = put_file(store, account, account.root_key, "elsewhere.jpg").object
    trash(store, account, old.object_key)
    seq = newest(store, account)
    restore(store, account, old.object_key)
    apply(store, account, Move(old.object_key, account.root_key), Move(elsewhere.object_key, photos.object_key))
    trash(store, account, elsewhere.object_key)
    assert rewound(store, account, seq, photos).counts.total == 0
    assert set(tree_now(store, account)) == {"/Photos", "/old.jpg"}
