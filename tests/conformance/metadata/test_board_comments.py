"""Comments: words on a board, newest first."""

import pytest
from msgspec.structs import replace
from tests.conformance.metadata.board_making import (
    board_as_seen_by,
    file_of,
    join,
    leave,
    make_board,
    show,
)
from tests.conformance.metadata.making import NOW, make_account, new_key, trash

from skyshelf.storage.errors import Missing, ObjectMissing
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.boards import BoardComment, NewComment
from skyshelf.storage.metadata.contracts.tree import PageCursor
from skyshelf.storage.metadata.store import MetadataStore


def comment(
    store: MetadataStore, author: Account, board_key: str, text: str, *, about: str | None = None, now: int = NOW
) -> BoardComment:
    new = NewComment(comment_key=new_key(), text=text, object_key=about)
    return store.write(lambda unit: unit.board_comments.add(author.account_id, board_key, new, now))


def texts(store: MetadataStore, account: Account, board_key: str) -> list[str]:
    with store.read() as unit:
        return [one.text for one in unit.board_comments.page(account.account_id, board_key, limit=100)]


def remove(store: MetadataStore, caller: Account, board_key: str, comment_key: str, *, now: int = NOW) -> None:
    store.write(lambda unit: unit.board_comments.remove(caller.account_id, board_key, comment_key, now))


def test_every_field_of_a_comment_comes_back(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    join(store, account, board, friend)
    key = file_of(store, account, "a.jpg")
    show(store, account, board, key)
    new = NewComment(comment_key=new_key(), text="Schön! 🌅\n'; DROP TABLE boards; --", object_key=key)
    made = store.write(lambda unit: unit.board_comments.add(friend.account_id, board, new, NOW + 3))
    assert made == BoardComment(
        new.comment_key,
        board,
        friend.account_id,
        friend.account_key,
        friend.first_name,
        key,
        new.text,
        NOW + 3,
    )
    with store.read() as unit:
        assert unit.board_comments.get(account.account_id, board, new.comment_key) == made
        assert unit.board_comments.page(account.account_id, board, limit=5) == [made]
    assert board_as_seen_by(store, account, board).updated_at == NOW + 3


def test_comments_are_paged_newest_first(store: MetadataStore, account: Account) -> None:
    board, other = make_board(store, account), make_board(store, account)
    for number in range(5):
        comment(store, account, board, str(number), now=NOW + number)
    comment(store, account, other, "elsewhere")
    assert texts(store, account, board) == ["4", "3", "2", "1", "0"]
    found: list[BoardComment] = []
    with store.read() as unit:
        while True:
            after = PageCursor(found[-1].created_at, found[-1].comment_key) if found else None
            page = unit.board_comments.page(account.account_id, board, limit=2, after=after)
            found += page
            if not page:
                break
    assert [one.text for one in found] == list("43210")


def test_an_edited_comment_says_when_and_stays_where_it_was(store: MetadataStore, account: Account) -> None:
    board = make_board(store, account)
    first = comment(store, account, board, "frist", now=NOW)
    comment(store, account, board, "second", now=NOW + 1)
    edited = store.write(
        lambda unit: unit.board_comments.edit(account.account_id, board, first.comment_key, "first", NOW + 9)
    )
    assert edited == replace(first, text="first", edited_at=NOW + 9)
    assert texts(store, account, board) == ["second", "first"]
    assert board_as_seen_by(store, account, board).updated_at == NOW + 9
    with pytest.raises(Missing):
        store.write(lambda unit: unit.board_comments.edit(account.account_id, board, new_key(), "x", NOW))


def test_a_comment_about_something_that_is_not_shown_is_refused(store: MetadataStore, account: Account) -> None:
    board = make_board(store, account)
    beside, trashed = file_of(store, account, "beside.jpg"), file_of(store, account, "trashed.jpg")
    show(store, account, board, trashed)
    trash(store, account, trashed)
    for about in (beside, trashed, new_key()):
        with pytest.raises(ObjectMissing):
            comment(store, account, board, "nice", about=about)
    assert texts(store, account, board) == []


def test_a_comment_outlives_the_item_it_is_about_without_its_key_and_the_membership_of_its_author(
    store: MetadataStore, account: Account
) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    join(store, account, board, friend)
    key = file_of(store, friend, "a.jpg")
    show(store, friend, board, key)
    made = comment(store, friend, board, "mine", about=key)
    leave(store, friend, board)
    with store.read() as unit:
        assert unit.board_comments.page(account.account_id, board, limit=5) == [replace(made, object_key=None)]


def test_a_removed_comment_is_gone(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    join(store, account, board, friend)
    gone, kept = comment(store, friend, board, "gone"), comment(store, friend, board, "kept")
    remove(store, account, board, gone.comment_key, now=NOW + 8)
    assert texts(store, account, board) == [kept.text]
    assert board_as_seen_by(store, account, board).updated_at == NOW + 8
    with pytest.raises(Missing):
        remove(store, account, board, gone.comment_key, now=NOW + 9)
    assert board_as_seen_by(store, account, board).updated_at == NOW + 8


def test_a_comment_of_another_board_does_not_exist_on_this_one(store: MetadataStore, account: Account) -> None:
    board, other = make_board(store, account), make_board(store, account)
    made = comment(store, account, other, "elsewhere")
    with pytest.raises(Missing):
        remove(store, account, board, made.comment_key)
    with store.read() as unit, pytest.raises(Missing):
        unit.board_comments.get(account.account_id, board, made.comment_key)
    assert texts(store, account, other) == ["elsewhere"]


def test_a_comment_is_nothing_to_somebody_who_is_not_a_member(store: MetadataStore, account: Account) -> None:
    stranger = make_account(store)
    board = make_board(store, account)
    made = comment(store, account, board, "ours")
    with pytest.raises(Missing):
        remove(store, stranger, board, made.comment_key)
    with store.read() as unit, pytest.raises(Missing):
        unit.board_comments.get(stranger.account_id, board, made.comment_key)
    assert texts(store, account, board) == ["ours"]
