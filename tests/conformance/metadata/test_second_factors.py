"""Second factors: begun, confirmed, and every code taken once."""

import pytest
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import NOW, in_parallel, make_account
from tests.conformance.metadata.plans import plans_of
from tests.conformance.metadata.recording import statements_of_write
from tests.conformance.metadata.test_costs_of_nouns import WHOLE_TABLE

from skyshelf.storage.errors import AccountMissing, Missing
from skyshelf.storage.metadata.contracts.accounts import Account, SecondFactor

SALT, OTHER_SALT = b"a salt of 16 byt", b"another salt 16b"
CODES = [bytes([number]) * 32 for number in range(3)]


def begin(store: Store, account: Account, salt: bytes = SALT) -> bool:
    return store.write(lambda unit: unit.second_factors.begin(account.account_id, salt, NOW))


def confirm(store: Store, account: Account, salt: bytes = SALT, step: int = 100) -> bool:
    return store.write(lambda unit: unit.second_factors.confirm(account.account_id, salt, step, NOW + 1))


def use_step(store: Store, account: Account, step: int, salt: bytes = SALT) -> bool:
    return store.write(lambda unit: unit.second_factors.use_step(account.account_id, salt, step))


def use_code(store: Store, account: Account, code: bytes) -> bool:
    return store.write(lambda unit: unit.second_factors.use_code(account.account_id, code))


def replace_codes(store: Store, account: Account, codes: list[bytes]) -> None:
    store.write(lambda unit: unit.second_factors.replace_codes(account.account_id, codes))


def factor_of(store: Store, account: Account) -> SecondFactor | None:
    with store.read() as unit:
        return unit.second_factors.of_account(account.account_id)


def turn_on(store: Store, account: Account) -> None:
    assert begin(store, account)
    assert confirm(store, account)
    replace_codes(store, account, CODES)


def test_one_that_was_begun_is_on_when_it_was_confirmed(store: Store, account: Account) -> None:
    assert factor_of(store, account) is None
    begin(store, account)
    begun = factor_of(store, account)
    assert begun == SecondFactor(SALT, NOW, 0, 0, 0)
    assert not begun.is_on
    assert confirm(store, account)
    replace_codes(store, account, CODES)
    confirmed = factor_of(store, account)
    assert confirmed == SecondFactor(SALT, NOW, NOW + 1, 100, 3)
    assert confirmed.is_on


def test_setup_can_be_restarted_until_it_is_enabled(store: Store, account: Account) -> None:
    begin(store, account)
    assert begin(store, account, OTHER_SALT)
    assert not confirm(store, account), "the earlier one is forgotten"
    assert confirm(store, account, OTHER_SALT)
    assert not confirm(store, account, OTHER_SALT), "it is on already"
    assert not begin(store, account)
    factor = factor_of(store, account)
    assert factor is not None
    assert factor.salt == OTHER_SALT


def test_no_step_is_taken_twice_and_none_before_the_newest(store: Store, account: Account) -> None:
    turn_on(store, account)
    assert not use_step(store, account, 100), "the one that confirmed it"
    assert not use_step(store, account, 99)
    assert use_step(store, account, 102)
    assert not use_step(store, account, 101)
    assert not use_step(store, account, 103, OTHER_SALT)
    assert use_step(store, account, 103)


def test_what_is_not_on_takes_no_code(store: Store, account: Account) -> None:
    assert not use_step(store, account, 1)
    begin(store, account)
    replace_codes(store, account, CODES)
    assert not use_step(store, account, 1)
    assert not use_code(store, account, CODES[0])


def test_a_recovery_code_is_taken_once_and_new_ones_replace_all(store: Store, account: Account) -> None:
    turn_on(store, account)
    assert use_code(store, account, CODES[0])
    assert not use_code(store, account, CODES[0])
    assert not use_code(store, account, b"unknown")
    replace_codes(store, account, [b"new"])
    assert not use_code(store, account, CODES[1])
    assert use_code(store, account, b"new")
    factor = factor_of(store, account)
    assert factor is not None
    assert factor.codes_left == 0


def test_of_many_that_try_one_code_at_once_one_is_let_in(store: Store, account: Account) -> None:
    turn_on(store, account)
    assert sum(in_parallel(8, lambda _: use_step(store, account, 101))) == 1
    assert sum(in_parallel(8, lambda _: use_code(store, account, CODES[2]))) == 1


def test_new_codes_at_the_same_moment_are_one_set_or_the_other(store: Store, account: Account) -> None:
    turn_on(store, account)
    in_parallel(8, lambda number: replace_codes(store, account, [b"%d %d" % (number, one) for one in range(4)]))
    factor = factor_of(store, account)
    assert factor is not None
    assert factor.codes_left == 4


def test_removed_it_leaves_nothing_and_can_be_begun_again(store: Store, account: Account) -> None:
    turn_on(store, account)
    assert store.write(lambda unit: unit.second_factors.remove(account.account_id))
    assert not store.write(lambda unit: unit.second_factors.remove(account.account_id))
    assert factor_of(store, account) is None
    with store.read() as unit:
        assert unit.sql.all("SELECT * FROM recovery_codes") == []
    assert begin(store, account)


def test_codes_of_another_account_are_codes_that_do_not_exist(store: Store, account: Account) -> None:
    other = make_account(store)
    turn_on(store, account)
    begin(store, other)
    confirm(store, other)
    assert not use_code(store, other, CODES[0])
    assert use_step(store, other, 101)
    assert use_step(store, account, 101)
    factor = factor_of(store, account)
    assert factor is not None
    assert factor.codes_left == 3


def test_accounts_with_a_second_factor_are_listed_by_one_statement(store: Store, account: Account) -> None:
    begun, without = make_account(store), make_account(store)
    turn_on(store, account)
    begin(store, begun)
    ids = [one.account_id for one in (account, begun, without)]
    with store.read() as unit:
        assert unit.second_factors.on_among(ids) == {account.account_id}
        assert unit.second_factors.on_among([]) == set()
    assert len(statements_of_write(store, lambda unit: unit.second_factors.on_among(ids))) == 1
    assert len(statements_of_write(store, lambda unit: unit.second_factors.of_account(ids[0]))) == 1
    for plan in plans_of(store, lambda unit: unit.second_factors.of_account(account.account_id)):
        assert not WHOLE_TABLE.search(plan), plan


def test_without_an_account_or_a_factor_there_is_nothing_to_change(store: Store, account: Account) -> None:
    with pytest.raises(Missing):
        replace_codes(store, account, CODES)
    with pytest.raises(AccountMissing):
        store.write(lambda unit: unit.second_factors.begin(999_999, SALT, NOW))
