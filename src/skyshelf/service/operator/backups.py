"""What is known about the backups of this store: stored in it, by whatever machine makes or checks a backup."""

from typing import Final, Literal

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.store import Unit

Step = Literal["backup", "verification", "rehearsal"]

_BACKUP: Final = "backup.success"
_BACKUP_DATE: Final = "backup.last"
"""What version 0.1.0 stored: the date alone."""
_FAILURE: Final = "backup.failure"
_CHECKS: Final[dict[Step, str]] = {"verification": "backup.verified", "rehearsal": "backup.rehearsed"}
_REASON_MAX: Final = 1000


class BackupRecord(msgspec.Struct, frozen=True):
    """The last backup that succeeded."""

    at: int
    """When it ended, in epoch milliseconds."""
    size: int | None = None
    seconds: float | None = None
    place: str = ""
    """The destination, without keys; empty if an earlier version made the backup."""
    encrypted: bool | None = None
    new: int | None = None
    """Bytes that it added to the destination."""
    lacking: int = 0
    """Contents that the store itself had lost."""


class BackupCheck(msgspec.Struct, frozen=True):
    """The last verification or rehearsal that found everything sound."""

    at: int
    place: str = ""
    deep: bool = False


class BackupFailure(msgspec.Struct, frozen=True, rename="camel"):
    """The last run that failed."""

    at: int
    step: Step
    reason: str
    place: str = ""
    resolved_at: int | None = None
    """When the same step succeeded at the same destination."""


class BackupState(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known; a failed run does not hide the last success."""

    success: BackupRecord | None = None
    failure: BackupFailure | None = None
    verified: BackupCheck | None = None
    rehearsed: BackupCheck | None = None

    @property
    def is_failing(self) -> bool:
        return self.failure is not None and self.failure.resolved_at is None

    def is_overdue(self, now: int, max_age: int | None) -> bool:
        """Return whether the last success is too long ago; not where none is known, as with backups by other means."""
        return self.success is not None and max_age is not None and now - self.success.at > max_age


def note_backup(ctx: ServiceContext, done: BackupRecord) -> None:
    """Remember a backup that succeeded; the newest counts, not the last one to be reported."""

    def work(unit: Unit) -> None:
        known = _success(unit)
        if known is None or known.at <= done.at:
            unit.settings.store(_BACKUP, done)
        _resolve(unit, "backup", done.place, done.at)

    ctx.metadata.write(work)


def note_check(ctx: ServiceContext, step: Step, done: BackupCheck) -> None:
    """Remember a verification or a rehearsal that found nothing wrong."""

    def work(unit: Unit) -> None:
        known = unit.settings.load(_CHECKS[step], BackupCheck)
        if known is None or known.at <= done.at:
            unit.settings.store(_CHECKS[step], done)
        _resolve(unit, step, done.place, done.at)

    ctx.metadata.write(work)


def note_failure(ctx: ServiceContext, failed: BackupFailure) -> None:
    """Remember a run that failed."""
    short = msgspec.structs.replace(failed, reason=failed.reason[:_REASON_MAX])
    ctx.metadata.write(lambda unit: unit.settings.store(_FAILURE, short))


def clear_failure(ctx: ServiceContext) -> None:
    """Count the last failure as resolved."""

    def work(unit: Unit) -> None:
        failure = unit.settings.load(_FAILURE, BackupFailure)
        if failure is not None:
            _resolve(unit, failure.step, failure.place, ctx.clock.now())

    ctx.metadata.write(work)


def _resolve(unit: Unit, step: Step, place: str, at: int) -> None:
    failure = unit.settings.load(_FAILURE, BackupFailure)
    if failure is not None and failure.resolved_at is None and (failure.step, failure.place) == (step, place):
        unit.settings.store(_FAILURE, msgspec.structs.replace(failure, resolved_at=at))


def backup_state(ctx: ServiceContext) -> BackupState:
    """Return what is known about the backups of this store."""
    with ctx.metadata.read() as unit:
        return state_in(unit)


def state_in(unit: Unit) -> BackupState:
    """Return what the settings know about backups."""
    return BackupState(
        success=_success(unit),
        failure=unit.settings.load(_FAILURE, BackupFailure),
        verified=unit.settings.load(_CHECKS["verification"], BackupCheck),
        rehearsed=unit.settings.load(_CHECKS["rehearsal"], BackupCheck),
    )


def _success(unit: Unit) -> BackupRecord | None:
    found = unit.settings.load(_BACKUP, BackupRecord)
    if found is None and (date := unit.settings.get(_BACKUP_DATE)):
        return BackupRecord(int(date))
    return found
