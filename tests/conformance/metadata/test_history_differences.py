"""History: what differs between two moments, and that each moment is listed as it was."""

import pytest
from tests.conformance.metadata.making import (
    apply,
    make_folder,
    put_file,
)
from tests.conformance.metadata.past import Seen, newest, seen_at, seen_now
from tests.conformance.metadata.random_changes import RandomChanges

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import Move, Rename, SetFavorite
from skyshelf.storage.metadata.history.contract import Difference
from skyshelf.storage.metadata.store import MetadataStore


@pytest.mark.parametrize("seed", range(4))
def test_every_remembered_moment_is_listed_as_it_was(store: MetadataStore, account: Account, seed: int) -> None:
    changes = RandomChanges(store, account, seed)
    remembered: list[tuple[int, int, Seen]] = []
    for number in range(150):
        changes.step()
        if number % 9 == 0:
            remembered.append((newest(store, account), changes.now, seen_now(store, account)))
            changes.now += 1
    assert any(len(seen) > 5 for _, _, seen in remembered)
    for seq, at, seen in remembered:
        assert seen_at(store, account, seq, at) == seen, f"as of {seq}"
    for (old_seq, old_at, old), (new_seq, new_at, new) in zip(remembered[:-3], remembered[3:], strict=True):
        assert (old_at, new_at) > (0, 0)
        found = differences(store, account, old_seq, new_seq)
        assert_differences(found, by_key(old), by_key(new))


def differences(
    store: MetadataStore, account: Account, since: int, until: int, *, below: str | None = None, among: int = 7
) -> list[Difference]:
    """What two moments show differently, by small pages."""
    found: list[Difference] = []
    after: int | None = since
    with store.read() as unit:
        while after is not None:
            page = unit.history.differences(
                account.account_id, (since, until), after, below=below, limit=3, among=among
            )
            assert page.next is None or page.next > after
            found += page.found
            after = page.next
    keys = [one.object_key for one in found]
    assert len(keys) == len(set(keys)), "an object twice"
    return found


Shown = dict[str, tuple[str, tuple[object, ...]]]


def by_key(seen: Seen) -> Shown:
    """Each object that could be seen: its path, and its folder, name, content and favourite mark."""
    shown: Shown = {}
    for path, (key, parent, _, sha256, _, _, favorite, *_) in seen.items():
        shown[str(key)] = (path, (parent, path.rpartition("/")[2], sha256, favorite))
    return shown


def assert_differences(found: list[Difference], old: Shown, new: Shown) -> None:
    reported = {one.object_key for one in found}
    for one in found:
        for side, shown in ((one.before, old), (one.after, new)):
            expected = shown[one.object_key][0] if one.object_key in shown else None
            assert (None if side is None else f"/{'/'.join(side.names)}") == expected
        assert old.get(one.object_key, ("", ()))[1] != new.get(one.object_key, ("", ()))[1]
    for key in old.keys() | new.keys():
        if key in reported:
            continue
        if key in old and key in new:
            assert old[key][1] == new[key][1], "a difference that is not reported"
        else:
            # It went or came with a folder above it.
            (parent, *_) = (old.get(key) or new[key])[1]
            assert parent in reported or (parent in old) != (parent in new), "one that is not reported"


def test_differences_below_a_folder_are_those_of_either_moment(store: MetadataStore, account: Account) -> None:
    left, right = (make_folder(store, account, account.root_key, name).object_key for name in "lr")
    inner = make_folder(store, account, left, "inner").object_key
    file = put_file(store, account, inner, "a.txt").object.object_key
    elsewhere = put_file(store, account, account.root_key, "b.txt").object.object_key
    since = newest(store, account)
    apply(store, account, Rename(file, "c.txt"))
    apply(store, account, Move(inner, right))
    apply(store, account, SetFavorite(elsewhere, True))
    until = newest(store, account)
    for folder in (left, right):
        found = differences(store, account, since, until, below=folder, among=1)
        assert [one.object_key for one in found] == [file, inner]
    assert [one.object_key for one in differences(store, account, since, until, below=inner)] == [file, inner]
    back = apply(store, account, Move(inner, left), Rename(file, "a.txt"))
    assert back
    assert [one.object_key for one in differences(store, account, since, newest(store, account))] == [elsewhere]


def test_a_content_that_came_back_is_no_difference(store: MetadataStore, account: Account) -> None:
    since = put_file(store, account, account.root_key, "a.txt", b"one").object.created_seq
    put_file(store, account, account.root_key, "a.txt", b"two")
    assert len(differences(store, account, since, newest(store, account))) == 1
    put_file(store, account, account.root_key, "a.txt", b"one")
    assert differences(store, account, since, newest(store, account)) == []
