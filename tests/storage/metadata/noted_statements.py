"""A store that notes every statement it is asked to run."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from skyshelf.storage.metadata.postgres import PostgresStore
from skyshelf.storage.metadata.sql.statements import Params, Row, Sql
from skyshelf.storage.metadata.sql.unit import SqlUnit
from skyshelf.storage.metadata.sqlite import SqliteStore

T = TypeVar("T")
_NOTHING: Params = {}


class NotedSql:
    """Statements of another Sql, noted with their parameters. Many rows written at once are one statement."""

    def __init__(self, sql: Sql, noted: list[tuple[str, Params]]) -> None:
        self._sql = sql
        self._noted = noted

    def all(self, text: str, params: Params = _NOTHING, /) -> list[Row]:
        self._noted.append((text, params))
        return self._sql.all(text, params)

    def one(self, text: str, params: Params = _NOTHING, /) -> Row | None:
        self._noted.append((text, params))
        return self._sql.one(text, params)

    def run(self, text: str, params: Params = _NOTHING, /) -> int:
        self._noted.append((text, params))
        return self._sql.run(text, params)

    def run_many(self, text: str, params: Sequence[Params], /) -> None:
        self._noted.append((text, {}))
        self._sql.run_many(text, params)

    def pairs(self, pairs: Sequence[tuple[bytes, str]], /) -> tuple[str, Params]:
        return self._sql.pairs(pairs)


class NotedStore:
    """A MetadataStore in front of another; `noted` holds what was run, until somebody clears it."""

    def __init__(self, store: SqliteStore | PostgresStore) -> None:
        self.store = store
        self.noted: list[tuple[str, Params]] = []

    @contextmanager
    def read(self) -> Iterator[SqlUnit]:
        with self.store.read() as unit:
            yield SqlUnit(NotedSql(unit.sql, self.noted))

    @contextmanager
    def snapshot(self) -> Iterator[SqlUnit]:
        with self.store.snapshot() as unit:
            yield SqlUnit(NotedSql(unit.sql, self.noted))

    def write(self, work: Callable[[SqlUnit], T]) -> T:
        return self.store.write(lambda unit: work(SqlUnit(NotedSql(unit.sql, self.noted))))

    def check(self) -> None:
        self.store.check()

    def close(self) -> None:
        self.store.close()
