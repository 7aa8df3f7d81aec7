"""Purging: objects that leave for good, a few at a time, and give everything back."""

from itertools import count

import pytest
from tests.conformance.metadata.making import (
    NOW,
    apply,
    make_account,
    make_folder,
    mark_for_deletion,
    new_key,
    purge_all,
    put_file,
    restore,
    trash,
)
from tests.conformance.metadata.reading import (
    EVERYTHING,
    assert_books_balance,
    changes_of,
    listing,
    quota_of,
    stored,
    trash_listing,
)

from skyshelf.storage.errors import ObjectMissing
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import SetFavorite, StoredObject, Trash
from skyshelf.storage.metadata.store import MetadataStore


def _doom_all(store: MetadataStore, account: Account, *, now: int = NOW, up_to: int | None = None) -> None:
    store.write(lambda unit: unit.purge.mark_all_for_deletion(account.account_id, now, trashed_up_to=up_to))


def _objects(store: MetadataStore, account: Account) -> int:
    """How many rows there are, whatever their status; the root is one."""
    # Only the table itself can tell what is still there of what nobody may see.
    with store.read() as unit:
        (row,) = unit.sql.all(
            "SELECT count(*) FROM objects WHERE account_id = :account", {"account": account.account_id}
        )
    number: int = row[0]
    return number


def _deep_tree(store: MetadataStore, account: Account, depth: int, files: int) -> list[str]:
    """Folders one in another, each with some files; the outermost first."""
    folders = []
    parent = account.root_key
    for level in range(depth):
        parent = make_folder(store, account, parent, f"level {level}").object_key
        folders.append(parent)
        for number in range(files):
            put_file(store, account, parent, f"{number}.txt", b"%d %d" % (level, number))
    return folders


def _vanished(store: MetadataStore, account: Account, *keys: str) -> None:
    for key in keys:
        with store.read() as unit:
            for look in (unit.tree.get, unit.tree.visible, unit.files.versions, unit.files.version):
                with pytest.raises(ObjectMissing):
                    look(account.account_id, key)
            assert unit.tree.visible_many(account.account_id, [key]) == {}
        for outcome in (
            *apply(store, account, SetFavorite(key, True), Trash(key)),
            *store.write(lambda unit, key=key: unit.tree.restore(account.account_id, [key], NOW)),  # type: ignore[misc]
        ):
            assert isinstance(outcome, ObjectMissing)
        assert key not in trash_listing(store, account)
        assert mark_for_deletion(store, account, key) == []


def test_a_doomed_object_vanishes_at_once_with_all_that_is_below_it(store: MetadataStore, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "folder").object_key
    inner = make_folder(store, account, folder, "inner").object_key
    file = put_file(store, account, inner, "file").object.object_key
    trash(store, account, folder)
    assert mark_for_deletion(store, account, folder) == [folder]
    _vanished(store, account, folder, inner, file)


def test_an_emptied_trash_vanishes_at_once_with_all_that_is_below_it(store: MetadataStore, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "folder").object_key
    inner = make_folder(store, account, folder, "inner").object_key
    file = put_file(store, account, inner, "file").object.object_key
    alone = put_file(store, account, account.root_key, "alone").object.object_key
    trash(store, account, folder, alone)
    _doom_all(store, account)
    assert trash_listing(store, account) == []
    _vanished(store, account, folder, inner, file, alone)


