"""Deleting an account: announced with the password, taken back by a word, and done when the time of grace is over.

From the announcement on, its links and what it has on boards are hidden from others. Its owner can use it as before,
and keep it. What is then removed cannot be brought back.
"""

import logging
from collections.abc import Iterator
from contextlib import suppress

from skyshelf.service.accounts import login_throttle
from skyshelf.service.accounts.own_account import known_by_password, refuse_changed
from skyshelf.service.adaptive_steps import run_in_batches
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.account import AccountDeletion, AccountDeletionRequest

_log = logging.getLogger("skyshelf.background")

REMOVE_ACCOUNT = "remove-account"
_DAY = 24 * 60 * 60 * 1000


def delete_account(
    ctx: ServiceContext, caller: Caller, request: AccountDeletionRequest, address: str
) -> AccountDeletion:
    """Announce that the account is to go. Asked for again, the first date stays."""
    account, buckets = known_by_password(ctx, caller, request.password, address)
    now = ctx.clock.now()
    date = now + ctx.rules.account_grace_days * _DAY

    def work(unit: Unit) -> int:
        refuse_changed(unit, account)
        until = unit.accounts.by_id(caller.account_id).delete_at or date
        unit.accounts.set_deletion(caller.account_id, until, now)
        unit.outbox.put(REMOVE_ACCOUNT, str(caller.account_id), b"", until)
        unit.sessions.revoke_others(caller.account_id, caller.session_hash)
        login_throttle.succeeded(unit, buckets)
        return until

    return AccountDeletion(deletion_date=ctx.metadata.write(work))


def announce_deletion(ctx: ServiceContext, account: Account) -> int:
    """As delete_account, by the operator; when it will be done. Asked for again, the first date stays."""
    now = ctx.clock.now()
    date = now + ctx.rules.account_grace_days * _DAY

    def work(unit: Unit) -> int:
        until = unit.accounts.by_id(account.account_id).delete_at or date
        unit.accounts.set_deletion(account.account_id, until, now)
        unit.outbox.put(REMOVE_ACCOUNT, str(account.account_id), b"", until)
        return until

    return ctx.metadata.write(work)


def take_back_deletion(ctx: ServiceContext, account: Account) -> None:
    """As keep_account, by the operator."""
    now = ctx.clock.now()
    ctx.metadata.write(lambda unit: unit.accounts.set_deletion(account.account_id, 0, now))


def keep_account(ctx: ServiceContext, caller: Caller) -> None:
    """Take the announcement back; an account that was to stay stays."""
    now = ctx.clock.now()
    ctx.metadata.write(lambda unit: unit.accounts.set_deletion(caller.account_id, 0, now))


def remove_account(ctx: ServiceContext, account_id: int) -> Iterator[None]:
    """Remove an account whose time is over, a handful per transaction; one that was kept meanwhile stays."""
    now = ctx.clock.now()

    def close(unit: Unit) -> bool:
        if unit.accounts.close_due(account_id, now):
            unit.sessions.revoke_all(account_id)
            return True
        with suppress(AccountMissing):
            date = unit.accounts.by_id(account_id).delete_at
            if date:
                # It was kept, and announced once more: the earlier date is not the one that counts.
                unit.outbox.put(REMOVE_ACCOUNT, str(account_id), b"", date)
        return False

    if not ctx.metadata.write(close):
        return
    yield
    yield from run_in_batches(ctx, lambda unit, most: unit.accounts.remove_some(account_id, most, ctx.clock.now()))
    _log.info("removed account %d, whose owner had asked for it", account_id)
