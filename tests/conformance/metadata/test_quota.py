"""Quota: exact at every moment, and refused at the exact byte."""

import pytest
from tests.conformance.metadata.making import (
    NOW,
    in_parallel,
    make_account,
    mark_for_deletion,
    new_key,
    purge_all,
    put_file,
    trash,
)
from tests.conformance.metadata.reading import assert_books_balance, changes_of, listing, quota_of

from skyshelf.storage.errors import LimitReached, QuotaExceeded
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import NewUpload
from skyshelf.storage.metadata.contracts.holds import Hold
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.wire.limits import HISTORY_TIMES_QUOTA


def _begin(store: MetadataStore, account: Account, name: str, size: int) -> str:
    new = NewUpload(
        upload_key=new_key(), parent_key=account.root_key, name=name, size=size, md5="0" * 32, details=b"{}"
    )
    return store.write(lambda unit: unit.uploads.begin(account.account_id, new, NOW)).upload_key


def test_every_category_has_its_counter(store: MetadataStore, account: Account) -> None:
    for name, size in (("a.jpg", 1), ("a.mp4", 10), ("a.mp3", 100), ("a.pdf", 1000), ("a", 10_000)):
        put_file(store, account, account.root_key, name, b"x" * size)
    quota = quota_of(store, account)
    assert (quota.photo_used, quota.video_used, quota.audio_used, quota.document_used) == (1, 10, 100, 11_000)
    assert quota.used == 11_111
    assert_books_balance(store, account)


def test_a_version_of_another_kind_counts_in_its_own_category_until_it_goes(
    store: MetadataStore, account: Account
) -> None:
    put_file(store, account, account.root_key, "a", b"x" * 5, mime_type="image", mime_subtype="png", keep_versions=2)
    put_file(store, account, account.root_key, "a", b"x" * 7, mime_type="audio", mime_subtype="mpeg", keep_versions=2)
    quota = quota_of(store, account)
    assert (quota.photo_used, quota.audio_used) == (5, 7)
    put_file(store, account, account.root_key, "a", b"x" * 9, keep_versions=2)
    quota = quota_of(store, account)
    assert (quota.photo_used, quota.audio_used, quota.document_used) == (0, 7, 9)
    assert_books_balance(store, account)


def test_the_last_byte_fits_and_one_more_does_not(store: MetadataStore) -> None:
    account = make_account(store, default_space=10)
    put_file(store, account, account.root_key, "a", b"x" * 4)
    with pytest.raises(QuotaExceeded):
        put_file(store, account, account.root_key, "b", b"x" * 7)
    put_file(store, account, account.root_key, "b", b"x" * 6)
    assert quota_of(store, account).free == 0
    with pytest.raises(QuotaExceeded):
        put_file(store, account, account.root_key, "c", b"x")
    put_file(store, account, account.root_key, "empty", b"")
    assert listing(store, account, account.root_key) == ["a", "b", "empty"]
    assert len(changes_of(store, account)) == 3
    assert_books_balance(store, account)


def test_paid_space_counts_like_any_other(store: MetadataStore) -> None:
    account = make_account(store, default_space=1)
    store.write(lambda unit: unit.accounts.set_space(account.account_id, default_space=1, paid_space=2, now=NOW))
    assert quota_of(store, account).allocated == 3
    put_file(store, account, account.root_key, "a", b"xxx")
    with pytest.raises(QuotaExceeded):
        put_file(store, account, account.root_key, "b", b"x")


def test_an_upload_in_progress_reserves_its_space(store: MetadataStore) -> None:
    account = make_account(store, default_space=10)
    upload = _begin(store, account, "big", 8)
    assert (quota_of(store, account).used, quota_of(store, account).reserved) == (0, 8)
    with pytest.raises(QuotaExceeded):
        put_file(store, account, account.root_key, "a", b"xxx")
    with pytest.raises(QuotaExceeded):
        _begin(store, account, "other", 3)
    put_file(store, account, account.root_key, "a", b"xx")
    put_file(store, account, account.root_key, "big", b"x" * 8, upload_key=upload)
    quota = quota_of(store, account)
    assert (quota.used, quota.reserved, quota.free) == (10, 0, 0)
    assert_books_balance(store, account)


def test_a_discarded_upload_frees_its_space(store: MetadataStore) -> None:
    account = make_account(store, default_space=10)
    upload = _begin(store, account, "big", 10)
    assert store.write(lambda unit: unit.uploads.discard(account.account_id, upload)) is True
    assert store.write(lambda unit: unit.uploads.discard(account.account_id, upload)) is False
    assert quota_of(store, account).free == 10
    assert_books_balance(store, account)


def test_beginning_the_same_upload_again_reserves_nothing_more(store: MetadataStore) -> None:
    account = make_account(store, default_space=10)
    assert _begin(store, account, "big", 10) == _begin(store, account, "big", 10)
    assert quota_of(store, account).reserved == 10
    assert_books_balance(store, account)


def test_an_account_that_holds_more_than_it_may_can_add_nothing_but_nothing_at_all(store: MetadataStore) -> None:
    account = make_account(store, default_space=100)
    key = put_file(store, account, account.root_key, "a", b"x" * 60).object.object_key
    store.write(lambda unit: unit.accounts.set_space(account.account_id, default_space=10, paid_space=0, now=NOW))
    quota = quota_of(store, account)
    assert (quota.used, quota.allocated, quota.free) == (60, 10, 0)
    with pytest.raises(QuotaExceeded):
        put_file(store, account, account.root_key, "b", b"x")
    trash(store, account, key)
    assert_books_balance(store, account)


def test_many_at_once_never_pass_the_limit(store: MetadataStore) -> None:
    account = make_account(store, default_space=55)

    def upload(number: int) -> int:
        done = 0
        for turn in range(5):
            try:
                put_file(store, account, account.root_key, f"{number} {turn}", b"%5d%5d" % (number, turn))
            except QuotaExceeded:
                continue
            done += 1
        return done

    assert sum(in_parallel(6, upload)) == 5
    assert quota_of(store, account).used == 50
    assert_books_balance(store, account)


@pytest.mark.parametrize("how", ["forgotten", "expired"])
def test_a_hold_lets_nobody_fill_the_disk_with_uploads_and_deletions(store: MetadataStore, how: str) -> None:
    """What the owner sees of history has its bound; what the hold alone keeps has none, and takes no space."""
    account = make_account(store, default_space=100)
    store.write(lambda unit: unit.holds.put(account.account_id, Hold(NOW, "operator", "case 12")))

    def churn(now: int) -> None:
        made = put_file(store, account, account.root_key, "a", now.to_bytes(100), now=now).object
        trash(store, account, made.object_key, now=now)
        mark_for_deletion(store, account, made.object_key, now=now)
        purge_all(store, account, now=now)

    for number in range(HISTORY_TIMES_QUOTA + 1):
        churn(NOW + number)
    with pytest.raises(LimitReached):
        churn(NOW + 9)
    assert quota_of(store, account).free == 0
    if how == "forgotten":
        store.write(lambda unit: unit.history.forget(account.account_id, NOW + 10))
    store.write(lambda unit: unit.history.expire_some(account.account_id, NOW + 10, 100, NOW + 10))
    churn(NOW + 20)
    assert quota_of(store, account).history_used == 100 * (HISTORY_TIMES_QUOTA + 2)
    assert_books_balance(store, account)
