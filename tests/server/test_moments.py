"""A moment that history no longer has is refused by every call that takes one.

The calls come from the endpoint table and the moments from the models, so a call that is added later is tested here.
"""

from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
from tests.server.api import PASSWORD, Api, HeldClock, error_of
from tests.server.good_calls import furnish, good_call

from skyshelf.storage.metadata.history.rewinds import CANCELLED
from skyshelf.wire.endpoint import Endpoint
from skyshelf.wire.endpoints import ENDPOINTS
from skyshelf.wire.resources.history import Moment
from skyshelf.wire.resources.rewind import ChangeNumber

# What these bound is a list of changes; the answer says since when there are any.
FILTERS = {("history", "since"), ("history", "until")}
REWIND = "/x/v1/rewind"


def moments_in(endpoint: Endpoint) -> Iterator[tuple[str, str, object]]:
    """Where a moment can stand in a call: the part of the request, its name there, and its type."""
    for part, model in (("query", endpoint.query), ("body", endpoint.body)):
        if isinstance(model, type) and issubclass(model, msgspec.Struct):
            for field in msgspec.structs.fields(model):
                kind = {Moment, ChangeNumber} & {field.type, *get_args(field.type)}
                if kind and (endpoint.name, field.encode_name) not in FILTERS:
                    yield part, field.encode_name, kind.pop()


PLACES = [(endpoint.name, *place) for endpoint in ENDPOINTS for place in moments_in(endpoint)]


def forgotten(api: Api, clock: HeldClock) -> dict[object, int]:
    """A moment and a number that history has no longer."""
    clock.advance(ms=10)
    past: dict[object, int] = {Moment: clock.now(), ChangeNumber: 1}
    clock.advance(ms=10)
    api.folder("made after it")
    forget(api)
    clock.advance(ms=10)
    api.folder("made later")
    return past


def forget(api: Api) -> None:
    answer = api.post("/x/v1/history/forget", json={"confirmation": {"password": PASSWORD}})
    assert answer.status_code == 200, answer.text


def test_the_moments_of_all_calls_are_found() -> None:
    assert {(name, field) for name, _, field, _ in PLACES} == {
        ("past_folder", "at"),
        ("past_object", "at"),
        ("past_file", "at"),
        ("history_differences", "since"),
        ("history_differences", "until"),
        ("plan_rewind", "to"),
        ("plan_rewind", "toNumber"),
        ("start_rewind", "to"),
        ("start_rewind", "toNumber"),
    }


@pytest.mark.parametrize(("name", "part", "field", "kind"), PLACES, ids=[f"{one[0]}-{one[2]}" for one in PLACES])
def test_a_moment_that_is_no_longer_kept_is_refused(
    api: Api, clock: HeldClock, name: str, part: str, field: str, kind: object
) -> None:
    keys = furnish(api)
    past = forgotten(api, clock)[kind]
    call = good_call(name, api, keys)
    if part == "query":
        call = msgspec.structs.replace(call, params={**call.params, "since": str(past), field: str(past)})
        if name != "history_differences":
            del call.params["since"]
    else:
        rest = {other: value for other, value in call.body.items() if other not in {"to", "toNumber"}}
        call = msgspec.structs.replace(call, body={**rest, field: past})
    before = api.get(REWIND).json()
    assert error_of(call.send(api)) == (410, "SKY1016")
    assert api.get(REWIND).json() == before


def changed(api: Api, clock: HeldClock, count: int) -> int:
    """Make folders; the moment before them."""
    clock.advance(ms=10)
    before = clock.now()
    for number in range(count):
        clock.advance(ms=10)
        api.folder(f"{number} of {before}")
    return before


def test_pages_that_began_before_it_was_forgotten_end_there(api: Api, clock: HeldClock) -> None:
    before = changed(api, clock, 5)
    asked: dict[str, Any] = {"to": before, "limit": 1}
    plan = api.post(f"{REWIND}/plan", json=asked).json()["nextCursor"]
    params = {"since": str(before), "limit": "1"}
    differences = api.get("/x/v1/history/differences", params=params).json()["nextCursor"]
    forget(api)
    changed(api, clock, 1)
    assert error_of(api.post(f"{REWIND}/plan", json={**asked, "cursor": plan})) == (410, "SKY1016")
    later = api.get("/x/v1/history/differences", params={**params, "cursor": differences})
    assert error_of(later) == (410, "SKY1016")


def test_a_rewind_that_was_asked_for_before_it_was_forgotten_changes_nothing(api: Api, clock: HeldClock) -> None:
    before = changed(api, clock, 3)
    key = api.post(REWIND, json={"to": before}).json()["rewindKey"]
    forget(api)
    api.ctx.metadata.write(
        lambda unit: unit.rewinds.collect_some(api.account.account_id, key, 10, clock.now()),
    )
    assert api.get(f"{REWIND}/{key}").json()["state"] == CANCELLED
    assert len(api.get("/nms/metadata", params={"folderKey": api.root_key}).json()["objects"]) == 3
