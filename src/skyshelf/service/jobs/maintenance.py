"""Maintenance: the purge of deleted objects, the removal of accounts, and the periodic clean-up tasks.

Each is a generator that yields after every small step, so it can be stopped, and its lease renewed, between any two
steps. Each may run twice, and a crash between two steps loses nothing.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

import msgspec

from skyshelf.service.accounts import login_throttle
from skyshelf.service.accounts.deletion import REMOVE_ACCOUNT
from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event
from skyshelf.service.context import ServiceContext
from skyshelf.service.files.trash import enqueue_purge
from skyshelf.service.history_days import history_days
from skyshelf.service.history_settings import EXPIRE_HISTORY
from skyshelf.service.jobs import brakes, contents, orphans
from skyshelf.service.jobs.adaptive_batches import run_in_batches
from skyshelf.service.jobs.history import expire_history
from skyshelf.service.jobs.identity_watch import advance_generation
from skyshelf.service.jobs.progress import note_progress, overdue
from skyshelf.service.jobs.re_encode import is_unsettled, re_encode
from skyshelf.service.proofs import logs
from skyshelf.service.retention import retention
from skyshelf.storage.errors import AccountMissing, Missing, UploadBusy
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import AUDIT_EVENTS_MAX, CONTACTS_REMOVED_DAYS

_log = logging.getLogger("skyshelf.background")

HOUR = 60 * 60 * 1000
DAY = 24 * HOUR
STEP = 500
MINUTE = 60 * 1000
DEVICE_LIFETIME = 400 * DAY
EXPIRE_TRASH = "expire-trash"
EXPIRE_UPLOADS = "expire-uploads"
EXPIRE_CHANGES = "expire-changes"
EXPIRE_EVENTS = "expire-events"
ACCOUNTS_SHARE_MAX = 0.1
_OBJECTS_PER_PAGE = 10
"""Batches are counted in objects; merging a page of the search index takes about as long as deleting so many."""


class PeriodicTask(msgspec.Struct, frozen=True):
    """A recurring task: a job in the outbox whose kind is the task's name."""

    name: str
    every: int
    steps: Callable[[ServiceContext], Iterator[None]]
    is_due_at_start: Callable[[Unit], bool] = lambda _unit: False
    """Whether it runs as soon as a process has started."""
    deletes_by_age: bool = True
    """Whether it must not run while the clock is in doubt."""


# Jobs about one account


def purge(ctx: ServiceContext, account_id: int) -> Iterator[None]:
    """Remove an account's objects that are marked for deletion, in small transactions."""
    try:
        with ctx.metadata.read() as unit:
            before = unit.quotas.get(account_id, ctx.clock.now()).used
            keep = history_days(ctx, unit.history.bounds(account_id)) > 0
        yield from run_in_batches(
            ctx, lambda unit, limit: unit.files.delete_batch(account_id, limit, ctx.clock.now(), keep=keep)
        )
        with ctx.metadata.read() as unit:
            after = unit.quotas.get(account_id, ctx.clock.now()).used
    except AccountMissing:
        # The account was removed in the meantime, with everything in it.
        return
    # Where space is short, it is free again once the bytes are deleted, so that does not wait for its turn.
    now = ctx.clock.now()
    due = now + contents.unreferenced_grace(ctx) + 1
    ctx.metadata.write(lambda unit: unit.outbox.put(contents.COLLECT, "", b"", due))
    _log.info("purged deleted objects of account %d: used space went from %d to %d bytes", account_id, before, after)


def remove_account(ctx: ServiceContext, account_id: int) -> Iterator[None]:
    """Remove an account whose grace period is over, in small transactions; one whose deletion was cancelled stays."""
    now = ctx.clock.now()
    brakes.check(
        ctx, REMOVE_ACCOUNT, _too_many_removals(ctx, now), "`skyshelf admin user ls` lists accounts. If they are to go"
    )

    event = new_event(ctx, kinds.ACCOUNT_REMOVED, account_id=account_id)

    def close(unit: Unit) -> bool:
        if unit.accounts.close_due(account_id, now):
            unit.sessions.revoke_all(account_id)
            unit.audit.add([event])
            return True
        with suppress(AccountMissing):
            date = unit.accounts.by_id(account_id).delete_at
            if date:
                # The deletion was cancelled and scheduled again: the later date counts.
                unit.outbox.put(REMOVE_ACCOUNT, str(account_id), b"", date)
        return False

    if not ctx.metadata.write(close):
        return
    yield
    yield from run_in_batches(ctx, lambda unit, limit: unit.accounts.remove_some(account_id, limit, ctx.clock.now()))
    _log.info("removed account %d, whose deletion was due", account_id)


