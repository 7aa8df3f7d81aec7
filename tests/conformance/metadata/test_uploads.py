"""Uploads in progress: beginning, advancing, ending, and two who want the same."""

import pytest
from tests.conformance.metadata.making import (
    NOW,
    in_parallel,
    make_account,
    make_folder,
    new_key,
    put_file,
    trash,
)
from tests.conformance.metadata.reading import assert_books_balance, listing, quota_of

from skyshelf.storage.errors import (
    Missing,
    NameTaken,
    NotAFolder,
    ObjectMissing,
    OffsetConflict,
    QuotaExceeded,
    SizeMismatch,
)
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import NewUpload, Upload, UploadPart
from skyshelf.storage.metadata.contracts.tree import PageCursor
from skyshelf.storage.metadata.store import MetadataStore


def _new(parent_key: str, name: str = "file", size: int = 10, md5: str = "0" * 32) -> NewUpload:
    return NewUpload(upload_key=new_key(), parent_key=parent_key, name=name, size=size, md5=md5, details=b"{}")


def _begin(store: MetadataStore, account: Account, upload: NewUpload, now: int = NOW) -> Upload:
    return store.write(lambda unit: unit.uploads.begin(account.account_id, upload, now))


def _advance(store: MetadataStore, account: Account, key: str, start: int, size: int, token: str = "") -> Upload:
    part = UploadPart(start, size, "a" * 32, token)
    return store.write(lambda unit: unit.uploads.advance(account.account_id, key, part, NOW + 1))


def _get(store: MetadataStore, account: Account, key: str) -> Upload:
    with store.read() as unit:
        return unit.uploads.get(account.account_id, key)


def test_reserved_space_is_given_back_as_far_as_no_byte_has_come(store: MetadataStore, account: Account) -> None:
    key = _begin(store, account, _new(account.root_key)).upload_key
    _advance(store, account, key, 0, 4)
    for size, left in ((2, 8), (9, 4), (1, 4)):
        store.write(lambda unit, size=size: unit.uploads.release(account.account_id, key, size))  # type: ignore[misc]
        with store.read() as unit:
            assert (unit.uploads.get(account.account_id, key).size, left) == (left, left)
            assert unit.quotas.get(account.account_id, NOW).reserved == left
    with pytest.raises(Missing):
        store.write(lambda unit: unit.uploads.release(account.account_id, new_key(), 1))


def test_the_same_upload_goes_on_where_it_was_with_the_details_given_now(
    store: MetadataStore, account: Account
) -> None:
    first = _begin(store, account, _new(account.root_key))
    _advance(store, account, first.upload_key, 0, 4)
    again = NewUpload(
        upload_key=new_key(), parent_key=account.root_key, name="file", size=10, md5="0" * 32, details=b"newer"
    )
    found = _begin(store, account, again, now=NOW + 9)
    assert found.upload_key == first.upload_key
    assert (found.received, found.details, found.created_at, found.updated_at) == (4, b"newer", NOW, NOW + 9)
    with store.read() as unit, pytest.raises(Missing):
        unit.uploads.get(account.account_id, again.upload_key)


