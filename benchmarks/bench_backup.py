"""`./dev bench backup`: the first backup of large files compared with `cp -r` and `sync`, the next backup of many,
and the restore of many into a bucket compared with plain PUTs.

Every backup is the command, its start included, of an otherwise idle store, to the same disk. Of the many files
only the new ones have contents: the first backup finds a note that says that all others were copied.
"""

import argparse
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import obstore
import psycopg
from tests.real_parts.postgres import fresh_database, running_postgres
from tests.real_parts.seaweedfs import ACCESS_KEY, SECRET_KEY, running_seaweedfs

from benchmarks.metadata import NOW, new_key
from benchmarks.tables import print_note, print_table, short
from skyshelf.backup import open_place
from skyshelf.backup.contents import Journal
from skyshelf.backup.cut import manifests
from skyshelf.backup.inventory import Entry
from skyshelf.storage.blobs.disk.layout import new_location
from skyshelf.storage.blobs.object_store.objects import store_at
from skyshelf.storage.blobs.protocols import StoredBlob
from skyshelf.storage.identity import check_identity
from skyshelf.storage.metadata.contracts.accounts import Account, NewAccount
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.contracts.tree import NewFolder
from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.transfer.changed_rows import copy_changed_rows
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata

SKYSHELF = str(Path(sys.executable).parent / "skyshelf")
MIB = 1024 * 1024
AT_ONCE = 2000
SMALL = 200
NEW = 100
PUTS_AT_ONCE = 32
FILES_EACH = 200


class Store:
    """A data folder with one account or some more, filled past the service."""

    def __init__(self, data: Path, database: str | None = None, accounts: int = 1) -> None:
        self.data = data
        metadata, blobs = embedded_urls(data)
        self.database = database
        if database is not None:
            data.mkdir(mode=0o700)
            store = PostgresStore(database)
            store.migrate()
            store.close()
        self._rows, self._blobs = open_metadata(database or metadata), open_blobs(blobs)
        check_identity(self._rows, self._blobs)
        self._accounts = [self._rows.write(partial(_add_account, number=number)) for number in range(accounts)]
        self._account = self._accounts[0]
        self._noise = random.Random(1)
        self._count = 0

    def of(self, number: int) -> "Store":
        """Fill this account from now on."""
        self._account = self._accounts[number]
        return self

    def fill(self, files: int, size: int) -> None:
        """Files with random content, at most AT_ONCE in a folder."""
        for start in range(0, files, AT_ONCE):
            with self._blobs.batch() as batch:
                blobs = [batch.put(self._bytes(size)) for _ in range(start, min(files, start + AT_ONCE))]
                batch.seal()
            self._add(blobs)

    def fill_rows(self, files: int, size: int) -> Iterator[Entry]:
        """Rows of files whose contents are nowhere, and what a backup would have noted about those."""
        for start in range(0, files, AT_ONCE):
            digests = [self._noise.randbytes(32) for _ in range(start, min(files, start + AT_ONCE))]
            self._add([StoredBlob(new_location(one.hex(), size), size, one[:16].hex(), one.hex()) for one in digests])
            yield from (Entry(one, size, one) for one in digests)

    def _add(self, blobs: Sequence[StoredBlob]) -> None:
        folder = NewFolder(object_key=new_key(), parent_key=self._account.root_key, name=f"folder {self._count}")
        files = [self._file(folder.object_key, blob) for blob in blobs]

        def work(unit: Unit) -> None:
            unit.tree.add_folder(self._account.account_id, folder, NOW)
            unit.files.put_many(self._account.account_id, files, NOW, keep_versions=20)

        self._rows.write(work)

    def _bytes(self, size: int) -> list[bytes]:
        return [self._noise.randbytes(min(MIB, size - at)) for at in range(0, size, MIB)]

    def _file(self, folder: str, blob: StoredBlob) -> NewFile:
        self._count += 1
        return NewFile(
            object_key=new_key(),
            parent_key=folder,
            name=f"file {self._count}.bin",
            sha256=blob.sha256,
            md5=blob.md5,
            size=blob.size,
            location=blob.location,
            category="document",
            mime_type="application",
            mime_subtype="octet-stream",
            file_created_at=NOW,
            last_modified_at=NOW,
            created_by="A",
        )

    def close(self) -> None:
        self._rows.close()
        self._blobs.close()

    def backup(self, destination: Path | str, *options: str) -> None:
        where = ["--data", str(self.data)] + (["--metadata", self.database] if self.database else [])
        run([SKYSHELF, "admin", "backup", str(destination), *where, *options])


def _add_account(unit: Unit, number: int) -> Account:
    account = NewAccount(
        account_key=new_key(),
        root_key=new_key(),
        email=f"bench-{number}@example.org",
        first_name="A",
        last_name="B",
        password_hash="-",
        default_space=2**60,
    )
    return unit.accounts.add(account, NOW)


