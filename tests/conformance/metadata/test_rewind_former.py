"""Albums, comments and contacts that were deleted or edited come back with a rewind of the account."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from threading import Event

import pytest
from msgspec.structs import replace
from tests.conformance.metadata.board_making import board_as_seen_by, file_of, join, leave, make_board, roles, show
from tests.conformance.metadata.making import NOW, make_account, new_key
from tests.conformance.metadata.past import newest
from tests.conformance.metadata.rewinding import begin, ended, run, scope_of, steps

from skyshelf.storage.errors import LimitReached, Missing, SessionPaused
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.boards import NewComment
from skyshelf.storage.metadata.contracts.holds import Hold
from skyshelf.storage.metadata.history.rewinds import Scope, StoredRewind
from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.metadata.sql.statements import raw
from skyshelf.storage.metadata.store import MetadataStore, Unit
from skyshelf.wire import limits
from skyshelf.wire.resources.contacts import Contact, ContactMailbox

LATER, MUCH_LATER = NOW + 1000, NOW + 5000
DAY = 86_400_000
THIEF = f"{'0' * 8}-{'0' * 4}-{'0' * 4}-{'0' * 4}-{'0' * 12}/0123456789abcdef"
OWN = f"{'1' * 8}-{'1' * 4}-{'1' * 4}-{'1' * 4}-{'1' * 12}/0123456789abcdef"
GRACE = Contact(display_name="Grace", emails=[ContactMailbox(email_id="grace@example.org")])


def add(store: MetadataStore, account: Account, *contacts: Contact, now: int = NOW) -> list[str]:
    new = {new_key(): contact for contact in contacts}
    store.write(lambda unit: unit.contacts.add(account.account_id, new, now))
    return list(new)


def remove(store: MetadataStore, account: Account, *keys: str, now: int = LATER, actor: str = THIEF) -> None:
    def work(unit: Unit) -> None:
        unit.act_as(actor)
        assert len(unit.contacts.remove(account.account_id, keys, now)) == len(keys)

    store.write(work)


def edit(store: MetadataStore, account: Account, key: str, name: str, *, now: int = LATER, actor: str = THIEF) -> None:
    def work(unit: Unit) -> None:
        unit.act_as(actor)
        unit.contacts.edit(account.account_id, key, Contact(display_name=name), now)

    store.write(work)


def names(store: MetadataStore, account: Account) -> list[str | None]:
    with store.read() as unit:
        return [one.display_name for one, _ in unit.contacts.following(account.account_id, limit=100)]


def comment(store: MetadataStore, author: Account, board: str, text: str, *, now: int = NOW) -> str:
    key = new_key()
    new = NewComment(comment_key=key, text=text, object_key=None)
    store.write(lambda unit: unit.board_comments.add(author.account_id, board, new, now))
    return key


def comments(store: MetadataStore, account: Account, board: str) -> dict[str, str]:
    with store.read() as unit:
        return {one.comment_key: one.text for one in unit.board_comments.page(account.account_id, board, limit=100)}


def rewound(
    store: MetadataStore, account: Account, at: int, now: int = MUCH_LATER, *, actor: str = "", limit: int = 1
) -> StoredRewind:
    scope = scope_of(store, account, newest(store, account), at, actor=actor)
    with store.read() as unit:
        promised = unit.rewinds.others(account.account_id, scope)
    done = run(store, account, scope, now, limit=limit)
    assert (done.state, done.counts.others) == ("done", promised)
    return done


def kept(store: MetadataStore, account: Account) -> int:
    counted = "SELECT count(*) FROM purged_objects WHERE account_id = :account"
    with store.read() as unit:
        return unit.sql.number(counted, {"account": account.account_id})


def test_deleted_contacts_come_back_with_their_addresses(store: MetadataStore, account: Account) -> None:
    stranger = make_account(store)
    key, other = add(store, account, GRACE, Contact(display_name="Ada"))
    (foreign,) = add(store, stranger, GRACE)
    with store.read() as unit:
        before = unit.contacts.get(account.account_id, key)
    remove(store, account, key, other)
    remove(store, stranger, foreign)
    assert rewound(store, account, NOW).counts.others == 2
    with store.read() as unit:
        assert unit.contacts.get(account.account_id, key) == before
        assert [one.email_id for one in unit.contacts.emails(account.account_id, limit=10)] == ["grace@example.org"]
        # Other devices learn of it.
        assert len(unit.contacts.page(account.account_id, changed_after=LATER, limit=10)) == 2
    assert names(store, stranger) == []


def test_an_edited_contact_is_what_it_was_at_each_moment(store: MetadataStore, account: Account) -> None:
    (key,) = add(store, account, GRACE)
    for number in range(1, 4):
        edit(store, account, key, f"name {number}", now=NOW + number * 10)
    remove(store, account, key, now=NOW + 40)
    now = MUCH_LATER
    for moment, name in ((35, "name 3"), (12, "name 1"), (25, "name 2"), (0, "Grace"), (30, "name 3")):
        now += 1000
        assert rewound(store, account, NOW + moment, now).counts.others == 1
        assert names(store, account) == [name]
    # Nothing was there before; what was made later stays.
    assert rewound(store, account, NOW - 1, now + 1000).counts.others == 0
    assert names(store, account) == ["name 3"]


def test_an_edit_that_changes_nothing_writes_nothing(store: MetadataStore, account: Account) -> None:
    (key,) = add(store, account, GRACE)
    board = make_board(store, account)
    said = comment(store, account, board, "hello")
    with store.read() as unit:
        before = unit.contacts.page(account.account_id, limit=10)

    def again(unit: Unit) -> None:
        unit.contacts.edit(account.account_id, key, GRACE, LATER)
        assert unit.board_comments.edit(account.account_id, board, said, "hello", LATER).edited_at == 0

    store.write(again)
    with store.read() as unit:
        assert unit.contacts.page(account.account_id, limit=10) == before
    assert kept(store, account) == 0


def test_a_rewind_of_contacts_can_be_undone(store: MetadataStore, account: Account) -> None:
    (key,) = add(store, account, GRACE)
    edit(store, account, key, "Grace H.", actor=OWN)
    first = rewound(store, account, NOW)
    assert names(store, account) == ["Grace"]
    undone = Scope(seq=first.scope.upto, at=first.created_at - 1, upto=first.scope.upto, actor=first.actor)
    assert run(store, account, undone, MUCH_LATER + 1000).counts.others == 1
    assert names(store, account) == ["Grace H."]


def test_what_one_session_deleted_comes_back_and_what_others_did_stays(store: MetadataStore, account: Account) -> None:
    ada, grace, edsger = add(store, account, *(Contact(display_name=name) for name in ("Ada", "Grace", "Edsger")))
    remove(store, account, ada)
    remove(store, account, grace, actor=OWN)
    edit(store, account, edsger, "gone")
    edit(store, account, edsger, "E. W. D.", now=LATER + 1, actor=OWN)
    assert rewound(store, account, NOW, actor=THIEF).counts.others == 1
    assert names(store, account) == ["Ada", "E. W. D."]


def test_what_somebody_changes_while_a_rewind_runs_stays(store: MetadataStore, account: Account) -> None:
    ada, grace = add(store, account, Contact(display_name="Ada"), GRACE)
    remove(store, account, ada)
    edit(store, account, grace, "changed")
    key = begin(store, account, scope_of(store, account, newest(store, account), NOW), MUCH_LATER)
    edit(store, account, grace, "Grace M. H.", now=MUCH_LATER + 1, actor=OWN)
    for _ in steps(store, account, key, MUCH_LATER + 2, limit=1):
        pass
    assert ended(store, account, key).counts.others == 1
    assert names(store, account) == ["Ada", "Grace M. H."]


def test_a_deleted_album_comes_back_with_everything_in_it(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    join(store, account, board, friend)
    mine, theirs = file_of(store, account, "a"), file_of(store, friend, "b")
    show(store, account, board, mine)
    show(store, friend, board, theirs)
    said = {comment(store, account, board, "mine"): "mine", comment(store, friend, board, "yours"): "yours"}
    store.write(lambda unit: unit.board_members.set_role(account.account_id, board, friend.account_id, "V"))
    people, seen = roles(store, account, board), board_as_seen_by(store, account, board)

    def delete(unit: Unit) -> None:
        unit.act_as(THIEF)
        unit.boards.delete(account.account_id, board, LATER)

    store.write(delete)
    # Only its owner's rewind brings it back.
    rewound(store, friend, NOW + 10)
    with pytest.raises(Missing), store.read() as unit:
        unit.boards.get(friend.account_id, board)
    assert rewound(store, account, NOW + 10, actor=THIEF).counts.others == 1
    assert replace(board_as_seen_by(store, account, board), updated_at=0) == replace(seen, updated_at=0)
    assert roles(store, friend, board) == people
    assert comments(store, friend, board) == said
    with store.read() as unit:
        contributors = unit.board_items.contributors(account.account_id, board, [mine, theirs])
    assert {one.object_key for one in contributors} == {mine, theirs}
    # It is there, so nothing more is to be done.
    scope = scope_of(store, account, newest(store, account), NOW + 10)
    assert run(store, account, scope, MUCH_LATER + 1000).counts.others == 0


def test_an_album_comes_back_without_those_who_have_left_the_server(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    join(store, account, board, friend)
    show(store, friend, board, file_of(store, friend, "b"))
    comment(store, friend, board, "yours")
    mine = comment(store, account, board, "mine")
    store.write(lambda unit: unit.boards.delete(account.account_id, board, LATER))

    store.write(lambda unit: unit.accounts.set_deletion(friend.account_id, LATER, LATER))
    assert store.write(lambda unit: unit.accounts.close_due(friend.account_id, LATER))
    while store.write(lambda unit: unit.accounts.remove_some(friend.account_id, 100, LATER)):
        pass
    assert rewound(store, account, NOW + 10).counts.others == 1
    assert (list(roles(store, account, board)), list(comments(store, account, board))) == ([account.account_id], [mine])


def test_an_album_that_its_last_member_left_comes_back(store: MetadataStore, account: Account) -> None:
    board = make_board(store, account)
    mine = file_of(store, account, "a")
    show(store, account, board, mine)
    assert not leave(store, account, board, now=LATER)
    assert rewound(store, account, NOW).counts.others == 1
    assert board_as_seen_by(store, account, board).files == 1


def test_comments_come_back_where_their_reader_still_may(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    join(store, account, board, friend)
    mine, theirs = comment(store, account, board, "mine"), comment(store, friend, board, "yours")
    account_id = account.account_id
    store.write(lambda unit: unit.board_comments.remove(account_id, board, theirs, LATER))
    store.write(lambda unit: unit.board_comments.edit(account_id, board, mine, "", LATER))
    store.write(lambda unit: unit.board_comments.edit(account_id, board, mine, "nothing", LATER + 1))
    assert rewound(store, account, NOW + 10).counts.others == 2
    assert comments(store, account, board) == {mine: "mine", theirs: "yours"}
    # People who are no longer members change nothing there.
    own = comment(store, friend, board, "once more", now=MUCH_LATER + 1)
    store.write(lambda unit: unit.board_comments.remove(friend.account_id, board, own, MUCH_LATER + 2))
    leave(store, friend, board, now=MUCH_LATER + 3)
    scope = scope_of(store, friend, newest(store, friend), MUCH_LATER + 1)
    assert run(store, friend, scope, MUCH_LATER + 1000).counts.others == 0
    assert own not in comments(store, account, board)


def test_a_rewind_of_a_folder_leaves_them(store: MetadataStore, account: Account) -> None:
    (key,) = add(store, account, GRACE)
    remove(store, account, key)
    scope = scope_of(store, account, newest(store, account), NOW, folder_key=account.root_key)
    assert run(store, account, scope, MUCH_LATER).counts.others == 0
    assert names(store, account) == []


def test_they_go_with_history(store: MetadataStore, account: Account) -> None:
    one, two = add(store, account, GRACE, Contact(display_name="Ada"))
    remove(store, account, one, now=NOW + DAY)
    remove(store, account, two, now=NOW + 2 * DAY)
    account_id = account.account_id
    store.write(lambda unit: unit.history.expire_some(account_id, NOW + 2 * DAY, 100, NOW + 3 * DAY))
    assert kept(store, account) == 1
    store.write(lambda unit: unit.history.forget(account_id, NOW + 3 * DAY))
    with store.read() as unit:
        assert unit.history.accounts_with_old(NOW + 3 * DAY, 30, among=[account_id]) == [account_id]
    store.write(lambda unit: unit.history.expire_some(account_id, 0, 100, NOW + 3 * DAY))
    assert kept(store, account) == 0
    store.write(lambda unit: unit.history.set_days(account_id, 0))
    remove(store, account, *add(store, account, GRACE), now=NOW + 4 * DAY)
    assert kept(store, account) == 0


@pytest.mark.parametrize("limit", ["FORMER_MAX", "FORMER_BYTES_MAX"])
def test_nothing_is_pushed_out(
    store: MetadataStore, account: Account, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = add(store, account, GRACE, Contact(display_name="Ada"))
    remove(store, account, keys[0])
    monkeypatch.setattr(limits, limit, 1)
    with pytest.raises(LimitReached):
        remove(store, account, keys[1])
    assert names(store, account) == ["Ada"]
    assert rewound(store, account, NOW).counts.others == 1
    assert names(store, account) == ["Ada", "Grace"]


def test_a_hold_bounds_them_as_history_does(
    store: MetadataStore, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise an account under a hold could fill the database. What its owner has forgotten does not count."""
    account_id = account.account_id
    keys = add(store, account, GRACE, Contact(display_name="Ada"))
    store.write(lambda unit: unit.holds.put(account_id, Hold(NOW, "operator", "case 12")))
    remove(store, account, keys[0], now=NOW + 1)
    monkeypatch.setattr(limits, "FORMER_MAX", 1)
    with pytest.raises(LimitReached):
        remove(store, account, keys[1], now=NOW + 2)
    store.write(lambda unit: unit.history.forget(account_id, NOW + 3))
    store.write(lambda unit: unit.history.expire_some(account_id, NOW + 3, 100, NOW + 3))
    remove(store, account, keys[1], now=NOW + 4)
    assert kept(store, account) == 2


