"""`skyshelf backup`: a copy of everything, that can be brought up to date."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.params import counted, limit_rate_option, shared_limit
from skyshelf.cli.base.progress import THE_FOLDER, Meter
from skyshelf.cli.base.records import FailureRecord, TransferRecord
from skyshelf.cli.base.session import ClientCommand, Session, no_index_option
from skyshelf.cli.base.targets import target
from skyshelf.cli.base.text import visible
from skyshelf.cli.commands.get import (
    GOES_ON,
    TRY_AGAIN,
    listener,
    make_folder,
    overwrite_option,
    tell_downloads,
    workers_option,
)
from skyshelf.cli.commands.path_filters import path_filter
from skyshelf.client.download.bulk.state import DownloadState
from skyshelf.client.errors import IntegrityError
from skyshelf.client.local.names import STATE_FOLDER
from skyshelf.client.transfers import TransferEvent, TransferFailure, TransferSummary
from skyshelf.wire.sizes import format_size

# Reading a copy again, byte by byte, to see whether it still is what was downloaded.

_READ_BYTES: Final = 1024 * 1024
_TOGETHER: Final = 500


def damaged_files(
    destination: Path, paths: Iterable[str], read: Callable[[str, int], None] | None = None
) -> Iterator[tuple[str, str]]:
    """Those of the files whose content is not what the server had, and why that is known.

    `read` hears of every file that was read, and how large it is.
    """
    folders: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        folder, _, name = path.rpartition("/")
        folders[folder].append(name)
    state = DownloadState(destination / STATE_FOLDER / "state.db")
    try:
        for folder, names in folders.items():
            for begin in range(0, len(names), _TOGETHER):
                some = names[begin : begin + _TOGETHER]
                known = state.known(folder, some)
                for name in some:
                    place = destination / folder / name
                    wrong = _damage(place, known[name].md5 if name in known else None)
                    if read is not None and name in known:
                        read(str(place), known[name].size)
                    if wrong is not None:
                        yield f"{folder}/{name}".lstrip("/"), wrong
    finally:
        state.close()


def _damage(path: Path, md5: str | None) -> str | None:
    if md5 is None:
        # A folder that lies somewhere else already is told of like a file, and is none.
        return "nothing is known about it" if path.is_file() else None
    digest = hashlib.md5(usedforsecurity=False)
    try:
        with path.open("rb") as content:
            while piece := content.read(_READ_BYTES):
                digest.update(piece)
    except OSError as problem:
        return f"it cannot be read: {problem.strerror}"
    return None if digest.hexdigest() == md5 else "its content is not what was downloaded"


# `skyshelf backup`: a copy of everything, that can be brought up to date.

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
    select = path_filter(include, exclude)
    if not dry_run:
        make_folder(destination)
    if not no_index:
        session.use_index(build=path == "/")
    in_place: list[str] = []
    with Meter(session.out, "downloaded") as meter:
        hear = _previewer(session) if dry_run else listener(meter)

        def hear_and_note(event: TransferEvent) -> None:
            if verify and event.kind in {"done", "skipped"}:
                in_place.append(event.path)
            hear(event)

        summary = session.client.download_all(
            destination,
            None if path == "/" else target(path),
            extension=ext,
            select=select,
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
    summary.failed += damaged
    tell_downloads(session, summary, destination, next_step=_MEND if damaged else TRY_AGAIN)


def _previewer(session: Session) -> Callable[[TransferEvent], None]:
    def hear(event: TransferEvent) -> None:
        if event.kind == "queued" and session.out.form == "text":
            session.out.lines([f"download {visible(event.path)}"])
        elif event.kind == "failed":
            session.out.problem(f"{event.path or THE_FOLDER}: {event.reason}")

    return hear


def _tell_preview(session: Session, summary: TransferSummary, destination: Path) -> None:
    session.out.one(
        TransferRecord(
            done=summary.queued,
            skipped=summary.skipped,
            bytes=summary.bytes_queued,
            failed=[FailureRecord(path=one.path, reason=one.reason) for one in summary.failed],
            dry_run=True,
        )
    )
    unchanged = f", {summary.skipped:,} are there already" if summary.skipped else ""
    fetched = f"{counted(summary.queued, 'file')} ({format_size(summary.bytes_queued)})"
    session.out.note(f"{fetched} would be downloaded to {destination.absolute()}{unchanged}.")
    if summary.stopped_by is not None:
        raise CommandFailed(f"{str(summary.stopped_by).rstrip('.')}.", summary.exit_code)
    if not summary.ok:
        raise CommandFailed(f"{len(summary.failed):,} could not be fetched, as named above.", summary.exit_code)


def _verify(session: Session, destination: Path, paths: list[str]) -> list[TransferFailure]:
    with Meter(session.out, None) as meter:
        damaged = [
            TransferFailure(path=path, error=IntegrityError(reason))
            for path, reason in damaged_files(destination, paths, meter.finished)
        ]
    for one in damaged:
        session.out.problem(f"{one.path}: {one.reason}")
    if not damaged:
        session.out.note(f"{counted(len(paths), 'file')} of the copy read again and found right.")
    return damaged