def test_only_what_is_in_the_trash_can_be_doomed(store: MetadataStore, account: Account) -> None:
    active = make_folder(store, account, account.root_key, "active").object_key
    trashed = make_folder(store, account, account.root_key, "trashed").object_key
    below = make_folder(store, account, trashed, "below").object_key
    trash(store, account, trashed)
    keys = [active, new_key(), trashed, below, account.root_key, trashed]
    assert mark_for_deletion(store, account, *keys) == [trashed]
    assert [change.kind for change in changes_of(store, account)][-2:] == ["trashed", "purged"]
    assert listing(store, account, account.root_key) == ["active"]


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 100])
def test_a_purge_takes_everything_below_in_steps_of_the_limit(
    store: MetadataStore, account: Account, limit: int
) -> None:
    kept = put_file(store, account, account.root_key, "kept", b"kept").object.object_key
    folders = _deep_tree(store, account, depth=5, files=3)
    trash(store, account, folders[0])
    mark_for_deletion(store, account, folders[0])
    # Many small folders beside the deep one: what is below all of them together is more than one step may take.
    for number in range(4):
        small = make_folder(store, account, account.root_key, f"small {number}").object_key
        put_file(store, account, small, "in it", b"%d" % number)
        trash(store, account, small)
        mark_for_deletion(store, account, small)
    left = _objects(store, account)
    for _ in count():
        more = store.write(lambda unit: unit.purge.delete_batch(account.account_id, limit, NOW))
        before, left = left, _objects(store, account)
        assert before - left <= limit
        assert_books_balance(store, account)
        if not more:
            break
    assert left == 2
    assert quota_of(store, account).used == 4
    assert stored(store, account, kept).status == "A"


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
@pytest.mark.parametrize("whole_trash", [False, True], ids=["one by one", "all at once"])
def test_an_object_trashed_separately_and_marked_with_its_folder_is_deleted_too(
    store: MetadataStore, account: Account, limit: int, whole_trash: bool
) -> None:
    """A marked file inside a marked folder once stopped the purge for ever, or broke it."""
    one = make_folder(store, account, account.root_key, "one").object_key
    two = make_folder(store, account, account.root_key, "two").object_key
    inner = make_folder(store, account, one, "inner").object_key
    files = [put_file(store, account, folder, "x", folder.encode()).object.object_key for folder in (one, two, inner)]
    trash(store, account, *files, inner, now=NOW)
    trash(store, account, two, one, now=NOW + 1)
    if whole_trash:
        _doom_all(store, account)
    else:
        # The folders first: a purge meets them before what is in them.
        for key in (one, two, inner, *files):
            assert mark_for_deletion(store, account, key) == [key]
    purge_all(store, account, limit=limit)
    assert _objects(store, account) == 1
    assert quota_of(store, account).used == 0
    assert_books_balance(store, account)


@pytest.mark.parametrize("limit", [1, 2, 100])
def test_an_object_trashed_separately_survives_its_folder_with_its_contents(
    store: MetadataStore, account: Account, limit: int
) -> None:
    outer = make_folder(store, account, account.root_key, "outer").object_key
    inner = make_folder(store, account, outer, "inner").object_key
    kept_folder = make_folder(store, account, inner, "kept").object_key
    put_file(store, account, kept_folder, "below", b"below")
    kept_file = put_file(store, account, inner, "file", b"file").object.object_key
    put_file(store, account, inner, "goes", b"goes")
    trash(store, account, kept_folder, kept_file, now=NOW)
    trash(store, account, outer, now=NOW + 1)
    mark_for_deletion(store, account, outer)
    for _ in count():
        assert set(trash_listing(store, account)) == {kept_folder, kept_file}
        if not store.write(lambda unit: unit.purge.delete_batch(account.account_id, limit, NOW)):
            break
    assert _objects(store, account) == 4
    assert quota_of(store, account).used == len(b"below") + len(b"file")
    restore(store, account, kept_folder, kept_file)
    assert listing(store, account, account.root_key) == ["file", "kept"]
    assert listing(store, account, kept_folder) == ["below"]
    assert_books_balance(store, account)


def test_emptying_up_to_a_time_leaves_what_was_trashed_later(store: MetadataStore, account: Account) -> None:
    keys = [make_folder(store, account, account.root_key, f"{number}").object_key for number in range(4)]
    for number, key in enumerate(keys):
        trash(store, account, key, now=NOW + number)
    _doom_all(store, account, up_to=NOW + 1)
    assert trash_listing(store, account) == [keys[3], keys[2]]
    purge_all(store, account)
    assert _objects(store, account) == 3
    assert [one.name for one in restore(store, account, keys[2], keys[3])] == ["2", "3"]


def test_old_trash_inside_a_younger_trashed_folder_goes_alone(store: MetadataStore, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "folder").object_key
    old = make_folder(store, account, folder, "old").object_key
    stays = make_folder(store, account, folder, "stays").object_key
    trash(store, account, old, now=NOW)
    trash(store, account, folder, now=NOW + 10)
    _doom_all(store, account, up_to=NOW + 5)
    purge_all(store, account)
    assert trash_listing(store, account) == [folder]
    restore(store, account, folder)
    assert listing(store, account, folder) == ["stays"]
    assert stored(store, account, stays).status == "A"


def test_emptying_a_trash_that_holds_nothing_so_old_is_no_change(store: MetadataStore, account: Account) -> None:
    _doom_all(store, account)
    key = make_folder(store, account, account.root_key, "x").object_key
    trash(store, account, key, now=NOW)
    _doom_all(store, account, up_to=NOW - 1)
    _doom_all(store, account, up_to=0)
    assert trash_listing(store, account) == [key]
    assert [change.kind for change in changes_of(store, account)] == ["created", "trashed"]
    _doom_all(store, account)
    _doom_all(store, account)
    assert [change.kind for change in changes_of(store, account)] == ["created", "trashed", "emptied"]
    assert changes_of(store, account)[-1].object_key == account.root_key


