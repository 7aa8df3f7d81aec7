"""The file of the embedded store: whose it is, who may read it, and what is said when it cannot be used."""

import contextlib
import ctypes
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conformance.metadata.making import make_account, make_folder
from tests.conformance.metadata.other_process import in_processes, open_and_close
from tests.conformance.metadata.reading import assert_books_balance, listing

from skyshelf.storage.errors import StorageError, StoreTooNew, StoreUnavailable
from skyshelf.storage.metadata.sql.migrate import newest
from skyshelf.storage.metadata.sqlite.store import SqliteStore


def _bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def _refusal(path: Path) -> str:
    with pytest.raises(StoreUnavailable) as refusal:
        SqliteStore(path)
    return str(refusal.value)


def test_a_new_store_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0o000)
    try:
        store = SqliteStore(tmp_path / "data" / "metadata.db")
        make_account(store)
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "data").iterdir()}
        store.close()
    finally:
        os.umask(before)
    assert modes.keys() >= {"metadata.db", "metadata.db-wal"}
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


def test_a_store_says_what_it_is_in_its_first_bytes(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "metadata.db").close()
    assert (tmp_path / "metadata.db").read_bytes()[68:72] == b"SKYS"


def test_folders_that_are_missing_are_made(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "a" / "b" / "c" / "metadata.db")
    store.check()
    store.close()


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "metadata.db").touch()
    store = SqliteStore(tmp_path / "metadata.db")
    make_account(store)
    store.close()


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_a_file_of_another_program_is_refused_and_not_touched(tmp_path: Path, journal: str) -> None:
    path = tmp_path / "photos.db"
    other = sqlite3.connect(path)
    try:
        other.execute(f"PRAGMA journal_mode = {journal}")
        other.execute("CREATE TABLE photos (name TEXT)")
        other.execute("INSERT INTO photos VALUES ('holiday')")
        other.commit()
        # Still open: in WAL mode its last writes are in the log beside the file, as after a crash.
        before = _bytes_of(tmp_path)
        assert "another program" in _refusal(path)
        assert _bytes_of(tmp_path) == before
    finally:
        other.close()


def test_a_file_that_was_left_with_a_log_by_another_program_is_not_tidied_up(tmp_path: Path) -> None:
    made, found = tmp_path / "made", tmp_path / "found"
    made.mkdir()
    found.mkdir()
    other = sqlite3.connect(made / "photos.db")
    other.execute("PRAGMA journal_mode = wal")
    other.execute("CREATE TABLE photos (name TEXT)")
    other.commit()
    for name in ("photos.db", "photos.db-wal"):
        (found / name).write_bytes((made / name).read_bytes())
    other.close()
    before = _bytes_of(found)
    assert "another program" in _refusal(found / "photos.db")
    assert _bytes_of(found) == before


@pytest.mark.parametrize("content", [b"Dear diary,\n", b"\x00" * 4096, b"SQLite", b"x" * 100_000])
def test_a_file_that_is_no_database_is_refused_and_not_touched(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "metadata.db"
    path.write_bytes(content)
    assert "not a Skyshelf store" in _refusal(path)
    assert _bytes_of(tmp_path) == {"metadata.db": content}


def test_a_folder_instead_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "metadata.db").mkdir()
    assert "cannot be opened" in _refusal(tmp_path / "metadata.db")


