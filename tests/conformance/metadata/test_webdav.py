"""What WebDAV needs of the store: paths, moves with a new name, app passwords, locks and dead properties."""

import pytest
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import NOW, apply, make_account, make_folder, new_key, purge_all, put_file, trash

from skyshelf.storage.errors import LimitReached, NameTaken, ObjectMissing, WouldCycle
from skyshelf.storage.metadata.contracts.accounts import Account, NewDevice
from skyshelf.storage.metadata.contracts.sessions import AppScope, NewSession
from skyshelf.storage.metadata.contracts.tree import DeadProperty, Lock, Relocate, StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import APP_PASSWORDS_MAX, DEAD_PROPERTIES_BYTES_MAX, DEAD_PROPERTIES_MAX

FAR = NOW + 10**12


def test_a_path_is_found_name_by_name_and_only_what_is_active(store: Store, account: Account) -> None:
    outer = make_folder(store, account, account.root_key, "a")
    inner = make_folder(store, account, outer.object_key, "b")
    file = put_file(store, account, inner.object_key, "ü.txt").object
    with store.read() as unit:
        at = unit.tree.at_path
        assert at(account.account_id, account.root_key, ["a"]) == outer
        assert at(account.account_id, account.root_key, ["a", "b", "ü.txt"]) == file
        assert at(account.account_id, inner.object_key, ["ü.txt"]) == file
        assert at(account.account_id, account.root_key, ["a", "ü.txt"]) is None
        assert at(account.account_id, account.root_key, ["a", "b", "ü.txt", "x"]) is None
        assert at(make_account(store).account_id, account.root_key, ["a"]) is None
    trash(store, account, outer.object_key)
    with store.read() as unit:
        assert unit.tree.at_path(account.account_id, account.root_key, ["a", "b", "ü.txt"]) is None


def test_a_relocation_needs_no_free_name_in_between(store: Store, account: Account) -> None:
    """Neither the old name in the new folder nor the new name in the old folder is free."""
    target = make_folder(store, account, account.root_key, "target")
    moved = put_file(store, account, account.root_key, "old").object
    put_file(store, account, account.root_key, "new")
    put_file(store, account, target.object_key, "old")
    (outcome,) = apply(store, account, Relocate(moved.object_key, target.object_key, "new"))
    assert isinstance(outcome, StoredObject)
    assert (outcome.parent_key, outcome.name) == (target.object_key, "new")
    (taken,) = apply(store, account, Relocate(moved.object_key, target.object_key, "old"))
    assert isinstance(taken, NameTaken)
    (cycle,) = apply(store, account, Relocate(target.object_key, target.object_key, "x"))
    assert isinstance(cycle, WouldCycle)


def add_app(store: Store, account: Account, secret: bytes, scope: AppScope, device: str = "one") -> None:
    def work(unit: Unit) -> None:
        new = NewDevice(device_key=device, device_name=device, platform_type="App")
        unit.devices.register(account.account_id, new, NOW)
        session = NewSession(secret_hash=secret, device_key=device, expires_at=FAR)
        unit.sessions.open(account.account_id, session, NOW)
        unit.app_passwords.add(account.account_id, secret, scope)

    store.write(work)


def test_an_app_password_is_found_with_its_scope_until_its_session_ends(store: Store, account: Account) -> None:
    scope = AppScope(folder_key=account.root_key, can_write=False, webdav_only=True)
    add_app(store, account, b"secret", scope)
    with store.read() as unit:
        found = unit.app_passwords.find(b"secret", NOW)
        assert found is not None
        assert (found.scope, found.email, found.session.account_id) == (scope, account.email, account.account_id)
        assert [one.device.device_name for one in unit.app_passwords.of_account(account.account_id)] == ["one"]
        assert unit.app_passwords.of_account(make_account(store).account_id) == []
        assert unit.app_passwords.find(b"other", NOW) is None
    store.write(lambda unit: unit.sessions.revoke(account.account_id, "one"))
    with store.read() as unit:
        assert unit.app_passwords.find(b"secret", NOW) is None
        assert unit.app_passwords.of_account(account.account_id) == []


