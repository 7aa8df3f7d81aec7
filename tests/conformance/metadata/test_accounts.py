"""Accounts: opening, finding and changing them."""

import pytest
from tests.conformance.metadata.making import NOW, in_parallel, make_account, new_key
from tests.conformance.metadata.reading import quota_of

from skyshelf.storage.errors import AccountMissing, EmailTaken
from skyshelf.storage.metadata.contracts.accounts import ACTIVE, DISABLED, Account, NewAccount
from skyshelf.storage.metadata.store import MetadataStore


def test_every_field_of_an_account_comes_back(store: MetadataStore) -> None:
    new = NewAccount(
        account_key=new_key(),
        root_key=new_key(),
        email="Žofie.Nováková+drive@Example.org",
        first_name="Žofie 🌿",
        last_name="O'Nováková; --",
        password_hash="$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA",
        default_space=2**62,
        paid_space=7,
        mobile_number="******1234",
    )
    added = store.write(lambda unit: unit.accounts.add(new, NOW))
    assert added == Account(
        account_id=added.account_id,
        account_key=new.account_key,
        root_key=new.root_key,
        email=new.email,
        first_name=new.first_name,
        last_name=new.last_name,
        password_hash=new.password_hash,
        status=ACTIVE,
        auth_provider_id=1,
        mobile_number=new.mobile_number,
        is_mobile_verified=False,
        is_email_verified=True,
        default_space=2**62,
        paid_space=7,
        created_at=NOW,
        updated_at=NOW,
        delete_at=0,
    )
    with store.read() as unit:
        assert unit.accounts.by_key(new.account_key) == added
        assert unit.accounts.by_email(new.email.upper()) == added
        assert unit.accounts.by_id(added.account_id) == added
        assert unit.accounts.list() == [added]


def test_a_new_account_has_an_empty_root_and_counters_at_zero(store: MetadataStore) -> None:
    account = make_account(store)
    quota = quota_of(store, account)
    assert (quota.used, quota.reserved, quota.free) == (0, 0, account.default_space)
    with store.read() as unit:
        root = unit.tree.visible_folder(account.account_id, account.root_key)
        assert root.parent_key is None
        assert unit.tree.children(account.account_id, root.object_key) == []
        assert unit.tree.ancestors(account.account_id, root.object_key) == []
        assert unit.changes.newest(account.account_id) == 0


def test_an_address_is_taken_in_whatever_case(store: MetadataStore) -> None:
    make_account(store, "Ada@Example.org")
    with pytest.raises(EmailTaken):
        make_account(store, "aDA@example.ORG")
    with store.read() as unit:
        assert unit.accounts.count() == 1


def test_of_many_who_want_one_address_at_once_one_gets_it(store: MetadataStore) -> None:
    def try_it(_number: int) -> bool:
        try:
            make_account(store, "wanted@example.org")
        except EmailTaken:
            return False
        return True

    assert sorted(in_parallel(8, try_it)) == [False] * 7 + [True]


def test_accounts_are_listed_by_id_in_pages(store: MetadataStore) -> None:
    accounts = [make_account(store) for _ in range(5)]
    with store.read() as unit:
        first = unit.accounts.list(limit=2)
        second = unit.accounts.list(after_id=first[-1].account_id, limit=2)
        third = unit.accounts.list(after_id=second[-1].account_id, limit=2)
        assert first + second + third == accounts
        assert unit.accounts.count() == 5


def test_what_can_be_changed_of_an_account_changes_and_nothing_else(store: MetadataStore) -> None:
    account = make_account(store)
    other = make_account(store)

    store.write(lambda unit: unit.accounts.set_password(account.account_id, "new hash", NOW + 1))
    store.write(lambda unit: unit.accounts.set_status(account.account_id, DISABLED, NOW + 2))
    store.write(lambda unit: unit.accounts.set_names(account.account_id, first_name="A", last_name="L", now=NOW + 3))
    store.write(lambda unit: unit.accounts.set_space(account.account_id, default_space=5, paid_space=6, now=NOW + 4))
    with store.read() as unit:
        changed = unit.accounts.by_id(account.account_id)
        assert unit.accounts.by_id(other.account_id) == other
    assert (changed.password_hash, changed.status, changed.first_name, changed.last_name) == ("new hash", "D", "A", "L")
    assert (changed.default_space, changed.paid_space, changed.updated_at) == (5, 6, NOW + 4)
    assert (changed.created_at, changed.email, changed.root_key) == (NOW, account.email, account.root_key)


def test_an_account_that_is_not_there_is_missing_for_every_call(store: MetadataStore, account: Account) -> None:
    nobody = account.account_id + 1000
    with store.read() as unit:
        for look in (
            lambda: unit.accounts.by_id(nobody),
            lambda: unit.accounts.by_key(new_key()),
            lambda: unit.accounts.by_email("nobody@example.org"),
            lambda: unit.quotas.get(nobody, NOW),
        ):
            with pytest.raises(AccountMissing):
                look()
    with pytest.raises(AccountMissing):
        store.write(lambda unit: unit.accounts.set_password(nobody, "x", NOW))
    with pytest.raises(AccountMissing):
        store.write(lambda unit: unit.accounts.set_status(nobody, DISABLED, NOW))
    with pytest.raises(AccountMissing):
        store.write(lambda unit: unit.accounts.set_names(nobody, first_name="", last_name="", now=NOW))
    with pytest.raises(AccountMissing):
        store.write(lambda unit: unit.accounts.set_space(nobody, default_space=1, paid_space=1, now=NOW))
