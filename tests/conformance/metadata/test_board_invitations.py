"""Invitations: to an address that nobody need have, or by a link, each with an end."""

import pytest
from tests.conformance.metadata.board_making import accept, invite, invited_to, join, make_board, roles
from tests.conformance.metadata.making import NOW, make_account, new_key

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.boards import BoardEdit, Invitation, Link, NewLink, ReceivedInvitation
from skyshelf.storage.metadata.contracts.tree import PageCursor
from skyshelf.storage.metadata.store import MetadataStore


def invite_address(store: MetadataStore, owner: Account, board: str, email: str, *, now: int = NOW) -> Invitation:
    new = Invitation(email=email, role="M", created_at=now, expires_at=now + 1000)
    store.write(lambda unit: unit.board_invitations.invite(owner.account_id, board, new))
    return new


def pending(store: MetadataStore, owner: Account, board: str, *, now: int = NOW) -> list[Invitation]:
    with store.read() as unit:
        return unit.board_invitations.of_board(owner.account_id, board, now)


def link(store: MetadataStore, owner: Account, board: str, token: bytes, *, now: int = NOW) -> Link:
    new = NewLink(link_key=new_key(), token_hash=token, role="V", expires_at=now + 1000)
    return store.write(lambda unit: unit.board_invitations.add_link(owner.account_id, board, new, now))


def follow(store: MetadataStore, account: Account, token: bytes, *, now: int = NOW) -> str:
    return store.write(lambda unit: unit.board_invitations.accept_link(account.account_id, token, now))


def test_an_address_is_invited_alike_whether_an_account_has_it_or_not(store: MetadataStore, account: Account) -> None:
    friend, board = make_account(store, email="Zoe@example.org"), make_board(store, account)
    new = [invite_address(store, account, board, email) for email in ("nobody@example.org", "zoe@EXAMPLE.org")]
    assert pending(store, account, board) == new
    assert invited_to(store, friend) == ["Summer"]
    assert roles(store, account, board) == {account.account_id: "OA"}, "who is invited is not on the roster"


def test_an_account_that_comes_later_finds_its_invitation(store: MetadataStore, account: Account) -> None:
    board = make_board(store, account)
    invite_address(store, account, board, "later@example.org")
    late = make_account(store, email="later@example.org")
    with store.read() as unit:
        assert unit.board_invitations.received(late.account_id, NOW, limit=9) == [
            ReceivedInvitation(
                board_key=board,
                board_name="Summer",
                owner_name=account.first_name,
                role="M",
                created_at=NOW,
                expires_at=NOW + 1000,
            )
        ]
    accept(store, late, board)
    assert roles(store, late, board)[late.account_id] == "MA"


def test_to_invite_again_is_one_invitation_with_the_newest_role_and_end(store: MetadataStore, account: Account) -> None:
    friend, board = make_account(store), make_board(store, account)
    invite(store, account, board, friend, "M")
    invite(store, account, board, friend, "V", now=NOW + 5)
    (only,) = pending(store, account, board, now=NOW + 5)
    assert (only.role, only.created_at, only.expires_at) == ("V", NOW + 5, NOW + 1005)


def test_an_invitation_that_expired_or_was_revoked_is_none(store: MetadataStore, account: Account) -> None:
    friend, board = make_account(store), make_board(store, account)
    invite(store, account, board, friend)
    assert invited_to(store, friend, now=NOW + 1000) == []
    assert pending(store, account, board, now=NOW + 1000) == []
    with pytest.raises(Missing):
        accept(store, friend, board, now=NOW + 1000)
    email = friend.email.upper()
    store.write(lambda unit: unit.board_invitations.revoke(account.account_id, board, email, NOW))
    with pytest.raises(Missing):
        accept(store, friend, board)
    with pytest.raises(Missing):
        store.write(lambda unit: unit.board_invitations.revoke(account.account_id, board, email, NOW))


def test_received_invitations_are_paged_newest_first(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    for number in range(5):
        invite(store, account, make_board(store, account, str(number)), friend, now=NOW + number // 2)
    found: list[ReceivedInvitation] = []
    with store.read() as unit:
        while True:
            after = PageCursor(found[-1].created_at, found[-1].board_key) if found else None
            page = unit.board_invitations.received(friend.account_id, NOW, limit=2, after=after)
            found += page
            if not page:
                break
    assert [one.board_name for one in found] == ["4", "3", "2", "1", "0"]


def test_the_sign_of_invitations_is_another_one_whenever_what_somebody_is_invited_to_has_changed(
    store: MetadataStore, account: Account
) -> None:
    friend, stranger = make_account(store), make_account(store)
    board, second = make_board(store, account), make_board(store, account, "Second")

    def change_tokens(now: int = NOW) -> dict[int, str]:
        with store.read() as unit:
            return unit.board_invitations.change_tokens([friend.account_id, stranger.account_id], now)

    assert change_tokens() == {}
    seen = []
    email = friend.email.upper()
    for change in (
        lambda: invite_address(store, account, board, email),
        lambda: invite(store, account, second, friend, now=NOW + 1),
        lambda: invite(store, account, board, friend, "V", now=NOW + 2),
        lambda: store.write(lambda unit: unit.boards.edit(account.account_id, board, BoardEdit(name="Sea"), NOW + 3)),
        lambda: store.write(lambda unit: unit.board_invitations.decline(friend.account_id, second, NOW)),
    ):
        change()
        seen.append(change_tokens()[friend.account_id])
        assert change_tokens().keys() == {friend.account_id}
        assert change_tokens()[friend.account_id] == seen[-1]
    assert len(set(seen)) == len(seen)
    assert change_tokens(NOW + 2000) == {}, "what has expired is none"
    accept(store, friend, board)
    assert change_tokens() == {}


def test_a_link_brings_anybody_onto_the_board_until_it_is_revoked(store: MetadataStore, account: Account) -> None:
    first, second = make_account(store), make_account(store)
    board, other = make_board(store, account), make_board(store, account)
    made = link(store, account, board, b"token")
    with store.read() as unit:
        assert unit.board_invitations.links(account.account_id, board, NOW) == [made]
        assert unit.board_invitations.links(account.account_id, other, NOW) == []
    assert follow(store, first, b"token") == board
    assert follow(store, first, b"token", now=NOW + 1) == board, "twice is once"
    assert roles(store, account, board) == {account.account_id: "OA", first.account_id: "VA"}
    for key in (other, board, board):
        try:
            store.write(
                lambda unit, key=key: unit.board_invitations.revoke_link(  # type: ignore[misc]
                    account.account_id, key, made.link_key, NOW
                )
            )
        except Missing:
            continue
        assert key == board
    with pytest.raises(Missing):
        follow(store, second, b"token")


def test_a_link_ends_and_an_unknown_one_leads_nowhere(store: MetadataStore, account: Account) -> None:
    stranger, board = make_account(store), make_board(store, account)
    link(store, account, board, b"token")
    for token, now in ((b"token", NOW + 1000), (b"other", NOW)):
        with pytest.raises(Missing):
            follow(store, stranger, token, now=now)
    with store.read() as unit:
        assert unit.board_invitations.links(account.account_id, board, NOW + 1000) == []


def test_a_member_keeps_their_role_whatever_they_accept(store: MetadataStore, account: Account) -> None:
    friend, board = make_account(store), make_board(store, account)
    join(store, account, board, friend)
    link(store, account, board, b"token")
    follow(store, friend, b"token")
    follow(store, account, b"token")
    assert roles(store, account, board) == {account.account_id: "OA", friend.account_id: "MA"}
