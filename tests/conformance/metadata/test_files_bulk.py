"""Many files put at once are what they would be put one by one, at a fraction of the cost."""

from typing import Any

from msgspec.structs import asdict
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import NOW, make_account, make_folder, new_file, new_key, put_file, trash
from tests.conformance.metadata.recording import statements_of_write

from skyshelf.storage.errors import NameTaken, NotAFolder, ObjectMissing, QuotaExceeded, StorageError, VersionChanged
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import NewFile, PutOutcome

OF_THE_FILE_ITSELF = {"account_id", "object_key", "parent_key"}


def put_many(store: Store, account: Account, *files: NewFile) -> list[PutOutcome | StorageError | None]:
    return store.write(lambda unit: unit.files.put_many(account.account_id, files, NOW, keep_versions=20))


def shown(outcome: Any) -> dict[str, Any]:
    assert isinstance(outcome, PutOutcome)
    return {name: value for name, value in asdict(outcome.object).items() if name not in OF_THE_FILE_ITSELF}


def arrivals(parent_key: str) -> list[NewFile]:
    return [
        new_file(parent_key, "a.jpg", b"picture", taken_at=NOW - 5, taken_day=1231),
        new_file(parent_key, "b.txt", b"text"),
        new_file(parent_key, "the same.txt", b"text"),
        new_file(parent_key, "empty", b""),
    ]


def test_many_files_are_what_they_are_one_by_one(store: Store) -> None:
    one_by_one, at_once = make_account(store), make_account(store)
    singly = [
        store.write(lambda unit, file=file: unit.files.put(one_by_one.account_id, file, NOW, keep_versions=20))  # type: ignore[misc]
        for file in arrivals(one_by_one.root_key)
    ]
    together = put_many(store, at_once, *arrivals(at_once.root_key))
    assert [shown(one) for one in together] == [shown(one) for one in singly]
    with store.snapshot() as unit:
        for account in (one_by_one, at_once):
            quota = unit.quotas.get(account.account_id, NOW)
            assert quota == unit.quotas.recount(account.account_id, NOW)
            assert (quota.photo_used, quota.document_used) == (7, 8)
        assert unit.inspection.miscounted(limit=10) == []
        feeds = [
            [change.kind for change in unit.changes.since(account.account_id, 0, 100)]
            for account in (one_by_one, at_once)
        ]
        assert feeds[0] == feeds[1] == ["created"] * 4
        months = unit.timeline.months(one_by_one.account_id)
        assert months != []
        assert unit.timeline.months(at_once.account_id) == months
        assert unit.inspection.unfindable(limit=10) == []


def test_a_file_is_put_only_as_the_next_version_of_the_expected_one(store: Store, account: Account) -> None:
    root = account.root_key

    def put(name: str, data: bytes, expected: int) -> str:
        file = new_file(root, name, data, expected_version=expected)
        try:
            singly: object = store.write(lambda unit: unit.files.put(account.account_id, file, NOW, keep_versions=20))
        except VersionChanged as changed:
            singly = changed
        [together] = put_many(store, account, new_file(root, f"{name}, too", data, expected_version=expected))
        assert type(together) is type(singly)
        return type(singly).__name__

    assert put("a", b"one", 1) == "VersionChanged"
    assert put("a", b"one", 0) == "PutOutcome"
    assert put("a", b"two", 0) == "VersionChanged"
    assert put("a", b"two", 1) == "PutOutcome"
    assert put("a", b"three", 1) == "VersionChanged"
    with store.snapshot() as unit:
        assert unit.inspection.miscounted(limit=10) == []
        assert unit.quotas.get(account.account_id, NOW) == unit.quotas.recount(account.account_id, NOW)


def test_content_that_is_known_keeps_its_place_and_the_first_of_many_gives_it(store: Store, account: Account) -> None:
    known = put_file(store, account, account.root_key, "known", b"known")
    files = [new_file(account.root_key, f"{number}", data) for number, data in enumerate([b"known", b"new", b"new"])]
    outcomes = put_many(store, account, *files)
    locations = [outcome.location for outcome in outcomes if isinstance(outcome, PutOutcome)]
    assert locations == [known.location, files[1].location, files[1].location]