def _too_many_removals(ctx: ServiceContext, now: int) -> str | None:
    """People leave one after the other; many at once are a mistake, unless an operator says otherwise."""
    with ctx.metadata.read() as unit:
        due, of = unit.expiry.accounts(now)
    if due <= max(brakes.FEW_OF_FEW, int(of * ACCOUNTS_SHARE_MAX)):
        return None
    return f"{due:,} of {of:,} accounts would be removed at once"


# Periodic tasks


def expire_trash(ctx: ServiceContext) -> Iterator[None]:
    """Mark objects for deletion that have been in the trash longer than the retention period, and have them purged."""
    now, days = ctx.clock.now(), retention(ctx).trash_days
    trashed_up_to = now - days * DAY
    problem = overdue(ctx, EXPIRE_TRASH, lambda unit, up_to: unit.expiry.trash(up_to), "objects in the trash")
    brakes.check(ctx, EXPIRE_TRASH, problem)
    while True:
        with ctx.metadata.read() as unit:
            accounts = unit.files.accounts_with_old_trash(trashed_up_to, STEP)
        for account_id in accounts:
            ctx.metadata.write(partial(_expire_trash_of, account_id=account_id, now=now, trashed_up_to=trashed_up_to))
            _log.info("purging objects that account %d trashed more than %d days ago", account_id, days)
            yield
        if len(accounts) < STEP:
            break
    note_progress(ctx, EXPIRE_TRASH, trashed_up_to)


def _expire_trash_of(unit: Unit, account_id: int, now: int, trashed_up_to: int) -> None:
    unit.files.mark_all_for_deletion(account_id, now, trashed_up_to=trashed_up_to)
    enqueue_purge(unit, account_id, now)


def expire_uploads(ctx: ServiceContext) -> Iterator[None]:
    """Discard uploads that have not advanced for days, and free the space reserved for them."""
    before = ctx.clock.now() - retention(ctx).upload_days * DAY
    problem = overdue(ctx, EXPIRE_UPLOADS, lambda unit, up_to: unit.expiry.uploads(up_to), "unfinished uploads")
    brakes.check(ctx, EXPIRE_UPLOADS, problem)
    progress = True
    while progress:
        with ctx.metadata.read() as unit:
            stale = unit.uploads.stale(before, STEP)
        progress = False
        for account_id, upload_key in stale:
            # An upload that is being written to is left for the next run.
            progress |= _expire_upload(ctx, account_id, upload_key, before)
            yield
    if not stale:
        note_progress(ctx, EXPIRE_UPLOADS, before)


def _expire_upload(ctx: ServiceContext, account_id: int, upload_key: str, before: int) -> bool:
    """Discard one upload while holding it, so that no chunk arrives between the check and the end."""
    with suppress(UploadBusy), ctx.blobs.uploading(upload_key) as upload:
        if ctx.metadata.write(lambda unit: _discard_if_stale(unit, account_id, upload_key, before)):
            upload.discard()
            _log.info("discarded upload %s, which was left unfinished", upload_key)
            return True
    return False


def _discard_if_stale(unit: Unit, account_id: int, upload_key: str, before: int) -> bool:
    with suppress(Missing):
        if unit.uploads.get(account_id, upload_key).updated_at < before:
            return unit.uploads.discard(account_id, upload_key)
    return False


