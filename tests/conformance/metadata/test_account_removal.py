"""Removing an account: everything of it goes, in small steps, and nobody else misses anything."""

import pytest
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import (
    NOW,
    a_passkey,
    in_parallel,
    make_account,
    make_folder,
    new_key,
    put_file,
    trash,
)
from tests.conformance.metadata.reading import assert_books_balance, quota_of

from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.contracts.accounts import ACTIVE, DISABLED, GOING, Account, NewDevice
from skyshelf.storage.metadata.contracts.boards import NewBoard
from skyshelf.storage.metadata.contracts.content import KeptThumbnail, ThumbnailKey
from skyshelf.storage.metadata.contracts.files import NewUpload
from skyshelf.storage.metadata.contracts.shares import NewShare
from skyshelf.storage.metadata.sql.inspection import references
from skyshelf.storage.metadata.store import Unit


def remove(store: Store, account: Account, limit: int) -> int:
    """Remove to the end; how many steps that took."""
    for steps in range(1, 1000):
        if not store.write(lambda unit: unit.accounts.remove_some(account.account_id, limit, NOW)):
            return steps
    raise AssertionError("the removal does not come to an end")


def close(store: Store, account: Account, now: int = NOW) -> bool:
    return store.write(lambda unit: unit.accounts.close_due(account.account_id, now))


def announce(store: Store, account: Account, date: int) -> None:
    store.write(lambda unit: unit.accounts.set_deletion(account.account_id, date, NOW))


def status(store: Store, account: Account) -> str:
    with store.read() as unit:
        return unit.accounts.by_id(account.account_id).status


def left_of(store: Store, account: Account) -> dict[str, int]:
    """Rows that refer to the account, by table, as the migrations say which do."""
    found = {}
    with store.read() as unit:
        for table in sorted({one.table for one in references() if one.to == "accounts"} | {"accounts"}):
            column = "owner_id" if table == "boards" else "account_id"
            text = f"SELECT count(*) FROM {table} WHERE {column} = :account"
            found[table] = unit.sql.all(text, {"account": account.account_id})[0][0]
    return {table: count for table, count in found.items() if count}


def furnish(store: Store, account: Account) -> None:
    """One of most things that an account can have."""
    folder = make_folder(store, account, account.root_key, "folder").object_key
    deeper = make_folder(store, account, folder, "deeper").object_key
    for number in range(5):
        put_file(store, account, deeper, f"{number}.jpg", b"content")
    own = put_file(store, account, deeper, "trashed by itself.txt", b"another").object.object_key
    put_file(store, account, deeper, "undated.heic", b"not read yet", needs_date=True)
    shown = put_file(store, account, deeper, "shown.jpg", b"shown").object
    top = put_file(store, account, account.root_key, "top.txt", b"content").object.object_key
    put_file(store, account, account.root_key, "top.txt", b"its second version")
    trash(store, account, own)
    trash(store, account, make_folder(store, account, folder, "trashed").object_key)

    def work(unit: Unit) -> None:
        share = NewShare(share_key=new_key(), token_hash=new_key().encode(), name="link", object_keys=[top])
        unit.shares.add(account.account_id, share, NOW)
        board = NewBoard(board_key=new_key(), name="board", description="")
        unit.boards.create(account.account_id, board, NOW)
        unit.board_items.add(account.account_id, board.board_key, [top], NOW)
        device = NewDevice(device_key="d", device_name="d", platform_type="p")
        unit.devices.register(account.account_id, device, NOW)
        unit.second_factors.begin(account.account_id, b"salt", NOW)
        unit.second_factors.replace_codes(account.account_id, [b"code"])
        unit.passkeys.add(account.account_id, a_passkey(), NOW)
        upload = NewUpload(
            upload_key=new_key(), parent_key=account.root_key, name="u", size=3, md5="0" * 32, details=b"{}"
        )
        unit.uploads.begin(account.account_id, upload, NOW)
        thumbnail = ThumbnailKey(account.account_id, shown.sha256 or "", 256, "jpeg")
        unit.thumbnails.keep(thumbnail, KeptThumbnail("small one", 7), NOW)

    store.write(work)


def test_everything_of_it_goes_in_small_steps(store: Store) -> None:
    account, other = make_account(store), make_account(store)
    furnish(store, account)
    put_file(store, other, other.root_key, "same.jpg", b"content")
    announce(store, account, NOW)
    assert close(store, account)
    assert len(left_of(store, account)) > 6
    assert remove(store, account, 2) > 5
    assert left_of(store, account) == {}
    assert quota_of(store, other).used == 7
    assert_books_balance(store, other)
    assert remove(store, account, 2) == 1, "what is gone is gone"
    with pytest.raises(AccountMissing):
        status(store, account)


def test_one_whose_time_is_not_over_stays_as_it_is(store: Store) -> None:
    account = make_account(store)
    furnish(store, account)
    announce(store, account, NOW)
    store.write(lambda unit: unit.accounts.set_status(account.account_id, DISABLED, NOW))
    before = left_of(store, account)
    assert remove(store, account, 100) == 1
    assert left_of(store, account) == before


def test_the_deletion_date_can_be_set_and_cleared(store: Store) -> None:
    account = make_account(store)
    assert account.delete_at == 0
    for date in (NOW + 5, 0):
        store.write(lambda unit, date=date: unit.accounts.set_deletion(account.account_id, date, NOW))  # type: ignore[misc]
        with store.read() as unit:
            assert unit.accounts.by_id(account.account_id).delete_at == date


def test_it_goes_when_its_time_has_come_and_then_nothing_holds_that_up(store: Store) -> None:
    account = make_account(store)
    assert not close(store, account), "nobody has said that it is to go"
    announce(store, account, NOW + 5)
    assert not close(store, account, NOW + 4)
    assert close(store, account, NOW + 5)
    assert close(store, account, NOW + 6), "it still is"
    with pytest.raises(AccountMissing):
        announce(store, account, 0)
    with pytest.raises(AccountMissing):
        store.write(lambda unit: unit.accounts.set_status(account.account_id, ACTIVE, NOW))
    assert status(store, account) == GOING


def test_of_keeping_and_closing_at_once_one_comes_first_and_the_other_sees_it(store: Store) -> None:
    for _ in range(10):
        account = make_account(store)
        announce(store, account, NOW)

        def attempt(number: int, account: Account = account) -> bool:
            if number:
                return close(store, account)
            try:
                announce(store, account, 0)
            except AccountMissing:
                return False
            return True

        kept, closed = in_parallel(2, attempt)
        assert kept != closed
        assert (status(store, account) == GOING) == closed


def test_links_of_an_account_that_is_to_go_open_nothing(store: Store) -> None:
    account = make_account(store)
    key = put_file(store, account, account.root_key, "a.txt").object.object_key
    token = new_key().encode()
    share = NewShare(share_key=new_key(), token_hash=token, name="link", object_keys=[key])
    store.write(lambda unit: unit.shares.add(account.account_id, share, NOW))
    for date in (NOW + 5, 0):
        store.write(lambda unit, date=date: unit.accounts.set_deletion(account.account_id, date, NOW))  # type: ignore[misc]
        with store.read() as unit:
            assert (unit.shares.by_token(token, NOW) is None) == (date > 0)
