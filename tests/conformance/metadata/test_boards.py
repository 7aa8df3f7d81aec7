"""Boards: made, listed with what is on them right now, edited and deleted by their members."""

from collections.abc import Callable
from inspect import isfunction, signature

import pytest
from msgspec.structs import replace
from tests.conformance.metadata.board_making import (
    accept,
    board_as_seen_by,
    file_of,
    invite,
    invited_to,
    join,
    leave,
    make_board,
    show,
)
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

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.contracts.accounts import DISABLED, Account
from skyshelf.storage.metadata.contracts.boards import (
    OWNER,
    VIEWER,
    Board,
    BoardEdit,
    Invitation,
    NewBoard,
    NewComment,
    NewLink,
)
from skyshelf.storage.metadata.sql.boards.boards import SqlBoards
from skyshelf.storage.metadata.sql.boards.invitations import SqlBoardInvitations
from skyshelf.storage.metadata.sql.boards.items import SqlBoardComments, SqlBoardItems
from skyshelf.storage.metadata.sql.boards.members import SqlBoardMembers
from skyshelf.storage.metadata.store import MetadataStore, Unit


def page(store: MetadataStore, account: Account, limit: int = 100, offset: int = 0) -> list[str]:
    with store.read() as unit:
        return [board.board_key for board in unit.boards.page(account.account_id, limit=limit, offset=offset)]


def test_every_field_of_a_new_board_comes_back(store: MetadataStore, account: Account) -> None:
    new = NewBoard(board_key=new_key(), name="Été 🏖️", description="Wir\nam Meer", board_type="P")
    made = store.write(lambda unit: unit.boards.create(account.account_id, new, NOW))
    assert made == Board(
        board_key=new.board_key,
        owner_id=account.account_id,
        owner_key=account.account_key,
        name="Été 🏖️",
        description="Wir\nam Meer",
        board_type="P",
        status="A",
        created_at=NOW,
        updated_at=NOW,
        role=OWNER,
        files=0,
        images=0,
        videos=0,
        audios=0,
        size=0,
        comments=0,
        users=1,
    )
    assert board_as_seen_by(store, account, new.board_key) == made
    with store.read() as unit:
        assert unit.boards.page(account.account_id, limit=10) == [made]
        assert unit.boards.role(account.account_id, new.board_key) == OWNER


def test_a_board_counts_its_files_by_kind_and_their_bytes(store: MetadataStore, account: Account) -> None:
    board = make_board(store, account)
    files = [
        file_of(store, account, name, bytes(size))
        for size, name in enumerate(("a.jpg", "b.png", "c.mp4", "d.mp3", "e.pdf"), start=1)
    ]
    show(store, account, board, *files)
    seen = board_as_seen_by(store, account, board)
    assert (seen.files, seen.images, seen.videos, seen.audios, seen.size) == (5, 2, 1, 1, 15)


def test_a_new_version_changes_what_a_board_counts(store: MetadataStore, account: Account) -> None:
    board = make_board(store, account)
    show(store, account, board, file_of(store, account, "a.jpg", b"1"))
    file_of(store, account, "a.jpg", b"1234")
    seen = board_as_seen_by(store, account, board)
    assert (seen.files, seen.size) == (1, 4)


def test_only_what_can_be_seen_is_counted(store: MetadataStore, account: Account) -> None:
    board = make_board(store, account)
    folder = make_folder(store, account, account.root_key, "Photos").object_key
    inner = make_folder(store, account, folder, "2024").object_key
    deep = put_file(store, account, inner, "deep.jpg").object.object_key
    top = file_of(store, account, "top.jpg")
    show(store, account, board, deep, top)

    def files() -> int:
        return board_as_seen_by(store, account, board).files

    assert files() == 2
    trash(store, account, folder)
    assert files() == 1
    trash(store, account, top)
    assert files() == 0
    restore(store, account, folder, top)
    assert files() == 2
    trash(store, account, top)
    mark_for_deletion(store, account, top)
    assert files() == 1
    purge_all(store, account)
    restored = board_as_seen_by(store, account, board)
    assert (restored.files, restored.size) == (1, len(b"some bytes"))


