"""Legal holds: nothing of an account is deleted for good until an operator ends that.

The person goes on working: what they delete leaves their sight and stays in history, which forgets nothing. Whatever
deletes for good asks for the hold in its own transaction (storage/metadata/sql/held.py).
"""

from typing import Final

from skyshelf.service.accounts.own_account import REMOVE_ACCOUNT
from skyshelf.service.audit import current_origin, kinds, new_event, recorded
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.retention import history_days, retention
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.holds import HeldSpace, Hold
from skyshelf.storage.metadata.store import Unit

_DAY: Final = 24 * 60 * 60 * 1000


def hold(ctx: ServiceContext, account: Account, reason: str) -> None:
    """Hold an account; ServiceError where it is held already, whose reason would otherwise be lost."""
    event = new_event(ctx, kinds.ACCOUNT_HELD, account, reason=reason)
    new = Hold(ctx.clock.now(), current_origin.get().actor, reason)

    def work(unit: Unit) -> None:
        if not unit.holds.put(account.account_id, new):
            raise ServiceError(codes.ACCOUNT_HELD)

    recorded(ctx, work, event)


def release(ctx: ServiceContext, account: Account, reason: str | None) -> Hold | None:
    """End the hold of an account; None where there is none. What was due in the meantime then goes in its turn."""
    now = ctx.clock.now()
    event = new_event(ctx, kinds.ACCOUNT_RELEASED, account, reason=reason)

    def work(unit: Unit) -> Hold | None:
        found = unit.holds.release(account.account_id)
        delete_at = unit.accounts.by_id(account.account_id).delete_at
        if found is not None:
            unit.audit.add([event])
            if delete_at:
                unit.outbox.put(REMOVE_ACCOUNT, str(account.account_id), b"", max(now, delete_at))
        return found

    return recorded(ctx, work)


def hold_of(ctx: ServiceContext, account: Account) -> tuple[Hold, HeldSpace] | None:
    """Return an account's hold, and what it alone keeps."""
    now = ctx.clock.now()
    with ctx.metadata.snapshot() as unit:
        found = unit.holds.get(account.account_id)
        if found is None:
            return None
        days = history_days(ctx, unit.history.bounds(account.account_id))
        trashed_up_to = now - retention(ctx).trash_days * _DAY
        space = unit.holds.space(account.account_id, kept_before=now - days * _DAY, trashed_up_to=trashed_up_to)
    return found, space
