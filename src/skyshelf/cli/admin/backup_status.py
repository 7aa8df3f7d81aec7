"""`skyshelf admin backup-status`, and the notes of backups and their checks that it shows."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from skyshelf.cli.admin import stores
from skyshelf.cli.admin.which_store import StoreCommand, place_of
from skyshelf.cli.base.errors import CommandFailed, sentence_of
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import PERIOD, milliseconds
from skyshelf.cli.base.text import format_utc, safe_line, visible
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.service.context import ServiceContext
    from skyshelf.service.operator.backups import BackupCheck, BackupRecord, BackupState, Step

_HOUR_MS: Final = 3_600_000


def shown_place(destination: str) -> str:
    """Where a backup is, without keys: the same words from whatever folder the command is started."""
    place = place_of(destination)
    return place if "://" in place else str(Path(place).absolute())


class Notes:
    """Notes what happens to a backup in the store that it is of."""

    def __init__(self, destination: str, data: Path, metadata: str | None) -> None:
        self.place = shown_place(destination)
        self._data = data
        self._metadata = metadata

    def note(self, work: "Callable[[ServiceContext], None]") -> None:
        """Note something; what was done is valid without that, so a failure is a line on standard error."""
        try:
            with stores.open_metadata_only(
                data=self._data, metadata=self._metadata, debug=False, announced=True
            ) as ctx:
                work(ctx)
        except CommandFailed as problem:
            click.echo(safe_line(f"not noted in the store: {visible(problem.message)}"), err=True)

    def success(self, record: "BackupRecord") -> None:
        from skyshelf.service.operator.backups import note_backup

        self.note(lambda ctx: note_backup(ctx, record))

    def check(self, step: "Step", *, deep: bool) -> None:
        from skyshelf.service.operator.backups import BackupCheck, note_check

        done = BackupCheck(_now(), self.place, deep)
        self.note(lambda ctx: note_check(ctx, step, done))

    def failure(self, step: "Step", reason: str) -> None:
        from skyshelf.service.operator.backups import BackupFailure, note_failure

        failed = BackupFailure(_now(), step, reason, self.place)
        self.note(lambda ctx: note_failure(ctx, failed))

    @contextmanager
    def failures(self, step: "Step") -> Iterator[None]:
        """Note what keeps the block from its end, and raise it; what a killed run leaves unsaid, its age shows."""
        from skyshelf.storage.errors import StorageError

        try:
            yield
        except (StorageError, OSError, CommandFailed) as problem:
            self.failure(step, sentence_of(problem))
            raise


def noted_checks(
    destination: str, data: Path, metadata: str | None, stores_of_cuts: Callable[[], set[str]]
) -> Notes | None:
    """Return the notes of the store that a backup is of; None where it is not here, as on a machine for rehearsals."""
    from skyshelf.service.operator.backups import backup_state
    from skyshelf.storage.identity import SETTING, read_identity
    from skyshelf.storage.open import METADATA_FILE

    if metadata is None and not _exists(data / METADATA_FILE):
        return None
    notes = Notes(destination, data, metadata)
    found: list[bool] = []

    def look(ctx: "ServiceContext") -> None:
        state = backup_state(ctx)
        known = {one.place for one in (state.success, state.failure, state.verified, state.rehearsed) if one}
        with ctx.metadata.read() as unit:
            identity = read_identity(unit.settings.get(SETTING))
        found.append(notes.place in known or (identity is not None and identity.store in stores_of_cuts()))

    notes.note(look)
    if not any(found):
        return None
    where = place_of(str(data / METADATA_FILE) if metadata is None else metadata)
    click.echo(safe_line(f"Noting the result in the store {visible(where)}"), err=True)
    return notes


def last_rehearsal(notes: Notes) -> int:
    """Return when a restore from this destination was last rehearsed; 0 if that is not known."""
    from skyshelf.service.operator.backups import backup_state

    found: list[int] = []

    def look(ctx: "ServiceContext") -> None:
        rehearsed = backup_state(ctx).rehearsed
        found.extend([rehearsed.at] if rehearsed is not None and rehearsed.place == notes.place else [])

    notes.note(look)
    return max(found, default=0)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def _now() -> int:
    return time.time_ns() // 1_000_000


@click.command(
    "backup-status",
    cls=StoreCommand,
    looking=True,
    epilog=examples(
        "skyshelf admin backup-status",
        "skyshelf admin backup-status --max-age 8d --json",
        "skyshelf admin backup-status --clear",
    ),
)
@click.option(
    "--max-age",
    type=PERIOD,
    help="How old the last backup may be, or forever.  [default: --backup-max-age of the server, or 26h]",
)
@click.option("--clear", is_flag=True, help="Forget the last failure, as of a destination that is no longer used.")
@stores.store_options
def backup_status(
    *, max_age: timedelta | None, clear: bool, data: Path, metadata: str | None, as_json: bool, debug: bool
) -> None:
    """Show the last backup of a store, its checks, and the last failure.

    Every machine that backs up the store, or verifies such a backup, notes it in the store.

    Exits with 0 if there is a backup that is young enough, and nothing has failed since, and with 1 otherwise.
    """
    from skyshelf.service.operator.backups import backup_state, clear_failure

    with stores.open_metadata_only(data=data, metadata=metadata, debug=debug, looking=not clear) as ctx:
        if clear:
            clear_failure(ctx)
        state = backup_state(ctx)
        now = ctx.clock.now()
    problem = _problem(state, now, _rule() if max_age is None else milliseconds(max_age))
    result: dict[str, Any] = {
        "problem": problem,
        "success": state.success,
        "verified": state.verified,
        "rehearsed": state.rehearsed,
        "failure": state.failure,
    }
    stores.print_result(as_json, result, "\n".join(map(visible, _lines(state, now))))
    if problem is not None:
        raise CommandFailed(problem)


def _rule() -> int | None:
    """How old a backup may be, as the server's settings say."""
    from skyshelf.cli.admin.server_options import parsed_options

    return milliseconds(parsed_options(None)["backup_max_age"])


