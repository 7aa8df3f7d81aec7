"""Write the frozen dumps: every version of the schema, as SQLite had it, with sample rows in every table.

Run it after adding a migration: `.venv/bin/python -m tests.storage.schemas.freeze`. The dump of a released version
never changes; git shows when one does.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import apsw
from tests.storage.schemas.samples import NOW, SAMPLES, samples_for

from skyshelf.storage.metadata.sql.migrate import newest
from skyshelf.storage.metadata.sqlite.store import SqliteStore

FOLDER = Path(__file__).parent
# A full-text index creates its own tables and keeps nothing that could be read back.
INDEX_TABLES = "search_terms"


def dump_of(version: int) -> str:
    """The text of one dump."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "metadata.db"
        SqliteStore(path, migrate_to=version).close()
        connection = apsw.Connection(str(path))
        try:
            connection.execute("UPDATE schema_migrations SET applied_at = ?", (NOW,))
            _insert_samples(connection)
            return "\n".join(_dump(connection)) + "\n"
        finally:
            connection.close()


def _insert_samples(connection: apsw.Connection) -> None:
    for table in SAMPLES:
        known = {str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")}
        for row in samples_for(table, known) if known else []:
            marks = ", ".join("?" for _ in row)
            connection.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))


def _dump(connection: apsw.Connection) -> Iterator[str]:
    yield f"PRAGMA application_id = {connection.pragma('application_id')};"
    made = connection.execute(
        "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type = 'index', name"
    ).fetchall()
    for kind, name, sql in made:
        if str(name).startswith(f"{INDEX_TABLES}_"):
            continue
        yield f"{sql};"
        if kind == "table" and name != INDEX_TABLES:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
            quoted = " || ', ' || ".join(f"quote({column})" for column in columns)
            for (values,) in connection.execute(f"SELECT {quoted} FROM {name} ORDER BY rowid"):
                yield f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({values});"


def main() -> None:
    for version in range(1, newest() + 1):
        (FOLDER / f"{version}.sql").write_text(dump_of(version), "utf-8")


if __name__ == "__main__":
    main()
