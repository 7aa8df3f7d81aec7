"""`skyshelf sync status`, `log`, `forget`, `pause` and `resume`: what a sync is doing, and what it has done."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Final, Literal

import click

from skyshelf.cli.base.errors import NotFound
from skyshelf.cli.base.output import Row
from skyshelf.cli.base.params import FUTURE_TIME, number_option
from skyshelf.cli.base.records import FailureRecord
from skyshelf.cli.base.session import CommandSession, client_command
from skyshelf.cli.base.text import first_lines, format_count, local_time, visible
from skyshelf.cli.commands.sync.ignoring import IgnoreRules
from skyshelf.cli.commands.sync.steps import shown_step
from skyshelf.desktop.sync.folders import SyncedFolder, below, synced_folder, synced_folders
from skyshelf.desktop.sync.log import LOG, LoggedStep, SyncLog
from skyshelf.desktop.sync.pausing import FOREVER, pause, resume
from skyshelf.desktop.sync.status import SyncStatus, status_of
from skyshelf.wire.projection import From, Projection, Time, utc_time

PLACE: Final = click.Path(path_type=Path)
_WORDS: Final = {"missing": "not found: is its disk mounted?", "idle": "not running"}


class SyncStatusRecord(Projection, frozen=True, kw_only=True):
    """A folder that is kept in sync, as far as this computer knows without asking the server.

    `state` is `syncing`, `watching` (a watch that waits for changes), `paused`, `idle` or `missing`. `waiting` counts
    files that were changed here since they were synced. `stopped` is why the last run ended early, `failures` are what
    the last complete run could not sync.
    """

    folder: str
    path: str
    state: Literal["syncing", "watching", "paused", "idle", "missing"]
    paused_until: str | None
    last_run: str | None
    last_steps: int
    stopped: str | None
    waiting: int
    conflicts: int
    failures: list[FailureRecord]


class SyncLogRecord(Projection, frozen=True, kw_only=True):
    """A step in the log of a sync: what was done with a file or folder, when, why and in which run.

    `action` is as in [SyncStepRecord](#syncsteprecord); `to` is the new place of what was moved or renamed.
    """

    run: int
    at: Annotated[Time, From("at")]
    action: Annotated[str, From(lambda step: step.kind.replace(" ", "_"))]
    path: str
    to: Annotated[str | None, From(lambda step: step.to or None)]
    reason: Annotated[str | None, From(lambda step: step.reason or None)]
    size_bytes: Annotated[int | None, From(lambda step: step.size or None)]


def chosen(places: tuple[Path, ...]) -> list[SyncedFolder]:
    """Return the folders of these places; without any, all that are kept in sync on this computer."""
    return [synced_folder(one) for one in places] if places else synced_folders()


@client_command("status", "skyshelf sync status", "skyshelf sync status ~/Documents --json", records=SyncStatusRecord)
@click.argument("folders", nargs=-1, type=PLACE, metavar="[FOLDER]...")
def status(*, session: CommandSession, folders: tuple[Path, ...]) -> None:
    """Show how the folders that are kept in sync are doing.

    For each folder of this computer, or those that are named: when it was synced last, what waits, conflicts, failures,
    and whether a watch is running or paused. The server is not asked.
    """
    session.out.records(
        ((one, status_of(one, IgnoreRules(one.top, one.exclude).select)) for one in chosen(folders)),
        lambda found: _record(*found),
        lambda found: (line for one in found for line in _lines(*one)),
        empty="No folder is kept in sync on this computer: `skyshelf sync FOLDER PATH` starts that.",
    )


def _record(folder: SyncedFolder, found: SyncStatus) -> SyncStatusRecord:
    return SyncStatusRecord(
        folder=folder.local,
        path=found.path,
        state=found.state,
        paused_until=utc_time(found.paused_until or None),
        last_run=None if found.last is None else utc_time(found.last.began),
        last_steps=0 if found.last is None else found.last.steps,
        stopped=None if found.last is None else found.last.stopped,
        waiting=found.waiting,
        conflicts=found.conflicts,
        failures=[FailureRecord(path=path, reason=reason) for path, reason in found.failures],
    )


def _lines(folder: SyncedFolder, found: SyncStatus) -> Iterator[str]:
    until = f" until {local_time(found.paused_until)}" if found.paused_until else ""
    where = f" and {visible(found.path)}" if found.path else ""
    yield f"{visible(folder.local)}{where}: {_WORDS.get(found.state, found.state)}{until}"
    if found.last is not None:
        how = found.last.stopped or (format_count(found.last.steps, "step") if found.last.steps else "nothing to do")
        if found.last.ended is None:
            how = "not finished yet" if found.is_running else "it was killed"
        yield f"  last run   {local_time(found.last.began)}, {visible(how)}"
    if found.waiting:
        yield f"  waiting    {format_count(found.waiting, 'file')} changed here"
    if found.conflicts:
        yield f"  conflicts  {found.conflicts:,}; `skyshelf sync conflicts` lists them"
    for line in first_lines([f"{path}: {reason}" for path, reason in found.failures]):
        yield f"  failed     {line}"


@client_command(
    "log",
    "skyshelf sync log ~/Documents/report.docx",
    "skyshelf sync log ~/Documents -n 20",
    records=SyncLogRecord,
)
@click.argument("place", type=PLACE, metavar="[PATH]", default=".")
@number_option("--number", 1, default=1_000, short="-n", help="Number of steps to show.")
def log(*, session: CommandSession, place: Path, number: int) -> None:
    """Show what the sync did with a file or folder, newest first.

    PATH is a local path in a folder that is kept in sync, by default the current folder; it may no longer exist. A file
    that was moved or renamed is followed to its former names. The newest 100,000 steps of a folder are kept.
    """
    folder = synced_folder(place)
    if not (folder.state / LOG).is_file():
        raise NotFound(f"{folder.local} has no log: `skyshelf sync` begins it with its next run")
    with SyncLog(folder.state) as opened:
        steps = list(islice(opened.steps(below(folder, place)), number))
    session.out.rows(steps, SyncLogRecord.of, _row, empty=f"Nothing was done with {place}.")


def _row(step: LoggedStep) -> Row:
    return local_time(step.at), *shown_step(step.kind, step.path, step.to, step.reason)


@client_command("pause", "skyshelf sync pause ~/Documents", "skyshelf sync pause ~/Documents --until 2h")
@click.argument("folder", type=PLACE)
@click.option("--until", type=FUTURE_TIME, help="When to go on: 2h or 7d from now, or 2027-05-01T12:30.")
def pause_(*, session: CommandSession, folder: Path, until: int | None) -> None:
    """Pause the sync of a folder.

    A running watch stops within seconds and goes on when it is resumed, or at the time of --until. What changes on
    either side during the pause is synced then.
    """
    found = synced_folder(folder)
    pause(found.state, until or FOREVER)
    session.out.note(f"Paused {found.local}{f' until {local_time(until)}' if until else ''}.")


@client_command("resume", "skyshelf sync resume ~/Documents")
@click.argument("folder", type=PLACE)
def resume_(*, session: CommandSession, folder: Path) -> None:
    """Resume the sync of a folder that is paused."""
    found = synced_folder(folder)
    was_paused = resume(found.state)
    session.out.note(f"Resumed {found.local}." if was_paused else f"{found.local} was not paused.")


@client_command("forget", "skyshelf sync forget ~/Documents")
@click.argument("folder", type=PLACE)
def forget(*, session: CommandSession, folder: Path) -> None:
    """Leave a folder out of `skyshelf sync status`.

    Nothing is deleted on either side, and the next sync of the folder lists it again.
    """
    known = {one.top: one for one in synced_folders()}
    found = known.get(folder.absolute()) or known.get(folder.resolve())
    if found is None:
        raise NotFound(f"{folder} is not in the list: `skyshelf sync status` shows it")
    found.forget()
    session.out.note(f"Forgot {found.local}; both sides stay as they are.")
