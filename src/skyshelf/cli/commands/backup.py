"""`skyshelf backup`: an incremental copy of the account in a local folder."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.params import FOLDER, PERIOD, limit_rate_option, shared_rate_limit, shown_option
from skyshelf.cli.base.progress import THE_FOLDER, Meter
from skyshelf.cli.base.records import TransferRecord
from skyshelf.cli.base.session import CommandSession, RunGroup, no_index_option
from skyshelf.cli.base.targets import target
from skyshelf.cli.base.text import format_count, visible
from skyshelf.cli.commands import get
from skyshelf.cli.commands.backup_copy import damaged_files, kept, log, note_run, verify
from skyshelf.cli.commands.path_filters import path_filter
from skyshelf.client.epochs import EpochFile
from skyshelf.client.errors import IntegrityError, ServerStateError
from skyshelf.client.local.names import REPLACED_FOLDER, STATE_FOLDER
from skyshelf.client.transfers import TransferEvent, TransferFailure, TransferSummary
from skyshelf.wire.sizes import format_size

_REPLACE_HINT = "Delete the damaged files, and run the same command again"
_OTHER_STATE: Final = (
    "The backup may be newer than the server, so nothing more was changed. --accept-server-state goes on all the same;"
    f" what that replaces is kept in {REPLACED_FOLDER}"
)


@click.group("backup", cls=RunGroup)
def backup() -> None:
    """Back up your account to a local folder.

    `skyshelf backup DEST` is short for `skyshelf backup run DEST`, and takes the same options.
    """


backup.add_command(verify)
backup.add_command(log)
backup.add_command(kept)


@backup.command(
    "run",
    "skyshelf backup ~/drive-backup",
    "skyshelf backup run ~/photos --from /Photos --exclude '*.tmp' --exclude 'cache/' --verify",
    "skyshelf backup ~/drive-backup --limit-rate 2M --dry-run",
    record=TransferRecord,
)
@click.argument("destination", type=FOLDER, metavar="DEST")
@click.option("--from", "path", default="/", metavar="PATH", help="Back up only this folder.")
@click.option("--ext", "extension", metavar="EXTENSION", help="Back up only files with this extension.")
@click.option("--include", multiple=True, metavar="GLOB", help="Back up only matching paths; may be repeated.")
@click.option(
    "--exclude", multiple=True, metavar="GLOB", help="Skip matching paths, even if included; may be repeated."
)
@click.option(
    "--verify", is_flag=True, help="Read the whole backup afterwards, and compare it with the server's hashes."
)
@click.option("--dry-run", is_flag=True, help="Print what would be downloaded, and change nothing.")
@shown_option(
    "--keep-replaced",
    type=PERIOD,
    default="90d",
    help="How long files that a run replaces are kept, or forever.",
)
@click.option(
    "--accept-server-state",
    is_flag=True,
    help="Go on with a server that was restored, moved or put back to an older state.",
)
@get.overwrite_option
@get.allow_unverified_option
@get.workers_option
@limit_rate_option
@no_index_option
def run(
    *,
    session: CommandSession,
    destination: Path,
    path: str,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    verify: bool,
    dry_run: bool,
    accept_server_state: bool,
    limit_rate: int | None,
    no_index: bool,
    **options: Any,
) -> None:
    """Back up your account to a local folder.

    Run it again to update the backup: existing files are not downloaded again, and interrupted downloads resume.
    Nothing is ever deleted from the backup, and files that you changed in it are kept unless you use --overwrite. A
    file that changed on the server is replaced; the former content is kept in DEST/.skyshelf-replaced, in a folder of
    that run, for as long as --keep-replaced says. A server that was restored, moved or put back to an older state stops
    the backup, unless you use --accept-server-state.

    A GLOB without a slash matches names at any depth ('*.tmp'). A GLOB with a slash is a path relative to the folder
    that is backed up ('Photos/2024/*.jpg'); a trailing slash matches only folders ('cache/'), and ** matches any number
    of folders.
    """
    session.resume_hint = get.RESUME_HINT
    select = path_filter(include, exclude)
    if not dry_run:
        get.make_folder(destination)
    epochs = EpochFile(session.client, destination / STATE_FOLDER / "server.json")
    epochs.check(accept=accept_server_state, advice=_OTHER_STATE)
    if not no_index:
        session.client.use_index(build=path == "/")
    in_place: list[str] = []
    began, so_far = datetime.now(UTC), TransferSummary()
    with Meter(session.out, "downloaded") as meter, _noted(destination, began, so_far, dry_run=dry_run):
        report = _previewer(session) if dry_run else get.progress_listener(meter)

        def handle(event: TransferEvent) -> None:
            if verify and event.kind in {"done", "skipped"}:
                in_place.append(event.path)
            if event.kind == "done":
                so_far.done, so_far.bytes_done = so_far.done + 1, so_far.bytes_done + event.transferred
            report(event)

        summary = session.client.download_all(
            destination,
            None if path == "/" else target(path),
            select=select,
            rate_limit=shared_rate_limit(limit_rate),
            dry_run=dry_run,
            stop_at_older=not (epochs.has_epochs or accept_server_state),
            progress=handle,
            **options,
        )
    if dry_run:
        _report_preview(session, summary, destination)
        return
    note_run(destination, began, summary)
    if isinstance(summary.stopped_by, ServerStateError):
        raise ServerStateError(f"{summary.stopped_by}. {_OTHER_STATE}")
    if summary.stopped_by is None:
        epochs.save()
    if summary.replaced:
        session.out.note(f"Kept {format_count(summary.replaced, 'replaced file')} in {destination / REPLACED_FOLDER}.")
    damaged = _verify(session, destination, in_place) if verify else []
    summary.failed += damaged
    get.report_downloads(session, summary, destination, next_step=_REPLACE_HINT if damaged else get.RETRY_HINT)


@contextmanager
def _noted(destination: Path, began: datetime, so_far: TransferSummary, *, dry_run: bool) -> Iterator[None]:
    """Note a run that is interrupted, or ends with an error, in the log of the backup."""
    try:
        yield
    except BaseException as error:
        if not dry_run:
            with suppress(CommandFailed):
                note_run(destination, began, so_far, stopped=str(error) or "interrupted")
        raise


def _previewer(session: CommandSession) -> Callable[[TransferEvent], None]:
    def handle(event: TransferEvent) -> None:
        if event.kind == "queued" and session.out.form == "text":
            session.out.lines([f"download {visible(event.path)}"])
        elif event.kind == "failed":
            session.out.problem(f"{event.path or THE_FOLDER}: {event.reason}")

    return handle


def _report_preview(session: CommandSession, summary: TransferSummary, destination: Path) -> None:
    session.out.record(TransferRecord.of(summary, done=summary.queued, bytes=summary.bytes_queued, dry_run=True))
    unchanged = f", {summary.skipped:,} unchanged" if summary.skipped else ""
    planned = f"{format_count(summary.queued, 'file')} ({format_size(summary.bytes_queued)})"
    session.out.note(f"Would download {planned} to {destination.absolute()}{unchanged}.")
    if summary.stopped_by is not None:
        raise CommandFailed(f"{str(summary.stopped_by).removesuffix('.')}.", summary.exit_code)
    if not summary.ok:
        raise CommandFailed(
            f"{format_count(len(summary.failed), 'item')} could not be listed; see above.", summary.exit_code
        )


def _verify(session: CommandSession, destination: Path, paths: list[str]) -> list[TransferFailure]:
    with Meter(session.out, None) as meter:
        damaged = [
            TransferFailure(path=path, error=IntegrityError(reason))
            for path, reason in damaged_files(destination, paths, meter.finished)
        ]
    for failure in damaged:
        session.out.problem(f"{failure.path}: {failure.reason}")
    if not damaged:
        session.out.note(f"Verified {format_count(len(paths), 'file')}.")
    return damaged
