"""Costs: as many statements for much as for little, and an index for everything that grows."""

import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.board_making import file_of, join, make_board, show
from tests.conformance.metadata.making import NOW, make_account, new_key
from tests.conformance.metadata.plans import plans_of
from tests.conformance.metadata.recording import statements_of_write

from skyshelf.storage.errors import Missing
from skyshelf.storage.metadata.audit_events import AuditFilter
from skyshelf.storage.metadata.contracts.accounts import Account, ThrottleRule
from skyshelf.storage.metadata.contracts.boards import NewComment
from skyshelf.storage.metadata.contracts.shares import NewShare
from skyshelf.storage.metadata.contracts.tree import NewTag
from skyshelf.storage.metadata.sql.unit import Unit
from skyshelf.wire.resources.contacts import Contact, ContactMailbox

Call = Callable[[Unit], object]
RULE = ThrottleRule(free_failures=0, first_pause=1, longest_pause=1, memory=1)


def count(store: Store, call: Call) -> int:
    return len(statements_of_write(store, call))


def new_share(*object_keys: str) -> NewShare:
    key = new_key()
    return NewShare(share_key=key, token_hash=key.encode(), name="", object_keys=list(object_keys))


def archive_of(unit: Unit, account_id: int) -> None:
    with suppress(Missing):
        unit.archives.get(account_id, new_key(), NOW)


def contacts(number: int) -> dict[str, Contact]:
    return {
        new_key(): Contact(display_name=str(one), emails=[ContactMailbox(email_id=f"{one}@example.org")])
        for one in range(number)
    }


@pytest.fixture
def files(store: Store, account: Account) -> list[str]:
    return [file_of(store, account, f"{number}.jpg") for number in range(20)]


def test_a_session_is_found_by_one_statement(store: Store) -> None:
    assert count(store, lambda unit: unit.sessions.find(b"secret", NOW)) == 1
    assert count(store, lambda unit: unit.nonces.find(b"nonce", NOW)) == 1
    assert count(store, lambda unit: unit.app_passwords.find(b"secret", NOW)) == 1
    assert count(store, lambda unit: unit.passkeys.find(b"credential")) == 1
    assert count(store, lambda unit: unit.identities.find("https://login.example.org", "7")) == 1
    assert count(store, lambda unit: unit.identities.origin_of(b"secret")) == 1
    assert count(store, lambda unit: unit.throttles.closed_until([b"a", b"b"], NOW)) == 1


def test_a_large_share_costs_what_a_small_one_costs(store: Store, account: Account, files: list[str]) -> None:
    small = count(store, lambda unit: unit.shares.add(account.account_id, new_share(files[0]), NOW))
    assert count(store, lambda unit: unit.shares.add(account.account_id, new_share(*files), NOW)) == small
    assert count(store, lambda unit: unit.shares.page(account.account_id, limit=1)) == count(
        store, lambda unit: unit.shares.page(account.account_id, limit=2)
    )
    assert count(store, lambda unit: unit.shares.shared_objects(account.account_id, NOW, limit=100)) == 1


def test_many_boards_cost_what_one_costs(store: Store, account: Account, files: list[str]) -> None:
    friend = make_account(store)
    for _ in range(5):
        board = make_board(store, account)
        join(store, account, board, friend)
        show(store, account, board, *files)
    one = count(store, lambda unit: unit.boards.page(account.account_id, limit=1))
    assert count(store, lambda unit: unit.boards.page(account.account_id, limit=5)) == one
    assert count(store, lambda unit: unit.board_items.page(account.account_id, board, limit=1)) == count(
        store, lambda unit: unit.board_items.page(account.account_id, board, limit=20)
    )
    assert count(store, lambda unit: unit.board_items.owner_of(friend.account_id, files[0])) == 1


def test_many_items_cost_what_one_costs(store: Store, account: Account, files: list[str]) -> None:
    few, many = make_board(store, account), make_board(store, account)
    added = count(store, lambda unit: unit.board_items.add(account.account_id, few, files[:1], NOW))
    assert count(store, lambda unit: unit.board_items.add(account.account_id, many, files, NOW)) == added
    removed = count(store, lambda unit: unit.board_items.remove(account.account_id, few, files[:1], NOW, only_own=True))
    assert (
        count(store, lambda unit: unit.board_items.remove(account.account_id, many, files, NOW, only_own=True))
        == removed
    )


