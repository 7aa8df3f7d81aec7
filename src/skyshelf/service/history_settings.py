"""How long history is kept, and forgetting it. Less of it takes what a login takes: a thief would do that first."""

from typing import Final

from skyshelf.service.accounts.passkeys.confirmation import change_confirmed
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.history import oldest_date
from skyshelf.service.history_days import history_days
from skyshelf.service.retention import retention
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.history import ForgetRequest, HistoryChoice, HistorySettings

EXPIRE_HISTORY: Final = "expire-history"
"""The job that removes what is no longer kept (jobs/history.py)."""


def history_settings(ctx: ServiceContext, caller: Caller) -> HistorySettings:
    """How long history is kept, since when there is some, and what it takes."""
    with ctx.metadata.snapshot() as unit:
        bounds = unit.history.bounds(caller.account_id)
        used = unit.history.used(caller.account_id)
        oldest = oldest_date(unit, caller.account_id, bounds)
    return HistorySettings(
        days=history_days(ctx, bounds),
        days_max=retention(ctx).history_days,
        oldest_date=oldest,
        size_in_bytes=used,
    )


def set_history(
    ctx: ServiceContext, caller: Caller, request: HistoryChoice, address: str, origin: str
) -> HistorySettings:
    """Choose how long history is kept."""
    with ctx.metadata.read() as unit:
        _refuse_paused(unit, caller)
        before = history_days(ctx, unit.history.bounds(caller.account_id))
    event = new_event(ctx, kinds.HISTORY_DAYS_CHANGED, caller, days=request.days)

    def work(unit: Unit) -> None:
        unit.act_as(caller.actor)
        unit.history.set_days(caller.account_id, request.days)

    if request.days is None or request.days >= before:
        recorded(ctx, work, event)
    else:
        change_confirmed(ctx, caller, request.confirmation, work, event, address=address, origin=origin)
    return history_settings(ctx, caller)


def forget_history(
    ctx: ServiceContext, caller: Caller, request: ForgetRequest, address: str, origin: str
) -> HistorySettings:
    """Forget everything up to now; contents are deleted in the background."""
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        _refuse_paused(unit, caller)
    event = new_event(ctx, kinds.HISTORY_FORGOTTEN, caller)

    def work(unit: Unit) -> None:
        unit.act_as(caller.actor)
        unit.history.forget(caller.account_id, now)
        unit.outbox.put(EXPIRE_HISTORY, "", b"", now)

    change_confirmed(ctx, caller, request.confirmation, work, event, address=address, origin=origin)
    ctx.job_notifier.notify()
    return history_settings(ctx, caller)


def _refuse_paused(unit: Unit, caller: Caller) -> None:
    """Before a password is asked for; the change itself refuses it once more."""
    if unit.alarms.is_paused(caller.account_id, caller.device_key):
        raise ServiceError(codes.SESSION_PAUSED)
