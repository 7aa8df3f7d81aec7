"""Sessions: one per device, found by a digest, ended in every way there is."""

import pytest
from tests.conformance.metadata.making import NOW, in_parallel, make_account

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts.accounts import ACTIVE, DISABLED, Account, NewDevice
from skyshelf.storage.metadata.contracts.sessions import NewSession, Session
from skyshelf.storage.metadata.store import MetadataStore

FAR = NOW + 10**9


def register(store: MetadataStore, account: Account, device: str, *, now: int = NOW) -> None:
    new = NewDevice(device_key=device, device_name=device.title(), platform_type="Linux")
    store.write(lambda unit: unit.devices.register(account.account_id, new, now))


def open_session(
    store: MetadataStore, account: Account, device: str, secret: bytes, *, expires: int = FAR, now: int = NOW
) -> None:
    new = NewSession(secret_hash=secret, device_key=device, expires_at=expires)
    store.write(lambda unit: unit.sessions.open(account.account_id, new, now))


def log_in(
    store: MetadataStore, account: Account, device: str, secret: bytes, *, expires: int = FAR, now: int = NOW
) -> None:
    register(store, account, device, now=now)
    open_session(store, account, device, secret, expires=expires, now=now)


def find(store: MetadataStore, secret: bytes, now: int = NOW) -> Session | None:
    with store.read() as unit:
        return unit.sessions.find(secret, now)


def devices_logged_in(store: MetadataStore, account: Account, now: int = NOW) -> list[str]:
    with store.read() as unit:
        return [one.device.device_key for one in unit.sessions.of_account(account.account_id, now)]


def test_a_session_says_whose_it_is(store: MetadataStore, account: Account) -> None:
    log_in(store, account, "phone", b"secret")
    session = find(store, b"secret")
    assert session is not None
    assert session.secret_hash == b"secret"
    assert session.account_id == account.account_id
    assert session.account_key == account.account_key
    assert session.root_key == account.root_key
    assert session.account_status == ACTIVE
    assert session.first_name == account.first_name
    assert session.device_key == "phone"
    assert (session.created_at, session.last_used_at, session.expires_at) == (NOW, NOW, FAR)


def test_an_unknown_secret_finds_nothing(store: MetadataStore, account: Account) -> None:
    log_in(store, account, "phone", b"secret")
    assert find(store, b"another") is None


def test_a_session_ends_at_its_expiry_and_not_before(store: MetadataStore, account: Account) -> None:
    log_in(store, account, "phone", b"secret", expires=NOW + 10)
    assert find(store, b"secret", NOW + 9) is not None
    assert find(store, b"secret", NOW + 10) is None


def test_a_disabled_account_has_no_sessions_until_it_is_active_again(store: MetadataStore, account: Account) -> None:
    log_in(store, account, "phone", b"secret")
    store.write(lambda unit: unit.accounts.set_status(account.account_id, DISABLED, NOW))
    assert find(store, b"secret") is None
    store.write(lambda unit: unit.accounts.set_status(account.account_id, ACTIVE, NOW))
    assert find(store, b"secret") is not None


def test_a_new_session_replaces_the_one_the_device_had(store: MetadataStore, account: Account) -> None:
    log_in(store, account, "phone", b"first")
    store.write(lambda unit: unit.nonces.add(b"nonce", account.account_id, b"first", FAR))
    open_session(store, account, "phone", b"second", now=NOW + 1)
    with store.read() as unit:
        assert [device.last_seen_at for device in unit.devices.of_account(account.account_id)] == [NOW + 1]
    assert find(store, b"first") is None
    assert find(store, b"second") is not None
    with store.read() as unit:
        assert unit.nonces.find(b"nonce", NOW) is None


