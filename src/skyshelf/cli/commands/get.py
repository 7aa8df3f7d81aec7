"""`skyshelf get`, `cat` and `thumbnail`: files from the server to this machine."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.params import counted, limit_rate_option, shared_limit
from skyshelf.cli.base.progress import Meter
from skyshelf.cli.base.records import DownloadRecord, FailureRecord, TransferRecord
from skyshelf.cli.base.remote_paths import RemotePath
from skyshelf.cli.base.session import ClientCommand, Session
from skyshelf.cli.base.targets import display_name, locate, locate_all
from skyshelf.client.errors import LocalFileError
from skyshelf.client.local.names import safe_name
from skyshelf.client.objects.remote_object import FoundObject
from skyshelf.client.transfers import DOWNLOAD_WORKERS, TransferEvent, TransferSummary
from skyshelf.wire.client_errors import INVALID_REQUEST_ERROR
from skyshelf.wire.sizes import format_size

if TYPE_CHECKING:
    from skyshelf.client.api.transfers import ThumbnailSize
    from skyshelf.client.engine.rate_limit import RateLimit

GOES_ON = "Run the same command again: it goes on where it stopped"
TRY_AGAIN = "Run the same command again to try them once more"
workers_option = click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=DOWNLOAD_WORKERS,
    show_default=True,
    help="Files that are fetched at once.",
)
overwrite_option = click.option("--overwrite", is_flag=True, help="Replace files of the same name.")


@click.command(
    "get",
    cls=ClientCommand,
    record=TransferRecord,
    example=("skyshelf get /Photos/beach.jpg", "skyshelf get '/Photos/*.jpg' /Documents ~/Downloads"),
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH... [DEST]", type=RemotePath(local=True))
@click.option(
    "--to", "to", type=click.Path(path_type=Path), help="Where to; then every argument is a path on the server."
)
@overwrite_option
@workers_option
@limit_rate_option
def get(
    *,
    session: Session,
    paths: tuple[str, ...],
    to: Path | None,
    overwrite: bool,
    workers: int,
    limit_rate: int | None,
) -> None:
    """Download files and folders.

    The last of several arguments is where to, as with cp; with one argument that is the folder that you are in. What
    arrives is checked against the server's hash, and a file has its name only when all of it is there.
    """
    sources, destination = (paths, to) if to is not None else _split_destination(paths)
    session.how_to_continue = GOES_ON
    found = locate_all(session.client, sources)
    if len(found) > 1:
        make_folder(destination)
    total = sum(each.object.size or 0 for each in found) if all(each.object.is_file for each in found) else None
    summary, limit = TransferSummary(), shared_limit(limit_rate)
    with Meter(session.out, "downloaded", total_bytes=total) as meter:
        for number, each in enumerate(found, 1):
            if each.object.is_folder:
                into = destination / (safe_name(each.object.name) if each.object.name else ".")
                make_folder(into)
                done = session.client.download_all(
                    into,
                    each.object,
                    workers=workers,
                    overwrite=overwrite,
                    rate_limit=limit,
                    progress=listener(meter, is_last=number == len(found)),
                )
                summary.add(done)
            else:
                _fetch_file(session, meter, summary, each, destination, overwrite=overwrite, limit=limit)
    tell_downloads(session, summary, destination)


def _split_destination(paths: tuple[str, ...]) -> tuple[tuple[str, ...], Path]:
    if len(paths) == 1:
        return paths, Path()
    return paths[:-1], Path(paths[-1])


def make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise LocalFileError(f"{folder} is no folder, and cannot become one: {problem.strerror}") from problem


def _fetch_file(
    session: Session,
    meter: Meter,
    summary: TransferSummary,
    each: FoundObject,
    destination: Path,
    *,
    overwrite: bool,
    limit: "RateLimit | None",
) -> None:
    name = display_name(each)
    done = session.client.download(
        each.object,
        destination,
        overwrite=overwrite,
        rate_limit=limit,
        progress=lambda received, _: meter.moved(name, received),
    )
    meter.finished(name, done.size)
    summary.done += 1
    summary.bytes_done += done.size


def listener(meter: Meter, *, is_last: bool = True) -> Callable[[TransferEvent], None]:
    """Tells the meter what happens; after the last of several runs no further files come."""

    def hear(event: TransferEvent) -> None:
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
            meter.failed(event.path, event.reason or "it could not be downloaded")

    return hear


def tell_downloads(
    session: Session, summary: TransferSummary, destination: Path, *, next_step: str = TRY_AGAIN
) -> None:
    """Say how a transfer ended; what is missing makes it an error."""
    session.out.one(
        TransferRecord(
            done=summary.done,
            skipped=summary.skipped,
            bytes=summary.bytes_done,
            failed=[FailureRecord(path=one.path, reason=one.reason) for one in summary.failed],
        )
    )
    unchanged = f", {summary.skipped:,} were there already" if summary.skipped else ""
    fetched = f"{counted(summary.done, 'file')} ({format_size(summary.bytes_done)})"
    session.out.note(f"{fetched} downloaded to {destination.absolute()}{unchanged}.")
    if summary.stopped_by is not None:
        raise CommandFailed(f"{str(summary.stopped_by).rstrip('.')}. {GOES_ON}.", summary.exit_code)
    if not summary.ok:
        missing = f"{len(summary.failed):,} missing or wrong, as named above"
        raise CommandFailed(f"{missing}. {next_step}.", summary.exit_code)


@click.command("cat", cls=ClientCommand, example="skyshelf cat /notes.txt | less")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
def cat(*, session: Session, paths: tuple[str, ...]) -> None:
    """Write the content of files to standard output, after it was checked."""
    with TemporaryDirectory(prefix="skyshelf-cat-") as folder:
        for number, each in enumerate(locate_all(session.client, paths)):
            if each.object.is_folder:
                raise CommandFailed(
                    f"{display_name(each)} is a folder: `skyshelf get` downloads it", INVALID_REQUEST_ERROR.exit_code
                )
            done = session.client.download(each.object, Path(folder) / str(number))
            with done.path.open("rb") as content:
                shutil.copyfileobj(content, sys.stdout.buffer)
            done.path.unlink()
    sys.stdout.buffer.flush()


@click.command(
    "thumbnail", cls=ClientCommand, record=DownloadRecord, example="skyshelf thumbnail /Photos/beach.jpg --size 256"
)
@click.argument("path")
@click.argument("destination", required=False, type=click.Path(path_type=Path), metavar="[DEST]")
@click.option("--size", type=click.Choice(["256", "512", "1080"]), default="512", show_default=True)
@overwrite_option
def thumbnail(*, session: Session, path: str, destination: Path | None, size: str, overwrite: bool) -> None:
    """Download a small picture of a picture, a video or a PDF."""
    import hashlib

    found = locate(session.client, path)
    sizes: dict[str, ThumbnailSize] = {"256": 256, "512": 512, "1080": 1080}
    picture = session.client.thumbnail(found.object, size=sizes[size])
    ending = ".webp" if picture[8:12] == b"WEBP" else ".jpg"
    name = f"{safe_name(found.object.name).rpartition('.')[0] or safe_name(found.object.name)}-{size}{ending}"
    place = Path(name) if destination is None else destination / name if destination.is_dir() else destination
    try:
        with place.open("wb" if overwrite else "xb") as opened:
            opened.write(picture)
    except FileExistsError:
        raise CommandFailed(f"{place} is there already: name another place, or allow it with --overwrite") from None
    except OSError as problem:
        raise LocalFileError(f"{place} cannot be written: {problem.strerror}") from problem
    record = DownloadRecord(
        path=str(place),
        object_key=found.object.key,
        size_bytes=len(picture),
        md5=hashlib.md5(picture, usedforsecurity=False).hexdigest(),
        verified=False,
    )
    session.out.one(record, [str(place)])
