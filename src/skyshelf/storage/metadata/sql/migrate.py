"""Numbered migrations: one list of SQL files for every database.

A file may say two things about itself, in its comments:

- `-- @online: …` servers of the version before may go on while it is applied and afterwards; the text says why.
- `-- @back: …` the statements below it undo the migration; the text says what is lost with it, or `nothing`.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from skyshelf.storage.errors import NoWayBack, StoreNeedsMigration, StoreTooNew
from skyshelf.storage.metadata.sql.search_entries import divide_index, fill_index, undivide_index
from skyshelf.storage.metadata.sql.statements import Sql
from skyshelf.storage.metadata.sql.tree.depth import fill_bounds

_FOLDER: Final = Path(__file__).parents[1] / "migrations"
# What a migration does to rows that SQL alone cannot: it runs right after the statements of its name.
_CARRIED_OVER: dict[str, Callable[[Sql], None]] = {
    "search": fill_index,
    "tree_bounds": fill_bounds,
    "search_parts": divide_index,
}
# The same on the way back.
_CARRIED_BACK: dict[str, Callable[[Sql], None]] = {"search_parts": undivide_index}


_ONLINE = re.compile(r"^-- @online: ", re.MULTILINE)
_BACK = re.compile(r"^-- @back: (?P<lost>[^\n]*)\n", re.MULTILINE)


class Migration(msgspec.Struct, frozen=True):
    number: int
    name: str
    text: str
    is_online: bool = False
    lost: str | None = None
    """What a way back loses; None if there is none."""
    text_back: str = ""

    def statements(self, types: Mapping[str, str]) -> list[str]:
        """The statements of the file, in the types of one database."""
        return _statements(self.text, types)

    def statements_back(self, types: Mapping[str, str]) -> list[str]:
        """Those that undo it."""
        return _statements(self.text_back, types)

    def is_carried_over(self) -> bool:
        """Whether it does more than its statements."""
        return self.name in _CARRIED_OVER

    def __str__(self) -> str:
        return f"{self.number:04d} {self.name}"


def _statements(text: str, types: Mapping[str, str]) -> list[str]:
    # Without comments and the gaps they leave: databases keep the text, and a better comment is no new schema.
    text = re.sub(r"\n\s*\n", "\n", re.sub(r"--[^\n]*", "", text))
    text = re.sub(r"\{(\w+)\}", lambda match: types[match[1]], text)
    return [statement.strip() for statement in text.split(";") if statement.strip()]


def _read(number: int, name: str, text: str) -> Migration:
    back = _BACK.search(text)
    forward, text_back = (text[: back.start()], text[back.end() :]) if back else (text, "")
    lost = back["lost"] if back else None
    return Migration(number, name, forward, bool(_ONLINE.search(text)), lost, text_back)


@cache
def migrations() -> tuple[Migration, ...]:
    """All migrations, oldest first; their numbers have no holes."""
    found = sorted(entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(".sql"))
    result = []
    for expected, name in enumerate(found, start=1):
        number, _, title = name.removesuffix(".sql").partition("_")
        assert int(number) == expected, f"migration {name} is out of order"
        result.append(_read(expected, title, (_FOLDER / name).read_text("utf-8")))
    return tuple(result)


def newest() -> int:
    """The schema version that this program speaks."""
    return len(migrations())


def applied(sql: Sql) -> int:
    """The schema version of the store; needs the table schema_migrations."""
    row = sql.one("SELECT max(number) FROM schema_migrations")
    return row[0] if row and row[0] is not None else 0


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
    """Apply pending migrations in the caller's transaction, which is exclusive."""
    version = applied(sql)
    refuse_newer(version)
    pending = list(migrations()[version:up_to])
    for migration in pending:
        for statement in migration.statements(types):
            sql.run(statement)
        if migration.name in _CARRIED_OVER:
            _CARRIED_OVER[migration.name](sql)
        sql.run(
            "INSERT INTO schema_migrations (number, name, applied_at) VALUES (:number, :name, :now)",
            {"number": migration.number, "name": migration.name, "now": now},
        )
    return pending


def last_upgrade(sql: Sql) -> list[Migration]:
    """The migrations that were applied together last, newest first; none if they made the store."""
    numbers = [
        number
        for (number,) in sql.all(
            "SELECT number FROM schema_migrations"
            " WHERE applied_at = (SELECT applied_at FROM schema_migrations ORDER BY number DESC LIMIT 1)"
            " ORDER BY number DESC"
        )
    ]
    return [] if 1 in numbers else [migrations()[number - 1] for number in numbers]


def take_back(sql: Sql, types: Mapping[str, str]) -> list[Migration]:
    """Undo the last upgrade, in the caller's transaction, which is exclusive."""
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
        if migration.name in _CARRIED_BACK:
            _CARRIED_BACK[migration.name](sql)
        sql.run("DELETE FROM schema_migrations WHERE number = :number", {"number": migration.number})
    return last
