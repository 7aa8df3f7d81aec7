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


def give_consent(ctx: ServiceContext, caller: Caller, request: OperatorConsentRequest) -> OperatorConsent:
    """Let an operator rewind the account once within so many hours."""
    now = ctx.clock.now()
    until = now + request.hours * _HOUR
    event = new_event(ctx, kinds.REWIND_ALLOWED, caller, hours=request.hours)

    def work(unit: Unit) -> None:
        unit.rewind_consents.put(caller.account_id, now, until)

    recorded(ctx, work, event, by=caller)
    return OperatorConsent(is_given=True, expires_date=until)


def withdraw_consent(ctx: ServiceContext, caller: Caller) -> OperatorConsent:
    event = new_event(ctx, kinds.REWIND_NOT_ALLOWED, caller)
    recorded(ctx, lambda unit: unit.rewind_consents.withdraw(caller.account_id), event)
    return OperatorConsent(is_given=False)
