"""Maintenance tasks: what they remove when its time is over, and what they keep."""

import logging
import time
from collections.abc import Iterator
from itertools import islice

import pytest
from tests.server.api import HeldClock
from tests.service.making import file, folder, trash
from tests.service.pacing import hold_pace

from skyshelf.service.accounts import accounts, login_throttle
from skyshelf.service.context import ServiceContext
from skyshelf.service.files.trash import PURGE
from skyshelf.service.integrity import quarantine
from skyshelf.service.jobs import contents, maintenance, orphans
from skyshelf.service.jobs.maintenance import expire_history
from skyshelf.storage.errors import ObjectMissing
from skyshelf.storage.metadata.contracts.accounts import Account, NewDevice, Quota
from skyshelf.storage.metadata.contracts.files import NewUpload
from skyshelf.storage.metadata.contracts.sessions import NewSession
from skyshelf.storage.metadata.store import Unit

DAY = 86_400_000


@pytest.fixture
def account(ctx: ServiceContext) -> Account:
    return accounts.add_account(ctx, "ada@example.org", "Ada", "Byron", "correct horse battery")


def finish(steps: Iterator[None]) -> int:
    """Run all steps of a task; returns their number."""
    return sum(1 for _ in steps)


def quota(ctx: ServiceContext, account: Account) -> Quota:
    with ctx.metadata.read() as unit:
        return unit.quotas.get(account.account_id, ctx.clock.now())


def is_there(ctx: ServiceContext, account: Account, key: str) -> bool:
    with ctx.metadata.read() as unit:
        try:
            unit.tree.get(account.account_id, key)
        except ObjectMissing:
            return False
        return True


def locations(ctx: ServiceContext) -> set[str]:
    return {blob.location for blob in ctx.blobs.list()}


