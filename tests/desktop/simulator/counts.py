"""What a run of the simulator has done, for the summary of the tests."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from json import dumps, loads

PROPERTY = "sync-simulator"
"""The property of a test's report that holds its counts."""


@dataclass
class Counts:
    """Sums over seeds."""

    seeds: int = 0
    operations: int = 0
    runs: int = 0
    kills: int = 0
    faults: int = 0
    restores: int = 0
    contents: int = 0

    def property(self) -> tuple[str, str]:
        return PROPERTY, dumps(asdict(self))


def line(properties: Iterable[tuple[str, str]]) -> str | None:
    """Return the line of the summary; None where the simulator did not run."""
    found = [loads(value) for name, value in properties if name == PROPERTY]
    if not found:
        return None
    sums = ", ".join(f"{sum(one[each.name] for one in found):,} {each.name}" for each in fields(Counts))
    return f"sync simulator: {sums} followed"
