"""The job of a rewind: what it has to do is noted first, and then done, in small transactions.

A step moves the place of the rewind in the transaction that does its work, so a job that was killed continues where it
stood, and one that another instance continues as well does nothing twice.
"""

import logging
from collections.abc import Iterator

from skyshelf.service.context import ServiceContext
from skyshelf.service.files.capture_dates import READ_DATES
from skyshelf.service.history_days import history_days
from skyshelf.service.jobs.adaptive_batches import run_in_batches
from skyshelf.service.retention import retention
from skyshelf.storage.errors import AccountMissing, Missing
from skyshelf.storage.metadata.history.rewinds import StoredRewind

_log = logging.getLogger("skyshelf.background")

_LEAST = 50
"""An object takes a third of a millisecond and more, and others wait for the embedded store's only writer."""


def rewind(ctx: ServiceContext, rewind_key: str) -> Iterator[None]:
    """Run a rewind to its end, or continue it."""
    with ctx.metadata.read() as unit:
        account_id = unit.rewinds.owner(rewind_key)
    if account_id is None:
        return
    try:
        yield from _steps(ctx, account_id, rewind_key)
        with ctx.metadata.read() as unit:
            ended = unit.rewinds.get(account_id, rewind_key)
    except (AccountMissing, Missing):
        # The account was removed in the meantime.
        return
    _finish(ctx, ended)


def _steps(ctx: ServiceContext, account_id: int, key: str) -> Iterator[None]:
    now, keep_versions = ctx.clock.now, retention(ctx).versions_kept
    with ctx.metadata.read() as unit:
        keep = history_days(ctx, unit.history.bounds(account_id)) > 0
    # What is being deleted for good is kept as it was only once it is gone.
    yield from run_in_batches(ctx, lambda unit, limit: unit.files.delete_batch(account_id, limit, now(), keep=keep))
    yield from run_in_batches(ctx, lambda unit, limit: unit.rewinds.collect_some(account_id, key, limit, now()))
    yield from run_in_batches(
        ctx,
        lambda unit, limit: unit.rewinds.apply_some(account_id, key, limit, now(), keep_versions=keep_versions),
        least=_LEAST,
    )
    yield from run_in_batches(ctx, lambda unit, limit: unit.rewinds.link_some(account_id, key, limit, now()))
    yield from run_in_batches(ctx, lambda unit, limit: unit.rewinds.clear_some(account_id, key, limit))


def _finish(ctx: ServiceContext, ended: StoredRewind) -> None:
    counts, now = ended.counts, ctx.clock.now()
    if counts.content or counts.restored:
        ctx.metadata.write(lambda unit: unit.outbox.put(READ_DATES, str(ended.account_id), b"", now))
        ctx.job_notifier.notify()
    _log.info(
        "rewind of account %d: %s, %d of %d objects, %d left as they are",
        ended.account_id,
        ended.state,
        counts.done,
        counts.total,
        counts.left,
    )
