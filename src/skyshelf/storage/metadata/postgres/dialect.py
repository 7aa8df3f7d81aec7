"""How PostgreSQL says what the shared SQL says: its types, its statements, and its errors in our words."""

import re
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from typing import Final, Never

import psycopg
from psycopg import errors, pq
from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import Dumper
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import PoolTimeout

from skyshelf.storage.errors import StoreFull, StoreUnavailable
from skyshelf.storage.metadata.postgres.search import MAKE_INDEX, TERMS_COLUMN, PostgresSearchIndex
from skyshelf.storage.metadata.replay import NotReplayed, Replay
from skyshelf.storage.metadata.sql.statements import PARAMETER, Params, Row, Sql, parts_of
from skyshelf.storage.metadata.wire_cache import BETWEEN, NO_OBJECTS, EncodedObjects

_head: Final = struct.Struct(">5i").pack
_integer: Final = struct.Struct(">iq").pack
_length: Final = struct.Struct(">i").pack
_ABSENT: Final = _length(-1)


class _Array(bytes):
    """An array of one dimension, as the server reads it; it knows the types of arrays and elements by numbers."""

    __slots__ = ()
    in_sql: str
    oid: int
    element: int


class _Integers(_Array):
    in_sql, oid, element = "bigint[]", 1016, 20


class _Texts(_Array):
    in_sql, oid, element = "text[]", 1009, 25


class _Blobs(_Array):
    in_sql, oid, element = "bytea[]", 1001, 17


class _ArrayDumper(Dumper):
    format = pq.Format.BINARY

    def dump(self, obj: bytes) -> Buffer | None:
        return obj


_DUMPERS: Final = {
    kind: type(f"{kind.__name__}Dumper", (_ArrayDumper,), {"oid": kind.oid}) for kind in (_Integers, _Texts, _Blobs)
}


def accept_arrays(connection: AdaptContext) -> None:
    """Let a connection send what insert_of gives."""
    for kind, dumper in _DUMPERS.items():
        connection.adapters.register_dumper(kind, dumper)


def insert_of(text: str, params: Sequence[Params]) -> tuple[str, dict[str, bytes]]:
    """One statement, and its parameters, instead of an INSERT … VALUES for each of the sets.

    Each column goes over as one array, which the server takes apart: a statement for each row costs it several times
    what the row itself does. The arrays are written here, and not by the driver, which would inspect each value and
    pick a type for each list by what happens to be in it.
    """
    arrays: dict[str, bytes] = {}
    columns: list[tuple[str, str]] = []
    for name in dict.fromkeys(PARAMETER.findall(text)):
        array = _array_of([one[name] for one in params])
        if array is not None:
            arrays[name] = array
            columns.append((name, array.in_sql))
    return _statement(text, tuple(columns)), arrays


@cache
def _statement(text: str, columns: tuple[tuple[str, str], ...]) -> str:
    into, row, rest = parts_of(text)
    filled = {name for name, _ in columns}
    values = PARAMETER.sub(lambda one: f'new."{one[1]}"' if one[1] in filled else "NULL", row)
    arrays = ", ".join(f":{name}::{in_sql}" for name, in_sql in columns)
    names = ", ".join(f'"{name}"' for name, _ in columns)
    source = f"unnest({arrays}) AS new ({names})"
    return f"{into} SELECT {values} FROM {source}{rest}"  # noqa: S608 - names of our own


def _array_of(values: Sequence[object]) -> _Array | None:
    """Return the values of one column, which are all of one kind; None for a column that no row fills."""
    first = next((value for value in values if value is not None), None)
    if first is None:
        return None
    kind = _Integers if isinstance(first, int) else _Texts if isinstance(first, str) else _Blobs
    head = _head(1, int(None in values), kind.element, len(values), 1)
    return kind(head + b"".join(map(_written, values)))


def _written(value: object) -> bytes:
    """Return an element: how many bytes it has, and the bytes."""
    if value is None:
        return _ABSENT
    if isinstance(value, int):
        return _integer(8, value)
    written = value.encode() if isinstance(value, str) else value
    assert isinstance(written, bytes)
    return _length(len(written)) + written


TYPES = {
    "serial": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    "key": "BYTEA",
    "bytes": "BYTEA",
    "int": "BIGINT",
    "text": 'TEXT COLLATE "C"',  # the same order everywhere, and no index that a new libc can break
    "strict": "",
    "search_terms": TERMS_COLUMN,
    "search_index": MAKE_INDEX,
}
# From this many rows on, one statement for all of them pays off.
ROWS_AT_ONCE = 4
_NOTHING: Params = {}
CONNECT_SECONDS: Final = 5
"""How long a server may take to accept a connection: a black hole never would."""


def _rewritten(text: str) -> str:
    text = text.replace("= ANY_KEY(", "= ANY(")
    return re.sub(r"STALE_KEY\(([^)]*)\)", r"('\\x03'::bytea || convert_to(upper(encode(\1, 'hex')), 'UTF8'))", text)


