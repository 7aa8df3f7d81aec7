"""Which way a database goes for the statements of a call."""

from collections.abc import Callable

from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.recording import statements_of_write

from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.metadata.sql.unit import Unit


def plans_of(store: Store, call: Callable[[Unit], object]) -> list[str]:
    """What the database says about how it runs each statement of a call; one text for each."""
    statements = statements_of_write(store, call)

    def work(unit: Unit) -> list[str]:
        explain = _explain(store, unit)
        return [
            "\n".join(str(row[-1]) for row in unit.sql.all(f"{explain} {text}", params)) for text, params in statements
        ]

    return store.write(work)


def _explain(store: Store, unit: Unit) -> str:
    if not isinstance(store, PostgresStore):
        return "EXPLAIN QUERY PLAN"
    # With few rows PostgreSQL reads and sorts whole tables because that is cheapest; told not to, it shows what
    # it can do when they are large.
    for way in ("seqscan", "bitmapscan", "sort", "incremental_sort"):
        unit.sql.run(f"SET LOCAL enable_{way} = off")
    return "EXPLAIN (COSTS OFF)"
