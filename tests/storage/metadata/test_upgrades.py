"""Upgrades of the schema: what they take, rehearsed, and taken back; on both databases."""

from contextlib import closing
from pathlib import Path

import apsw
import psycopg
import pytest
from tests.real_parts.postgres import PostgresServer
from tests.storage.schemas import freeze, later

from skyshelf.storage import upgrade
from skyshelf.storage.errors import NoWayBack, StoreInUse
from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.metadata.sql.migrate import migrations, newest, plan_upgrade
from skyshelf.storage.metadata.sqlite.store import SqliteStore

pytestmark = pytest.mark.usefixtures("later_migrations")
OURS = len(migrations())
"""Our own migrations; those of the fixture come after the first."""


def names() -> list[str]:
    return [str(one) for one in migrations()]


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path, postgres_server: PostgresServer) -> str:
    """A place for metadata with nothing in it."""
    return (tmp_path / "metadata.db").as_uri() if request.param == "sqlite" else postgres_server.unmigrated()


def make(url: str, version: int) -> None:
    """A store of an older version, whose last upgrade was the one to that version."""
    for up_to in (1, version):
        if url.startswith("file:"):
            SqliteStore(Path(url.removeprefix("file://")), migrate_to=up_to).close()
        else:
            store = PostgresStore(url)
            store.migrate(up_to=up_to)
            store.close()


