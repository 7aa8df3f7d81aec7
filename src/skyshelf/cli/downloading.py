"""`skyshelf get`, `backup`, `cat` and `thumbnail`: files from the server to this machine."""

import shutil
import sys
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from skyshelf.cli.failures import CommandFailed
from skyshelf.cli.progress import Meter
from skyshelf.cli.records import DownloadRecord, FailureRecord, TransferRecord
from skyshelf.cli.session import ClientCommand, Session
from skyshelf.cli.sizes import counted, readable
from skyshelf.cli.targets import Located, locate, locate_all, target
from skyshelf.client.download_events import WORKERS, BulkSummary, DownloadEvent, DownloadFailure
from skyshelf.client.errors import IntegrityError, LocalFileError
from skyshelf.client.local_names import safe_name
from skyshelf.client.objects import RemoteObject
from skyshelf.wire.client_errors import INVALID_REQUEST_ERROR

if TYPE_CHECKING:
    from skyshelf.client.thumbnails import ThumbnailSize

_GOES_ON = "Run the same command again: it goes on where it stopped"
_TRY_AGAIN = "Run the same command again to try them once more"
_MEND = "Delete those whose content is wrong, and run the same command again"
workers_option = click.option(
    "--workers", type=click.IntRange(1, 64), default=WORKERS, show_default=True, help="Files that are fetched at once."
)
overwrite_option = click.option("--overwrite", is_flag=True, help="Replace files of the same name.")


