"""Maintenance: the purge of deleted objects, and the periodic clean-up tasks.

Each is a generator that yields after every small step, so it can be stopped, and its lease renewed, between any two
steps. Each may run twice, and a crash between two steps loses nothing.
"""

import logging
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from functools import partial

import msgspec

from skyshelf.service import rotation
from skyshelf.service.accounts import login_throttle
from skyshelf.service.context import ServiceContext
from skyshelf.service.files.capture_dates import READ_DATES
from skyshelf.service.files.trash import enqueue_purge
from skyshelf.service.history import logs
from skyshelf.service.history.settings import EXPIRE_HISTORY
from skyshelf.service.integrity.scrub import scrub_due
from skyshelf.service.jobs import brakes, contents, orphans
from skyshelf.service.jobs.adaptive_batches import AdaptiveBatchSize, run_in_batches
from skyshelf.service.retention import history_days, retention
from skyshelf.storage.errors import AccountMissing, Missing, UploadBusy
from skyshelf.storage.metadata import wire_cache
from skyshelf.storage.metadata.contracts.inspection import WalkPosition
from skyshelf.storage.metadata.history.rewinds import StoredRewind
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import AUDIT_EVENTS_MAX, CONTACTS_REMOVED_DAYS

_log = logging.getLogger("skyshelf.background")

HOUR = 60 * 60 * 1000
DAY = 24 * HOUR
STEP = 500
MINUTE = 60 * 1000
DEVICE_LIFETIME = 400 * DAY
ADVANCE_GENERATION = "advance-generation"
EXPIRE_TRASH = "expire-trash"
EXPIRE_UPLOADS = "expire-uploads"
EXPIRE_CHANGES = "expire-changes"
EXPIRE_EVENTS = "expire-events"
MERGE_INDEX = "merge-search-index"
RE_ENCODE = "re-encode"
_OBJECTS_PER_PAGE = 10
"""Batches are counted in objects; merging a page of the search index takes as long as deleting this many."""
_ACCOUNTS_AT_ONCE = 200
_REWOUND_LEAST = 50
"""An object takes a third of a millisecond or more, and others wait for the embedded store's only writer."""


class PeriodicTask(msgspec.Struct, frozen=True):
    """A recurring task: a job in the outbox whose kind is the task's name."""

    name: str
    every: int
    steps: Callable[[ServiceContext], Iterator[None]]
    is_due_at_start: Callable[[Unit], bool] = lambda _unit: False
    """Whether it runs as soon as a process starts."""
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
            ctx, lambda unit, limit: unit.purge.delete_batch(account_id, limit, ctx.clock.now(), keep=keep)
        )
        with ctx.metadata.read() as unit:
            after = unit.quotas.get(account_id, ctx.clock.now()).used
    except AccountMissing:
        # The account was removed in the meantime, with everything in it.
        return
    # If space is short, only deleting the bytes frees it, so that does not wait for its turn.
    now = ctx.clock.now()
    due = now + contents.unreferenced_grace(ctx) + 1
    ctx.metadata.write(lambda unit: unit.outbox.put(contents.COLLECT, "", b"", due))
    _log.info("purged deleted objects of account %d: used space went from %d to %d bytes", account_id, before, after)


def rewind(ctx: ServiceContext, rewind_key: str) -> Iterator[None]:
    """Run a rewind to its end, or continue it: it first records what to do, and then does it, in small transactions.

    A step advances the rewind in the transaction that does its work, so a killed job continues where it stopped, and
    two instances that continue the same job do nothing twice.
    """
    with ctx.metadata.read() as unit:
        account_id = unit.rewinds.owner(rewind_key)
    if account_id is None:
        return
    try:
        yield from _rewind_steps(ctx, account_id, rewind_key)
        with ctx.metadata.read() as unit:
            ended = unit.rewinds.get(account_id, rewind_key)
    except (AccountMissing, Missing):
        # The account was removed in the meantime.
        return
    _finish_rewind(ctx, ended)


def _rewind_steps(ctx: ServiceContext, account_id: int, key: str) -> Iterator[None]:
    now, keep_versions = ctx.clock.now, retention(ctx).versions_kept
    with ctx.metadata.read() as unit:
        keep = history_days(ctx, unit.history.bounds(account_id)) > 0
    # Objects that are being deleted enter history only once they are gone.
    yield from run_in_batches(ctx, lambda unit, limit: unit.purge.delete_batch(account_id, limit, now(), keep=keep))
    yield from run_in_batches(ctx, lambda unit, limit: unit.rewinds.collect_some(account_id, key, limit, now()))
    yield from run_in_batches(
        ctx,
        lambda unit, limit: unit.rewinds.apply_some(account_id, key, limit, now(), keep_versions=keep_versions),
        least=_REWOUND_LEAST,
    )
    yield from run_in_batches(ctx, lambda unit, limit: unit.rewinds.link_some(account_id, key, limit, now()))
    yield from run_in_batches(ctx, lambda unit, limit: unit.rewinds.clear_some(account_id, key, limit))


