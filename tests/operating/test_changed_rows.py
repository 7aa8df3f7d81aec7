"""A cut of a PostgreSQL store reads what has changed alone, and has exactly the rows that a full cut has."""

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.operating.backups import Backup, opened
from tests.operating.folders import drive
from tests.operating.shelves import Shelf, new_shelf
from tests.operating.stacks import Stack
from tests.real_parts import shared
from tests.real_parts.postgres import PostgresServer
from tests.server.api import HeldClock

from skyshelf.backup.chunks import read_rows
from skyshelf.backup.cut import Cut, Manifest, manifests
from skyshelf.backup.packs import get_list
from skyshelf.backup.places import CutDamaged
from skyshelf.backup.sealing import Names, Plain
from skyshelf.backup.segments import FormerSegments, segments_in
from skyshelf.backup.verify import names_of
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.read_only import ReadOnly, switch_on
from skyshelf.storage.metadata.sql.statements import Row
from skyshelf.storage.metadata.transfer.moments import MARK, Group
from skyshelf.storage.metadata.transfer.postgres_rows import postgres_source
from skyshelf.storage.metadata.transfer.sqlite_rows import sqlite_source
from skyshelf.storage.metadata.transfer.tables import Source, Tables
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata

ACCOUNTS = 4
FILES = 12
# Other contents would have to exist, and the settings say which store it is.
LEFT_ALONE = {"blobs", "settings"}


@contextmanager
def stack_of(folder: Path, url: str) -> Iterator[Stack]:
    """Rows in PostgreSQL, and contents on the disk."""
    blobs = embedded_urls(folder / "data")[1]
    clock = HeldClock(1_800_000_000_000)
    ctx = ServiceContext(metadata=open_metadata(url), blobs=open_blobs(blobs), clock=clock)
    try:
        yield Stack("postgres+disk", ctx, clock, (url, blobs), (), lambda *_: None, lambda *_: None)
    finally:
        ctx.media.close()
        ctx.metadata.close()
        ctx.blobs.close()


def fill(stack: Stack) -> list[Shelf]:
    shelves = [new_shelf(stack, f"{number}@example.org") for number in range(ACCOUNTS)]
    for shelf in shelves:
        for number in range(FILES):
            shelf.file(f"{number}.txt", b"%d of %d" % (number, shelf.id))
    return shelves


def rows_in(source: Source) -> dict[str, list[Row]]:
    """All rows but the marks, which a backup leaves itself."""
    found = {}
    for name, table in source.tables().items():
        columns = sorted(column.name for column in table.columns)
        statement = f"SELECT {', '.join(columns)} FROM {name}"
        rows = [row for batch in source.batches(statement) for row in batch]
        found[name] = sorted((row for row in rows if not str(row[0]).startswith(MARK)), key=repr)
    return found


def live_rows(url: str) -> dict[str, list[Row]]:
    with postgres_source(url) as source:
        return rows_in(source)


def rows_of(backup: Backup, cut: Cut, path: Path) -> dict[str, list[Row]]:
    path.unlink(missing_ok=True)
    with backup.place() as place:
        found = next(one for one in found_in(backup) if one.id == cut.id)
        names, opener = names_of(found, backup.opener)
        read_rows(place, opener, names, cut.database, path)
    with sqlite_source(path) as source:
        return rows_in(source)


def found_in(backup: Backup) -> list[Manifest]:
    with backup.place() as place:
        return list(manifests(place))


def taken_over(backup: Backup, before: Cut, after: Cut) -> int:
    """How many groups of a cut are in the list of the one before, in the same places."""
    with backup.place() as place:
        lists = [segments_in(get_list(place, cut.database.chunks)) for cut in (before, after)]
    first, second = ({(one.label, one.digest) for one in found if any(one.label)} for found in lists)
    return len(first & second)


