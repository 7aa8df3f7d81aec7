"""The seam between the shared SQL and a database.

Statements are written once, in the dialect of PostgreSQL with `:name` parameters; what little SQLite says
differently is rewritten, once per statement, by its engine.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, Protocol

from skyshelf.storage.metadata.encoded_objects import EncodedObjects
from skyshelf.storage.metadata.search.index import SearchIndex

Scalar = str | int | bytes | None
Value = Scalar | Sequence[bytes] | Sequence[str] | Sequence[int]
Params = Mapping[str, Value]
Row = tuple[Any, ...]


class Sql(Protocol):
    """Runs statements inside one unit of work."""

    @property
    def merges_unions(self) -> bool:
        """Whether the database reads the parts of an ordered UNION ALL side by side, each in its order.

        One that does not sorts all there is, unless every part is ordered and limited itself; one that does sorts
        exactly such parts once more.
        """

    actor: str
    """Who makes the changes of this unit of work (history/actors.py); empty for the service itself."""

    @property
    def search_index(self) -> SearchIndex:
        """The database's own index for searching."""

    def all(self, text: str, params: Params = ..., /) -> list[Row]:
        """Every row of the result."""

    def encoded(self, text: str, params: Params, /) -> EncodedObjects:
        """Every row of a query for the single column `wire`, of which there may be thousands.

        `STALE_KEY(column)` stands in a statement for STALE and the key as hex digits, instead of JSON.
        """

    def one(self, text: str, params: Params = ..., /) -> Row | None:
        """The first row, or None."""

    def run(self, text: str, params: Params = ..., /) -> int:
        """Run a statement that changes rows; how many it changed."""

    def run_many(self, text: str, params: Sequence[Params], /) -> None:
        """Run one statement for each set of parameters, in order, in as few round trips as it takes."""

    def insert_many(self, text: str, params: Sequence[Params], /) -> None:
        """Run an INSERT … VALUES for each set of parameters, no two of which are about the same row.

        They may go in as one statement, which sees only rows from before the first of them.
        """

    def insert_returning(self, text: str, params: Sequence[Params], /) -> list[Row]:
        """As insert_many, for an INSERT … RETURNING: a row for each set of parameters, in no order."""

    def together(self) -> AbstractContextManager[None]:
        """Statements in the block may be sent together: none of their results is read but that of a query.

        The errors of any of them may come out of the block's end instead.
        """

    def pairs(self, pairs: Sequence[tuple[bytes, str]], /) -> tuple[str, Params]:
        """A table expression with the columns (a, b) that holds the pairs, and the parameters it needs."""

    def own_faults(self, *, deep: bool) -> list[str]:
        """Faults that the database finds in its own structure; none from a database server."""


# The parts of an INSERT of one row, to make one for many rows.

PARAMETER: Final = re.compile(r"(?<!:):([a-z_]\w*)")
"""`:name`, and not a `::cast`."""
_INSERT: Final = re.compile(
    r"(?P<into>(?:INSERT|REPLACE) INTO .+?) VALUES \((?P<values>.+?)\)(?P<rest> (?:ON CONFLICT|RETURNING) .+)?"
)


def parts_of(text: str) -> tuple[str, str, str]:
    """Where it goes to, the values of the row, and what follows them."""
    matched = _INSERT.fullmatch(text)
    assert matched is not None, "only an INSERT of VALUES can have many rows"
    return matched["into"], matched["values"], matched["rest"] or ""


# Keys and digests: hex text outside, half as many bytes inside.

raw = bytes.fromhex
STALE: Final = b"\x03"
"""The first byte of what is read instead of stale JSON. No JSON contains it."""


def key_text(key: bytes) -> str:
    """A key as on the wire."""
    return key.hex().upper()


def digest_text(digest: bytes) -> str:
    """A digest as on the wire."""
    return digest.hex()


# Rows that are no longer needed, a few at a time.


def sweep(sql: Sql, table: str, key: str, *, old: str, oldest_by: str, params: Mapping[str, Value]) -> int:
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
