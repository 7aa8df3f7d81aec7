"""How often a call waits for the database server: over a network, that is most of what it costs."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.conformance.metadata.making import NOW, make_account, new_file, new_key

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import NewFile, PutOutcome
from skyshelf.storage.metadata.contracts.tree import NewFolder, PageOf, Trash
from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.metadata.sql.unit import Unit

# What the server answers at once: a query, or everything up to a Sync.
_WAITED_FOR = re.compile(r"^\S* ?\S*\s*F\s+\d+\s+(Query|Sync)\b", re.MULTILINE)


@pytest.fixture
def store(postgres_url: str) -> Iterator[PostgresStore]:
    # A single connection, so that it is known which one is watched.
    store = PostgresStore(postgres_url, connections=1)
    yield store
    store.close()


@pytest.fixture
def account(store: PostgresStore) -> Account:
    return make_account(store)


def round_trips(store: PostgresStore, tmp_path: Path, call: Callable[[], object]) -> int:
    """How often a call waits for the server, by the protocol's own trace."""
    path = tmp_path / "trace"
    with path.open("wb") as trace:
        with store._pool.connection() as connection:
            connection.pgconn.trace(trace.fileno())
        call()
        with store._pool.connection() as connection:
            connection.pgconn.untrace()
    return len(_WAITED_FOR.findall(path.read_text()))


def test_a_read_waits_once_for_each_thing_that_it_reads(store: PostgresStore, account: Account, tmp_path: Path) -> None:
    file = new_file(account.root_key, "a")
    store.write(lambda unit: unit.files.put(account.account_id, file, NOW, keep_versions=20))

    def read(look: Callable[[Unit], object]) -> int:
        def call() -> None:
            with store.read() as unit:
                look(unit)

        return round_trips(store, tmp_path, call)

    assert read(lambda unit: unit.quotas.get(account.account_id, NOW)) == 1
    assert read(lambda unit: unit.tree.page(account.account_id, PageOf(folder_key=account.root_key))) == 1
    assert read(lambda unit: unit.files.visible_version(account.account_id, file.object_key)) == 1


def test_an_upload_waits_seven_times_however_many_come_together(
    store: PostgresStore, account: Account, tmp_path: Path
) -> None:
    def put(unit: Unit, files: list[NewFile]) -> list[PutOutcome | Exception]:
        return list(unit.files.put_each(account.account_id, files, NOW, keep_versions=20))

    one, several = new_file(account.root_key, "one"), [new_file(account.root_key, f"{one}") for one in range(20)]
    # Begin, lock and quota, the folder, the name, the content, all rows, commit.
    assert round_trips(store, tmp_path, lambda: store.write(lambda unit: put(unit, [one]))) == 7
    assert round_trips(store, tmp_path, lambda: store.write(lambda unit: put(unit, several))) == 7


def test_other_writes_wait_a_fixed_number_of_times(store: PostgresStore, account: Account, tmp_path: Path) -> None:
    folder = NewFolder(object_key=new_key(), parent_key=account.root_key, name="folder")
    file, again = new_file(account.root_key, "file", b"1"), new_file(account.root_key, "file", b"2")
    store.write(lambda unit: unit.files.put(account.account_id, file, NOW, keep_versions=20))
    calls: dict[str, Callable[[Unit], object]] = {
        "new folder": lambda unit: unit.tree.add_folder(account.account_id, folder, NOW),
        "next version": lambda unit: unit.files.put(account.account_id, again, NOW, keep_versions=20),
        "trash": lambda unit: unit.tree.apply(account.account_id, [Trash(file.object_key)], NOW),
    }
    waited = {name: round_trips(store, tmp_path, lambda call=call: store.write(call)) for name, call in calls.items()}  # type: ignore[misc]
    assert waited == {"new folder": 7, "next version": 9, "trash": 6}
