"""The trash in every order that a folder can have."""

import pytest
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import NOW, make_folder, put_file, trash
from tests.conformance.metadata.reading import names_of

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import SortBy


def _fill(store: Store, account: Account) -> None:
    """Four files that were trashed one after the other; each order of them is another."""
    sample = [("b", 3, 20, 400), ("A", 1, 40, 100), ("Ç", 2, 10, 300), ("c", 4, 30, 200)]
    for moment, (name, size, created, modified) in enumerate(sample):
        put = put_file(
            store, account, account.root_key, name, b"x" * size, file_created_at=created, last_modified_at=modified
        )
        trash(store, account, put.object.object_key, now=NOW + moment)


def _names(
    store: Store, account: Account, sort: SortBy | None, *, descending: bool, limit: int = 10, offset: int = 0
) -> list[str]:
    with store.read() as unit:
        return names_of(
            unit.tree.trash_page(account.account_id, sort=sort, descending=descending, limit=limit, offset=offset)
        )


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        (None, ["b", "A", "Ç", "c"]),
        (SortBy.NAME, ["A", "b", "c", "Ç"]),
        (SortBy.SIZE, ["A", "Ç", "b", "c"]),
        (SortBy.CREATED, ["Ç", "b", "c", "A"]),
        (SortBy.MODIFIED, ["A", "c", "Ç", "b"]),
    ],
)
def test_the_trash_can_be_had_in_every_order_and_direction(
    store: Store, account: Account, sort: SortBy | None, expected: list[str]
) -> None:
    _fill(store, account)
    assert _names(store, account, sort, descending=False) == expected
    assert _names(store, account, sort, descending=True) == expected[::-1]
    parts = [_names(store, account, sort, descending=False, limit=3, offset=offset) for offset in (0, 3, 6)]
    assert parts == [expected[:3], expected[3:], []]


def test_without_an_order_the_newest_trashed_comes_first(store: Store, account: Account) -> None:
    _fill(store, account)
    with store.read() as unit:
        assert names_of(unit.tree.trash_page(account.account_id, limit=10)) == ["c", "Ç", "A", "b"]


@pytest.mark.parametrize("descending", [False, True])
def test_ties_break_by_key_in_the_same_direction(store: Store, account: Account, descending: bool) -> None:
    keys = [make_folder(store, account, account.root_key, name).object_key for name in "abcdef"]
    trash(store, account, *keys)
    expected = sorted(keys, reverse=descending)
    names = dict(zip(keys, "abcdef", strict=True))
    for sort in (None, SortBy.SIZE, SortBy.CREATED, SortBy.MODIFIED):
        assert _names(store, account, sort, descending=descending) == [names[key] for key in expected]
