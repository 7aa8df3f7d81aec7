"""Members: invited, joined, gone; and always exactly one owner."""

import pytest
from tests.conformance.metadata.board_making import (
    accept,
    board_as_seen_by,
    file_of,
    invite,
    invited_to,
    join,
    leave,
    make_board,
    roles,
    show,
)
from tests.conformance.metadata.making import NOW, in_parallel, make_account, new_key
from tests.conformance.metadata.reading import names_of

from skyshelf.storage.errors import KeptOut, Missing
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.boards import BoardMember, GivenRole, NewComment, NewLink
from skyshelf.storage.metadata.store import MetadataStore


def decline(store: MetadataStore, account: Account, board_key: str) -> None:
    store.write(lambda unit: unit.board_invitations.decline(account.account_id, board_key, NOW))


def set_role(store: MetadataStore, caller: Account, board_key: str, member: Account, role: GivenRole) -> None:
    store.write(lambda unit: unit.board_members.set_role(caller.account_id, board_key, member.account_id, role))


def pass_on(store: MetadataStore, caller: Account, board_key: str, heir: Account) -> None:
    store.write(lambda unit: unit.board_members.pass_on(caller.account_id, board_key, heir.account_id))


def remove(store: MetadataStore, caller: Account, board_key: str, member: Account) -> None:
    store.write(lambda unit: unit.board_members.remove(caller.account_id, board_key, member.account_id, NOW))


def shown(store: MetadataStore, account: Account, board_key: str) -> list[str]:
    with store.read() as unit:
        return sorted(names_of(unit.board_items.page(account.account_id, board_key, limit=100)))


