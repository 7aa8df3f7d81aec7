"""Nonces: they open an account's downloads while their session lives."""

import pytest
from tests.conformance.metadata.making import NOW, in_parallel, make_account

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts.accounts import DISABLED, Account, NewDevice
from skyshelf.storage.metadata.contracts.sessions import NewSession, NonceOwner
from skyshelf.storage.metadata.store import MetadataStore


def log_in(store: MetadataStore, account: Account, secret: bytes, *, expires: int = NOW + 1000) -> None:
    device = NewDevice(device_key="phone", device_name="Phone", platform_type="Android")
    session = NewSession(secret_hash=secret, device_key="phone", expires_at=expires)
    store.write(lambda unit: unit.devices.register(account.account_id, device, NOW))
    store.write(lambda unit: unit.sessions.open(account.account_id, session, NOW))


def give(store: MetadataStore, account: Account, nonce: bytes, secret: bytes, *, expires: int = NOW + 100) -> None:
    store.write(lambda unit: unit.nonces.add(nonce, account.account_id, secret, expires))


def find(store: MetadataStore, nonce: bytes, now: int = NOW) -> NonceOwner | None:
    with store.read() as unit:
        return unit.nonces.find(nonce, now)


def test_a_nonce_says_whose_downloads_it_opens(store: MetadataStore, account: Account) -> None:
    log_in(store, account, b"secret")
    give(store, account, b"nonce", b"secret")
    owner = find(store, b"nonce")
    assert owner is not None
    assert (owner.account_id, owner.account_key) == (account.account_id, account.account_key)
    assert (owner.root_key, owner.first_name) == (account.root_key, account.first_name)
    assert (owner.device_key, owner.expires_at) == ("phone", NOW + 100)
    assert find(store, b"another") is None


def test_a_nonce_ends_at_its_expiry_and_not_before(store: MetadataStore, account: Account) -> None:
    log_in(store, account, b"secret")
    give(store, account, b"nonce", b"secret", expires=NOW + 10)
    assert find(store, b"nonce", NOW + 9) is not None
    assert find(store, b"nonce", NOW + 10) is None


def test_a_nonce_does_not_outlive_its_session(store: MetadataStore, account: Account) -> None:
    log_in(store, account, b"short", expires=NOW + 5)
    give(store, account, b"nonce", b"short", expires=NOW + 100)
    assert find(store, b"nonce", NOW + 4) is not None
    assert find(store, b"nonce", NOW + 5) is None
    store.write(lambda unit: unit.sessions.close(b"short"))
    assert find(store, b"nonce", NOW) is None


def test_a_disabled_account_opens_nothing(store: MetadataStore, account: Account) -> None:
    log_in(store, account, b"secret")
    give(store, account, b"nonce", b"secret")
    store.write(lambda unit: unit.accounts.set_status(account.account_id, DISABLED, NOW))
    assert find(store, b"nonce") is None


def test_only_a_session_of_the_account_itself_gives_out_nonces(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    log_in(store, other, b"theirs")
    for secret in (b"theirs", b"unknown"):
        with pytest.raises(Missing):
            give(store, account, b"nonce", secret)
    assert find(store, b"nonce") is None


def test_a_sweep_forgets_expired_nonces_up_to_its_limit(store: MetadataStore, account: Account) -> None:
    log_in(store, account, b"secret")
    for number in range(5):
        give(store, account, b"old %d" % number, b"secret", expires=NOW)
    give(store, account, b"live", b"secret", expires=NOW + 1)
    assert store.write(lambda unit: unit.nonces.sweep(NOW, 3)) == 3
    assert store.write(lambda unit: unit.nonces.sweep(NOW, 3)) == 2
    assert find(store, b"live") is not None


def test_a_logout_at_the_same_moment_leaves_no_nonce_behind(store: MetadataStore, account: Account) -> None:
    def give_or_log_out(number: int) -> None:
        if number:
            store.write(lambda unit: unit.sessions.close(b"secret"))
            return
        try:
            give(store, account, b"nonce", b"secret")
        except Missing:
            assert find(store, b"nonce") is None

    for _ in range(20):
        log_in(store, account, b"secret")
        in_parallel(2, give_or_log_out)
        assert find(store, b"nonce") is None
