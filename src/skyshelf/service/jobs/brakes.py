"""Brakes: a job that deletes stops where it would delete more than it can explain.

A mistake of the operator, such as another database over the same blobs, looks to a sweeper like a store full of
orphans. So a share of more than a few per cent stops it until an operator has looked. The brake is stored: every
instance respects it, /readyz and /metrics report it, and `skyshelf admin brake` releases it.
"""

import logging

import msgspec

from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event
from skyshelf.service.context import ServiceContext
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


class Brake(msgspec.Struct, frozen=True):
    """A job that does not run, since when and why."""

    task: str
    since: int
    reason: str
    released_until: int = 0
    released_for: str = ""
    """Why an operator released it, until that time."""


class BrakePulled(Exception):
    """The job stops here; the brake is stored."""


def brakes(ctx: ServiceContext) -> list[Brake]:
    """The brakes that hold a job now."""
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        return [brake for brake in _stored(unit).values() if brake.released_until <= now]


def are_too_many(found: int, of: int) -> bool:
    """Whether a job would remove more than a few, and more than a few per cent of all; or most of a small store."""
    return found > max(FEW, int(of * SHARE_MAX)) or (found > FEW_OF_FEW and 2 * found > of)


def check(ctx: ServiceContext, task: str, problem: str | None, advice: str = WRONG_STORE) -> None:
    """Stop a job because of a problem, or release its brake if there is none; the one place where a job begins."""
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
        _store(unit, stored)
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
    """The reason for a brake is gone."""
    with ctx.metadata.read() as unit:
        if task not in _stored(unit):
            return

    def work(unit: Unit) -> None:
        stored = _stored(unit)
        stored.pop(task, None)
        _store(unit, stored)

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
        _store(unit, stored)
        # Jobs that were stopped wait for their next turn; now they are due.
        unit.outbox.retry_failed(STOPPED, now)
        unit.audit.add([event])
        return stored[task]

    brake = ctx.metadata.write(work)
    if brake is not None:
        _log.warning("the brake of %s is released for a day: %s", task, why)
    return brake


def _stored(unit: Unit) -> dict[str, Brake]:
    kept = unit.settings.get(_SETTING)
    return msgspec.json.decode(kept, type=dict[str, Brake]) if kept else {}


def _store(unit: Unit, stored: dict[str, Brake]) -> None:
    unit.settings.set(_SETTING, msgspec.json.encode(stored))
