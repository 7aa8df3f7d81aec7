"""Bounds of an account: each is reached, refused beyond it with what to do, and shown to the account's owner."""

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.board_making import file_of, make_board, show
from tests.conformance.metadata.making import (
    NOW,
    a_passkey,
    apply,
    make_account,
    mark_for_deletion,
    new_key,
    purge_all,
    put_file,
    trash,
)
from tests.conformance.metadata.test_archives import add as add_archive
from tests.conformance.metadata.test_board_comments import comment
from tests.conformance.metadata.test_contacts import add as add_contacts
from tests.conformance.metadata.test_contacts import named
from tests.conformance.metadata.test_delegations import add_delegation
from tests.conformance.metadata.test_webdav import add_app

from skyshelf.storage.errors import LimitReached
from skyshelf.storage.metadata.contracts.accounts import Account, NewDevice
from skyshelf.storage.metadata.contracts.files import NewUpload
from skyshelf.storage.metadata.contracts.sessions import AppScope, NewIdentity
from skyshelf.storage.metadata.contracts.shares import NewShare
from skyshelf.storage.metadata.contracts.tree import DeadProperty, Lock, NewTag, SetFavorite
from skyshelf.storage.metadata.sql.bounds import BOUNDS, KeptKind
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import limits

_NUMBERS = count()
DEVICE = f"{'d' * 36}/session"


def name() -> str:
    return f"name {next(_NUMBERS)}"


def as_device(store: Store, work: Callable[[Unit], Any]) -> Any:
    def acting(unit: Unit) -> Any:
        unit.act_as(DEVICE)
        return work(unit)

    return store.write(acting)


def add_tag(store: Store, account: Account) -> None:
    key = file_of(store, account, name())
    new = NewTag(tag_key=new_key(), name=name())
    as_device(store, lambda unit: unit.tags.add(account.account_id, [key], new, NOW))


def add_share(store: Store, account: Account) -> None:
    new = NewShare(share_key=(key := new_key()), token_hash=key.encode(), name="", object_keys=[])
    new.object_keys.append(file_of(store, account, name()))
    as_device(store, lambda unit: unit.shares.add(account.account_id, new, NOW))


def add_upload(store: Store, account: Account) -> None:
    new = NewUpload(upload_key=new_key(), parent_key=account.root_key, name=name(), size=1, md5="0" * 32, details=b"{}")
    store.write(lambda unit: unit.uploads.begin(account.account_id, new, NOW))


def add_lock(store: Store, account: Account) -> None:
    lock = Lock(
        lock_key=new_key(),
        object_key=account.root_key,
        is_exclusive=False,
        is_deep=False,
        owner="",
        expires_at=NOW + 10,
    )
    store.write(lambda unit: unit.locks.add(account.account_id, lock, NOW))


def remove_contact(store: Store, account: Account) -> None:
    (key,) = add_contacts(store, account, *named(name()))
    store.write(lambda unit: unit.contacts.remove(account.account_id, [key], NOW))


def set_property(store: Store, account: Account) -> None:
    value = DeadProperty("urn:x", name(), "v" * 100)
    store.write(lambda unit: unit.dead_properties.set(account.account_id, account.root_key, [value]))


def add_device(store: Store, account: Account) -> None:
    new = NewDevice(device_key=name(), device_name="d", platform_type="App")
    store.write(lambda unit: unit.devices.register(account.account_id, new, NOW))


def add_identity(store: Store, account: Account) -> None:
    new = NewIdentity(issuer=f"https://{next(_NUMBERS)}.example.org", subject="7", email="")
    store.write(lambda unit: unit.identities.add(account.account_id, new, NOW))


def on_board(add: Callable[[Store, Account, str], object]) -> Callable[[Store, Account], None]:
    boards: dict[str, str] = {}

    def adding(store: Store, account: Account) -> None:
        if account.account_key not in boards:
            boards[account.account_key] = make_board(store, account)
        add(store, account, boards[account.account_key])

    return adding


ADDING: dict[str, Callable[[Store, Account], object]] = {
    "tags": add_tag,
    "taggedObjects": add_tag,
    "linkChanges": add_tag,
    "shares": add_share,
    "sharedObjects": add_share,
    "boards": make_board,
    "boardFiles": on_board(lambda store, account, board: show(store, account, board, file_of(store, account, name()))),
    "comments": on_board(lambda store, account, board: comment(store, account, board, "Hello")),
    "contacts": lambda store, account: add_contacts(store, account, *named(name())),
    "contactBytes": lambda store, account: add_contacts(store, account, *named(name() + "x" * 300)),
    "formerRows": remove_contact,
    "formerBytes": remove_contact,
    "uploads": add_upload,
    "archives": add_archive,
    "locks": add_lock,
    "properties": set_property,
    "propertyBytes": set_property,
    "devices": add_device,
    "appPasswords": lambda store, account: add_app(store, account, (key := name()).encode(), AppScope(), key),
    "delegations": lambda store, account: add_delegation(store, account, (key := name()).encode(), key),
    "passkeys": lambda store, account: store.write(
        lambda unit: unit.passkeys.add(account.account_id, a_passkey(), NOW)
    ),
    "identities": add_identity,
}
REPLACING = {"archives", "devices"}
"""Those whose oldest make way for a new one."""


def kept(store: Store, account: Account, kind: str) -> KeptKind:
    with store.read() as unit:
        return next(one for one in unit.usage.kept(account.account_id, NOW) if one.kind == kind)


