"""Upgrades of a metadata store: what one would take, a rehearsal, the upgrade itself, and the way back."""

from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from skyshelf.storage.errors import StoreInUse
from skyshelf.storage.local_paths import local_path
from skyshelf.storage.metadata.sql.migrate import Migration
from skyshelf.storage.metadata.upgrade_plan import UpgradePlan


class _Schema(Protocol):
    def plan(self) -> UpgradePlan: ...
    def migrate(self, *, is_rehearsal: bool = False) -> list[Migration]: ...
    def last_upgrade(self) -> list[Migration]: ...
    def take_back(self) -> list[Migration]: ...


def look_at_upgrade(url: str) -> UpgradePlan:
    """What an upgrade would do. Nothing is changed, and nobody has to stop."""
    return _schema(url).plan()


def upgrade_metadata(url: str, *, is_rehearsal: bool = False) -> list[str]:
    """Bring a metadata store up to date, or make one; the names of the migrations that it took.

    A rehearsal does all of the work and undoes it: it takes as long as the upgrade.
    """
    if (path := _file(url)) is not None:
        from skyshelf.storage.metadata.sqlite.file import make_file

        make_file(path)
    schema = _schema(url)
    plan = schema.plan()
    if plan.steps and plan.schema_version and (is_rehearsal or not plan.is_online):
        _refuse_use(plan)
    return [str(migration) for migration in schema.migrate(is_rehearsal=is_rehearsal)]


def last_upgrade(url: str) -> list[Migration]:
    """The migrations that the last upgrade took, newest first; none if the store has had none since it was made."""
    return _schema(url).last_upgrade()


def take_upgrade_back(url: str) -> list[str]:
    """Give a store the schema from before its last upgrade; the names of the migrations that were undone."""
    schema = _schema(url)
    _refuse_use(schema.plan())
    return [str(migration) for migration in schema.take_back()]


def _schema(url: str) -> _Schema:
    path = _file(url)
    if path is None:
        from skyshelf.storage.metadata.postgres.schema import PostgresSchema

        return PostgresSchema(url)
    from skyshelf.storage.metadata.sqlite.schema import SqliteSchema

    return SqliteSchema(path)


def _file(url: str) -> Path | None:
    return None if urlsplit(url).scheme in {"postgresql", "postgres"} else local_path(url)


def _refuse_use(plan: UpgradePlan) -> None:
    if plan.is_in_use:
        raise StoreInUse("the store is in use: stop every server of it, and run the command again")
