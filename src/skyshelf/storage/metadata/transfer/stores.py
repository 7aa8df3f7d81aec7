"""Whole metadata stores by their URLs: as a SQLite file of one moment, and from such a file into an empty store."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from skyshelf.storage.file_systems import refuse_network
from skyshelf.storage.local_paths import is_postgres, local_path
from skyshelf.storage.metadata.sql.migrate import refuse_newer
from skyshelf.storage.metadata.transfer import tables
from skyshelf.storage.metadata.transfer.sqlite_rows import new_file, sqlite_source


@contextmanager
def rows_of(url: str) -> Iterator[tables.Source]:
    """The rows of a store as of this moment; it is never migrated."""
    if is_postgres(url):
        from skyshelf.storage.metadata.transfer.postgres_rows import postgres_source

        with postgres_source(url) as source:
            refuse_newer(source.version)
            yield source
    else:
        with sqlite_source(local_path(url)) as embedded:
            refuse_newer(embedded.version)
            yield embedded


def refuse_filled(url: str) -> None:
    """Raise TransferFailed when a store has rows; one that does not exist yet is empty."""
    if is_postgres(url):
        from skyshelf.storage.metadata.transfer.postgres_rows import postgres_target

        with postgres_target(url) as target:
            tables.refuse_rows(target)
        return
    refuse_network(local_path(url))
    if local_path(url).exists() and local_path(url).stat().st_size:
        with sqlite_source(local_path(url)) as embedded:
            tables.refuse_rows(embedded)


def import_sqlite(path: Path, url: str, progress: tables.Progress, *, changes: tables.Changes | None = None) -> None:
    """Copy the rows of a file into an empty store, which is then read back and compared.

    A store that does not exist yet is made. It gets the schema of the file first, and is migrated when the rows are in:
    a file of an earlier release is taken as well. Interrupted at any moment, it leaves the target empty.
    """
    with sqlite_source(path) as source:
        refuse_newer(source.version)
        fill(source, url, progress, changes=changes)


def fill(
    source: tables.Source, url: str, progress: tables.Progress, *, changes: tables.Changes | None = None
) -> tables.CopyTally:
    """Copy all rows of a source into an empty store; progress counts them once written and once read back."""
    refuse_filled(url)
    with _new_store(url, source.version) as target:
        copied = tables.copy_rows(source, target, lambda done, total: progress(done, 2 * total), changes=changes)
        target.complete()
        tables.verify(copied, target, lambda done, _total: progress(copied.total + done, 2 * copied.total))
    return copied


@contextmanager
def _new_store(url: str, version: int) -> Iterator[tables.Target]:
    """A store with the schema of that version, which is migrated when the rows are in."""
    if is_postgres(url):
        from skyshelf.storage.metadata.postgres.store import PostgresStore
        from skyshelf.storage.metadata.transfer.postgres_rows import postgres_target

        store = PostgresStore(url)
        try:
            store.migrate(up_to=version)
            with postgres_target(url) as target:
                target.begin()
                yield target
            store.migrate()
        finally:
            store.close()
    else:
        with new_file(local_path(url), version, is_store=True) as embedded:
            yield embedded
