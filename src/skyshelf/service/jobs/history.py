"""The end of history: what is older than an account keeps it goes, in steps."""

import logging
from collections.abc import Iterator

from skyshelf.service.context import ServiceContext
from skyshelf.service.history_days import history_days
from skyshelf.service.jobs.adaptive_batches import run_in_batches
from skyshelf.service.retention import retention
from skyshelf.storage.errors import AccountMissing

_log = logging.getLogger("skyshelf.background")
_DAY = 24 * 60 * 60 * 1000
_STEP = 200


def expire_history(ctx: ServiceContext) -> Iterator[None]:
    """Forget history that is older than its account keeps it."""
    now, days, after = ctx.clock.now(), retention(ctx).history_days, 0
    while True:
        with ctx.metadata.read() as unit:
            accounts = unit.history.accounts_with_old(now, days, after=after, limit=_STEP)
        for account_id in accounts:
            yield from _expire(ctx, account_id, now)
            after = account_id
            yield
        if len(accounts) < _STEP:
            return


def _expire(ctx: ServiceContext, account_id: int, now: int) -> Iterator[None]:
    try:
        with ctx.metadata.read() as unit:
            before = now - history_days(ctx, unit.history.bounds(account_id)) * _DAY
        yield from run_in_batches(
            ctx, lambda unit, limit: unit.history.expire_some(account_id, before, limit, ctx.clock.now())
        )
    except AccountMissing:
        # The account was removed in the meantime.
        return
    _log.info("forgot old history of account %d", account_id)
