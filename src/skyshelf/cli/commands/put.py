"""`skyshelf put` and `sync`: files from this machine to the server."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from skyshelf.cli.base.errors import CommandFailed, sentence_for
from skyshelf.cli.base.params import counted, limit_rate_option, shared_limit
from skyshelf.cli.base.progress import Meter
from skyshelf.cli.base.records import FailureRecord, SyncRecord, TransferRecord
from skyshelf.cli.base.remote_paths import RemotePath
from skyshelf.cli.base.session import ClientCommand, Session
from skyshelf.cli.base.targets import KEY, split_target, target
from skyshelf.cli.base.text import visible
from skyshelf.cli.commands.sync_plan import SyncPlan, plan_sync
from skyshelf.client.errors import NotOfferedError, ObjectNotFoundError, SkyshelfError
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.transfers import UPLOAD_WORKERS, TransferEvent, TransferFailure, TransferSummary
from skyshelf.wire.client_errors import CONFLICT_ERROR, INVALID_REQUEST_ERROR
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.client.engine.rate_limit import RateLimit

_GOES_ON = "Run the same command again: what has arrived is not sent again"
workers_option = click.option(
    "--workers",
    type=click.IntRange(1, 32),
    default=UPLOAD_WORKERS,
    show_default=True,
    help="Files that are sent at once.",
)


@click.command(
    "put",
    cls=ClientCommand,
    record=TransferRecord,
    example=("skyshelf put holiday /Photos", "skyshelf put *.pdf /Documents/"),
)
@click.argument("paths", nargs=-1, required=True, metavar="LOCAL... [PATH]", type=RemotePath(local_first=True))
@click.option(
    "--to",
    "to",
    type=RemotePath(),
    metavar="PATH",
    help="The folder on the server; then every argument is a local file.",
)
@workers_option
@limit_rate_option
def put(*, session: Session, paths: tuple[str, ...], to: str | None, workers: int, limit_rate: int | None) -> None:
    """Upload files and folders.

    The last of several arguments is the folder on the server, made where it is missing; with one argument it is the
    top of your drive. A single file can be given a new name by a path that is not there yet. A file whose name is
    taken becomes the next version of that file, and what the server has already is not sent again.
    """
    sources, wanted = _split_destination(paths) if to is None else (paths, to)
    local = [Path(one) for one in sources]
    for path in local:
        if not path.exists():
            raise CommandFailed(f"{path} is not there: name a file or folder of this machine")
    session.how_to_continue = _GOES_ON
    folder, name = _destination(session, wanted, only_file=len(local) == 1 and local[0].is_file())
    summary, limit = TransferSummary(), shared_limit(limit_rate)
    with Meter(session.out, "uploaded", total_bytes=_total(local)) as meter:
        for path in local:
            if path.is_dir():
                inside = session.client.create_folder(path.resolve().name, folder, exist_ok=True)
                done = session.client.upload_all(
                    path,
                    inside,
                    workers=workers,
                    rate_limit=limit,
                    progress=_listener(meter, path),
                )
                summary.add(_with_local_paths(done, path))
            else:
                _send_file(session, meter, summary, path, (folder, name), limit=limit)
    _tell(session, summary)


def _split_destination(paths: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    return (paths, "/") if len(paths) == 1 else (paths[:-1], paths[-1])


def _destination(session: Session, wanted: str, *, only_file: bool) -> tuple[RemoteObject, str | None]:
    """The folder to put things into, and the new name of a single file."""
    try:
        there = session.client.get(target(wanted))
    except ObjectNotFoundError:
        if wanted.startswith(KEY):
            raise
        if only_file and not wanted.endswith("/"):
            above, name = split_target(wanted)
            return session.client.create_path(above), name
        return session.client.create_path(wanted), None
    if there.is_folder:
        return there, None
    if only_file and not wanted.startswith(KEY):
        above, name = split_target(wanted)
        return session.client.get(above), name
    raise CommandFailed(f"{wanted} is a file: name a folder to put things into", INVALID_REQUEST_ERROR.exit_code)


def _total(paths: list[Path]) -> int:
    files = (
        Path(folder, name) for path in paths if path.is_dir() for folder, _, names in os.walk(path) for name in names
    )
    sizes = [path.stat().st_size for path in paths if path.is_file()]
    return sum(sizes) + sum(file.lstat().st_size for file in files if file.is_file())


def _send_file(
    session: Session,
    meter: Meter,
    summary: TransferSummary,
    path: Path,
    into: tuple[RemoteObject, str | None],
    *,
    limit: "RateLimit | None",
) -> None:
    folder, name = into
    shown = str(path)
    try:
        done = session.client.upload(
            path, folder, name=name, rate_limit=limit, progress=lambda sent, _: meter.moved(shown, sent)
        )
    except SkyshelfError as problem:
        meter.failed(shown, sentence_for(problem))
        summary.failed.append(TransferFailure(path=shown, error=problem))
    else:
        meter.finished(shown, done.size or 0)
        summary.done += 1
        summary.bytes_done += done.size or 0


def _listener(meter: Meter, local: Path) -> Callable[[TransferEvent], None]:
    """Passes the events of an upload on to the meter, with local paths."""

    def hear(event: TransferEvent) -> None:
        path = str(local / event.path)
        if event.kind == "progress":
            meter.moved(path, event.transferred)
        elif event.kind == "done":
            meter.finished(path, event.transferred)
        elif event.kind == "skipped":
            meter.skipped(path, event.size or 0)
        elif event.kind == "failed":
            meter.failed(path, event.reason or "it could not be uploaded")

    return hear


def _with_local_paths(summary: TransferSummary, local: Path) -> TransferSummary:
    """The summary of a folder's upload, its failures named from where the command runs."""
    return replace(summary, failed=[replace(one, path=str(local / one.path)) for one in summary.failed])


