"""The seam between the shared SQL and a database.

Statements are written once, in the dialect of PostgreSQL with `:name` parameters; what little SQLite says
differently is rewritten, once per statement, by its engine.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

import msgspec

from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts.leave import Leave
from skyshelf.storage.metadata.search_index import SearchIndex
from skyshelf.storage.metadata.wire_cache import EncodedObjects

Scalar = str | int | bytes | None
Value = Scalar | Sequence[bytes] | Sequence[str] | Sequence[int]
Params = Mapping[str, Value]
Row = tuple[Any, ...]
_NOTHING: Final[Params] = {}


class Sql(Protocol):
    """Runs statements inside one unit of work."""

    @property
    def merges_unions(self) -> bool:
        """Whether the database reads the parts of an ordered UNION ALL side by side, each in its order.

        One that does not sorts all there is, unless every part is ordered and limited itself; one that does sorts
        exactly such parts once more.
        """

    actor: str = ""
    """Who makes the changes of this unit of work (device and session); empty for the service itself."""
    has_raised: bool = False
    """Whether that device has raised an alarm in this unit of work: what it does then is kept, so that the alarm is."""

    leave: Leave | None = None
    """What the actor may do, if that is limited; every change is compared with it (leave.py)."""

    def act_as(self, actor: str, leave: Leave | None = None) -> None:
        """Let somebody else make what follows."""
        self.actor, self.leave, self.has_raised = actor, leave, False

    @property
    def search_index(self) -> SearchIndex:
        """The database's own index for searching."""

    def all(self, text: str, params: Params = ..., /) -> list[Row]:
        """Return every row of the result."""

    def encoded(self, text: str, params: Params, /) -> EncodedObjects:
        """Return every row of a query for the single column `wire`, of which there may be thousands.

        `STALE_KEY(column)` stands in a statement for STALE and the key as hex digits, instead of JSON.
        """

    def one(self, text: str, params: Params = ..., /) -> Row | None:
        """Return the first row, or None."""

    def run(self, text: str, params: Params = ..., /) -> int:
        """Run a statement that changes rows; how many it changed."""

    def run_many(self, text: str, params: Sequence[Params], /) -> None:
        """Run one statement for each set of parameters, in order, in as few round trips as it takes."""

    def insert_many(self, text: str, params: Sequence[Params], /) -> None:
        """Run an INSERT … VALUES for each set of parameters, no two of which are about the same row.

        They may go in as one statement, which sees only rows from before the first of them.
        """

    def insert_returning(self, text: str, params: Sequence[Params], /) -> list[Row]:
        """Like insert_many, for an INSERT … RETURNING: return a row for each set of parameters, in no order."""

    def together(self) -> AbstractContextManager[None]:
        """Statements in the block may be sent together: none of their results is read but that of a query.

        The errors of any of them may come out of the block's end instead.
        """

    def pairs(self, pairs: Sequence[tuple[bytes, str]], /) -> tuple[str, Params]:
        """Return a table expression with the columns (a, b) that holds the pairs, and the parameters it needs."""

    def own_faults(self, *, deep: bool) -> list[str]:
        """Faults that the database finds in its own structure; none from a database server."""

    # Statements about whole rows of one table.

    def insert(self, table: str, on_conflict: str = "", /, **row: Value) -> int:
        """Insert a row; how many were: none where the clause ON CONFLICT leaves out one that is in the way."""
        return self.run(inserting(table, tuple(row), on_conflict), row)

    def inserted(self, table: str, returning: str, on_conflict: str = "", /, **row: Value) -> Row:
        """Insert a row, or change the one that is in the way by the clause ON CONFLICT, and return columns of it."""
        return self.only(f"{inserting(table, tuple(row), on_conflict)} RETURNING {returning}", row)

    def insert_rows(self, table: str, rows: Sequence[Params], on_conflict: str = "", /) -> None:
        """Insert rows of the same columns, no two of which are about the same row."""
        if rows:
            self.insert_many(inserting(table, tuple(rows[0]), on_conflict), rows)

    def update(self, table: str, values: Params, /, **where: Scalar) -> int:
        """Set columns of the rows in which other columns have these values; how many rows that were."""
        return self.run(f"UPDATE {table} SET {equal(values, ', ')} WHERE {equal(where)}", {**values, **where})

    def delete(self, table: str, /, **where: Scalar) -> int:
        """Delete the rows in which columns have these values; how many there were."""
        return self.run(f"DELETE FROM {table} WHERE {equal(where)}", where)

    def exists(self, table: str, /, **where: Scalar) -> bool:
        """Return whether there is a row in which columns have these values."""
        return self.one(f"SELECT 1 FROM {table} WHERE {equal(where)} LIMIT 1", where) is not None

    def changed(self, text: str, params: Params, /) -> bool:
        """Run a statement that changes rows; whether there were any."""
        return self.run(text, params) > 0

    # What queries give.

    def only(self, text: str, params: Params = _NOTHING, /) -> Row:
        """Return the row that a query always gives."""
        row = self.one(text, params)
        assert row is not None
        return row

    def number(self, text: str, params: Params = _NOTHING, /) -> int:
        """Return the number that a query always gives."""
        return int(self.only(text, params)[0])

    def value(self, text: str, params: Params = _NOTHING, /) -> Any | None:
        """Return the first column of the first row; None without a row."""
        row = self.one(text, params)
        return None if row is None else row[0]

    def column(self, text: str, params: Params = _NOTHING, /) -> list[Any]:
        """Return the only column of every row."""
        return [one for (one,) in self.all(text, params)]

    def keys(self, text: str, params: Params = _NOTHING, /) -> list[str]:
        """Return the keys that are the only column of every row."""
        return [key_text(key) for (key,) in self.all(text, params)]


