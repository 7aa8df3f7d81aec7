"""Whole metadata stores by their URLs: as a SQLite file of one moment, and from such a file into an empty store."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from skyshelf.storage.local_paths import local_path
from skyshelf.storage.metadata.sql.migrate import refuse_newer
from skyshelf.storage.metadata.transfer.copying import Changes, Copied, copy_rows, refuse_rows, verify
from skyshelf.storage.metadata.transfer.sqlite_rows import SqliteRows, copy_pages, new_file, sqlite_source
from skyshelf.storage.metadata.transfer.tables import Progress, Source


def is_postgres(url: str) -> bool:
    return urlsplit(url).scheme in {"postgresql", "postgres"}


@contextmanager
def rows_of(url: str) -> Iterator[Source]:
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
            refuse_rows(target)
    elif local_path(url).exists() and local_path(url).stat().st_size:
        with sqlite_source(local_path(url)) as embedded:
            refuse_rows(embedded)


def export_sqlite(url: str, path: Path, progress: Progress) -> None:
    """The rows of one moment as a file, while the service runs.

    From SQLite it is a whole copy of the file. From PostgreSQL it has the rows alone, without indexes and search
    terms; import_sqlite makes them. The file has its name only once it is complete and on the disk.
    """
    with rows_of(url) as source:
        if not isinstance(source, SqliteRows):
            with new_file(path, source.version) as target:
                copy_rows(source, target, progress, with_search=False)
                target.complete_without_indexes()
            return
        rows = sum(map(source.count, source.tables()))
    copy_pages(local_path(url), path, _as_rows(rows, progress))


def import_sqlite(path: Path, url: str, progress: Progress, *, changes: Changes | None = None) -> Copied:
    """The rows of a file that export_sqlite wrote, into an empty store, which is then read back and compared.

    A store that does not exist yet is made. It gets the schema of the file first, and is migrated when the rows are in:
    a file of an earlier release is taken as well. Interrupted at any moment, it leaves the target empty.
    """
    with sqlite_source(path) as source:
        refuse_newer(source.version)
        return fill(source, url, progress, changes=changes)


def fill(source: Source, url: str, progress: Progress, *, changes: Changes | None = None) -> Copied:
    """All rows of a source into an empty store."""
    refuse_filled(url)
    both = _Halves(progress)
    if is_postgres(url):
        from skyshelf.storage.metadata.postgres.store import PostgresStore
        from skyshelf.storage.metadata.transfer.postgres_rows import postgres_target

        store = PostgresStore(url)
        try:
            store.migrate(up_to=source.version)
            with postgres_target(url) as target:
                target.begin()
                copied = copy_rows(source, target, both.writing, changes=changes)
                target.complete()
                verify(copied, target, both.reading)
            store.migrate()
        finally:
            store.close()
        return copied
    from skyshelf.storage.metadata.sqlite.store import SqliteStore

    path = local_path(url)
    with new_file(path, source.version) as embedded:
        copied = copy_rows(source, embedded, both.writing, changes=changes)
        embedded.complete()
        verify(copied, embedded, both.reading)
    SqliteStore(path).close()
    return copied


class _Halves:
    """One count of rows for writing them and reading them back."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._written = 0

    def writing(self, done: int, total: int) -> None:
        self._written = total
        self._progress(done, 2 * total)

    def reading(self, done: int, total: int) -> None:
        del total
        self._progress(self._written + done, 2 * self._written)


def _as_rows(rows: int, progress: Progress) -> Progress:
    """Pages as a share of the rows: progress counts rows on either way."""
    return lambda done, total: progress(rows * done // max(total, 1), rows)