def test_many_contacts_cost_what_one_costs(store: Store, account: Account) -> None:
    one = count(store, lambda unit: unit.contacts.add(account.account_id, contacts(1), NOW))
    assert count(store, lambda unit: unit.contacts.add(account.account_id, contacts(50), NOW)) == one
    assert count(store, lambda unit: unit.contacts.page(account.account_id, limit=1000)) == 1
    assert count(store, lambda unit: unit.contacts.emails(account.account_id, limit=1000)) == 1


KEY = "0" * 32
GROWING: dict[str, Callable[[int], Call]] = {
    "sessions.find": lambda _: lambda unit: unit.sessions.find(b"secret", NOW),
    "sessions.touch": lambda _: lambda unit: unit.sessions.touch(b"secret", NOW),
    "sessions.close": lambda _: lambda unit: unit.sessions.close(b"secret"),
    "sessions.of_account": lambda account: lambda unit: unit.sessions.of_account(account, NOW),
    "sessions.revoke_all": lambda account: lambda unit: unit.sessions.revoke_all(account),
    "sessions.sweep": lambda _: lambda unit: unit.sessions.sweep(NOW, 10),
    "passkeys.find": lambda _: lambda unit: unit.passkeys.find(b"credential"),
    "passkeys.of_account": lambda account: lambda unit: unit.passkeys.of_account(account),
    "passkeys.counts": lambda account: lambda unit: unit.passkeys.counts([account]),
    "alarms.of_account": lambda account: lambda unit: unit.alarms.of_account(account),
    "alarms.is_paused": lambda account: lambda unit: unit.alarms.is_paused(account, "device"),
    "app_passwords.find": lambda _: lambda unit: unit.app_passwords.find(b"secret", NOW),
    "app_passwords.of_account": lambda account: lambda unit: unit.app_passwords.of_account(account),
    "identities.find": lambda _: lambda unit: unit.identities.find("https://login.example.org", "7"),
    "identities.of_account": lambda account: lambda unit: unit.identities.of_account(account),
    "identities.linked_among": lambda account: lambda unit: unit.identities.linked_among([account]),
    "identities.origin_of": lambda _: lambda unit: unit.identities.origin_of(b"secret"),
    "identities.end_sessions": lambda _: lambda unit: unit.identities.end_sessions("https://example.org", sid="s"),
    "spent_tokens.sweep": lambda _: lambda unit: unit.spent_tokens.sweep(NOW, 10),
    "locks.of_account": lambda account: lambda unit: unit.locks.of_account(account, NOW),
    "locks.sweep": lambda _: lambda unit: unit.locks.sweep(NOW, 10),
    "dead_properties.any_of": lambda account: lambda unit: unit.dead_properties.any_of(account),
    "dead_properties.of_objects": lambda account: lambda unit: unit.dead_properties.of_objects(account, [KEY]),
    "folder_marks.newest": lambda account: lambda unit: unit.folder_marks.newest(account, [KEY]),
    "tree.at_path": lambda account: lambda unit: unit.tree.at_path(account, KEY, ["a", "b", "c"]),
    "tree.first_key_between": lambda account: lambda unit: unit.tree.first_key_between(account, (KEY, KEY)),
    "uploads.named": lambda account: lambda unit: unit.uploads.named(account, "x"),
    "nonces.find": lambda _: lambda unit: unit.nonces.find(b"nonce", NOW),
    "nonces.sweep": lambda _: lambda unit: unit.nonces.sweep(NOW, 10),
    "archives.get": lambda account: lambda unit: archive_of(unit, account),
    "archives.sweep": lambda _: lambda unit: unit.archives.sweep(NOW, 10),
    "devices.of_account": lambda account: lambda unit: unit.devices.of_account(account),
    "devices.sweep": lambda _: lambda unit: unit.devices.sweep(NOW, 10),
    "throttles.failed": lambda _: lambda unit: unit.throttles.failed(b"bucket", NOW, RULE),
    "throttles.closed_until": lambda _: lambda unit: unit.throttles.closed_until([b"bucket"], NOW),
    "throttles.sweep": lambda _: lambda unit: unit.throttles.sweep(NOW, 10),
    "shares.by_token": lambda _: lambda unit: unit.shares.by_token(b"token", NOW),
    "shares.page": lambda account: lambda unit: unit.shares.page(account, limit=10),
    "shares.page after one": lambda account: lambda unit: unit.shares.page(account, limit=10, after=(NOW, KEY)),
    "files.bytes_freed_by_next_version": lambda account: (
        lambda unit: unit.files.bytes_freed_by_next_version(account, KEY, 20)
    ),
    "shares.take_download": lambda _: lambda unit: unit.shares.take_download(KEY, NOW),
    "shares.shared_objects": lambda account: lambda unit: unit.shares.shared_objects(account, NOW, limit=10),
    "boards.page": lambda account: lambda unit: unit.boards.page(account, limit=10),
    "board_items.owner_of": lambda account: lambda unit: unit.board_items.owner_of(account, KEY),
    "tags.of_object": lambda account: lambda unit: unit.tags.of_object(account, KEY),
    "tags.recent": lambda account: lambda unit: unit.tags.recent(account, 10),
    "contacts.page": lambda account: lambda unit: unit.contacts.page(account, limit=10),
    "contacts.emails": lambda account: lambda unit: unit.contacts.emails(account, limit=10),
    "contacts.forget_removed": lambda _: lambda unit: unit.contacts.forget_removed(NOW, 10),
    "audit.newest of an account": lambda _: lambda unit: unit.audit.newest(AuditFilter(account_key=KEY), limit=10),
    "audit.newest": lambda _: lambda unit: unit.audit.newest(AuditFilter(), limit=10, before_id=5),
    "audit.after": lambda _: lambda unit: unit.audit.after(AuditFilter(kinds=["login"]), limit=10, after_id=5),
    "audit.sweep": lambda _: lambda unit: unit.audit.sweep(NOW, 10),
    "outbox.put": lambda _: lambda unit: unit.outbox.put("purge", "album", b"", NOW),
    "outbox.claim": lambda _: lambda unit: unit.outbox.claim(["purge"], NOW, lease="x", lease_until=NOW),
    "outbox.errors": lambda _: lambda unit: unit.outbox.errors(10),
}
# Reading a whole table; what a statement itself lists or derives is no table.
WHOLE_TABLE = re.compile(
    r"\bSCAN (?!json_each|above|below|candidate|chosen|[ck]\b|outbox USING INDEX outbox_failing)\w+|Seq Scan", re.ASCII
)
SORTING = re.compile(r"USE TEMP B-TREE FOR ORDER BY|\bSort\b")


