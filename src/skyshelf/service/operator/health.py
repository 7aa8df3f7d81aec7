"""The server's health for operators in the browser, as /readyz, /metrics and the admin commands report it."""

from collections.abc import Callable

from skyshelf.service.accounts import own_account
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.integrity import damage, scrub
from skyshelf.service.jobs.brakes import brakes, release
from skyshelf.service.operator.backups import BackupState, state_in
from skyshelf.storage.errors import StorageError, StoreFull
from skyshelf.wire.resources import operators as wire
from skyshelf.wire.version import VERSION

_FAILING_SHOWN = 20


def server_health(ctx: ServiceContext) -> wire.ServerHealth:
    """Return everything at once; an unreachable store is reported instead of failing the whole call."""
    disk, mode = ctx.reservations.disk, ctx.mode.now(ctx.metadata)
    with ctx.metadata.read() as unit:
        totals = unit.operators.quota_totals()
        failing = unit.outbox.errors(_FAILING_SHOWN)
        quarantined = unit.quarantine.totals()
        backups = state_in(unit)
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
        last_backup_date=backups.success.at if backups.success is not None else None,
        backups=_backups(backups, is_overdue=backups.is_overdue(ctx.clock.now(), ctx.rules.backup_max_age)),
    )


def release_brake(
    ctx: ServiceContext, caller: Caller, request: wire.BrakeReleaseRequest, address: str
) -> wire.ServerHealth:
    """Let a stopped job run for a day, and report the server's health afterwards."""
    own_account.confirm_password(ctx, caller, request.password, address)
    release(ctx, request.name, request.reason)
    return server_health(ctx)


def _backups(state: BackupState, *, is_overdue: bool) -> wire.BackupHealth:
    success, failure = state.success, state.failure
    return wire.BackupHealth(
        size=success.size if success else None,
        seconds=round(success.seconds) if success and success.seconds is not None else None,
        is_encrypted=success.encrypted if success else None,
        missing_contents=success.lacking if success else None,
        verified_date=state.verified.at if state.verified else None,
        rehearsed_date=state.rehearsed.at if state.rehearsed else None,
        is_failing=state.is_failing,
        is_overdue=is_overdue,
        failed_step=failure.step if failure else None,
        failed_date=failure.at if failure else None,
        failure_reason=failure.reason if failure else None,
    )


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
