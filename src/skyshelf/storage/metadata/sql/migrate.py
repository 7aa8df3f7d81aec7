"""Numbered migrations: one list of SQL files for every database.

A file may declare two things in its comments:

- `-- @online: …` servers of the previous version may keep running during and after the migration; the text says why.
- `-- @back: …` the statements below it undo the migration; the text says what is lost by that, or `nothing`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from skyshelf.storage.errors import NoWayBack, StoreNeedsMigration, StoreTooNew
from skyshelf.storage.metadata.sql.statements import Sql

FOLDER = Path(__file__).parents[1] / "migrations"

_ONLINE = re.compile(r"^-- @online: ", re.MULTILINE)
_BACK = re.compile(r"^-- @back: (?P<lost>[^\n]*)\n", re.MULTILINE)


class RowWork(msgspec.Struct, frozen=True):
    """What a migration does to rows that SQL alone cannot; it runs right after the migration's statements."""

    forward: Callable[[Sql], None]
    back: Callable[[Sql], None] | None = None
    table: str = "objects"
    microseconds: float = 100
    """The time per row of that table, for the estimate of an upgrade."""


ROW_WORK: dict[str, RowWork] = {}
"""The row work of migrations, by the migration's name."""


class Migration(msgspec.Struct, frozen=True):
    number: int
    name: str
    text: str
    is_online: bool = False
    lost: str | None = None
    """What undoing it loses; None if it cannot be undone."""
    text_back: str = ""

    def statements(self, types: Mapping[str, str]) -> list[str]:
        """Return the statements of the file, in the types of one database."""
        return _statements(self.text, types)

    def statements_back(self, types: Mapping[str, str]) -> list[str]:
        """Return the statements that undo it."""
        return _statements(self.text_back, types)

    @property
    def row_work(self) -> RowWork | None:
        return ROW_WORK.get(self.name)

    def __str__(self) -> str:
        return f"{self.number:04d} {self.name}"


def _statements(text: str, types: Mapping[str, str]) -> list[str]:
    # Databases keep the text of a statement, and a better comment is no new schema: drop comments and blank lines.
    text = re.sub(r"\n\s*\n", "\n", re.sub(r"[ ]*--[^\n]*", "", text))
    text = re.sub(r"\{(\w+)\}", lambda match: types[match[1]], text)
    return [statement.strip() for statement in text.split(";") if statement.strip()]


def migrations() -> tuple[Migration, ...]:
    """Return all migrations, oldest first; their numbers have no gaps."""
    return _read_folder(FOLDER)


@cache
def _read_folder(folder: Path) -> tuple[Migration, ...]:
    found = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    result = []
    for expected, name in enumerate(found, start=1):
        number, _, title = name.removesuffix(".sql").partition("_")
        assert int(number) == expected, f"migration {name} is out of order"
        result.append(_read(expected, title, (folder / name).read_text("utf-8")))
    return tuple(result)


def _read(number: int, name: str, text: str) -> Migration:
    back = _BACK.search(text)
    forward, text_back = (text[: back.start()], text[back.end() :]) if back else (text, "")
    lost = back["lost"] if back else None
    return Migration(number, name, forward, bool(_ONLINE.search(text)), lost, text_back)


def newest() -> int:
    """Return the schema version of this program."""
    return len(migrations())


def applied(sql: Sql) -> int:
    """Return the schema version of the store, which must have the table schema_migrations."""
    return sql.value("SELECT max(number) FROM schema_migrations") or 0


def refuse_newer(version: int) -> None:
    if version > newest():
        raise StoreTooNew(
            f"this store has schema version {version}, and this Skyshelf knows versions up to {newest()}: "
            "install the Skyshelf that wrote it, or a newer one"
        )


def refuse_older(version: int) -> None:
    if version < newest():
        raise StoreNeedsMigration(
            f"this store has schema version {version}, and this Skyshelf needs {newest()}; it was not changed. Look at"
            " it with the Skyshelf that wrote it; or upgrade it: stop every older server, make a backup, and run"
            " `skyshelf admin upgrade`"
        )


