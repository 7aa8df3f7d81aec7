"""`.venv/bin/python -m benchmarks.simulate_instances`: accounts over many databases, from measured costs.

What one client, one file and one restore cost comes from the tables in docs/figures.md; what people are like is
assumed, and printed with the result. The same tables and the same seed give the same result.
"""

import argparse
import heapq
import math
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.page import begin, rendered
from benchmarks.recording import Table
from benchmarks.tables import print_fact, print_table, short

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "figures.md"
RECORD: Final = ROOT / "docs" / "decisions" / "0024-accounts-over-databases.md"
BEGIN, END = "<!-- simulate_instances: begin -->\n", "<!-- simulate_instances: end -->"
SEED: Final = 33
# What is assumed: no installation has told us.
MEDIAN_OBJECTS, SPREAD = 800, 1.6
"""Objects of an account: lognormal, so the largest per mille has a fourteenth of all."""
CLIENTS_PER_ACCOUNT: Final = 0.15
"""Connected at the busiest hour: 1.5 devices, a tenth of them at work."""
SHARING: Final = 0.2
"""Accounts that have a board with others, in groups of two to six."""
STRANGERS: Final = 0.1
"""Share of these that are on a second board with another group."""
GROWTH, GROWTH_SPREAD, MONTHS = 0.03, 0.5, 24
"""Objects that come in a month; an account's own rate is spread like its size."""
FULL, EMPTIER = 1.2, 1.1
"""A database above 1.2 times the mean gives accounts away until it has 1.1 times the mean."""
FAILURES_PER_YEAR: Final = 0.2
"""Losses of one database that a restore has to repair."""


@dataclass(frozen=True)
class Costs:
    """Measured."""

    bytes_per_file: float
    server_share: float
    """Share of a core per connected client, with the mix of `./dev bench crowd`."""
    database_share: float
    connection_kb: float
    restored_per_second: float


def measured(text: str) -> Costs:
    """Read the tables of `./dev bench sizing` and `./dev bench crowd`, and how many clients the latter had."""
    costs = "PostgreSQL and S3, costs"
    clients = re.search(r"PostgreSQL and S3: [\d,]+ accounts of [\d,]+ files, ([\d,]+) clients", text)
    if clients is None:
        raise SystemExit("docs/figures.md has no table of ./dev bench crowd: run it with --write first")
    count = _number(clients[1])
    return Costs(
        bytes_per_file=_figure(text, "sizing", "bytes", "all of it, per file", 2),
        server_share=_figure(text, "crowd", costs, "processor: server") / 100 / count,
        database_share=_figure(text, "crowd", costs, "processor: PostgreSQL") / 100 / count,
        connection_kb=_figure(text, "crowd", costs, "memory of the server per connection that waits"),
        restored_per_second=_figure(text, "sizing", "recovery", "restore to PostgreSQL and S3"),
    )


def _figure(text: str, benchmark: str, table: str, row: str, column: int = 1) -> float:
    place = text.find(begin(benchmark, table))
    line = next((one for one in text[max(0, place) :].splitlines() if one.startswith(f"| {row} |")), None)
    if place < 0 or line is None:
        raise SystemExit(f"docs/figures.md lacks '{row}' of ./dev bench {benchmark}: run it with --write first")
    return _number(line.split("|")[column + 1])


def _number(text: str) -> float:
    found = re.search(r"[\d,.]+", text)
    assert found is not None, text
    return float(found[0].replace(",", ""))


class People:
    """Accounts with their sizes, their growth and the groups that share boards."""

    def __init__(self, objects: int, chance: random.Random) -> None:
        self.sizes: list[float] = []
        total = 0.0
        while total < objects:
            self.sizes.append(chance.lognormvariate(math.log(MEDIAN_OBJECTS), SPREAD))
            total += self.sizes[-1]
        self.rates = [GROWTH * chance.lognormvariate(0, GROWTH_SPREAD) for _ in self.sizes]
        self.boards = self._boards(chance)

    def _boards(self, chance: random.Random) -> list[list[int]]:
        """Groups of accounts that came together, and pairs of strangers that met later."""
        boards, sharing = [], [number for number in range(len(self.sizes)) if chance.random() < SHARING]
        while len(sharing) > 1:
            boards.append([sharing.pop() for _ in range(min(len(sharing), chance.randint(2, 6)))])
        grouped = [one for board in boards for one in board]
        boards += [[one, chance.choice(grouped)] for one in grouped if chance.random() < STRANGERS]
        return boards


def by_hash(people: People, databases: int) -> list[int]:
    """Each account where a hash of its key puts it."""
    chance = random.Random(SEED + 1)
    return [chance.randrange(databases) for _ in people.sizes]


def by_inviter(people: People, databases: int) -> list[int]:
    """Each group in the database that has the fewest objects when its first account comes."""
    # People on two boards came by the first.
    group = {one: number for number, board in reversed(list(enumerate(people.boards))) for one in board}
    fewest = [(0.0, number) for number in range(databases)]
    homes: dict[int, int] = {}
    places = []
    for number, size in enumerate(people.sizes):
        home = homes.get(group.get(number, -1))
        if home is None:
            load, home = heapq.heappop(fewest)
            heapq.heappush(fewest, (load + size, home))
            if number in group:
                homes[group[number]] = home
        places.append(home)
    return places