def run(command: list[str]) -> None:
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise RuntimeError(f"{' '.join(command[:4])} failed: {ended.stderr[-2000:]}")


def seconds(work: Callable[[], object]) -> float:
    os.sync()
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def costs(work: Callable[[], object]) -> tuple[float, float]:
    """Return seconds, and those of the processor that the command took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = seconds(work)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def large_files(own: Path, total: int, rounds: int) -> None:
    """Both in turn, because disks and neighbours change their pace."""
    store, size = Store(own / "large"), 64 * MIB
    store.fill(total // size, size)
    store.close()
    ours, theirs = [], []

    def copy() -> None:
        run(["cp", "-r", str(store.data), str(own / "copy")])
        os.sync()

    for _ in range(rounds):
        theirs.append(seconds(copy))
        shutil.rmtree(own / "copy")
        ours.append(seconds(lambda: store.backup(own / "first")))
        shutil.rmtree(own / "first")
    ratios = [their / our for their, our in zip(theirs, ours, strict=True)]
    rows = [
        ["cp -r, sync", short(statistics.median(theirs)), short(total / statistics.median(theirs) / 1e6), "1"],
        [
            "skyshelf admin backup",
            short(statistics.median(ours)),
            short(total / statistics.median(ours) / 1e6),
            short(statistics.median(ratios)),
        ],
    ]
    print_table(
        f"a first backup of {total / 2**30:.1f} GiB in files of 64 MiB",
        ["", "s", "MB/s", "of cp"],
        rows,
        name="large files",
    )
    print_note(f"medians of {rounds}; ratios of each round: {', '.join(map(short, ratios))}")
    shutil.rmtree(own / "large")


def many_files(own: Path, objects: int) -> None:
    store = Store(own / "many")
    place = open_place(str(own / "cuts"), create=True)
    Journal(place, encrypted=False).note(list(store.fill_rows(objects, SMALL)))
    rows = [["first, without contents", short(seconds(lambda: store.backup(own / "cuts")))]]
    rows.append(["next, nothing new", short(seconds(lambda: store.backup(own / "cuts")))])
    for _ in range(2):
        store.fill(NEW, SMALL)
        rows.append([f"next, {NEW} new", short(seconds(lambda: store.backup(own / "cuts")))])
    store.close()
    database = (own / "many" / "metadata.db").stat().st_size
    title = f"{objects:,} files of {SMALL} bytes, SQLite, {database / 1e6:,.0f} MB of rows"
    print_table(title, ["backup", "s"], rows, name="many files")


def rows_of_postgresql(own: Path, objects: int) -> None:
    """The next backup of a store in PostgreSQL, and how long its parts take on their own."""
    with running_postgres() as postgres:
        url = fresh_database(postgres, "bench")
        store = Store(own / "postgresql", url)
        place = open_place(str(own / "cuts of postgresql"), create=True)
        Journal(place, encrypted=False).note(list(store.fill_rows(objects, SMALL)))
        store.backup(own / "cuts of postgresql")
        rows = [["next, nothing new", short(seconds(lambda: store.backup(own / "cuts of postgresql")))]]
        store.close()
        sizes: list[int] = []
        rows.append(
            ["of it: all rows out of the database (COPY)", short(seconds(lambda: sizes.append(copied_out(url))))]
        )
        made = own / "rows.db"
        rows.append(
            [
                "of it: the same as a SQLite file",
                short(seconds(lambda: copy_changed_rows(url, made, None, lambda *_: set(), lambda _: False))),
            ]
        )
    title = f"{objects:,} files, rows in PostgreSQL, {sizes[0] / 1e6:,.0f} MB of them"
    print_table(title, ["backup", "s"], rows, name="rows in PostgreSQL")


def restored_to_s3(own: Path, objects: int, rounds: int) -> None:
    """The restore of many small files into a bucket, in turn with plain PUTs of as many bytes to the same server."""
    with running_seaweedfs() as server:
        os.environ |= {"AWS_ACCESS_KEY_ID": ACCESS_KEY, "AWS_SECRET_ACCESS_KEY": SECRET_KEY}
        server.make_bucket("bench")
        store = Store(own / "to restore")
        store.fill(objects, SMALL)
        store.close()
        bucket = f"s3://bench/cuts?endpoint={server.endpoint}"
        for destination in (own / "cuts to restore", bucket):
            store.backup(destination)
        puts, restores = [], {"a folder": list[float](), "a bucket": list[float]()}
        for number in range(rounds):
            blobs = f"s3://bench/plain{number}?endpoint={server.endpoint}"
            puts.append(objects / seconds(lambda blobs=blobs: plain_puts(blobs, objects)))  # type: ignore[misc]
            for source, found in restores.items():
                destination = str(own / "cuts to restore") if source == "a folder" else bucket
                made = own / f"restored {source} {number}"
                target = ["--data", str(made), "--blobs", f"s3://bench/{source[2:]}{number}?endpoint={server.endpoint}"]
                command = [SKYSHELF, "admin", "restore", destination, *target]
                found.append(objects / seconds(lambda command=command: run(command)))  # type: ignore[misc]
    limit = statistics.median(puts)
    rows = [[f"plain PUTs, {PUTS_AT_ONCE} at once", short(limit), "1"]]
    for source, found in restores.items():
        ratios = [one / put for one, put in zip(found, puts, strict=True)]
        rows.append([f"restore from {source}", short(statistics.median(found)), short(statistics.median(ratios))])
    title = f"{objects:,} files of {SMALL} bytes into a bucket of SeaweedFS on this machine, each PUT synced"
    print_table(title, ["", "objects/s", "of PUTs"], rows, name="restore into S3")
    print_note(f"medians of {rounds}; start of the command and rows included")


def plain_puts(url: str, objects: int) -> None:
    """Put as many objects as a restore does, and nothing else."""
    target = store_at(urlsplit(url), "blobs", RuntimeError)  # type: ignore[arg-type]
    data = os.urandom(SMALL)
    with ThreadPoolExecutor(PUTS_AT_ONCE) as threads:
        for _ in threads.map(lambda number: obstore.put(target, f"{number:08}", data), range(objects)):
            pass


def changed_accounts(own: Path, accounts: int, files: int, rounds: int) -> None:
    """A backup after one in a hundred accounts has a new file, as a share of one with all rows, in turn."""
    with running_postgres() as postgres:
        store = Store(own / "accounts", fresh_database(postgres, "accounts"), accounts)
        entries = [entry for number in range(accounts) for entry in store.of(number).fill_rows(files, SMALL)]
        full: list[tuple[float, float]] = []
        idle: list[tuple[float, float]] = []
        changed: list[tuple[float, float]] = []
        written: list[float] = []
        for turn in range(rounds):
            cuts = own / f"cuts of accounts {turn}"
            Journal(open_place(str(cuts), create=True), encrypted=False).note(entries)
            full.append(costs(partial(store.backup, cuts)))
            idle.append(costs(partial(store.backup, cuts)))
            for number in range(turn, accounts, 100):
                store.of(number).fill(1, SMALL)
            changed.append(costs(partial(store.backup, cuts)))
            made = [one.cut.new_bytes for one in manifests(open_place(str(cuts))) if one.cut is not None]
            written.append(made[-1] / made[0])
        store.close()
    names = ["all rows", "nothing new", "1 % of the accounts changed"]
    rows = []
    for name, found in zip(names, (full, idle, changed), strict=True):
        shares = [one[0] / all_rows[0] for one, all_rows in zip(found, full, strict=True)]
        times = [statistics.median(column) for column in zip(*found, strict=True)]
        rows.append([name, *map(short, times), short(statistics.median(shares))])
    title = f"{accounts:,} accounts with {files:,} files each, rows in PostgreSQL"
    print_table(title, ["backup", "s", "processor s", "s, of all rows"], rows, name="changed accounts")
    shares_written = ", ".join(map(short, written))
    print_note(f"medians of {rounds}; bytes written with 1 % changed, of those with all rows: {shares_written}")


def copied_out(url: str) -> int:
    """The least that reading all rows can take; how many bytes they are."""
    found = 0
    with psycopg.connect(url) as connection:
        names = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()").fetchall()
        for (name,) in names:
            with connection.cursor().copy(f"COPY {name} TO STDOUT (FORMAT binary)".encode()) as copying:
                for piece in copying:
                    found += len(piece)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench backup", description=__doc__)
    parser.add_argument("--large", type=float, default=1.0, help="GiB of large files (default: 1)")
    parser.add_argument("--rounds", type=int, default=3, help="backups and copies of them (default: 3)")
    parser.add_argument("--objects", type=int, default=20_000, help="small files (default: 20,000)")
    parser.add_argument("--postgresql", type=int, default=5_000, help="files in PostgreSQL (default: 5,000)")
    parser.add_argument("--restored", type=int, default=1_000, help="small files into a bucket (default: 1,000)")
    parser.add_argument("--folder", type=Path, help="where to work; needs four times the space of the files")
    parser.add_argument("--accounts", type=int, default=200, help="accounts in PostgreSQL (default: 200)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        if options.large:
            large_files(Path(name), int(options.large * 2**30), options.rounds)
        if options.objects:
            many_files(Path(name), options.objects)
        if options.postgresql:
            rows_of_postgresql(Path(name), options.postgresql)
        if options.restored:
            restored_to_s3(Path(name), options.restored, options.rounds)
        if options.accounts:
            changed_accounts(Path(name), options.accounts, FILES_EACH, options.rounds)


if __name__ == "__main__":
    main()
