"""Retention: values that the operator chooses are what jobs and uploads go by."""

import logging

import msgspec
import pytest
from tests.server.api import HeldClock
from tests.service.jobs.test_maintenance import begin_upload, finish, is_there, uploads
from tests.service.making import file, trash

from skyshelf.service import retention
from skyshelf.service.accounts import accounts
from skyshelf.service.accounts.own_account import app_settings
from skyshelf.service.context import ServiceContext, SettingsCache
from skyshelf.service.integrity.quarantine import set_aside_blobs
from skyshelf.service.jobs import contents, maintenance
from skyshelf.storage.metadata.contracts.accounts import Account


@pytest.fixture
def account(ctx: ServiceContext) -> Account:
    return accounts.add_account(ctx, "ada@example.org", "Ada", "Byron", "correct horse battery")


def set_now(ctx: ServiceContext, clock: HeldClock, **values: int) -> None:
    for name, value in values.items():
        retention.set_retention(ctx, name, value)
    clock.advance(ms=retention.DELAY_MS)


def test_every_setting_has_a_field_and_every_default_is_within_its_bounds() -> None:
    assert set(retention.BY_NAME) == set(retention.Retention.__struct_fields__)
    assert all(one.minimum <= one.default <= one.maximum for one in retention.SETTINGS)


def test_a_shorter_value_counts_after_a_day_and_a_longer_one_at_once(
    ctx: ServiceContext, account: Account, clock: HeldClock
) -> None:
    key, _ = file(ctx, account, "a.txt", b"12345")
    trash(ctx, account, key)
    clock.advance(days=5)
    effective, due = retention.set_retention(ctx, "trash_days", 3)
    assert (effective.value, effective.later) == (30, 3)
    assert due is not None
    assert (due.count, due.size) == (1, 5)
    finish(maintenance.expire_trash(ctx))
    finish(maintenance.purge(ctx, account.account_id))
    assert is_there(ctx, account, key)
    clock.advance(ms=retention.DELAY_MS)
    retention.set_retention(ctx, "trash_days", 100)
    finish(maintenance.expire_trash(ctx))
    finish(maintenance.purge(ctx, account.account_id))
    assert is_there(ctx, account, key)
    set_now(ctx, clock, trash_days=3)
    finish(maintenance.expire_trash(ctx))
    finish(maintenance.purge(ctx, account.account_id))
    assert not is_there(ctx, account, key)


def test_other_instances_follow_and_log_it(
    ctx: ServiceContext, clock: HeldClock, caplog: pytest.LogCaptureFixture
) -> None:
    other = msgspec.structs.replace(ctx, known_settings=SettingsCache())
    assert retention.load_retention(other).versions_kept == 20
    retention.set_retention(ctx, "versions_kept", 50)
    assert retention.retention(other).versions_kept == 20
    with caplog.at_level(logging.WARNING):
        assert retention.load_retention(other).versions_kept == 50
    assert "an operator changed versions_kept from 20 to 50" in caplog.text
    retention.set_retention(ctx, "versions_kept", None)
    clock.advance(ms=retention.DELAY_MS)
    assert retention.load_retention(other).versions_kept == 20


def test_clients_see_the_values(ctx: ServiceContext) -> None:
    retention.set_retention(ctx, "trash_days", 45)
    retention.set_retention(ctx, "versions_kept", 99)
    shown = app_settings(ctx)
    assert (shown.trash_retention_days, shown.versions_kept) == (45, 99)


def test_uploads_quarantine_and_changes_go_by_their_settings(
    ctx: ServiceContext, account: Account, clock: HeldClock
) -> None:
    for name, value in (("upload_days", 20), ("quarantine_days", 20), ("changes_days", 200)):
        retention.set_retention(ctx, name, value)
    upload = begin_upload(ctx, account, "slow")
    blob = ctx.blobs.put([b"aside"])
    set_aside_blobs(ctx, {blob.location: blob.size}, "released")
    clock.advance(days=19)
    finish(maintenance.expire_uploads(ctx))
    finish(contents.empty_quarantine(ctx))
    assert uploads(ctx) == {upload}
    assert ctx.blobs.size(blob.location) == blob.size
    clock.advance(days=2)
    finish(maintenance.expire_uploads(ctx))
    finish(contents.empty_quarantine(ctx))
    assert uploads(ctx) == set()
    assert list(ctx.blobs.list()) == []
    trash(ctx, account, file(ctx, account, "a.txt", b"12345")[0])
    clock.advance(days=150)
    finish(maintenance.expire_changes(ctx))
    with ctx.metadata.read() as unit:
        assert unit.expiry.changes(clock.now()).count > 0
    clock.advance(days=51)
    finish(maintenance.expire_changes(ctx))
    with ctx.metadata.read() as unit:
        assert unit.expiry.changes(clock.now()).count == 0


def test_how_much_a_shorter_value_would_take_is_counted(
    ctx: ServiceContext, account: Account, clock: HeldClock
) -> None:
    for number in range(4):
        file(ctx, account, "same.txt", b"%d" % number)
    begin_upload(ctx, account, "slow")
    blob = ctx.blobs.put([b"aside"])
    set_aside_blobs(ctx, {blob.location: blob.size}, "orphan")
    clock.advance(days=3)
    counted = {
        name: retention.set_retention(ctx, name, value)[1]
        for name, value in (("versions_kept", 1), ("upload_days", 2), ("quarantine_days", 2), ("scrub_days", 10))
    }
    assert {name: due and (due.count, due.size) for name, due in counted.items()} == {
        "versions_kept": (3, 3),
        "upload_days": (1, 0),
        "quarantine_days": (1, 5),
        "scrub_days": None,
    }
