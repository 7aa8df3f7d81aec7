"""Passkeys: each belongs to one account, counts forwards, and goes with its account."""

import pytest
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import NOW, a_passkey, in_parallel, make_account
from tests.conformance.metadata.plans import plans_of
from tests.conformance.metadata.recording import statements_of_write
from tests.conformance.metadata.test_costs_of_nouns import WHOLE_TABLE

from skyshelf.storage.errors import AccountMissing, LimitReached
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.sessions import NewPasskey, Passkey, PasskeyUse
from skyshelf.wire.limits import PASSKEY_ID_BYTES_MAX, PASSKEYS_MAX


def add(store: Store, account: Account, passkey: NewPasskey, now: int = NOW) -> bool:
    return store.write(lambda unit: unit.passkeys.add(account.account_id, passkey, now))


def listed(store: Store, account: Account) -> list[Passkey]:
    with store.read() as unit:
        return unit.passkeys.of_account(account.account_id)


def use(
    store: Store, account: Account, key: str, count: int, *, verifying: bool = True, backed_up: bool = False
) -> bool:
    use = PasskeyUse(sign_count=count, is_verifying=verifying, is_backed_up=backed_up)
    return store.write(lambda unit: unit.passkeys.use(account.account_id, key, use, NOW + 5))


def test_a_passkey_comes_back_as_it_was_added(store: Store, account: Account) -> None:
    new = a_passkey(credential_id=b"\0\xff" * (PASSKEY_ID_BYTES_MAX // 2), name="Schlüssel 🔑", transports="usb nfc")
    assert add(store, account, new)
    [found] = listed(store, account)
    assert {field: getattr(found, field) for field in new.__struct_fields__} == {
        field: getattr(new, field) for field in new.__struct_fields__
    }
    assert (found.account_id, found.created_at, found.last_used_at) == (account.account_id, NOW, 0)
    with store.read() as unit:
        assert unit.passkeys.find(new.credential_id) == found
        assert unit.passkeys.find(b"another") is None


def test_the_newest_is_listed_first(store: Store, account: Account) -> None:
    first, second = a_passkey(), a_passkey()
    add(store, account, first, NOW)
    add(store, account, second, NOW + 1)
    assert [one.passkey_key for one in listed(store, account)] == [second.passkey_key, first.passkey_key]
    assert listed(store, make_account(store)) == []


def test_a_credential_belongs_to_one_account(store: Store, account: Account) -> None:
    new, other = a_passkey(), make_account(store)
    assert add(store, account, new)
    again = a_passkey(credential_id=new.credential_id)
    assert not add(store, account, again)
    assert not add(store, other, again)
    assert listed(store, other) == []


def test_of_many_that_add_one_credential_at_once_one_succeeds(store: Store, account: Account) -> None:
    credential = a_passkey().credential_id
    others = [account, make_account(store), make_account(store), make_account(store)]
    outcomes = in_parallel(4, lambda number: add(store, others[number], a_passkey(credential_id=credential)))
    assert sorted(map(bool, outcomes)) == [False, False, False, True]


def test_an_account_has_a_bounded_number(store: Store, account: Account) -> None:
    for _ in range(PASSKEYS_MAX):
        add(store, account, a_passkey())
    with pytest.raises(LimitReached):
        add(store, account, a_passkey())
    assert add(store, make_account(store), a_passkey())


def test_a_counter_goes_forwards_only(store: Store, account: Account) -> None:
    new = a_passkey(sign_count=4)
    add(store, account, new)
    assert not use(store, account, new.passkey_key, 0)
    assert not use(store, account, new.passkey_key, 4)
    assert use(store, account, new.passkey_key, 5)
    assert not use(store, account, new.passkey_key, 5)
    [found] = listed(store, account)
    assert (found.sign_count, found.last_used_at) == (5, NOW + 5)


def test_one_that_never_counts_is_used_again_and_again(store: Store, account: Account) -> None:
    new = a_passkey()
    add(store, account, new)
    assert use(store, account, new.passkey_key, 0)
    assert use(store, account, new.passkey_key, 0)
    assert use(store, account, new.passkey_key, 2**32 - 1)
    assert not use(store, account, new.passkey_key, 0)


def test_of_many_uses_with_one_count_one_is_noted(store: Store, account: Account) -> None:
    new = a_passkey()
    add(store, account, new)
    outcomes = in_parallel(4, lambda _: use(store, account, new.passkey_key, 7))
    assert sorted(map(bool, outcomes)) == [False, False, False, True]


def test_what_was_once_verified_stays_and_a_backup_is_as_it_was_last(store: Store, account: Account) -> None:
    new = a_passkey(is_verifying=False)
    add(store, account, new)
    use(store, account, new.passkey_key, 1, verifying=True, backed_up=True)
    use(store, account, new.passkey_key, 2, verifying=False, backed_up=False)
    [found] = listed(store, account)
    assert (found.is_verifying, found.is_backed_up) == (True, False)


def test_names_and_removals_are_those_of_the_owner(store: Store, account: Account) -> None:
    new, other = a_passkey(), make_account(store)
    add(store, account, new)
    key = new.passkey_key
    assert not store.write(lambda unit: unit.passkeys.rename(other.account_id, key, "Theirs"))
    assert not store.write(lambda unit: unit.passkeys.remove(other.account_id, key))
    assert not use(store, other, key, 9)
    assert store.write(lambda unit: unit.passkeys.rename(account.account_id, key, "Mine"))
    assert listed(store, account)[0].name == "Mine"
    assert store.write(lambda unit: unit.passkeys.remove(account.account_id, key))
    assert not store.write(lambda unit: unit.passkeys.remove(account.account_id, key))
    assert not use(store, account, key, 9)
    assert add(store, other, new), "what was removed can be added again"


def test_all_of_an_account_are_counted_and_removed(store: Store, account: Account) -> None:
    other = make_account(store)
    for one in (account, account, other):
        add(store, one, a_passkey())
    ids = [account.account_id, other.account_id, make_account(store).account_id]
    with store.read() as unit:
        assert unit.passkeys.counts(ids) == {account.account_id: 2, other.account_id: 1}
        assert unit.passkeys.counts([]) == {}
    assert store.write(lambda unit: unit.passkeys.remove_all(account.account_id)) == 2
    assert store.write(lambda unit: unit.passkeys.remove_all(account.account_id)) == 0
    assert len(listed(store, other)) == 1


def test_operators_see_how_many_there_are(store: Store, account: Account) -> None:
    add(store, account, a_passkey())
    with store.read() as unit:
        [shown] = unit.operators.accounts(NOW, limit=1, account_id=account.account_id)
    assert shown.passkeys == 1


def test_reading_takes_one_statement_and_an_index(store: Store, account: Account) -> None:
    for _ in range(3):
        add(store, account, a_passkey())
    assert len(statements_of_write(store, lambda unit: unit.passkeys.of_account(account.account_id))) == 1
    for plan in plans_of(store, lambda unit: unit.passkeys.find(b"credential")):
        assert not WHOLE_TABLE.search(plan), plan


def test_without_an_account_nothing_is_added(store: Store) -> None:
    with pytest.raises(AccountMissing):
        store.write(lambda unit: unit.passkeys.add(999_999, a_passkey(), NOW))
