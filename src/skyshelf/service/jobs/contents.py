"""Content without references: it goes to quarantine first, and is deleted when its time there is over."""

import logging
from collections.abc import Iterator

from skyshelf.service.context import ServiceContext
from skyshelf.service.integrity import quarantine
from skyshelf.service.jobs import brakes
from skyshelf.service.retention import retention
from skyshelf.storage.metadata.contracts.content import QuarantineEntry
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.sizes import format_size

_log = logging.getLogger("skyshelf.background")

MINUTE = 60 * 1000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
# All rows of a content go at the same time, whether or not another account has it: thumbnails wait as long.
UNREFERENCED_GRACE = HOUR
SHORT_GRACE = MINUTE
"""If space is short, only downloads that are about to begin matter."""
COLLECT = "collect-unreferenced-blobs"
EMPTY = "empty-quarantine"
STEP = 500
_EARLY_STEP = 50


def unreferenced_grace(ctx: ServiceContext) -> int:
    return SHORT_GRACE if ctx.reservations.disk.is_short() else UNREFERENCED_GRACE


def collect_unreferenced_blobs(ctx: ServiceContext) -> Iterator[None]:
    """Put content without references into quarantine, and delete its thumbnails, which can be generated again."""
    before = ctx.clock.now() - unreferenced_grace(ctx)
    brakes.check(ctx, COLLECT, _miscounted(ctx), "`skyshelf admin doctor --repair` counts again. To collect the others")
    yield from _collect_thumbnails(ctx, before)
    now = ctx.clock.now()
    while True:
        released = ctx.metadata.write(lambda unit: unit.content.release_idle(before, STEP, now))
        # If this is interrupted, the rest is swept later: no row refers to these locations now.
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
    """Delete thumbnails of deleted content, at the same time whether or not another account has it."""
    more = True
    while more:
        locations, more = ctx.metadata.write(lambda unit: unit.thumbnails.release_idle(before, STEP))
        for location in locations:
            ctx.blobs.delete(location)
        yield


# Quarantine


def empty_quarantine(ctx: ServiceContext) -> Iterator[None]:
    """Delete for good what has been in quarantine long enough.

    If the disk is at its reserve, or the quarantine too large, content that accounts deleted goes earlier, so no user
    can fill the disk with uploads and deletions. Content that no account deleted always stays for its whole time.
    """
    brakes.check_halves(ctx)
    up_to = ctx.clock.now() - retention(ctx).quarantine_days * DAY
    now = ctx.clock.now()
    while ctx.metadata.write(lambda unit: unit.quarantine.postpone(up_to, STEP, now)):
        yield
    problem, advice = _unexplained(ctx, up_to)
    brakes.check(ctx, EMPTY, problem, advice)
    _reinstate_referred(ctx, up_to)
    yield from quarantine.finish_deletions(ctx)
    for deleted in quarantine.delete_quarantined(ctx, up_to, spare_history=True):
        _log.info("deleted %s for good, after its time in quarantine", _described(deleted))
        yield
    brakes.note_progress(ctx, EMPTY, up_to)
    yield from _delete_early(ctx)


def _delete_early(ctx: ServiceContext) -> Iterator[None]:
    """Delete what accounts deleted, oldest first, as long as space is needed.

    What no history needs goes first, of the account that has the most of it for its quota; then the history of the
    account that has the most for its quota. So no account's deletions push out what another deleted.
    """
    with ctx.metadata.read() as unit:
        released = sum(one.size for one in unit.quarantine.totals() if one.reason == "released")
    excess = released - (retention(ctx).quarantine_gib << 30)
    turns: _Turns | None = None
    while excess > 0 or ctx.reservations.disk.is_short():
        turns = turns or _Turns(ctx)
        account_id = turns.next()
        unneeded = quarantine.delete_quarantined(
            ctx, ctx.clock.now(), reason="released", step=_EARLY_STEP, spare_history=True, account_id=account_id
        )
        deleted = next(unneeded, None)
        if deleted is None:
            if account_id is not None:
                turns.end(account_id)
            elif not ctx.metadata.write(lambda unit: unit.history.give_up_some(_EARLY_STEP)):
                return
            yield
            continue
        size = sum(one.size for one in deleted)
        why = "there is too much" if excess > 0 else "the disk is at its reserve"
        excess -= size
        turns.note(account_id, size)
        _log.warning("deleted %s from quarantine early: %s", _described(deleted), why)
        yield


class _Turns:
    """Whose deleted contents go next; those of nobody known go last."""

    def __init__(self, ctx: ServiceContext) -> None:
        with ctx.metadata.read() as unit:
            self._left = {one.account_id: one for one in unit.quarantine.unneeded()}

    def next(self) -> int | None:
        """Return the account that has the most for its quota; None where nobody has any, for all others."""
        most = max(self._left.values(), key=lambda one: one.size / one.quota if one.quota else 0, default=None)
        return None if most is None else most.account_id

    def note(self, account_id: int | None, size: int) -> None:
        if account_id is not None:
            left = self._left[account_id]
            self._left[account_id] = left._replace(size=max(0, left.size - size))

    def end(self, account_id: int) -> None:
        del self._left[account_id]


def relieve_disk(ctx: ServiceContext) -> None:
    """If the disk is short of space, schedule what deletes contents earlier than usual, unless a brake stops it."""
    if not ctx.reservations.disk.is_short():
        return
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        idle = unit.content.is_idle_since(now - SHORT_GRACE)
        helping = [(COLLECT, idle), (EMPTY, bool(unit.quarantine.page(reason="released", limit=1)))]
    stopped = {brake.task for brake in brakes.brakes(ctx)}
    tasks = [task for task, helps in helping if helps and task not in stopped]

    def work(unit: Unit) -> None:
        for task in tasks:
            unit.outbox.put(task, "", b"", now)

    if tasks:
        ctx.metadata.write(work)


def _unexplained(ctx: ServiceContext, up_to: int) -> tuple[str | None, str]:
    """Return why the quarantine must not be emptied now, and what to do about it."""
    with ctx.metadata.read() as unit:
        referred = unit.quarantine.referred(up_to, brakes.FEW)
        odd = unit.quarantine.unexplained(up_to)
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
    return brakes.overdue(
        ctx, EMPTY, lambda unit, before: unit.expiry.quarantine(before), "contents"
    ), brakes.WRONG_STORE


def _reinstate_referred(ctx: ServiceContext, up_to: int) -> None:
    """After an operator has looked, release contents that files refer to."""
    while True:
        with ctx.metadata.read() as unit:
            referred = unit.quarantine.referred(up_to, STEP)
        if not referred:
            return
        for location in referred:
            ctx.metadata.write(lambda unit, location=location: unit.quarantine.reinstate(location))  # type: ignore[misc]
        _log.warning("%d contents left the quarantine: files refer to them", len(referred))


def _described(deleted: list[QuarantineEntry]) -> str:
    return f"{len(deleted):,} contents ({format_size(sum(one.size for one in deleted))})"
