"""The shared SQL as SQLite speaks it."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache, cached_property
from itertools import chain
from operator import itemgetter
from typing import Any

import apsw

from skyshelf.storage.metadata.sql.statements import PARAMETER, Params, Row, Sql, Value, parts_of
from skyshelf.storage.metadata.sqlite.search import MAKE_INDEX, SqliteSearchIndex
from skyshelf.storage.metadata.wire_cache import BETWEEN, NO_OBJECTS, EncodedObjects

TYPES = {
    "serial": "INTEGER PRIMARY KEY",
    "key": "BLOB",
    "bytes": "BLOB",
    "int": "INTEGER",
    "text": "TEXT",
    "strict": " STRICT",
    "search_terms": "",
    "search_index": MAKE_INDEX,
}
_NOTHING: Params = {}
ROWS_AT_ONCE = (32, 16, 8, 4, 2)
"""How many rows a statement may have: a few sizes, so that prepared statements are used again."""
# JSON has no such byte: whatever people write, the encoder escapes it.
_PLAIN = frozenset({str, int, bytes, type(None)})


@cache
def _in_sqlite(text: str) -> str:
    """Return what SQLite says differently from PostgreSQL."""
    text = re.sub(r"= ANY\(:(\w+)\)", r"IN (SELECT value FROM json_each(:\1))", text)
    text = re.sub(r"= ANY_KEY\(:(\w+)\)", r"IN (SELECT unhex(value) FROM json_each(:\1))", text)
    text = re.sub(r"STALE_KEY\(([^)]*)\)", r"CAST(char(3) || hex(\1) AS BLOB)", text)
    return re.sub(r"\bFOR (NO KEY )?UPDATE( OF [oc])?( SKIP LOCKED)?", "", text)


@cache
def _as_one_row(text: str) -> str:
    return f"SELECT CAST(group_concat(wire, char({', '.join(map(str, BETWEEN))})) AS BLOB), count(*) FROM ({text}) page"  # noqa: S608 - our own text


@cache
def _by_position(text: str) -> tuple[str, Callable[[Params], tuple[Any, ...]]]:
    """Return a statement with numbers for names, and what puts its parameters into that order.

    SQLite would look up every name for every row, which takes longer than the row. No value is a list here.
    """
    names: dict[str, int] = {}
    text = PARAMETER.sub(lambda one: f"?{names.setdefault(one[1], len(names) + 1)}", _in_sqlite(text))
    return text, _values_of(list(names))


@cache
def _many_rows(text: str, count: int) -> tuple[str, Callable[[Params], tuple[Any, ...]]]:
    """Return an INSERT of one row as one of several, and what gives the values of each, in their order."""
    into, row, rest = parts_of(_in_sqlite(text))
    rows = ", ".join([f"({PARAMETER.sub('?', row)})"] * count)
    return f"{into} VALUES {rows}{rest}", _values_of(PARAMETER.findall(row))


def _values_of(names: Sequence[str]) -> Callable[[Params], tuple[Any, ...]]:
    pick = itemgetter(*names)
    return pick if len(names) > 1 else lambda params: (pick(params),)


def _bound(params: Params) -> dict[str, Any]:
    # Checking the type here saves a call for nearly every value, a quarter of the time of a large batch.
    return {name: value if type(value) in _PLAIN else _one_bound(value) for name, value in params.items()}


def _one_bound(value: Value) -> str | int | bytes | None:
    if value is None or isinstance(value, str | int | bytes):
        return value
    return json.dumps([item.hex() if isinstance(item, bytes) else item for item in value])


def _in_few(text: str, params: Sequence[Params]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield an INSERT for each set of parameters as few statements of many rows, each with its values.

    After every statement other threads may get their turn: the fewer there are, the less the writer waits.
    """
    at = 0
    for count in ROWS_AT_ONCE:
        while len(params) - at >= count:
            statement, values = _many_rows(text, count)
            yield statement, tuple(chain.from_iterable(map(values, params[at : at + count])))
            at += count
    if at < len(params):
        statement, values = _by_position(text)
        yield statement, values(params[at])


class SqliteSql(Sql):
    """Statements on one connection."""

    merges_unions = True

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    @cached_property
    def search_index(self) -> SqliteSearchIndex:
        return SqliteSearchIndex(self)

    def all(self, text: str, params: Params = _NOTHING, /) -> list[Row]:
        return self._connection.execute(_in_sqlite(text), _bound(params)).fetchall()

    def encoded(self, text: str, params: Params, /) -> EncodedObjects:
        # Between two rows every other thread may get its turn; as one row, a page is read without a stop.
        row = self.one(_as_one_row(text), params)
        return EncodedObjects(*row) if row and row[1] else NO_OBJECTS

    def one(self, text: str, params: Params = _NOTHING, /) -> Row | None:
        cursor = self._connection.execute(_in_sqlite(text), _bound(params))
        row: Row | None = cursor.fetchone()
        cursor.close()
        return row

    def run(self, text: str, params: Params = _NOTHING, /) -> int:
        self._connection.execute(_in_sqlite(text), _bound(params)).close()
        return self._connection.changes()

    def run_many(self, text: str, params: Sequence[Params], /) -> None:
        if params:
            statement, values = _by_position(text)
            self._connection.executemany(statement, map(values, params)).close()

    def insert_many(self, text: str, params: Sequence[Params], /) -> None:
        for statement, values in _in_few(text, params):
            self._connection.execute(statement, values).close()

    def insert_returning(self, text: str, params: Sequence[Params], /) -> list[Row]:
        return [
            row
            for statement, values in _in_few(text, params)
            for row in self._connection.execute(statement, values).fetchall()
        ]

    def together(self) -> AbstractContextManager[None]:
        return nullcontext()

    def pairs(self, pairs: Sequence[tuple[bytes, str]], /) -> tuple[str, Params]:
        table = "(SELECT unhex(value ->> 0) AS a, value ->> 1 AS b FROM json_each(:pairs))"
        return table, {"pairs": json.dumps([(key.hex(), text) for key, text in pairs])}

    def own_faults(self, *, deep: bool) -> list[str]:
        # The full-text index caches its structure. It notices changes by other connections before a search, but not
        # before a check, which then reports damage that does not exist. So a search comes first.
        self.one("SELECT rowid FROM search_terms WHERE search_terms MATCH 'a' LIMIT 1")
        verdicts = self.all(f"PRAGMA {'integrity_check' if deep else 'quick_check'}")
        return [str(verdict) for (verdict,) in verdicts if verdict != "ok"]
