"""What an upgrade of the schema will take: the rows that each pending migration works on, and about how long."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from skyshelf.storage.metadata.sql.migrate import Migration, migrations, newest

# Microseconds per row on two cores of a small virtual machine, as `./dev bench upgrade` measures them; the slower
# database decides. An upgrade of a store on a slow disk takes longer.
_INDEXED: Final = 6
_WRITTEN: Final = 40
_CARRIED_OVER: Final = {"search": 250, "tree_bounds": 4, "search_parts": 120}

_CREATED: Final = re.compile(r"CREATE TABLE (\w+)")
_WORK: Final = (
    (re.compile(r"^CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)"), _INDEXED),
    (re.compile(r"^UPDATE (\w+)"), _WRITTEN),
    (re.compile(r"^DELETE FROM (\w+)"), _WRITTEN),
    (re.compile(r"^INSERT INTO .*?\bFROM (\w+)", re.DOTALL), _WRITTEN),
)


class Step(msgspec.Struct, frozen=True, rename="camel"):
    """One pending migration."""

    migration: str
    rows: int
    seconds: float
    """About; a migration that only adds tables and columns takes none."""
    is_online: bool
    lost_on_the_way_back: str | None
    """What a way back loses; None if there is none."""


class UpgradePlan(msgspec.Struct, frozen=True, rename="camel"):
    """From a store's schema to this version's."""

    schema_version: int
    needed_version: int
    is_in_use: bool
    steps: Sequence[Step]

    @property
    def seconds(self) -> float:
        return sum(step.seconds for step in self.steps)

    @property
    def is_online(self) -> bool:
        """Whether servers of the version before may go on."""
        return all(step.is_online for step in self.steps)

    @property
    def has_way_back(self) -> bool:
        return self.schema_version > 0 and all(step.lost_on_the_way_back is not None for step in self.steps)


def plan_upgrade(version: int, rows_of: Callable[[str], int], *, is_in_use: bool) -> UpgradePlan:
    """The plan for a store of that version; `rows_of` counts a table, and has 0 for one that is not there."""
    steps = [_step(migration, rows_of) for migration in migrations()[version:]]
    return UpgradePlan(version, newest(), is_in_use, steps)


def _step(migration: Migration, rows_of: Callable[[str], int]) -> Step:
    work = [(rows_of(table), cost) for table, cost in _work(migration)]
    seconds = sum(rows * cost for rows, cost in work) / 1_000_000
    most = max((rows for rows, _ in work), default=0)
    return Step(str(migration), most, round(seconds, 1), migration.is_online, migration.lost)


def _work(migration: Migration) -> Iterator[tuple[str, float]]:
    """The tables whose rows it works on, with the cost of each row."""
    if migration.is_carried_over():
        yield "objects", _CARRIED_OVER[migration.name]
    made = set(_CREATED.findall(migration.text))
    # Types do not matter here.
    for statement in re.sub(r"--[^\n]*", "", migration.text).split(";"):
        for pattern, cost in _WORK:
            if (found := pattern.search(statement.strip())) and found[1] not in made:
                yield found[1], cost
