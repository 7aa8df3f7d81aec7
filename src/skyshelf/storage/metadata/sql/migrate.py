"""Numbered migrations: one list of SQL files for every database."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources

import msgspec

from skyshelf.storage.errors import StoreNeedsMigration, StoreTooNew
from skyshelf.storage.metadata.sql.search_entries import fill_index
from skyshelf.storage.metadata.sql.statements import Sql
from skyshelf.storage.metadata.sql.tree.depth import fill_bounds

# What a migration does to rows that SQL alone cannot: it runs right after the statements of its name.
_CARRIED_OVER: dict[str, Callable[[Sql], None]] = {"search": fill_index, "tree_bounds": fill_bounds}


class Migration(msgspec.Struct, frozen=True):
    number: int
    name: str
    text: str

    def statements(self, types: Mapping[str, str]) -> list[str]:
        """The statements of the file, in the types of one database."""
        # Without comments and the gaps they leave: databases keep the text, and a better comment is no new schema.
        text = re.sub(r"\n\s*\n", "\n", re.sub(r"--[^\n]*", "", self.text))
        text = re.sub(r"\{(\w+)\}", lambda match: types[match[1]], text)
        return [statement.strip() for statement in text.split(";") if statement.strip()]


@cache
def migrations() -> tuple[Migration, ...]:
    """All migrations, oldest first; their numbers have no holes."""
    folder = resources.files("skyshelf.storage.metadata") / "migrations"
    found = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    result = []
    for expected, name in enumerate(found, start=1):
        number, _, title = name.removesuffix(".sql").partition("_")
        assert int(number) == expected, f"migration {name} is out of order"
        result.append(Migration(expected, title, (folder / name).read_text("utf-8")))
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
            " `skyshelf admin migrate`"
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
