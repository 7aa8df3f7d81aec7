"""Rewinds without a job: planned, run step by step, and compared."""

from collections.abc import Callable, Iterator

from tests.conformance.metadata.making import new_key
from tests.conformance.metadata.past import Seen, seen_now

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.history.rewinds import (
    PLANNING,
    Counts,
    Place,
    PlannedItem,
    Scope,
    StoredRewind,
)
from skyshelf.storage.metadata.store import MetadataStore, Unit

Tree = dict[str, tuple[object, ...]]


def scope_of(
    store: MetadataStore, account: Account, seq: int, at: int, *, folder_key: str | None = None, actor: str = ""
) -> Scope:
    with store.read() as unit:
        upto = unit.history.bounds(account.account_id).newest
    return Scope(seq=seq, at=at, upto=upto, folder_key=folder_key, actor=actor)


def planned(store: MetadataStore, account: Account, scope: Scope, *, limit: int = 7) -> list[PlannedItem]:
    """The whole plan, by small pages."""
    found: list[PlannedItem] = []
    after: Place | None = None
    with store.read() as unit:
        while True:
            page = unit.rewinds.plan(account.account_id, scope, limit=limit, after=after)
            found += page.found
            if page.next is None:
                return found
            after = page.next


def begin(
    store: MetadataStore,
    account: Account,
    scope: Scope,
    now: int,
    undo_of: str | None = None,
    *,
    asked_by: str = "device/session",
    keep: int = 1000,
) -> str:
    """A rewind that no step has been made of; its key."""
    rewind = StoredRewind(
        rewind_key=new_key(),
        account_id=account.account_id,
        state=PLANNING,
        scope=scope,
        asked_by=asked_by,
        undo_of=undo_of,
        created_at=now,
        updated_at=now,
        place=Place(),
        counts=Counts(),
    )
    assert store.write(lambda unit: unit.rewinds.add(rewind, keep=keep))
    return rewind.rewind_key


def steps(
    store: MetadataStore, account: Account, key: str, now: int, *, limit: int = 5, keep_versions: int = 20
) -> Iterator[None]:
    """All steps of a rewind, as its job makes them. Anything may happen in between."""
    account_id = account.account_id
    parts: list[Callable[[Unit], bool]] = [
        lambda unit: unit.purge.delete_batch(account_id, 50, now),
        lambda unit: unit.rewinds.collect_some(account_id, key, limit, now),
        lambda unit: unit.rewinds.apply_some(account_id, key, limit, now, keep_versions=keep_versions),
        lambda unit: unit.rewinds.link_some(account_id, key, limit, now),
        lambda unit: unit.rewinds.clear_some(account_id, key, limit),
    ]
    for part in parts:
        while store.write(part):
            yield


def run(store: MetadataStore, account: Account, scope: Scope, now: int, *, limit: int = 5) -> StoredRewind:
    """A whole rewind."""
    key = begin(store, account, scope, now)
    for _ in steps(store, account, key, now, limit=limit):
        pass
    return ended(store, account, key)


def ended(store: MetadataStore, account: Account, key: str) -> StoredRewind:
    with store.read() as unit:
        return unit.rewinds.get(account.account_id, key)


def tree(seen: Seen) -> Tree:
    """What was seen, but for the numbers of versions."""
    return {path: (*known[:5], *known[6:]) for path, known in seen.items()}


def tree_now(store: MetadataStore, account: Account) -> Tree:
    return tree(seen_now(store, account))