@pytest.mark.parametrize("call", GROWING)
def test_nothing_that_grows_is_read_whole(store: Store, account: Account, call: str) -> None:
    for plan in plans_of(store, GROWING[call](account.account_id)):
        assert not WHOLE_TABLE.search(plan), plan


@pytest.mark.parametrize(
    "call",
    [
        "shares.page",
        "tags.recent",
        "contacts.page",
        "contacts.emails",
        "outbox.claim",
        "outbox.errors",
        "audit.newest of an account",
        "audit.after",
    ],
)
def test_a_page_is_read_in_the_order_of_its_index(store: Store, account: Account, call: str) -> None:
    assert not SORTING.search(plans_of(store, GROWING[call](account.account_id))[0])


def test_the_nouns_of_a_board_are_read_by_index(store: Store, account: Account, files: list[str]) -> None:
    board = make_board(store, account)
    show(store, account, board, *files)
    comment = NewComment(comment_key=new_key(), text="", object_key=files[0])
    tag = store.write(
        lambda unit: unit.tags.add(account.account_id, [files[0]], NewTag(tag_key=new_key(), name="a"), NOW)
    )
    calls: list[Call] = [
        lambda unit: unit.boards.page(account.account_id, limit=10),
        lambda unit: unit.board_members.of_board(account.account_id, board),
        lambda unit: unit.board_items.page(account.account_id, board, limit=10),
        lambda unit: unit.board_items.owner_of(account.account_id, files[0]),
        lambda unit: unit.board_items.remove(account.account_id, board, files[1:], NOW, only_own=True),
        lambda unit: unit.board_comments.add(account.account_id, board, comment, NOW),
        lambda unit: unit.board_comments.page(account.account_id, board, limit=10),
        lambda unit: unit.boards.activity(account.account_id, board),
        lambda unit: unit.board_items.contributors(account.account_id, board, files),
        lambda unit: unit.board_members.leave(account.account_id, board, NOW),
        lambda unit: unit.tags.objects(account.account_id, tag.tag_key, limit=10),
        lambda unit: unit.tags.remove(account.account_id, [files[0]], tag.tag_key, NOW),
    ]
    for call in calls:
        for plan in plans_of(store, call):
            assert not WHOLE_TABLE.search(plan), plan
