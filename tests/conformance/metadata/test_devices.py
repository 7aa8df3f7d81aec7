"""Devices: registered once or again, listed, removed, forgotten when nobody uses them."""

from tests.conformance.metadata.making import NOW, make_account

from skyshelf.storage.metadata.contracts.accounts import Account, Device, NewDevice
from skyshelf.storage.metadata.contracts.sessions import NewSession
from skyshelf.storage.metadata.store import MetadataStore

PHONE = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
LAPTOP = "9b2d6c1e-7a55-4c0b-8f3d-1a2b3c4d5e6f"
FAR = NOW + 10**9


def register(
    store: MetadataStore, account: Account, device_key: str, *, name: str = "Firefox", now: int = NOW
) -> Device:
    new = NewDevice(device_key=device_key, device_name=name, platform_type="Linux")
    return store.write(lambda unit: unit.devices.register(account.account_id, new, now))


def log_in(store: MetadataStore, account: Account, device_key: str, secret: bytes, *, now: int = NOW) -> None:
    register(store, account, device_key, now=now)
    new = NewSession(secret_hash=secret, device_key=device_key, expires_at=FAR)
    store.write(lambda unit: unit.sessions.open(account.account_id, new, now))


def devices_of(store: MetadataStore, account: Account) -> list[Device]:
    with store.read() as unit:
        return unit.devices.of_account(account.account_id)


def test_every_field_of_a_device_comes_back(store: MetadataStore, account: Account) -> None:
    new = NewDevice(device_key=PHONE, device_name="Adas Händy 📱", platform_type="Android", device_type="A")
    registered = store.write(lambda unit: unit.devices.register(account.account_id, new, NOW))
    assert registered == Device(
        account_id=account.account_id,
        device_key=PHONE,
        device_name="Adas Händy 📱",
        device_type="A",
        platform_type="Android",
        created_at=NOW,
        last_seen_at=NOW,
    )
    assert devices_of(store, account) == [registered]


def test_registering_again_updates_the_device_and_keeps_the_date_it_was_added(
    store: MetadataStore, account: Account
) -> None:
    register(store, account, PHONE, name="old")
    again = register(store, account, PHONE, name="new", now=NOW + 5)
    assert (again.device_name, again.created_at, again.last_seen_at) == ("new", NOW, NOW + 5)
    assert devices_of(store, account) == [again]


def test_registering_again_ends_the_session_of_that_device_and_its_nonces_alone(
    store: MetadataStore, account: Account
) -> None:
    log_in(store, account, PHONE, b"phone")
    log_in(store, account, LAPTOP, b"laptop")
    store.write(lambda unit: unit.nonces.add(b"of the phone", account.account_id, b"phone", FAR))
    register(store, account, PHONE)
    with store.read() as unit:
        assert unit.sessions.find(b"phone", NOW) is None
        assert unit.nonces.find(b"of the phone", NOW) is None
        assert unit.sessions.find(b"laptop", NOW) is not None


def test_devices_are_listed_in_the_order_they_were_added(store: MetadataStore, account: Account) -> None:
    register(store, account, PHONE, now=NOW + 1)
    register(store, account, LAPTOP, now=NOW)
    register(store, account, PHONE, now=NOW + 9)
    assert [device.device_key for device in devices_of(store, account)] == [LAPTOP, PHONE]


def test_the_same_key_in_two_accounts_is_two_devices(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    log_in(store, account, PHONE, b"mine")
    log_in(store, other, PHONE, b"theirs")
    with store.read() as unit:
        assert unit.sessions.find(b"mine", NOW) is not None
        assert unit.sessions.find(b"theirs", NOW) is not None
    assert store.write(lambda unit: unit.devices.remove(other.account_id, PHONE))
    assert len(devices_of(store, account)) == 1
    with store.read() as unit:
        assert unit.sessions.find(b"mine", NOW) is not None


def test_a_removed_device_takes_its_session_along(store: MetadataStore, account: Account) -> None:
    log_in(store, account, PHONE, b"phone")
    assert store.write(lambda unit: unit.devices.remove(account.account_id, PHONE))
    assert devices_of(store, account) == []
    with store.read() as unit:
        assert unit.sessions.find(b"phone", NOW) is None
    assert not store.write(lambda unit: unit.devices.remove(account.account_id, PHONE))


def test_a_sweep_forgets_old_devices_without_a_session_and_no_others(store: MetadataStore, account: Account) -> None:
    register(store, account, "old", now=NOW)
    log_in(store, account, "old but logged in", b"secret", now=NOW)
    register(store, account, "new", now=NOW + 10)
    assert store.write(lambda unit: unit.devices.sweep(NOW + 10, 100)) == 1
    assert {device.device_key for device in devices_of(store, account)} == {"old but logged in", "new"}


def test_a_sweep_takes_no_more_devices_than_it_was_allowed_the_oldest_first(
    store: MetadataStore, account: Account
) -> None:
    for age in range(5):
        register(store, account, f"device {age}", now=NOW - age)
    assert store.write(lambda unit: unit.devices.sweep(NOW + 1, 3)) == 3
    assert [device.device_key for device in devices_of(store, account)] == ["device 1", "device 0"]