def test_every_field_of_a_member_comes_back(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    invite(store, account, board, friend, "V")
    accept(store, friend, board, now=NOW + 1)

    def member(one: Account, role: str, joined_at: int) -> BoardMember:
        return BoardMember(
            one.account_id, one.account_key, one.first_name, one.last_name, one.email, role, "A", joined_at
        )

    with store.read() as unit:
        found = unit.board_members.of_board(account.account_id, board)
        assert found == [member(account, "O", NOW), member(friend, "V", NOW + 1)]
        assert unit.board_members.find(account.account_id, board, friend.account_key) == friend.account_id
        with pytest.raises(Missing):
            unit.board_members.find(account.account_id, board, make_account(store).account_key)


def test_who_accepts_joins_at_that_time_with_the_role_they_were_invited_with(
    store: MetadataStore, account: Account
) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    invite(store, account, board, friend, "V", now=NOW + 1)
    accept(store, friend, board, now=NOW + 7)
    with store.read() as unit:
        joined = unit.board_members.of_board(friend.account_id, board)[1]
    assert (joined.role, joined.status, joined.joined_at) == ("V", "A", NOW + 7)
    accept(store, friend, board, now=NOW + 9)
    with store.read() as unit:
        assert unit.board_members.of_board(friend.account_id, board)[1] == joined, "to accept twice changes nothing"


def test_who_declines_is_not_on_the_board_and_can_be_invited_again(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    invite(store, account, board, friend)
    decline(store, friend, board)
    assert roles(store, account, board) == {account.account_id: "OA"}
    with pytest.raises(Missing):
        accept(store, friend, board)
    invite(store, account, board, friend)
    accept(store, friend, board)
    assert roles(store, account, board) == {account.account_id: "OA", friend.account_id: "MA"}


def test_nobody_joins_uninvited(store: MetadataStore, account: Account) -> None:
    stranger = make_account(store)
    board = make_board(store, account)
    for attempt in (accept, decline):
        for key in (board, new_key()):
            with pytest.raises(Missing):
                attempt(store, stranger, key)
    assert roles(store, account, board) == {account.account_id: "OA"}


def test_a_member_cannot_decline(store: MetadataStore, account: Account) -> None:
    board = make_board(store, account)
    with pytest.raises(Missing):
        decline(store, account, board)
    assert roles(store, account, board) == {account.account_id: "OA"}


def test_inviting_an_existing_member_changes_nothing(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    join(store, account, board, friend)
    invite(store, account, board, friend, "V", now=NOW + 9)
    invite(store, friend, board, account, "V", now=NOW + 9)
    assert roles(store, account, board) == {account.account_id: "OA", friend.account_id: "MA"}


def test_roles_can_be_set_but_never_the_owners(store: MetadataStore, account: Account) -> None:
    friend, invited, stranger = (make_account(store) for _ in range(3))
    board = make_board(store, account)
    join(store, account, board, friend)
    invite(store, account, board, invited)
    set_role(store, account, board, friend, "V")
    expected = {account.account_id: "OA", friend.account_id: "VA"}
    assert roles(store, account, board) == expected
    for member in (account, invited, stranger):
        with pytest.raises(Missing):
            set_role(store, account, board, member, "M")
    assert roles(store, account, board) == expected


def test_a_board_passes_to_an_active_member_only(store: MetadataStore, account: Account) -> None:
    friend, invited, stranger = (make_account(store) for _ in range(3))
    board = make_board(store, account)
    join(store, account, board, friend)
    invite(store, account, board, invited)
    for heir in (invited, stranger):
        with pytest.raises(Missing):
            pass_on(store, account, board, heir)
    pass_on(store, account, board, friend)
    assert roles(store, account, board) == {account.account_id: "MA", friend.account_id: "OA"}
    seen = board_as_seen_by(store, account, board)
    assert (seen.owner_id, seen.owner_key) == (friend.account_id, friend.account_key)


def test_a_member_who_leaves_takes_their_items_and_leaves_their_comments(
    store: MetadataStore, account: Account
) -> None:
    friend = make_account(store)
    board, other_board = make_board(store, account), make_board(store, account)
    join(store, account, board, friend)
    join(store, account, other_board, friend)
    theirs, mine = file_of(store, friend, "theirs.jpg"), file_of(store, account, "mine.jpg")
    show(store, friend, board, theirs)
    show(store, friend, other_board, theirs)
    show(store, account, board, mine)
    comment = NewComment(comment_key=new_key(), text="good bye")
    store.write(lambda unit: unit.board_comments.add(friend.account_id, board, comment, NOW))
    assert leave(store, friend, board, now=NOW + 5)
    assert shown(store, account, board) == ["mine.jpg"]
    assert shown(store, account, other_board) == ["theirs.jpg"], "the other board is untouched"
    seen = board_as_seen_by(store, account, board)
    assert (seen.users, seen.files, seen.comments, seen.updated_at) == (1, 1, 1, NOW + 5)
    with store.read() as unit:
        assert unit.boards.page(friend.account_id, limit=10)[0].board_key == other_board
        assert unit.board_items.owner_of(friend.account_id, mine) is None
        assert unit.tree.visible(friend.account_id, theirs).name == "theirs.jpg"


def test_when_the_owner_leaves_the_board_passes_to_the_active_member_who_joined_first(
    store: MetadataStore, account: Account
) -> None:
    invited, late, early = (make_account(store) for _ in range(3))
    board = make_board(store, account)
    invite(store, account, board, invited, now=NOW)
    invite(store, account, board, late, now=NOW + 1)
    invite(store, account, board, early, now=NOW + 2)
    accept(store, early, board, now=NOW + 3)
    accept(store, late, board, now=NOW + 4)
    assert leave(store, account, board)
    assert roles(store, early, board) == {early.account_id: "OA", late.account_id: "MA"}
    assert board_as_seen_by(store, late, board).owner_id == early.account_id
    assert leave(store, early, board)
    assert board_as_seen_by(store, late, board).owner_id == late.account_id


def test_without_active_members_the_board_and_its_invitations_are_deleted(
    store: MetadataStore, account: Account
) -> None:
    invited = make_account(store)
    board = make_board(store, account)
    show(store, account, board, file_of(store, account, "a.jpg"))
    invite(store, account, board, invited)
    assert not leave(store, account, board)
    assert invited_to(store, invited) == []
    with pytest.raises(Missing):
        accept(store, invited, board)
    with pytest.raises(Missing):
        leave(store, account, board)


def test_who_left_can_come_back_as_a_member(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    join(store, account, board, friend)
    leave(store, account, board)
    join(store, friend, board, account, now=NOW + 5)
    assert roles(store, account, board) == {friend.account_id: "OA", account.account_id: "MA"}


def test_a_removed_member_is_gone_with_their_items(store: MetadataStore, account: Account) -> None:
    friend, invited, stranger = (make_account(store) for _ in range(3))
    board = make_board(store, account)
    join(store, account, board, friend)
    invite(store, account, board, invited)
    show(store, friend, board, file_of(store, friend, "theirs.jpg"))
    remove(store, account, board, friend)
    for nobody in (invited, stranger):
        with pytest.raises(Missing):
            remove(store, account, board, nobody)
    assert roles(store, account, board) == {account.account_id: "OA"}
    assert shown(store, account, board) == []


def test_two_who_leave_at_once_are_both_gone_and_so_is_the_board(store: MetadataStore, account: Account) -> None:
    for _ in range(10):
        friend = make_account(store)
        board = make_board(store, account)
        join(store, account, board, friend)
        people = (account, friend)

        def leave_it(number: int, board: str = board, people: tuple[Account, Account] = people) -> bool:
            return leave(store, people[number], board)

        left = in_parallel(2, leave_it)
        assert sorted(left) == [False, True], "the one who left last took the board along"
        for person in people:
            with pytest.raises(Missing):
                board_as_seen_by(store, person, board)


def test_owners_who_leave_one_upon_the_other_leave_the_last_member_as_the_owner(
    store: MetadataStore, account: Account
) -> None:
    people = [account, *(make_account(store) for _ in range(7))]
    board = make_board(store, account)
    join(store, account, board, *people[1:])
    assert all(in_parallel(7, lambda number: leave(store, people[number], board)))
    assert roles(store, people[7], board) == {people[7].account_id: "OA"}
    assert board_as_seen_by(store, people[7], board).owner_id == people[7].account_id


def test_a_board_whose_owner_leaves_while_an_invited_accepts_has_an_owner_or_is_gone(
    store: MetadataStore, account: Account
) -> None:
    for _ in range(10):
        friend = make_account(store)
        board = make_board(store, account)
        invite(store, account, board, friend)

        def leave_or_accept(number: int, board: str = board, friend: Account = friend) -> bool:
            if number == 0:
                return leave(store, account, board)
            try:
                accept(store, friend, board)
            except Missing:
                return False
            return True

        still_there, accepted = in_parallel(2, leave_or_accept)
        assert still_there == accepted
        if accepted:
            assert roles(store, friend, board) == {friend.account_id: "OA"}


def link_to(store: MetadataStore, owner: Account, board_key: str, role: GivenRole = "M") -> bytes:
    token = bytes.fromhex(new_key()) * 2
    new = NewLink(link_key=new_key(), token_hash=token, role=role, expires_at=NOW + 1000)
    store.write(lambda unit: unit.board_invitations.add_link(owner.account_id, board_key, new, NOW))
    return token


def follow(store: MetadataStore, account: Account, token: bytes) -> str:
    return store.write(lambda unit: unit.board_invitations.accept_link(account.account_id, token, NOW))


def test_who_was_removed_comes_back_by_an_invitation_and_by_no_link(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    link = link_to(store, account, board)
    follow(store, friend, link)
    remove(store, account, board, friend)
    later = link_to(store, account, board)
    for token in (link, later, link):
        with pytest.raises(KeptOut):
            follow(store, friend, token)
    assert friend.account_id not in roles(store, account, board)
    invite(store, account, board, friend)
    with pytest.raises(KeptOut):
        follow(store, friend, link)
    accept(store, friend, board)
    assert roles(store, account, board)[friend.account_id] == "MA"
    leave(store, friend, board)
    assert follow(store, friend, link) == board, "who left on their own may come back"


def test_an_invitation_from_before_the_removal_brings_nobody_back(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    invite(store, account, board, friend)
    follow(store, friend, link_to(store, account, board))
    remove(store, account, board, friend)
    assert not invited_to(store, friend)
    with pytest.raises(Missing):
        accept(store, friend, board)


def test_others_come_by_the_link_that_does_not_bring_one_back(store: MetadataStore, account: Account) -> None:
    friend, other = make_account(store), make_account(store)
    board, another = make_board(store, account), make_board(store, account)
    link, elsewhere = link_to(store, account, board), link_to(store, account, another)
    follow(store, friend, link)
    remove(store, account, board, friend)
    assert follow(store, other, link) == board
    assert follow(store, friend, elsewhere) == another, "it is about one board"


def test_a_viewer_does_not_become_more_by_leaving_and_a_link(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    link = link_to(store, account, board, "M")
    follow(store, friend, link)
    set_role(store, account, board, friend, "V")
    leave(store, friend, board)
    follow(store, friend, link)
    assert roles(store, account, board)[friend.account_id] == "VA"
    set_role(store, account, board, friend, "M")
    leave(store, friend, board)
    follow(store, friend, link)
    assert roles(store, account, board)[friend.account_id] == "MA"


def test_who_is_invited_back_as_a_viewer_stays_one(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    link = link_to(store, account, board, "M")
    follow(store, friend, link)
    remove(store, account, board, friend)
    invite(store, account, board, friend, "V")
    accept(store, friend, board)
    leave(store, friend, board)
    follow(store, friend, link)
    assert roles(store, account, board)[friend.account_id] == "VA"


def test_a_removal_and_a_link_at_the_same_moment_leave_nobody_in(store: MetadataStore, account: Account) -> None:
    for _ in range(5):
        friend = make_account(store)
        board = make_board(store, account)
        link = link_to(store, account, board)
        follow(store, friend, link)

        def act(number: int, friend: Account = friend, board: str = board, link: bytes = link) -> None:
            try:
                if number:
                    follow(store, friend, link)
                else:
                    remove(store, account, board, friend)
            except KeptOut:
                pass

        in_parallel(2, act)
        assert friend.account_id not in roles(store, account, board)
