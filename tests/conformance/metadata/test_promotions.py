"""Promotions: space for a while, for one account or for everybody."""

import pytest
from tests.conformance.metadata.making import NOW, make_account, new_key

from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.contracts.accounts import Account, Promotion
from skyshelf.storage.metadata.store import MetadataStore


def add(
    store: MetadataStore, account: Account | None, name: str, *, space: int = 100, start: int = NOW, end: int = NOW + 10
) -> Promotion:
    promotion = Promotion(
        promotion_key=new_key(),
        account_id=None if account is None else account.account_id,
        name=name,
        space=space,
        start_at=start,
        end_at=end,
    )
    store.write(lambda unit: unit.promotions.add(promotion))
    return promotion


def space_of(store: MetadataStore, account: Account, now: int) -> int:
    with store.read() as unit:
        return unit.quotas.get(account.account_id, now).promotional_space


def test_an_account_has_its_own_promotions_and_everybodys_newest_first(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    mine = add(store, account, "Für dich 🎁", start=NOW - 5, end=NOW - 1)
    everybodys = add(store, None, "Summer", start=NOW)
    theirs = add(store, other, "Theirs", start=NOW + 5)
    with store.read() as unit:
        assert unit.promotions.of_account(account.account_id) == [everybodys, mine]
        assert unit.promotions.of_account(other.account_id) == [theirs, everybodys]
        assert unit.promotions.everything() == [theirs, everybodys, mine]


def test_a_promotion_adds_to_the_quota_while_it_runs(store: MetadataStore, account: Account) -> None:
    add(store, account, "mine", space=100, start=NOW, end=NOW + 10)
    add(store, None, "everybody's", space=1000, start=NOW + 5, end=NOW + 10)
    assert [space_of(store, account, now) for now in (NOW - 1, NOW, NOW + 5, NOW + 9, NOW + 10)] == [
        0, 100, 1100, 1100, 0,
    ]  # fmt: skip


def test_a_removed_promotion_is_gone(store: MetadataStore, account: Account) -> None:
    promotion = add(store, account, "mine")
    assert store.write(lambda unit: unit.promotions.remove(promotion.promotion_key))
    assert not store.write(lambda unit: unit.promotions.remove(promotion.promotion_key))
    assert space_of(store, account, NOW) == 0
    with store.read() as unit:
        assert unit.promotions.of_account(account.account_id) == []


def test_an_account_that_is_not_there_gets_none(store: MetadataStore, account: Account) -> None:
    promotion = Promotion(
        promotion_key=new_key(), account_id=account.account_id + 99, name="", space=1, start_at=0, end_at=1
    )
    with pytest.raises(AccountMissing):
        store.write(lambda unit: unit.promotions.add(promotion))
