"""The metadata store at growing sizes: what a page, a batch, an insert and a huge folder cost."""

import hashlib
import itertools
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from tests.real_parts.postgres import fresh_schema, running_postgres

from benchmarks.tables import milliseconds, once, print_table, short
from skyshelf.storage.metadata.contracts.accounts import Account, NewAccount
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.contracts.tree import (
    ACTIVE,
    Kind,
    Move,
    NewFolder,
    PageOf,
    Rename,
    SortBy,
    StoredObject,
    Trash,
)
from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.metadata.sql.tree.objects import insert_objects
from skyshelf.storage.metadata.sqlite.store import SqliteStore
from skyshelf.storage.metadata.wire_cache import render_urls
from skyshelf.wire.keys import make_key

Store = SqliteStore | PostgresStore
PAGE = 2000
PER_FOLDER = 1000
DEEP = 100_000
NOW = 1_700_000_000_000


def new_key() -> str:
    return make_key(time.time_ns() // 1_000_000, os.urandom(10))


class SampleAccount:
    """An account with the objects that the measurements need."""

    def __init__(self, store: Store, objects: int) -> None:
        self.store = store
        self.account: Account = store.write(lambda unit: unit.accounts.add(_account(), NOW))
        self.page_folder = self.folder(self.account.root_key, "page")
        self.deep_folder = self.folder(self.account.root_key, "deep")
        self.archive = self.folder(self.account.root_key, "archive")
        self.elsewhere = self.folder(self.account.root_key, "elsewhere")
        self.deep = min(DEEP, objects // 2)
        self.fill_rate = 0.0
        if objects:
            self._fill_all(objects)

    def _fill_all(self, objects: int) -> None:
        below = max(0, objects - PAGE - self.deep)
        started = time.perf_counter()
        self.fill(self.page_folder, PAGE)
        self.fill(self.deep_folder, self.deep)
        for number in range(0, below, PER_FOLDER):
            self.fill(self.folder(self.archive, f"folder {number}"), min(PER_FOLDER, below - number))
        self.fill_rate = objects / (time.perf_counter() - started)

    def folder(self, parent_key: str, name: str) -> str:
        new = NewFolder(object_key=new_key(), parent_key=parent_key, name=name)
        return self.store.write(lambda unit: unit.tree.add_folder(self.account.account_id, new, NOW)).object_key

    def fill(self, folder_key: str, count: int) -> None:
        for start in range(0, count, 5000):
            objects = [self.file(folder_key, number) for number in range(start, min(count, start + 5000))]
            self.store.write(lambda unit, objects=objects: insert_objects(unit.sql, objects))  # type: ignore[misc]

    def file(self, folder_key: str, number: int) -> StoredObject:
        digest = hashlib.sha256(f"{folder_key}{number}".encode()).hexdigest()
        return StoredObject(
            account_id=self.account.account_id,
            object_key=new_key(),
            parent_key=folder_key,
            is_folder=False,
            status=ACTIVE,
            name=f"IMG_{number:06d} – Ferien am Meer.jpg",
            size=number * 1000,
            file_created_at=NOW - number,
            last_modified_at=NOW - number * 2,
            sha256=digest,
            md5=digest[:32],
            version=1,
            mime_type="image",
            mime_subtype="jpeg",
            source_name="DRIVE",
            source_folder="/DCIM/Camera",
            app_code="",
            is_hidden=False,
            is_locked=False,
            is_readonly=False,
            is_favorite=False,
            created_at=NOW,
            updated_at=NOW,
            arrived_at=NOW,
            trashed_at=0,
            taken_at=NOW - number,
            taken_day=1231,
        )

    def page(
        self, folder_key: str, *, offset: int = 0, sort: SortBy = SortBy.NAME, kind: Kind | None = Kind.FILE
    ) -> bytes:
        """A page as it goes over the wire."""
        account_id = self.account.account_id
        wanted = PageOf(folder_key=folder_key, kind=kind, sort=sort, limit=PAGE, offset=offset)
        with self.store.read() as unit:
            unit.tree.visible_folder(account_id, folder_key)
            rows = unit.tree.page(account_id, wanted)
            used = unit.quotas.get(account_id, NOW).used
        assert len(rows) == PAGE
        return b'{"usedSpace":%d,"objects":[%b]}' % (used, render_urls(b",".join(rows), "https://drive.example.org"))


def _account() -> NewAccount:
    return NewAccount(
        account_key=new_key(),
        root_key=new_key(),
        email=f"{new_key()}@example.org",
        first_name="A",
        last_name="B",
        password_hash="",
        default_space=10**15,
    )


def new_file(folder_key: str, name: str) -> NewFile:
    digest = hashlib.sha256((folder_key + name).encode()).hexdigest()
    return NewFile(
        object_key=new_key(),
        parent_key=folder_key,
        name=name,
        sha256=digest,
        md5=digest[:32],
        size=1000,
        location=f"location {digest}",
        category="photo",
        mime_type="image",
        mime_subtype="jpeg",
        file_created_at=NOW,
        last_modified_at=NOW,
        created_by="A",
    )


def _insert_rate(filled: SampleAccount, threads: int, seconds: float = 2.0) -> float:
    """Files put one by one, each answered only when it is on disk."""
    folder = filled.folder(filled.account.root_key, f"inserts by {threads}")
    numbers = itertools.count()
    until = time.perf_counter() + seconds

    def put_one() -> None:
        file = new_file(folder, f"file {next(numbers)}")
        filled.store.write(lambda unit: unit.files.put(filled.account.account_id, file, NOW, keep_versions=20))

    def work() -> int:
        done = 0
        while time.perf_counter() < until:
            put_one()
            done += 1
        return done

    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(lambda _: work(), range(threads))) / seconds


def _batch(filled: SampleAccount) -> float:
    """2,000 renames in one call."""
    account_id = filled.account.account_id
    with filled.store.read() as unit:
        children = unit.tree.children(account_id, filled.page_folder, limit=PAGE)
    changes = [Rename(one.object_key, f"{number} {one.name}") for number, one in enumerate(children)]
    return once(lambda: filled.store.write(lambda unit: unit.tree.apply(account_id, changes, NOW)))


def _huge_folder(filled: SampleAccount) -> tuple[float, float, float]:
    """Move, trash and restore of the folder that nearly everything is below."""
    account_id, key = filled.account.account_id, filled.archive
    write = filled.store.write
    move = once(lambda: write(lambda unit: unit.tree.apply(account_id, [Move(key, filled.elsewhere)], NOW)))
    trash = once(lambda: write(lambda unit: unit.tree.apply(account_id, [Trash(key)], NOW)))
    restore = once(lambda: write(lambda unit: unit.tree.restore(account_id, [key], NOW)))
    return move, trash, restore


def _measure(store: Store, objects: int) -> list[str]:
    filled = SampleAccount(store, objects)
    store.analyze()
    page = milliseconds(lambda: filled.page(filled.page_folder), rounds=31)
    by_date = milliseconds(lambda: filled.page(filled.page_folder, sort=SortBy.CREATED), rounds=31)
    both = milliseconds(lambda: filled.page(filled.page_folder, kind=None), rounds=31)
    deep = milliseconds(lambda: filled.page(filled.deep_folder, offset=filled.deep - PAGE), rounds=11)
    figures = [page, by_date, both, deep, _batch(filled), *_huge_folder(filled)]
    rates = [_insert_rate(filled, 1), _insert_rate(filled, 16), filled.fill_rate]
    return [f"{objects:,}", *map(short, figures), *map(short, rates)]


@contextmanager
def _stores() -> Iterator[dict[str, Store]]:
    with tempfile.TemporaryDirectory() as folder, running_postgres() as url:
        postgres = PostgresStore(fresh_schema(url, "bench"))
        postgres.migrate()
        stores: dict[str, Store] = {"SQLite": SqliteStore(Path(folder) / "metadata.db"), "PostgreSQL": postgres}
        try:
            yield stores
        finally:
            for store in stores.values():
                store.close()


def run(sizes: Sequence[int]) -> None:
    head = ["objects", "page ms", "by date", "both kinds", "deep page", "batch 2000"]
    head += ["move ms", "trash ms", "restore ms", "put/s 1", "put/s 16", "fill/s"]
    with _stores() as stores:
        for name, store in stores.items():
            rows = [_measure(store, objects) for objects in sizes]
            growth = ["growth"] + [
                short(_number(rows[-1][i]) / _number(rows[0][i])) + " ×" for i in range(1, len(head))
            ]
            print_table(
                f"{name}: pages of {PAGE:,} objects, encoded (a deep page is the last of up to {DEEP:,})",
                head,
                [*rows, growth],
                name=name,
            )


def _number(text: str) -> float:
    return float(text.replace(",", ""))
