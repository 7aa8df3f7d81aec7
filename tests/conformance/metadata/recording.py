"""Statements as they are run: how many there are, and which way the database goes for them."""

from collections.abc import Callable, Sequence

from tests.conformance.metadata.backends import Store

from skyshelf.storage.metadata.sql.statements import Params, Row, Sql
from skyshelf.storage.metadata.sql.unit import SqlUnit

_NOTHING: Params = {}


class RecordingSql:
    """Passes every statement on, and remembers it. A statement for many rows counts once: it is one journey."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql
        self.statements: list[tuple[str, Params]] = []

    def all(self, text: str, params: Params = _NOTHING, /) -> list[Row]:
        self.statements.append((text, params))
        return self._sql.all(text, params)

    def one(self, text: str, params: Params = _NOTHING, /) -> Row | None:
        self.statements.append((text, params))
        return self._sql.one(text, params)

    def run(self, text: str, params: Params = _NOTHING, /) -> int:
        self.statements.append((text, params))
        return self._sql.run(text, params)

    def run_many(self, text: str, params: Sequence[Params], /) -> None:
        if params:
            self.statements.append((text, params[0]))
            self._sql.run_many(text, params)

    def pairs(self, pairs: Sequence[tuple[bytes, str]], /) -> tuple[str, Params]:
        return self._sql.pairs(pairs)


def statements_of(store: Store, call: Callable[[SqlUnit], object]) -> list[tuple[str, Params]]:
    """The statements that a call runs, with the parameters it runs them with."""

    def work(unit: SqlUnit) -> list[tuple[str, Params]]:
        recording = RecordingSql(unit.sql)
        call(SqlUnit(recording))
        return recording.statements

    return store.write(work)


def plans_of(store: Store, call: Callable[[SqlUnit], object]) -> list[str]:
    """What the database says about how it runs each statement of a call; one text for each."""
    statements = statements_of(store, call)

    def work(unit: SqlUnit) -> list[str]:
        explain = _explain(store, unit)
        return [
            "\n".join(str(row[-1]) for row in unit.sql.all(f"{explain} {text}", params)) for text, params in statements
        ]

    return store.write(work)


def _explain(store: Store, unit: SqlUnit) -> str:
    if type(store).__name__ == "SqliteStore":
        return "EXPLAIN QUERY PLAN"
    # With few rows PostgreSQL reads and sorts whole tables because that is cheapest; told not to, it shows what
    # it can do when they are large.
    for way in ("seqscan", "bitmapscan", "sort", "incremental_sort"):
        unit.sql.run(f"SET LOCAL enable_{way} = off")
    return "EXPLAIN (COSTS OFF)"
