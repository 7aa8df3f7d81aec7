"""Chores: what has to be done again and again so that nothing piles up.

Each is a generator that yields after every small step, so that it can be stopped, and its lease be prolonged, between
any two of them. Each may be done twice, and a crash between any two steps loses nothing.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import TypeVar

import msgspec

from skyshelf.service.accounts import login_throttle
from skyshelf.service.adaptive_steps import run_in_batches
from skyshelf.service.context import ServiceContext
from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS
from skyshelf.storage.blobs.records import ListedBlob, ListedUpload
from skyshelf.storage.errors import AccountMissing, Missing, UploadBusy
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import CHANGES_KEPT_DAYS, UPLOAD_LIFETIME_MS

_log = logging.getLogger("skyshelf.background")
T = TypeVar("T")

HOUR = 60 * 60 * 1000
DAY = 24 * HOUR
PURGE = "purge"
STEP = 500
# A download that began before the purge can still read what it reads.
IDLE_GRACE = HOUR
DEVICE_MEMORY = 400 * DAY


class PeriodicTask(msgspec.Struct, frozen=True):
    """Work that comes back; a job of the outbox whose kind is its name."""

    name: str
    every: int
    steps: Callable[[ServiceContext], Iterator[None]]


def ask_for_purge(unit: Unit, account_id: int, now: int) -> None:
    """Have doomed objects removed; to be called in the transaction that dooms them."""
    unit.outbox.put(PURGE, str(account_id), b"", now)


def purge(ctx: ServiceContext, account_id: int) -> Iterator[None]:
    """Remove what an account has given up, a handful per transaction."""
    try:
        with ctx.metadata.read() as unit:
            used = unit.quotas.get(account_id, ctx.clock.now()).used
        yield from run_in_batches(ctx, lambda unit, most: unit.files.delete_batch(account_id, most, ctx.clock.now()))
        with ctx.metadata.read() as unit:
            left = unit.quotas.get(account_id, ctx.clock.now()).used
    except AccountMissing:
        # The account itself went meanwhile, with everything that it had.
        return
    _log.info("purged what account %d had given up; it held %d bytes before and %d now", account_id, used, left)


def retention(ctx: ServiceContext) -> Iterator[None]:
    """Give up what has been in the trash for longer than the operator wants, and have it purged."""
    now, days = ctx.clock.now(), ctx.rules.trash_retention_days
    trashed_up_to = now - days * DAY
    while True:
        with ctx.metadata.read() as unit:
            accounts = unit.files.accounts_with_old_trash(trashed_up_to, STEP)
        for account_id in accounts:
            ctx.metadata.write(partial(_give_up, account_id=account_id, now=now, trashed_up_to=trashed_up_to))
            _log.info("purging what account %d trashed more than %d days ago", account_id, days)
            yield
        if len(accounts) < STEP:
            return


def _give_up(unit: Unit, account_id: int, now: int, trashed_up_to: int) -> None:
    unit.files.mark_all_for_deletion(account_id, now, trashed_up_to=trashed_up_to)
    ask_for_purge(unit, account_id, now)


def stale_uploads(ctx: ServiceContext) -> Iterator[None]:
    """Discard uploads that nobody has gone on with for a week, and give their room back."""
    before = ctx.clock.now() - UPLOAD_LIFETIME_MS
    progress = True
    while progress:
        with ctx.metadata.read() as unit:
            stale = unit.uploads.stale(before, STEP)
        progress = False
        for account_id, upload_key in stale:
            # Those that somebody holds right now are left for the next time.
            progress |= _discard(ctx, account_id, upload_key, before)
            yield


def _discard(ctx: ServiceContext, account_id: int, upload_key: str, before: int) -> bool:
    """Discard one upload, held, so that no chunk arrives between the look and the end."""
    with suppress(UploadBusy), ctx.blobs.uploading(upload_key) as upload:
        if ctx.metadata.write(lambda unit: _discard_if_stale(unit, account_id, upload_key, before)):
            upload.discard()
            _log.info("discarded the upload %s, which was left unfinished", upload_key)
            return True
    return False


def _discard_if_stale(unit: Unit, account_id: int, upload_key: str, before: int) -> bool:
    with suppress(Missing):
        if unit.uploads.get(account_id, upload_key).updated_at < before:
            return unit.uploads.discard(account_id, upload_key)
    return False


def expire_sessions(ctx: ServiceContext) -> Iterator[None]:
    """Forget sessions, nonces and failed logins whose time is over, and devices that nobody has used for long."""
    now = ctx.clock.now()
    sweeps: tuple[Callable[[Unit], int], ...] = (
        lambda unit: unit.nonces.sweep(now, STEP),
        lambda unit: unit.sessions.sweep(now, STEP),
        lambda unit: unit.throttles.sweep(now - login_throttle.LONGEST_MEMORY, STEP),
        lambda unit: unit.devices.sweep(now - DEVICE_MEMORY, STEP),
    )
    for sweep in sweeps:
        while ctx.metadata.write(sweep) == STEP:
            yield
        yield


def old_changes(ctx: ServiceContext) -> Iterator[None]:
    """Forget what happened long ago; whoever was away for longer is told to begin anew."""
    before = ctx.clock.now() - CHANGES_KEPT_DAYS * DAY
    yield from run_in_batches(ctx, lambda unit, most: unit.changes.forget_older(before, most))


def collect_unreferenced_blobs(ctx: ServiceContext) -> Iterator[None]:
    """Forget content that nothing refers to any more, and then delete its bytes."""
    before = ctx.clock.now() - IDLE_GRACE
    while locations := ctx.metadata.write(lambda unit: unit.content.release_idle(before, STEP)):
        # Interrupted here, what is left over is the sweeper's: no row knows it any more.
        for location in locations:
            ctx.blobs.delete(location)
        _log.info("deleted %d blobs that nothing refers to", len(locations))
        yield
        if len(locations) < STEP:
            return


def sweep_blobs(ctx: ServiceContext) -> Iterator[None]:
    """Delete bytes that no row knows: what crashes leave behind. The rules are those of blobs/protocols.py."""
    old = ctx.clock.now() - SWEEP_GRACE_MS
    for blobs in groups(ctx.blobs.list()):
        for location in unknown_blobs(ctx, [blob for blob in blobs if blob.modified_ms < old]):
            ctx.blobs.delete(location)
            _log.info("swept a blob that no row knows")
        yield
    for uploads in groups(ctx.blobs.list_uploads()):
        for upload_id in unknown_uploads(ctx, [upload for upload in uploads if upload.modified_ms < old]):
            with suppress(UploadBusy):
                ctx.blobs.discard(upload_id)
                _log.info("swept the upload %s that no row knows", upload_id)
        yield


def unknown_blobs(ctx: ServiceContext, blobs: list[ListedBlob]) -> list[str]:
    if not blobs:
        return []
    upload_ids = [blob.upload_id for blob in blobs if blob.upload_id is not None]
    with ctx.metadata.snapshot() as unit:
        uploads = _known_uploads(unit, upload_ids)
        known = unit.content.known([blob.location for blob in blobs])
    return [blob.location for blob in blobs if blob.location not in known and blob.upload_id not in uploads]


def unknown_uploads(ctx: ServiceContext, uploads: list[ListedUpload]) -> list[str]:
    if not uploads:
        return []
    with ctx.metadata.snapshot() as unit:
        known = _known_uploads(unit, [upload.upload_id for upload in uploads])
    return [upload.upload_id for upload in uploads if upload.upload_id not in known]


def _known_uploads(unit: Unit, upload_ids: list[str]) -> set[str]:
    """Those ids that are uploads in progress, spelled as the blob store spells them."""
    known = unit.uploads.known([upload_id.upper() for upload_id in upload_ids])
    return {upload_id for upload_id in upload_ids if upload_id.upper() in known}


def groups(lines: Iterator[T]) -> Iterator[list[T]]:
    while group := list(islice(lines, STEP)):
        yield group


PERIODIC_TASKS = (
    PeriodicTask("retention", HOUR, retention),
    PeriodicTask("stale-uploads", HOUR, stale_uploads),
    PeriodicTask("forgotten-logins", HOUR, expire_sessions),
    PeriodicTask("old-changes", DAY, old_changes),
    PeriodicTask("idle-blobs", HOUR, collect_unreferenced_blobs),
    PeriodicTask("sweep-blobs", DAY, sweep_blobs),
)