def test_another_folder_name_size_digest_or_account_is_another_upload(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    folder = make_folder(store, account, account.root_key, "folder").object_key
    root = account.root_key
    uploads = [_new(root), _new(folder), _new(root, "File"), _new(root, size=11), _new(root, md5="1" * 32)]
    keys = [_begin(store, account, upload).upload_key for upload in uploads]
    keys.append(_begin(store, other, _new(other.root_key)).upload_key)
    assert len(set(keys)) == 6
    assert_books_balance(store, account, other)


def test_an_upload_needs_a_folder_that_can_be_seen(store: MetadataStore, account: Account) -> None:
    file = put_file(store, account, account.root_key, "a").object.object_key
    folder = make_folder(store, account, account.root_key, "folder").object_key
    begun = _begin(store, account, _new(folder))
    trash(store, account, folder)
    with pytest.raises(NotAFolder):
        _begin(store, account, _new(file))
    for missing in (folder, new_key()):
        with pytest.raises(ObjectMissing):
            _begin(store, account, _new(missing))
    assert _get(store, account, begun.upload_key) == begun
    assert quota_of(store, account).reserved == 10


def test_chunks_follow_one_another_without_a_gap(store: MetadataStore, account: Account) -> None:
    key = _begin(store, account, _new(account.root_key)).upload_key
    assert _advance(store, account, key, 0, 4, "first").received == 4
    assert _advance(store, account, key, 4, 6, "second").received == 10
    with store.read() as unit:
        parts = unit.uploads.parts(account.account_id, key)
    assert [(part.start, part.size, part.token) for part in parts] == [(0, 4, "first"), (4, 6, "second")]


@pytest.mark.parametrize("start", [0, 3, 5, 9])
def test_a_chunk_at_another_offset_is_refused_with_the_right_one(
    store: MetadataStore, account: Account, start: int
) -> None:
    key = _begin(store, account, _new(account.root_key)).upload_key
    _advance(store, account, key, 0, 4)
    with pytest.raises(OffsetConflict) as refusal:
        _advance(store, account, key, start, 1)
    assert refusal.value.received == 4
    assert _get(store, account, key).received == 4


def test_a_chunk_past_the_announced_size_is_refused(store: MetadataStore, account: Account) -> None:
    key = _begin(store, account, _new(account.root_key, size=10)).upload_key
    _advance(store, account, key, 0, 8)
    with pytest.raises(SizeMismatch):
        _advance(store, account, key, 8, 3)
    assert _get(store, account, key).received == 8
    assert _advance(store, account, key, 8, 2).received == 10


def test_an_empty_chunk_changes_nothing_and_blocks_nothing(store: MetadataStore, account: Account) -> None:
    key = _begin(store, account, _new(account.root_key)).upload_key
    for _ in range(2):
        assert _advance(store, account, key, 0, 0).received == 0
    assert _advance(store, account, key, 0, 10).received == 10
    with store.read() as unit:
        assert [part.size for part in unit.uploads.parts(account.account_id, key)] == [10]


def test_of_many_writers_at_one_offset_one_wins(store: MetadataStore, account: Account) -> None:
    key = _begin(store, account, _new(account.root_key, size=100)).upload_key

    def write(number: int) -> list[int]:
        won = []
        for start in range(10):
            try:
                _advance(store, account, key, start, 1, f"{number}")
            except OffsetConflict as refusal:
                ahead.append(refusal.received > start)
            else:
                won.append(start)
        return won

    ahead: list[bool] = []

    winners = in_parallel(6, write)
    assert sorted(start for won in winners for start in won) == list(range(10))
    assert all(ahead)
    with store.read() as unit:
        parts = unit.uploads.parts(account.account_id, key)
    assert [(part.start, part.size) for part in parts] == [(start, 1) for start in range(10)]
    for number, won in enumerate(winners):
        assert [part.start for part in parts if part.token == f"{number}"] == won


def test_many_who_begin_the_same_upload_at_once_share_it(store: MetadataStore, account: Account) -> None:
    keys = in_parallel(8, lambda _number: _begin(store, account, _new(account.root_key)).upload_key)
    assert len(set(keys)) == 1
    assert quota_of(store, account).reserved == 10
    assert_books_balance(store, account)


def test_the_put_that_ends_an_upload_ends_its_reservation_in_the_same_step(
    store: MetadataStore, account: Account
) -> None:
    key = _begin(store, account, _new(account.root_key)).upload_key
    _advance(store, account, key, 0, 10)
    put_file(store, account, account.root_key, "file", b"x" * 10, upload_key=key)
    with store.read() as unit:
        with pytest.raises(Missing):
            unit.uploads.get(account.account_id, key)
        assert unit.uploads.parts(account.account_id, key) == []
        assert unit.uploads.known([key]) == set()
    quota = quota_of(store, account)
    assert (quota.used, quota.reserved) == (10, 0)
    with pytest.raises(Missing):
        put_file(store, account, account.root_key, "file", b"x" * 10, upload_key=key)
    assert_books_balance(store, account)


def test_a_put_that_is_refused_leaves_its_upload_as_it_was(store: MetadataStore) -> None:
    account = make_account(store, default_space=20)
    make_folder(store, account, account.root_key, "taken")
    key = _begin(store, account, _new(account.root_key, "taken")).upload_key
    before = _advance(store, account, key, 0, 10)
    with pytest.raises(NameTaken):
        put_file(store, account, account.root_key, "taken", b"x" * 10, upload_key=key)
    with pytest.raises(QuotaExceeded):
        put_file(store, account, account.root_key, "free", b"x" * 21, upload_key=key)
    assert _get(store, account, key) == before
    with store.read() as unit:
        assert len(unit.uploads.parts(account.account_id, key)) == 1
    assert quota_of(store, account).reserved == 10
    assert listing(store, account, account.root_key) == ["taken"]


def test_an_upload_ends_once(store: MetadataStore, account: Account) -> None:
    key = _begin(store, account, _new(account.root_key)).upload_key

    def end(number: int) -> bool:
        if number % 2:
            return store.write(lambda unit: unit.uploads.discard(account.account_id, key))
        try:
            put_file(store, account, account.root_key, "file", b"x" * 10, upload_key=key)
        except Missing:
            return False
        return True

    assert sorted(in_parallel(8, end)) == [False] * 7 + [True]
    assert quota_of(store, account).reserved == 0
    assert_books_balance(store, account)


def test_a_discarded_upload_is_gone_with_its_parts(store: MetadataStore, account: Account) -> None:
    key = _begin(store, account, _new(account.root_key)).upload_key
    _advance(store, account, key, 0, 4)
    assert store.write(lambda unit: unit.uploads.discard(account.account_id, key))
    with pytest.raises(Missing):
        _advance(store, account, key, 4, 1)
    again = _begin(store, account, _new(account.root_key))
    assert again.received == 0
    with store.read() as unit:
        assert unit.uploads.parts(account.account_id, key) == []


def test_untouched_uploads_are_found_oldest_first(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    keys = [
        (one.account_id, _begin(store, one, _new(one.root_key, f"{number}"), now=NOW + number).upload_key)
        for number, one in enumerate((account, other, account, other))
    ]
    with store.read() as unit:
        assert unit.uploads.stale(NOW + 2, 100) == keys[:2]
        assert unit.uploads.stale(NOW + 100, 3) == keys[:3]
        assert unit.uploads.stale(NOW, 100) == []


def test_known_uploads_are_those_of_any_account(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    keys = {_begin(store, one, _new(one.root_key)).upload_key for one in (account, other)}
    with store.read() as unit:
        assert unit.uploads.known([*keys, new_key()]) == keys
        assert unit.uploads.known([]) == set()


def test_uploads_of_an_account_are_paged_begun_last_first(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    _begin(store, other, _new(other.root_key))
    begun = [_begin(store, account, _new(account.root_key, f"file {one}"), NOW + one // 2) for one in range(5)]
    expected = sorted(begun, key=lambda one: (one.created_at, one.upload_key), reverse=True)
    found: list[Upload] = []
    after = None
    while True:
        with store.read() as unit:
            page = unit.uploads.page(account.account_id, limit=2, after=after)
        found += page
        if len(page) < 2:
            break
        after = PageCursor(page[-1].created_at, page[-1].upload_key)
    assert found == expected