def test_a_comment_that_the_owner_removed_does_not_come_back_with_its_author(
    store: MetadataStore, account: Account
) -> None:
    author = make_account(store)
    board = make_board(store, account)
    join(store, account, board, author)
    said, kept = (comment(store, author, board, text) for text in ("rude", "kind"))

    def edit_both(unit: Unit) -> None:
        for key in (said, kept):
            unit.board_comments.edit(author.account_id, board, key, "edited", LATER)

    store.write(edit_both)
    store.write(lambda unit: unit.board_comments.remove(account.account_id, board, said, LATER + 1))
    assert run(store, author, scope_of(store, author, newest(store, author), NOW), MUCH_LATER).counts.others == 1
    with store.read() as unit:
        assert [one.text for one in unit.board_comments.page(author.account_id, board, limit=10)] == ["kind"]
    assert rewound(store, account, LATER).counts.others == 1
    with store.read() as unit:
        assert {one.text for one in unit.board_comments.page(author.account_id, board, limit=10)} == {"kind", "edited"}


def test_the_newest_comments_of_a_large_album_are_kept(
    store: MetadataStore, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "FORMER_BOARD_COMMENTS_MAX", 2)
    board = make_board(store, account, "Trip")
    for number in range(3):
        comment(store, account, board, str(number), now=NOW + number)
    store.write(lambda unit: unit.boards.delete(account.account_id, board, LATER))
    assert rewound(store, account, NOW + 10).counts.others == 1
    with store.read() as unit:
        assert {one.text for one in unit.board_comments.page(account.account_id, board, limit=10)} == {"1", "2"}


