"""The server that misbehaves on purpose."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.server.api import Api, HeldClock, error_of, logged_in, new_account
from tests.server.in_process import TestClient

from skyshelf.server.app import ServerSettings, app_for
from skyshelf.server.pipeline.fault_injection import Simulation, Simulator
from skyshelf.service.context import ServiceContext

Simulating = Callable[..., Api]


@pytest.fixture
def simulating(ctx: ServiceContext, settings: ServerSettings, clock: HeldClock) -> Iterator[Simulating]:
    """Makes a logged-in client of a server with a simulation; chances are handed out one after the other."""
    inner = app_for(ctx, settings)
    with TestClient(inner, raise_server_exceptions=False) as plain:
        ada = logged_in(plain, ctx, new_account(ctx, "ada@example.org"))

        def make(*chances: float, **how: Any) -> Api:
            rest = iter([*chances, *([0.99] * 100)])
            inner.pipeline.simulator = Simulator(Simulation(**how), clock.now, lambda: next(rest))
            inner.pipeline.reads.is_on = False
            return ada

        yield make


def names(api: Api, path: str = "/nms/metadata") -> list[str]:
    listing = api.get(path, params={"folderKey": api.root_key})
    assert listing.status_code == 200
    return [one["objectName"] for one in listing.json()["objects"]]


def test_new_objects_are_absent_from_listings_for_the_lag(simulating: Simulating, clock: HeldClock) -> None:
    api = simulating(lag_ms=2000)
    api.folder("old")
    clock.advance(seconds=2)
    api.file("new.txt")
    for path in ("/nms/metadata", "/nms/metadata/defaultview/myfiles/v1"):
        assert names(api, path) == ["old"]
    clock.advance(ms=1999)
    assert names(api) == ["old"]
    clock.advance(ms=1)
    assert names(api) == ["new.txt", "old"]


def test_trashed_objects_come_into_the_trash_after_the_lag(simulating: Simulating, clock: HeldClock) -> None:
    api = simulating(lag_ms=2000)
    folder = api.folder("old")
    clock.advance(seconds=10)
    api.trash(folder.object_key)
    assert names(api) == []
    assert names(api, "/nms/trash") == []
    clock.advance(seconds=2)
    assert names(api, "/nms/trash") == ["old"]


def test_a_share_of_the_requests_is_throttled(simulating: Simulating) -> None:
    answer = simulating(0.04, throttle=0.05).get("/security/users")
    assert error_of(answer) == (429, "SKY1007")
    assert answer.headers["retry-after"] == "1"
    assert simulating(0.05, throttle=0.05).get("/security/users").status_code == 200


def test_a_fault_can_come_before_or_after_the_work(simulating: Simulating) -> None:
    def create(api: Api, name: str) -> int:
        body = {"objectName": name, "parentObjectKey": api.root_key, "sourceName": "DRIVE"}
        return api.post("/nms/folders", json=body).status_code

    # throttled? failing? after the work? which fault?
    before = simulating(0.9, 0.01, 0.9, 0.0, fail=0.05)
    assert create(before, "before") == 500
    after = simulating(0.9, 0.01, 0.1, 0.9, fail=0.05)
    assert create(after, "after") == 503
    assert names(after) == ["after"]


def test_health_is_never_simulated(simulating: Simulating) -> None:
    api = simulating(0.0, 0.0, throttle=1.0, fail=1.0)
    assert api.get("/healthz").status_code == 200
    assert api.get("/readyz").status_code == 200


def test_a_simulation_is_written_as_a_list_of_three_things() -> None:
    assert Simulation.parse("lag=2s,throttle=0.05,fail=0.1") == Simulation(lag_ms=2000, throttle=0.05, fail=0.1)
    assert Simulation.parse("lag=150ms") == Simulation(lag_ms=150)
    assert Simulation.parse("fail=1") == Simulation(fail=1.0)


@pytest.mark.parametrize(
    "text", ["", "lag", "lag=2", "lag=-1s", "fail=2", "fail=x", "rain=0.5", "lag=2s,,", "fail=1.5"]
)
def test_anything_else_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="is not one of lag=2s"):
        Simulation.parse(text)