def _problem(state: "BackupState", now: int, max_age: int | None) -> str | None:
    if state.is_failing and state.failure is not None:
        return (
            f"the last {state.failure.step} of {state.failure.place} failed: {state.failure.reason}. Run it again, or"
            " forget it with --clear"
        )
    if state.success is None:
        return "no backup is known: `skyshelf admin backup` makes one"
    if state.is_overdue(now, max_age):
        return f"the last backup is {_hours(now - state.success.at)} old: `skyshelf admin backup` makes one"
    return None


def _lines(state: "BackupState", now: int) -> Iterator[str]:
    yield f"last backup: {_backup(state.success, now)}"
    yield f"last verified: {_check(state.verified, now)}"
    yield f"last rehearsed: {_check(state.rehearsed, now)}"
    failure = state.failure
    if failure is None:
        yield "last failure: none"
    else:
        resolved = f"; it has worked since {format_utc(failure.resolved_at)}" if failure.resolved_at is not None else ""
        yield f"last failure: {_when(failure.at, now)}: {failure.step} of {failure.place}: {failure.reason}{resolved}"


def _backup(found: "BackupRecord | None", now: int) -> str:
    if found is None:
        return "none is known"
    parts = [_when(found.at, now)]
    if found.size is not None and found.seconds is not None:
        parts.append(f"{format_size(found.size)} in {found.seconds:,.0f} s")
    if found.place:
        parts.append(f"at {found.place}")
    if found.encrypted is not None:
        parts.append("encrypted" if found.encrypted else "not encrypted")
    if found.lacking:
        parts.append(f"lacking {found.lacking:,} contents that the store has lost")
    return ", ".join(parts)


def _check(found: "BackupCheck | None", now: int) -> str:
    if found is None:
        return "never"
    return f"{_when(found.at, now)}, {found.place}{', every byte' if found.deep else ''}"


def _when(at: int, now: int) -> str:
    return f"{format_utc(at)} ({_hours(now - at)} ago)"


def _hours(period: int) -> str:
    hours = max(0, period) // _HOUR_MS
    if hours < 1:
        return "less than an hour"
    return f"{hours // 24} days" if hours >= 48 else f"{hours} hours" if hours != 1 else "1 hour"