def test_deletions_count_for_the_alarm(store: MetadataStore, account: Account) -> None:
    """A call that deletes many counts for a hundred, an album for itself and its comments."""
    store.write(lambda unit: unit.alarms.set_limit(account.account_id, 280))
    keys = add(store, account, *(Contact(display_name=str(number)) for number in range(400)))
    boards = [make_board(store, account, name) for name in ("one", "two")]
    said = [comment(store, account, boards[0], str(number)) for number in range(76)]
    account_id, device = account.account_id, THIEF.partition("/")[0]

    def as_thief(work: Callable[[Unit], object]) -> None:
        def acting(unit: Unit) -> None:
            unit.act_as(THIEF)
            work(unit)

        store.write(acting)

    remove(store, account, *keys[:300])
    for key in keys[300:350]:
        edit(store, account, key, "gone")
    for key in said[:50]:
        as_thief(lambda unit, key=key: unit.board_comments.remove(account_id, boards[0], key, LATER))  # type: ignore[misc]
    for key in said[50:]:
        as_thief(lambda unit, key=key: unit.board_comments.edit(account_id, boards[0], key, "", LATER))  # type: ignore[misc]
    as_thief(lambda unit: unit.boards.delete(account_id, boards[0], LATER))
    with store.read() as unit:
        assert not unit.alarms.is_paused(account_id, device)
    # 100 + 50 + 50 + 26 + 1 + 26, and 27 to the limit.
    remove(store, account, *keys[350:377])
    with store.read() as unit:
        assert unit.alarms.is_paused(account_id, device)
    for refused in (
        lambda unit: unit.boards.delete(account_id, boards[1], LATER),
        lambda unit: unit.board_members.leave(account_id, boards[1], LATER),
        lambda unit: unit.contacts.remove(account_id, keys[-1:], LATER),
        lambda unit: unit.contacts.edit(account_id, keys[-1], GRACE, LATER),
    ):
        with pytest.raises(SessionPaused):
            as_thief(refused)
    assert rewound(store, account, NOW, actor=THIEF, limit=100).counts.others == 454