@pytest.mark.parametrize("kind", BOUNDS)
def test_an_account_reaches_each_bound_and_no_more(
    store: Store, account: Account, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = ADDING[kind]
    add(store, account)
    add(store, account)
    most = kept(store, account, kind).used
    assert most >= 2
    monkeypatch.setattr(limits, BOUNDS[kind].limit, most)
    if kind in REPLACING:  # tests of devices and archives say which
        return
    with pytest.raises(LimitReached, match="at most"):
        add(store, account)
    assert kept(store, account, kind) == KeptKind(kind, most, most, is_bytes=bool(BOUNDS[kind].size))
    add(store, make_account(store))
    monkeypatch.undo()
    add(store, account)
    assert kept(store, account, kind).used > most


def test_the_quota_bounds_the_changes_that_history_keeps(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skyshelf.storage.metadata.sql.account_lock.CHANGES_ALWAYS", 3)
    small = make_account(store, default_space=2 * limits.CHANGE_QUOTA_BYTES)
    large = make_account(store, default_space=10 * limits.CHANGE_QUOTA_BYTES)

    def mark(account: Account, key: str, value: bool) -> None:
        as_device(store, lambda unit: unit.tree.apply(account.account_id, [SetFavorite(key, value)], NOW))

    def revoke_a_link(account: Account, key: str) -> bool:
        new = NewShare(share_key=new_key(), token_hash=new_key().encode(), name="", object_keys=[key])
        store.write(lambda unit: unit.shares.add(account.account_id, new, NOW))
        return bool(as_device(store, lambda unit: unit.shares.revoke(account.account_id, new.share_key, NOW)))

    for account, most in ((small, 5), (large, 13)):
        key = file_of(store, account, "a")
        for number in range(most - 1):
            mark(account, key, number % 2 == 0)
        assert kept(store, account, "changes") == KeptKind("changes", most, most, is_bytes=False)
        with pytest.raises(LimitReached, match=f"with {most} changes"):
            mark(account, key, most % 2 == 1)
        # What the service itself does goes on, and a device can still end a link.
        apply(store, account, SetFavorite(key, most % 2 == 1))
        assert revoke_a_link(account, key)


def test_forgotten_changes_count_for_the_proof_that_keeps_their_hashes(
    store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody who forgets a full history again and again would fill the disk with hashes."""
    account_id, key = account.account_id, file_of(store, account, "a")
    monkeypatch.setattr("skyshelf.storage.metadata.sql.account_lock.PROOF_BYTES_ALWAYS", 4 * limits.PROOF_CHANGE_BYTES)
    monkeypatch.setattr("skyshelf.storage.metadata.sql.account_lock.PROOF_QUOTA_SHARE", 1 << 60)

    def mark(value: bool) -> None:
        as_device(store, lambda unit: unit.tree.apply(account_id, [SetFavorite(key, value)], NOW))

    for number in range(3):
        mark(number % 2 == 0)
        store.write(lambda unit: unit.history.forget(account_id, NOW))
    most = 4 * limits.PROOF_CHANGE_BYTES
    assert kept(store, account, "proofBytes") == KeptKind("proofBytes", most, most, is_bytes=True)
    with pytest.raises(LimitReached, match="with 4 changes ever: ask the operator"):
        mark(value=False)
    apply(store, account, SetFavorite(key, False))


def test_a_tag_that_is_renamed_again_and_again_stops_at_the_bound(
    store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = file_of(store, account, "a")
    new = NewTag(tag_key=new_key(), name="a")
    as_device(store, lambda unit: unit.tags.add(account.account_id, [key], new, NOW))
    monkeypatch.setattr(limits, "LINK_CHANGES_MAX", 5)

    def rename(name: str) -> None:
        as_device(store, lambda unit: unit.tags.rename(account.account_id, new.tag_key, name, NOW))

    rename("0")
    rename("1")
    with pytest.raises(LimitReached, match="forget it"):
        rename("b")
    # What lets people out is never refused.
    assert as_device(store, lambda unit: unit.tags.remove(account.account_id, [key], new.tag_key, NOW)) == [key]


def test_copies_of_properties_count_their_bytes(
    store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = file_of(store, account, "a"), file_of(store, account, "b")
    value = DeadProperty("urn:x", "ä", "ü" * 100)
    store.write(lambda unit: unit.dead_properties.set(account.account_id, first, [value]))
    used = kept(store, account, "propertyBytes").used
    assert used == len("urn:x") + 2 + 200
    monkeypatch.setattr(limits, "DEAD_PROPERTIES_OF_ACCOUNT_BYTES_MAX", 2 * used - 1)
    with pytest.raises(LimitReached, match="WebDAV properties in all"):
        store.write(lambda unit: unit.dead_properties.copy(account.account_id, [(first, second)]))
    # A shorter value, and one that replaces another of its size, need no room.
    store.write(lambda unit: unit.dead_properties.set(account.account_id, first, [value]))
    monkeypatch.setattr(limits, "DEAD_PROPERTIES_OF_ACCOUNT_BYTES_MAX", 2 * used)
    assert store.write(lambda unit: unit.dead_properties.copy(account.account_id, [(first, second)])) == 1


def test_a_deleted_object_keeps_no_long_source_folder(store: Store, account: Account) -> None:
    """Making and deleting would otherwise store 16 KiB each, without any limit in bytes."""
    folder = "/".join("x" * 100 for _ in range(20))
    made = put_file(store, account, account.root_key, "a", source_folder=folder).object
    trash(store, account, made.object_key)
    mark_for_deletion(store, account, made.object_key)
    purge_all(store, account)
    with store.read() as unit:
        size = unit.sql.number("SELECT max(length(state)) FROM purged_objects")
    assert size < 500
