"""What tests read: listings as names, objects as clients see them, and whether the counters are right."""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from skyshelf.storage.metadata.contracts.accounts import Account, Quota
from skyshelf.storage.metadata.contracts.changes import Change
from skyshelf.storage.metadata.contracts.tree import PageOf, StoredObject
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.storage.metadata.wire_cache import render_urls

T = TypeVar("T")

ORIGIN = "https://drive.example.org"
EVERYTHING = 100_000


def shown(wire: bytes) -> dict[str, Any]:
    """An encoded object as a client reads it."""
    decoded: dict[str, Any] = msgspec.json.decode(render_urls(wire, ORIGIN))
    return decoded


def keys_of(wires: Sequence[bytes]) -> list[str]:
    return [shown(wire)["objectKey"] for wire in wires]


def names_of(wires: Sequence[bytes]) -> list[str]:
    return [shown(wire)["objectName"] for wire in wires]


def listing(store: MetadataStore, account: Account, folder_key: str) -> list[str]:
    """The names in a folder, in their order."""
    with store.read() as unit:
        return names_of(unit.tree.page(account.account_id, PageOf(folder_key=folder_key, limit=EVERYTHING)))


def trash_listing(store: MetadataStore, account: Account) -> list[str]:
    """The keys in the trash, newest first."""
    with store.read() as unit:
        return keys_of(unit.tree.trash_page(account.account_id, limit=EVERYTHING))


def stored(store: MetadataStore, account: Account, object_key: str) -> StoredObject:
    with store.read() as unit:
        return unit.tree.get(account.account_id, object_key)


def changes_of(store: MetadataStore, account: Account, since: int = 0) -> list[Change]:
    with store.read() as unit:
        return unit.changes.since(account.account_id, since, EVERYTHING)


def quota_of(store: MetadataStore, account: Account, now: int = 0) -> Quota:
    with store.read() as unit:
        return unit.quotas.get(account.account_id, now)


def assert_books_balance(store: MetadataStore, *accounts: Account) -> None:
    """Every counter equals what it counts, and the feed has no hole."""
    with store.snapshot() as unit:
        assert unit.inspection.miscounted(limit=10) == []
        for account in accounts:
            assert unit.quotas.get(account.account_id, 0) == unit.quotas.recount(account.account_id, 0)
            feed = unit.changes.since(account.account_id, 0, EVERYTHING)
            assert [change.seq for change in feed] == list(range(1, len(feed) + 1))
            assert unit.changes.newest(account.account_id) == len(feed)