def test_nothing_former_is_kept_where_the_operator_keeps_no_history(store: MetadataStore, account: Account) -> None:
    (key,) = add(store, account, GRACE)
    store.write(lambda unit: unit.history.set_days(account.account_id, 30))
    remove(store, account, key)
    assert kept(store, account) == 1
    with store.read() as unit:
        assert unit.history.accounts_with_old(LATER + 1, 0, among=[account.account_id]) == [account.account_id]
    store.write(lambda unit: unit.history.expire_some(account.account_id, LATER + 1, 10, LATER + 1))
    assert kept(store, account) == 0


def test_a_rewind_locks_albums_in_the_order_of_their_keys(store: MetadataStore, account: Account) -> None:
    """Two people who rewind comments on the same albums would wait for each other otherwise."""
    if not isinstance(store, PostgresStore):  # SQLite has one writer at a time.
        return
    low, high = sorted(make_board(store, account) for _ in range(2))
    # Records of comments are in the order of digests of their keys.
    first, second = sorted((new_key(), new_key()), key=lambda key: blake2b(raw(key), digest_size=8).digest())
    said = {high: first, low: second}

    def say(unit: Unit) -> None:
        for board, key in said.items():
            new = NewComment(comment_key=key, text="hello", object_key=None)
            unit.board_comments.add(account.account_id, board, new, NOW)

    def take_back(unit: Unit) -> None:
        for board, key in said.items():
            unit.board_comments.remove(account.account_id, board, key, LATER)

    store.write(say)
    store.write(take_back)
    is_held, is_waiting = Event(), Event()

    def hold(unit: Unit) -> None:
        own = "SELECT 1 FROM boards WHERE board_key = :board FOR UPDATE"
        unit.sql.all(own, {"board": raw(low)})
        is_held.set()
        assert is_waiting.wait(60)
        unit.sql.all(f"{own} NOWAIT", {"board": raw(high)})

    def waiting() -> int:
        with store.read() as unit:
            return unit.sql.number(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )

    with ThreadPoolExecutor(2) as pool:
        holding = pool.submit(store.write, hold)
        assert is_held.wait(60)
        rewinding = pool.submit(rewound, store, account, NOW, limit=10)
        while not waiting() and not rewinding.done():
            time.sleep(0.01)
        is_waiting.set()
        holding.result()
        assert rewinding.result().counts.others == 2
    assert len(comments(store, account, low)) == len(comments(store, account, high)) == 1
