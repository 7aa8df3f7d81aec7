"""The SQLite writer: several works in one commit, each whole or not at all, each answered after the commit."""

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from functools import partial
from pathlib import Path
from queue import Queue
from typing import TypeVar

import apsw
import pytest
from tests.conformance.metadata.making import NOW, make_account, make_folder, new_file, new_key, put_file
from tests.conformance.metadata.reading import assert_books_balance, listing
from tests.conformance.metadata.recording import RecordingSql

from skyshelf.storage.errors import NameTaken, ObjectMissing, StoreFull, StoreUnavailable
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import NewFile, PutOutcome
from skyshelf.storage.metadata.contracts.tree import NewFolder
from skyshelf.storage.metadata.sql.unit import Unit
from skyshelf.storage.metadata.sqlite.group_commit import MOST_WORKS
from skyshelf.storage.metadata.sqlite.store import SqliteStore, SqliteWriter

T = TypeVar("T")
Item = TypeVar("Item")
WAL_HEADER_BYTES, WAL_FRAME_BYTES = 32, 4096 + 24


class UnluckyError(Exception):
    """What a work under test raises."""


class WatchedStore(SqliteStore):
    """A store that counts its commits, and whose disk and commits can be made to fail."""

    def __init__(self, path: Path) -> None:
        self.commits = 0
        self.most_pages = 2**30
        self.refuse_commits = False
        self.savepoints = 0
        super().__init__(path)

    def _connect(self) -> apsw.Connection:
        connection = super()._connect()
        # SQLite itself then says that the disk is full, at the moment and in the way it would say so of a real one.
        connection.execute(f"PRAGMA max_page_count = {self.most_pages}").close()
        connection.set_commit_hook(self._committing)
        connection.set_exec_trace(self._running)
        return connection

    def _running(self, _cursor: apsw.Cursor, statement: str, _parameters: object) -> bool:
        """Called before every statement; true lets it run."""
        self.savepoints += statement == "SAVEPOINT work"
        return True

    def _committing(self) -> bool:
        """Called by SQLite before every commit that changes something; true forbids it."""
        self.commits += 1
        return self.refuse_commits

    def shrink_the_disk(self) -> None:
        """Leave no space for anything, for this writer and those after it."""
        with self.read() as unit:
            (row,) = unit.sql.all("PRAGMA page_count")
        self.most_pages = row[0]
        self.write(lambda unit: unit.sql.run(f"PRAGMA max_page_count = {row[0]}"))

    def grow_the_disk(self) -> None:
        self.most_pages = 2**30
        self.write(lambda unit: unit.sql.run(f"PRAGMA max_page_count = {self.most_pages}"))


