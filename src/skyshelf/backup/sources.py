"""The store that is backed up: a copy of its rows at one moment, and its contents.

Nothing is migrated, and nothing is written but, for encrypted backups, the key of the names, and a mark in PostgreSQL.
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final, LiteralString

import apsw
import msgspec

from skyshelf.backup.places import BackupRefused
from skyshelf.backup.sealing import KEY_BYTES
from skyshelf.backup.segments import FormerSegments
from skyshelf.storage.access import Access
from skyshelf.storage.blobs.protocols import BlobStore
from skyshelf.storage.errors import StoreUnavailable
from skyshelf.storage.identity import Identity
from skyshelf.storage.local_paths import local_path
from skyshelf.storage.metadata.read_only import SETTING as READ_ONLY
from skyshelf.storage.metadata.sqlite.file import BUSY_SECONDS, our_errors
from skyshelf.storage.metadata.sqlite.image import Image, NoImage
from skyshelf.storage.metadata.transfer.moments import MARK, MARKS_KEPT, CopiedRows, mark_time

NAME_KEY: Final = "backup.name_key"
FORMER_STORES: Final = "store.former"
IDENTITY: Final = "store.identity"
_HOLDERS: Final = 3
_PIECE: Final = 8 * 1024 * 1024


class _Source:
    """A store, and what its contents are read from."""

    def __init__(self, url: str, blobs: BlobStore) -> None:
        self._url = url
        self.blobs = blobs

    def hold_rows(self) -> Image | None:
        """Return the rows of this moment without a copy, for a short time; None where that is impossible."""
        return None

    def close(self) -> None:
        self.blobs.close()


class SqliteSource(_Source):
    """An embedded store. The copy is made in one step: it holds back no writer, and no writer makes it start over."""

    def __init__(self, url: str, blobs: BlobStore) -> None:
        super().__init__(url, blobs)
        self._path = local_path(url)

    def copy_rows(self, path: Path, former: FormerSegments) -> None:
        """All rows of one moment as a SQLite file of our schema, which is stored as it is."""
        del former
        image = self.hold_rows()
        if image is None:
            self._copy_by_page(path)
            return
        # The same bytes as those of a moment that is not copied: the next cut then has few other ones.
        with our_errors(self._path), closing(image), path.open("xb") as file:
            for at in range(0, image.size, _PIECE):
                file.write(image.read(at, _PIECE))

    def _copy_by_page(self, path: Path) -> None:
        with our_errors(self._path), closing(self._open()) as source, closing(apsw.Connection(str(path))) as target:
            # The copy is not needed after a crash.
            target.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF").close()
            with target.backup("main", source, "main") as copying:
                while not copying.done:
                    copying.step(-1)

    def hold_rows(self) -> Image | None:
        with our_errors(self._path):
            try:
                return Image(self._path)
            except NoImage:
                return None

    def location_of(self, sha256: bytes) -> str | None:
        """Return where a content is now; None when nothing refers to it now."""
        with our_errors(self._path), closing(self._open()) as source:
            return source.execute("SELECT location FROM blobs WHERE content = ? AND refs > 0", (sha256,)).get  # type: ignore[no-any-return]

    def name_key(self) -> bytes:
        """Return the key of the names of encrypted backups; made when there is none."""
        find = "SELECT value FROM settings WHERE name = ?"
        with our_errors(self._path), closing(self._open(writing=True)) as source:
            known = source.execute(find, (NAME_KEY,)).get
            if known is None:
                proposal = secrets.token_bytes(KEY_BYTES)
                source.execute(
                    "INSERT OR IGNORE INTO settings (name, value) SELECT ?, ?"
                    " WHERE NOT EXISTS (SELECT 1 FROM settings WHERE name = ?)",
                    (NAME_KEY, proposal, READ_ONLY),
                ).close()
                known = source.execute(find, (NAME_KEY,)).get
            return _existing(known)

    def _open(self, *, writing: bool = False) -> apsw.Connection:
        flags = apsw.SQLITE_OPEN_READWRITE if writing else apsw.SQLITE_OPEN_READONLY
        connection = apsw.Connection(str(self._path), flags=flags)
        connection.set_busy_timeout(BUSY_SECONDS * 1000)
        return connection


class PostgresSource(_Source):
    """A store in PostgreSQL. Its rows are stored in segments, and those of accounts without a change are not read."""

    def copy_rows(self, path: Path, former: FormerSegments) -> CopiedRows:
        """Return the rows of one moment that the former cut does not have, as a SQLite file, and what it has."""
        from skyshelf.storage.metadata.transfer.changed_rows import copy_changed_rows

        before = former.database.moment if former.database is not None else None
        return copy_changed_rows(self._url, path, before, former.choose, self._leave_mark)

    def _leave_mark(self, mark: str) -> bool:
        """Commit a mark, unless the service or the database is read-only."""
        try:
            left = self._run(
                "INSERT INTO settings (name, value) SELECT %s, %s"
                " WHERE NOT EXISTS (SELECT 1 FROM settings WHERE name = %s) RETURNING name",
                (f"{MARK}{mark}", mark_time(), READ_ONLY),
            )
            self._run(
                "DELETE FROM settings WHERE name LIKE %s AND name NOT IN"
                " (SELECT name FROM settings WHERE name LIKE %s ORDER BY value DESC LIMIT %s) RETURNING name",
                (f"{MARK}%", f"{MARK}%", MARKS_KEPT),
            )
        except StoreUnavailable:
            # The backup needs no mark; the next one then reads all rows.
            return False
        return bool(left)

    def location_of(self, sha256: bytes) -> str | None:
        rows = self._run("SELECT location FROM blobs WHERE content = %s AND refs > 0", (sha256,))
        return str(rows[0][0]) if rows else None

    def name_key(self) -> bytes:
        self._run(
            "INSERT INTO settings (name, value) SELECT %s, %s"
            " WHERE NOT EXISTS (SELECT 1 FROM settings WHERE name = %s) ON CONFLICT DO NOTHING RETURNING name",
            (NAME_KEY, secrets.token_bytes(KEY_BYTES), READ_ONLY),
        )
        known = self._run("SELECT value FROM settings WHERE name = %s", (NAME_KEY,))
        return _existing(known[0][0] if known else None)

    def _run(self, statement: LiteralString, values: tuple[str | bytes | int, ...]) -> list[tuple[Any, ...]]:
        import psycopg

        try:
            with psycopg.connect(self._url) as connection:
                return connection.execute(statement, values).fetchall()
        except psycopg.Error as error:
            raise StoreUnavailable(f"the database cannot be used: {error}") from error


Source = SqliteSource | PostgresSource


def _existing(key: bytes | None) -> bytes:
    if key is None:
        raise BackupRefused(
            "the service is read-only, and a first encrypted backup writes a key: end that mode, or wait until it ends"
        )
    return bytes(key)


def open_source(metadata_url: str, blobs_url: str) -> Source:
    from skyshelf.storage.local_paths import is_postgres
    from skyshelf.storage.open import open_blobs

    kind = PostgresSource if is_postgres(metadata_url) else SqliteSource
    return kind(metadata_url, open_blobs(blobs_url, Access.LOOK))


class Row(msgspec.Struct, frozen=True):
    """A content as the rows know it."""

    sha256: bytes
    size: int
    location: str


class Copy:
    """A copy of the rows, opened for reading."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with our_errors(path):
            # Nobody writes to the copy, so it needs no files for locks beside it.
            flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
            self.connection = apsw.Connection(f"{path.absolute().as_uri()}?immutable=1", flags=flags)
        self._file = os.open(path, os.O_RDONLY)
        self.size = os.fstat(self._file).st_size

    def read(self, at: int, length: int) -> bytes:
        return os.pread(self._file, length, at)

    def close(self) -> None:
        self.connection.close()
        os.close(self._file)


