"""`skyshelf get`, `cat` and `thumbnail`: downloads."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from skyshelf.cli.base.errors import CommandFailed, InvalidRequest
from skyshelf.cli.base.params import PAST_TIME, limit_rate_option, number_option, shared_rate_limit, shown_option
from skyshelf.cli.base.progress import Meter
from skyshelf.cli.base.records import DownloadRecord, TransferRecord
from skyshelf.cli.base.remote_paths import RemotePath
from skyshelf.cli.base.session import CommandSession, client_command
from skyshelf.cli.base.targets import display_name, locate, locate_all
from skyshelf.cli.base.text import format_count
from skyshelf.client.errors import DestinationExistsError, LocalFileError, UnverifiedFileError
from skyshelf.client.local.names import REPLACED_FOLDER, safe_name
from skyshelf.client.objects.remote_object import FoundObject
from skyshelf.client.secrets import HELD
from skyshelf.client.transfers import DOWNLOAD_WORKERS, KEEP_REPLACED, TransferEvent, TransferSummary
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.client.api.transfers import ThumbnailSize

RESUME_HINT = "Run the same command again to resume"
RETRY_HINT = "Run the same command again to retry"
_OVERWRITE_HINT = "Use --overwrite to replace files that differ"
_UNVERIFIED_HINT = "Use --allow-unverified to download files that cannot be checked"
workers_option = number_option(
    "--workers", 1, 64, default=DOWNLOAD_WORKERS, help="Number of files to download in parallel."
)
at_option = click.option(
    "--at", type=PAST_TIME, help="Download files as they were: yesterday, '2 hours ago', 2024-05-01T12:30."
)
overwrite_option = click.option("--overwrite", is_flag=True, help="Replace existing files.")
allow_unverified_option = click.option(
    "--allow-unverified",
    is_flag=True,
    help="Also download files that the server has no hash of; their content cannot be checked.",
)


@client_command(
    "get",
    "skyshelf get /Photos/beach.jpg",
    "skyshelf get '/Photos/*.jpg' /Documents ~/Downloads",
    "skyshelf get /notes.txt --at yesterday",
    record=TransferRecord,
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH... [DEST]", type=RemotePath(local=True))
@click.option(
    "--to", "to", type=click.Path(path_type=str), help="Destination; all arguments are then paths on the server."
)
@at_option
@overwrite_option
@allow_unverified_option
@workers_option
@limit_rate_option
def get(
    *,
    session: CommandSession,
    paths: tuple[str, ...],
    to: str | None,
    at: int | None,
    overwrite: bool,
    allow_unverified: bool,
    workers: int,
    limit_rate: int | None,
) -> None:
    """Download files and folders.

    The last of several arguments is the destination, as with cp; with a single argument it is the current folder. Every
    file is checked against the server's hash, and gets its name only once it is complete. A folder that is downloaded
    again gets what has changed; what that replaces is kept in .skyshelf-replaced in it for 90 days. A file that the
    server has no hash of is an error, unless you use --allow-unverified. With --at, files and folders are downloaded as
    they were, and a path is the one that they had then.
    """
    if to is None:
        paths, to = (paths, ".") if len(paths) == 1 else (paths[:-1], paths[-1])
    destination = Path(to)
    session.resume_hint = RESUME_HINT
    drive = session.client if at is None else session.client.at(at)
    # Whatever history keeps has a hash.
    checks: dict[str, Any] = {"allow_unverified": allow_unverified} if at is None else {}
    keeps: dict[str, Any] = {"keep_replaced": KEEP_REPLACED} if at is None else {}
    found = locate_all(drive, paths)
    if len(found) > 1 or to.endswith("/"):
        make_folder(destination)
    total = sum(item.object.size or 0 for item in found) if all(item.object.is_file for item in found) else None
    summary, limit = TransferSummary(), shared_rate_limit(limit_rate)
    with Meter(session.out, "downloaded", total_bytes=total) as meter:
        for number, item in enumerate(found, 1):
            if item.object.is_folder:
                into = destination / (_local_name(item) if item.object.name else ".")
                make_folder(into)
                summary.add(
                    drive.download_all(
                        into,
                        item.object,
                        workers=workers,
                        overwrite=overwrite,
                        rate_limit=limit,
                        progress=progress_listener(meter, is_last=number == len(found)),
                        **checks,
                        **keeps,
                    )
                )
            else:
                progress = _byte_listener(meter, item)
                done = drive.download(
                    item.object, destination, overwrite=overwrite, rate_limit=limit, progress=progress, **checks
                )
                meter.finished(display_name(item), done.size)
                summary.add(TransferSummary(done=1, bytes_done=done.size, unverified=0 if done.verified else 1))
    if summary.replaced:
        session.out.note(f"Kept {format_count(summary.replaced, 'replaced file')} in {REPLACED_FOLDER}.")
    report_downloads(session, summary, destination)


def _local_name(item: FoundObject) -> str:
    return safe_name(HELD.hide(item.object.name))


def make_folder(folder: Path) -> None:
    """Create a local folder with its parents, unless it exists."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LocalFileError(f"cannot create the folder {folder}: {error.strerror}") from error