def test_a_taken_name_gets_a_version_unless_it_has_the_content_already(store: Store, account: Account) -> None:
    put_file(store, account, account.root_key, "same", b"content")
    put_file(store, account, account.root_key, "other", b"old content")
    outcomes = put_many(
        store,
        account,
        new_file(account.root_key, "same", b"content"),
        new_file(account.root_key, "other", b"new content"),
        new_file(account.root_key, "twice", b"first"),
        new_file(account.root_key, "twice", b"second"),
    )
    assert outcomes[0] is None
    assert [(one.created, one.object.version) for one in outcomes[1:] if isinstance(one, PutOutcome)] == [
        (False, 2), (True, 1), (False, 2),
    ]  # fmt: skip
    with store.read() as unit:
        assert unit.inspection.miscounted(limit=10) == []
        assert unit.quotas.get(account.account_id, NOW) == unit.quotas.recount(account.account_id, NOW)


def test_refusals_stand_in_their_place_and_the_others_are_put(store: Store) -> None:
    account = make_account(store, default_space=10)
    folder = make_folder(store, account, account.root_key, "folder")
    file = put_file(store, account, account.root_key, "file", b"12345")
    gone = make_folder(store, account, account.root_key, "gone")
    trash(store, account, gone.object_key)
    outcomes = put_many(
        store,
        account,
        new_file(new_key(), "nowhere", b"1"),
        new_file(file.object.object_key, "below a file", b"1"),
        new_file(gone.object_key, "in the trash", b"1"),
        new_file(account.root_key, folder.name, b"1"),
        new_file(folder.object_key, "too large", b"123456"),
        new_file(folder.object_key, "fits", b"12345"),
        new_file(folder.object_key, "no more", b"1"),
    )
    assert [type(outcome) for outcome in outcomes] == [
        ObjectMissing, NotAFolder, ObjectMissing, NameTaken, QuotaExceeded, PutOutcome, QuotaExceeded,
    ]  # fmt: skip
    with store.read() as unit:
        assert unit.quotas.recount(account.account_id, NOW).used == 10
        assert unit.inspection.miscounted(limit=10) == []


def test_hundreds_are_all_there_each_as_itself_and_can_be_found(store: Store, account: Account) -> None:
    files = [
        new_file(account.root_key, f"{number}.{'jpg' if number % 3 else 'txt'}", b"%d" % (number // 2))
        for number in range(75)
    ]
    outcomes = put_many(store, account, *files)
    assert [one.object.name for one in outcomes if isinstance(one, PutOutcome)] == [file.name for file in files]
    with store.snapshot() as unit:
        for file in files:
            there = unit.tree.child_named(account.account_id, account.root_key, file.name)
            assert there is not None
            assert (there.object_key, there.sha256, there.size) == (file.object_key, file.sha256, file.size)
        changes = unit.changes.since(account.account_id, 0, 100)
        assert [change.object_key for change in changes] == [file.object_key for file in files]
        assert unit.inspection.unfindable(limit=10) == []
        assert unit.inspection.miscounted(limit=10) == []
        assert unit.quotas.get(account.account_id, NOW) == unit.quotas.recount(account.account_id, NOW)


def test_no_file_at_all_is_fine(store: Store, account: Account) -> None:
    assert put_many(store, account) == []


def test_many_cost_as_many_statements_as_one(store: Store, account: Account) -> None:
    def cost(count: int) -> int:
        files = [new_file(account.root_key, f"{count} {number}.jpg", b"%d" % number) for number in range(count)]
        return len(
            statements_of_write(
                store, lambda unit: unit.files.put_many(account.account_id, files, NOW, keep_versions=3)
            )
        )

    assert cost(40) == cost(2)