def _finish_rewind(ctx: ServiceContext, ended: StoredRewind) -> None:
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


# Periodic tasks


def expire_trash(ctx: ServiceContext) -> Iterator[None]:
    """Mark objects for deletion that have been in the trash longer than the retention period, and have them purged."""
    now, days = ctx.clock.now(), retention(ctx).trash_days
    trashed_up_to = now - days * DAY
    brakes.check_overdue(ctx, EXPIRE_TRASH, lambda unit, up_to: unit.expiry.trash(up_to), "objects in the trash")
    while True:
        with ctx.metadata.read() as unit:
            accounts = unit.purge.accounts_with_old_trash(trashed_up_to, STEP)
        for account_id in accounts:
            ctx.metadata.write(partial(_expire_trash_of, account_id=account_id, now=now, trashed_up_to=trashed_up_to))
            _log.info("purging objects that account %d trashed more than %d days ago", account_id, days)
            yield
        if len(accounts) < STEP:
            break
    brakes.note_progress(ctx, EXPIRE_TRASH, trashed_up_to)


def _expire_trash_of(unit: Unit, account_id: int, now: int, trashed_up_to: int) -> None:
    unit.purge.mark_all_for_deletion(account_id, now, trashed_up_to=trashed_up_to)
    enqueue_purge(unit, account_id, now)


def expire_uploads(ctx: ServiceContext) -> Iterator[None]:
    """Discard uploads that have not advanced for days, and free the space reserved for them."""
    before = ctx.clock.now() - retention(ctx).upload_days * DAY
    brakes.check_overdue(ctx, EXPIRE_UPLOADS, lambda unit, up_to: unit.expiry.uploads(up_to), "unfinished uploads")
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
        brakes.note_progress(ctx, EXPIRE_UPLOADS, before)


def _expire_upload(ctx: ServiceContext, account_id: int, upload_key: str, before: int) -> bool:
    """Discard one upload while holding it, so no chunk arrives between the check and the end."""
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
    """Delete expired nonces, archives and links, and failed logins. Even with a wrong clock, nobody misses them."""
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
    rotation.forget_unneeded(ctx)


def expire_sessions(ctx: ServiceContext) -> Iterator[None]:
    """Delete expired sessions, long-unused devices, and remnants of removed contacts."""
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
    """Delete old events of the audit trail, and the oldest ones beyond its maximum size."""
    before = ctx.clock.now() - retention(ctx).audit_days * DAY
    brakes.check_overdue(ctx, EXPIRE_EVENTS, lambda unit, up_to: unit.expiry.audit(up_to), "events of the audit trail")
    yield from _sweep(
        ctx, lambda unit: unit.audit.sweep(before, STEP), lambda unit: unit.audit.trim(AUDIT_EVENTS_MAX, STEP)
    )
    brakes.note_progress(ctx, EXPIRE_EVENTS, before)


def expire_changes(ctx: ServiceContext) -> Iterator[None]:
    """Delete old entries of the change feed; a client that was away longer has to start over."""
    before = ctx.clock.now() - retention(ctx).changes_days * DAY
    brakes.check_overdue(ctx, EXPIRE_CHANGES, lambda unit, up_to: unit.expiry.changes(up_to), "entries of change feeds")
    yield from run_in_batches(ctx, lambda unit, limit: unit.changes.forget_older(before, limit))
    brakes.note_progress(ctx, EXPIRE_CHANGES, before)


def expire_history(ctx: ServiceContext) -> Iterator[None]:
    """Forget history that is older than its account's retention period. Accounts without any are not looked at."""
    now, days = ctx.clock.now(), retention(ctx).history_days
    seen: set[int] = set()
    while True:
        with ctx.metadata.read() as unit:
            due = unit.history.due_to_expire(now, days, limit=_ACCOUNTS_AT_ONCE)
            accounts = unit.history.accounts_with_old(now, days, among=due) if due else []
        if seen.issuperset(due):
            # Others are writing to what is left, until the next run.
            return
        seen.update(due)
        for account_id in accounts:
            yield from _expire_history_of(ctx, account_id, now)
            yield
        ctx.metadata.write(partial(_note_expired, accounts=due, now=now, days=days))
        yield


