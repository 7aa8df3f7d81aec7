"""What people did on a board: who joined and left, added and withdrew files."""

from itertools import count

from tests.conformance.metadata.board_making import accept, file_of, invite, join, leave, make_board
from tests.conformance.metadata.making import NOW, make_account

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.boards import BoardEdit, BoardEvent
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.wire.limits import BOARD_EVENTS_MAX

HOUR = 3_600_000
_NUMBERS = count(1)


def new_file(store: MetadataStore, account: Account) -> str:
    return file_of(store, account, f"{next(_NUMBERS)}.jpg")


def events(store: MetadataStore, account: Account, board: str) -> list[BoardEvent]:
    with store.read() as unit:
        return unit.boards.activity(account.account_id, board)


def told(store: MetadataStore, account: Account, board: str) -> list[tuple[str, str, int]]:
    """Oldest first."""
    return [(one.kind, one.account_key, one.files) for one in reversed(events(store, account, board))]


def add(store: MetadataStore, account: Account, board: str, now: int, *keys: str, guest: str | None = None) -> None:
    store.write(lambda unit: unit.board_items.add(account.account_id, board, keys, now, guest=guest))


def test_the_activity_names_everybody_who_did_something(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    join(store, account, board, friend)
    mine, other = new_file(store, account), new_file(store, account)
    add(store, account, board, NOW, mine, other)
    add(store, account, board, NOW, mine)  # it is there already
    store.write(
        lambda unit: unit.board_items.remove(account.account_id, board, [other], NOW, only_own=True),
    )
    store.write(lambda unit: unit.boards.edit(account.account_id, board, BoardEdit(name="Sea"), NOW))
    store.write(lambda unit: unit.boards.edit(account.account_id, board, BoardEdit(description="blue"), NOW))
    leave(store, friend, board)
    join(store, account, board, friend)
    store.write(lambda unit: unit.board_members.remove(account.account_id, board, friend.account_id, NOW))
    me, they = account.account_key, friend.account_key
    assert told(store, account, board) == [
        ("created", me, 0),
        ("joined", they, 0),
        ("added", me, 2),
        ("withdrew", me, 1),
        ("renamed", me, 0),
        ("left", they, 0),
        ("joined", they, 0),
        ("removed", they, 0),
    ]


def test_files_that_somebody_adds_in_a_row_are_one_event(store: MetadataStore, account: Account) -> None:
    board = make_board(store, account)
    for minutes in (0, 10, 20):
        add(store, account, board, NOW + minutes * 60_000, new_file(store, account))
    add(store, account, board, NOW + HOUR, new_file(store, account))
    add(store, account, board, NOW + HOUR, new_file(store, account), guest="Grace")
    add(store, account, board, NOW + HOUR, new_file(store, account), guest="")
    newest = events(store, account, board)[:4]
    assert [(one.files, one.guest_name) for one in newest] == [(1, ""), (1, "Grace"), (1, None), (3, None)]
    assert newest[3].at == NOW + 20 * 60_000


def test_accepting_twice_is_joining_once(store: MetadataStore, account: Account) -> None:
    friend = make_account(store)
    board = make_board(store, account)
    for _ in range(2):
        invite(store, account, board, friend, "M")
        accept(store, friend, board)
    assert [kind for kind, _, _ in told(store, account, board)] == ["created", "joined"]


def test_a_board_forgets_its_oldest_events(store: MetadataStore, account: Account) -> None:
    board, more = make_board(store, account), 3

    def rename(number: int) -> None:
        store.write(lambda unit: unit.boards.edit(account.account_id, board, BoardEdit(name=f"{number}"), NOW + number))

    for number in range(BOARD_EVENTS_MAX + more):
        rename(number)
    found = events(store, account, board)
    assert len(found) == BOARD_EVENTS_MAX
    assert (found[0].at, found[-1].at) == (NOW + BOARD_EVENTS_MAX + more - 1, NOW + more)


def test_whoever_does_most_pushes_out_nothing_that_others_did(store: MetadataStore, account: Account) -> None:
    friend, board = make_account(store), make_board(store, account)
    join(store, account, board, friend)
    file = new_file(store, friend)

    def withdraw(now: int) -> None:
        store.write(lambda unit: unit.board_items.remove(friend.account_id, board, [file], now, only_own=True))

    for number in range(BOARD_EVENTS_MAX):
        add(store, friend, board, NOW + number, file)
        withdraw(NOW + number)
    mine = new_file(store, account)
    add(store, account, board, NOW + HOUR, mine)
    for number in range(BOARD_EVENTS_MAX):
        guest = f"guest {number}"
        add(store, account, board, NOW + 2 * HOUR + number, new_file(store, account), guest=guest)
    found = events(store, account, board)
    assert len(found) == BOARD_EVENTS_MAX
    own = [one.kind for one in reversed(found) if one.account_key == account.account_key and one.guest_name is None]
    assert own == ["created", "added"]


def test_an_edit_that_changes_nothing_leaves_a_board_as_it_is(store: MetadataStore, account: Account) -> None:
    board, account_id = make_board(store, account, "Sea"), account.account_id
    store.write(lambda unit: unit.boards.edit(account_id, board, BoardEdit(description="blue"), NOW + 1))
    file = new_file(store, account)
    add(store, account, board, NOW + 2, file)
    before = store.write(lambda unit: unit.boards.set_cover(account_id, board, file, NOW + 3))
    for edit in (BoardEdit(name="Sea", description="blue"), BoardEdit(name="Sea"), BoardEdit()):
        assert store.write(lambda unit, edit=edit: unit.boards.edit(account_id, board, edit, NOW + 9)) == before  # type: ignore[misc]
    assert store.write(lambda unit: unit.boards.set_cover(account_id, board, file, NOW + 9)) == before
    assert [kind for kind, _, _ in told(store, account, board)] == ["created", "added"]


def test_a_board_knows_who_added_a_file(store: MetadataStore, account: Account) -> None:
    friend, board = make_account(store), make_board(store, account)
    join(store, account, board, friend)
    mine, theirs, other = new_file(store, account), new_file(store, friend), new_file(store, account)
    add(store, account, board, NOW + 1, mine)
    add(store, friend, board, NOW + 2, theirs)
    with store.read() as unit:
        found = unit.board_items.contributors(friend.account_id, board, [mine, theirs, other])
    assert {(one.object_key, one.account_key, one.guest_name, one.added_at) for one in found} == {
        (mine, account.account_key, None, NOW + 1),
        (theirs, friend.account_key, None, NOW + 2),
    }
