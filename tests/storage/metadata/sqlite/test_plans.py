"""Statements are planned once per connection, and not once per run."""

from pathlib import Path

import apsw

from skyshelf.storage.metadata.sqlite.file import connect
from skyshelf.storage.metadata.sqlite.store import SqliteStore


def test_plans_do_not_depend_on_the_values_of_parameters(tmp_path: Path) -> None:
    """Else SQLite plans a join again on every run, which takes ten times as long as to run it."""
    SqliteStore(tmp_path / "metadata.db").close()
    connection = connect(tmp_path / "metadata.db")
    assert connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, -1) == 1
    connection.close()