def _note_expired(unit: Unit, accounts: Sequence[int], now: int, days: int) -> None:
    unit.history.note_expired(now, days, accounts)


def _expire_history_of(ctx: ServiceContext, account_id: int, now: int) -> Iterator[None]:
    try:
        with ctx.metadata.read() as unit:
            before = now - history_days(ctx, unit.history.bounds(account_id)) * DAY
        yield from run_in_batches(
            ctx, lambda unit, limit: unit.history.expire_some(account_id, before, limit, ctx.clock.now())
        )
    except AccountMissing:
        # The account was removed in the meantime.
        return
    _log.info("forgot old history of account %d", account_id)


def merge_search_index(ctx: ServiceContext) -> Iterator[None]:
    """Merge additions to the search index, in steps for which nobody waits long."""
    yield from run_in_batches(ctx, lambda unit, limit: unit.search.merge_some(limit // _OBJECTS_PER_PAGE))


def is_unsettled(unit: Unit) -> bool:
    return unit.wire_cache.settled_encoding() != wire_cache.ENCODING_VERSION


def re_encode(ctx: ServiceContext) -> Iterator[None]:
    """Rewrite the wire JSON that an older release stored.

    Every row says which encoding it is in, so the job may stop after any step and may run in several instances at once.
    Once a pass over all objects finds no older row, the store is settled and later runs end immediately. An older
    release that runs later, or beside this one during a rolling upgrade, unsettles the store, because it writes older
    rows.
    """
    with ctx.metadata.read() as unit:
        settled = unit.wire_cache.settled_encoding()
    if settled < wire_cache.ENCODING_VERSION and (yield from _re_encode_stale(ctx)):
        return
    if settled != wire_cache.ENCODING_VERSION:
        ctx.metadata.write(lambda unit: unit.wire_cache.settle())


def _re_encode_stale(ctx: ServiceContext) -> Generator[None, None, int]:
    """One pass over all objects; returns how many were stale."""
    batch = AdaptiveBatchSize()
    after: WalkPosition | None = None
    found = 0
    while True:
        with ctx.metadata.read() as unit:
            walked = unit.wire_cache.stale(after, limit=batch.size)
        if walked.found:
            batch.record(ctx.metadata.write(partial(_re_encode_batch, stale=walked.found)))
            found += len(walked.found)
        yield
        if walked.next is None:
            break
        after = walked.next
    if found:
        _log.info("re-encoded %d objects for wire encoding %d", found, wire_cache.ENCODING_VERSION)
    return found


def _re_encode_batch(unit: Unit, stale: Sequence[WalkPosition]) -> float:
    """Re-encode a batch; returns the seconds for which it blocked other writers."""
    began = time.monotonic()
    unit.wire_cache.re_encode(stale)
    return time.monotonic() - began


PERIODIC_TASKS = (
    PeriodicTask(ADVANCE_GENERATION, 5 * MINUTE, brakes.advance_generation, lambda _unit: True, deletes_by_age=False),
    PeriodicTask(EXPIRE_TRASH, HOUR, expire_trash),
    PeriodicTask(EXPIRE_UPLOADS, HOUR, expire_uploads),
    PeriodicTask("expire-attempts", HOUR, expire_attempts, deletes_by_age=False),
    PeriodicTask("expire-sessions", HOUR, expire_sessions),
    PeriodicTask(EXPIRE_CHANGES, DAY, expire_changes),
    PeriodicTask(EXPIRE_HISTORY, HOUR, expire_history),
    PeriodicTask(logs.TASK, MINUTE, logs.log_history, deletes_by_age=False),
    PeriodicTask(EXPIRE_EVENTS, HOUR, expire_events),
    PeriodicTask(contents.COLLECT, 10 * MINUTE, contents.collect_unreferenced_blobs),
    PeriodicTask(orphans.SWEEP, DAY, orphans.sweep_if_due),
    PeriodicTask(contents.EMPTY, HOUR, contents.empty_quarantine),
    PeriodicTask(MERGE_INDEX, 10 * MINUTE, merge_search_index, deletes_by_age=False),
    PeriodicTask(RE_ENCODE, HOUR, re_encode, is_unsettled, deletes_by_age=False),
)
SCRUB = PeriodicTask("scrub", MINUTE, scrub_due, deletes_by_age=False)
"""Runs on its own, because reading takes long."""
