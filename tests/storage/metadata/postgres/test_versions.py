"""What an event loop reads of PostgreSQL: versions, equal only as long as nothing was committed anywhere, and rows."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import suppress

import psycopg
import pytest
from tests.real_parts.postgres import PostgresServer

from skyshelf.storage.metadata.postgres.dialect import PostgresSql
from skyshelf.storage.metadata.postgres.loop_connection import BATCH_MAX
from skyshelf.storage.metadata.postgres.store import PostgresVersions
from skyshelf.storage.metadata.replay import MissingRows
from skyshelf.storage.metadata.sql.statements import Params

pytestmark = pytest.mark.anyio
WRITERS = 3
ROUNDS = 40


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is no lost connection."""
    monkeypatch.setattr("skyshelf.storage.metadata.postgres.loop_connection.ANSWER_SECONDS", 60.0)


@pytest.fixture
def url(postgres_server: PostgresServer) -> str:
    return postgres_server.unmigrated()


@pytest.fixture
async def versions(url: str) -> AsyncIterator[PostgresVersions]:
    versions = PostgresVersions(url, "skyshelf test")
    await versions.open()
    yield versions
    await versions.close()


async def until_connected(versions: PostgresVersions) -> object:
    async with asyncio.timeout(30):
        while (version := await versions.read()) is None:
            await asyncio.sleep(0.01)
    return version


async def test_a_version_stays_while_others_read_and_changes_with_a_commit(
    versions: PostgresVersions, url: str
) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE counted (number BIGINT)")

        async def stays() -> bool:
            before = await versions.read()
            assert before is not None
            connection.execute("SELECT count(*) FROM counted")
            return await versions.read() == before

        # Tries, since the server cleans its tables up whenever it likes.
        assert any([await stays() for _ in range(10)])
        before = await versions.read()
        connection.execute("INSERT INTO counted VALUES (1)")
        assert await versions.read() != before


async def test_a_transaction_changes_it_when_it_is_committed_and_not_only_when_it_begins(
    versions: PostgresVersions, url: str
) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE counted (number BIGINT)")
        connection.commit()
        connection.execute("INSERT INTO counted VALUES (1)")
        running = await versions.read()
        connection.commit()
        assert await versions.read() != running


