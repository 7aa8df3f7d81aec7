"""Brakes: a job that deletes stops where it would delete more than it can explain.

A mistake of the operator, such as another database over the same blobs, looks to a sweeper like a store full of
orphans. So a share of more than a few per cent stops the job until an operator has looked. The brake is stored: every
instance respects it, /readyz and /metrics report it, and `skyshelf admin brake` releases it.

A job that deletes by age also records the time up to which it has deleted. Its next run should find nothing older; if
it does, times are corrupt, or rows of another database have been mixed in.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress

import msgspec

from skyshelf.service.audit import kinds, new_event
from skyshelf.service.context import ServiceContext
from skyshelf.storage.errors import StoresDoNotMatch
from skyshelf.storage.identity import advance, mismatch
from skyshelf.storage.metadata.contracts.jobs import Due
from skyshelf.storage.metadata.store import Unit

_log = logging.getLogger("skyshelf.background")
_SETTING = "jobs.brakes"
FEW = 50
FEW_OF_FEW = 10
SHARE_MAX = 0.03
WRONG_STORE = "Are these the right database and blobs? If they are"
STOPPED = "stopped by a brake"
"""The error of a job in the outbox that a brake has stopped."""
RELEASE_MS = 24 * 60 * 60 * 1000
_PROGRESS_SETTING = "jobs.progress"


class Brake(msgspec.Struct, frozen=True):
    """A stopped job, since when and why."""

    task: str
    since: int
    reason: str
    released_until: int = 0
    released_for: str = ""
    """The operator's reason for releasing it until that time."""


class BrakePulled(Exception):
    """The job stops here; the brake is stored."""


def brakes(ctx: ServiceContext) -> list[Brake]:
    """List the brakes that stop a job now."""
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        return [brake for brake in _stored(unit).values() if brake.released_until <= now]


def are_too_many(found: int, of: int) -> bool:
    """Whether a job would remove more than a few, and more than a few per cent of all, or most of a small store."""
    return found > max(FEW, int(of * SHARE_MAX)) or (found > FEW_OF_FEW and 2 * found > of)


def check(ctx: ServiceContext, task: str, problem: str | None, advice: str = WRONG_STORE) -> None:
    """Stop a job because of a problem, or release its brake if there is none. Jobs call it when they begin."""
    if problem is None:
        clear(ctx, task)
    else:
        pull(ctx, task, problem, advice)


def pull(ctx: ServiceContext, task: str, reason: str, advice: str = WRONG_STORE) -> None:
    """Stop a job unless an operator has released it: raises BrakePulled. The advice says what to look at."""
    now = ctx.clock.now()

    def work(unit: Unit) -> Brake:
        stored = _stored(unit)
        known = stored.get(task)
        brake = Brake(task, now, reason) if known is None else msgspec.structs.replace(known, reason=reason)
        stored[task] = brake
        unit.settings.store(_SETTING, stored)
        return brake

    brake = ctx.metadata.write(work)
    if brake.released_until > now:
        _log.warning("%s runs although %s: released because %s", task, reason, brake.released_for)
        return
    _log.error(
        "%s was stopped and has deleted nothing: %s. %s, run skyshelf admin brake release %s --reason WHY",
        task,
        reason,
        advice,
        task,
    )
    raise BrakePulled(reason)


def clear(ctx: ServiceContext, task: str) -> None:
    """Release a brake whose reason is gone."""
    with ctx.metadata.read() as unit:
        if task not in _stored(unit):
            return

    def work(unit: Unit) -> None:
        stored = _stored(unit)
        stored.pop(task, None)
        unit.settings.store(_SETTING, stored)

    ctx.metadata.write(work)
    _log.info("the brake of %s is released: its reason is gone", task)


def release(ctx: ServiceContext, task: str, why: str) -> Brake | None:
    """Let a stopped job run for a day; None if it is not stopped."""
    now, event = ctx.clock.now(), new_event(ctx, kinds.BRAKE_RELEASED, job=task, reason=why)

    def work(unit: Unit) -> Brake | None:
        stored = _stored(unit)
        known = stored.get(task)
        if known is None:
            return None
        stored[task] = msgspec.structs.replace(known, released_until=now + RELEASE_MS, released_for=why)
        unit.settings.store(_SETTING, stored)
        # Stopped jobs wait for their next turn; now they are due.
        unit.outbox.retry_failed(STOPPED, now)
        unit.audit.add([event])
        return stored[task]

    brake = ctx.metadata.write(work)
    if brake is not None:
        _log.warning("the brake of %s is released for a day: %s", task, why)
    return brake


def _stored(unit: Unit) -> dict[str, Brake]:
    return unit.settings.load(_SETTING, dict[str, Brake]) or {}