class Rows:
    """The rows of one moment: a copy of them, or the file that they are in."""

    def __init__(
        self, file: Copy | Image, copied: CopiedRows | None = None, former: FormerSegments | None = None
    ) -> None:
        self.file = file
        self.copied = copied
        self.former = former
        self._connection = file.connection

    def setting(self, name: str) -> bytes | None:
        return self._connection.execute("SELECT value FROM settings WHERE name = ?", (name,)).get  # type: ignore[no-any-return]

    def identity(self) -> Identity | None:
        kept = self.setting(IDENTITY)
        return None if kept is None else msgspec.json.decode(kept, type=Identity)

    def former_stores(self) -> list[str]:
        kept = self.setting(FORMER_STORES)
        return [] if kept is None else msgspec.json.decode(kept, type=list[str])

    def schema(self) -> int:
        return int(self._connection.execute("SELECT max(number) FROM schema_migrations").get)

    def count(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM blobs WHERE refs > 0").get)

    def accounts_and_objects(self) -> tuple[int, int]:
        """Return how many accounts there are, and how many files and folders they have."""
        found = self._connection.execute("SELECT count(*), coalesce(sum(objects), 0) FROM account_counters").get
        return int(found[0]), int(found[1])

    def contents(self) -> Iterator[tuple[bytes, int]]:
        """SHA-256 and size of every content that a file refers to, in the order of the former."""
        return iter(self._connection.execute("SELECT content, size FROM blobs WHERE refs > 0 ORDER BY content"))

    def contents_from(self, first: bytes, after: bytes | None) -> list[tuple[bytes, int]]:
        """Return those of a range of SHA-256s, up to the end with None."""
        sql = "SELECT content, size FROM blobs WHERE refs > 0 AND content >= ? AND content < ? ORDER BY content"
        # No SHA-256 is as long as this.
        last = b"\xff" * 33 if after is None else after
        return self._connection.execute(sql, (first, last)).fetchall()  # type: ignore[return-value]

    def stored(self) -> Iterator[tuple[bytes, int, str]]:
        """SHA-256, size and location of every content that a file refers to."""
        return iter(self._connection.execute("SELECT content, size, location FROM blobs WHERE refs > 0"))

    def row(self, sha256: bytes) -> Row:
        found = self._connection.execute("SELECT content, size, location FROM blobs WHERE content = ?", (sha256,)).get
        return Row(*found)

    def holders(self, sha256: bytes) -> str:
        """Return the files that a content belongs to, as a part of a sentence."""
        named = [
            f"version {version} of “{name}” (account {account})"
            for version, name, account in self._connection.execute(
                "SELECT v.version, o.name, v.account_id FROM versions v JOIN objects o"
                " ON o.account_id = v.account_id AND o.object_key = v.object_key WHERE v.content = ? LIMIT ?",
                (sha256, _HOLDERS + 1),
            )
        ]
        if not named:
            return "accounts that have not changed since the previous cut"
        return ", ".join(named[:_HOLDERS]) + (" and others" if len(named) > _HOLDERS else "")

    def close(self) -> None:
        self.file.close()
