"""Operators: the accounts that may manage the server. There is always one left, once there was one."""

from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.metadata.contracts.accounts import ACTIVE, Account
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes


def check_operator(ctx: ServiceContext, caller: Caller) -> None:
    """ServiceError for an account that is no operator: to it, the endpoint does not exist."""
    with ctx.metadata.read() as unit:
        if not unit.operators.is_operator(caller.account_id):
            raise ServiceError(codes.NOT_OFFERED)


def grant(ctx: ServiceContext, account: Account) -> None:
    """Make an account an operator."""
    now = ctx.clock.now()
    event = new_event(ctx, kinds.ACCOUNT_OPERATOR, account)
    recorded(ctx, lambda unit: unit.operators.set(account.account_id, True, now), event)


def revoke(ctx: ServiceContext, account: Account) -> None:
    """Make an operator an ordinary account again; ServiceError for the last one."""
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        check_not_last(unit, account.account_id)
        unit.operators.set(account.account_id, False, now)

    recorded(ctx, work, new_event(ctx, kinds.ACCOUNT_NO_OPERATOR, account))


def check_not_last(unit: Unit, account_id: int) -> None:
    """ServiceError if without this account nobody could manage the server.

    The operators are locked first, so two of them cannot remove each other at the same moment.
    """
    others = unit.operators.others(account_id)
    account = unit.accounts.by_id(account_id)
    if account.is_operator and account.status == ACTIVE and not account.delete_at and not others:
        raise ServiceError(codes.LAST_OPERATOR)