def overdue(ctx: ServiceContext, task: str, due: Callable[[Unit, int], Due], things: str) -> str | None:
    """Explain why a job must not continue: earlier runs should have deleted these things. None if it may."""
    with ctx.metadata.read() as unit:
        done_up_to = _stored_progress(unit).get(task)
        if done_up_to is None:
            return None
        count = due(unit, done_up_to).count
    if count <= FEW:
        return None
    return f"{count:,} {things} are so old that the last run would have deleted them, but they were not there"


def check_overdue(ctx: ServiceContext, task: str, due: Callable[[Unit, int], Due], things: str) -> None:
    """Stop a job that deletes by age if it finds what earlier runs should have deleted."""
    check(ctx, task, overdue(ctx, task, due, things))


def note_progress(ctx: ServiceContext, task: str, done_up_to: int) -> None:
    """Record that everything up to that time was deleted."""

    def work(unit: Unit) -> None:
        stored = _stored_progress(unit)
        stored[task] = done_up_to
        unit.settings.store(_PROGRESS_SETTING, stored)

    ctx.metadata.write(work)


def _stored_progress(unit: Unit) -> dict[str, int]:
    return unit.settings.load(_PROGRESS_SETTING, dict[str, int]) or {}


# Watches: whether the clock and the two halves of the store can be trusted.
#
# A clock that jumps 40 days ahead would empty the trash at once. The latest time that any instance has seen is stored.
# If the clock is then more than a day away from it, in either direction, jobs that delete by age wait until it has
# advanced without a jump for a day, or until an operator confirms the time. A service that was switched off for days
# waits as well: nothing is lost by deleting a day later.

CLOCK_TASK = "clock"
_CLOCK_SETTING = "jobs.clock"
DAY = 24 * 60 * 60 * 1000
_ADVICE = "Jobs that delete by age wait until the clock has been steady for a day. If the time is right"
_LOOK_EVERY = 60 * 1000
IDENTITY_TASK = "identity"


class ClockReading(msgspec.Struct, frozen=True):
    """The latest time seen, and since when it has advanced without a jump; 0 if it always has."""

    at: int
    steady_since: int = 0


class ClockWatch:
    """Watches the clock, one per process; `look` does something once a minute."""

    def __init__(self, ctx: ServiceContext) -> None:
        self._ctx = ctx
        self._looked = 0

    def look(self) -> None:
        """Record the time, and pull or clear the brake of the clock."""
        now = self._ctx.clock.now()
        if 0 <= now - self._looked < _LOOK_EVERY:
            return
        self._looked = now
        seen, jumped_by = self._ctx.metadata.write(lambda unit: _noted(unit, now))
        if jumped_by:
            hours = abs(jumped_by) / 3_600_000
            direction = "forward" if jumped_by > 0 else "back"
            reason = f"the clock moved {direction} by {hours:,.0f} hours since the service last looked"
            with suppress(BrakePulled):
                pull(self._ctx, CLOCK_TASK, reason, _ADVICE)
        elif seen.steady_since and now - seen.steady_since >= DAY:
            self._ctx.metadata.write(lambda unit: unit.settings.store(_CLOCK_SETTING, ClockReading(now)))
            clear(self._ctx, CLOCK_TASK)

    def is_trusted(self) -> bool:
        """Whether jobs that delete by age may run."""
        self.look()
        return all(brake.task != CLOCK_TASK for brake in brakes(self._ctx))


def _noted(unit: Unit, now: int) -> tuple[ClockReading, int]:
    """Record the time; returns the new state, and by how much the clock has jumped (0 for no jump)."""
    seen = unit.settings.load(_CLOCK_SETTING, ClockReading) or ClockReading(now)
    jumped_by = now - seen.at if abs(now - seen.at) > DAY else 0
    new = ClockReading(now, now if jumped_by else seen.steady_since)
    unit.settings.store(_CLOCK_SETTING, new)
    return new, jumped_by


def check_halves(ctx: ServiceContext) -> None:
    """Raise BrakePulled if another database uses these blobs, or if this one was replaced by an older copy."""
    problem = mismatch(ctx.metadata, ctx.blobs)
    if problem is not None:
        pull(ctx, IDENTITY_TASK, problem)


def advance_generation(ctx: ServiceContext) -> Iterator[None]:
    """Record in both halves of the store that they are in use together, to recognise a database that was restored from
    an older copy."""
    try:
        advance(ctx.metadata, ctx.blobs)
    except StoresDoNotMatch as problem:
        pull(ctx, IDENTITY_TASK, str(problem))
    else:
        clear(ctx, IDENTITY_TASK)
    yield