def test_what_is_trashed_in_the_millisecond_of_the_emptying_is_in_the_trash(
    store: MetadataStore, account: Account
) -> None:
    before = make_folder(store, account, account.root_key, "before").object_key
    after = make_folder(store, account, account.root_key, "after").object_key
    trash(store, account, before, now=NOW)
    _doom_all(store, account, now=NOW)
    trash(store, account, after, now=NOW)
    assert trash_listing(store, account) == [after]
    purge_all(store, account, now=NOW)
    assert trash_listing(store, account) == [after]
    assert [one.name for one in restore(store, account, after)] == ["after"]
    assert _objects(store, account) == 2


def test_trash_of_a_clock_that_went_back_is_in_the_trash_too(store: MetadataStore, account: Account) -> None:
    before = make_folder(store, account, account.root_key, "before").object_key
    after = make_folder(store, account, account.root_key, "after").object_key
    trash(store, account, before, now=NOW)
    _doom_all(store, account, now=NOW)
    trash(store, account, after, now=NOW - 100_000)
    assert trash_listing(store, account) == [after]
    _doom_all(store, account, now=NOW - 50_000)
    assert trash_listing(store, account) == []


def test_an_object_that_was_restored_is_not_hit_by_a_later_emptying(store: MetadataStore, account: Account) -> None:
    key = make_folder(store, account, account.root_key, "x").object_key
    other = make_folder(store, account, account.root_key, "other").object_key
    trash(store, account, key, other, now=NOW)
    restore(store, account, key, now=NOW + 1)
    _doom_all(store, account, now=NOW + 2)
    purge_all(store, account)
    assert listing(store, account, account.root_key) == ["x"]


def test_a_purge_that_stops_in_the_middle_goes_on_where_it_was(store: MetadataStore, account: Account) -> None:
    folders = _deep_tree(store, account, depth=4, files=4)
    trash(store, account, folders[0])
    mark_for_deletion(store, account, folders[0])

    class CrashError(Exception):
        pass

    def crash(unit: object) -> None:
        unit.purge.delete_batch(account.account_id, 3, NOW)  # type: ignore[attr-defined]
        raise CrashError

    for _ in range(3):
        left = _objects(store, account)
        with pytest.raises(CrashError):
            store.write(crash)
        assert _objects(store, account) == left
        assert_books_balance(store, account)
        assert store.write(lambda unit: unit.purge.delete_batch(account.account_id, 3, NOW))
        assert_books_balance(store, account)
    purge_all(store, account, limit=3)
    assert _objects(store, account) == 1


def test_purging_nothing_is_quickly_over(store: MetadataStore, account: Account) -> None:
    put_file(store, account, account.root_key, "kept")
    assert store.write(lambda unit: unit.purge.delete_batch(account.account_id, 10, NOW)) is False
    assert _objects(store, account) == 2


def test_the_purge_of_one_account_leaves_the_others_alone(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    for one in (account, other):
        trash(store, one, put_file(store, one, one.root_key, "same", b"same bytes").object.object_key)
    _doom_all(store, account)
    purge_all(store, account)
    assert len(trash_listing(store, other)) == 1
    assert quota_of(store, other).used == len(b"same bytes")
    assert_books_balance(store, account, other)


def test_accounts_with_old_trash_are_those_whose_trash_is_old(store: MetadataStore, account: Account) -> None:
    accounts = [account, *(make_account(store) for _ in range(4))]
    for number, one in enumerate(accounts[:4]):
        key = make_folder(store, one, one.root_key, "x").object_key
        trash(store, one, key, now=NOW + number)
    _doom_all(store, accounts[0])

    def old(up_to: int, limit: int = EVERYTHING) -> list[int]:
        with store.read() as unit:
            return unit.purge.accounts_with_old_trash(up_to, limit)

    ids = [one.account_id for one in accounts]
    assert old(NOW + 2) == [ids[1], ids[2]]
    assert old(NOW + 100, limit=2) == [ids[1], ids[2]]
    assert old(NOW) == []


def test_the_object_under_a_name_comes_and_goes_but_a_purge_never_takes_the_active_one(
    store: MetadataStore, account: Account
) -> None:
    first = put_file(store, account, account.root_key, "x", b"1").object
    trash(store, account, first.object_key)
    second = put_file(store, account, account.root_key, "x", b"2").object
    _doom_all(store, account)
    purge_all(store, account)
    assert isinstance(second, StoredObject)
    assert stored(store, account, second.object_key) == second
    assert quota_of(store, account).used == 1
