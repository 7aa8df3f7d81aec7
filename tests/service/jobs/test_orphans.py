"""The sweep lists the store once, and only when something may have been left behind."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from tests.server.api import HeldClock
from tests.service.making import file

from skyshelf.service.accounts import accounts
from skyshelf.service.context import ServiceContext
from skyshelf.service.integrity import leftovers
from skyshelf.service.integrity.leftovers import LeftoverWatch
from skyshelf.service.jobs import orphans
from skyshelf.service.jobs.runner import JobRunner
from skyshelf.service.uploads import duplicates
from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS, BlobStore, ListedBlob, ListedUpload
from skyshelf.storage.errors import StoreUnavailable
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.watching import store_calls

DAYS_IN_MONTH = 31


@dataclass
class Listings:
    """How often the store was listed."""

    count: int = 0


@pytest.fixture
def listings(ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch) -> Listings:
    seen, list_all = Listings(), ctx.blobs.list_all

    def counted(_: BlobStore) -> Iterator[ListedBlob | ListedUpload]:
        seen.count += 1
        return list_all()

    monkeypatch.setattr(type(ctx.blobs), "list_all", counted)
    return seen


@pytest.fixture
def account(ctx: ServiceContext) -> Account:
    return accounts.add_account(ctx, "ada@example.org", "Ada", "Byron", "correct horse battery")


@pytest.fixture(autouse=True)
def real_time(clock: HeldClock) -> None:
    """The blob store's times are the file system's."""
    clock.advance(ms=time.time_ns() // 1_000_000 - clock.now())


def sweep(ctx: ServiceContext) -> None:
    for _ in orphans.sweep_if_due(ctx):
        pass


def quarantined(ctx: ServiceContext) -> set[str]:
    with ctx.metadata.read() as unit:
        return {one.location for one in unit.quarantine.page(limit=1000)}


def settled(ctx: ServiceContext, clock: HeldClock, listings: Listings) -> None:
    """A store that was swept, with nothing noted since."""
    clock.advance(days=2)
    sweep(ctx)
    listings.count = 0


def test_a_sweep_lists_the_store_once_whatever_it_finds(
    ctx: ServiceContext, account: Account, clock: HeldClock, listings: Listings
) -> None:
    for number in range(40):
        file(ctx, account, f"{number}.txt", b"known %d" % number)
    left = {ctx.blobs.put([b"left behind %d" % number]).location for number in range(5)}
    clock.advance(days=2)
    sweep(ctx)
    assert quarantined(ctx) == left
    assert listings.count == 1


def test_nothing_is_listed_on_a_day_on_which_nothing_can_have_been_left_behind(
    ctx: ServiceContext, clock: HeldClock, listings: Listings
) -> None:
    settled(ctx, clock, listings)
    for _ in range(DAYS_IN_MONTH - 2):
        clock.advance(days=1)
        sweep(ctx)
    assert listings.count == 0
    clock.advance(days=2)
    sweep(ctx)
    assert listings.count == 1, "once a month it is listed anyway"


def test_what_a_killed_process_left_is_swept_a_day_after_the_next_one_starts(
    ctx: ServiceContext, clock: HeldClock, listings: Listings
) -> None:
    settled(ctx, clock, listings)
    left = ctx.blobs.put([b"put, and killed before the commit"]).location
    JobRunner(ctx).schedule()
    clock.advance(minutes=23 * 60)
    sweep(ctx)
    assert listings.count == 0, "too young to be judged"
    clock.advance(minutes=61)
    sweep(ctx)
    assert listings.count == 1
    clock.advance(days=1)
    sweep(ctx)
    assert listings.count == 1
    assert quarantined(ctx) == {left}


def test_starts_every_hour_do_not_put_the_sweep_off(ctx: ServiceContext, clock: HeldClock, listings: Listings) -> None:
    settled(ctx, clock, listings)
    for _ in range(26):
        JobRunner(ctx).schedule()
        clock.advance(minutes=60)
        sweep(ctx)
    assert listings.count > 0


def test_a_failed_call_and_a_copy_that_nobody_settles_are_reasons_to_look(
    ctx: ServiceContext, clock: HeldClock, listings: Listings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failed_call() -> None:
        with pytest.raises(StoreUnavailable), store_calls.timed("bucket", "put"):
            raise StoreUnavailable("no response")

    def full_queue() -> None:
        monkeypatch.setattr(duplicates, "_WAITING_MAX", 0)
        duplicates.Settler().submit(lambda: None)

    for number, reason in enumerate((failed_call, full_queue), start=1):
        settled(ctx, clock, listings)
        watch = LeftoverWatch()
        watch.look(ctx.metadata, clock.now())
        with ctx.metadata.read() as unit:
            assert not leftovers.is_due(unit, clock.now() + 2 * SWEEP_GRACE_MS)
        reason()
        watch.look(ctx.metadata, clock.now())
        clock.advance(minutes=24 * 60)
        sweep(ctx)
        assert listings.count == 1, number


def test_a_command_that_puts_many_files_is_noted_while_it_works_and_not_all_the_time(
    ctx: ServiceContext, clock: HeldClock
) -> None:
    def noted() -> bytes | None:
        with ctx.metadata.read() as unit:
            return unit.settings.get("sweep.noted")

    watch = LeftoverWatch()
    watch.look(ctx.metadata, clock.now(), at_work=True)
    first = noted()
    assert first is not None
    clock.advance(minutes=59)
    watch.look(ctx.metadata, clock.now(), at_work=True)
    assert noted() == first
    clock.advance(minutes=2)
    watch.look(ctx.metadata, clock.now(), at_work=True)
    assert noted() != first


def test_a_sweep_that_was_stopped_is_not_over(ctx: ServiceContext, clock: HeldClock, listings: Listings) -> None:
    left = {ctx.blobs.put([b"left %d" % number]).location for number in range(3)}
    clock.advance(days=2)
    steps = orphans.sweep_if_due(ctx)
    next(steps)
    next(steps)
    del steps
    assert len(quarantined(ctx)) < len(left)
    sweep(ctx)
    assert quarantined(ctx) == left


def test_what_is_referred_to_again_between_the_listing_and_the_end_stays(
    ctx: ServiceContext, account: Account, clock: HeldClock
) -> None:
    """An operator may have put the right database back, or a repair may have taken the copy."""
    _, location = file(ctx, account, "a.txt", b"the content")
    other = ctx.blobs.put([b"the content"])
    clock.advance(days=2)
    steps = orphans.sweep_if_due(ctx)
    next(steps)
    assert ctx.metadata.write(lambda unit: unit.content.relocate(other.sha256, location, other.location, clock.now()))
    for _ in steps:
        pass
    assert quarantined(ctx) == {location}
    ctx.blobs.size(other.location)
