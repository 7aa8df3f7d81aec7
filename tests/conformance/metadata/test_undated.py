"""Files that wait for their capture date, and get it once."""

from tests.conformance.metadata.making import NOW, make_account, mark_for_deletion, new_file, purge_all, put_file, trash
from tests.conformance.metadata.reading import assert_books_balance

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import UndatedFile
from skyshelf.storage.metadata.store import MetadataStore

TAKEN = (NOW - 10**10, 723)


def waiting(store: MetadataStore, account: Account, limit: int = 10) -> list[UndatedFile]:
    with store.read() as unit:
        return unit.undated.some(account.account_id, limit)


def settle(store: MetadataStore, account: Account, file: UndatedFile, taken: tuple[int, int] | None) -> bool:
    return store.write(lambda unit: unit.undated.settle(account.account_id, file, taken))


def date_of(store: MetadataStore, account: Account, key: str) -> tuple[int | None, int | None]:
    with store.read() as unit:
        stored = unit.tree.get(account.account_id, key)
    return stored.taken_at, stored.taken_day


def test_only_files_that_need_a_date_wait_for_one(store: MetadataStore, account: Account) -> None:
    put_file(store, account, account.root_key, "dated.jpg", taken_at=1, taken_day=101)
    outcome = put_file(store, account, account.root_key, "a.heic", needs_date=True)
    put_file(store, other := make_account(store), other.root_key, "theirs.heic", needs_date=True)
    assert waiting(store, account) == [
        UndatedFile(outcome.object.object_key, 1, outcome.location, outcome.object.size, "image", "heic")
    ]


def test_a_settled_file_has_its_date_and_waits_no_longer(store: MetadataStore, account: Account) -> None:
    key = put_file(store, account, account.root_key, "a.heic", needs_date=True).object.object_key
    assert settle(store, account, waiting(store, account)[0], TAKEN)
    assert waiting(store, account) == []
    assert date_of(store, account, key) == TAKEN
    with store.read() as unit:
        (month,) = unit.timeline.months(account.account_id)
    assert (month.number % 12, month.files) == (6, 1)
    assert_books_balance(store, account)


def test_a_file_without_a_date_waits_no_longer_either(store: MetadataStore, account: Account) -> None:
    key = put_file(store, account, account.root_key, "a.heic", needs_date=True).object.object_key
    assert settle(store, account, waiting(store, account)[0], None)
    assert waiting(store, account) == []
    assert date_of(store, account, key) == (None, None)


def test_the_date_of_an_earlier_version_is_not_given_to_the_next(store: MetadataStore, account: Account) -> None:
    key = put_file(store, account, account.root_key, "a.heic", b"first", needs_date=True).object.object_key
    (first,) = waiting(store, account)
    put_file(store, account, account.root_key, "a.heic", b"second", needs_date=True)
    assert not settle(store, account, first, TAKEN)
    assert date_of(store, account, key) == (None, None)
    assert [file.version for file in waiting(store, account)] == [2]


def test_many_files_at_once_wait_as_well(store: MetadataStore, account: Account) -> None:
    files = [new_file(account.root_key, f"{number}.heic", needs_date=number % 2 == 0) for number in range(6)]
    store.write(lambda unit: unit.files.put_many(account.account_id, files, NOW, keep_versions=5))
    assert {file.object_key for file in waiting(store, account)} == {file.object_key for file in files[::2]}
    assert len(waiting(store, account, 2)) == 2


def test_a_restored_version_waits_when_it_needs_a_date(store: MetadataStore, account: Account) -> None:
    key = put_file(store, account, account.root_key, "a.heic", b"first", taken_at=1, taken_day=101).object.object_key
    put_file(store, account, account.root_key, "a.heic", b"second", file_created_at=5)
    store.write(
        lambda unit: unit.files.restore_version(
            account.account_id, key, 1, NOW, keep_versions=5, created_by="Ada", needs_date=True
        )
    )
    assert [file.version for file in waiting(store, account)] == [3]


def test_a_purged_file_waits_no_longer(store: MetadataStore, account: Account) -> None:
    key = put_file(store, account, account.root_key, "a.heic", needs_date=True).object.object_key
    (file,) = waiting(store, account)
    trash(store, account, key)
    mark_for_deletion(store, account, key)
    purge_all(store, account)
    assert waiting(store, account) == []
    assert not settle(store, account, file, TAKEN)