def _tell(session: Session, summary: TransferSummary) -> None:
    session.out.one(
        TransferRecord(
            done=summary.done,
            skipped=summary.skipped,
            bytes=summary.bytes_done,
            failed=[FailureRecord(path=one.path, reason=one.reason) for one in summary.failed],
        )
    )
    _note(session, summary)
    _fail_for(summary)


def _note(session: Session, summary: TransferSummary) -> None:
    more = f", {summary.skipped:,} were there already" if summary.skipped else ""
    more += f", {summary.ignored:,} are neither files nor folders and were left out" if summary.ignored else ""
    session.out.note(f"{counted(summary.done, 'file')} ({format_size(summary.bytes_done)}) uploaded{more}.")


def _fail_for(summary: TransferSummary) -> None:
    if summary.stopped_by is not None:
        raise summary.stopped_by
    if summary.failed:
        # To a server that takes no uploads, the same command would lead again and again.
        in_vain = all(isinstance(one.error, NotOfferedError) for one in summary.failed)
        raise CommandFailed(
            f"{len(summary.failed):,} could not be uploaded; they are named above."
            f"{'' if in_vain else ' Run the same command again.'}",
            summary.exit_code,
        )


@click.command(
    "sync",
    cls=ClientCommand,
    record=SyncRecord,
    example=("skyshelf sync ~/Pictures /Photos --dry-run", "skyshelf sync ~/Pictures /Photos --delete --max-delete 20"),
)
@click.argument("local", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.argument("path")
@click.option("--delete", is_flag=True, help="Put into the trash what is on the server and not here.")
@click.option(
    "--max-delete", type=click.IntRange(0), default=100, show_default=True, help="Stop before trashing more files."
)
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@workers_option
@limit_rate_option
def sync(
    *,
    session: Session,
    local: Path,
    path: str,
    delete: bool,
    max_delete: int,
    dry_run: bool,
    workers: int,
    limit_rate: int | None,
) -> None:
    """Make a folder of the server like one of this machine, in this direction only."""
    session.how_to_continue = _GOES_ON
    with Meter(session.out, None) as meter:
        plan = plan_sync(
            session.client,
            local,
            target(path),
            delete=delete,
            compared=lambda one, size: meter.finished(str(one), size),
        )
    if plan.files_to_trash > max_delete:
        too_many = f"{counted(plan.files_to_trash, 'file')} would go to the trash, and --max-delete allows {max_delete}"
        if not dry_run:
            raise CommandFailed(f"{too_many}. Nothing was done: --dry-run shows which", CONFLICT_ERROR.exit_code)
        session.out.note(f"{too_many}: without --dry-run nothing at all would be done.")
    if not dry_run:
        _carry_out(session, plan, local, path, workers=workers, limit=shared_limit(limit_rate))
    record = SyncRecord(
        upload=[one.path for one in plan.uploads],
        trash=[one.path for one in plan.trash],
        unchanged=len(plan.unchanged),
        dry_run=dry_run,
    )
    told = [*(f"upload {visible(one)}" for one in record.upload), *(f"trash {visible(one)}" for one in record.trash)]
    session.out.one(record, told if dry_run else ())
    if dry_run:
        session.out.note(
            f"{counted(len(plan.uploads), 'file')} would be uploaded, {counted(plan.files_to_trash, 'file')} trashed,"
            f" and {len(plan.unchanged):,} left as they are."
        )


def _carry_out(
    session: Session, plan: SyncPlan, local: Path, path: str, *, workers: int, limit: "RateLimit | None"
) -> None:
    """Upload first and trash last: what was moved here is there under its new name before its old one goes."""
    summary = TransferSummary()
    if plan.folder is None or plan.uploads or plan.folders_missing:
        folder = plan.folder or session.client.create_path(path)
        with Meter(session.out, "uploaded", total_bytes=sum(one.size for one in plan.uploads)) as meter:
            summary = session.client.upload_all(
                local,
                folder,
                workers=workers,
                rate_limit=limit,
                select=lambda _, path: path not in plan.unchanged,
                progress=_listener(meter, local),
            )
    summary.skipped += len(plan.unchanged)
    _note(session, summary)
    # After a failed upload the only copy might be among what is to go.
    _fail_for(summary)
    if plan.trash:
        session.client.move_to_trash([one.object for one in plan.trash]).raise_for_failures()
        session.out.note(f"{counted(plan.files_to_trash, 'file')} put into the trash.")
