"""Account deletion: scheduled with the password, cancelled at any time, carried out when the grace period is over.

Once it is scheduled, the account's links and its files on boards are hidden from others. The owner can use the
account as before, and keep it. The removal itself is a background job (jobs/maintenance.py) and cannot be undone.
"""

from skyshelf.service.accounts import login_throttle
from skyshelf.service.accounts.operators import check_not_last
from skyshelf.service.accounts.own_account import check_password_unchanged, verify_password
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.account import AccountDeletion, AccountDeletionRequest

REMOVE_ACCOUNT = "remove-account"
_DAY = 24 * 60 * 60 * 1000


def delete_account(
    ctx: ServiceContext, caller: Caller, request: AccountDeletionRequest, address: str
) -> AccountDeletion:
    """Schedule the deletion of the caller's account and end its other sessions. A date that is already set stays."""
    account, buckets = verify_password(ctx, caller, request.password, address)
    now = ctx.clock.now()

    def work(unit: Unit) -> int:
        check_password_unchanged(unit, account)
        date = _schedule(unit, ctx, account, now)
        unit.sessions.revoke_others(caller.account_id, caller.session_hash)
        login_throttle.succeeded(unit, buckets)
        return date

    event = new_event(ctx, kinds.DELETION_SCHEDULED, caller)
    return AccountDeletion(deletion_date=recorded(ctx, work, event))


def keep_account(ctx: ServiceContext, caller: Caller) -> None:
    """Cancel the deletion of the caller's account; does nothing where none is scheduled."""
    now = ctx.clock.now()
    event = new_event(ctx, kinds.DELETION_CANCELLED, caller)
    recorded(ctx, lambda unit: unit.accounts.set_deletion(caller.account_id, 0, now), event)


def schedule_deletion(ctx: ServiceContext, account: Account) -> int:
    """Schedule the deletion for the operator; returns the date. A date that is already set stays."""
    now = ctx.clock.now()
    event = new_event(ctx, kinds.DELETION_SCHEDULED, account)
    return recorded(ctx, lambda unit: _schedule(unit, ctx, account, now), event)


def cancel_deletion(ctx: ServiceContext, account: Account) -> None:
    """Cancel the deletion for the operator."""
    now = ctx.clock.now()
    event = new_event(ctx, kinds.DELETION_CANCELLED, account)
    recorded(ctx, lambda unit: unit.accounts.set_deletion(account.account_id, 0, now), event)


def _schedule(unit: Unit, ctx: ServiceContext, account: Account, now: int) -> int:
    if unit.accounts.count() > 1:
        check_not_last(unit, account.account_id)
    date = unit.accounts.by_id(account.account_id).delete_at or now + ctx.rules.account_grace_days * _DAY
    unit.accounts.set_deletion(account.account_id, date, now)
    unit.outbox.put(REMOVE_ACCOUNT, str(account.account_id), b"", date)
    return date