class History:
    """Random changes behind the back of every code, in transactions that end when they please."""

    def __init__(self, url: str, noise: random.Random) -> None:
        self._url = url
        self._noise = noise
        self._open: list[psycopg.Connection] = []
        with postgres_source(url) as source:
            self._tables = {name: table for name, table in source.tables().items() if name not in LEFT_ALONE}

    def go_on(self) -> None:
        for _ in range(self._noise.randrange(1, 5)):
            self._noise.choice([self._change, self._change, self._change, self._begin, self._end, self._tidy])()

    def close(self) -> None:
        while self._open:
            self._end()

    def _connection(self) -> psycopg.Connection:
        connection = psycopg.connect(self._url)
        connection.execute("SET session_replication_role = replica")
        connection.execute("SET lock_timeout = '200ms'")
        return connection

    def _change(self) -> None:
        with closing(self._connection()) as connection:
            try:
                self._random_change(connection)
            except (psycopg.errors.LockNotAvailable, psycopg.errors.IntegrityError):
                return
            if self._noise.random() < 0.2:
                connection.rollback()
            else:
                connection.commit()

    def _begin(self) -> None:
        """A transaction that a cut does not see, and that ends after it."""
        connection = self._connection()
        try:
            self._random_change(connection)
        except (psycopg.errors.LockNotAvailable, psycopg.errors.IntegrityError):
            connection.close()
            return
        self._open.append(connection)

    def _end(self) -> None:
        if self._open:
            connection = self._open.pop(self._noise.randrange(len(self._open)))
            if self._noise.random() < 0.8:
                connection.commit()
            connection.close()

    def _tidy(self) -> None:
        """The database moves rows and freezes them, and no row has changed."""
        table = self._noise.choice(sorted(self._tables))
        with closing(self._connection()) as connection:
            connection.commit()
            connection.autocommit = True
            connection.execute("SET lock_timeout = '200ms'")
            try:
                connection.execute(f"VACUUM ({self._noise.choice(['FULL', 'FREEZE'])}) {table}".encode())
            except psycopg.errors.LockNotAvailable:
                return

    def _random_change(self, connection: psycopg.Connection) -> None:
        filled = [
            name
            for name in sorted(self._tables)
            if connection.execute(f"SELECT count(*) FROM {name}".encode()).fetchone() != (0,)
        ]
        table = self._tables[self._noise.choice(filled)]
        keys = ", ".join(table.key)
        chosen = (
            f"({keys}) = (SELECT {keys} FROM {table.name} ORDER BY {keys} OFFSET {self._noise.randrange(20)} LIMIT 1)"
        )
        kind = self._noise.choice(["same", "value", "delete", "again", "twice"])
        numbers = [
            one.name for one in table.columns if one.kind == "int" and one.name.endswith(("_at", "_seq", "size"))
        ]
        if kind in {"same", "twice"} or not numbers:
            for _ in range(1 + (kind == "twice")):
                # The first one may be numbered by the database.
                last = table.columns[-1].name
                connection.execute(f"UPDATE {table.name} SET {last} = {last} WHERE {chosen}".encode())
        elif kind == "value":
            column = self._noise.choice(numbers)
            connection.execute(f"UPDATE {table.name} SET {column} = {column} + 1 WHERE {chosen}".encode())
        elif kind == "delete":
            connection.execute(f"DELETE FROM {table.name} WHERE {chosen}".encode())
        else:
            # The number of rows stays the same, and one is another.
            connection.execute(f"CREATE TEMP TABLE moved AS SELECT * FROM {table.name} WHERE {chosen}".encode())
            connection.execute(f"DELETE FROM {table.name} WHERE {chosen}".encode())
            column = self._noise.choice(numbers)
            connection.execute(f"UPDATE moved SET {column} = {column} + 7".encode())
            added = f"INSERT INTO {table.name} ({table.names}) OVERRIDING SYSTEM VALUE SELECT {table.names} FROM moved"
            connection.execute(added.encode())
            connection.execute("DROP TABLE moved")


