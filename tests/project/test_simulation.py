"""The simulation of many databases is deterministic, keeps every object, and reads the tables that benchmarks write."""

import random

import pytest
from benchmarks import simulate_instances as simulation
from benchmarks.page import END, begin
from benchmarks.simulate_instances import Costs, People, by_hash, by_inviter, measured, rows_of, simulated

OBJECTS, DATABASES = 300_000, 8
COSTS = Costs(4000, 0.0007, 0.0005, 60, 50)
TABLES = f"""
{begin("crowd", "PostgreSQL and S3")}
PostgreSQL and S3: 200 accounts of 2,000 files, 300 clients:
{END}
{begin("crowd", "PostgreSQL and S3, costs")}
| processor: server | 21 % of a core |
| processor: PostgreSQL | 15 % of a core |
| memory of the server per connection that waits | 60.5 kB |
{END}
{begin("sizing", "bytes")}
| all of it, per file | 2,941 | 5,366 |
{END}
{begin("sizing", "recovery")}
| restore to PostgreSQL and S3 | 45.0 | 6.17 | 61.7 |
{END}
"""


@pytest.fixture
def people() -> People:
    return People(OBJECTS, random.Random(1))


def test_the_same_seed_gives_the_same_rows(people: People) -> None:
    assert rows_of(people, COSTS) == rows_of(People(OBJECTS, random.Random(1)), COSTS)
    assert rows_of(people, COSTS) != rows_of(People(OBJECTS, random.Random(2)), COSTS)


def test_moves_level_the_databases_and_lose_nothing(people: People) -> None:
    outcome = simulated(people, [0] * len(people.sizes), DATABASES)
    grown = sum(size * (1 + rate) ** simulation.MONTHS for size, rate in zip(people.sizes, people.rates, strict=True))
    assert outcome.mean * DATABASES == pytest.approx(grown)
    assert outcome.largest <= simulation.FULL * outcome.mean
    assert outcome.moved_accounts > 0


def test_people_who_came_by_an_invitation_are_with_their_inviter(people: People) -> None:
    places = by_inviter(people, DATABASES)
    together = [board for board in people.boards if len(board) > 2]
    assert together
    assert all(len({places[one] for one in board}) == 1 for board in together)
    apart = by_hash(people, DATABASES)
    assert any(len({apart[one] for one in board}) > 1 for board in together)


def test_costs_come_from_the_tables_of_the_benchmarks() -> None:
    costs = measured(TABLES)
    assert (costs.bytes_per_file, costs.connection_kb, costs.restored_per_second) == (5366, 60.5, 45)
    assert costs.server_share == pytest.approx(0.21 / 300)
    with pytest.raises(SystemExit, match=r"lacks 'all of it, per file'"):
        measured(TABLES.replace("all of it", "some of it"))
