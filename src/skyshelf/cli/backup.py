"""`skyshelf backup`: a copy of everything, that can be brought up to date."""

from collections.abc import Callable
from pathlib import Path

import click

from skyshelf.cli.downloading import (
    GOES_ON,
    TRY_AGAIN,
    listener,
    make_folder,
    overwrite_option,
    tell_downloads,
    workers_option,
)
from skyshelf.cli.failures import CommandFailed
from skyshelf.cli.path_filters import path_filter
from skyshelf.cli.progress import THE_FOLDER, Meter
from skyshelf.cli.records import FailureRecord, TransferRecord
from skyshelf.cli.session import ClientCommand, Session, no_index_option
from skyshelf.cli.sizes import counted, readable
from skyshelf.cli.targets import target
from skyshelf.cli.transfer_options import limit_rate_option, shared_limit
from skyshelf.cli.visible_text import visible
from skyshelf.client.download.bulk.report import BulkSummary, DownloadEvent, DownloadFailure
from skyshelf.client.errors import IntegrityError

_MEND = "Delete those whose content is wrong, and run the same command again"


@click.command(
    "backup",
    cls=ClientCommand,
    record=TransferRecord,
    example=(
        "skyshelf backup ~/drive-backup",
        "skyshelf backup ~/photos --from /Photos --exclude '*.tmp' --exclude 'cache/' --verify",
        "skyshelf backup ~/drive-backup --limit-rate 2M --dry-run",
    ),
)
@click.argument("destination", type=click.Path(path_type=Path, file_okay=False), metavar="DEST")
@click.option("--from", "path", default="/", metavar="PATH", help="Only what is below this folder.")
@click.option("--ext", metavar="EXTENSION", help="Files of this extension only.")
@click.option("--include", multiple=True, metavar="GLOB", help="Only what fits; several are alternatives.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Nothing that fits, whatever is included.")
@click.option("--verify", is_flag=True, help="Read the whole copy afterwards, and compare every byte by its hash.")
@click.option("--dry-run", is_flag=True, help="Only say what would be fetched.")
@overwrite_option
@workers_option
@limit_rate_option
@no_index_option
def backup(
    *,
    session: Session,
    destination: Path,
    path: str,
    ext: str | None,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    verify: bool,
    dry_run: bool,
    overwrite: bool,
    workers: int,
    limit_rate: int | None,
    no_index: bool,
) -> None:
    """Copy everything that you have to a folder of this machine.

    Run it again to bring the copy up to date: what is there is not fetched again, and what was interrupted goes on.
    Nothing is ever deleted from the copy, and files that you changed yourself stay unless --overwrite.

    A GLOB without a slash is a name at any depth ('*.tmp'); with one it is a path from the top of what is copied
    ('Photos/2024/*.jpg'), and a slash at its end means a folder ('cache/'). ** leads through any number of folders.
    """
    session.how_to_continue = GOES_ON
    chosen = path_filter(include, exclude)
    if not dry_run:
        make_folder(destination)
    if not no_index:
        session.use_index(build=path == "/")
    in_place: list[str] = []
    with Meter(session.out, "downloaded") as meter:
        hear = _previewer(session) if dry_run else listener(meter)

        def hear_and_note(event: DownloadEvent) -> None:
            if verify and event.kind in {"done", "skipped"}:
                in_place.append(event.path)
            hear(event)

        summary = session.client.download_all(
            destination,
            None if path == "/" else target(path),
            extension=ext,
            chosen=chosen,
            workers=workers,
            overwrite=overwrite,
            rate_limit=shared_limit(limit_rate),
            dry_run=dry_run,
            progress=hear_and_note,
        )
    if dry_run:
        _tell_preview(session, summary, destination)
        return
    damaged = _verify(session, destination, in_place) if verify else []
    summary.failures += damaged
    tell_downloads(session, summary, destination, next_step=_MEND if damaged else TRY_AGAIN)


def _previewer(session: Session) -> Callable[[DownloadEvent], None]:
    def hear(event: DownloadEvent) -> None:
        if event.kind == "queued" and session.out.form == "text":
            session.out.lines([f"download {visible(event.path)}"])
        elif event.kind == "failed":
            session.out.problem(f"{event.path or THE_FOLDER}: {event.reason}")

    return hear


def _tell_preview(session: Session, summary: BulkSummary, destination: Path) -> None:
    session.out.one(
        TransferRecord(
            done=summary.queued,
            skipped=summary.skipped,
            bytes=summary.bytes_queued,
            failed=[FailureRecord(path=one.path, reason=one.reason) for one in summary.failures],
            dry_run=True,
        )
    )
    unchanged = f", {summary.skipped:,} are there already" if summary.skipped else ""
    fetched = f"{counted(summary.queued, 'file')} ({readable(summary.bytes_queued)})"
    session.out.note(f"{fetched} would be downloaded to {destination.absolute()}{unchanged}.")
    if summary.stopped_by is not None:
        raise CommandFailed(f"{summary.stopped_by.rstrip('.')}.", summary.exit_code)
    if not summary.ok:
        raise CommandFailed(f"{len(summary.failures):,} could not be fetched, as named above.", summary.exit_code)


def _verify(session: Session, destination: Path, paths: list[str]) -> list[DownloadFailure]:
    from skyshelf.cli.verification import damaged_files

    with Meter(session.out, None) as meter:
        damaged = [
            DownloadFailure(path=path, object_key="", reason=reason, error=IntegrityError.__name__)
            for path, reason in damaged_files(destination, paths, meter.finished)
        ]
    for one in damaged:
        session.out.problem(f"{one.path}: {one.reason}")
    if not damaged:
        session.out.note(f"{counted(len(paths), 'file')} of the copy read again and found right.")
    return damaged
