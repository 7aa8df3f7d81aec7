"""A call costs as many statements in a big account as in a small one, and for a long batch as for a short one."""

from collections.abc import Callable
from itertools import count

import pytest
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import (
    NOW,
    apply,
    fill_folder,
    make_folder,
    new_file,
    new_key,
    put_file,
    trash,
)
from tests.conformance.metadata.recording import statements_of_read, statements_of_write

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import Kind, Move, NewFolder, PageOf, Rename, SetFavorite, SortBy, Trash
from skyshelf.storage.metadata.sql.unit import Unit

FEW, MANY = 2, 40
_numbers = count()


class World:
    """A folder with some files and folders in it, below some other folders."""

    def __init__(self, store: Store, account: Account, size: int) -> None:
        self.store, self.account, self.size = store, account, size
        self.id = account.account_id
        parent = account.root_key
        for _ in range(2):
            parent = make_folder(store, account, parent, f"world {next(_numbers)}").object_key
        self.folder = parent
        fill_folder(store, account, self.folder, size)
        with store.read() as unit:
            self.objects = unit.tree.children(self.id, self.folder, limit=10 * size)
        self.keys = [one.object_key for one in self.objects]
        self.other = make_folder(store, account, account.root_key, f"other {next(_numbers)}").object_key

    def written(self, work: Callable[[Unit], object]) -> int:
        return len(statements_of_write(self.store, work))


def _add_folder(world: World) -> int:
    new = NewFolder(object_key=new_key(), parent_key=world.folder, name=f"new {next(_numbers)}")
    return world.written(lambda unit: unit.tree.add_folder(world.id, new, NOW))


def _put(world: World) -> int:
    file = new_file(world.folder, f"new {next(_numbers)}")
    return world.written(lambda unit: unit.files.put(world.id, file, NOW, keep_versions=20))


def _put_next_version(world: World) -> int:
    for number in range(world.size):
        put_file(world.store, world.account, world.folder, "versions", b"%d" % number, keep_versions=1000)
    file = new_file(world.folder, "versions", b"the last")
    # All versions but one go at once: the most that a put ever has to do.
    return world.written(lambda unit: unit.files.put(world.id, file, NOW, keep_versions=1))


def _trash_the_folder(world: World) -> int:
    return world.written(lambda unit: unit.tree.apply(world.id, [Trash(world.folder)], NOW))


def _move_the_folder(world: World) -> int:
    return world.written(lambda unit: unit.tree.apply(world.id, [Move(world.folder, world.other)], NOW))


def _restore_the_folder(world: World) -> int:
    trash(world.store, world.account, world.folder)
    return world.written(lambda unit: unit.tree.restore(world.id, [world.folder], NOW))


def _rename_all(world: World) -> int:
    changes = [Rename(key, f"renamed, and longer than before {number:04}") for number, key in enumerate(world.keys)]
    return world.written(lambda unit: unit.tree.apply(world.id, changes, NOW))


def _rename_all_along_a_chain(world: World) -> int:
    names = [f"chain {number}" for number in range(len(world.keys) + 1)]
    apply(world.store, world.account, *(Rename(key, name) for key, name in zip(world.keys, names[:-1], strict=True)))
    changes = [Rename(key, name) for key, name in zip(reversed(world.keys), reversed(names), strict=False)]
    return world.written(lambda unit: unit.tree.apply(world.id, changes, NOW + 1))


def _move_all(world: World) -> int:
    changes = [Move(key, world.other) for key in world.keys]
    return world.written(lambda unit: unit.tree.apply(world.id, changes, NOW))


def _trash_all(world: World) -> int:
    changes = [Trash(key) for key in world.keys]
    return world.written(lambda unit: unit.tree.apply(world.id, changes, NOW))


def _mark_all(world: World) -> int:
    changes = [SetFavorite(key, True) for key in world.keys]
    return world.written(lambda unit: unit.tree.apply(world.id, changes, NOW))