@pytest.fixture(autouse=True)
def nothing_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine anything might, and would be committed alone; that has its own tests."""
    monkeypatch.setattr("skyshelf.storage.metadata.sqlite.group_commit.HEAVY_SECONDS", math.inf)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[WatchedStore]:
    store = WatchedStore(tmp_path / "metadata.db")
    yield store
    store.close()


@pytest.fixture
def account(store: WatchedStore) -> Account:
    return make_account(store)


@pytest.fixture
def callers() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(MOST_WORKS + 10) as pool:
        yield pool


class HeldWriter:
    """Holds the writer in one work, so others queue up behind it and become one group."""

    def __init__(self, store: WatchedStore, callers: ThreadPoolExecutor) -> None:
        self._store, self._callers = store, callers
        self._let_go = threading.Event()
        entered = threading.Event()

        def hold(_unit: Unit) -> None:
            entered.set()
            assert self._let_go.wait(60)

        self._holding = callers.submit(store.write, hold)
        assert entered.wait(60)

    def queue(self, works: list[Callable[[Unit], T]]) -> list[Future[T]]:
        """Hand in works in this order; none runs before the writer is let go."""
        futures = []
        for work in works:
            waiting = self._store.group_commit.waiting
            futures.append(self._callers.submit(self._store.write, work))
            while self._store.group_commit.waiting == waiting:
                threading.Event().wait(0.001)
        return futures

    def queue_jointly(
        self, joint: Callable[[Unit, Sequence[Item]], Sequence[T | Exception]], items: list[Item]
    ) -> list[Future[T]]:
        """Queue items of one joint work."""
        futures: list[Future[T]] = []
        for item in items:
            waiting = self._store.group_commit.waiting
            futures.append(self._callers.submit(partial(self._store.write_jointly, joint, item)))
            while self._store.group_commit.waiting == waiting:
                threading.Event().wait(0.001)
        return futures

    def let_go(self) -> int:
        """How many commits there have been, the holding one included."""
        commits = self._store.commits + 1
        self._let_go.set()
        self._holding.result(60)
        return commits


def _add(account: Account, name: str, unit: Unit) -> str:
    new = NewFolder(object_key=new_key(), parent_key=account.root_key, name=name)
    return unit.tree.add_folder(account.account_id, new, NOW).name


def _add_and_fail(account: Account, name: str, unit: Unit) -> str:
    _add(account, name, unit)
    raise UnluckyError(name)


def test_works_that_wait_together_share_one_commit(
    store: WatchedStore, account: Account, callers: ThreadPoolExecutor
) -> None:
    writer = HeldWriter(store, callers)
    futures = writer.queue([partial(_add, account, f"{number:03}") for number in range(50)])
    before = writer.let_go()
    assert [future.result(60) for future in futures] == [f"{number:03}" for number in range(50)]
    assert store.commits == before + 1
    assert len(listing(store, account, account.root_key)) == 50


def test_a_group_has_a_limit_so_that_the_first_does_not_wait_for_ever(
    store: WatchedStore, account: Account, callers: ThreadPoolExecutor
) -> None:
    writer = HeldWriter(store, callers)
    futures = writer.queue([partial(_add, account, f"{number:03}") for number in range(MOST_WORKS + 5)])
    before = writer.let_go()
    for future in futures:
        future.result(60)
    assert store.commits == before + 2


def test_failed_work_does_not_affect_other_work(
    store: WatchedStore, account: Account, callers: ThreadPoolExecutor
) -> None:
    writer = HeldWriter(store, callers)
    futures = writer.queue(
        [partial(_add_and_fail if number % 3 == 1 else _add, account, f"{number}") for number in range(9)]
    )
    before = writer.let_go()
    for number, future in enumerate(futures):
        if number % 3 == 1:
            with pytest.raises(UnluckyError, match=f"^{number}$"):
                future.result(60)
        else:
            assert future.result(60) == f"{number}"
    assert store.commits == before + 1
    assert listing(store, account, account.root_key) == ["0", "2", "3", "5", "6", "8"]
    assert_books_balance(store, account)


def test_the_only_work_of_a_commit_needs_no_savepoint_and_leaves_nothing_if_it_fails(
    store: WatchedStore, account: Account, callers: ThreadPoolExecutor
) -> None:
    before = store.savepoints
    store.write(partial(_add, account, "alone"))
    with pytest.raises(UnluckyError):
        store.write(partial(_add_and_fail, account, "unlucky"))
    store.write(partial(_add, account, "after it"))
    assert store.savepoints == before

    held = HeldWriter(store, callers)
    futures = held.queue([partial(_add, account, name) for name in ("one", "other")])
    held.let_go()
    wait(futures)
    assert store.savepoints == before + 2
    assert set(listing(store, account, account.root_key)) == {"alone", "after it", "one", "other"}


def test_the_only_work_of_a_commit_leaves_nothing_if_it_breaks_a_constraint(
    store: WatchedStore, account: Account
) -> None:
    def add_and_break(unit: Unit) -> None:
        _add(account, "unlucky", unit)
        unit.sql.run("INSERT INTO accounts SELECT * FROM accounts")

    before = store.savepoints
    with pytest.raises(apsw.ConstraintError):
        store.write(add_and_break)
    assert listing(store, account, account.root_key) == []
    store.write(partial(_add, account, "after it"))
    assert store.savepoints == before
    assert listing(store, account, account.root_key) == ["after it"]
    assert_books_balance(store, account)


def test_no_result_is_returned_before_the_commit(
    store: WatchedStore, account: Account, callers: ThreadPoolExecutor
) -> None:
    """A refusal may be the doing of a neighbour whose work then is not committed: it would have been a lie."""
    answered: list[int] = []
    writer = HeldWriter(store, callers)
    futures = writer.queue([partial(_add, account, "wanted"), partial(_add, account, "wanted")])

    # The last of the group: what was answered before it, was answered before the commit.
    def look(_unit: Unit) -> None:
        answered.append(len(wait(futures, timeout=0.2).done))

    last = writer.queue([look])
    writer.let_go()
    last[0].result(60)
    assert answered == [0]
    assert futures[0].result(60) == "wanted"
    with pytest.raises(NameTaken):
        futures[1].result(60)


def test_a_failed_commit_is_reported_to_all_its_callers_and_the_writer_continues(
    store: WatchedStore, account: Account, callers: ThreadPoolExecutor
) -> None:
    def break_the_disk(_unit: Unit) -> str:
        store.refuse_commits = True
        return "broken"

    writer = HeldWriter(store, callers)
    works: list[Callable[[Unit], str]] = [break_the_disk]
    works += [partial(_add, account, name) for name in ("wanted", "wanted", "x")]
    futures = writer.queue(works)
    writer.let_go()
    for future in futures:
        # SQLite's own word for a commit that was forbidden: neither success nor NameTaken is true.
        with pytest.raises(apsw.ConstraintError):
            future.result(60)
    store.refuse_commits = False
    assert listing(store, account, account.root_key) == []
    make_folder(store, account, account.root_key, "wanted")
    assert listing(store, account, account.root_key) == ["wanted"]
    assert_books_balance(store, account)


def test_a_full_disk_is_said_so_keeps_nothing_and_is_survived(store: WatchedStore, account: Account) -> None:
    put_file(store, account, account.root_key, "before")
    store.shrink_the_disk()
    kept: list[str] = []

    def add_until_it_fails() -> None:
        for number in range(10_000):
            kept.append(make_folder(store, account, account.root_key, f"{number}").name)

    with pytest.raises(StoreFull):
        add_until_it_fails()
    assert set(listing(store, account, account.root_key)) == {"before", *kept}
    with pytest.raises(StoreFull):
        put_file(store, account, account.root_key, "big", source_folder="x" * 200_000)
    assert_books_balance(store, account)
    store.grow_the_disk()
    put_file(store, account, account.root_key, "big", source_folder="x" * 200_000)
    assert set(listing(store, account, account.root_key)) == {"before", "big", *kept}
    assert_books_balance(store, account)


def test_a_work_too_big_for_the_disk_does_not_fail_those_beside_it(
    store: WatchedStore, account: Account, callers: ThreadPoolExecutor
) -> None:
    make_folder(store, account, account.root_key, "before")
    store.shrink_the_disk()

    def too_big(unit: Unit) -> str:
        for number in range(300):
            _add(account, f"{number} {'x' * 200}", unit)
        return "too big"

    def touch(unit: Unit) -> str:
        unit.accounts.set_password(account.account_id, "x", NOW)
        return "small"

    writer = HeldWriter(store, callers)
    futures = writer.queue([touch, too_big, touch])
    writer.let_go()
    assert futures[0].result(60) == "small"
    with pytest.raises(StoreFull):
        futures[1].result(60)
    assert futures[2].result(60) == "small"
    assert listing(store, account, account.root_key) == ["before"]
    assert_books_balance(store, account)


def test_what_the_reserve_refuses_leaves_the_ballast_alone(store: WatchedStore, account: Account) -> None:
    """The disk has space, but not for what somebody announced."""
    store.ballast().fill()
    runs = []

    def announce(unit: Unit) -> None:
        runs.append(unit)
        raise StoreFull("the upload is larger than the disk", is_reserve=True)

    with pytest.raises(StoreFull, match="larger"):
        store.write(announce)
    assert (len(runs), store.ballast().is_there()) == (1, True)


def test_works_are_tried_alone_when_sqlite_gave_the_whole_transaction_up(
    store: WatchedStore, account: Account, callers: ThreadPoolExecutor
) -> None:
    def lose_the_transaction(unit: Unit) -> str:
        # What SQLite does when it cannot undo a single statement on a full disk.
        unit.sql.run("ROLLBACK")
        raise apsw.FullError("database or disk is full")

    writer = HeldWriter(store, callers)
    works: list[Callable[[Unit], str]] = [
        partial(_add, account, "one"),
        lose_the_transaction,
        partial(_add, account, "two"),
    ]
    futures = writer.queue(works)
    writer.let_go()
    assert [futures[0].result(60), futures[2].result(60)] == ["one", "two"]
    with pytest.raises(StoreFull):
        futures[1].result(60)
    assert listing(store, account, account.root_key) == ["one", "two"]
    assert_books_balance(store, account)


def test_closing_commits_what_was_accepted_and_refuses_what_comes_later(
    tmp_path: Path, callers: ThreadPoolExecutor
) -> None:
    store = WatchedStore(tmp_path / "metadata.db")
    account = make_account(store)
    writer = HeldWriter(store, callers)
    futures = writer.queue([partial(_add, account, f"{number}") for number in range(5)])
    closing = callers.submit(store.close)
    while not store.group_commit.is_closed:
        threading.Event().wait(0.001)
    with pytest.raises(StoreUnavailable):
        make_folder(store, account, account.root_key, "too late")
    writer.let_go()
    closing.result(60)
    assert [future.result(60) for future in futures] == [f"{number}" for number in range(5)]
    again = SqliteStore(tmp_path / "metadata.db")
    assert listing(again, account, account.root_key) == [f"{number}" for number in range(5)]
    again.close()


def test_the_answer_of_a_work_is_on_disk_when_it_comes(store: WatchedStore, account: Account, tmp_path: Path) -> None:
    """A copy of the files at the moment of the answer, as a power cut would leave them, has the work in it."""
    make_folder(store, account, account.root_key, "kept")
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in tmp_path.glob("metadata.db*"):
        if not file.name.endswith("-shm"):
            (copy / file.name).write_bytes(file.read_bytes())
    (copy / "metadata.db").chmod(0o600)
    restored = SqliteStore(copy / "metadata.db")
    assert listing(restored, account, account.root_key) == ["kept"]
    restored.close()


def test_every_connection_waits_for_the_disk(store: WatchedStore, account: Account) -> None:
    full = 2
    assert store.write(lambda unit: unit.sql.one("PRAGMA synchronous")) == (full,)
    assert store.write(lambda unit: unit.sql.one("PRAGMA journal_mode")) == ("wal",)
    assert store.write(lambda unit: unit.sql.one("PRAGMA foreign_keys")) == (1,)
    with store.read() as unit:
        assert unit.sql.one("PRAGMA query_only") == (1,)


# Joint works


class Uploads:
    """A joint work that puts files of one account, and remembers how many came together and what that took."""

    def __init__(self, account: Account) -> None:
        self._account_id = account.account_id
        self.sizes: list[int] = []
        self.statements: list[int] = []

    def __call__(self, unit: Unit, files: Sequence[NewFile]) -> list[PutOutcome | Exception]:
        recording = RecordingSql(unit.sql)
        outcomes = Unit(recording).files.put_each(self._account_id, files, NOW, keep_versions=20)
        self.sizes.append(len(files))
        self.statements.append(len(recording.statements))
        return list(outcomes)


def _new_files(account: Account, *names: str) -> list[NewFile]:
    return [new_file(account.root_key, name, name.encode()) for name in names]


def test_uploads_that_wait_together_take_the_statements_of_one(
    store: WatchedStore, account: Account, callers: ThreadPoolExecutor
) -> None:
    uploads = Uploads(account)
    store.write_jointly(uploads, _new_files(account, "alone")[0])
    writer = HeldWriter(store, callers)
    files = _new_files(account, *(f"{number:03}" for number in range(40)))
    futures = writer.queue_jointly(uploads, files)
    before = writer.let_go()
    assert [future.result(60).object.name for future in futures] == [file.name for file in files]
    assert store.commits == before + 1
    assert uploads.sizes == [1, 40]
    assert uploads.statements == [12, 12]
    assert_books_balance(store)


def test_a_refused_upload_fails_alone_and_a_name_that_comes_twice_gets_a_second_version(
    store: WatchedStore, account: Account, callers: ThreadPoolExecutor
) -> None:
    uploads = Uploads(account)
    make_folder(store, account, account.root_key, "folder")
    lost = new_file(new_key(), "nowhere")
    files = [*_new_files(account, "a", "folder", "b"), lost, new_file(account.root_key, "a", b"again")]
    writer = HeldWriter(store, callers)
    futures = writer.queue_jointly(uploads, files)
    writer.let_go()
    errors = [type(future.exception(60)) for future in futures]
    assert errors == [type(None), NameTaken, type(None), ObjectMissing, type(None)]
    assert futures[4].result().object.version == 2
    assert uploads.sizes == [5]
    assert_books_balance(store)


def test_a_joint_work_that_raises_is_tried_with_each_item_alone(
    store: WatchedStore, account: Account, callers: ThreadPoolExecutor
) -> None:
    def unlucky_together(unit: Unit, names: Sequence[str]) -> list[str]:
        added = [_add(account, name, unit) for name in names]
        if "bad" in names:
            raise UnluckyError
        return added

    writer = HeldWriter(store, callers)
    futures = writer.queue_jointly(unlucky_together, ["one", "bad", "two"])
    before = writer.let_go()
    assert [type(future.exception(60)) for future in futures] == [type(None), UnluckyError, type(None)]
    assert store.commits == before + 1
    assert listing(store, account, account.root_key) == ["one", "two"]


def test_an_upload_writes_few_pages_and_a_group_far_fewer_for_each(
    store: WatchedStore, account: Account, tmp_path: Path
) -> None:
    """Pages of the write-ahead log are what an upload costs the disk beside its content."""
    uploads = Uploads(account)

    def put(*names: str) -> None:
        store.write(lambda unit: uploads(unit, _new_files(account, *names)))

    def pages(*names: str) -> int:
        with closing(apsw.Connection(str(tmp_path / "metadata.db"))) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        put(*names)
        return ((tmp_path / "metadata.db-wal").stat().st_size - WAL_HEADER_BYTES) // WAL_FRAME_BYTES

    for hundred in range(10):  # so that pages are as full as those of a store in use
        put(*(f"{hundred} {number}" for number in range(100)))
    assert pages("one more") <= 35
    assert pages(*(f"{number} of sixteen" for number in range(16))) <= 16 * 10


def test_who_does_not_wait_is_told_the_result_or_why_the_commit_failed(
    store: WatchedStore, account: Account, callers: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: Queue[tuple[object, BaseException | None]] = Queue()

    def names(unit: Unit, items: Sequence[str]) -> list[str]:
        return [_add(account, item, unit) for item in items]

    store.submit_jointly(names, "good", lambda *outcome: told.put(outcome))
    assert told.get(timeout=60) == ("good", None)

    def fail(_: object) -> None:
        raise StoreUnavailable("the disk is gone")

    with monkeypatch.context() as broken:
        broken.setattr(SqliteWriter, "commit", fail)
        store.submit_jointly(names, "lost", lambda *outcome: told.put(outcome))
        result, error = told.get(timeout=60)
    assert (result, type(error)) == (None, StoreUnavailable)
    with store.read() as unit:
        assert unit.tree.child_named(account.account_id, account.root_key, "lost") is None
