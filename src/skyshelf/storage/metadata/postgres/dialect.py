"""How PostgreSQL says what the shared SQL says: its types, its statements, and its errors in our words."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from typing import Any

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import PoolTimeout

from skyshelf.storage.errors import StoreFull, StoreUnavailable
from skyshelf.storage.metadata.encoded_objects import BETWEEN, NO_OBJECTS, EncodedObjects
from skyshelf.storage.metadata.postgres.bulk_rows import insert_of
from skyshelf.storage.metadata.postgres.search import MAKE_INDEX, TERMS_COLUMN, PostgresSearchIndex
from skyshelf.storage.metadata.sql.statements import PARAMETER, Params, Row

TYPES = {
    "serial": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    "key": "BYTEA",
    "bytes": "BYTEA",
    "int": "BIGINT",
    "text": 'TEXT COLLATE "C"',  # the same order everywhere, and no index that a new libc can break
    "strict": "",
    "search_terms": TERMS_COLUMN,
    "search_index": MAKE_INDEX,
    "empty_search_index": "",
}
# From this many rows on, one statement for all of them pays off.
ROWS_AT_ONCE = 4
_NOTHING: Params = {}


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
    """A page as one row: to take two thousand of them takes the driver longer than the database."""
    return f"SELECT string_agg(wire, '\\x{BETWEEN.hex()}'::bytea), count(*) FROM ({text}) page"  # noqa: S608 - our own text


class PostgresSql:
    """Statements on one connection."""

    merges_unions = False

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self._connection = connection
        self.actor = ""
        self._cursor = connection.cursor(binary=True)

    @cached_property
    def search_index(self) -> PostgresSearchIndex:
        return PostgresSearchIndex(self)

    def all(self, text: str, params: Params = _NOTHING, /) -> list[Row]:
        return self._cursor.execute(_in_postgres(text), _bound(params)).fetchall()

    def encoded(self, text: str, params: Params, /) -> EncodedObjects:
        row = self.one(_as_one_row(text), params)
        return EncodedObjects(*row) if row and row[1] else NO_OBJECTS

    def one(self, text: str, params: Params = _NOTHING, /) -> Row | None:
        return self._cursor.execute(_in_postgres(text), _bound(params)).fetchone()

    def run(self, text: str, params: Params = _NOTHING, /) -> int:
        return self._cursor.execute(_in_postgres(text), _bound(params)).rowcount

    def run_many(self, text: str, params: Sequence[Params], /) -> None:
        if params:
            self._cursor.executemany(_in_postgres(text), [_bound(one) for one in params])

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


def _bound(params: Params) -> dict[str, Any]:
    return dict(params)


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
    """The first line of the database's message: it names what failed and holds no parameter."""
    return str(error).strip().partition("\n")[0] or type(error).__name__


def refuse_malformed(url: str) -> None:
    try:
        conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        # Its message may quote any part of the URL, and a part of it is a password.
        raise StoreUnavailable("the URL of the database is malformed") from None