def run(url: str, statement: str) -> list[tuple[object, ...]]:
    if url.startswith("file:"):
        with closing(apsw.Connection(url.removeprefix("file://"))) as connection:
            return list(connection.execute(statement))
    with psycopg.connect(url) as database:
        cursor = database.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def tables(url: str) -> set[object]:
    if url.startswith("file:"):
        return {name for (name,) in run(url, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'index')")}
    return {name for (name,) in run(url, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")}


def test_a_look_names_every_step_and_changes_nothing(url: str) -> None:
    make(url, newest() - 3)
    plan = upgrade.schema_at(url).plan()
    assert (plan.schema_version, plan.needed_version, plan.is_in_use) == (newest() - 3, newest(), False)
    assert [step.migration for step in plan.steps] == names()[-3:]
    assert upgrade.schema_at(url).plan() == plan


def test_a_rehearsal_does_everything_and_leaves_nothing(url: str) -> None:
    make(url, 2)
    before = tables(url)
    assert upgrade.upgrade_metadata(url, is_rehearsal=True) == names()[2:]
    assert tables(url) == before
    assert upgrade.schema_at(url).plan().schema_version == 2
    assert upgrade.upgrade_metadata(url) == names()[2:]
    assert upgrade.upgrade_metadata(url) == []
    assert upgrade.schema_at(url).plan().steps == []


def test_an_empty_place_is_filled_with_the_newest_schema_and_has_no_way_back(url: str) -> None:
    assert upgrade.upgrade_metadata(url) == names()
    assert upgrade.schema_at(url).last_upgrade() == []
    with pytest.raises(NoWayBack, match="nothing to undo"):
        upgrade.take_upgrade_back(url)
    assert upgrade.schema_at(url).plan().schema_version == newest()


def test_a_way_back_takes_the_whole_last_upgrade_and_may_be_gone_again(url: str) -> None:
    make(url, newest() - 3)
    before = tables(url)
    upgrade.upgrade_metadata(url)
    after = tables(url)
    assert [str(one) for one in upgrade.schema_at(url).last_upgrade()] == names()[:-4:-1]
    assert upgrade.take_upgrade_back(url) == names()[:-4:-1]
    assert tables(url) == before
    assert upgrade.upgrade_metadata(url) == names()[-3:]
    assert tables(url) == after


def test_an_upgrade_without_a_way_back_stays_as_it_is(url: str) -> None:
    make(url, later.WITHOUT_WAY_BACK - 1)
    upgrade.upgrade_metadata(url)
    before = tables(url)
    with pytest.raises(NoWayBack, match="restore the backup"):
        upgrade.take_upgrade_back(url)
    assert tables(url) == before
    assert upgrade.schema_at(url).plan().schema_version == newest()


@pytest.mark.parametrize("version", later.WITH_WAY_BACK)
def test_rows_from_before_an_upgrade_are_there_after_the_way_back(version: int, tmp_path: Path) -> None:
    _go_and_come_back(version, tmp_path)


def test_so_are_they_with_our_own_migrations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert len(migrations()) == OURS
    for version in [one.number for one in migrations() if one.lost is not None]:
        folder = tmp_path / str(version)
        folder.mkdir()
        _go_and_come_back(version, folder)


def _go_and_come_back(version: int, folder: Path) -> None:
    path = folder / "metadata.db"
    url = path.as_uri()
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute((freeze.FOLDER / "1.sql").read_text("utf-8"))
    SqliteStore(path, migrate_to=version - 1).close()
    found = [
        name for (name,) in run(url, "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%fts5%'")
    ]
    kept = [name for name in found if not str(name).startswith(freeze.INDEX_TABLES)]
    before = {name: run(url, f"SELECT * FROM {name}") for name in kept}
    SqliteStore(path, migrate_to=version).close()
    assert upgrade.take_upgrade_back(url) == [names()[version - 1]]
    schema = run(url, "SELECT name, sql FROM sqlite_schema ORDER BY name")
    assert {name: run(url, f"SELECT * FROM {name}") for name in kept} == before
    fresh = folder / "fresh.db"
    SqliteStore(fresh, migrate_to=version - 1).close()
    assert schema == run(fresh.as_uri(), "SELECT name, sql FROM sqlite_schema ORDER BY name")


def test_a_store_in_use_is_upgraded_only_if_older_servers_may_go_on(url: str) -> None:
    make(url, later.ONLINE - 2)
    using = _use(url)
    try:
        plan = upgrade.schema_at(url).plan()
        assert (plan.is_in_use, plan.is_online) == (True, False)
        with pytest.raises(StoreInUse, match="stop every server"):
            upgrade.upgrade_metadata(url)
        with pytest.raises(StoreInUse, match="stop every server"):
            upgrade.upgrade_metadata(url, is_rehearsal=True)
        assert upgrade.schema_at(url).plan().schema_version == later.ONLINE - 2
    finally:
        using.__exit__(None, None, None)
    assert upgrade.upgrade_metadata(url)


def _use(url: str):  # type: ignore[no-untyped-def]
    """Use it as a server of the version before does, in another process."""
    if not url.startswith("file:"):
        return psycopg.connect(url, application_name="skyshelf 0123")
    import subprocess
    import sys

    code = (
        "import apsw, sys; c = apsw.Connection(sys.argv[1]); c.execute('PRAGMA journal_mode = WAL');"
        " c.execute('SELECT count(*) FROM sqlite_schema').fetchall(); print('ready', flush=True); sys.stdin.read()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, url.removeprefix("file://")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()
    return process


def test_an_upgrade_does_not_wait_behind_somebody_who_holds_a_table(
    postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skyshelf.storage.metadata.postgres.schema._LOCK_SECONDS", 1)
    url = postgres_server.unmigrated()
    make(url, later.REFERRING_TO_OBJECTS - 1)
    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE objects IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(StoreInUse, match="nothing was changed"):
            upgrade.upgrade_metadata(url)
    assert upgrade.upgrade_metadata(url)


def test_the_estimate_grows_with_the_rows_that_a_migration_works_on() -> None:
    few = plan_upgrade(later.REAL, lambda table: 1_000 if table in {"objects", "tags"} else 0, is_in_use=False)
    many = plan_upgrade(later.REAL, lambda table: 10_000_000 if table in {"objects", "tags"} else 0, is_in_use=False)
    assert few.seconds < 1 < 60 < many.seconds
    named = {step.migration.partition(" ")[2]: step for step in many.steps}
    assert named["note_length"].rows == 10_000_000
    assert named["reversed_names"].seconds > 2500
    assert (named["stars"].rows, named["stars"].seconds) == (0, 0)


def test_every_new_migration_says_whether_there_is_a_way_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A later one without a way back has to be named here, with a reason."""
    monkeypatch.undo()
    assert len(migrations()) == OURS
    without: dict[int, str] = {1: "it makes the store", 2: "it would forget legal holds, and secrets in use"}
    assert {one.number for one in migrations() if one.lost is None} == set(without)
