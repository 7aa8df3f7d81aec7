"""Unreferenced content: it goes to quarantine first, and is deleted when its time there is over."""

import logging
from collections.abc import Iterator

from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs import brakes
from skyshelf.service.jobs.identity_watch import check_halves
from skyshelf.service.jobs.progress import note_progress, overdue
from skyshelf.service.quarantine import delete_quarantined, finish_deletions
from skyshelf.service.retention import retention
from skyshelf.storage.metadata.contracts.quarantine import UNEXPLAINED, Quarantined
from skyshelf.wire.sizes import format_size

_log = logging.getLogger("skyshelf.background")

MINUTE = 60 * 1000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
# Of one content, all rows go at the same time, whether or not another account has it: thumbnails wait as long.
UNREFERENCED_GRACE = HOUR
SHORT_GRACE = MINUTE
"""Where space is short, only downloads matter that are about to begin."""
COLLECT = "collect-unreferenced-blobs"
EMPTY = "empty-quarantine"
STEP = 500
_EARLY_STEP = 50


def unreferenced_grace(ctx: ServiceContext) -> int:
    return UNREFERENCED_GRACE if ctx.reservations.disk.has_space() else SHORT_GRACE


def collect_unreferenced_blobs(ctx: ServiceContext) -> Iterator[None]:
    """Put content without references into quarantine, and delete its thumbnails, which can be made again."""
    before = ctx.clock.now() - unreferenced_grace(ctx)
    brakes.check(ctx, COLLECT, _miscounted(ctx), "`skyshelf admin doctor --repair` counts again. To collect the others")
    yield from _collect_thumbnails(ctx, before)
    now = ctx.clock.now()
    while True:
        released = ctx.metadata.write(lambda unit: unit.content.release_idle(before, STEP, now))
        # If this is interrupted, the rest is swept later: no row knows these locations now.
        for location in released.thumbnails:
            ctx.blobs.delete(location)
        if released.contents:
            _log.info("put %d unreferenced contents into quarantine", len(released.contents))
        yield
        if len(released.contents) < STEP:
            break
    relieve_disk(ctx)


def _miscounted(ctx: ServiceContext) -> str | None:
    with ctx.metadata.read() as unit:
        wrong = unit.content.miscounted(brakes.FEW + 1)
    if not wrong:
        return None
    count = f"more than {brakes.FEW}" if len(wrong) > brakes.FEW else str(len(wrong))
    return f"the counters of {count} contents say that no file has them, but files have"


def _collect_thumbnails(ctx: ServiceContext, before: int) -> Iterator[None]:
    """Delete thumbnails of what an account has deleted, at the same time whether or not another account has it."""
    more = True
    while more:
        locations, more = ctx.metadata.write(lambda unit: unit.thumbnails.release_idle(before, STEP))
        for location in locations:
            ctx.blobs.delete(location)
        yield


# Quarantine


def empty_quarantine(ctx: ServiceContext) -> Iterator[None]:
    """Delete for good what has been in quarantine long enough.

    While the disk is at its reserve, or beyond a size, what accounts deleted goes earlier, so that no user can fill the
    disk with uploads and deletions. What no account asked to delete always stays for its whole time.
    """
    check_halves(ctx)
    up_to = ctx.clock.now() - retention(ctx).quarantine_days * DAY
    problem, advice = _unexplained(ctx, up_to)
    brakes.check(ctx, EMPTY, problem, advice)
    _reinstate_referred(ctx)
    yield from finish_deletions(ctx)
    for deleted in delete_quarantined(ctx, up_to, spare_history=True):
        _log.info("deleted %s for good, after its time in quarantine", _described(deleted))
        yield
    note_progress(ctx, EMPTY, up_to)
    yield from _delete_early(ctx)


def _delete_early(ctx: ServiceContext) -> Iterator[None]:
    """What accounts deleted, oldest first, as long as that is needed."""
    with ctx.metadata.read() as unit:
        excess = unit.expiry.quarantine_beyond(retention(ctx).quarantine_gib << 30).size
    while excess > 0 or not ctx.reservations.disk.has_space():
        deleted = next(delete_quarantined(ctx, ctx.clock.now(), reason="released", step=_EARLY_STEP), None)
        if deleted is None:
            return
        why = "there is too much" if excess > 0 else "the disk is at its reserve"
        excess -= sum(one.size for one in deleted)
        _log.warning("deleted %s from quarantine early: %s", _described(deleted), why)
        yield


def relieve_disk(ctx: ServiceContext) -> None:
    """Have the quarantine emptied soon if the disk is at its reserve and that would help."""
    if ctx.reservations.disk.has_space():
        return
    with ctx.metadata.read() as unit:
        helps = bool(unit.quarantine.page(reason="released", limit=1))
    if helps:
        now = ctx.clock.now()
        ctx.metadata.write(lambda unit: unit.outbox.put(EMPTY, "", b"", now))


def _unexplained(ctx: ServiceContext, up_to: int) -> tuple[str | None, str]:
    """Why the quarantine must not be emptied now, and what to do about it."""
    with ctx.metadata.read() as unit:
        referred = unit.quarantine.referred(brakes.FEW)
        odd = sum(one.count for one in unit.quarantine.totals(up_to) if one.reason in UNEXPLAINED)
        of = odd + unit.expiry.contents() if odd > brakes.FEW_OF_FEW else odd
    if referred:
        return (
            f"files refer to {len(referred)} contents that are in quarantine",
            "Was a database restored? These contents stay in any case. If the rest can go",
        )
    if brakes.are_too_many(odd, of):
        return (
            f"{odd:,} contents that no account has deleted would go, beside {of - odd:,} that are in use",
            "Look at `skyshelf admin quarantine ls`. If nobody needs them",
        )
    return overdue(ctx, EMPTY, lambda unit, before: unit.expiry.quarantine(before), "contents"), brakes.WRONG_STORE


def _reinstate_referred(ctx: ServiceContext) -> None:
    """An operator has looked: what files refer to leaves the quarantine."""
    while True:
        with ctx.metadata.read() as unit:
            referred = unit.quarantine.referred(STEP)
        if not referred:
            return
        for location in referred:
            ctx.metadata.write(lambda unit, location=location: unit.quarantine.reinstate(location))  # type: ignore[misc]
        _log.warning("%d contents left the quarantine: files refer to them", len(referred))


def _described(deleted: list[Quarantined]) -> str:
    return f"{len(deleted):,} contents ({format_size(sum(one.size for one in deleted))})"
