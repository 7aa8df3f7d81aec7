"""Upgrades of a metadata store: what one would take, a rehearsal, the upgrade itself, and the way back."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from skyshelf.storage.errors import StoreFull, StoreInUse, StoreUnavailable
from skyshelf.storage.file_systems import refuse_network
from skyshelf.storage.host_lease import refuse_other_machine
from skyshelf.storage.local_paths import local_path
from skyshelf.storage.metadata.sql.migrate import Migration, UpgradePlan
from skyshelf.storage.metadata.sql.statements import Sql


class _Schema(Protocol):
    def plan(self) -> UpgradePlan: ...
    def reading(self) -> AbstractContextManager[Sql | None]:
        """Statements that read, whatever the version; None for a store that is still empty."""

    def migrate(self, *, is_rehearsal: bool = False) -> list[Migration]: ...
    def last_upgrade(self) -> list[Migration]: ...
    def take_back(self) -> list[Migration]: ...


def upgrade_metadata(url: str, *, is_rehearsal: bool = False) -> list[str]:
    """Bring a metadata store up to date, or make one; the names of the migrations that it took.

    A rehearsal does all of the work and undoes it: it takes as long as the upgrade.
    """
    if (path := _file(url)) is not None:
        from skyshelf.storage.metadata.sqlite.file import make_file

        refuse_network(path)
        refuse_other_machine(path)
        make_file(path)
    schema = schema_at(url)
    plan = schema.plan()
    if plan.steps and plan.schema_version and (is_rehearsal or not plan.is_online):
        _refuse_use(plan)
    try:
        return [str(migration) for migration in schema.migrate(is_rehearsal=is_rehearsal)]
    except (StoreFull, StoreUnavailable):
        if path is None or is_rehearsal:
            raise
        from skyshelf.storage.metadata.sqlite.store import SqliteStore

        # On a full disk, with the space of the ballast, as a server that starts does.
        SqliteStore(path).close()
        return [step.migration for step in plan.steps]


def take_upgrade_back(url: str) -> list[str]:
    """Give a store the schema from before its last upgrade; the names of the migrations that were undone."""
    schema = schema_at(url)
    _refuse_use(schema.plan())
    return [str(migration) for migration in schema.take_back()]


def schema_at(url: str) -> _Schema:
    """Return the schema of a store, whatever version it has; a look at it changes nothing, and nobody has to stop."""
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