def expire_attempts(ctx: ServiceContext) -> Iterator[None]:
    """Delete expired nonces, archives and links, and failed logins: whatever the clock says, nobody misses them."""
    now = ctx.clock.now()
    yield from _sweep(
        ctx,
        lambda unit: unit.nonces.sweep(now, STEP),
        lambda unit: unit.archives.sweep(now, STEP),
        lambda unit: unit.password_links.sweep(now, STEP),
        lambda unit: unit.locks.sweep(now, STEP),
        lambda unit: unit.spent_tokens.sweep(now, STEP),
        lambda unit: unit.throttles.sweep(now - login_throttle.LONGEST_MEMORY, STEP),
    )


def expire_sessions(ctx: ServiceContext) -> Iterator[None]:
    """Delete expired sessions, devices unused for long, and what is left of contacts."""
    now = ctx.clock.now()
    yield from _sweep(
        ctx,
        lambda unit: unit.sessions.sweep(now, STEP),
        lambda unit: unit.devices.sweep(now - DEVICE_LIFETIME, STEP),
        lambda unit: unit.contacts.forget_removed(now - CONTACTS_REMOVED_DAYS * DAY, STEP),
    )


def _sweep(ctx: ServiceContext, *sweeps: Callable[[Unit], int]) -> Iterator[None]:
    for sweep in sweeps:
        while ctx.metadata.write(sweep) == STEP:
            yield
        yield


def expire_events(ctx: ServiceContext) -> Iterator[None]:
    """Delete old events of the audit trail, and the oldest of more than it may have."""
    before = ctx.clock.now() - retention(ctx).audit_days * DAY
    problem = overdue(ctx, EXPIRE_EVENTS, lambda unit, up_to: unit.expiry.audit(up_to), "events of the audit trail")
    brakes.check(ctx, EXPIRE_EVENTS, problem)
    yield from _sweep(
        ctx,
        lambda unit: unit.audit.sweep(before, STEP),
        lambda unit: unit.audit.trim(AUDIT_EVENTS_MAX, STEP),
    )
    note_progress(ctx, EXPIRE_EVENTS, before)


def expire_changes(ctx: ServiceContext) -> Iterator[None]:
    """Delete old entries of the change feed; a client that was away longer has to start over."""
    before = ctx.clock.now() - retention(ctx).changes_days * DAY
    problem = overdue(ctx, EXPIRE_CHANGES, lambda unit, up_to: unit.expiry.changes(up_to), "entries of change feeds")
    brakes.check(ctx, EXPIRE_CHANGES, problem)
    yield from run_in_batches(ctx, lambda unit, limit: unit.changes.forget_older(before, limit))
    note_progress(ctx, EXPIRE_CHANGES, before)


def merge_search_index(ctx: ServiceContext) -> Iterator[None]:
    """Merge what writes have added to the search index, in steps for which nobody waits long."""
    yield from run_in_batches(ctx, lambda unit, limit: unit.search.merge_some(limit // _OBJECTS_PER_PAGE))


PERIODIC_TASKS = (
    PeriodicTask("advance-generation", HOUR, advance_generation, lambda _unit: True, deletes_by_age=False),
    PeriodicTask(EXPIRE_TRASH, HOUR, expire_trash),
    PeriodicTask(EXPIRE_UPLOADS, HOUR, expire_uploads),
    PeriodicTask("expire-attempts", HOUR, expire_attempts, deletes_by_age=False),
    PeriodicTask("expire-sessions", HOUR, expire_sessions),
    PeriodicTask(EXPIRE_CHANGES, DAY, expire_changes),
    PeriodicTask(EXPIRE_HISTORY, HOUR, expire_history),
    PeriodicTask(logs.TASK, MINUTE, logs.log_history, deletes_by_age=False),
    PeriodicTask(EXPIRE_EVENTS, HOUR, expire_events),
    PeriodicTask(contents.COLLECT, 10 * MINUTE, contents.collect_unreferenced_blobs),
    PeriodicTask(orphans.TASK, DAY, orphans.sweep_orphans),
    PeriodicTask(contents.EMPTY, HOUR, contents.empty_quarantine),
    PeriodicTask("merge-search-index", 10 * MINUTE, merge_search_index, deletes_by_age=False),
    PeriodicTask("re-encode", HOUR, re_encode, is_unsettled, deletes_by_age=False),
)
