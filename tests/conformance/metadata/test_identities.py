"""Identities: each belongs to one account, sessions remember theirs, and what counts once counts once."""

import pytest
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import NOW, in_parallel, make_account
from tests.conformance.metadata.test_account_removal import announce, close, left_of, remove
from tests.conformance.metadata.test_sessions import find, log_in

from skyshelf.storage.errors import LimitReached
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.sessions import Identity, NewIdentity, SessionOrigin
from skyshelf.wire.limits import IDENTITIES_MAX

ISSUER, OTHER = "https://login.example.org", "https://accounts.example.com/a"
ADA = NewIdentity(issuer=ISSUER, subject="7", email="ada@example.org")


def link(store: Store, account: Account, identity: NewIdentity = ADA, now: int = NOW) -> bool:
    return store.write(lambda unit: unit.identities.add(account.account_id, identity, now))


def identities(store: Store, account: Account) -> list[Identity]:
    with store.read() as unit:
        return unit.identities.of_account(account.account_id)


def come_from(store: Store, account: Account, secret: bytes, origin: SessionOrigin) -> None:
    log_in(store, account, secret.decode(), secret)
    store.write(lambda unit: unit.identities.put_origin(account.account_id, secret, origin))


def test_an_identity_is_found_by_issuer_and_subject_together(store: Store, account: Account) -> None:
    assert link(store, account)
    wanted = Identity(
        issuer=ISSUER,
        subject="7",
        account_id=account.account_id,
        email="ada@example.org",
        created_at=NOW,
        last_used_at=NOW,
    )
    with store.read() as unit:
        assert unit.identities.find(ISSUER, "7") == wanted
        assert unit.identities.find(OTHER, "7") is None
        assert unit.identities.find(ISSUER, "8") is None
        assert unit.identities.linked_among([account.account_id, account.account_id + 1]) == {account.account_id}
        assert unit.identities.linked_among([]) == set()
    assert identities(store, account) == [wanted]
    assert identities(store, make_account(store)) == []


def test_an_identity_belongs_to_one_account_and_an_account_has_one_of_an_issuer(store: Store, account: Account) -> None:
    stranger = make_account(store)
    assert link(store, account)
    assert not link(store, stranger)
    assert not link(store, account)
    assert not link(store, account, NewIdentity(issuer=ISSUER, subject="8", email=""))
    assert link(store, account, NewIdentity(issuer=OTHER, subject="7", email=""), NOW + 1)
    assert [one.issuer for one in identities(store, account)] == [ISSUER, OTHER]
    assert identities(store, stranger) == []


def test_of_many_who_link_at_once_one_wins(store: Store) -> None:
    accounts = [make_account(store) for _ in range(4)]
    won = in_parallel(4, lambda number: link(store, accounts[number]))
    assert sorted(won) == [False, False, False, True]


def test_identities_of_an_account_are_limited(store: Store, account: Account) -> None:
    for number in range(IDENTITIES_MAX):
        assert link(store, account, NewIdentity(issuer=f"https://{number}.example.org", subject="7", email=""))
    with pytest.raises(LimitReached):
        link(store, account)


def test_a_login_notes_when_and_with_which_address(store: Store, account: Account) -> None:
    link(store, account)
    store.write(lambda unit: unit.identities.used(ISSUER, "7", "new@example.org", NOW + 5))
    store.write(lambda unit: unit.identities.used(ISSUER, "nobody", "x@example.org", NOW + 6))
    (found,) = identities(store, account)
    assert (found.email, found.created_at, found.last_used_at) == ("new@example.org", NOW, NOW + 5)


def test_only_the_owner_unlinks(store: Store, account: Account) -> None:
    link(store, account)
    stranger = make_account(store)
    assert not store.write(lambda unit: unit.identities.remove(stranger.account_id, ISSUER))
    assert not store.write(lambda unit: unit.identities.remove(account.account_id, OTHER))
    assert store.write(lambda unit: unit.identities.remove(account.account_id, ISSUER))
    assert not store.write(lambda unit: unit.identities.remove(account.account_id, ISSUER))
    assert link(store, stranger)


def test_a_session_knows_where_it_came_from_until_it_ends(store: Store, account: Account) -> None:
    origin = SessionOrigin(ISSUER, "7", "s1")
    come_from(store, account, b"one", origin)
    log_in(store, account, "two", b"two")
    with store.read() as unit:
        assert unit.identities.origin_of(b"one") == origin
        assert unit.identities.origin_of(b"two") is None
    store.write(lambda unit: unit.sessions.close(b"one"))
    with store.read() as unit:
        assert unit.identities.origin_of(b"one") is None


def test_the_sessions_of_a_subject_or_of_one_session_there_end_and_no_others(store: Store, account: Account) -> None:
    stranger = make_account(store)
    come_from(store, account, b"one", SessionOrigin(ISSUER, "7", "s1"))
    come_from(store, account, b"two", SessionOrigin(ISSUER, "7", "s2"))
    come_from(store, account, b"three", SessionOrigin(ISSUER, "7", ""))
    come_from(store, account, b"elsewhere", SessionOrigin(OTHER, "7", "s1"))
    come_from(store, stranger, b"stranger", SessionOrigin(ISSUER, "8", "s1"))
    log_in(store, account, "password", b"password")

    def end(subject: str = "", sid: str = "") -> dict[int, int]:
        return store.write(lambda unit: unit.identities.end_sessions(ISSUER, subject=subject, sid=sid))

    assert end() == {}
    assert end("9") == {}
    assert end("8", "s2") == {}
    assert end("7", "s1") == {account.account_id: 1}
    assert (find(store, b"one"), find(store, b"stranger") is None) == (None, False)
    assert end(sid="s1") == {stranger.account_id: 1}
    assert end("7") == {account.account_id: 2}
    assert find(store, b"two") is None
    assert find(store, b"three") is None
    assert find(store, b"elsewhere") is not None
    assert find(store, b"password") is not None


def test_a_removed_account_leaves_no_identity(store: Store) -> None:
    account = make_account(store)
    link(store, account)
    come_from(store, account, b"one", SessionOrigin(ISSUER, "7", "s1"))
    announce(store, account, NOW)
    assert close(store, account)
    remove(store, account, 10)
    assert left_of(store, account) == {}
    assert link(store, make_account(store))


def test_a_token_is_spent_once_and_forgotten_when_it_has_expired(store: Store) -> None:
    def spend(token: bytes, expires: int = NOW + 10) -> bool:
        return store.write(lambda unit: unit.spent_tokens.spend(token, expires))

    assert sorted(in_parallel(4, lambda _: spend(b"token"))) == [False, False, False, True]
    assert spend(b"another", NOW + 20)
    assert store.write(lambda unit: unit.spent_tokens.sweep(NOW + 9, 10)) == 0
    assert store.write(lambda unit: unit.spent_tokens.sweep(NOW + 10, 10)) == 1
    assert spend(b"token")
    assert not spend(b"another")
