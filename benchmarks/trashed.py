"""A trash with a great many objects in it, filled quickly: `python -m benchmarks.trashed --data DIR --user EMAIL`.

The rows are those that a million uploads and a million trashings would have left, counters, references and changes
included, so that `skyshelf admin doctor` finds nothing wrong with them. All files share one small content.
"""

import argparse
import time
from pathlib import Path

from skyshelf.storage.blobs.protocols import StoredBlob
from skyshelf.storage.metadata.contracts import changes as feed
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.contracts.tree import TRASHED, StoredObject
from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.metadata.sql.account_lock import NewChange, lock_account, record_changes
from skyshelf.storage.metadata.sql.content import refer_many
from skyshelf.storage.metadata.sql.files_bulk import insert_versions
from skyshelf.storage.metadata.sql.quota import add_used
from skyshelf.storage.metadata.sql.tree.objects import insert_objects, new_file
from skyshelf.storage.metadata.sql.unit import Unit
from skyshelf.storage.metadata.sqlite.store import SqliteStore
from skyshelf.storage.open import METADATA_FILE, embedded_urls, open_blobs
from skyshelf.wire.keys import RANDOM_BYTES, make_key

STEP = 5000
CONTENT = b"what a million files have in common"
Store = SqliteStore | PostgresStore


def fill_trash(store: Store, account: Account, blob: StoredBlob, objects: int, now: int) -> None:
    """Put that many trashed files into an account; each trashed separately."""
    for first in range(0, objects, STEP):
        numbers = range(first, min(objects, first + STEP))
        store.write(lambda unit, numbers=numbers: _fill(unit, account, blob, numbers, now))  # type: ignore[misc]


def _fill(unit: Unit, account: Account, blob: StoredBlob, numbers: range, now: int) -> None:
    sql, account_id = unit.sql, account.account_id
    lock = lock_account(sql, account_id)
    files = [_new_file(account, blob, number, now) for number in numbers]
    refer_many(sql, files, now)
    objects = [_trashed(new_file(account_id, file, now), now) for file in files]
    insert_objects(sql, objects)
    insert_versions(sql, list(zip(objects, files, strict=True)), now)
    add_used(sql, account_id, {"document": blob.size * len(files)})
    record_changes(sql, account_id, lock, [NewChange(feed.TRASHED, one.object_key) for one in objects], now, folders=())


def _new_file(account: Account, blob: StoredBlob, number: int, now: int) -> NewFile:
    return NewFile(
        object_key=make_key(now, number.to_bytes(RANDOM_BYTES, "big")),
        parent_key=account.root_key,
        name=f"trashed {number}.txt",
        sha256=blob.sha256,
        md5=blob.md5,
        size=blob.size,
        location=blob.location,
        category="document",
        mime_type="text",
        mime_subtype="plain",
        file_created_at=now,
        last_modified_at=now,
        created_by=account.first_name,
    )


def _trashed(stored: StoredObject, now: int) -> StoredObject:
    stored.status, stored.trashed_at = TRASHED, now
    return stored


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trashed", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the data folder of a service")
    parser.add_argument("--metadata", help="a PostgreSQL database instead of the embedded store")
    parser.add_argument("--blobs", help="a bucket instead of the folder")
    parser.add_argument("--user", required=True, help="whose trash it is")
    parser.add_argument("--objects", type=int, default=1_000_000)
    options = parser.parse_args()
    store = PostgresStore(options.metadata) if options.metadata else SqliteStore(options.data / METADATA_FILE)
    blobs = open_blobs(options.blobs or embedded_urls(options.data)[1])
    began = time.perf_counter()
    with store.read() as unit:
        account = unit.accounts.by_email(options.user)
    fill_trash(store, account, blobs.put([CONTENT]), options.objects, time.time_ns() // 1_000_000)
    store.close()
    blobs.close()
    print(f"{options.objects:,} objects are in the trash of {options.user}, {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
