"""How long history is kept, and forgetting it. Keeping less requires what a login requires: a thief would do it."""

from typing import Final

from skyshelf.service.accounts.passkeys.confirmation import change_confirmed
from skyshelf.service.audit import kinds, new_event
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.history.history import oldest_date
from skyshelf.service.retention import history_days, retention
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.history import ForgetRequest, HistoryChoice, HistorySettings

EXPIRE_HISTORY: Final = "expire-history"
"""The job that removes expired history (jobs/maintenance.py)."""


def history_settings(ctx: ServiceContext, caller: Caller) -> HistorySettings:
    """Return how long history is kept, when it begins, and how much space it takes."""
    with ctx.metadata.snapshot() as unit:
        bounds = unit.history.bounds(caller.account_id)
        used = unit.quotas.get(caller.account_id, ctx.clock.now()).history_used
        oldest = oldest_date(unit, caller.account_id, bounds)
    return HistorySettings(
        days=history_days(ctx, bounds), days_max=retention(ctx).history_days, oldest_date=oldest, size_in_bytes=used
    )


def set_history(
    ctx: ServiceContext, caller: Caller, request: HistoryChoice, address: str, origin: str
) -> HistorySettings:
    """Choose how long history is kept."""
    with ctx.metadata.read() as unit:
        before = history_days(ctx, unit.history.bounds(caller.account_id))
    event = new_event(ctx, kinds.HISTORY_DAYS_CHANGED, caller, days=request.days)

    def work(unit: Unit) -> bool:
        caller.act_in(unit)
        return unit.history.set_days(caller.account_id, request.days)

    is_less = request.days is not None and request.days < before
    given = request.confirmation
    change_confirmed(ctx, caller, given, work, event, address=address, origin=origin, is_needed=is_less)
    return history_settings(ctx, caller)


def forget_history(
    ctx: ServiceContext, caller: Caller, request: ForgetRequest, address: str, origin: str
) -> HistorySettings:
    """Forget everything up to now; contents are deleted in the background."""
    now = ctx.clock.now()
    event = new_event(ctx, kinds.HISTORY_FORGOTTEN, caller)

    def work(unit: Unit) -> None:
        caller.act_in(unit)
        unit.history.forget(caller.account_id, now)
        unit.outbox.put(EXPIRE_HISTORY, "", b"", now)

    change_confirmed(ctx, caller, request.confirmation, work, event, address=address, origin=origin)
    ctx.job_notifier.notify()
    return history_settings(ctx, caller)
