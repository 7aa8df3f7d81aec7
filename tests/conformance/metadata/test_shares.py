"""Shares: links with an end, a limit and objects in an order."""

from functools import partial

import pytest
from tests.conformance.metadata.making import (
    NOW,
    in_parallel,
    make_account,
    make_folder,
    mark_for_deletion,
    new_key,
    purge_all,
    put_file,
    restore,
    trash,
)
from tests.conformance.metadata.reading import keys_of

from skyshelf.storage.errors import Missing, ObjectMissing
from skyshelf.storage.metadata.contracts.accounts import DISABLED, Account
from skyshelf.storage.metadata.contracts.shares import SEND, GuestFile, NewShare, Share, ShareEdit
from skyshelf.storage.metadata.store import MetadataStore


def file_in(store: MetadataStore, account: Account, name: str, folder_key: str | None = None) -> str:
    return put_file(store, account, folder_key or account.root_key, name).object.object_key


def share(
    store: MetadataStore,
    account: Account,
    *object_keys: str,
    now: int = NOW,
    token: bytes | None = None,
    expires_at: int = 0,
    download_limit: int = 0,
) -> Share:
    key = new_key()
    new = NewShare(
        share_key=key,
        token_hash=token or key.encode(),
        name="06May2024_070809",
        object_keys=list(object_keys),
        expires_at=expires_at,
        download_limit=download_limit,
    )
    return store.write(lambda unit: unit.shares.add(account.account_id, new, now))


def by_token(store: MetadataStore, token: bytes, now: int = NOW) -> Share | None:
    with store.read() as unit:
        return unit.shares.by_token(token, now)


def page(store: MetadataStore, account: Account, limit: int = 100, after: tuple[int, str] | None = None) -> list[str]:
    with store.read() as unit:
        return [one.share_key for one in unit.shares.page(account.account_id, limit=limit, after=after)]


def shared(
    store: MetadataStore,
    account: Account,
    now: int = NOW,
    *,
    newest_first: bool = True,
    limit: int = 100,
    offset: int = 0,
) -> list[tuple[str, int]]:
    with store.read() as unit:
        found = unit.shares.shared_objects(
            account.account_id, now, limit=limit, offset=offset, newest_first=newest_first
        )
    return [(keys_of([wire])[0], shared_at) for wire, shared_at in found]


def test_every_field_of_a_share_comes_back(store: MetadataStore, account: Account) -> None:
    a, b = file_in(store, account, "a.jpg"), file_in(store, account, "b.jpg")
    key = new_key()
    new = NewShare(
        share_key=key,
        token_hash=b"token",
        name="Été 🏖️",
        object_keys=[b, a],
        expires_at=NOW + 10,
        password_hash="argon",
        download_limit=7,
    )
    added = store.write(lambda unit: unit.shares.add(account.account_id, new, NOW))
    assert added == Share(
        key, account.account_id, "Été 🏖️", NOW, NOW + 10, "argon", 7, 0, 0, 0, "V", 0, 0, 0, None, None, [b, a]
    )
    assert by_token(store, b"token") == added
    with store.read() as unit:
        assert unit.shares.get(account.account_id, key) == added
        assert unit.shares.page(account.account_id, limit=5) == [added]


def test_objects_keep_their_order_and_count_once(store: MetadataStore, account: Account) -> None:
    keys = [file_in(store, account, f"{number}.jpg") for number in range(20)]
    backwards = keys[::-1]
    assert share(store, account, *backwards, *keys).object_keys == backwards


def test_the_root_and_folders_can_be_shared(store: MetadataStore, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "Photos").object_key
    assert share(store, account, account.root_key, folder).object_keys == [account.root_key, folder]