def apply_pending(sql: Sql, types: Mapping[str, str], now: int, up_to: int | None = None) -> list[Migration]:
    """Apply pending migrations in the caller's transaction, which must be exclusive."""
    version = applied(sql)
    refuse_newer(version)
    pending = list(migrations()[version:up_to])
    for migration in pending:
        for statement in migration.statements(types):
            sql.run(statement)
        if work := migration.row_work:
            work.forward(sql)
        sql.insert("schema_migrations", number=migration.number, name=migration.name, applied_at=now)
    return pending


def last_upgrade(sql: Sql) -> list[Migration]:
    """Return the migrations that were applied together last, newest first; none if they created the store."""
    numbers = sql.column(
        "SELECT number FROM schema_migrations"
        " WHERE applied_at = (SELECT applied_at FROM schema_migrations ORDER BY number DESC LIMIT 1)"
        " ORDER BY number DESC"
    )
    return [] if 1 in numbers else [migrations()[number - 1] for number in numbers]


def take_back(sql: Sql, types: Mapping[str, str]) -> list[Migration]:
    """Undo the last upgrade in the caller's transaction, which must be exclusive."""
    refuse_newer(applied(sql))
    last = last_upgrade(sql)
    if not last:
        raise NoWayBack(
            "this store was made by this version of Skyshelf or has had no upgrade: there is nothing to undo"
        )
    for migration in last:
        if migration.lost is None:
            raise NoWayBack(f"there is no way back from {migration}: restore the backup from before the upgrade")
        for statement in migration.statements_back(types):
            sql.run(statement)
        if (work := migration.row_work) and work.back:
            work.back(sql)
        sql.delete("schema_migrations", number=migration.number)
    return last


# What an upgrade of the schema will take: the rows that each pending migration works on, and about how long.


# Microseconds per row on two cores of a small virtual machine, as `./dev bench upgrade` measures them; the slower
# database decides. An upgrade of a store on a slow disk takes longer.
_INDEXED: Final = 6
_WRITTEN: Final = 40

_CREATED: Final = re.compile(r"CREATE TABLE (\w+)")
_WORK: Final = (
    (re.compile(r"^CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)"), _INDEXED),
    (re.compile(r"^UPDATE (\w+)"), _WRITTEN),
    (re.compile(r"^DELETE FROM (\w+)"), _WRITTEN),
    (re.compile(r"^INSERT INTO .*?\bFROM (\w+)", re.DOTALL), _WRITTEN),
)


class Step(msgspec.Struct, frozen=True, rename="camel"):
    """One pending migration."""

    migration: str
    rows: int
    seconds: float
    """About; a migration that only adds tables and columns takes none."""
    is_online: bool
    lost_on_the_way_back: str | None
    """What a way back loses; None if there is none."""


class UpgradePlan(msgspec.Struct, frozen=True, rename="camel"):
    """From a store's schema to this version's."""

    schema_version: int
    needed_version: int
    is_in_use: bool
    steps: Sequence[Step]

    @property
    def seconds(self) -> float:
        return sum(step.seconds for step in self.steps)

    @property
    def is_online(self) -> bool:
        """Whether servers of the version before may go on."""
        return all(step.is_online for step in self.steps)

    @property
    def has_way_back(self) -> bool:
        return self.schema_version > 0 and all(step.lost_on_the_way_back is not None for step in self.steps)


def plan_upgrade(version: int, rows_of: Callable[[str], int], *, is_in_use: bool) -> UpgradePlan:
    """Return the plan for a store of that version; `rows_of` counts a table, and has 0 for one that is not there."""
    steps = [_step(migration, rows_of) for migration in migrations()[version:]]
    return UpgradePlan(version, newest(), is_in_use, steps)


def _step(migration: Migration, rows_of: Callable[[str], int]) -> Step:
    work = [(rows_of(table), cost) for table, cost in _work(migration)]
    seconds = sum(rows * cost for rows, cost in work) / 1_000_000
    most = max((rows for rows, _ in work), default=0)
    return Step(str(migration), most, round(seconds, 1), migration.is_online, migration.lost)


def _work(migration: Migration) -> Iterator[tuple[str, float]]:
    """Yield the tables whose rows it works on, with the cost of each row."""
    if work := migration.row_work:
        yield work.table, work.microseconds
    made = set(_CREATED.findall(migration.text))
    # Types do not matter here.
    for statement in re.sub(r"--[^\n]*", "", migration.text).split(";"):
        for pattern, cost in _WORK:
            if (found := pattern.search(statement.strip())) and found[1] not in made:
                yield found[1], cost
