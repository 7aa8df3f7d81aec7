"""The file that the embedded store lives in: making it, telling it from others, and opening it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import apsw

from skyshelf.storage.errors import StorageError, StoreDamaged, StoreUnavailable
from skyshelf.storage.local_paths import sync_folder
from skyshelf.storage.space import full_at, give_to_owner_of

APPLICATION_ID = 0x534B5953  # "SKYS": distinguishes our files from others, for `file` and for us
BUSY_SECONDS = 60
_MAGIC = b"SQLite format 3\x00"
_HEADER_BYTES = 100
_APPLICATION_ID_AT = slice(68, 72)
_UNUSABLE = (
    apsw.BusyError,
    apsw.CantOpenError,
    apsw.IOError,
    apsw.NoMemError,
    apsw.PermissionsError,
    apsw.ProtocolError,
    apsw.ReadOnlyError,
)


if not apsw.connections():
    # SQLite counts every allocation, under a lock of all threads, for figures that are not read here: 4 % of a commit.
    apsw.shutdown()
    apsw.config(apsw.SQLITE_CONFIG_MEMSTATUS, False)
    apsw.initialize()


@contextmanager
def our_errors(path: Path) -> Iterator[None]:
    """SQLite's errors as ours; anything else passes."""
    try:
        yield
    except apsw.Error as error:
        translated = our_error(error, path)
        if translated is None:
            raise
        raise translated from error


def our_error(error: apsw.Error, path: Path) -> StorageError | None:
    """Return an error of SQLite as ours; None if we have no word for it."""
    if isinstance(error, apsw.FullError):
        return full_at(path)
    if isinstance(error, apsw.NotADBError | apsw.CorruptError):
        return StoreDamaged(f"{path} is damaged or not a Skyshelf store: {error}")
    if isinstance(error, apsw.ConnectionClosedError):
        return StoreUnavailable("the metadata store is closed")
    return StoreUnavailable(f"the metadata at {path} cannot be used: {error}") if isinstance(error, _UNUSABLE) else None


def make_file(path: Path) -> None:
    """Make the file, private to its owner, and its name durable before anything relies on it.

    An existing file is checked before SQLite opens it, because opening alone can change a foreign file.
    """
    try:
        created = [folder for folder in (path.parent, *path.parent.parents) if not folder.exists()]
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        for folder in reversed(created):
            give_to_owner_of(folder.parent, folder)
        refuse_strangers(path)
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            give_to_owner_of(path.parent, path)
            for folder in (path.parent, *(folder.parent for folder in created)):
                sync_folder(folder)
    except OSError as error:
        raise StoreUnavailable(f"the metadata at {path} cannot be opened: {error.strerror}") from error


def refuse_strangers(path: Path) -> None:
    """Refuse a file that is not ours."""
    header = _header(path) if path.exists() else b""
    if not header:  # created by us and not yet written, or by `touch`: nothing is lost
        return
    if not header.startswith(_MAGIC):
        raise StoreUnavailable(f"{path} is not a Skyshelf store, not even a SQLite file; it was not touched")
    if not _is_signed(header):
        raise StoreUnavailable(f"{path} is a SQLite file of another program; it was not touched")


def _header(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_HEADER_BYTES)


def _is_signed(header: bytes) -> bool:
    return header[_APPLICATION_ID_AT] == APPLICATION_ID.to_bytes(4, "big")


def sign(path: Path) -> None:
    """Write our mark into a new file, before anything else, so even an unfinished file is known as ours.

    This happens before the file has a write-ahead log, because the mark must be in the file itself, where make_file
    reads it. SQLite is asked for it, not the bytes: after a crash during the signing they have a mark that SQLite
    rolls back.
    """
    connection = apsw.Connection(str(path))
    try:
        connection.set_busy_timeout(BUSY_SECONDS * 1000)
        if connection.pragma("application_id") != APPLICATION_ID:
            connection.pragma("application_id", APPLICATION_ID)
    finally:
        connection.close()


def connect(path: Path) -> apsw.Connection:
    """Return a connection with every setting that the store relies on."""
    connection = apsw.Connection(str(path), statementcachesize=400)
    _set_up(
        connection,
        "journal_mode = WAL",
        "synchronous = FULL",
        "fullfsync = ON",
        "checkpoint_fullfsync = ON",
        "foreign_keys = ON",
    )
    return connection


def _set_up(connection: apsw.Connection, *pragmas: str) -> None:
    connection.set_busy_timeout(BUSY_SECONDS * 1000)
    # Plans must not depend on the values of parameters. Measured: the lookup of a version takes 10 µs with this and 140
    # without, as if SQLite planned the join again on every run; that this is the cause is inferred and not proven.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    always = ("trusted_schema = OFF", "temp_store = MEMORY", "cache_size = -16000", "mmap_size = 1073741824")
    for pragma in (*pragmas, *always):
        connection.execute(f"PRAGMA {pragma}").close()


class Looking:
    """Opens connections that change nothing: no row, and no file beside the database.

    SQLite's write-ahead log is two files beside the database, `-wal` and `-shm`. A reader of a file that is in use
    takes part in both. A file at rest, such as a backup, has none or only the first, and an ordinary reader would
    create what is missing; on a read-only medium it would fail. So a file at rest is read without them:

    - without a log, as a file that does not change;
    - with a log that is not in use, with its index in memory and without locks.

    Neither may be read on once somebody has begun to use the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            if not path.is_file():
                raise StoreUnavailable(f"there is no metadata at {path}: name the right place")
            refuse_strangers(path)
            self._has_log = _size(path, "-wal") > 0
            self.is_at_rest = not path.with_name(f"{path.name}-shm").exists()
        except OSError as error:
            raise StoreUnavailable(f"the metadata at {path} cannot be opened: {error.strerror}") from error

    def connect(self) -> apsw.Connection:
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        options = ("?vfs=unix-none" if self._has_log else "?immutable=1") if self.is_at_rest else ""
        connection = apsw.Connection(f"file:{quote(str(self._path.absolute()))}{options}", flags=flags)
        # Only by an exclusive lock does SQLite keep the index of the log in memory.
        locking = ["locking_mode = EXCLUSIVE"] if self.is_at_rest and self._has_log else []
        _set_up(connection, *locking, "query_only = ON")
        return connection

    def check(self) -> None:
        """Refuse to go on with a file that was at rest, and no longer is."""
        if self.is_at_rest and self._path.with_name(f"{self._path.name}-shm").exists():
            raise StoreUnavailable(
                f"the metadata at {self._path} came into use while it was being read: run the command again"
            )


def _size(path: Path, suffix: str) -> int:
    beside = path.with_name(f"{path.name}{suffix}")
    return beside.stat().st_size if beside.exists() else 0


def is_in_use(path: Path) -> bool:
    """Return whether another process has the file open: each one holds a lock on the index of the log.

    The system's list is read. A lock of our own would have to be released, and with it, by the rules of POSIX, those
    of every connection of this process.
    """
    try:
        state = path.with_name(f"{path.name}-shm").stat()
    except OSError:
        return False
    try:
        locks = [line.split() for line in Path("/proc/locks").read_text("ascii").splitlines()]
    except OSError:
        # Where the system has no list, the files of a log speak for somebody who uses it.
        return True
    place = f"{os.major(state.st_dev):02x}:{os.minor(state.st_dev):02x}:{state.st_ino}"
    return any(place in fields and str(os.getpid()) not in fields for fields in locks)
