"""The server's health for operators in the browser, as /readyz, /metrics and the admin commands report it."""

from collections.abc import Callable

import msgspec

from skyshelf.service.accounts import own_account
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.integrity import damage, scrub
from skyshelf.service.jobs.brakes import brakes, release
from skyshelf.storage.errors import StorageError, StoreFull
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources import operators as wire
from skyshelf.wire.version import VERSION

_BACKUP = "backup.success"
_BACKUP_DATE = "backup.last"
"""What version 0.1.0 stored: the date alone."""
_FAILING_SHOWN = 20


def server_health(ctx: ServiceContext) -> wire.ServerHealth:
    """Return everything at once; an unreachable store is reported instead of failing the whole call."""
    disk, mode = ctx.reservations.disk, ctx.mode.now(ctx.metadata)
    with ctx.metadata.read() as unit:
        totals = unit.operators.quota_totals()
        failing = unit.outbox.errors(_FAILING_SHOWN)
        quarantined = unit.quarantine.totals()
        backup = _last_backup(unit)
    return wire.ServerHealth(
        version=VERSION,
        accounts=totals.accounts,
        used_space=totals.used,
        metadata_state=_state(ctx.metadata.check),
        blobs_state=_state(ctx.blobs.check),
        has_space=disk.has_space(),
        spaces=[
            wire.StoreSpace(name=name, total_space=space.total, free_space=space.free, reserve=disk.reserve_of(space))
            for name, space in disk.spaces().items()
        ],
        read_only_reason=mode.reason if mode else None,
        stopped_jobs=[wire.StoppedJob(name=one.task, reason=one.reason, stopped_date=one.since) for one in brakes(ctx)],
        failing_jobs=[
            wire.FailingJob(name=kind, attempts=attempts, error=error) for kind, _, attempts, error in failing
        ],
        damaged_contents=damage.count(ctx),
        scrub=_progress(scrub.state_of(ctx)),
        quarantine=[
            wire.QuarantineSummary(reason=one.reason, items=one.count, space=one.size, oldest_date=one.oldest)
            for one in quarantined
        ],
        last_backup_date=backup.at if backup is not None else None,
    )


def release_brake(
    ctx: ServiceContext, caller: Caller, request: wire.BrakeReleaseRequest, address: str
) -> wire.ServerHealth:
    """Let a stopped job run for a day, and report the server's health afterwards."""
    own_account.confirm_password(ctx, caller, request.password, address)
    release(ctx, request.name, request.reason)
    return server_health(ctx)


class BackupRecord(msgspec.Struct, frozen=True):
    """The last backup that succeeded."""

    at: int
    """When it ended, in epoch milliseconds."""
    size: int | None = None
    seconds: float | None = None


def note_backup(ctx: ServiceContext, done: BackupRecord) -> None:
    """Remember a backup that succeeded."""
    ctx.metadata.write(lambda unit: unit.settings.store(_BACKUP, done))


def last_backup(ctx: ServiceContext) -> BackupRecord | None:
    """Return the last backup that succeeded, if one is known."""
    with ctx.metadata.read() as unit:
        return _last_backup(unit)


def _last_backup(unit: Unit) -> BackupRecord | None:
    found = unit.settings.load(_BACKUP, BackupRecord)
    if found is None and (date := unit.settings.get(_BACKUP_DATE)):
        return BackupRecord(int(date))
    return found


def _progress(state: scrub.ScrubState | None) -> wire.ScrubProgress | None:
    if state is None:
        return None
    return wire.ScrubProgress(
        percent=int(100 * state.share),
        began_date=state.now.began,
        ended_date=state.now.ended or None,
        previous_ended_date=state.previous.ended or None if state.previous else None,
        contents=state.now.contents,
    )


def _state(check: Callable[[], None]) -> str:
    try:
        check()
    except StoreFull:
        return "full"
    except StorageError:
        return "unavailable"
    return "ready"