@cache
def _in_postgres(text: str) -> bytes:
    """`:name` as psycopg wants it; a `::cast` stays."""
    return PARAMETER.sub(r"%(\1)s", _rewritten(text).replace("%", "%%")).encode()


@cache
def numbered(text: str) -> tuple[bytes, tuple[str, ...]]:
    """`:name` as the server itself wants it, and the names in the order of their numbers."""
    names = tuple(dict.fromkeys(PARAMETER.findall(text)))
    numbers = {name: f"${number}" for number, name in enumerate(names, 1)}
    return PARAMETER.sub(lambda found: numbers[found[1]], _rewritten(text)).encode(), names


@cache
def _as_one_row(text: str) -> str:
    """Return a page as one row: to take two thousand of them takes the driver longer than the database."""
    return f"SELECT string_agg(wire, '\\x{BETWEEN.hex()}'::bytea), count(*) FROM ({text}) page"  # noqa: S608 - our own text


class PostgresSql(Sql):
    """Statements on one connection."""

    merges_unions = False

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self._connection = connection
        self._cursor = connection.cursor(binary=True)

    @cached_property
    def search_index(self) -> PostgresSearchIndex:
        return PostgresSearchIndex(self)

    def all(self, text: str, params: Params = _NOTHING, /) -> list[Row]:
        return self._cursor.execute(_in_postgres(text), params).fetchall()

    def encoded(self, text: str, params: Params, /) -> EncodedObjects:
        row = self.one(_as_one_row(text), params)
        return EncodedObjects(*row) if row and row[1] else NO_OBJECTS

    def one(self, text: str, params: Params = _NOTHING, /) -> Row | None:
        return self._cursor.execute(_in_postgres(text), params).fetchone()

    def run(self, text: str, params: Params = _NOTHING, /) -> int:
        return self._cursor.execute(_in_postgres(text), params).rowcount

    def run_many(self, text: str, params: Sequence[Params], /) -> None:
        if params:
            self._cursor.executemany(_in_postgres(text), params)

    def insert_many(self, text: str, params: Sequence[Params], /) -> None:
        if len(params) < ROWS_AT_ONCE:
            self.run_many(text, params)
        else:
            statement, arrays = insert_of(text, params)
            self._cursor.execute(_in_postgres(statement), arrays)

    def insert_returning(self, text: str, params: Sequence[Params], /) -> list[Row]:
        if len(params) == 1:
            return self.all(text, params[0])
        statement, arrays = insert_of(text, params)
        return self._cursor.execute(_in_postgres(statement), arrays).fetchall()

    @contextmanager
    def together(self) -> Iterator[None]:
        # One round trip for all of them, and one more for each query among them.
        with self._connection.pipeline():
            yield

    def pairs(self, pairs: Sequence[tuple[bytes, str]], /) -> tuple[str, Params]:
        table = "unnest(:pair_a::bytea[], :pair_b::text[]) AS pair (a, b)"
        return table, {"pair_a": [a for a, _ in pairs], "pair_b": [b for _, b in pairs]}

    def own_faults(self, *, deep: bool) -> list[str]:  # noqa: ARG002 - for the embedded database
        """A server checks its own files: it has page checksums, and pg_amcheck."""
        return []


@contextmanager
def our_errors() -> Iterator[None]:
    try:
        yield
    except (errors.DiskFull, errors.OutOfMemory) as error:
        raise StoreFull("the database has no space left") from error
    except PoolTimeout as error:
        raise StoreUnavailable("the database did not respond in time") from error
    except (
        psycopg.OperationalError,
        psycopg.InterfaceError,
        errors.InsufficientPrivilege,
        errors.ReadOnlySqlTransaction,  # a server that only follows another
    ) as error:
        raise StoreUnavailable(f"the database cannot be used: {_without_details(error)}") from error


def _without_details(error: psycopg.Error) -> str:
    """Return the first line of the database's message: it names what failed and holds no parameter."""
    return str(error).strip().partition("\n")[0] or type(error).__name__


def refuse_malformed(url: str) -> None:
    try:
        conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        # Its message may quote any part of the URL, and a part of it is a password.
        raise StoreUnavailable("the URL of the database is malformed") from None


class ReplayedSql(PostgresSql):
    """Statements of a function that is replayed: their rows are known already, or are asked for (metadata/replay.py).

    Queries alone: whatever changes rows is refused.
    """

    def __init__(self, replay: Replay) -> None:
        self._replay = replay

    def all(self, text: str, params: Params = _NOTHING, /) -> list[Row]:
        return self._replay.rows(text, params)

    def one(self, text: str, params: Params = _NOTHING, /) -> Row | None:
        rows = self._replay.rows(text, params)
        return rows[0] if rows else None

    def _refuse(self, *_arguments: object) -> Never:
        raise NotReplayed

    run = run_many = insert_many = insert_returning = _refuse

    @contextmanager
    def together(self) -> Iterator[None]:
        yield