def _refuse_all(world: World) -> int:
    changes = [Move(new_key(), world.other) for _ in world.keys]
    return world.written(lambda unit: unit.tree.apply(world.id, changes, NOW))


def _restore_all(world: World) -> int:
    trash(world.store, world.account, *world.keys)
    return world.written(lambda unit: unit.tree.restore(world.id, world.keys, NOW))


def _doom_all_by_key(world: World) -> int:
    trash(world.store, world.account, *world.keys)
    return world.written(lambda unit: unit.purge.mark_for_deletion(world.id, world.keys, NOW))


def _empty_the_trash(world: World) -> int:
    trash(world.store, world.account, *world.keys)
    return world.written(lambda unit: unit.purge.mark_all_for_deletion(world.id, NOW))


def _purge(world: World) -> int:
    trash(world.store, world.account, world.folder)
    world.store.write(lambda unit: unit.purge.mark_all_for_deletion(world.id, NOW))
    return world.written(lambda unit: unit.purge.delete_batch(world.id, 10 * world.size, NOW))


WRITES = [
    _add_folder,
    _put,
    _put_next_version,
    _trash_the_folder,
    _move_the_folder,
    _restore_the_folder,
    _rename_all,
    _rename_all_along_a_chain,
    _move_all,
    _trash_all,
    _mark_all,
    _refuse_all,
    _restore_all,
    _doom_all_by_key,
    _empty_the_trash,
    _purge,
]


@pytest.mark.parametrize("write", WRITES, ids=lambda write: write.__name__.strip("_"))
def test_a_write_costs_the_same_whatever_the_size(
    store: Store, account: Account, write: Callable[[World], int]
) -> None:
    few = write(World(store, account, FEW))
    many = write(World(store, account, MANY))
    assert many == few
    assert few <= 26


def _looks(world: World) -> list[Callable[[Unit], object]]:
    file = next(one for one in world.objects if not one.is_folder).object_key
    pages = [
        PageOf(folder_key=world.folder, sort=sort, kind=kind, offset=offset)
        for sort in SortBy
        for kind in (None, *Kind)
        for offset in (0, 3)
    ]
    return [
        lambda unit: unit.tree.get(world.id, file),
        lambda unit: unit.tree.visible(world.id, file),
        lambda unit: unit.tree.visible_folder(world.id, world.folder),
        lambda unit: unit.tree.visible_many(world.id, world.keys),
        lambda unit: unit.tree.child_named(world.id, world.folder, "x"),
        lambda unit: unit.tree.ancestors(world.id, file),
        lambda unit: unit.tree.children(world.id, world.folder),
        lambda unit: unit.tree.trash_page(world.id, limit=100),
        lambda unit: unit.tree.recent(world.id, media=False, limit=50),
        lambda unit: unit.tree.of_app(world.id, "dgl", limit=50),
        lambda unit: unit.files.versions(world.id, file),
        lambda unit: unit.files.version(world.id, file),
        lambda unit: unit.purge.accounts_with_old_trash(NOW, 10),
        lambda unit: unit.quotas.get(world.id, NOW),
        lambda unit: unit.changes.newest(world.id),
        lambda unit: unit.changes.oldest(world.id),
        lambda unit: unit.changes.since(world.id, 0, 100),
        lambda unit: unit.content.owned(world.id, "0" * 32, 1),
        lambda unit: unit.content.known(["x", "y"]),
        lambda unit: unit.inspection.miscounted(limit=10),
        lambda unit: unit.uploads.parts(world.id, new_key()),
        lambda unit: unit.uploads.stale(NOW, 100),
        lambda unit: unit.accounts.by_id(world.id),
        lambda unit: unit.accounts.list(),
        *(lambda unit, page=page: unit.tree.page(world.id, page) for page in pages),
    ]


def test_every_read_is_one_statement_and_sees_one_moment(store: Store, account: Account) -> None:
    for size in (FEW, MANY):
        for look in _looks(World(store, account, size)):
            assert len(statements_of_read(store, look)) == 1
