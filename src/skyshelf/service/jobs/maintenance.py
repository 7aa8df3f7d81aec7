"""Maintenance: the purge of deleted objects, the removal of accounts, and the periodic clean-up tasks.

Each is a generator that yields after every small step, so it can be stopped, and its lease renewed, between any two
steps. Each may run twice, and a crash between two steps loses nothing.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import TypeVar

import msgspec

from skyshelf.service.accounts import login_throttle
from skyshelf.service.accounts.deletion import REMOVE_ACCOUNT
from skyshelf.service.context import ServiceContext
from skyshelf.service.files.trash import enqueue_purge
from skyshelf.service.jobs.adaptive_batches import run_in_batches
from skyshelf.service.jobs.brakes import check_share, pull
from skyshelf.service.jobs.re_encode import is_unsettled, re_encode
from skyshelf.service.uploads.duplicates import settle
from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS
from skyshelf.storage.blobs.records import ListedBlob, ListedUpload
from skyshelf.storage.errors import AccountMissing, BlobCorrupt, BlobMissing, Missing, StoresDoNotMatch, UploadBusy
from skyshelf.storage.identity import advance
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import CHANGES_KEPT_DAYS, CONTACTS_REMOVED_DAYS, UPLOAD_LIFETIME_MS

_log = logging.getLogger("skyshelf.background")
T = TypeVar("T")

HOUR = 60 * 60 * 1000
DAY = 24 * HOUR
STEP = 500
MINUTE = 60 * 1000
# Downloads that began before the content lost its last reference can still finish, and a backup finds all blobs of the
# metadata that it has just copied. Where space is short, only downloads matter that are about to begin.
UNREFERENCED_GRACE = HOUR
SHORT_GRACE = MINUTE
COLLECT = "collect-unreferenced-blobs"
DEVICE_LIFETIME = 400 * DAY


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
        yield from run_in_batches(ctx, lambda unit, limit: unit.files.delete_batch(account_id, limit, ctx.clock.now()))
        with ctx.metadata.read() as unit:
            after = unit.quotas.get(account_id, ctx.clock.now()).used
    except AccountMissing:
        # The account was removed in the meantime, with everything in it.
        return
    # Space is free again once the bytes are deleted, so that does not wait for its turn.
    now = ctx.clock.now()
    ctx.metadata.write(lambda unit: unit.outbox.put(COLLECT, "", b"", now + unreferenced_grace(ctx) + 1))
    _log.info("purged deleted objects of account %d: used space went from %d to %d bytes", account_id, before, after)


def remove_account(ctx: ServiceContext, account_id: int) -> Iterator[None]:
    """Remove an account whose grace period is over, in small transactions; one whose deletion was cancelled stays."""
    now = ctx.clock.now()

    def close(unit: Unit) -> bool:
        if unit.accounts.close_due(account_id, now):
            unit.sessions.revoke_all(account_id)
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


# Periodic tasks


def expire_trash(ctx: ServiceContext) -> Iterator[None]:
    """Mark objects for deletion that have been in the trash longer than the retention period, and have them purged."""
    now, days = ctx.clock.now(), ctx.rules.trash_retention_days
    trashed_up_to = now - days * DAY
    while True:
        with ctx.metadata.read() as unit:
            accounts = unit.files.accounts_with_old_trash(trashed_up_to, STEP)
        for account_id in accounts:
            ctx.metadata.write(partial(_expire_trash_of, account_id=account_id, now=now, trashed_up_to=trashed_up_to))
            _log.info("purging objects that account %d trashed more than %d days ago", account_id, days)
            yield
        if len(accounts) < STEP:
            return


def _expire_trash_of(unit: Unit, account_id: int, now: int, trashed_up_to: int) -> None:
    unit.files.mark_all_for_deletion(account_id, now, trashed_up_to=trashed_up_to)
    enqueue_purge(unit, account_id, now)


def expire_uploads(ctx: ServiceContext) -> Iterator[None]:
    """Discard uploads that have not advanced for a week, and free the space reserved for them."""
    before = ctx.clock.now() - UPLOAD_LIFETIME_MS
    progress = True
    while progress:
        with ctx.metadata.read() as unit:
            stale = unit.uploads.stale(before, STEP)
        progress = False
        for account_id, upload_key in stale:
            # An upload that is being written to is left for the next run.
            progress |= _expire_upload(ctx, account_id, upload_key, before)
            yield


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


def expire_sessions(ctx: ServiceContext) -> Iterator[None]:
    """Delete expired sessions, nonces and failed logins, devices unused for long, and what is left of contacts."""
    now = ctx.clock.now()
    sweeps: tuple[Callable[[Unit], int], ...] = (
        lambda unit: unit.nonces.sweep(now, STEP),
        lambda unit: unit.sessions.sweep(now, STEP),
        lambda unit: unit.throttles.sweep(now - login_throttle.LONGEST_MEMORY, STEP),
        lambda unit: unit.devices.sweep(now - DEVICE_LIFETIME, STEP),
        lambda unit: unit.contacts.forget_removed(now - CONTACTS_REMOVED_DAYS * DAY, STEP),
    )
    for sweep in sweeps:
        while ctx.metadata.write(sweep) == STEP:
            yield
        yield


def expire_changes(ctx: ServiceContext) -> Iterator[None]:
    """Delete old entries of the change feed; a client that was away longer has to start over."""
    before = ctx.clock.now() - CHANGES_KEPT_DAYS * DAY
    yield from run_in_batches(ctx, lambda unit, limit: unit.changes.forget_older(before, limit))


def unreferenced_grace(ctx: ServiceContext) -> int:
    return UNREFERENCED_GRACE if ctx.reservations.disk.has_space() else SHORT_GRACE


def collect_unreferenced_blobs(ctx: ServiceContext) -> Iterator[None]:
    """Forget content without references, then delete its bytes."""
    before = ctx.clock.now() - unreferenced_grace(ctx)
    yield from _collect_thumbnails(ctx, before)
    while locations := ctx.metadata.write(lambda unit: unit.content.release_idle(before, STEP)):
        # If this is interrupted, the rest is swept later: no row knows these locations now.
        for location in locations:
            ctx.blobs.delete(location)
        _log.info("deleted %d unreferenced blobs", len(locations))
        yield
        if len(locations) < STEP:
            return


def _collect_thumbnails(ctx: ServiceContext, before: int) -> Iterator[None]:
    """Delete thumbnails of what an account has deleted, at the same time whether or not another account has it."""
    more = True
    while more:
        locations, more = ctx.metadata.write(lambda unit: unit.thumbnails.release_idle(before, STEP))
        for location in locations:
            ctx.blobs.delete(location)
        yield


def sweep_orphans(ctx: ServiceContext) -> Iterator[None]:
    """Delete bytes that no row knows, which crashes leave behind. storage/blobs/protocols.py has the rules.

    They are counted first: crashes leave few, and many mean that something is wrong with the database.
    """
    old = ctx.clock.now() - SWEEP_GRACE_MS
    yield from _count_orphans(ctx, old)
    for blobs in in_groups(ctx.blobs.list()):
        sizes = {blob.location: blob.size for blob in blobs if blob.modified_ms < old}
        for location in unknown_blobs(ctx, [blob for blob in blobs if blob.modified_ms < old]):
            _sweep_blob(ctx, location, sizes[location])
        yield
    for uploads in in_groups(ctx.blobs.list_uploads()):
        for upload_id in unknown_uploads(ctx, [upload for upload in uploads if upload.modified_ms < old]):
            with suppress(UploadBusy):
                ctx.blobs.discard(upload_id)
                _log.info("swept the orphaned upload %s", upload_id)
        yield


def _sweep_blob(ctx: ServiceContext, location: str, size: int) -> None:
    """Delete an orphaned blob, unless it is a good copy of known content whose own copy is damaged."""
    try:
        settle(ctx, ctx.blobs.recorded_sha256(location), size, new=location)
    except (BlobMissing, BlobCorrupt):
        ctx.blobs.delete(location)
    _log.info("swept an orphaned blob")


def _count_orphans(ctx: ServiceContext, old: int) -> Iterator[None]:
    """Raise BrakePulled where there are too many."""
    listed = unknown = 0
    for blobs in in_groups(ctx.blobs.list()):
        listed += len(blobs)
        unknown += len(unknown_blobs(ctx, [blob for blob in blobs if blob.modified_ms < old]))
        yield
    for uploads in in_groups(ctx.blobs.list_uploads()):
        listed += len(uploads)
        unknown += len(unknown_uploads(ctx, [upload for upload in uploads if upload.modified_ms < old]))
        yield
    check_share(ctx, SWEEP_ORPHANS, unknown, listed)


def advance_generation(ctx: ServiceContext) -> Iterator[None]:
    """Note in both halves of the store that they are in use together; a database that is restored from an older copy is
    recognised by this."""
    try:
        advance(ctx.metadata, ctx.blobs)
    except StoresDoNotMatch as problem:
        pull(ctx, SWEEP_ORPHANS, str(problem))
    yield


SWEEP_ORPHANS = "sweep-orphans"
PERIODIC_TASKS = (
    PeriodicTask("advance-generation", HOUR, advance_generation, lambda _unit: True, deletes_by_age=False),
    PeriodicTask("expire-trash", HOUR, expire_trash),
    PeriodicTask("expire-uploads", HOUR, expire_uploads),
    PeriodicTask("expire-sessions", HOUR, expire_sessions, deletes_by_age=False),
    PeriodicTask("expire-changes", DAY, expire_changes),
    PeriodicTask(COLLECT, 10 * MINUTE, collect_unreferenced_blobs),
    PeriodicTask(SWEEP_ORPHANS, DAY, sweep_orphans),
    PeriodicTask("re-encode", HOUR, re_encode, is_unsettled, deletes_by_age=False),
)


# Finding orphaned bytes, for the sweeper and the doctor


def unknown_blobs(ctx: ServiceContext, blobs: list[ListedBlob]) -> list[str]:
    """The locations of those blobs that neither content nor an upload in progress refers to."""
    if not blobs:
        return []
    upload_ids = [blob.upload_id for blob in blobs if blob.upload_id is not None]
    with ctx.metadata.snapshot() as unit:
        uploads = _known_uploads(unit, upload_ids)
        known = unit.content.known([blob.location for blob in blobs])
    return [blob.location for blob in blobs if blob.location not in known and blob.upload_id not in uploads]


def unknown_uploads(ctx: ServiceContext, uploads: list[ListedUpload]) -> list[str]:
    """The ids of those uploads that have no row."""
    if not uploads:
        return []
    with ctx.metadata.snapshot() as unit:
        known = _known_uploads(unit, [upload.upload_id for upload in uploads])
    return [upload.upload_id for upload in uploads if upload.upload_id not in known]


def _known_uploads(unit: Unit, upload_ids: list[str]) -> set[str]:
    """The ids that are uploads in progress, spelled as the blob store spells them."""
    known = unit.uploads.known([upload_id.upper() for upload_id in upload_ids])
    return {upload_id for upload_id in upload_ids if upload_id.upper() in known}


def in_groups(items: Iterator[T]) -> Iterator[list[T]]:
    while group := list(islice(items, STEP)):
        yield group
