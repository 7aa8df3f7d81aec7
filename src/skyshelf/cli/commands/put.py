"""`skyshelf put` and `mirror`: uploads."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from skyshelf.cli.base.errors import CommandFailed, Conflict, InvalidRequest, describe_error
from skyshelf.cli.base.params import EXISTING_FOLDER, limit_rate_option, number_option, shared_rate_limit
from skyshelf.cli.base.progress import Meter
from skyshelf.cli.base.records import TransferRecord
from skyshelf.cli.base.remote_paths import RemotePath
from skyshelf.cli.base.session import CommandSession, client_command
from skyshelf.cli.base.targets import KEY, find, split_target, target
from skyshelf.cli.base.text import format_count, visible
from skyshelf.cli.commands.mirror_plan import MirrorPlan, plan_mirror
from skyshelf.client.errors import ConflictError, NotOfferedError, SkyshelfError
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.transfers import UPLOAD_WORKERS, TransferEvent, TransferFailure, TransferSummary
from skyshelf.wire.projection import Projection
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.client.engine.pacer import RateLimit

_RESUME_HINT = "Run the same command again to resume; files that have arrived are not sent again"
workers_option = number_option(
    "--workers", 1, 32, default=UPLOAD_WORKERS, help="Number of files to upload in parallel."
)


@client_command("put", "skyshelf put holiday /Photos", "skyshelf put *.pdf /Documents/", record=TransferRecord)
@click.argument("paths", nargs=-1, required=True, metavar="LOCAL... [PATH]", type=RemotePath(local_first=True))
@click.option(
    "--to", "to", type=RemotePath(), metavar="PATH", help="Folder on the server; all arguments are then local files."
)
@workers_option
@limit_rate_option
def put(
    *, session: CommandSession, paths: tuple[str, ...], to: str | None, workers: int, limit_rate: int | None
) -> None:
    """Upload files and folders.

    The last of several arguments is the folder on the server, which is created if needed; with a single argument it is
    the top folder. To rename a single file, use a path that does not exist yet. If a file of that name exists, it gets
    a new version; content that the server already has is not sent again.
    """
    if to is None:
        paths, to = (paths, "/") if len(paths) == 1 else (paths[:-1], paths[-1])
    local = [Path(path) for path in paths]
    for path in local:
        if not path.exists():
            raise CommandFailed(f"{path} does not exist: name a local file or folder")
    session.resume_hint = _RESUME_HINT
    folder, name = _destination(session, to, only_file=len(local) == 1 and local[0].is_file())
    summary, limit = TransferSummary(), shared_rate_limit(limit_rate)
    with Meter(session.out, "uploaded", total_bytes=_total(local)) as meter:
        for path in local:
            if path.is_dir():
                inside = session.client.create_folder(path.resolve().name, folder, exist_ok=True)
                done = session.client.upload_all(
                    path, inside, workers=workers, rate_limit=limit, progress=_listener(meter, path)
                )
                # The paths of failures are below that folder.
                failed = [replace(one, path=str(path / one.path)) for one in done.failed]
                summary.add(replace(done, failed=failed))
            else:
                _upload_file(session, meter, summary, path, (folder, name), to=to, limit=limit)
    session.out.record(TransferRecord.of(summary, dry_run=False))
    _note(session, summary)
    _fail_for(summary)


def _destination(session: CommandSession, wanted: str, *, only_file: bool) -> tuple[RemoteObject, str | None]:
    """The folder to upload to, and the new name of a single file."""
    existing = find(session.client, wanted)
    if existing is None:
        if only_file and not wanted.endswith("/"):
            above, name = split_target(wanted)
            return session.client.create_path(above), name
        return session.client.create_path(wanted), None
    if existing.is_folder:
        return existing, None
    if only_file and not wanted.startswith(KEY):
        above, name = split_target(wanted)
        return session.client.get(above), name
    raise InvalidRequest(f"{wanted} is a file: use a folder as the destination")


def _total(paths: list[Path]) -> int:
    files = (
        Path(folder, name) for path in paths if path.is_dir() for folder, _, names in os.walk(path) for name in names
    )
    sizes = [path.stat().st_size for path in paths if path.is_file()]
    return sum(sizes) + sum(file.lstat().st_size for file in files if file.is_file())


def _upload_file(
    session: CommandSession,
    meter: Meter,
    summary: TransferSummary,
    path: Path,
    into: tuple[RemoteObject, str | None],
    *,
    to: str,
    limit: "RateLimit | None",
) -> None:
    folder, name = into
    label = str(path)

    def upload(folder: RemoteObject, name: str | None) -> RemoteObject:
        return session.client.upload(
            path, folder, name=name, rate_limit=limit, progress=lambda sent, _: meter.moved(label, sent)
        )

    try:
        try:
            done = upload(folder, name)
        except ConflictError:
            # The new name may be that of a folder which was not listed before.
            taken = session.client.find(target(to), expected=True) if name is not None else None
            if taken is None or not taken.is_folder:
                raise
            done = upload(taken, None)
    except SkyshelfError as error:
        meter.failed(label, describe_error(error))
        summary.failed.append(TransferFailure(path=label, error=error))
    else:
        meter.finished(label, done.size or 0)
        summary.done += 1
        summary.bytes_done += done.size or 0


def _listener(meter: Meter, local: Path) -> Callable[[TransferEvent], None]:
    """A listener that passes the events of an upload to the meter, with local paths."""

    def handle(event: TransferEvent) -> None:
        path = str(local / event.path)
        if event.kind == "progress":
            meter.moved(path, event.transferred)
        elif event.kind == "done":
            meter.finished(path, event.transferred)
        elif event.kind == "skipped":
            meter.skipped(path, event.size or 0)
        elif event.kind == "failed":
            meter.failed(path, event.reason or "the upload failed")

    return handle


def _note(session: CommandSession, summary: TransferSummary) -> None:
    more = f", {summary.skipped:,} unchanged" if summary.skipped else ""
    more += f", {summary.ignored:,} skipped (neither files nor folders)" if summary.ignored else ""
    session.out.note(f"Uploaded {format_count(summary.done, 'file')} ({format_size(summary.bytes_done)}){more}.")


def _fail_for(summary: TransferSummary) -> None:
    if summary.stopped_by is not None:
        raise summary.stopped_by
    if summary.failed:
        # Retrying is pointless on a server that accepts no uploads.
        is_pointless = all(isinstance(one.error, NotOfferedError) for one in summary.failed)
        raise CommandFailed(
            f"{format_count(len(summary.failed), 'file')} could not be uploaded; see above."
            f"{'' if is_pointless else ' Run the same command again to retry.'}",
            summary.exit_code,
        )


class MirrorRecord(Projection, frozen=True, kw_only=True):
    """What a mirror did, or in a dry run would do: paths on the server."""

    upload: list[str]
    trash: list[str]
    unchanged: int
    dry_run: bool


@client_command(
    "mirror",
    "skyshelf mirror ~/Pictures /Photos --dry-run",
    "skyshelf mirror ~/Pictures /Photos --delete --max-delete 20",
    record=MirrorRecord,
)
@click.argument("local", type=EXISTING_FOLDER)
@click.argument("path")
@click.option("--delete", is_flag=True, help="Move items that do not exist locally to the trash.")
@number_option("--max-delete", 0, default=100, help="Change nothing if more files than this would be trashed.")
@click.option("--dry-run", is_flag=True, help="Print the plan, and change nothing.")
@workers_option
@limit_rate_option
def mirror(
    *,
    session: CommandSession,
    local: Path,
    path: str,
    delete: bool,
    max_delete: int,
    dry_run: bool,
    workers: int,
    limit_rate: int | None,
) -> None:
    """Mirror a local folder to the server.

    Uploads new and changed files, in this direction only. Nothing is removed from the server unless you use --delete,
    which moves items to the trash.
    """
    session.resume_hint = _RESUME_HINT
    with Meter(session.out, None) as meter:
        plan = plan_mirror(
            session.client,
            local,
            target(path),
            delete=delete,
            compared=lambda one, size: meter.finished(str(one), size),
        )
    if plan.files_to_trash > max_delete:
        too_many = f"{format_count(plan.files_to_trash, 'file')} would be trashed, but --max-delete is {max_delete}"
        if not dry_run:
            raise Conflict(f"{too_many}. Nothing was changed; --dry-run lists them")
        session.out.note(f"{too_many}: without --dry-run, nothing would be changed.")
    if plan.trash and not (plan.uploads or plan.unchanged):
        nothing = f"{visible(str(local))} has no files, so everything in {visible(path)} would be trashed"
        if not dry_run:
            raise Conflict(f"{nothing}. Nothing was changed: is its disk mounted? `skyshelf rm` empties a folder")
        session.out.note(f"{nothing}: without --dry-run, nothing would be changed.")
    if not dry_run:
        _carry_out(session, plan, local, path, workers=workers, limit=shared_rate_limit(limit_rate))
    record = MirrorRecord(
        upload=[one.path for one in plan.uploads],
        trash=[one.path for one in plan.trash],
        unchanged=len(plan.unchanged),
        dry_run=dry_run,
    )
    lines = [*(f"upload {visible(one)}" for one in record.upload), *(f"trash {visible(one)}" for one in record.trash)]
    session.out.record(record, lines if dry_run else ())
    if dry_run:
        session.out.note(
            f"Would upload {format_count(len(plan.uploads), 'file')} and trash"
            f" {format_count(plan.files_to_trash, 'file')}; {len(plan.unchanged):,} unchanged."
        )


def _carry_out(
    session: CommandSession, plan: MirrorPlan, local: Path, path: str, *, workers: int, limit: "RateLimit | None"
) -> None:
    """Upload first, then trash: a file that was moved locally exists under its new name before the old one goes."""
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
    # After a failed upload, the trash could receive the only copy of a file.
    _fail_for(summary)
    if plan.trash:
        session.client.move_to_trash([one.object for one in plan.trash])
        session.out.note(f"Moved {format_count(plan.files_to_trash, 'file')} to the trash.")
