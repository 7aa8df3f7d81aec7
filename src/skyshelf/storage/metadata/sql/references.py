"""Which tables refer to which, read from the migrations themselves, so a new table is checked as well."""

import re
from functools import cache

import msgspec

from skyshelf.storage.metadata.sql.migrate import migrations

_TABLE = re.compile(r"CREATE TABLE (\w+) \((.*?)\n\)", re.DOTALL)
_ADDED = re.compile(r"ALTER TABLE (\w+) ADD COLUMN ([^;]*)")
_OF_COLUMN = re.compile(r"^\s*(\w+) [^\n]*?REFERENCES (\w+) \((\w+)\)([^\n]*)", re.MULTILINE)
_OF_TABLE = re.compile(r"FOREIGN KEY \(([^)]*)\) REFERENCES (\w+) \(([^)]*)\)([^\n]*)")
_DROPPED = re.compile(r"DROP TABLE (?:IF EXISTS )?(\w+)")

# These rows are useless without the row they refer to, although the database would rather refuse than remove them.
_MAY_GO = {("versions", "objects"), ("thumbnails", "blobs"), ("sessions", "devices"), ("nonces", "sessions")}


class Reference(msgspec.Struct, frozen=True):
    """The columns of one table that name a row of another."""

    table: str
    columns: tuple[str, ...]
    to: str
    to_columns: tuple[str, ...]
    may_go: bool

    @property
    def dangles(self) -> str:
        """A condition on a row `c` of the table: it names a row that is not there."""
        named = " AND ".join(f"c.{column} IS NOT NULL" for column in self.columns)
        same = " AND ".join(
            f"p.{theirs} = c.{ours}" for ours, theirs in zip(self.columns, self.to_columns, strict=True)
        )
        return f"{named} AND NOT EXISTS (SELECT 1 FROM {self.to} p WHERE {same})"


@cache
def references() -> tuple[Reference, ...]:
    """All but the parents of objects, which have separate checks."""
    found: dict[tuple[str, tuple[str, ...]], Reference] = {}
    for migration in migrations():
        text = re.sub(r"--[^\n]*", "", migration.text)
        for dropped in _DROPPED.findall(text):
            found = {key: one for key, one in found.items() if dropped not in {one.table, one.to}}
        for table, body in [*_TABLE.findall(text), *_ADDED.findall(text)]:
            for one in _in(table, body):
                found[one.table, one.columns] = one
    return tuple(one for one in found.values() if (one.table, one.to) != ("objects", "objects"))


def _in(table: str, body: str) -> list[Reference]:
    whole = [(match[1], match[2], match[3], match[4]) for match in _OF_TABLE.finditer(body)]
    single = [
        (match[1], match[2], match[3], match[4]) for match in _OF_COLUMN.finditer(body) if "FOREIGN KEY" not in match[0]
    ]
    return [
        Reference(
            table,
            _names(columns),
            to,
            _names(to_columns),
            "ON DELETE CASCADE" in rest or (table, to) in _MAY_GO,
        )
        for columns, to, to_columns, rest in [*whole, *single]
    ]


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))
