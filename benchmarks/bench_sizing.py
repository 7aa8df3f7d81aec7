"""`./dev bench sizing`: bytes of the database per file, change and thumbnail, and how fast a backup is restored."""

import argparse
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import apsw
import psycopg
from tests.end_to_end.plain_client import PASSWORD, PlainClient
from tests.real_parts import shared
from tests.real_parts.postgres import fresh_database, running_postgres
from tests.real_parts.seaweedfs import ACCESS_KEY, SECRET_KEY
from tests.server.running import RunningServer

from benchmarks import crowd_fill
from benchmarks.bench_backup import SKYSHELF, Store, run, seconds
from benchmarks.tables import print_note, print_table, short
from skyshelf.service.accounts import accounts
from skyshelf.service.context import ServiceContext
from skyshelf.service.demo.generate import landscape
from skyshelf.service.history import logs
from skyshelf.storage.metadata.contracts.tree import Rename
from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.open import METADATA_FILE, embedded_urls, open_blobs, open_metadata

GROUPS: Final = {
    "the file and its version": ("objects", "versions", "folder_marks", "timeline_months"),
    "its content and where it is": ("blobs",),
    "the search index": ("search_",),
    "the feed and history of its creation": ("changes", "history_", "purged_", "kept_"),
}
RENAMES: Final = 5
PICTURES: Final = 20
FILE_BYTES: Final = 10_000
HOUR: Final = 3600


class Sizes:
    """The bytes of a database, by table with its indexes."""

    def __init__(self, url: str) -> None:
        self._url = url

    def by_table(self) -> dict[str, int]:
        if self._url.startswith("postgresql:"):
            with psycopg.connect(self._url, autocommit=True) as connection:
                connection.execute("VACUUM")
                found = connection.execute(
                    "SELECT relname, pg_total_relation_size(oid) FROM pg_class WHERE relkind = 'r'"
                    " AND relnamespace = 'public'::regnamespace"
                ).fetchall()
            return {str(name): int(size) for name, size in found}
        database = apsw.Connection(self._url.removeprefix("file://"))
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()
        rows: list[Any] = database.execute(
            "SELECT s.tbl_name, sum(d.pgsize) FROM dbstat d JOIN sqlite_schema s ON s.name = d.name GROUP BY 1"
        ).fetchall()
        database.close()
        return {str(name): int(size) for name, size in rows}

    def total(self) -> int:
        return sum(self.by_table().values())


@contextmanager
def _opened(metadata: str, blobs: str) -> Iterator[ServiceContext]:
    ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs))
    try:
        yield ctx
    finally:
        ctx.metadata.close()
        ctx.blobs.close()


def of_files(urls: tuple[str, str], options: argparse.Namespace) -> list[float]:
    """Bytes per file of each group, of all, and per change of a file."""
    sizes = Sizes(urls[0])
    with _opened(*urls) as ctx:
        crowd_fill.fill(ctx, urls[0], number=options.accounts, files=options.files)
        tables, files = sizes.by_table(), options.accounts * options.files
        found = [
            sum(size for name, size in tables.items() if name.startswith(group)) / files for group in GROUPS.values()
        ]
        found.append(sum(tables.values()) / files)
        account = accounts.add_account(ctx, "changes@example.org", "Ada", "Byron", PASSWORD, quota=1 << 40)
        keys = crowd_fill.put_some(ctx, account, options.files)
        logs.log_now(ctx, account.account_id)
        before = sizes.total()
        for number in range(RENAMES):
            for start in range(0, len(keys), 500):
                some = [Rename(key, f"IMG {number} {key}.jpg") for key in keys[start : start + 500]]
                ctx.metadata.write(lambda unit, some=some: unit.tree.apply(account.account_id, some, ctx.clock.now()))  # type: ignore[misc]
            logs.log_now(ctx, account.account_id)
        found.append((sizes.total() - before) / (RENAMES * len(keys)))
    return found