async def test_what_is_remembered_for_a_version_is_never_older_than_what_was_acknowledged(
    versions: PostgresVersions, url: str
) -> None:
    """Writers commit all the time; whoever asks after an acknowledgement must not be served from before it."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE counted (writer BIGINT PRIMARY KEY, number BIGINT)")
        connection.execute("INSERT INTO counted SELECT n, 0 FROM generate_series(0, %s) n", (WRITERS - 1,))
    acknowledged = [0] * WRITERS
    has_ended = threading.Event()

    def write(writer: int) -> None:
        with psycopg.connect(url) as connection:
            number = 0
            while not has_ended.is_set():
                number += 1
                connection.execute("UPDATE counted SET number = %s WHERE writer = %s", (number, writer))
                if number % 7 == 0:
                    # Failures are not seen, and must not hide what is.
                    connection.rollback()
                    continue
                connection.commit()
                acknowledged[writer] = number

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(WRITERS)]
    for thread in threads:
        thread.start()
    remembered: tuple[object, list[int]] = None, []
    served = 0
    try:
        with psycopg.connect(url, autocommit=True) as reader:
            while served < ROUNDS or min(acknowledged) < ROUNDS:
                known = list(acknowledged)
                version = await versions.read()
                assert version is not None
                if version != remembered[0]:
                    rows = reader.execute("SELECT number FROM counted ORDER BY writer").fetchall()
                    remembered = version, [number for (number,) in rows]
                else:
                    served += 1
                assert all(seen >= wanted for seen, wanted in zip(remembered[1], known, strict=True))
    finally:
        has_ended.set()
        for thread in threads:
            thread.join()


async def test_all_who_wait_share_one_question(versions: PostgresVersions) -> None:
    found = await asyncio.gather(*(versions.read() for _ in range(50)))
    assert found[0] is not None
    assert all(one is found[0] for one in found)


async def test_who_leaves_takes_nothing_from_the_others(versions: PostgresVersions) -> None:
    leaving, staying = asyncio.ensure_future(versions.read()), asyncio.ensure_future(versions.read())
    await asyncio.sleep(0)
    leaving.cancel()
    with suppress(asyncio.CancelledError):
        await leaving
    assert await staying is not None


async def test_a_lost_connection_is_none_and_the_next_one_has_other_versions(
    versions: PostgresVersions, url: str
) -> None:
    before = await versions.read()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'skyshelf test'"
        )
    async with asyncio.timeout(30):
        while await versions.read() is not None:
            await asyncio.sleep(0.01)
    assert await until_connected(versions) != before


async def test_a_database_that_does_not_answer_is_given_up(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skyshelf.storage.metadata.postgres.loop_connection.ANSWER_SECONDS", 0.05)
    monkeypatch.setattr("skyshelf.storage.metadata.postgres.store._VERSION", b"SELECT pg_sleep(60)")
    versions = PostgresVersions(url, "skyshelf test")
    await versions.open()
    async with asyncio.timeout(30):
        assert await versions.read() is None
    await versions.close()


async def test_rows_are_those_that_the_driver_reads(versions: PostgresVersions, url: str) -> None:
    text = (
        'SELECT :number::bigint AS a, :text::text AS "b%", :bytes::bytea, :nothing::bigint,'
        " :text || :text, now() IS NULL"
        " UNION ALL SELECT -1, 'ä', NULL, NULL, '::x', true"
    )
    params: Params = {"number": 2**40, "text": "ä%$1", "bytes": b"\x00\xff", "nothing": None}
    with psycopg.connect(url, autocommit=True) as connection:
        expected = PostgresSql(connection).all(text, params)
    assert await versions.rows(MissingRows(text, params)) == expected
    assert await versions.rows(MissingRows("SELECT 1 WHERE false", {})) == []


async def test_rows_and_versions_of_any_number_of_askers_come_together(versions: PostgresVersions) -> None:
    text = "SELECT :number::bigint, :text::text"
    asked = [versions.rows(MissingRows(text, {"number": n, "text": str(n)})) for n in range(3 * BATCH_MAX)]
    found = await asyncio.gather(*asked, versions.read())
    assert found[:-1] == [[(n, str(n))] for n in range(3 * BATCH_MAX)]
    assert found[-1] is not None


@pytest.mark.parametrize(
    "value", [["a", "b"], 2**63, "\0", "\ud800", "x" * 5000, True], ids=["list", "large", "nul", "half", "long", "bool"]
)
async def test_values_that_threads_are_for_are_not_sent(versions: PostgresVersions, value: object) -> None:
    assert await versions.rows(MissingRows("SELECT :value", {"value": value})) is None


async def test_a_failed_question_has_no_rows_and_the_connection_goes_on(versions: PostgresVersions) -> None:
    before = await versions.read()
    for text in ("SELECT 1 / 0", "SELECT nothing", "CREATE TABLE counted (number BIGINT)"):
        good, bad, after, version = await asyncio.gather(
            versions.rows(MissingRows("SELECT 1", {})),
            versions.rows(MissingRows(text, {})),
            versions.rows(MissingRows("SELECT 2", {})),
            versions.read(),
        )
        # Who asked after it in the same turn gets nothing either, and reads by other means.
        assert (good, bad, after, version) == ([(1,)], None, None, None)
        assert await versions.rows(MissingRows("SELECT 2", {})) == [(2,)]
    now = await versions.read()
    assert isinstance(before, tuple)
    assert isinstance(now, tuple)
    assert now[0] == before[0], "the same connection"


async def test_no_more_than_some_statements_are_prepared(
    versions: PostgresVersions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skyshelf.storage.metadata.postgres.loop_connection.STATEMENTS_MAX", 3)
    found = [await versions.rows(MissingRows(f"SELECT {n}", {})) for n in range(5)]
    assert found == [[(0,)], [(1,)], [(2,)], None, None]
    assert await versions.rows(MissingRows("SELECT 1", {})) == [(1,)]


async def test_without_a_connection_there_are_no_rows(versions: PostgresVersions, url: str) -> None:
    asking = asyncio.ensure_future(versions.rows(MissingRows("SELECT pg_sleep(60)", {})))
    await asyncio.sleep(0.1)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'skyshelf test'"
        )
    async with asyncio.timeout(30):
        assert await asking is None
        await until_connected(versions)
    assert await versions.rows(MissingRows("SELECT 1", {})) == [(1,)]


async def test_a_database_that_cannot_be_reached_has_no_version() -> None:
    versions = PostgresVersions("postgresql://127.0.0.1:1/nowhere", "skyshelf test")
    await versions.open()
    assert await versions.read() is None
    await versions.close()
    assert await versions.read() is None
