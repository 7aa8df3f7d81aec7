"""A moment of a database, and what a copy of its rows has and leaves out."""

import time
from typing import Final, NamedTuple

import msgspec

from skyshelf.storage.metadata.transfer.tables import Table

MARK: Final = "backup.mark."
"""What the names of settings begin with that show a database to be the successor of what it was."""
MARKS_KEPT: Final = 64
GROUP_COLUMN: Final = "account_id"


class Moment(msgspec.Struct, frozen=True):
    """A moment of one database."""

    cluster: str
    database: int
    oldest: int
    """Every transaction with a smaller number had ended."""
    mark: str


class Group(NamedTuple):
    """The rows of one account in one table."""

    table: str
    account: int
    rows: int


class CopiedRows(NamedTuple):
    """What is in a copy of the rows, and what an earlier copy has already."""

    schema: int
    moment: Moment | None
    """None where later moments cannot be compared with this one."""
    groups: dict[str, list[Group]]
    """The groups of the tables that have some."""
    taken: set[Group]
    """The groups that are not in the copy, because they are what they were."""


def in_groups(table: Table) -> str:
    """Return the statement that reads a table account by account."""
    return f"SELECT {table.names} FROM {table.name} ORDER BY {GROUP_COLUMN}, {', '.join(table.key)}"  # noqa: S608


def mark_time() -> bytes:
    """Return what a mark's row holds: when it was made, so that old ones can be removed."""
    return b"%015d" % (time.time_ns() // 1_000_000)