@click.command(
    "get",
    cls=ClientCommand,
    record=TransferRecord,
    example=("skyshelf get /Photos/beach.jpg", "skyshelf get '/Photos/*.jpg' /Documents ~/Downloads"),
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH... [DEST]")
@click.option(
    "--to", "to", type=click.Path(path_type=Path), help="Where to; then every argument is a path on the server."
)
@overwrite_option
@workers_option
def get(*, session: Session, paths: tuple[str, ...], to: Path | None, overwrite: bool, workers: int) -> None:
    """Download files and folders.

    The last of several arguments is where to, as with cp; with one argument that is the folder that you are in. What
    arrives is checked against the server's hash, and a file has its name only when all of it is there.
    """
    sources, destination = (paths, to) if to is not None else _split_destination(paths)
    session.how_to_continue = _GOES_ON
    found = locate_all(session.client, sources)
    if len(found) > 1:
        _make_folder(destination)
    total = sum(each.object.size or 0 for each in found) if all(each.object.is_file for each in found) else None
    summary = BulkSummary()
    with Meter(session.out, "downloaded", total_bytes=total) as meter:
        for each in found:
            if each.object.is_folder:
                name = safe_name(each.object.name) if each.object.name else "."
                _add(
                    summary,
                    _fetch_folder(session, meter, each, destination / name, overwrite=overwrite, workers=workers),
                )
            else:
                _fetch_file(session, meter, summary, each, destination, overwrite=overwrite)
    _tell(session, summary, destination)


def _split_destination(paths: tuple[str, ...]) -> tuple[tuple[str, ...], Path]:
    if len(paths) == 1:
        return paths, Path()
    return paths[:-1], Path(paths[-1])


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise LocalFileError(f"{folder} is no folder, and cannot become one: {problem.strerror}") from problem


def _fetch_file(
    session: Session, meter: Meter, summary: BulkSummary, each: Located, destination: Path, *, overwrite: bool
) -> None:
    name = each.shown
    done = session.client.download(
        each.object, destination, overwrite=overwrite, progress=lambda received, _: meter.moved(name, received)
    )
    meter.finished(name, done.size)
    summary.done += 1
    summary.bytes_received += done.size


def _fetch_folder(
    session: Session, meter: Meter, each: Located, destination: Path, *, overwrite: bool, workers: int
) -> BulkSummary:
    _make_folder(destination)
    return session.client.download_all(
        destination, each.object, workers=workers, overwrite=overwrite, progress=_listener(meter)
    )


def _listener(meter: Meter) -> Callable[[DownloadEvent], None]:
    def hear(event: DownloadEvent) -> None:
        if event.kind == "progress":
            meter.moved(event.path, event.received)
        elif event.kind == "done":
            meter.finished(event.path, event.received)
        elif event.kind == "skipped":
            meter.skipped(event.path)
        elif event.kind == "failed":
            meter.failed(event.path, event.reason or "it could not be downloaded")

    return hear


def _add(summary: BulkSummary, more: BulkSummary) -> None:
    summary.done += more.done
    summary.skipped += more.skipped
    summary.bytes_received += more.bytes_received
    summary.failures += more.failures
    summary.stopped_by = summary.stopped_by or more.stopped_by


def _tell(session: Session, summary: BulkSummary, destination: Path, *, next_step: str = _TRY_AGAIN) -> None:
    session.out.one(
        TransferRecord(
            done=summary.done,
            skipped=summary.skipped,
            bytes=summary.bytes_received,
            failed=[FailureRecord(path=one.path, reason=one.reason) for one in summary.failures],
        )
    )
    unchanged = f", {summary.skipped:,} were there already" if summary.skipped else ""
    fetched = f"{counted(summary.done, 'file')} ({readable(summary.bytes_received)})"
    session.out.note(f"{fetched} downloaded to {destination.absolute()}{unchanged}.")
    if summary.stopped_by is not None:
        raise CommandFailed(f"{summary.stopped_by.rstrip('.')}. {_GOES_ON}.", summary.exit_code)
    if not summary.ok:
        missing = f"{len(summary.failures):,} missing or wrong, as named above"
        raise CommandFailed(f"{missing}. {next_step}.", summary.exit_code)


@click.command(
    "backup",
    cls=ClientCommand,
    record=TransferRecord,
    example=("skyshelf backup ~/drive-backup", "skyshelf backup ~/photos --from /Photos --exclude '*.tmp' --verify"),
)
@click.argument("destination", type=click.Path(path_type=Path, file_okay=False), metavar="DEST")
@click.option("--from", "path", default="/", metavar="PATH", help="Only what is below this folder.")
@click.option("--ext", metavar="EXTENSION", help="Files of this extension only.")
@click.option("--include", multiple=True, metavar="GLOB", help="Only files with such a name; several are alternatives.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="No files with such a name.")
@click.option("--verify", is_flag=True, help="Read the whole copy afterwards, and compare every byte by its hash.")
@overwrite_option
@workers_option
def backup(
    *,
    session: Session,
    destination: Path,
    path: str,
    ext: str | None,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    verify: bool,
    overwrite: bool,
    workers: int,
) -> None:
    """Copy everything that you have to a folder of this machine.

    Run it again to bring the copy up to date: what is there is not fetched again, and what was interrupted goes on.
    Nothing is ever deleted from the copy, and files that you changed yourself stay unless --overwrite.
    """
    session.how_to_continue = _GOES_ON
    _make_folder(destination)
    in_place: list[str] = []
    with Meter(session.out, "downloaded") as meter:
        hear = _listener(meter)

        def hear_and_note(event: DownloadEvent) -> None:
            if verify and event.kind in {"done", "skipped"}:
                in_place.append(event.path)
            hear(event)

        summary = session.client.download_all(
            destination,
            None if path == "/" else target(path),
            extension=ext,
            wanted=_chosen_by(include, exclude),
            workers=workers,
            overwrite=overwrite,
            progress=hear_and_note,
        )
    damaged = _verify(session, destination, in_place) if verify else []
    summary.failures += damaged
    _tell(session, summary, destination, next_step=_MEND if damaged else _TRY_AGAIN)


def _chosen_by(include: tuple[str, ...], exclude: tuple[str, ...]) -> Callable[[RemoteObject], bool] | None:
    if not include and not exclude:
        return None

    def wanted(found: RemoteObject) -> bool:
        fits = not include or any(fnmatchcase(found.name, glob) for glob in include)
        return fits and not any(fnmatchcase(found.name, glob) for glob in exclude)

    return wanted


def _verify(session: Session, destination: Path, paths: list[str]) -> list[DownloadFailure]:
    from skyshelf.cli.verification import damaged_files

    damaged = [
        DownloadFailure(path=path, object_key="", reason=reason, error=IntegrityError.__name__)
        for path, reason in damaged_files(destination, paths)
    ]
    for one in damaged:
        session.out.problem(f"{one.path}: {one.reason}")
    if not damaged:
        session.out.note(f"{counted(len(paths), 'file')} of the copy read again and found right.")
    return damaged


@click.command("cat", cls=ClientCommand, example="skyshelf cat /notes.txt | less")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
def cat(*, session: Session, paths: tuple[str, ...]) -> None:
    """Write the content of files to standard output, after it was checked."""
    with TemporaryDirectory(prefix="skyshelf-cat-") as folder:
        for number, each in enumerate(locate_all(session.client, paths)):
            if each.object.is_folder:
                raise CommandFailed(
                    f"{each.shown} is a folder: `skyshelf get` downloads it", INVALID_REQUEST_ERROR.exit_code
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
