"""Accounts, folders and files for tests, made through the store's own calls."""

import hashlib
import itertools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, TypeVar

from skyshelf.storage.metadata.contracts.accounts import Account, NewAccount
from skyshelf.storage.metadata.contracts.files import NewFile, PutOutcome
from skyshelf.storage.metadata.contracts.sessions import NewPasskey
from skyshelf.storage.metadata.contracts.tree import NewFolder, Outcome, StoredObject, Trash, TreeChange
from skyshelf.storage.metadata.sql.statements import Sql, raw
from skyshelf.storage.metadata.sql.tree.objects import insert_objects
from skyshelf.storage.metadata.store import MetadataStore, Unit
from skyshelf.wire.keys import RANDOM_BYTES, make_key
from skyshelf.wire.names import category, split_mime

T = TypeVar("T")

NOW = 1_700_000_000_000
"""A moment for tests that do not care which."""

GIB = 1 << 30
_numbers = itertools.count(1)


def new_key() -> str:
    """A new key."""
    return make_key(NOW + next(_numbers), os.urandom(RANDOM_BYTES))


def make_account(
    store: MetadataStore, email: str | None = None, *, default_space: int = 100 * GIB, now: int = NOW
) -> Account:
    """Open an account; the address is a new one unless it is given."""
    new = NewAccount(
        account_key=new_key(),
        root_key=new_key(),
        email=email or f"person-{next(_numbers)}@example.org",
        first_name="Ada",
        last_name="Byron",
        password_hash="",
        default_space=default_space,
    )
    return store.write(lambda unit: unit.accounts.add(new, now))


def make_folder(store: MetadataStore, account: Account, parent_key: str, name: str, *, now: int = NOW) -> StoredObject:
    """Add a folder."""
    new = NewFolder(object_key=new_key(), parent_key=parent_key, name=name)
    return store.write(lambda unit: unit.tree.add_folder(account.account_id, new, now))


def insert_chain(sql: Sql, folders: Sequence[StoredObject]) -> None:
    """Insert folders in each other, the outermost first, past every limit on how deep they may be nested."""
    insert_objects(sql, folders)
    path = 0
    for levels, folder in enumerate(reversed(folders)):
        sql.run(
            "UPDATE objects SET levels_below = :levels, path_below = :path"
            " WHERE account_id = :account AND object_key = :key",
            {"levels": levels, "path": path, "account": folder.account_id, "key": raw(folder.object_key)},
        )
        path += len(folder.name.encode()) + 1


def new_file(parent_key: str, name: str, data: bytes = b"some bytes", **fields: Any) -> NewFile:
    """A file as it arrives, at a unique location, like one that a blob store has just given out."""
    mime_type, mime_subtype = split_mime(name)
    usual: dict[str, Any] = {
        "object_key": new_key(),
        "parent_key": parent_key,
        "name": name,
        "sha256": hashlib.sha256(data).hexdigest(),
        "md5": hashlib.md5(data, usedforsecurity=False).hexdigest(),
        "size": len(data),
        "location": f"blob-{new_key()}",
        "category": category(fields.get("mime_type", mime_type)),
        "mime_type": mime_type,
        "mime_subtype": mime_subtype,
        "file_created_at": NOW - 2000,
        "last_modified_at": NOW - 1000,
        "created_by": "Ada",
    }
    return NewFile(**(usual | fields))


def put_file(
    store: MetadataStore,
    account: Account,
    parent_key: str,
    name: str,
    data: bytes = b"some bytes",
    *,
    now: int = NOW,
    keep_versions: int = 20,
    upload_key: str | None = None,
    **fields: Any,
) -> PutOutcome:
    """Put a file, or its next version; fields are those of NewFile."""
    file = new_file(parent_key, name, data, **fields)
    return store.write(
        lambda unit: unit.files.put(account.account_id, file, now, keep_versions=keep_versions, upload_key=upload_key)
    )


def apply(store: MetadataStore, account: Account, *changes: TreeChange, now: int = NOW) -> list[Outcome]:
    """Apply changes of the tree as one batch."""
    return store.write(lambda unit: unit.tree.apply(account.account_id, changes, now))


def trash(store: MetadataStore, account: Account, *object_keys: str, now: int = NOW) -> None:
    """Trash objects; none may be refused."""
    outcomes = apply(store, account, *(Trash(key) for key in object_keys), now=now)
    assert all(isinstance(outcome, StoredObject) for outcome in outcomes), outcomes


def restore(store: MetadataStore, account: Account, *object_keys: str, now: int = NOW) -> list[StoredObject]:
    """Restore objects; none may be refused."""
    outcomes = store.write(lambda unit: unit.tree.restore(account.account_id, object_keys, now))
    restored = [outcome for outcome in outcomes if isinstance(outcome, StoredObject)]
    assert len(restored) == len(outcomes), outcomes
    return restored


def mark_for_deletion(store: MetadataStore, account: Account, *object_keys: str, now: int = NOW) -> list[str]:
    """Mark trashed objects for deletion; returns those that were in the trash."""
    return store.write(lambda unit: unit.purge.mark_for_deletion(account.account_id, object_keys, now))


def purge_all(store: MetadataStore, account: Account, *, limit: int = 100, now: int = NOW) -> int:
    """Purge until nothing is left to purge; how many calls that took."""
    for calls in itertools.count(1):
        if not store.write(lambda unit: unit.purge.delete_batch(account.account_id, limit, now)):
            return calls
        assert calls < 10_000, "the purge does not come to an end"
    raise AssertionError("unreachable")


def in_parallel(threads: int, work: Callable[[int], T]) -> list[T]:
    """Run work(number) in that many threads, all let go at the same moment; what each returned, in order."""
    start = Barrier(threads)

    def begin(number: int) -> T:
        start.wait()
        return work(number)

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(begin, range(threads)))


def fill_folder(store: MetadataStore, account: Account, folder_key: str, count: int) -> None:
    """Add that many folders and as many files, in one write, with names and values of which many tie."""
    folders = [NewFolder(object_key=new_key(), parent_key=folder_key, name=_tying(number)) for number in range(count)]
    files = [
        new_file(
            folder_key,
            f"{_tying(number)}.txt",
            b"x" * (number % 4),
            file_created_at=NOW - number % 5,
            last_modified_at=NOW + number % 3,
        )
        for number in range(count)
    ]

    def work(unit: Unit) -> None:
        for number, folder in enumerate(folders):
            unit.tree.add_folder(account.account_id, folder, NOW + number % 4)
        for file in files:
            unit.files.put(account.account_id, file, NOW, keep_versions=1)

    store.write(work)


def _tying(number: int) -> str:
    """Names of which each differs from three others by case alone."""
    spellings = ("straße {}", "STRASSE {}", "Straße {}", "strasse {}")
    return spellings[number % 4].format(number // 4)


def a_passkey(**fields: Any) -> NewPasskey:
    """A passkey that no account has."""
    key = new_key()
    usual: dict[str, Any] = {
        "passkey_key": key,
        "credential_id": key.encode(),
        "public_key": b"public key",
        "sign_count": 0,
        "host": "drive.example.org",
        "name": "Key",
        "transports": "internal",
        "is_discoverable": True,
        "is_verifying": True,
        "can_be_backed_up": True,
        "is_backed_up": False,
    }
    return NewPasskey(**(usual | fields))