def test_a_device_that_is_not_registered_gets_no_session(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    log_in(store, other, "theirs", b"theirs")
    for device in ("unknown", "theirs"):
        with pytest.raises(Missing):
            open_session(store, account, device, b"secret")
    assert find(store, b"secret") is None
    assert find(store, b"theirs") is not None


def test_a_touch_moves_the_time_of_use_forward_and_never_back(store: MetadataStore, account: Account) -> None:
    log_in(store, account, "phone", b"secret")
    store.write(lambda unit: unit.sessions.touch(b"secret", NOW + 50))
    store.write(lambda unit: unit.sessions.touch(b"secret", NOW + 20))
    store.write(lambda unit: unit.sessions.touch(b"unknown", NOW + 90))
    session = find(store, b"secret")
    assert session is not None
    assert session.last_used_at == NOW + 50
    with store.read() as unit:
        assert [device.last_seen_at for device in unit.devices.of_account(account.account_id)] == [NOW + 50]


def test_closing_ends_one_session_once(store: MetadataStore, account: Account) -> None:
    log_in(store, account, "phone", b"phone")
    log_in(store, account, "laptop", b"laptop")
    assert store.write(lambda unit: unit.sessions.close(b"phone"))
    assert not store.write(lambda unit: unit.sessions.close(b"phone"))
    assert devices_logged_in(store, account) == ["laptop"]


def test_revoking_a_device_of_another_account_does_nothing(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    log_in(store, other, "phone", b"theirs")
    assert not store.write(lambda unit: unit.sessions.revoke(account.account_id, "phone"))
    assert find(store, b"theirs") is not None
    assert store.write(lambda unit: unit.sessions.revoke(other.account_id, "phone"))
    assert find(store, b"theirs") is None


def test_revoking_all_others_keeps_the_one_and_other_accounts(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    log_in(store, other, "phone", b"theirs")
    for device in ("phone", "laptop", "tablet"):
        log_in(store, account, device, device.encode())
    assert store.write(lambda unit: unit.sessions.revoke_others(account.account_id, b"laptop")) == 2
    assert devices_logged_in(store, account) == ["laptop"]
    assert find(store, b"theirs") is not None


def test_revoking_all_leaves_none_of_the_account_and_all_of_the_others(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    log_in(store, other, "phone", b"theirs")
    for device in ("phone", "laptop"):
        log_in(store, account, device, device.encode())
    assert store.write(lambda unit: unit.sessions.revoke_all(account.account_id)) == 2
    assert devices_logged_in(store, account) == []
    assert find(store, b"theirs") is not None


def test_the_list_shows_live_sessions_with_their_devices_the_last_used_first(
    store: MetadataStore, account: Account
) -> None:
    log_in(store, account, "expired", b"expired", expires=NOW + 1)
    log_in(store, account, "phone", b"phone", now=NOW + 1)
    log_in(store, account, "laptop", b"laptop", now=NOW + 2)
    store.write(lambda unit: unit.sessions.touch(b"phone", NOW + 3))
    with store.read() as unit:
        listed = unit.sessions.of_account(account.account_id, NOW + 4)
    assert [one.device.device_name for one in listed] == ["Phone", "Laptop"]
    assert [one.secret_hash for one in listed] == [b"phone", b"laptop"]
    assert (listed[0].created_at, listed[0].last_used_at, listed[0].expires_at) == (NOW + 1, NOW + 3, FAR)


def test_a_sweep_forgets_expired_sessions_up_to_its_limit(store: MetadataStore, account: Account) -> None:
    for number in range(5):
        log_in(store, account, f"old {number}", b"old %d" % number, expires=NOW)
    log_in(store, account, "live", b"live", expires=NOW + 1)
    assert store.write(lambda unit: unit.sessions.sweep(NOW, 3)) == 3
    assert store.write(lambda unit: unit.sessions.sweep(NOW, 3)) == 2
    assert store.write(lambda unit: unit.sessions.sweep(NOW, 3)) == 0
    assert find(store, b"live") is not None


def test_logins_of_one_device_at_the_same_moment_leave_exactly_one_session(
    store: MetadataStore, account: Account
) -> None:
    in_parallel(8, lambda number: log_in(store, account, "phone", b"secret %d" % number))
    assert len([number for number in range(8) if find(store, b"secret %d" % number)]) == 1


def test_a_login_and_a_sweep_of_devices_at_the_same_moment_leave_the_login_whole(
    store: MetadataStore, account: Account
) -> None:
    """The device is old and without a session until the login comes: it must not be swept from under it."""

    def log_in_or_sweep(number: int) -> None:
        if number:
            store.write(lambda unit: unit.devices.sweep(NOW + 1, 100))
            return
        try:
            open_session(store, account, "phone", b"secret", now=NOW + 1)
        except Missing:
            log_in(store, account, "phone", b"secret", now=NOW + 1)

    for _ in range(10):
        register(store, account, "phone", now=NOW)
        in_parallel(2, log_in_or_sweep)
        assert devices_logged_in(store, account) == ["phone"]