def _byte_listener(meter: Meter, item: FoundObject) -> Callable[[int, int], None]:
    name = display_name(item)
    return lambda received, _: meter.moved(name, received)


def progress_listener(meter: Meter, *, is_last: bool = True) -> Callable[[TransferEvent], None]:
    """A listener that passes events to the meter; the total is final after the last of several downloads."""

    def handle(event: TransferEvent) -> None:
        if event.kind == "progress":
            meter.moved(event.path, event.transferred)
        elif event.kind == "queued":
            meter.queued(event.size or 0)
        elif event.kind == "all_listed" and is_last:
            meter.all_listed()
        elif event.kind == "done":
            meter.finished(event.path, event.transferred)
        elif event.kind == "skipped":
            meter.skipped(event.path)
        elif event.kind == "failed":
            meter.failed(event.path, event.reason or "the download failed")

    return handle


def report_downloads(
    session: CommandSession, summary: TransferSummary, destination: Path, *, next_step: str = RETRY_HINT
) -> None:
    """Report the result of a download; missing files make it an error."""
    session.out.record(TransferRecord.of(summary, dry_run=False))
    unchanged = f", {summary.skipped:,} unchanged" if summary.skipped else ""
    downloaded = f"{format_count(summary.done, 'file')} ({format_size(summary.bytes_done)})"
    session.out.note(f"Downloaded {downloaded} to {destination.absolute()}{unchanged}.")
    if summary.unverified:
        session.out.problem(
            f"{format_count(summary.unverified, 'file')} not verified: the server has no hash to check the content with"
        )
    if summary.stopped_by is not None:
        raise CommandFailed(f"{str(summary.stopped_by).removesuffix('.')}. {RESUME_HINT}.", summary.exit_code)
    if not summary.ok:
        if all(isinstance(one.error, DestinationExistsError) for one in summary.failed):
            next_step = _OVERWRITE_HINT
        elif all(isinstance(one.error, UnverifiedFileError) for one in summary.failed):
            next_step = _UNVERIFIED_HINT
        failed = f"{format_count(len(summary.failed), 'file')} missing or damaged; see above"
        raise CommandFailed(f"{failed}. {next_step}.", summary.exit_code)


@client_command("cat", "skyshelf cat /notes.txt | less")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@at_option
@allow_unverified_option
def cat(*, session: CommandSession, paths: tuple[str, ...], at: int | None, allow_unverified: bool) -> None:
    """Print the content of files.

    Each file is downloaded and checked before it is printed.
    """
    drive = session.client if at is None else session.client.at(at)
    checks: dict[str, Any] = {"allow_unverified": allow_unverified} if at is None else {}
    with TemporaryDirectory(prefix="skyshelf-cat-") as folder:
        for number, item in enumerate(locate_all(drive, paths)):
            if item.object.is_folder:
                raise InvalidRequest(f"{display_name(item)} is a folder: use `skyshelf get` to download it")
            done = drive.download(item.object, Path(folder) / str(number), **checks)
            with done.path.open("rb") as content:
                shutil.copyfileobj(content, sys.stdout.buffer)
            done.path.unlink()
    sys.stdout.buffer.flush()


@client_command("thumbnail", "skyshelf thumbnail /Photos/beach.jpg --size 256", record=DownloadRecord)
@click.argument("path")
@click.argument("destination", required=False, type=click.Path(path_type=Path), metavar="[DEST]")
@shown_option("--size", type=click.Choice(["256", "512", "1080"]), default="512", help="Longest side in pixels.")
@overwrite_option
def thumbnail(*, session: CommandSession, path: str, destination: Path | None, size: str, overwrite: bool) -> None:
    """Download a preview of a picture, video or PDF."""
    import hashlib

    found = locate(session.client, path)
    sizes: dict[str, ThumbnailSize] = {"256": 256, "512": 512, "1080": 1080}
    picture = session.client.thumbnail(found.object, size=sizes[size])
    suffix = ".webp" if picture[8:12] == b"WEBP" else ".jpg"
    name = f"{_local_name(found).rpartition('.')[0] or _local_name(found)}-{size}{suffix}"
    local_path = Path(name) if destination is None else destination / name if destination.is_dir() else destination
    try:
        with local_path.open("wb" if overwrite else "xb") as opened:
            opened.write(picture)
    except FileExistsError:
        raise CommandFailed(
            f"{local_path} already exists: choose another destination, or replace it with --overwrite"
        ) from None
    except OSError as error:
        raise LocalFileError(f"cannot write {local_path}: {error.strerror}") from error
    record = DownloadRecord(
        path=str(local_path),
        object_key=found.object.key,
        size_bytes=len(picture),
        md5=hashlib.md5(picture, usedforsecurity=False).hexdigest(),
        verified=False,
    )
    session.out.record(record, [str(local_path)])
