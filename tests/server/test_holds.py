"""A legal hold: every job, every purge and every table, as they are in the code, against an account with everything."""

from collections.abc import Iterator

import pytest
from tests.server.api import Api, HeldClock
from tests.server.furnished import Furnished

from skyshelf.service.accounts import holds
from skyshelf.service.context import ServiceContext
from skyshelf.service.integrity.quarantine import delete_quarantined
from skyshelf.service.jobs import brakes
from skyshelf.service.jobs.brakes import BrakePulled
from skyshelf.service.jobs.maintenance import PERIODIC_TASKS
from skyshelf.service.jobs.runner import ACCOUNT_JOBS, REWIND_JOBS
from skyshelf.storage.metadata.alarms import TELL_OWNER
from skyshelf.storage.metadata.store import Unit

GOES = {
    "app_passwords": "access, which ends",
    "archives": "a list of objects for a download, which can be made again",
    "devices": "access, which the person may end",
    "identity_sessions": "access, which ends",
    "locks": "a lock of WebDAV, for minutes",
    "nonces": "access, for minutes",
    "password_links": "access, for days",
    "rewind_consents": "access, for hours",
    "sessions": "access, which ends",
    "thumbnails": "made from contents, which stay",
    "undated": "work that is to be done",
}
"""Tables whose rows may go from a held account, and why they are no evidence."""

Rows = dict[str, set[tuple[object, ...]]]


def tables_of(unit: Unit) -> list[str]:
    """Every table whose rows are of an account, as the schema says."""
    named = "SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE c.name = 'account_id'"
    return sorted({name for (name,) in unit.sql.all(f"{named} AND m.type = 'table'")})


def rows_of(ctx: ServiceContext, account_id: int) -> Rows:
    """All rows of an account, by table; what changes in a row does not matter, so by key."""
    with ctx.metadata.read() as unit:
        return {table: _keys(unit, table, account_id) for table in tables_of(unit)}


def _keys(unit: Unit, table: str, account_id: int) -> set[tuple[object, ...]]:
    columns = unit.sql.all("SELECT name, pk FROM pragma_table_info(:table) ORDER BY pk", {"table": table})
    key = ", ".join(name for name, place in columns if place)
    rows = unit.sql.all(f"SELECT {key} FROM {table} WHERE account_id = :account", {"account": account_id})
    return {tuple(row) for row in rows}


def events_of(ctx: ServiceContext, account_key: str) -> int:
    with ctx.metadata.read() as unit:
        rows = unit.sql.all(
            "SELECT count(*) FROM audit_events WHERE account_key = :key", {"key": bytes.fromhex(account_key)}
        )
    return int(rows[0][0])


def contents_of(ctx: ServiceContext, account_id: int) -> dict[str, bytes]:
    """Every content that the account has, or that its history keeps."""
    with ctx.metadata.read() as unit:
        kept = unit.sql.all(
            "SELECT content FROM versions WHERE account_id = :account"
            " UNION SELECT content FROM kept_contents WHERE account_id = :account",
            {"account": account_id},
        )
        places = {row[0].hex(): unit.history.content(row[0].hex()) for row in kept}
    return {digest: b"".join(ctx.blobs.read(place.location)) for digest, place in places.items() if place is not None}


def finish(ctx: ServiceContext, name: str, steps: Iterator[None]) -> None:
    try:
        for _ in steps:
            pass
    except BrakePulled:
        assert brakes.release(ctx, name, "the test has moved the clock") is not None
        raise


def run_everything(ctx: ServiceContext, account_id: int) -> None:
    """Every job that there is, as often as it takes, and what operators and a full disk do besides."""
    jobs = {name: job for name, job in {**ACCOUNT_JOBS, **REWIND_JOBS}.items() if name != TELL_OWNER}
    for _ in range(2):
        for task in PERIODIC_TASKS:
            for _again in range(2):
                try:
                    finish(ctx, task.name, task.steps(ctx))
                    break
                except BrakePulled:
                    continue
        for name, job in jobs.items():
            for _again in range(2):
                try:
                    finish(ctx, name, job(ctx, str(account_id)))
                    break
                except (BrakePulled, ValueError):
                    continue
        while ctx.metadata.write(lambda unit: unit.history.give_up_some(100)):
            pass
        for _ in delete_quarantined(ctx, ctx.clock.now()):
            pass


