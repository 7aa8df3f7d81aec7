"""Folder marks: a folder's mark grows with everything that happens below it, whatever it is."""

import random

from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import NOW, apply, make_account, make_folder, new_key, purge_all, put_file, trash

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import CopyOf
from skyshelf.storage.metadata.contracts.tree import Move, Relocate, Rename, StoredObject

Picture = tuple[object, ...]


def marks(store: Store, account: Account, folders: list[str]) -> dict[str, int]:
    with store.read() as unit:
        found = unit.folder_marks.newest(account.account_id, folders)
    return {key: found.get(key, 0) for key in folders}


def pictures(store: Store, account: Account) -> dict[str, Picture]:
    """What every folder shows, with all that is below it."""
    found: dict[str, Picture] = {}

    def look(folder_key: str) -> Picture:
        with store.read() as unit:
            children = unit.tree.children(account.account_id, folder_key)
        picture = tuple(
            (one.object_key, one.name, one.md5, one.version, look(one.object_key) if one.is_folder else None)
            for one in children
        )
        found[folder_key] = picture
        return picture

    look(account.root_key)
    return found


def test_a_change_marks_every_folder_above_it_and_no_other(store: Store, account: Account) -> None:
    outer = make_folder(store, account, account.root_key, "outer").object_key
    inner = make_folder(store, account, outer, "inner").object_key
    beside = make_folder(store, account, account.root_key, "beside").object_key
    keys = [account.root_key, outer, inner, beside]
    before = marks(store, account, keys)
    put_file(store, account, inner, "a.txt")
    after = marks(store, account, keys)
    assert {key for key in keys if after[key] > before[key]} == {account.root_key, outer, inner}
    assert len({after[key] for key in (account.root_key, outer, inner)}) == 1


def test_a_move_marks_the_folder_that_is_left_too(store: Store, account: Account) -> None:
    left = make_folder(store, account, account.root_key, "left").object_key
    right = make_folder(store, account, account.root_key, "right").object_key
    moved = make_folder(store, account, left, "moved").object_key
    put_file(store, account, moved, "a.txt")
    before = marks(store, account, [left, right, moved])
    apply(store, account, Move(moved, right))
    after = marks(store, account, [left, right, moved])
    assert after[left] > before[left]
    assert after[right] > before[right]
    assert after[moved] == before[moved]


def test_marks_of_others_are_not_read(store: Store, account: Account) -> None:
    put_file(store, account, account.root_key, "a.txt")
    assert marks(store, make_account(store), [account.root_key]) == {account.root_key: 0}


def test_whatever_happens_a_folder_that_shows_something_else_has_a_larger_mark(store: Store, account: Account) -> None:
    """A model with random operations: the mark grows if and only if something at or below the folder happened."""
    chance = random.Random(20)
    put_file(store, account, account.root_key, "a.txt")
    for number in range(60):
        shown, folders = pictures(store, account), list(pictures(store, account))
        before = marks(store, account, folders)
        _something(store, account, chance, folders, number)
        after, now_shown = marks(store, account, folders), pictures(store, account)
        for key in folders:
            assert after[key] >= before[key]
            if key in now_shown and now_shown[key] != shown[key]:
                assert after[key] > before[key], number


def _something(store: Store, account: Account, chance: random.Random, folders: list[str], number: int) -> None:
    with store.read() as unit:
        children = [one for key in folders for one in unit.tree.children(account.account_id, key)]
    one: StoredObject = chance.choice(children)
    folder, account_id = chance.choice(folders), account.account_id
    match chance.choice(
        ["file", "file", "version", "folder", "folder", "move", "move", "name", "trash", "back", "copy"]
    ):
        case "file":
            put_file(store, account, folder, f"{number}.txt", b"%d" % number)
        case "version" if not one.is_folder and one.parent_key:
            put_file(store, account, one.parent_key, one.name, b"v%d" % number)
        case "folder":
            make_folder(store, account, folder, f"folder {number}")
        case "move":
            apply(store, account, Relocate(one.object_key, folder, f"moved {number}"))
        case "name":
            apply(store, account, Rename(one.object_key, f"renamed {number}"))
        case "trash" if len(children) > 3:
            trash(store, account, one.object_key)
            if number % 3 == 0:
                purge_all(store, account)
        case "back" if len(children) > 3:
            trash(store, account, one.object_key)
            store.write(lambda unit: unit.tree.restore(account_id, [one.object_key], NOW))
        case "copy":
            copies = [CopyOf(one.object_key, new_key())]
            store.write(lambda unit: unit.copies.copy(account_id, copies, folder, NOW, created_by="Ada"))
        case _:
            return