def test_trash_older_than_the_retention_is_purged_and_gives_its_bytes_back(
    ctx: ServiceContext, account: Account, clock: HeldClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    box = folder(ctx, account, "box")
    inside, _ = file(ctx, account, "inside.txt", b"12345", box)
    kept, _ = file(ctx, account, "kept.txt", b"123")
    trash(ctx, account, box)
    clock.advance(days=30, ms=-1)
    finish(maintenance.expire_trash(ctx))
    assert quota(ctx, account).used == 8
    clock.advance(ms=1)
    finish(maintenance.expire_trash(ctx))
    finish(maintenance.purge(ctx, account.account_id))
    assert [is_there(ctx, account, key) for key in (box, inside, kept)] == [False, False, True]
    assert quota(ctx, account).used == 3
    assert "more than 30 days ago" in caplog.text
    assert "used space went from 8 to 3 bytes" in caplog.text


def test_retention_leaves_a_purge_in_the_outbox_even_if_it_is_stopped_right_there(
    ctx: ServiceContext, account: Account, clock: HeldClock
) -> None:
    trash(ctx, account, file(ctx, account, "a.txt", b"12345")[0])
    clock.advance(days=31)
    next(maintenance.expire_trash(ctx))

    def claim(unit: Unit) -> object:
        return unit.outbox.claim([PURGE], clock.now(), lease="x", lease_until=clock.now() + 1)

    job = ctx.metadata.write(claim)
    assert getattr(job, "subject", None) == str(account.account_id)


def test_what_was_restored_in_time_is_kept(ctx: ServiceContext, account: Account, clock: HeldClock) -> None:
    key, _ = file(ctx, account, "a.txt", b"12345")
    trash(ctx, account, key)
    clock.advance(days=29)
    ctx.metadata.write(lambda unit: unit.tree.restore(account.account_id, [key], clock.now()))
    clock.advance(days=300)
    finish(maintenance.expire_trash(ctx))
    finish(maintenance.purge(ctx, account.account_id))
    assert is_there(ctx, account, key)


def test_a_purge_goes_on_where_it_was_stopped(
    ctx: ServiceContext, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_pace(monkeypatch, 10)
    box = folder(ctx, account, "box")
    for number in range(45):
        file(ctx, account, f"{number}.txt", b"%d" % number, box)
    trash(ctx, account, box)
    ctx.metadata.write(lambda unit: unit.purge.mark_all_for_deletion(account.account_id, ctx.clock.now()))
    assert len(list(islice(maintenance.purge(ctx, account.account_id), 2))) == 2
    assert quota(ctx, account).used > 0
    finish(maintenance.purge(ctx, account.account_id))
    assert quota(ctx, account).used == 0


def begin_upload(ctx: ServiceContext, account: Account, name: str) -> str:
    new = NewUpload(
        upload_key=ctx.new_key(), parent_key=account.root_key, name=name, size=1000, md5="0" * 32, details=b"{}"
    )
    now = ctx.clock.now()
    ctx.metadata.write(lambda unit: unit.uploads.begin(account.account_id, new, now))
    with ctx.blobs.uploading(new.upload_key) as upload:
        upload.append([b"x" * 100], after=None)
    return new.upload_key


def quarantined(ctx: ServiceContext) -> dict[str, str]:
    with ctx.metadata.read() as unit:
        return {one.location: one.reason for one in unit.quarantine.page(limit=100)}


def uploads(ctx: ServiceContext) -> set[str]:
    return {upload.upload_id.upper() for upload in ctx.blobs.list_uploads()}


def test_an_abandoned_upload_is_discarded_after_a_week(ctx: ServiceContext, account: Account, clock: HeldClock) -> None:
    old = begin_upload(ctx, account, "old")
    clock.advance(days=3)
    young = begin_upload(ctx, account, "young")
    clock.advance(days=4, ms=1)
    finish(maintenance.expire_uploads(ctx))
    assert uploads(ctx) == {young}
    assert old != young
    assert quota(ctx, account).reserved == 1000


def test_an_upload_that_somebody_holds_is_not_discarded_and_does_not_stop_the_task(
    ctx: ServiceContext, account: Account, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maintenance, "STEP", 1)
    held = begin_upload(ctx, account, "held")
    clock.advance(days=8)
    with ctx.blobs.uploading(held):
        finish(maintenance.expire_uploads(ctx))
    assert uploads(ctx) == {held}
    finish(maintenance.expire_uploads(ctx))
    assert uploads(ctx) == set()


def test_sessions_nonces_and_failed_logins_are_forgotten_when_their_time_is_over(
    ctx: ServiceContext, account: Account, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maintenance, "STEP", 2)
    now, account_id = clock.now(), account.account_id
    buckets = login_throttle.LoginBuckets("ada@example.org", "192.0.2.1", None)

    def fill(unit: Unit) -> None:
        for number in range(5):
            unit.devices.register(
                account_id, NewDevice(device_key=f"d{number}", device_name="D", platform_type="P"), now
            )
            session = NewSession(secret_hash=bytes([number]), device_key=f"d{number}", expires_at=now + DAY)
            unit.sessions.open(account_id, session, now)
            unit.nonces.add(bytes([number]), account_id, bytes([number]), now + 1000)
        unit.throttles.failed(buckets.account, now, login_throttle.OF_ACCOUNT)

    ctx.metadata.write(fill)
    clock.advance(days=2)
    finish(maintenance.expire_attempts(ctx))
    finish(maintenance.expire_sessions(ctx))

    def left(unit: Unit) -> tuple[int, ...]:
        later = now + 10 * DAY
        return (unit.nonces.sweep(later, 99), unit.sessions.sweep(later, 99), unit.throttles.sweep(later, 99))

    assert ctx.metadata.write(left) == (0, 0, 0)
    with ctx.metadata.read() as unit:
        assert len(unit.devices.of_account(account_id)) == 5
    clock.advance(days=401)
    finish(maintenance.expire_sessions(ctx))
    with ctx.metadata.read() as unit:
        assert unit.devices.of_account(account_id) == []


def test_what_lives_is_not_forgotten(ctx: ServiceContext, account: Account, clock: HeldClock) -> None:
    now = clock.now()

    def fill(unit: Unit) -> None:
        unit.devices.register(account.account_id, NewDevice(device_key="d", device_name="D", platform_type="P"), now)
        unit.sessions.open(account.account_id, NewSession(secret_hash=b"s", device_key="d", expires_at=now + DAY), now)

    ctx.metadata.write(fill)
    clock.advance(days=1, ms=-1)
    finish(maintenance.expire_sessions(ctx))
    with ctx.metadata.read() as unit:
        assert unit.sessions.find(b"s", clock.now()) is not None


def test_content_that_nothing_refers_to_is_deleted_after_its_time_in_quarantine(
    ctx: ServiceContext, account: Account, clock: HeldClock
) -> None:
    key, location = file(ctx, account, "a.txt", b"12345")
    _, kept = file(ctx, account, "b.txt", b"678")
    trash(ctx, account, key)
    ctx.metadata.write(lambda unit: unit.purge.mark_all_for_deletion(account.account_id, clock.now()))
    finish(maintenance.purge(ctx, account.account_id))
    finish(contents.collect_unreferenced_blobs(ctx))
    assert quarantined(ctx) == {}
    clock.advance(minutes=61)
    finish(contents.collect_unreferenced_blobs(ctx))
    assert quarantined(ctx) == {location: "released"}
    # History needs it first, and its time in quarantine begins afterwards.
    clock.advance(days=29)
    finish(contents.empty_quarantine(ctx))
    finish(expire_history(ctx))
    assert quarantined(ctx) == {location: "released"}
    clock.advance(days=1)
    finish(expire_history(ctx))
    clock.advance(days=7, ms=-1)
    finish(contents.empty_quarantine(ctx))
    assert locations(ctx) == {location, kept}
    clock.advance(ms=1)
    finish(contents.empty_quarantine(ctx))
    assert locations(ctx) == {kept}
    assert quarantined(ctx) == {}


def test_where_no_history_is_kept_a_purge_keeps_nothing(
    ctx: ServiceContext, account: Account, clock: HeldClock
) -> None:
    ctx.metadata.write(lambda unit: unit.history.set_days(account.account_id, 0))
    key, location = file(ctx, account, "a.txt", b"12345")
    trash(ctx, account, key)
    ctx.metadata.write(lambda unit: unit.purge.mark_all_for_deletion(account.account_id, clock.now()))
    finish(maintenance.purge(ctx, account.account_id))
    clock.advance(minutes=61)
    finish(contents.collect_unreferenced_blobs(ctx))
    assert quarantined(ctx) == {location: "released"}
    clock.advance(days=7)
    finish(contents.empty_quarantine(ctx))
    assert locations(ctx) == set()


def on_real_time(clock: HeldClock) -> None:
    """Move the clock to the real time: the blob store's times are the file system's."""
    clock.advance(ms=time.time_ns() // 1_000_000 - clock.now())


def test_the_sweeper_puts_old_bytes_that_no_row_knows_into_quarantine_and_nothing_else(
    ctx: ServiceContext, account: Account, clock: HeldClock
) -> None:
    on_real_time(clock)
    _, referred = file(ctx, account, "a.txt", b"12345")
    orphan = ctx.blobs.put([b"left behind by a crash"]).location
    upload, lost = begin_upload(ctx, account, "in progress"), "0" * 31 + "F"
    with ctx.blobs.uploading(lost) as writing:
        writing.append([b"x"], after=None)
    clock.advance(minutes=23 * 60)
    finish(orphans.sweep_orphans(ctx))
    assert quarantined(ctx) == {}
    clock.advance(minutes=2 * 60)
    for _ in range(2):
        finish(orphans.sweep_orphans(ctx))
    assert quarantined(ctx) == {orphan: "orphan", lost: "orphan"}
    assert locations(ctx) == {referred, orphan}
    assert uploads(ctx) == {upload, lost}
    clock.advance(days=7)
    finish(contents.empty_quarantine(ctx))
    assert locations(ctx) == {referred}
    assert uploads(ctx) == {upload}


def test_every_task_can_be_stopped_after_any_step_and_done_again(
    ctx: ServiceContext, account: Account, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (maintenance, contents, orphans, quarantine):
        monkeypatch.setattr(module, "STEP", 1)
    hold_pace(monkeypatch, 1)
    on_real_time(clock)
    for number in range(3):
        trash(ctx, account, file(ctx, account, f"{number}.txt", b"%d" % number)[0])
        begin_upload(ctx, account, f"upload {number}")
        ctx.blobs.put([b"orphan %d" % number])
    clock.advance(days=50)
    for _ in range(40):
        for task in maintenance.PERIODIC_TASKS:
            steps = task.steps(ctx)
            next(steps, None)
            steps.close()  # type: ignore[attr-defined]
        next(maintenance.purge(ctx, account.account_id), None)
        clock.advance(minutes=12 * 60)
    for _ in range(2):
        for task in maintenance.PERIODIC_TASKS:
            finish(task.steps(ctx))
        clock.advance(days=40)
    finish(contents.empty_quarantine(ctx))
    assert quota(ctx, account).used == quota(ctx, account).reserved == 0
    assert uploads(ctx) == locations(ctx) == set()