@pytest.fixture
def person(furnished_account: Furnished) -> Api:
    """Somebody with one of everything, some of which was deleted already."""
    api = furnished_account.api
    for name in ("gone.txt", "edited.txt"):
        api.file(name, f"the first content of {name}".encode())
    api.file("edited.txt", b"its second content")
    api.trash(*(one["objectKey"] for one in objects_of(api) if one["objectName"] == "gone.txt"))
    empty_trash(api)
    api.trash(api.file("trashed.txt").object_key)
    return api


def objects_of(api: Api) -> list[dict[str, str]]:
    found: list[dict[str, str]] = api.get("/x/v1/changes/everything").json()["objects"]
    return found


def empty_trash(api: Api) -> None:
    account_id, now = api.account.account_id, api.ctx.clock.now()
    api.ctx.metadata.write(lambda unit: unit.purge.mark_all_for_deletion(account_id, now))
    for _ in ACCOUNT_JOBS["purge"](api.ctx, str(account_id)):
        pass


def delete_everything(api: Api) -> None:
    """Delete what a person can delete: all objects, the trash, and history."""
    account_id, now = api.account.account_id, api.ctx.clock.now()
    api.trash(*(one["objectKey"] for one in objects_of(api) if one.get("parentObjectKey") == api.root_key))
    empty_trash(api)
    api.ctx.metadata.write(lambda unit: unit.history.forget(account_id, now))


@pytest.mark.whole
def test_no_job_and_no_purge_takes_a_row_or_a_content_of_a_held_account(person: Api, clock: HeldClock) -> None:
    ctx, account = person.ctx, person.account
    before, events = rows_of(ctx, account.account_id), events_of(ctx, account.account_key)
    contents = contents_of(ctx, account.account_id)
    assert sum(bool(rows) for rows in before.values()) >= 18, "the account has one of most things"
    holds.hold(ctx, account, "case 12")
    clock.advance(days=900)
    run_everything(ctx, account.account_id)
    after = rows_of(ctx, account.account_id)
    gone = {table: before[table] - after[table] for table in before if table not in GOES}
    assert {table: len(rows) for table, rows in gone.items() if rows} == {}
    assert events_of(ctx, account.account_key) >= events
    assert contents_of(ctx, account.account_id).items() >= contents.items()


@pytest.mark.whole
def test_the_same_takes_much_from_an_account_that_is_not_held(person: Api, clock: HeldClock) -> None:
    ctx, account = person.ctx, person.account
    before, events = rows_of(ctx, account.account_id), events_of(ctx, account.account_key)
    clock.advance(days=900)
    run_everything(ctx, account.account_id)
    after = rows_of(ctx, account.account_id)
    gone = {table for table in before if before[table] - after[table]}
    assert {"changes", "objects", "versions", "uploads", "link_changes"} <= gone
    assert events_of(ctx, account.account_key) < events


@pytest.mark.whole
def test_what_the_person_deletes_leaves_their_sight_and_no_content_is_lost(person: Api, clock: HeldClock) -> None:
    ctx, account = person.ctx, person.account
    contents = contents_of(ctx, account.account_id)
    holds.hold(ctx, account, "case 12")
    delete_everything(person)
    clock.advance(days=900)
    run_everything(ctx, account.account_id)
    assert contents_of(ctx, account.account_id).items() >= contents.items()
    with ctx.metadata.read() as unit:
        assert unit.quotas.get(account.account_id, clock.now()).used == 0, "the person has the space again"
        bounds = unit.history.bounds(account.account_id)
        assert unit.history.bounds(account.account_id, even_forgotten=True).oldest < bounds.oldest == bounds.newest


def test_every_table_that_may_lose_rows_is_still_there(person: Api) -> None:
    with person.ctx.metadata.read() as unit:
        assert set(GOES) <= set(tables_of(unit))
