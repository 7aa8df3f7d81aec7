"""The simulator of a test, whose counts become a line of the run's summary, and which seeds it lives through."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from tests.desktop.simulator.simulator import simulating

Simulate = Callable[[Iterable[int]], None]

PART = 50
"""Seeds of one test, so that several workers share them."""


@pytest.fixture
def simulate(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Simulate]:
    """Lives through seeds, and puts their counts into the test's report."""
    with simulating(tmp_path) as simulator:

        def simulate(seeds: Iterable[int]) -> None:
            try:
                for seed in seeds:
                    simulator.live(seed)
            finally:
                request.node.user_properties.append(simulator.counts.property())

        yield simulate


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Hand out the seeds in parts; one that is named is the only one."""
    if "seeds" not in metafunc.fixturenames:
        return
    named, number = metafunc.config.getoption("--sync-seed"), metafunc.config.getoption("--sync-seeds")
    every = range(number) if named is None else range(named, named + 1)
    parts = [every[start : start + PART] for start in range(0, len(every), PART)]
    metafunc.parametrize("seeds", parts, ids=[f"{part.start}-{part.stop - 1}" for part in parts])
