"""Archives: what somebody chose is kept for a while, and for them alone."""

import pytest
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import NOW, make_account, new_key

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.shares import ChosenObjects
from skyshelf.wire.limits import ARCHIVES_MAX


def add(store: Store, account: Account, expires_at: int = NOW + 10) -> ChosenObjects:
    chosen = ChosenObjects(
        archive_key=new_key(), name="Trip", object_keys=[new_key(), new_key()], expires_at=expires_at
    )
    store.write(lambda unit: unit.archives.add(account.account_id, chosen))
    return chosen


def test_it_is_as_it_was_chosen_until_it_expires_and_only_for_its_account(store: Store, account: Account) -> None:
    chosen, stranger = add(store, account), make_account(store)
    with store.read() as unit:
        assert unit.archives.get(account.account_id, chosen.archive_key, NOW) == chosen
        for account_id, now in ((account.account_id, NOW + 10), (stranger.account_id, NOW)):
            with pytest.raises(Missing):
                unit.archives.get(account_id, chosen.archive_key, now)


def test_the_oldest_make_way_and_the_expired_are_swept(store: Store, account: Account) -> None:
    added = [add(store, account, NOW + 1 + number) for number in range(ARCHIVES_MAX + 2)]
    with store.read() as unit:
        kept = []
        for chosen in added:
            try:
                kept.append(unit.archives.get(account.account_id, chosen.archive_key, NOW))
            except Missing:
                continue
    assert kept == added[2:]
    assert store.write(lambda unit: unit.archives.sweep(NOW + 5, 2)) == 2
    assert store.write(lambda unit: unit.archives.sweep(NOW + 5, 99)) == 1
