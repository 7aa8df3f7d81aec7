"""Whatever answers a request, and wherever, it is answered, logged, recorded and counted alike.

The calls are made from tables, so one that is added later is compared without anybody thinking of it.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from tests.parity import apps, interface
from tests.parity.observing import Observed, Scenario, differences, observe
from tests.parity.places import PLACES, REMEMBERED, Moment, Place

SCENARIOS: dict[str, Scenario] = {
    "good calls": interface.good_calls,
    "reads": interface.reads_with_other_headers,
    "refused calls": interface.refused_calls,
    "uploads": interface.uploads,
    "walls": interface.walls,
    "calls of apps": apps.good_calls,
    "every method of apps": apps.every_method,
    "refused apps": apps.refused_apps,
    "walls of apps": apps.walls,
}


# Soft passkeys sign for http alone, so over TLS it is what needs none of them.
OVER_TLS = ("reads", "uploads", "calls of apps")
PLAIN = ("good calls", "uploads", "walls of apps")
"""Scenarios that a plain run compares, too: they touch every route once."""


def _cases() -> Iterator[ParameterSet]:
    for backend in PLACES:
        for scenario in OVER_TLS if "tls" in backend else SCENARIOS:
            is_plain = "tls" not in backend and scenario in PLAIN
            yield pytest.param(scenario, backend, marks=() if is_plain else pytest.mark.whole)


@pytest.mark.parametrize(("scenario", "backend"), list(_cases()))
def test_every_place_answers_alike(scenario: str, backend: str, tmp_path: Path, subtests: pytest.Subtests) -> None:
    def observed(place: Place) -> Observed:
        with interface.fresh_numbers():
            return observe(place, tmp_path / str(place), SCENARIOS[scenario])

    places = PLACES[backend]
    expected = observed(places[0].reference)
    for place in places:
        found = observed(place)
        for name in (name for name in expected.steps if found.steps[name] != expected.steps[name]):
            with subtests.test(f"{place}: {name}"):
                assert list(differences(found.steps[name], expected.steps[name])) == []
        assert found.counters == expected.counters


def test_places_are_what_they_say(tmp_path: Path) -> None:
    """Otherwise the same would be compared with itself."""
    remembered = partial(interface.good_calls, names=REMEMBERED)
    on_loop, in_thread = (observe(Place("asgi", where), tmp_path / where, remembered) for where in ("loop", "thread"))
    assert {loop for loop, _ in in_thread.reads.values()} == {0}
    for name in REMEMBERED:
        assert all(on_loop.reads[name, moment][1] == 0 for moment in Moment if moment is not Moment.FIRST), name
    assert on_loop.reads["download", Moment.AGAIN] == (0, 0)
