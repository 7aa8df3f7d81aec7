"""Consents: an owner lets an operator rewind the account, once and for a limited time."""

from typing import Final

from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.rewind import OperatorConsent, OperatorConsentRequest

_HOUR: Final = 60 * 60 * 1000


def consent(ctx: ServiceContext, caller: Caller) -> OperatorConsent:
    """Return whether an operator may rewind the account, and until when."""
    with ctx.metadata.read() as unit:
        until = unit.rewind_consents.until(caller.account_id, ctx.clock.now())
    return OperatorConsent(is_given=until is not None, expires_date=until)


def set_consent(ctx: ServiceContext, caller: Caller, request: OperatorConsentRequest) -> OperatorConsent:
    """Let an operator rewind the account once within so many hours, or withdraw that."""
    now = ctx.clock.now()
    until = now + request.hours * _HOUR
    kind = kinds.REWIND_ALLOWED if request.hours else kinds.REWIND_NOT_ALLOWED
    event = new_event(ctx, kind, caller, hours=request.hours or None)

    def work(unit: Unit) -> bool:
        if not request.hours:
            return unit.rewind_consents.withdraw(caller.account_id)
        unit.rewind_consents.put(caller.account_id, now, until)
        return True

    recorded(ctx, work, event, by=caller)
    return consent(ctx, caller)