@pytest.mark.whole
@pytest.mark.parametrize("encrypted", [False, True])
# A smaller history says no more, and takes long to find.
@settings(max_examples=examples(2), phases=[Phase.generate])
@given(seed=st.integers(0, 2**32))
def test_cuts_of_random_histories_have_the_rows_of_the_database(
    tmp_path_factory: pytest.TempPathFactory, *, encrypted: bool, seed: int
) -> None:
    folder = tmp_path_factory.mktemp("history")
    with shared.postgres().database() as url, stack_of(folder, url) as stack:
        fill(stack)
        backup = Backup(stack, str(folder / "backup"), folder, encrypted)
        history = History(url, random.Random(seed))
        with closing(history):
            check(backup, history, url, folder / "rows.db")


def check(backup: Backup, history: History, url: str, path: Path) -> None:
    """Take cuts between changes, and compare each with what the database had then."""
    kept: list[tuple[Cut, dict[str, list[Row]]]] = []
    for number in range(6):
        kept.append((backup.take(at=1_800_000_000_000 + number).cut, live_rows(url)))
        history.go_on()
    for cut, expected in kept:
        assert rows_of(backup, cut, path) == expected
    assert any(taken_over(backup, before, after) for (before, _), (after, _) in pairwise(kept))


@pytest.fixture
def stack(tmp_path: Path, postgres_server: Callable[[], PostgresServer]) -> Iterator[Stack]:
    with postgres_server().database() as url, stack_of(tmp_path, url) as stack:
        yield stack


