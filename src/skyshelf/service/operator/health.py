"""The server's health for operators in the browser: what /readyz, /metrics and the admin commands report."""

from collections.abc import Callable

from skyshelf.service.accounts import own_account
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.integrity import damage, scrub
from skyshelf.service.integrity.scrub_state import ScrubState
from skyshelf.service.jobs.brakes import brakes, release
from skyshelf.storage.errors import StorageError, StoreFull
from skyshelf.wire.resources.operators import (
    BrakeReleaseRequest,
    FailingJob,
    QuarantineSummary,
    ScrubProgress,
    ServerHealth,
    StoppedJob,
    StoreSpace,
)
from skyshelf.wire.version import VERSION

_BACKUP = "backup.last"
_FAILING_SHOWN = 20


def server_health(ctx: ServiceContext) -> ServerHealth:
    """Everything at once; a store that cannot be reached is named instead of failing the whole call."""
    disk, mode = ctx.reservations.disk, ctx.mode.now(ctx.metadata)
    with ctx.metadata.read() as unit:
        accounts, used = unit.operators.totals()
        failing = unit.outbox.errors(_FAILING_SHOWN)
        quarantined = unit.quarantine.totals()
        backup = unit.settings.get(_BACKUP)
    return ServerHealth(
        version=VERSION,
        accounts=accounts,
        used_space=used,
        metadata_state=_state(ctx.metadata.check),
        blobs_state=_state(ctx.blobs.check),
        has_space=disk.has_space(),
        spaces=[
            StoreSpace(name=name, total_space=space.total, free_space=space.free, reserve=disk.reserve_of(space))
            for name, space in disk.spaces().items()
        ],
        read_only_reason=mode.reason if mode else None,
        stopped_jobs=[StoppedJob(name=one.task, reason=one.reason, stopped_date=one.since) for one in brakes(ctx)],
        failing_jobs=[FailingJob(name=kind, attempts=attempts, error=error) for kind, _, attempts, error in failing],
        damaged_contents=damage.count(ctx),
        scrub=_progress(scrub.state_of(ctx)),
        quarantine=[
            QuarantineSummary(reason=one.reason, items=one.count, space=one.size, oldest_date=one.oldest)
            for one in quarantined
        ],
        last_backup_date=int(backup) if backup else None,
    )


def release_brake(ctx: ServiceContext, caller: Caller, request: BrakeReleaseRequest, address: str) -> ServerHealth:
    """Let a stopped job run for a day, and report how the server is then."""
    own_account.confirm_password(ctx, caller, request.password, address)
    release(ctx, request.name, request.reason)
    return server_health(ctx)


def note_backup(ctx: ServiceContext, at: int) -> None:
    """A backup has ended well."""
    ctx.metadata.write(lambda unit: unit.settings.set(_BACKUP, str(at).encode()))


def _progress(state: ScrubState | None) -> ScrubProgress | None:
    if state is None:
        return None
    return ScrubProgress(
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