def test_app_passwords_of_an_account_are_limited(store: Store, account: Account) -> None:
    for number in range(APP_PASSWORDS_MAX):
        add_app(store, account, b"%d" % number, AppScope(), f"device {number}")
    with pytest.raises(LimitReached):
        add_app(store, account, b"one more", AppScope(), "one more")


def lock_of(object_key: str, *, expires_at: int = NOW + 10, is_deep: bool = True) -> Lock:
    return Lock(
        lock_key=new_key(),
        object_key=object_key,
        is_exclusive=True,
        is_deep=is_deep,
        owner="<o>Ü</o>",
        expires_at=expires_at,
    )


def test_a_lock_lasts_until_it_expires_is_released_or_its_object_is_purged(store: Store, account: Account) -> None:
    account_id = account.account_id
    folder = make_folder(store, account, account.root_key, "a").object_key
    first, second = lock_of(folder), lock_of(folder, expires_at=NOW + 20)
    store.write(lambda unit: unit.locks.add(account_id, first, NOW))
    store.write(lambda unit: unit.locks.add(account_id, second, NOW))
    with store.read() as unit:
        assert unit.locks.of_account(account_id, NOW) == sorted([first, second], key=lambda lock: lock.lock_key)
        assert unit.locks.of_account(account_id, NOW + 10) == [second]
    assert not store.write(lambda unit: unit.locks.extend(account_id, first.lock_key, NOW + 99, NOW + 10))
    assert store.write(lambda unit: unit.locks.extend(account_id, second.lock_key, NOW + 99, NOW + 10))
    assert store.write(lambda unit: unit.locks.sweep(NOW + 50, 10)) == 1
    trash(store, account, folder)
    store.write(lambda unit: unit.purge.mark_all_for_deletion(account_id, NOW))
    purge_all(store, account)
    with store.read() as unit:
        assert unit.locks.of_account(account_id, NOW) == []
    with pytest.raises(ObjectMissing):
        store.write(lambda unit: unit.locks.add(account_id, lock_of(folder), NOW))


def test_dead_properties_are_kept_replaced_removed_and_copied(store: Store, account: Account) -> None:
    account_id = account.account_id
    one = put_file(store, account, account.root_key, "one").object.object_key
    two = put_file(store, account, account.root_key, "two").object.object_key
    first, second = DeadProperty("urn:a", "x", "<x>1</x>"), DeadProperty("", "y", "<y/>")
    store.write(lambda unit: unit.dead_properties.set(account_id, one, [first, second]))
    changed = DeadProperty("urn:a", "x", "<x>ü</x>")
    store.write(lambda unit: unit.dead_properties.set(account_id, one, [changed]))
    assert store.write(lambda unit: unit.dead_properties.copy(account_id, [(one, two), (two, one)][:1])) == 2
    assert store.write(lambda unit: unit.dead_properties.remove(account_id, one, [("", "y"), ("", "z")])) == 1
    with store.read() as unit:
        assert unit.dead_properties.of_objects(account_id, [one, two]) == {one: [changed], two: [second, changed]}
        assert unit.dead_properties.sizes(account_id, [one, two, account.root_key]) == {one: 9, two: 13}
        assert unit.dead_properties.any_of(account_id)
        assert not unit.dead_properties.any_of(make_account(store).account_id)


def test_dead_properties_of_an_object_are_limited_in_number_and_size(store: Store, account: Account) -> None:
    key = put_file(store, account, account.root_key, "one").object.object_key
    many = [DeadProperty("", f"p{number}", "x") for number in range(DEAD_PROPERTIES_MAX + 1)]
    large = [DeadProperty("", "p", "x" * (DEAD_PROPERTIES_BYTES_MAX + 1))]
    with pytest.raises(LimitReached):
        store.write(lambda unit: unit.dead_properties.set(account.account_id, key, many))
    with pytest.raises(LimitReached):
        store.write(lambda unit: unit.dead_properties.set(account.account_id, key, large))
    with store.read() as unit:
        assert not unit.dead_properties.any_of(account.account_id)