def test_accounts_without_a_change_are_not_read(stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelves, backup = fill(stack), Backup(stack, str(tmp_path / "backup"), tmp_path)
    first = backup.take().cut
    chosen: list[set[tuple[str, int]]] = []
    choose = FormerSegments.choose

    def choosing(former: FormerSegments, *given: object) -> object:
        found = choose(former, *given)  # type: ignore[arg-type]
        chosen.append({(group.table, group.account) for group in found})
        return found

    monkeypatch.setattr(FormerSegments, "choose", choosing)
    shelves[2].file("new.txt", b"new")
    second = backup.take().cut
    (groups,) = chosen
    assert {account for table, account in groups if table == "objects"} == {
        shelf.id for shelf in shelves if shelf is not shelves[2]
    }
    assert {"objects", "versions", "changes", "search_entries"} <= {table for table, _ in groups}
    assert second.new_bytes < first.new_bytes
    assert rows_of(backup, second, tmp_path / "rows.db") == live_rows(stack.urls[0])


@pytest.mark.parametrize("encrypted", [False, True])
def test_a_restore_of_a_later_cut_is_the_drive_of_then(stack: Stack, tmp_path: Path, *, encrypted: bool) -> None:
    shelves = fill(stack)
    backup = Backup(stack, str(tmp_path / "backup"), tmp_path, encrypted)
    backup.take()
    shelves[0].file("later.txt", b"later")
    taken = backup.take()
    expected = drive(shelves[0]), drive(shelves[1])
    assert backup.verify().damage == []
    backup.restore_to(tmp_path / "restored", cut=taken.cut.id)
    for shelf, wanted in zip(shelves, expected, strict=False):
        with opened(shelf, *embedded_urls(tmp_path / "restored")) as there:
            assert drive(there) == wanted


@pytest.fixture
def unchanged(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many groups the database has declared to be unchanged, cut by cut."""
    counts: list[int] = []
    choose = FormerSegments.choose

    def choosing(former: FormerSegments, schema: int, tables: Tables, groups: Iterable[Group]) -> set[Group]:
        found = list(groups)
        counts.append(len(found))
        return choose(former, schema, tables, found)

    monkeypatch.setattr(FormerSegments, "choose", choosing)
    return counts


def test_a_database_that_was_put_back_is_read_as_a_whole(stack: Stack, tmp_path: Path, unchanged: list[int]) -> None:
    """A snapshot of its disk has the numbers of other transactions, and not the mark."""
    fill(stack)
    backup = Backup(stack, str(tmp_path / "backup"), tmp_path)
    backup.take()
    backup.take()
    with psycopg.connect(stack.urls[0]) as connection:
        connection.execute("DELETE FROM settings WHERE name LIKE 'backup.mark.%'")
    last = backup.take().cut
    assert rows_of(backup, last, tmp_path / "rows.db") == live_rows(stack.urls[0])
    assert unchanged[1] > 0
    assert (unchanged[0], unchanged[2]) == (0, 0)


@pytest.mark.whole
def test_a_copy_of_the_database_is_read_as_a_whole(tmp_path: Path, unchanged: list[int]) -> None:
    """The mark is in a copy, too; the numbers of its rows mean nothing."""
    with shared.postgres().database() as url:
        with stack_of(tmp_path, url) as stack:
            fill(stack)
            Backup(stack, str(tmp_path / "backup"), tmp_path).take()
            Backup(stack, str(tmp_path / "backup"), tmp_path).take()
        name = urlsplit(url).path.removeprefix("/")
        copied = urlsplit(url)._replace(path=f"/{name}_copied").geturl()
        with psycopg.connect(urlsplit(url)._replace(path="/postgres").geturl(), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}_copied" TEMPLATE "{name}"'.encode())
        with stack_of(tmp_path, copied) as stack:
            last = Backup(stack, str(tmp_path / "backup"), tmp_path).take().cut
            assert rows_of(Backup(stack, str(tmp_path / "backup"), tmp_path), last, tmp_path / "rows.db") == live_rows(
                copied
            )
    assert unchanged[1] > 0
    assert (unchanged[0], unchanged[2]) == (0, 0)


def test_a_read_only_service_is_backed_up_without_a_mark(stack: Stack, tmp_path: Path) -> None:
    fill(stack)
    backup = Backup(stack, str(tmp_path / "backup"), tmp_path)
    first = backup.take().cut
    switch_on(stack.ctx.metadata, ReadOnly("for a test", 1))
    second = backup.take().cut
    assert (first.database.moment is not None, second.database.moment) == (True, None)
    third = backup.take().cut
    assert rows_of(backup, third, tmp_path / "rows.db") == live_rows(stack.urls[0])


def test_rows_whose_pack_is_lost_are_stored_again(stack: Stack, tmp_path: Path) -> None:
    fill(stack)
    backup = Backup(stack, str(tmp_path / "backup"), tmp_path)
    backup.take()
    next((tmp_path / "backup" / "packs").iterdir()).unlink()
    healed = backup.take(recheck=True).cut
    assert rows_of(backup, healed, tmp_path / "rows.db") == live_rows(stack.urls[0])


def test_nothing_is_taken_over_from_a_manifest_that_somebody_else_has_written(
    stack: Stack, tmp_path: Path, unchanged: list[int]
) -> None:
    """An object store could otherwise have old rows confirmed as those of today."""
    fill(stack)
    backup = Backup(stack, str(tmp_path / "backup"), tmp_path, encrypted=True)
    backup.take()
    [manifest] = (tmp_path / "backup" / "cuts").iterdir()
    text, seal, mac, end = manifest.read_bytes().split(b"\n")
    manifest.write_bytes(b"\n".join((text, seal, mac[:-1] + (b"0" if mac[-1:] != b"0" else b"1"), end)))
    last = backup.take().cut
    assert unchanged == [0, 0]
    assert rows_of(backup, last, tmp_path / "rows.db") == live_rows(stack.urls[0])


def test_manipulated_segments_are_refused(stack: Stack, tmp_path: Path) -> None:
    fill(stack)
    backup = Backup(stack, str(tmp_path / "backup"), tmp_path)
    cut = backup.take().cut
    for pack in (tmp_path / "backup" / "packs").iterdir():
        data = pack.read_bytes()
        pack.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with backup.place() as place, pytest.raises(CutDamaged):
        read_rows(place, Plain(), Names(None), cut.database, tmp_path / "rows.db")
    assert not (tmp_path / "rows.db").exists()