class SqlNoun:
    """The calls of one noun; each runs its statements in the unit of work that it was created for."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql


# The parts of an INSERT of one row, to make one for many rows.

PARAMETER: Final = re.compile(r"(?<!:):([a-z_]\w*)")
"""`:name`, and not a `::cast`."""
_INSERT: Final = re.compile(
    r"(?P<into>(?:INSERT|REPLACE) INTO .+?) VALUES \((?P<values>.+?)\)(?P<rest> (?:ON CONFLICT|RETURNING) .+)?"
)


def parts_of(text: str) -> tuple[str, str, str]:
    """Return where it goes to, the values of the row, and what follows them."""
    matched = _INSERT.fullmatch(text)
    assert matched is not None, "only an INSERT of VALUES can have many rows"
    return matched["into"], matched["values"], matched["rest"] or ""


# Keys and digests: hex text outside, half as many bytes inside.

raw = bytes.fromhex
STALE: Final = b"\x03"
"""The first byte of what is read instead of stale JSON. No JSON contains it."""


def key_text(key: bytes) -> str:
    """Return a key as on the wire."""
    return key.hex().upper()


def digest_text(digest: bytes) -> str:
    """Return a digest as on the wire."""
    return digest.hex()


# Parts of statements about whole rows of one table, and the columns of records.

R = TypeVar("R", bound=msgspec.Struct)
F = TypeVar("F")


@cache
def inserting(table: str, columns: tuple[str, ...], on_conflict: str = "") -> str:
    """Return an INSERT of one row whose parameters have the names of the columns."""
    values = ", ".join(f":{column}" for column in columns)
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values}) {on_conflict}".rstrip()


def equal(values: Params, between: str = " AND ") -> str:
    """Return columns and the parameters of their names: as a condition, or as assignments."""
    return between.join(f"{column} = :{column}" for column in values)


@cache
def replacing(key: str, *columns: str) -> str:
    """Return the clause ON CONFLICT by which a new row gives these columns to the row with the same key."""
    return f"ON CONFLICT ({key}) DO UPDATE SET {', '.join(f'{column} = excluded.{column}' for column in columns)}"


def required(found: F | None, error: StorageError) -> F:
    """Return a row, or what was read from it, that has to exist."""
    if found is None:
        raise error
    return found


def beyond(
    value: str, key: str, after: tuple[int | bytes, str] | None, *, ascending: bool = False
) -> tuple[str, Params]:
    """Return a condition on what comes after a place in a list, and its parameters; nothing without a place."""
    if after is None:
        return "", {}
    text = f" AND ({value}, {key}) {'>' if ascending else '<'} (:after_value, :after_key)"
    return text, {"after_value": after[0], "after_key": raw(after[1])}


def page_after(
    value: str, key: str, after: tuple[int | bytes, str] | None, limit: int, *, ascending: bool = False
) -> tuple[str, Params]:
    """Return the end of a statement for a page of a list in the order of a value and a key, and its parameters: one
    more condition after a place, the order and the limit."""
    further, params = beyond(value, key, after, ascending=ascending)
    direction = "ASC" if ascending else "DESC"
    return f"{further} ORDER BY {value} {direction}, {key} {direction} LIMIT :limit", {**params, "limit": limit}


class Columns(Generic[R]):
    """The columns of a record, each with the name of a field: keys and digests are stored as bytes, flags as numbers.

    A digest `sha256` is in the column `content`. The key of a device is a text in both places. In the queries of a
    record with an alias, the table has that alias.
    """

    def __init__(self, record: type[R], alias: str = "") -> None:
        self._record = record
        fields = msgspec.structs.fields(record)
        self._names = tuple(field.name for field in fields)
        self.names = tuple("content" if name == "sha256" else name for name in self._names)
        self.text = self.of(alias) if alias else ", ".join(self.names)
        self._stored = {field.name: stored for field in fields if (stored := _stored_as(field)) is not None}

    def of(self, alias: str) -> str:
        return ", ".join(f"{alias}.{name}" for name in self.names)

    def all(self, sql: Sql, source: str, params: Params = _NOTHING) -> list[R]:
        """Return the records that `SELECT … source` gives."""
        return [self.read(row) for row in sql.all(f"SELECT {self.text} {source}", params)]

    def one(self, sql: Sql, source: str, params: Params = _NOTHING) -> R | None:
        """Return the first record that `SELECT … source` gives, or None."""
        row = sql.one(f"SELECT {self.text} {source}", params)
        return None if row is None else self.read(row)

    def read(self, row: Row) -> R:
        """Return the record of a row of these columns."""
        values = dict(zip(self._names, row, strict=True))
        for name, (_, from_column) in self._stored.items():
            if values[name] is not None:
                values[name] = from_column(values[name])
        return self._record(**values)

    def write(self, record: R) -> dict[str, Value]:
        """Return the row of a record."""
        values = msgspec.structs.asdict(record)
        for name, (to_column, _) in self._stored.items():
            if values[name] is not None:
                values[name] = to_column(values[name])
        return {column: values[name] for column, name in zip(self.names, self._names, strict=True)}


def _stored_as(field: msgspec.structs.FieldInfo) -> tuple[Callable[[Any], Scalar], Callable[[Any], Any]] | None:
    """Return what turns a field into its column, and back; None for one that is stored as it is."""
    if field.type is bool:
        return int, bool
    if field.type not in {str, str | None}:
        return None
    if field.name in {"sha256", "md5"}:
        return raw, digest_text
    return (raw, key_text) if field.name.endswith("_key") and field.name != "device_key" else None


# Rows that are no longer needed, a few at a time.


class Expiring(SqlNoun):
    """A noun whose rows, named by a key, expire."""

    _table: ClassVar[str]
    _key: ClassVar[str]

    def sweep(self, now: int, limit: int) -> int:
        """Forget up to limit expired ones; return how many."""
        old, oldest_by = "expires_at <= :now", "expires_at"
        return sweep(self._sql, self._table, self._key, old=old, oldest_by=oldest_by, now=now, limit=limit)


def sweep(sql: Sql, table: str, key: str, *, old: str, oldest_by: str, **params: Scalar) -> int:
    """Delete the oldest of the `old` rows, up to the parameter `limit`, and skip locked ones.

    They are chosen once. In a plain IN, PostgreSQL may choose again for every row that it examines, skip those that it
    has locked itself, and so delete more than the limit.
    """
    return sql.run(
        f"WITH chosen AS MATERIALIZED (SELECT {key} FROM {table} WHERE {old}"
        f" ORDER BY {oldest_by} LIMIT :limit FOR UPDATE SKIP LOCKED)"
        f" DELETE FROM {table} WHERE {key} IN (SELECT {key} FROM chosen)",
        params,
    )
