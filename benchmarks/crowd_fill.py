"""Accounts with files on either stack, in minutes: one account is filled as always, and the database copies its rows.

The copies have the keys of the original, which no index shares between accounts, and contents and search terms of their
own, so the indexes that all accounts share are as large as they would be. A few small files have bytes that can be
downloaded; they are the same for all accounts.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import apsw
import psycopg
from msgspec.structs import replace

from benchmarks.metadata import new_file
from skyshelf.service.accounts import accounts
from skyshelf.service.accounts.login_throttle import LoginBuckets
from skyshelf.service.accounts.session_opening import Opening, open_session
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.accounts import Account, NewDevice
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.contracts.tree import NewFolder
from skyshelf.storage.metadata.search_index import ENTRIES_PER_ACCOUNT, IndexedFields, object_terms
from skyshelf.storage.metadata.sqlite.search import in_parts, rowid_of, spaced
from skyshelf.wire.headers import session_headers

PASSWORD: Final = "correct horse battery"
PER_FOLDER: Final = 200
REAL_FILES, REAL_BYTES = 20, 100_000
ACCOUNTS_AT_ONCE, EMPTY_AT_ONCE = 10, 1000
_TERMS_AT_ONCE: Final = 40503
_SQLITE, _POSTGRESQL = "SQLite", "PostgreSQL"


@dataclass(frozen=True)
class FilledAccounts:
    """What clients need to know of the accounts: all have the same keys."""

    first: Account
    accounts: int
    folder_keys: list[str]
    real_keys: list[str]


class _Sqlite:
    """A connection that waits for nothing, while no server runs."""

    dialect = _SQLITE

    def __init__(self, path: str) -> None:
        self._database = apsw.Connection(path)
        for pragma in ("synchronous = OFF", "cache_size = -500000", "foreign_keys = OFF"):
            self.run(f"PRAGMA {pragma}")

    def run(self, text: str) -> None:
        self._database.execute(text).close()

    def columns(self, table: str) -> list[str]:
        return [str(row[1]) for row in self._database.execute(f"PRAGMA table_info({table})")]

    def note_terms(self, account_id: int) -> None:
        """Note the terms of the objects of the first account, which the index does not give back."""
        self.run("CREATE TEMP TABLE terms (entry INTEGER PRIMARY KEY, terms TEXT)")
        rows: list[Any] = self._database.execute(
            "SELECT e.entry, o.name, o.source_folder, o.kind, o.mime_type, o.size, o.last_modified_at,"
            " o.file_created_at, o.taken_at FROM search_entries e JOIN objects o ON o.account_id = e.account_id"
            " AND o.object_key = e.object_key WHERE e.account_id = ?",
            (account_id,),
        ).fetchall()
        terms = [(row[0], spaced(object_terms(IndexedFields(row[1], row[2], row[3] == 0, *row[4:])))) for row in rows]
        self._database.executemany("INSERT INTO temp.terms VALUES (?, ?)", terms)

    def close(self) -> None:
        self._database.close()


class _Postgresql:
    dialect = _POSTGRESQL

    def __init__(self, url: str) -> None:
        self._database = psycopg.connect(url, autocommit=True)
        self.run("SET session_replication_role = replica")
        self.run("SET maintenance_work_mem = '512MB'")
        self.run("SET synchronous_commit = off")

    def run(self, text: str) -> None:
        self._database.execute(text.encode())

    def columns(self, table: str) -> list[str]:
        found = self._database.execute(
            "SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = %s"
            " ORDER BY ordinal_position",
            (table,),
        )
        return [str(row[0]) for row in found]

    def close(self) -> None:
        self._database.close()


def fill(ctx: ServiceContext, metadata: str, *, number: int, files: int) -> FilledAccounts:
    """Fill the stores of a context, which are empty and not in use."""
    first = accounts.add_account(ctx, "person0@example.org", "Ada", "Byron", PASSWORD, quota=1 << 50)
    folders, real = _fill_first(ctx, first, files)
    with closing(_connected(metadata)) as connection:
        copies = _Copies(connection, first.account_id)
        with copies.without_search_index():
            copies.make(first.account_id + 1, first.account_id + number - 1, at_once=ACCOUNTS_AT_ONCE)
        copies.settle()
    ctx.metadata.analyze_grown_tables()
    return FilledAccounts(first, number, folders, real)


def add_empty(ctx: ServiceContext, metadata: str, number: int) -> None:
    """More accounts that have an empty drive: rows of accounts, counters and roots alone."""
    empty = accounts.add_account(ctx, "empty@example.org", "Ada", "Byron", PASSWORD)
    with closing(_connected(metadata)) as connection:
        copies = _Copies(connection, empty.account_id)
        copies.make(empty.account_id + 1, empty.account_id + number - 1, at_once=EMPTY_AT_ONCE)
        copies.settle()


def _connected(metadata: str) -> "_Sqlite | _Postgresql":
    return _Postgresql(metadata) if metadata.startswith("postgresql:") else _Sqlite(unquote(urlsplit(metadata).path))


def sessions(ctx: ServiceContext, filled: FilledAccounts, clients: int) -> list[dict[str, str]]:
    """Open a session for each client, without a password; return the headers of each."""
    found = []
    with ctx.metadata.read() as unit:
        people = [
            unit.accounts.by_id(filled.first.account_id + number) for number in range(min(clients, filled.accounts))
        ]
    for number in range(clients):
        account = people[number % len(people)]
        device = NewDevice(
            device_key=f"bench-{number:08d}-0000-4000-8000-000000000000",
            device_name=f"Laptop {number}",
            platform_type="bench",
        )
        opening = Opening(
            account=account,
            device=device,
            buckets=LoginBuckets(account.email, "127.0.0.1", device.device_key),
            accept=lambda _unit, _account: None,
        )
        answer = open_session(ctx, opening, "127.0.0.1")
        token, user, key = answer.auth_token, answer.user_id, answer.device_key
        assert token is not None
        assert key is not None
        found.append(session_headers(token, user, key))
    return found


def put_some(ctx: ServiceContext, account: Account, files: int) -> list[str]:
    """Put files whose bytes are nowhere into a folder of an account; return their keys."""
    place = _folder(ctx, account, f"some {ctx.new_key()}")
    new = [_file(place, number) for number in range(files)]
    for start in range(0, files, PER_FOLDER):
        _put(ctx, account, new[start : start + PER_FOLDER])
    return [one.object_key for one in new]


def _fill_first(ctx: ServiceContext, account: Account, files: int) -> tuple[list[str], list[str]]:
    folders = []
    for number in range(-(-files // PER_FOLDER)):
        folders.append(_folder(ctx, account, f"folder {number:04d}"))
        first = number * PER_FOLDER
        new = [_file(folders[-1], one) for one in range(first, min(files, first + PER_FOLDER))]
        _put(ctx, account, new)
    place, real = _folder(ctx, account, "downloads"), []
    for number in range(REAL_FILES):
        blob = ctx.blobs.put([os.urandom(REAL_BYTES)])
        real.append(
            replace(
                new_file(place, f"download {number}.bin"),
                sha256=blob.sha256, md5=blob.md5, size=blob.size, location=blob.location, category="document",
            )
        )  # fmt: skip
    _put(ctx, account, real)
    return folders, [one.object_key for one in real]


def _folder(ctx: ServiceContext, account: Account, name: str) -> str:
    new, now = NewFolder(object_key=ctx.new_key(), parent_key=account.root_key, name=name), ctx.clock.now()
    return ctx.metadata.write(lambda unit: unit.tree.add_folder(account.account_id, new, now)).object_key


def _file(folder_key: str, number: int) -> NewFile:
    return replace(new_file(folder_key, f"IMG_{number:06d}.jpg"), size=1_000_000 + number)


def _put(ctx: ServiceContext, account: Account, files: Sequence[NewFile]) -> None:
    now = ctx.clock.now()
    ctx.metadata.write(lambda unit: unit.files.put_many(account.account_id, files, now, keep_versions=20))


class _Copies:
    """Rows of one account as those of others."""

    def __init__(self, connection: _Sqlite | _Postgresql, account_id: int) -> None:
        self._connection = connection
        self._account_id = account_id
        self._is_sqlite = connection.dialect == _SQLITE
        if self._is_sqlite:
            self._content = "unhex(substr(hex(t.content), 1, 56) || printf('%08X', n.id))"
            self._key = "unhex(printf('%032X', n.id))"
            self._hex = "lower(hex({}))"
            self._given = ""
        else:
            self._content = "substr(t.content, 1, 28) || int4send(n.id::int4)"
            self._key = "decode(lpad(to_hex(n.id), 32, '0'), 'hex')"
            self._hex = "encode({}, 'hex')"
            self._given = " OVERRIDING SYSTEM VALUE"
        is_kept = "t.content IS NULL OR t.content IN (SELECT content FROM real_contents)"
        self._named = f"CASE WHEN {is_kept} THEN t.content ELSE {self._content} END"

    @contextmanager
    def without_search_index(self) -> Iterator[None]:
        """PostgreSQL makes its index of terms much faster when all rows are there."""
        if self._is_sqlite:
            yield
            return
        self._connection.run("DROP INDEX search_entries_terms")
        yield
        self._connection.run("CREATE INDEX search_entries_terms ON search_entries USING gin (terms)")

    def settle(self) -> None:
        """Do what autovacuum and the next checkpoint would do while something is measured."""
        statements = ["PRAGMA wal_checkpoint(TRUNCATE)"] if self._is_sqlite else ["VACUUM ANALYZE", "CHECKPOINT"]
        for statement in statements:
            self._connection.run(statement)

    def make(self, first: int, last: int, *, at_once: int) -> None:
        """Make the accounts with these numbers."""
        run = self._connection.run
        run(
            "CREATE TEMP TABLE real_contents (content BLOB)"
            if self._is_sqlite
            else "CREATE TEMP TABLE real_contents (content bytea)"
        )
        run(f"INSERT INTO real_contents SELECT content FROM blobs WHERE size = {REAL_BYTES}")
        if isinstance(self._connection, _Sqlite):
            self._connection.note_terms(self._account_id)
        for start in range(first, last + 1, at_once):
            run("BEGIN")
            self._copy_some(start, min(last, start + at_once - 1))
            run("COMMIT")
        run(
            f"UPDATE blobs SET refs = refs + {last - first + 1} WHERE content IN (SELECT v.content FROM versions v"
            f" WHERE v.account_id = {self._account_id}) AND content IN (SELECT content FROM real_contents)"
        )
        if not self._is_sqlite:
            run("SELECT setval(pg_get_serial_sequence('accounts', 'account_id'), max(account_id)) FROM accounts")
        run("DROP TABLE real_contents")

    def _copy_some(self, first: int, last: int) -> None:
        numbers = f"WITH RECURSIVE n (id) AS (SELECT {first} UNION ALL SELECT id + 1 FROM n WHERE id < {last})"
        self._copy(numbers, "accounts", account_key=self._key, email="'person' || n.id || '@example.org'",
                   email_folded="'person' || n.id || '@example.org'")  # fmt: skip
        self._copy(numbers, "account_counters")
        self._connection.run(
            f"INSERT INTO blobs ({', '.join(self._connection.columns('blobs'))}) {numbers} SELECT"
            + ", ".join(self._blob_column(column) for column in self._connection.columns("blobs"))
            + f" FROM n CROSS JOIN blobs t WHERE t.content IN (SELECT v.content FROM versions v WHERE v.account_id ="
            f" {self._account_id}) AND t.content NOT IN (SELECT content FROM real_contents)"
        )
        self._copy(numbers, "objects", content=self._named)
        self._copy(numbers, "versions", content=self._named)
        for table in ("folder_marks", "timeline_months", "changes"):
            self._copy(numbers, table)
        entry = f"(t.entry + (n.id - {self._account_id}) * {ENTRIES_PER_ACCOUNT})"
        mixed = (
            {} if self._is_sqlite else {"terms": f"ARRAY(SELECT x # (n.id * {_TERMS_AT_ONCE}) FROM unnest(t.terms) x)"}
        )
        self._copy(
            numbers,
            "search_entries",
            entry=entry if self._is_sqlite else entry.replace("(n.id", "(n.id::bigint"),
            **mixed,
        )
        if self._is_sqlite:
            self._connection.run(
                f"INSERT INTO search_terms (rowid, terms) {numbers} SELECT {rowid_of(entry)},"
                f" {in_parts('t.terms', entry)}"
                " FROM n CROSS JOIN temp.terms t"
            )

    def _blob_column(self, column: str) -> str:
        if column == "content":
            return f" {self._content}"
        return f" 'bulk/' || {self._hex.format(self._content)}" if column == "location" else f" t.{column}"

    def _copy(self, numbers: str, table: str, **new: str) -> None:
        columns = self._connection.columns(table)
        values = {"account_id": "n.id"} | new
        self._connection.run(
            f"INSERT INTO {table} ({', '.join(columns)}){self._given} {numbers}"
            f" SELECT {', '.join(values.get(column, f't.{column}') for column in columns)}"
            f" FROM n CROSS JOIN {table} t WHERE t.account_id = {self._account_id}"
        )
