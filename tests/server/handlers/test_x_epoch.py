"""The epoch of the data: it stays while they do, and another one says why it began."""

from typing import Any

import pytest
from tests.server.api import Api, error_of
from tests.server.listening import CHANGES

from skyshelf.storage.identity import RESTORES, SETTING, Identity, Restore, check_identity
from skyshelf.storage.metadata.read_only import MOVE, MoveRecord
from skyshelf.storage.metadata.store import Unit

EPOCH = "/x/v1/epoch"


@pytest.fixture
def identity(api: Api) -> Identity:
    """The identity that a store has after its first start."""
    return check_identity(api.ctx.metadata, api.ctx.blobs)


def epoch(api: Api, **query: str) -> dict[str, Any]:
    answer = api.get(EPOCH, params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def store(api: Api, settings: dict[str, object]) -> None:
    def work(unit: Unit) -> None:
        for name, value in settings.items():
            unit.settings.store(name, value)

    api.ctx.metadata.write(work)


def test_the_first_epoch_has_no_reason_and_the_feed_has_it_too(api: Api, identity: Identity) -> None:
    found = epoch(api)
    assert found == {"epoch": identity.store, "cursor": api.get(CHANGES).json()["cursor"], "keepsExecutable": True}
    api.file("a.txt")
    for path in (CHANGES, f"{CHANGES}?cursor={found['cursor']}", f"{CHANGES}/everything"):
        assert api.get(path).json()["epoch"] == identity.store
    assert epoch(api)["cursor"] != found["cursor"]


def test_a_cursor_is_known_while_its_change_is(api: Api, identity: Identity) -> None:
    api.file("a.txt")
    cursor = epoch(api)["cursor"]
    api.file("b.txt")
    number, _, at = cursor.removeprefix("c").partition("-")
    assert epoch(api, cursor=cursor)["isCursorKnown"] is True
    assert epoch(api, cursor="c0-0")["isCursorKnown"] is True
    assert epoch(api, cursor=f"c{int(number) + 5}-{at}")["isCursorKnown"] is False
    assert epoch(api, cursor=f"c{number}-{int(at) - 1}")["isCursorKnown"] is False
    assert error_of(api.get(EPOCH, params={"cursor": "nonsense"})) == (400, "SKY1010")


def test_a_move_begins_an_epoch_of_the_same_store(api: Api, identity: Identity) -> None:
    moved = identity.in_new_place()
    assert (moved.store, moved.generation) == (identity.store, identity.generation + 1)
    store(api, {SETTING: moved, MOVE: MoveRecord("m", "elsewhere", 1_777_000_000_000)})
    found = epoch(api)
    assert found["epoch"] not in {identity.store, ""}
    assert (found["reason"], found["date"]) == ("moved", 1_777_000_000_000)
    assert "stateDate" not in found


def test_the_newest_reason_counts(api: Api, identity: Identity) -> None:
    restored = [Restore(1_777_000_000_000, 1_776_000_000_000), Restore(1_778_000_000_000, 1_777_500_000_000)]
    moved = MoveRecord("m", "elsewhere", 1_777_000_000_000)
    store(api, {SETTING: Identity("another store", 9), RESTORES: restored, MOVE: moved})
    found = epoch(api)
    found.pop("cursor")
    assert found == {
        "epoch": "another store",
        "reason": "restored",
        "date": 1_778_000_000_000,
        "stateDate": 1_777_500_000_000,
        "keepsExecutable": True,
    }
