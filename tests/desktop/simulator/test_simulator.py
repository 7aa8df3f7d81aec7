"""Computers, users, a server and everything that goes wrong, by lot: no content vanishes that somebody wrote last.

A run follows from its seed. `--sync-seed 7` replays one, `--sync-seeds 20000` lives through so many.
"""

import pytest
from tests.desktop.simulator.conftest import Simulate
from tests.desktop.simulator.seeds import PAST, Found


def test_a_few_seeds_lose_nothing(simulate: Simulate) -> None:
    simulate(range(4))


@pytest.mark.whole
@pytest.mark.parametrize("found", PAST, ids=[f"{one.seed}" for one in PAST])
def test_a_seed_that_once_found_something_holds(simulate: Simulate, found: Found) -> None:
    simulate([found.seed])


@pytest.mark.whole
def test_many_seeds_lose_nothing(simulate: Simulate, seeds: range) -> None:
    simulate(seeds)
