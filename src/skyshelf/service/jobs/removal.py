"""The removal of accounts: when their time is over, or at once, by an operator. A legal hold is in the way of both."""

import logging
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import msgspec

from skyshelf.service.accounts.accounts import check_not_last
from skyshelf.service.accounts.own_account import REMOVE_ACCOUNT
from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.jobs import brakes
from skyshelf.service.jobs.adaptive_batches import run_in_batches
from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.contracts.accounts import DISABLED, GOING, Account
from skyshelf.storage.metadata.store import Unit

_log = logging.getLogger("skyshelf.background")
_ACCOUNTS_SHARE_MAX: Final = 0.1
_COUNTED: Final = ("boards", "contacts", "shares", "devices")


def remove_account(ctx: ServiceContext, account_id: int) -> Iterator[None]:
    """Remove an account whose grace period is over, in small transactions; one whose deletion was cancelled stays."""
    now = ctx.clock.now()
    brakes.check(
        ctx, REMOVE_ACCOUNT, _too_many_removals(ctx, now), "`skyshelf admin user ls` lists accounts. If they are to go"
    )
    event = new_event(ctx, kinds.ACCOUNT_REMOVED, account_id=account_id)
    waiting = new_event(ctx, kinds.ACCOUNT_CLOSED, account_id=account_id)

    def close(unit: Unit) -> bool:
        try:
            account = unit.accounts.by_id(account_id)
        except AccountMissing:
            return False
        if unit.accounts.close_due(account_id, now):
            if account.status != GOING:
                unit.sessions.revoke_all(account_id)
                unit.audit.add([event])
            return True
        if 0 < account.delete_at <= now:
            # Held: it leaves everybody's sight, and the end of the hold makes it due again.
            if account.status != DISABLED:
                unit.accounts.set_status(account_id, DISABLED, now)
                unit.sessions.revoke_all(account_id)
                unit.audit.add([waiting])
        elif account.delete_at:
            # The deletion was cancelled and scheduled again: the later date counts.
            unit.outbox.put(REMOVE_ACCOUNT, str(account_id), b"", account.delete_at)
        return False

    if not ctx.metadata.write(close):
        return
    yield
    yield from removal_steps(ctx, account_id)
    _log.info("removed account %d, whose deletion was due", account_id)


def removal_steps(ctx: ServiceContext, account_id: int) -> Iterator[None]:
    """Remove everything of an account that is going, in small transactions; an interrupted removal can be continued."""
    yield from run_in_batches(ctx, lambda unit, limit: unit.accounts.remove_some(account_id, limit, ctx.clock.now()))


def _too_many_removals(ctx: ServiceContext, now: int) -> str | None:
    """People leave one at a time; many removals at once are a mistake, unless an operator says otherwise."""
    with ctx.metadata.read() as unit:
        due, of = unit.expiry.accounts(now)
    if due <= max(brakes.FEW_OF_FEW, int(of * _ACCOUNTS_SHARE_MAX)):
        return None
    return f"{due:,} of {of:,} accounts would be removed at once"


# At once


class AccountCounts(msgspec.Struct, frozen=True, kw_only=True):
    """What an account has, in numbers: the record of its deletion."""

    objects: int
    used: int
    history_used: int
    boards: int
    contacts: int
    shares: int
    devices: int


def counts_of(ctx: ServiceContext, account: Account) -> AccountCounts:
    """Count what an account has."""
    with ctx.metadata.read() as unit:
        quota = unit.quotas.get(account.account_id, ctx.clock.now())
        kept = {one.kind: one.used for one in unit.usage.kept(account.account_id, ctx.clock.now())}
    return AccountCounts(
        objects=quota.objects,
        used=quota.used,
        history_used=quota.history_used,
        **{kind: kept[kind] for kind in _COUNTED},
    )


def begin_removal(ctx: ServiceContext, account: Account, reason: str) -> AccountCounts:
    """Delete an account without its grace period: nobody sees it from now on, and nothing brings it back.

    The record names the account's key, the counts and the reason; no name, address or file. What removal_steps leaves
    undone, the running server finishes. ServiceError for the last operator, and for an account under a hold.
    """
    counts, now, account_id = counts_of(ctx, account), ctx.clock.now(), account.account_id
    event = new_event(ctx, kinds.ACCOUNT_DELETED, account, reason=reason, **msgspec.structs.asdict(counts))

    def work(unit: Unit) -> None:
        if unit.accounts.count() > 1:
            check_not_last(unit, account_id)
        with suppress(AccountMissing):
            # One that is going already cannot be scheduled: its removal is only continued.
            unit.accounts.set_deletion(account_id, now, now)
        if not unit.accounts.close_due(account_id, now):
            raise ServiceError(codes.ACCOUNT_HELD)
        unit.sessions.revoke_all(account_id)
        unit.outbox.put(REMOVE_ACCOUNT, str(account_id), b"", now)

    recorded(ctx, work, event)
    return counts