def test_a_share_with_an_object_that_cannot_be_seen_is_refused_whole(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    folder = make_folder(store, account, account.root_key, "Photos").object_key
    fine, trashed = file_in(store, account, "a.jpg"), file_in(store, account, "b.jpg")
    below = file_in(store, account, "c.jpg", folder)
    trash(store, account, trashed, folder)
    for bad in (trashed, folder, below, file_in(store, other, "theirs.jpg"), new_key()):
        with pytest.raises(ObjectMissing):
            share(store, account, fine, bad, token=b"refused")
    assert by_token(store, b"refused") is None
    assert page(store, account) == []


def test_a_link_lives_until_its_end_and_is_listed_afterwards(store: MetadataStore, account: Account) -> None:
    made = share(store, account, file_in(store, account, "a.jpg"), token=b"token", expires_at=NOW + 10)
    assert by_token(store, b"token", NOW + 9) is not None
    assert by_token(store, b"token", NOW + 10) is None
    assert by_token(store, b"unknown") is None
    assert page(store, account) == [made.share_key]


def test_a_link_of_a_disabled_account_opens_nothing(store: MetadataStore, account: Account) -> None:
    share(store, account, file_in(store, account, "a.jpg"), token=b"token")
    store.write(lambda unit: unit.accounts.set_status(account.account_id, DISABLED, NOW))
    assert by_token(store, b"token") is None


def test_a_revoked_share_is_gone_for_every_call(store: MetadataStore, account: Account) -> None:
    made = share(store, account, file_in(store, account, "a.jpg"), token=b"token")
    assert store.write(lambda unit: unit.shares.revoke(account.account_id, made.share_key, 0))
    assert by_token(store, b"token") is None
    assert page(store, account) == []
    assert shared(store, account) == []
    assert not store.write(lambda unit: unit.shares.revoke(account.account_id, made.share_key, NOW))
    assert not store.write(lambda unit: unit.shares.take_download(made.share_key, NOW))
    with store.read() as unit, pytest.raises(Missing):
        unit.shares.get(account.account_id, made.share_key)
    with pytest.raises(Missing):
        store.write(lambda unit: unit.shares.edit(account.account_id, made.share_key, ShareEdit(name="x")))


def test_another_accounts_share_is_one_that_does_not_exist(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    made = share(store, account, file_in(store, account, "a.jpg"), token=b"token")
    assert not store.write(lambda unit: unit.shares.revoke(other.account_id, made.share_key, NOW))
    with pytest.raises(Missing):
        store.write(lambda unit: unit.shares.edit(other.account_id, made.share_key, ShareEdit(name="theirs")))
    with store.read() as unit, pytest.raises(Missing):
        unit.shares.get(other.account_id, made.share_key)
    assert page(store, other) == []
    assert shared(store, other) == []
    assert by_token(store, b"token") == made


def test_an_edit_changes_what_it_names_and_nothing_else(store: MetadataStore, account: Account) -> None:
    made = share(store, account, file_in(store, account, "a.jpg"), expires_at=NOW + 10, download_limit=5)

    def edit(**fields: str | int) -> Share:
        change = ShareEdit(**fields)  # type: ignore[arg-type]
        return store.write(lambda unit: unit.shares.edit(account.account_id, made.share_key, change))

    assert edit() == made
    renamed = edit(name="New 名")
    assert (renamed.name, renamed.expires_at, renamed.download_limit) == ("New 名", NOW + 10, 5)
    locked = edit(password_hash="argon", expires_at=0)
    assert (locked.name, locked.password_hash, locked.expires_at, locked.download_limit) == ("New 名", "argon", 0, 5)
    opened = edit(password_hash="", download_limit=0)
    assert (opened.password_hash, opened.download_limit) == ("", 0)


def test_an_end_that_is_moved_revives_a_link(store: MetadataStore, account: Account) -> None:
    made = share(store, account, file_in(store, account, "a.jpg"), token=b"token", expires_at=NOW - 1)
    assert by_token(store, b"token") is None
    store.write(lambda unit: unit.shares.edit(account.account_id, made.share_key, ShareEdit(expires_at=0)))
    assert by_token(store, b"token") is not None


def test_pages_are_newest_first_and_hold_every_share_once(store: MetadataStore, account: Account) -> None:
    a, b = file_in(store, account, "a.jpg"), file_in(store, account, "b.jpg")
    made = [share(store, account, a, b, now=NOW + number // 2).share_key for number in range(7)]
    whole = page(store, account)
    assert whole == sorted(made, key=lambda key: (made.index(key) // 2, key), reverse=True)
    walked, after = list[str](), None
    while part := page(store, account, 3, after):
        walked += part
        with store.read() as unit:
            last = unit.shares.get(account.account_id, part[-1])
        after = (last.created_at, last.share_key)
        # One that goes in the middle of a walk does not confuse it.
        store.write(lambda unit, key=part[-1]: unit.shares.revoke(account.account_id, key, NOW))  # type: ignore[misc]
    assert walked == whole
    with store.read() as unit:
        assert all(one.object_keys == [a, b] for one in unit.shares.page(account.account_id, limit=100))


def test_visits_are_counted(store: MetadataStore, account: Account) -> None:
    made = share(store, account, file_in(store, account, "a.jpg"), token=b"token")
    for number in range(3):
        store.write(partial(lambda unit, now: unit.shares.count_visit(made.share_key, now), now=NOW + number))
    found = by_token(store, b"token")
    assert found is not None
    assert (found.visits, found.last_visit_at, found.downloads) == (3, NOW + 2, 0)


def test_downloads_end_at_the_limit(store: MetadataStore, account: Account) -> None:
    made = share(store, account, file_in(store, account, "a.jpg"), token=b"token", download_limit=2)
    taken = [store.write(lambda unit: unit.shares.take_download(made.share_key, NOW)) for _ in range(4)]
    assert taken == [True, True, False, False]
    found = by_token(store, b"token")
    assert found is not None
    assert found.downloads == 2, "the link still shows what it has"


def test_without_a_limit_every_download_is_counted(store: MetadataStore, account: Account) -> None:
    made = share(store, account, file_in(store, account, "a.jpg"), token=b"token")
    assert all(store.write(lambda unit: unit.shares.take_download(made.share_key, NOW)) for _ in range(5))
    found = by_token(store, b"token")
    assert found is not None
    assert found.downloads == 5


def test_an_expired_or_unknown_share_gives_no_downloads(store: MetadataStore, account: Account) -> None:
    made = share(store, account, file_in(store, account, "a.jpg"), expires_at=NOW + 10)
    assert not store.write(lambda unit: unit.shares.take_download(made.share_key, NOW + 10))
    assert not store.write(lambda unit: unit.shares.take_download(new_key(), NOW))


def test_of_sixteen_takers_at_once_exactly_as_many_succeed_as_downloads_are_left(
    store: MetadataStore, account: Account
) -> None:
    made = share(store, account, file_in(store, account, "a.jpg"), token=b"token", download_limit=5)
    taken = in_parallel(16, lambda _: store.write(lambda unit: unit.shares.take_download(made.share_key, NOW)))
    assert sorted(taken) == [False] * 11 + [True] * 5
    found = by_token(store, b"token")
    assert found is not None
    assert found.downloads == 5


def test_shared_objects_come_once_with_the_date_of_their_newest_live_share(
    store: MetadataStore, account: Account
) -> None:
    a, b, c = (file_in(store, account, name) for name in ("a.jpg", "b.jpg", "c.jpg"))
    share(store, account, a, b, now=NOW)
    share(store, account, b, now=NOW + 5)
    share(store, account, c, now=NOW + 3)
    share(store, account, a, now=NOW + 9, expires_at=NOW + 10)
    assert shared(store, account, NOW + 9) == [(a, NOW + 9), (b, NOW + 5), (c, NOW + 3)]
    assert shared(store, account, NOW + 10) == [(b, NOW + 5), (c, NOW + 3), (a, NOW)]
    assert shared(store, account, NOW + 10, newest_first=False) == [(a, NOW), (c, NOW + 3), (b, NOW + 5)]


def test_shared_objects_are_paged_without_overlap(store: MetadataStore, account: Account) -> None:
    keys = [file_in(store, account, f"{number}.jpg") for number in range(7)]
    share(store, account, *keys[:4])
    share(store, account, *keys[4:])
    pages = [shared(store, account, limit=3, offset=offset) for offset in (0, 3, 6)]
    assert [len(one) for one in pages] == [3, 3, 1]
    assert [key for one in pages for key, _ in one] == sorted(keys, reverse=True)


def test_what_cannot_be_seen_is_not_among_the_shared_objects(store: MetadataStore, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "Photos").object_key
    inner = make_folder(store, account, folder, "2024").object_key
    deep, top = file_in(store, account, "deep.jpg", inner), file_in(store, account, "top.jpg")
    share(store, account, deep, top)
    trash(store, account, folder)
    assert shared(store, account) == [(top, NOW)]
    restore(store, account, folder)
    trash(store, account, top)
    assert shared(store, account) == [(deep, NOW)]


def test_a_purged_object_leaves_its_shares(store: MetadataStore, account: Account) -> None:
    gone, kept = file_in(store, account, "gone.jpg"), file_in(store, account, "kept.jpg")
    share(store, account, gone, kept, token=b"two")
    share(store, account, gone, token=b"one")
    trash(store, account, gone)
    found = by_token(store, b"two")
    assert found is not None
    assert found.object_keys == [gone, kept], "in the trash it may come back"
    mark_for_deletion(store, account, gone)
    purge_all(store, account)
    two, one = by_token(store, b"two"), by_token(store, b"one")
    assert two is not None
    assert one is not None
    assert two.object_keys == [kept]
    assert one.object_keys == []


def test_sharing_and_purging_at_the_same_moment_leaves_both_whole(store: MetadataStore, account: Account) -> None:
    """A share that is made while its object goes is refused or loses it; it never names what is not there."""
    for number in range(10):
        key = file_in(store, account, f"{number}.jpg")

        def share_or_purge(thread: int, key: str = key) -> None:
            if thread:
                trash(store, account, key)
                mark_for_deletion(store, account, key)
                purge_all(store, account)
                return
            try:
                share(store, account, key, token=key.encode())
            except ObjectMissing:
                assert by_token(store, key.encode()) is None

        in_parallel(2, share_or_purge)
        found = by_token(store, key.encode())
        assert found is None or found.object_keys == []


def test_a_shared_root_is_seen_whatever_else_is_hidden(store: MetadataStore, account: Account) -> None:
    """The root alone has no folder above it to ask."""
    folder = make_folder(store, account, account.root_key, "Photos").object_key
    hidden = file_in(store, account, "hidden.jpg", folder)
    share(store, account, account.root_key, hidden)
    trash(store, account, folder)
    assert shared(store, account) == [(account.root_key, NOW)]


def test_files_are_taken_as_often_as_the_limits_of_a_link_allow(store: MetadataStore, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "Inbox").object_key
    key = new_key()
    new = NewShare(
        share_key=key,
        token_hash=b"inbox",
        name="Inbox",
        object_keys=[folder],
        rights=SEND,
        upload_limit=3,
        expires_at=0,
    )
    store.write(lambda unit: unit.shares.add(account.account_id, new, NOW))

    def take(now: int) -> bool:
        return store.write(lambda unit: unit.shares.take_upload(key, now, most=100, most_in_hour=2))

    hour = 3_600_000
    assert [take(NOW), take(NOW), take(NOW)] == [True, True, False]
    assert [take(NOW + hour), take(NOW + hour)] == [True, False]
    store.write(lambda unit: unit.shares.edit(account.account_id, key, ShareEdit(upload_limit=4)))
    assert [take(NOW + hour), take(NOW + 2 * hour)] == [True, False]
    looked_at = share(store, account, folder)
    assert not store.write(lambda unit: unit.shares.take_upload(looked_at.share_key, NOW, most=9, most_in_hour=9))


def test_who_sent_a_file_goes_with_the_file(store: MetadataStore, account: Account) -> None:
    mine, sent = file_in(store, account, "a.jpg"), file_in(store, account, "b.jpg")
    guest = GuestFile(
        account_id=account.account_id, object_key=sent, share_key=new_key(), guest_name="Grace", added_at=NOW
    )
    store.write(lambda unit: unit.shares.add_guest_file(guest))
    keys = [(account.account_id, mine), (account.account_id, sent)]
    with store.read() as unit:
        assert unit.shares.guest_files(keys) == {sent: guest}
        assert unit.shares.guest_files([(account.account_id + 1, sent)]) == {}
    trash(store, account, sent)
    mark_for_deletion(store, account, sent)
    purge_all(store, account)
    with store.read() as unit:
        assert unit.shares.guest_files(keys) == {}
