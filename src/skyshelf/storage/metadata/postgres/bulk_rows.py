"""Many rows into PostgreSQL by one statement: each column goes over as one array, which the server takes apart.

A statement for each row costs the server several times what the row itself does. The arrays are written here, and not
by the driver, which would inspect each value and pick a type for each list by what happens to be in it.
"""

import struct
from collections.abc import Sequence
from functools import cache
from typing import Final

from psycopg import pq
from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import Dumper

from skyshelf.storage.metadata.sql.statements import PARAMETER, Params, parts_of

_head: Final = struct.Struct(">5i").pack
_integer: Final = struct.Struct(">iq").pack
_length: Final = struct.Struct(">i").pack
_ABSENT: Final = _length(-1)


class _Array(bytes):
    """An array of one dimension, as the server reads it."""

    __slots__ = ()
    in_sql: str


class _Integers(_Array):
    in_sql = "bigint[]"


class _Texts(_Array):
    in_sql = "text[]"


class _Blobs(_Array):
    in_sql = "bytea[]"


class _ArrayDumper(Dumper):
    format = pq.Format.BINARY

    def dump(self, obj: bytes) -> Buffer | None:
        return obj


class _IntegersDumper(_ArrayDumper):
    oid = 1016


class _TextsDumper(_ArrayDumper):
    oid = 1009


class _BlobsDumper(_ArrayDumper):
    oid = 1001


def accept_arrays(connection: AdaptContext) -> None:
    """Let a connection send what insert_of gives."""
    connection.adapters.register_dumper(_Integers, _IntegersDumper)
    connection.adapters.register_dumper(_Texts, _TextsDumper)
    connection.adapters.register_dumper(_Blobs, _BlobsDumper)


def insert_of(text: str, params: Sequence[Params]) -> tuple[str, dict[str, bytes]]:
    """One statement, and its parameters, instead of an INSERT … VALUES for each of the sets."""
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
    """The values of one column, which are all of one kind; None for a column that no row fills."""
    first = next((value for value in values if value is not None), None)
    if first is None:
        return None
    head = _head(1, int(None in values), _element(first), len(values), 1)
    kind = _Integers if isinstance(first, int) else _Texts if isinstance(first, str) else _Blobs
    return kind(head + b"".join(map(_written, values)))


def _element(value: object) -> int:
    """The type of an element, by the number that the server knows it by."""
    return 20 if isinstance(value, int) else 25 if isinstance(value, str) else 17


def _written(value: object) -> bytes:
    """An element: how many bytes it has, and the bytes."""
    if value is None:
        return _ABSENT
    if isinstance(value, int):
        return _integer(8, value)
    written = value.encode() if isinstance(value, str) else value
    assert isinstance(written, bytes)
    return _length(len(written)) + written