HEAD: Final = [
    "databases", "largest, 10⁶ objects", "of the mean", "TB of rows", "cores of PostgreSQL", "cores of servers",
    "GB for connections", "hours to restore it", "hours a year without, per person", "boards across",
    "accounts moved a month", "10⁶ objects moved a month",
]  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    largest: float
    mean: float
    cross: float
    moved_accounts: float
    moved_objects: float
    clients: float


def simulated(people: People, places: list[int], databases: int) -> Outcome:
    """Let the accounts grow for some years, and move some where a database becomes too full."""
    sizes, places = list(people.sizes), list(places)
    moved_accounts, moved_objects = 0, 0.0
    for _ in range(MONTHS):
        sizes = [size * (1 + rate) for size, rate in zip(sizes, people.rates, strict=True)]
        count, objects = _balance(sizes, places, databases)
        moved_accounts, moved_objects = moved_accounts + count, moved_objects + objects
    loads, accounts = [0.0] * databases, [0] * databases
    for size, place in zip(sizes, places, strict=True):
        loads[place] += size
        accounts[place] += 1
    cross = sum(len({places[one] for one in board}) > 1 for board in people.boards) / max(1, len(people.boards))
    mean = sum(loads) / databases
    return Outcome(
        max(loads), mean, cross, moved_accounts / MONTHS, moved_objects / MONTHS, max(accounts) * CLIENTS_PER_ACCOUNT
    )


def _balance(sizes: Sequence[float], places: list[int], databases: int) -> tuple[int, float]:
    """Move the largest accounts that fit out of databases that are too full; how many, and their objects."""
    loads, members = [0.0] * databases, [[] for _ in range(databases)]  # type: list[float], list[list[int]]
    for number, place in enumerate(places):
        loads[place] += sizes[number]
        members[place].append(number)
    mean, count, objects = sum(loads) / databases, 0, 0.0
    for full in sorted(range(databases), key=loads.__getitem__, reverse=True):
        if loads[full] <= FULL * mean:
            break
        for number in sorted(members[full], key=sizes.__getitem__, reverse=True):
            if loads[full] <= EMPTIER * mean:
                break
            target = min(range(databases), key=loads.__getitem__)
            if loads[target] + sizes[number] > EMPTIER * mean:
                continue
            loads[full], loads[target] = loads[full] - sizes[number], loads[target] + sizes[number]
            places[number], count, objects = target, count + 1, objects + sizes[number]
    return count, objects


def rows_of(people: People, costs: Costs) -> list[list[str]]:
    """One row per number of databases and way to place accounts."""
    rows = []
    for databases, place, name in (
        (1, by_hash, "one database"),
        (10, by_hash, "10, by hash"),
        (100, by_hash, "100, by hash"),
        (100, by_inviter, "100, with the inviter"),
    ):
        found = simulated(people, place(people, databases), databases)
        hours = found.largest / costs.restored_per_second / 3600
        lost = FAILURES_PER_YEAR * hours  # of every person's year, on average, however many databases there are
        rows.append(
            [
                name,
                f"{found.largest / 1e6:,.0f}",
                f"{found.largest / found.mean:.2f}",
                f"{found.largest * costs.bytes_per_file / 1e12:.2f}",
                short(found.clients * costs.database_share),
                short(found.clients * costs.server_share),
                short(found.clients * costs.connection_kb / 1e6),
                f"{hours:,.0f}",
                f"{lost:,.0f}",
                f"{100 * found.cross:.0f} %",
                short(found.moved_accounts),
                short(found.moved_objects / 1e6),
            ]
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulate_instances", description=__doc__)
    parser.add_argument("--objects", type=int, default=10**9, help="at the beginning (default: 1,000,000,000)")
    parser.add_argument("--write", action="store_true", help=f"write the result into {RECORD.relative_to(ROOT)}")
    options = parser.parse_args()
    costs = measured(PAGE.read_text("utf-8"))
    people = People(options.objects, random.Random(SEED))
    largest = sorted(people.sizes, reverse=True)[: max(1, len(people.sizes) // 1000)]
    facts = [
        f"measured: {costs.bytes_per_file:,.0f} bytes of rows per file, {100 * costs.server_share:.3f} % of a core of"
        f" the server and {100 * costs.database_share:.3f} % of PostgreSQL per client, {costs.connection_kb:.0f} kB per"
        f" connection, {costs.restored_per_second:.0f} files/s restored",
        f"assumed: {len(people.sizes):,} accounts with {sum(people.sizes):,.0f} objects, of which the largest per mille"
        f" has {100 * sum(largest) / sum(people.sizes):.0f} %; {CLIENTS_PER_ACCOUNT} clients per account at the busiest"
        f" hour; {len(people.boards):,} boards; {FAILURES_PER_YEAR} losses a year of a database; {MONTHS} months",
    ]
    title = f"the largest database, of {options.objects:,} objects after {MONTHS} months"
    table = Table(title, HEAD, rows_of(people, costs), notes=facts)
    for fact in facts:
        print_fact(fact)
    print_table(title, table.head, table.rows)
    if options.write:
        text = RECORD.read_text("utf-8")
        before, rest = text.split(BEGIN)
        RECORD.write_text(f"{before}{BEGIN}{rendered(table)}{END}{rest.split(END)[1]}", "utf-8")


if __name__ == "__main__":
    main()