def test_files_of_a_disabled_account_are_not_shown(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    join(store, account, board, friend)
    show(store, friend, board, file_of(store, friend, "theirs.jpg"))
    assert board_as_seen_by(store, account, board).files == 1
    store.write(lambda unit: unit.accounts.set_status(friend.account_id, DISABLED, NOW))
    assert board_as_seen_by(store, account, board).files == 0


def test_users_are_the_active_members_and_comments_are_counted(store: MetadataStore, account: Account) -> None:
    friend, invited = make_account(store), make_account(store)
    board = make_board(store, account)
    join(store, account, board, friend)
    invite(store, account, board, invited)
    for text in ("one", "two", "three"):
        comment = NewComment(comment_key=new_key(), text=text)
        store.write(_comment(friend, board, comment))
    seen = board_as_seen_by(store, account, board)
    assert (seen.users, seen.comments) == (2, 3)
    assert board_as_seen_by(store, friend, board) == replace(seen, role="M")


def _comment(account: Account, board: str, comment: NewComment) -> Callable[[Unit], object]:
    return lambda unit: unit.board_comments.add(account.account_id, board, comment, NOW)


def test_the_list_has_the_boards_of_the_caller_the_one_changed_last_first(
    store: MetadataStore, account: Account
) -> None:
    friend = make_account(store)
    first, second = make_board(store, account, "first"), make_board(store, account, "second", now=NOW + 1)
    theirs = make_board(store, friend, "theirs", now=NOW + 2)
    invited_to = make_board(store, friend, "invited to", now=NOW + 3)
    join(store, friend, theirs, account)
    invite(store, friend, invited_to, account)
    assert page(store, account) == [theirs, second, first]
    show(store, account, first, file_of(store, account, "a.jpg"), now=NOW + 9)
    assert page(store, account) == [first, theirs, second]
    assert page(store, friend) == [invited_to, theirs]


def test_each_board_of_a_page_has_its_own_numbers(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    boards = [make_board(store, account, str(number), now=NOW + number) for number in range(4)]
    files = [file_of(store, account, f"{number}.jpg") for number in range(4)]
    for number, board in enumerate(boards):
        show(store, account, board, *files[:number], now=NOW + number)
    join(store, account, boards[2], friend)
    with store.read() as unit:
        listed = unit.boards.page(account.account_id, limit=10)
    assert [(board.name, board.files, board.users) for board in listed] == [
        ("3", 3, 1),
        ("2", 2, 2),
        ("1", 1, 1),
        ("0", 0, 1),
    ]


def test_pages_of_boards_do_not_overlap(store: MetadataStore, account: Account) -> None:
    made = [make_board(store, account, str(number)) for number in range(7)]
    assert page(store, account) == sorted(made, reverse=True)
    assert [key for offset in (0, 3, 6) for key in page(store, account, 3, offset)] == sorted(made, reverse=True)


def test_invitations_are_listed_until_they_are_answered(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    accepted, declined, open_one = (make_board(store, friend, name, now=NOW) for name in ("a", "b", "c"))
    for board in (accepted, declined, open_one):
        invite(store, friend, board, account)
    assert set(invited_to(store, account)) == {"a", "b", "c"}
    assert page(store, account) == []
    accept(store, account, accepted)
    store.write(lambda unit: unit.board_invitations.decline(account.account_id, declined, NOW))
    assert invited_to(store, account) == ["c"]
    assert page(store, account) == [accepted]


def test_an_edit_changes_what_it_names_and_nothing_else(store: MetadataStore, account: Account) -> None:
    board = make_board(store, account, "old")

    def edit(change: BoardEdit, now: int) -> Board:
        return store.write(lambda unit: unit.boards.edit(account.account_id, board, change, now))

    described = edit(BoardEdit(description="At the sea"), NOW + 1)
    assert (described.name, described.description, described.updated_at) == ("old", "At the sea", NOW + 1)
    renamed = edit(BoardEdit(name="new"), NOW + 2)
    assert (renamed.name, renamed.description, renamed.created_at) == ("new", "At the sea", NOW)
    cleared = edit(BoardEdit(description=""), NOW + 3)
    assert (cleared.name, cleared.description) == ("new", "")


def test_a_deleted_board_is_gone_for_everybody_and_the_files_stay(store: MetadataStore, account: Account) -> None:
    friend, invited = make_account(store), make_account(store)
    board = make_board(store, account)
    join(store, account, board, friend)
    invite(store, account, board, invited)
    file = file_of(store, friend, "a.jpg")
    show(store, friend, board, file)
    store.write(_comment(friend, board, NewComment(comment_key=new_key(), text="nice")))
    store.write(lambda unit: unit.boards.delete(account.account_id, board, NOW))
    for one in (account, friend, invited):
        with pytest.raises(Missing):
            board_as_seen_by(store, one, board)
        with store.read() as unit:
            assert unit.boards.page(one.account_id, limit=10) == []
        assert invited_to(store, one) == []
    with store.read() as unit:
        assert unit.tree.visible(friend.account_id, file).name == "a.jpg"
        assert unit.board_items.owner_of(account.account_id, file) is None


def test_locking_a_board_returns_the_callers_role(store: MetadataStore, account: Account) -> None:
    viewer = make_account(store)
    board = make_board(store, account)
    invite(store, account, board, viewer, "V")
    accept(store, viewer, board)
    assert store.write(lambda unit: unit.boards.hold(account.account_id, board)) == OWNER
    assert store.write(lambda unit: unit.boards.hold(viewer.account_id, board)) == VIEWER


def test_a_role_that_is_held_cannot_change_before_the_write_ends(store: MetadataStore, account: Account) -> None:
    """Two members, each of whom passes the board on if it is theirs: nobody acts on a role that is out of date."""
    for _ in range(5):
        friend = make_account(store)
        board = make_board(store, account)
        join(store, account, board, friend)
        people = (account, friend)

        def pass_on_if_owner(number: int, board: str = board, people: tuple[Account, Account] = people) -> str:
            me, other = people[number], people[1 - number]

            def work(unit: Unit) -> str:
                role = unit.boards.hold(me.account_id, board)
                if role == OWNER:
                    unit.board_members.pass_on(me.account_id, board, other.account_id)
                assert unit.boards.role(me.account_id, board) == ("M" if role == OWNER else role)
                return role

            return store.write(work)

        asked = in_parallel(2, pass_on_if_owner)
        assert asked.count(OWNER) in {1, 2}
        owner_id = board_as_seen_by(store, account, board).owner_id
        assert owner_id == (friend if asked.count(OWNER) == 1 else account).account_id


CALLS: dict[str, Callable[[Unit, int, str], object]] = {
    "boards.get": lambda unit, caller, board: unit.boards.get(caller, board),
    "boards.name": lambda unit, caller, board: unit.boards.name(caller, board),
    "boards.hold": lambda unit, caller, board: unit.boards.hold(caller, board),
    "boards.edit": lambda unit, caller, board: unit.boards.edit(caller, board, BoardEdit(name="x"), NOW),
    "boards.delete": lambda unit, caller, board: unit.boards.delete(caller, board, NOW),
    "board_members.of_board": lambda unit, caller, board: unit.board_members.of_board(caller, board),
    "boards.set_cover": lambda unit, caller, board: unit.boards.set_cover(caller, board, None, NOW),
    "board_members.find": lambda unit, caller, board: unit.board_members.find(caller, board, new_key()),
    "board_invitations.invite": lambda unit, caller, board: unit.board_invitations.invite(
        caller, board, Invitation(email="x@example.org", role="M", created_at=NOW, expires_at=NOW + 1)
    ),
    "board_invitations.of_board": lambda unit, caller, board: unit.board_invitations.of_board(caller, board, NOW),
    "boards.activity": lambda unit, caller, board: unit.boards.activity(caller, board),
    "board_invitations.revoke": lambda unit, caller, board: unit.board_invitations.revoke(caller, board, "x", NOW),
    "board_invitations.add_link": lambda unit, caller, board: unit.board_invitations.add_link(
        caller, board, NewLink(link_key=new_key(), token_hash=b"x", role="M", expires_at=NOW + 1), NOW
    ),
    "board_invitations.links": lambda unit, caller, board: unit.board_invitations.links(caller, board, NOW),
    "board_invitations.revoke_link": lambda unit, caller, board: unit.board_invitations.revoke_link(
        caller, board, new_key(), NOW
    ),
    "board_members.set_role": lambda unit, caller, board: unit.board_members.set_role(caller, board, caller, "V"),
    "board_members.pass_on": lambda unit, caller, board: unit.board_members.pass_on(caller, board, caller),
    "board_members.leave": lambda unit, caller, board: unit.board_members.leave(caller, board, NOW),
    "board_members.remove": lambda unit, caller, board: unit.board_members.remove(caller, board, caller, NOW),
    "board_items.add": lambda unit, caller, board: unit.board_items.add(caller, board, [], NOW),
    "board_items.remove": lambda unit, caller, board: unit.board_items.remove(caller, board, [], NOW, only_own=False),
    "board_items.shown": lambda unit, caller, board: unit.board_items.shown(caller, board, [new_key()]),
    "board_items.contributors": lambda unit, caller, board: unit.board_items.contributors(caller, board, [new_key()]),
    "board_items.page": lambda unit, caller, board: unit.board_items.page(caller, board, limit=10),
    "board_comments.add": lambda unit, caller, board: unit.board_comments.add(
        caller, board, NewComment(comment_key=new_key(), text="x"), NOW
    ),
    "board_comments.page": lambda unit, caller, board: unit.board_comments.page(caller, board, limit=10),
    "board_comments.get": lambda unit, caller, board: unit.board_comments.get(caller, board, new_key()),
    "board_comments.edit": lambda unit, caller, board: unit.board_comments.edit(caller, board, new_key(), "x", NOW),
    "board_comments.remove": lambda unit, caller, board: unit.board_comments.remove(caller, board, new_key(), NOW),
}


def test_no_call_that_names_a_board_is_forgotten_below() -> None:
    asked_by_anybody = {"boards.role", "board_invitations.accept", "board_invitations.decline"}
    # Without an account: the service has checked the link.
    asked_by_visitors = {"board_items.gallery", "board_items.in_gallery", "board_items.beside"}
    # Without an account: `skyshelf admin doctor --repair` calls it, and storage alone.
    called_by_repairs = {"board_members.crown"}
    nouns = {
        "boards": SqlBoards,
        "board_members": SqlBoardMembers,
        "board_invitations": SqlBoardInvitations,
        "board_items": SqlBoardItems,
        "board_comments": SqlBoardComments,
    }
    named = {
        f"{noun}.{name}"
        for noun, kind in nouns.items()
        for name, call in vars(kind).items()
        if isfunction(call) and not name.startswith("_") and "board_key" in signature(call).parameters
    }
    assert named - asked_by_anybody - asked_by_visitors - called_by_repairs == set(CALLS)


@pytest.mark.parametrize("call", CALLS)
def test_a_board_of_others_is_one_that_does_not_exist(store: MetadataStore, account: Account, call: str) -> None:
    stranger, invited, left = make_account(store), make_account(store), make_account(store)
    board = make_board(store, account)
    invite(store, account, board, invited)
    join(store, account, board, left)
    leave(store, left, board)
    before = board_as_seen_by(store, account, board)
    for caller, key in ((stranger, board), (invited, board), (left, board), (account, new_key())):
        with pytest.raises(Missing):
            store.write(_call(call, caller, key))
    assert board_as_seen_by(store, account, board) == before


def _call(call: str, caller: Account, board_key: str) -> Callable[[Unit], object]:
    return lambda unit: CALLS[call](unit, caller.account_id, board_key)


def test_a_stranger_has_no_role(store: MetadataStore, account: Account) -> None:
    invited = make_account(store)
    board = make_board(store, account)
    invite(store, account, board, invited)
    with store.read() as unit:
        assert unit.boards.role(invited.account_id, board) is None
        assert unit.boards.role(make_account(store).account_id, board) is None
        assert unit.boards.role(account.account_id, new_key()) is None


def test_the_sign_of_a_board_is_another_one_whenever_something_about_it_has_changed(store: MetadataStore) -> None:
    ada, grace = make_account(store), make_account(store)
    board, beside = make_board(store, ada), make_board(store, ada, "Beside")

    def change_tokens() -> dict[str, str]:
        with store.read() as unit:
            return unit.boards.change_tokens([board, beside, new_key()])

    first = change_tokens()
    assert first.keys() == {board, beside}
    assert change_tokens() == first
    seen = [first[board]]
    file = file_of(store, ada, "a.jpg")
    comment = NewComment(comment_key=new_key(), text="Nice")
    edit = BoardEdit(name="Sea")
    for change in (
        lambda: join(store, ada, board, grace),
        lambda: show(store, ada, board, file, now=NOW + 1),
        lambda: store.write(lambda unit: unit.board_comments.add(grace.account_id, board, comment, NOW + 2)),
        lambda: store.write(lambda unit: unit.boards.edit(ada.account_id, board, edit, NOW + 3)),
        lambda: trash(store, ada, file),
        lambda: store.write(lambda unit: unit.board_members.set_role(ada.account_id, board, grace.account_id, "V")),
        lambda: leave(store, grace, board, now=NOW + 4),
    ):
        change()
        seen.append(change_tokens()[board])
    assert len(set(seen)) == len(seen)
    store.write(lambda unit: unit.boards.delete(ada.account_id, board, NOW))
    assert change_tokens().keys() == {beside}