def of_thumbnails(folder: Path) -> list[list[str]]:
    """Thumbnails of generated landscapes, as the server makes and keeps them."""
    server = RunningServer(folder / "pictures")
    server.start()
    try:
        with _opened(*embedded_urls(server.data)) as ctx:
            accounts.add_account(ctx, "ada@example.org", "Ada", "Byron", PASSWORD)
            with PlainClient([server.url]).log_in("ada@example.org") as client:
                keys = [_uploaded(client, number) for number in range(PICTURES)]
                rows = []
                for size in (256, 1080):
                    before = sum(one.size for one in ctx.blobs.list())
                    for key in keys:
                        client.request("GET", f"/download/avimages/{key}?size={size}")
                    made = sum(one.size for one in ctx.blobs.list()) - before
                    rows.append([f"a thumbnail of {size} pixels, among the blobs", *[short(made / PICTURES)] * 2])
    finally:
        server.stop()
    return rows


def _uploaded(client: PlainClient, number: int) -> str:
    file = BytesIO()
    landscape(number).save(file, "JPEG", quality=90)
    found = client.upload(f"{number}.jpg", file.getvalue())
    return str(found.get("objectKey") or found["object"]["objectKey"])


def restores(folder: Path, files: int, environment: Callable[[str, str], None]) -> list[list[str]]:
    """How fast a backup of small files is made and restored, onto each stack."""
    store = Store(folder / "small")
    store.fill(files, FILE_BYTES)
    store.close()
    made = files / seconds(lambda: store.backup(folder / "cuts"))
    environment("AWS_ACCESS_KEY_ID", ACCESS_KEY)
    environment("AWS_SECRET_ACCESS_KEY", SECRET_KEY)
    s3 = shared.seaweedfs()
    s3.make_bucket("sizing")
    restored = folder / "restored"
    command = [SKYSHELF, "admin", "restore", str(folder / "cuts")]
    rates = {"first backup, to a disk": made}
    rates["restore to SQLite and disk"] = files / seconds(lambda: run([*command, "--data", str(restored)]))
    with running_postgres() as server:
        url = fresh_database(server, "restored")
        bucket = f"s3://sizing/restored?endpoint={s3.endpoint}"
        rates["restore to PostgreSQL and S3"] = files / seconds(
            lambda: run([*command, "--data", str(folder / "unused"), "--metadata", url, "--blobs", bucket])
        )
    return [[name, short(rate), short(10**6 / rate / HOUR), short(10**7 / rate / HOUR)] for name, rate in rates.items()]


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench sizing", description=__doc__)
    parser.add_argument("--accounts", type=int, default=20, help="with files (default: 20)")
    parser.add_argument("--files", type=int, default=2000, help="of each (default: 2,000)")
    parser.add_argument("--restored", type=int, default=5000, help="small files of a backup (default: 5,000)")
    parser.add_argument("--quick", action="store_true", help="a first look: small, and figures that scatter")
    options = parser.parse_args()
    if options.quick:
        options.accounts, options.files, options.restored = 4, 400, 300
    import pytest

    with tempfile.TemporaryDirectory(prefix="bench-sizing-") as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        data = folder / "data"
        data.mkdir(mode=0o700)
        urls = f"file://{data / METADATA_FILE}", embedded_urls(data)[1]
        sqlite = of_files(urls, options)
        with running_postgres() as server:
            url = fresh_database(server, "sizing")
            store = PostgresStore(url)
            store.migrate()
            store.close()
            postgresql = of_files((url, embedded_urls(folder / "blobs")[1]), options)
        names = [*GROUPS, "all of it, per file", "a change of a file, while history is kept"]
        rows = [[name, short(one), short(other)] for name, one, other in zip(names, sqlite, postgresql, strict=True)]
        rows += of_thumbnails(folder)
        files = options.accounts * options.files
        print_table(
            f"bytes, with indexes, in a store of {files:,} files with names of 14 characters",
            ["", "SQLite", "PostgreSQL"], rows, name="bytes",
        )  # fmt: skip
        print_table(
            f"{options.restored:,} files of {FILE_BYTES // 1000} KB, and hours for more, extrapolated from that rate",
            ["", "files/s", "hours for 1,000,000", "hours for 10,000,000"],
            restores(folder, options.restored, patch.setenv), name="recovery",
        )  # fmt: skip
        print_note("small files cost requests and syncs; of large files, the slowest disk or network decides")


if __name__ == "__main__":
    main()
