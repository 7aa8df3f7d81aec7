"""The statements that a call runs, and how the database plans them."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from tests.conformance.metadata.backends import Store

from skyshelf.storage.metadata.search_index import SearchIndex
from skyshelf.storage.metadata.sql.statements import Params, Row, Sql
from skyshelf.storage.metadata.sql.unit import Unit
from skyshelf.storage.metadata.wire_cache import EncodedObjects

T = TypeVar("T")
Statement = tuple[str, Params]


class RecordingSql(Sql):
    """An Sql that remembers what was run on it. Many sets of parameters at once are one statement."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql
        self.actor = sql.actor
        self.statements: list[Statement] = []

    @property
    def merges_unions(self) -> bool:
        return self._sql.merges_unions

    @property
    def search_index(self) -> SearchIndex:
        # The same kind of index, so that what it runs is remembered too.
        kind: type[Any] = type(self._sql.search_index)
        index: SearchIndex = kind(self)
        return index

    def all(self, text: str, params: Params = {}, /) -> list[Row]:  # noqa: B006 - as the Protocol has it; never changed
        self.statements.append((text, params))
        return self._sql.all(text, params)

    def encoded(self, text: str, params: Params, /) -> EncodedObjects:
        self.statements.append((text, params))
        return self._sql.encoded(text, params)

    def one(self, text: str, params: Params = {}, /) -> Row | None:  # noqa: B006
        self.statements.append((text, params))
        return self._sql.one(text, params)

    def run(self, text: str, params: Params = {}, /) -> int:  # noqa: B006
        self.statements.append((text, params))
        return self._sql.run(text, params)

    def run_many(self, text: str, params: Sequence[Params], /) -> None:
        if params:
            self.statements.append((text, params[0]))
        self._sql.run_many(text, params)

    def insert_many(self, text: str, params: Sequence[Params], /) -> None:
        if params:
            self.statements.append((text, params[0]))
        self._sql.insert_many(text, params)

    def insert_returning(self, text: str, params: Sequence[Params], /) -> list[Row]:
        if params:
            self.statements.append((text, params[0]))
        return self._sql.insert_returning(text, params)

    def together(self) -> AbstractContextManager[None]:
        return self._sql.together()

    def pairs(self, pairs: Sequence[tuple[bytes, str]], /) -> tuple[str, Params]:
        return self._sql.pairs(pairs)

    def own_faults(self, *, deep: bool) -> list[str]:
        return self._sql.own_faults(deep=deep)


def statements_of_write(store: Store, work: Callable[[Unit], T]) -> list[Statement]:
    """What one write runs; it is committed."""

    def recorded(unit: Unit) -> list[Statement]:
        recording = RecordingSql(unit.sql)
        work(Unit(recording))
        return recording.statements

    return store.write(recorded)


def statements_of_read(store: Store, look: Callable[[Unit], T]) -> list[Statement]:
    """What one look runs."""
    with store.read() as unit:
        recording = RecordingSql(unit.sql)
        look(Unit(recording))
        return recording.statements
