"""Upgrades of the schema: what they take, rehearsed, and taken back; on both databases."""

from contextlib import closing
from pathlib import Path

import apsw
import psycopg
import pytest
from tests.real_parts.postgres import PostgresServer
from tests.storage.schemas import freeze

from skyshelf.storage import upgrade
from skyshelf.storage.errors import NoWayBack, StoreInUse
from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.metadata.sql.migrate import migrations, newest
from skyshelf.storage.metadata.sqlite.store import SqliteStore
from skyshelf.storage.metadata.upgrade_plan import plan_upgrade

NAMES = [str(one) for one in migrations()]
BACK_FROM = [one.number for one in migrations() if one.lost is not None]


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
    plan = upgrade.look_at_upgrade(url)
    assert (plan.schema_version, plan.needed_version, plan.is_in_use) == (newest() - 3, newest(), False)
    assert [step.migration for step in plan.steps] == NAMES[-3:]
    assert upgrade.look_at_upgrade(url) == plan


def test_a_rehearsal_does_everything_and_leaves_nothing(url: str) -> None:
    make(url, 5)
    before = tables(url)
    assert upgrade.upgrade_metadata(url, is_rehearsal=True) == NAMES[5:]
    assert tables(url) == before
    assert upgrade.look_at_upgrade(url).schema_version == 5
    assert upgrade.upgrade_metadata(url) == NAMES[5:]
    assert upgrade.upgrade_metadata(url) == []
    assert upgrade.look_at_upgrade(url).steps == []


def test_an_empty_place_is_filled_with_the_newest_schema_and_has_no_way_back(url: str) -> None:
    assert upgrade.upgrade_metadata(url) == NAMES
    assert upgrade.last_upgrade(url) == []
    with pytest.raises(NoWayBack, match="nothing to undo"):
        upgrade.take_upgrade_back(url)
    assert upgrade.look_at_upgrade(url).schema_version == newest()


def test_a_way_back_takes_the_whole_last_upgrade_and_may_be_gone_again(url: str) -> None:
    make(url, newest() - 3)
    before = tables(url)
    upgrade.upgrade_metadata(url)
    after = tables(url)
    assert [str(one) for one in upgrade.last_upgrade(url)] == NAMES[:-4:-1]
    assert upgrade.take_upgrade_back(url) == NAMES[:-4:-1]
    assert tables(url) == before
    assert upgrade.upgrade_metadata(url) == NAMES[-3:]
    assert tables(url) == after


def test_an_upgrade_without_a_way_back_stays_as_it_is(url: str) -> None:
    make(url, 10)
    upgrade.upgrade_metadata(url)
    before = tables(url)
    with pytest.raises(NoWayBack, match="restore the backup"):
        upgrade.take_upgrade_back(url)
    assert tables(url) == before
    assert upgrade.look_at_upgrade(url).schema_version == newest()


@pytest.mark.parametrize("version", BACK_FROM)
def test_rows_from_before_an_upgrade_are_there_after_the_way_back(version: int, tmp_path: Path) -> None:
    path = tmp_path / "metadata.db"
    url = path.as_uri()
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute((freeze.FOLDER / f"{version - 1}.sql").read_text("utf-8"))
    names = [
        name for (name,) in run(url, "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%fts5%'")
    ]
    kept = [name for name in names if not str(name).startswith(freeze.INDEX_TABLES) and name != "outbox"]
    before = {name: run(url, f"SELECT * FROM {name}") for name in kept}
    SqliteStore(path, migrate_to=version).close()
    assert upgrade.take_upgrade_back(url) == [NAMES[version - 1]]
    schema = run(url, "SELECT name, sql FROM sqlite_schema ORDER BY name")
    assert {name: run(url, f"SELECT * FROM {name}") for name in kept if name != "undated"} == {
        name: rows for name, rows in before.items() if name != "undated"
    }
    fresh = tmp_path / "fresh.db"
    SqliteStore(fresh, migrate_to=version - 1).close()
    assert schema == run(fresh.as_uri(), "SELECT name, sql FROM sqlite_schema ORDER BY name")


def test_an_app_password_opens_nothing_for_a_version_that_does_not_know_them(url: str) -> None:
    number = next(one.number for one in migrations() if one.name == "webdav")
    make(url, number - 1)
    for statement in (freeze.FOLDER / f"{newest()}.sql").read_text("utf-8").splitlines():
        if statement.startswith(("INSERT INTO accounts ", "INSERT INTO devices ", "INSERT INTO sessions ")):
            text = statement.replace("X'", "'\\x") if not url.startswith("file:") else statement
            run(url, text.replace(") VALUES", ") OVERRIDING SYSTEM VALUE VALUES") if "\\x" in text else text)
    if url.startswith("file:"):
        SqliteStore(Path(url.removeprefix("file://")), migrate_to=number).close()
    else:
        store = PostgresStore(url)
        store.migrate(up_to=number)
        store.close()
    ((sessions,),) = run(url, "SELECT count(*) FROM sessions")
    run(
        url,
        "INSERT INTO app_passwords (secret_hash, account_id, can_write, webdav_only)"
        " SELECT secret_hash, account_id, 0, 1 FROM sessions LIMIT 1",
    )
    upgrade.take_upgrade_back(url)
    assert run(url, "SELECT count(*) FROM sessions") == [(int(str(sessions)) - 1,)]


def test_a_store_in_use_is_upgraded_only_if_older_servers_may_go_on(url: str) -> None:
    online = next(one.number for one in migrations() if one.is_online)
    make(url, online - 1)
    using = _use(url)
    try:
        plan = upgrade.look_at_upgrade(url)
        assert (plan.is_in_use, plan.is_online) == (True, False)
        with pytest.raises(StoreInUse, match="stop every server"):
            upgrade.upgrade_metadata(url)
        with pytest.raises(StoreInUse, match="stop every server"):
            upgrade.upgrade_metadata(url, is_rehearsal=True)
        assert upgrade.look_at_upgrade(url).schema_version == online - 1
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
    # It refers to the objects.
    make(url, next(one.number for one in migrations() if one.name == "folder_marks") - 1)
    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE objects IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(StoreInUse, match="nothing was changed"):
            upgrade.upgrade_metadata(url)
    assert upgrade.upgrade_metadata(url)


def test_the_estimate_grows_with_the_rows_that_a_migration_works_on() -> None:
    few = plan_upgrade(4, lambda table: 1_000 if table == "objects" else 0, is_in_use=False)
    many = plan_upgrade(4, lambda table: 10_000_000 if table == "objects" else 0, is_in_use=False)
    assert few.seconds < 1 < 60 < many.seconds
    named = {step.migration: step for step in many.steps}
    assert named["0006 search"].rows == 10_000_000
    assert (named["0021 webdav"].rows, named["0021 webdav"].seconds) == (0, 0)


def test_every_new_migration_says_whether_there_is_a_way_back() -> None:
    """From version 18 on; a later one without a way back has to be named here, with a reason."""
    without: dict[int, str] = {19: "SQLite cannot drop a column that refers to another table"}
    assert {one.number for one in migrations()[17:] if one.lost is None} == set(without)
