"""The check can fail: whatever a crash could do to what was acknowledged is found."""

from typing import Any

import pytest
from tests.crash.contents import Content, bytes_of, md5_of
from tests.crash.model import Account, State, Thing, Unfinished

pytestmark = pytest.mark.plain

ROOT = "root"
OLD, NEW = Content(1, 100), Content(2, 200)
FILE = State(ROOT, "file", (OLD,))


def shown(key: str, state: State, *, is_folder: bool = False) -> dict[str, Any]:
    """A state as the service shows it."""
    return {
        "objectKey": key,
        "objectType": "FR" if is_folder else "FE",
        "parentObjectKey": state.parent,
        "objectName": state.name,
        "status": "T" if state.trashed else "A",
        "isFavorite": state.favorite,
        "version": max(1, len(state.contents)),
        "hash": None if is_folder else md5_of(state.contents[-1]),
    }


@pytest.fixture
def account() -> Account:
    """One that has an acknowledged file."""
    made = Account(ROOT, cursor="")
    thing = Thing(is_folder=False, possible=[None])
    made.things.append(thing)
    made.announce("created", thing, FILE)
    thing.key = "1"
    made.acknowledge()
    return made


def test_what_is_as_acknowledged_passes(account: Account) -> None:
    assert account.settle([shown("1", FILE)], []) == []
    assert account.settle_feed([("created", "1")], "next") == []
    assert account.used == len(bytes_of(OLD))


@pytest.mark.parametrize(
    "objects",
    [
        [],
        [shown("1", FILE.but(name="other"))],
        [shown("1", FILE.but(parent="elsewhere"))],
        [shown("1", FILE.but(trashed=True))],
        [shown("1", FILE.but(favorite=True))],
        [shown("1", FILE.but(contents=(NEW,)))],
        [shown("1", FILE.but(contents=(OLD, OLD)))],
        [shown("1", FILE), shown("2", FILE.but(name="nobody's"))],
    ],
    ids=("lost", "renamed", "moved", "trashed", "favoured", "other bytes", "another version", "nobody's"),
)
def test_what_differs_is_found(account: Account, objects: list[dict[str, Any]]) -> None:
    assert account.settle(objects, [])


def test_what_was_deleted_does_not_come_back(account: Account) -> None:
    account.announce("purged", account.things[0], None)
    account.acknowledge()
    assert account.purging == len(bytes_of(OLD))
    assert account.settle([], []) == []
    assert account.settle([shown("1", FILE)], [])


def test_a_write_without_an_answer_may_have_happened_or_not(account: Account) -> None:
    after = FILE.but(contents=(OLD, NEW))
    for state in (FILE, after):
        account.announce("content", account.things[0], after)
        account.leave_open()
        assert account.settle([shown("1", state)], []) == []
        assert account.things[0].possible == [state]
        account.things[0].possible = [FILE]


def test_a_file_without_an_answer_is_known_by_its_name(account: Account) -> None:
    account.things.append(Thing(is_folder=False, possible=[None]))
    account.announce("created", account.things[-1], FILE.but(name="new"))
    account.leave_open()
    assert account.settle([shown("1", FILE), shown("2", FILE.but(name="new"))], []) == []
    assert account.things[-1].key == "2"


def test_half_of_an_operation_is_found(account: Account) -> None:
    other = Thing(is_folder=False, possible=[FILE.but(name="other")], key="2")
    account.things.append(other)
    for thing in account.things:
        account.announce("trashed", thing, thing.now.but(trashed=True))
    account.leave_open()
    halves = [shown("1", FILE.but(trashed=True)), shown("2", FILE.but(name="other"))]
    assert account.settle(halves, [])[0].startswith("half of an operation happened")


@pytest.mark.parametrize("feed", [[], [("created", "2")], [("created", "1"), ("created", "1")]])
def test_a_feed_that_misses_or_invents_a_change_is_found(account: Account, feed: list[tuple[str, str]]) -> None:
    assert account.settle_feed(feed, "next")


@pytest.mark.parametrize(("offset", "is_right"), [(50, True), (0, False), (100, False), (None, False)])
def test_an_upload_is_as_far_as_was_acknowledged(account: Account, offset: int | None, *, is_right: bool) -> None:
    account.uploads.append(Unfinished("upload", ROOT, OLD, {50}, "u"))
    uploads = [] if offset is None else [{"transactionId": "u", "name": "upload", "offset": offset}]
    assert (account.settle([shown("1", FILE)], uploads) == []) == is_right