def test_a_damaged_store_is_said_to_be_damaged(tmp_path: Path) -> None:
    path = tmp_path / "metadata.db"
    store = SqliteStore(path)
    account = make_account(store)
    for number in range(50):
        make_folder(store, account, account.root_key, f"{number}")
    store.close()
    content = bytearray(path.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    path.write_bytes(bytes(content))

    def use() -> None:
        damaged = SqliteStore(path)
        try:
            listing(damaged, account, account.root_key)
        finally:
            damaged.close()

    with pytest.raises(StorageError, match="damaged"):
        use()


def test_a_store_of_a_newer_version_is_refused_with_a_sentence_that_helps(tmp_path: Path) -> None:
    path = tmp_path / "metadata.db"
    SqliteStore(path).close()
    with contextlib.closing(sqlite3.connect(path)) as newer:
        newer.execute("INSERT INTO schema_migrations VALUES (?, 'from the future', 0)", (newest() + 1,))
        newer.commit()
    with pytest.raises(StoreTooNew, match=f"version {newest() + 1}.*up to {newest()}.*install"):
        SqliteStore(path)


# A privilege of root is to write where the bits forbid it; without it, root is refused like anybody.
_WITHOUT_PRIVILEGE = """
import sys
from pathlib import Path
from skyshelf.storage.errors import StoreUnavailable
from skyshelf.storage.metadata.sqlite.store import SqliteStore
try:
    SqliteStore(Path(sys.argv[1])).close()
except StoreUnavailable as refusal:
    print(refusal)
"""


def _drop_privilege() -> None:
    pr_capbset_drop, cap_dac_override = 24, 1
    if os.geteuid() == 0:
        ctypes.CDLL(None).prctl(pr_capbset_drop, cap_dac_override, 0, 0, 0)


@contextlib.contextmanager
def _read_only(folder: Path) -> Iterator[None]:
    folder.chmod(0o500)
    try:
        yield
    finally:
        folder.chmod(0o700)


def _refusal_without_privilege(path: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_PRIVILEGE, str(path)],
        preexec_fn=_drop_privilege,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout


@pytest.mark.parametrize("existing", [False, True], ids=["new", "existing"])
def test_a_folder_that_cannot_be_written_is_said_so(tmp_path: Path, existing: bool) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    if existing:
        SqliteStore(folder / "metadata.db").close()
    with _read_only(folder):
        said = _refusal_without_privilege(folder / "metadata.db")
    assert "metadata.db cannot be" in said
    assert "\n" not in said.strip()


def test_an_unreadable_parent_folder_does_no_harm(tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    (outer / "data").mkdir(parents=True)
    outer.chmod(0o111)
    try:
        assert _refusal_without_privilege(outer / "data" / "metadata.db") == ""
    finally:
        outer.chmod(0o700)
    assert (outer / "data" / "metadata.db").exists()


def test_processes_that_open_a_new_store_at_once_make_it_once(tmp_path: Path) -> None:
    path = tmp_path / "data" / "metadata.db"
    assert in_processes(4, open_and_close, str(path)) == [0, 0, 0, 0]
    store = SqliteStore(path)
    with store.read() as unit:
        assert unit.sql.all("SELECT number FROM schema_migrations ORDER BY number") == [
            (number,) for number in range(1, newest() + 1)
        ]
    store.close()


_WRITE_UNTIL_KILLED = """
import sys
from pathlib import Path
from tests.conformance.metadata.making import make_account, make_folder
from skyshelf.storage.metadata.sqlite.store import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
account = make_account(store)
number = 0
while True:
    make_folder(store, account, account.root_key, f"{number}")
    print(number, flush=True)
    number += 1
"""


def test_a_killed_writer_leaves_a_store_with_everything_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "metadata.db"
    writer = subprocess.Popen(
        [sys.executable, "-c", _WRITE_UNTIL_KILLED, str(path)],
        cwd=Path(__file__).parents[4],  # where `tests` can be imported from
        stdout=subprocess.PIPE,
        text=True,
    )
    assert writer.stdout is not None
    with writer, writer.stdout:
        reported = [int(writer.stdout.readline()) for _ in range(50)]
        writer.send_signal(signal.SIGKILL)
        reported += [int(line) for line in writer.stdout if line.strip()]
    store = SqliteStore(path)
    with store.read() as unit:
        (account,) = unit.accounts.list()
    names = {int(name) for name in listing(store, account, account.root_key)}
    # One more may have been committed and not yet reported.
    assert set(reported) <= names <= {*reported, len(reported)}
    assert_books_balance(store, account)
    make_folder(store, account, account.root_key, "goes on")
    store.close()


def test_a_thread_that_ends_leaves_no_connection_behind(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "metadata.db")
    account = make_account(store)
    for _ in range(20):
        thread = threading.Thread(target=listing, args=(store, account, account.root_key))
        thread.start()
        thread.join()
    assert len(store._readers) <= 2
    store.close()


def test_closing_gives_the_files_of_the_log_back(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "metadata.db")
    account = make_account(store)
    listing(store, account, account.root_key)
    store.close()
    assert [path.name for path in tmp_path.iterdir()] == ["metadata.db"]


def test_the_writing_connection_asks_for_every_sync(tmp_path: Path) -> None:
    """A commit in WAL mode is synced at once only with synchronous=FULL (2): NORMAL would wait for a checkpoint."""
    store = SqliteStore(tmp_path / "metadata.db")
    try:
        pragmas = ("journal_mode", "synchronous", "fullfsync", "checkpoint_fullfsync")
        found = store.write(lambda unit: [unit.sql.one(f"PRAGMA {pragma}") for pragma in pragmas])
    finally:
        store.close()
    assert found == [("wal",), (2,), (1,), (1,)]
