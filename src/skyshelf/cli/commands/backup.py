"""`skyshelf backup`: an incremental copy of the account in a local folder."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.file_records import FailureRecord, TransferRecord
from skyshelf.cli.base.params import format_count, limit_rate_option, shared_rate_limit
from skyshelf.cli.base.progress import THE_FOLDER, Meter
from skyshelf.cli.base.session import ClientCommand, CommandSession, no_index_option
from skyshelf.cli.base.targets import target
from skyshelf.cli.base.text import visible
from skyshelf.cli.commands.get import (
    RESUME_HINT,
    RETRY_HINT,
    allow_unverified_option,
    make_folder,
    overwrite_option,
    progress_listener,
    report_downloads,
    workers_option,
)
from skyshelf.cli.commands.path_filters import path_filter
from skyshelf.client.download.bulk.state import DownloadState
from skyshelf.client.errors import IntegrityError
from skyshelf.client.local.names import STATE_FOLDER
from skyshelf.client.transfers import TransferEvent, TransferFailure, TransferSummary
from skyshelf.wire.sizes import format_size

_REPLACE_HINT = "Delete the damaged files, and run the same command again"
_READ_BYTES: Final = 1024 * 1024
_LOOKUP_BATCH: Final = 500


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
@click.option("--from", "path", default="/", metavar="PATH", help="Back up only this folder.")
@click.option("--ext", metavar="EXTENSION", help="Back up only files with this extension.")
@click.option("--include", multiple=True, metavar="GLOB", help="Back up only matching paths; may be repeated.")
@click.option(
    "--exclude", multiple=True, metavar="GLOB", help="Skip matching paths, even if included; may be repeated."
)
@click.option(
    "--verify", is_flag=True, help="Read the whole backup afterwards, and compare it with the server's hashes."
)
@click.option("--dry-run", is_flag=True, help="Print what would be downloaded, and change nothing.")
@overwrite_option
@allow_unverified_option
@workers_option
@limit_rate_option
@no_index_option
def backup(
    *,
    session: CommandSession,
    destination: Path,
    path: str,
    ext: str | None,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    verify: bool,
    dry_run: bool,
    overwrite: bool,
    allow_unverified: bool,
    workers: int,
    limit_rate: int | None,
    no_index: bool,
) -> None:
    """Back up your account to a local folder.

    Run it again to update the backup: existing files are not downloaded again, and interrupted downloads resume.
    Nothing is ever deleted from the backup, and files that you changed in it are kept unless you use --overwrite.

    A GLOB without a slash matches names at any depth ('*.tmp'). A GLOB with a slash is a path relative to the folder
    that is backed up ('Photos/2024/*.jpg'); a trailing slash matches only folders ('cache/'), and ** matches any number
    of folders.
    """
    session.resume_hint = RESUME_HINT
    select = path_filter(include, exclude)
    if not dry_run:
        make_folder(destination)
    if not no_index:
        session.use_index(build=path == "/")
    in_place: list[str] = []
    with Meter(session.out, "downloaded") as meter:
        report = _previewer(session) if dry_run else progress_listener(meter)

        def handle(event: TransferEvent) -> None:
            if verify and event.kind in {"done", "skipped"}:
                in_place.append(event.path)
            report(event)

        summary = session.client.download_all(
            destination,
            None if path == "/" else target(path),
            extension=ext,
            select=select,
            workers=workers,
            overwrite=overwrite,
            allow_unverified=allow_unverified,
            rate_limit=shared_rate_limit(limit_rate),
            dry_run=dry_run,
            progress=handle,
        )
    if dry_run:
        _report_preview(session, summary, destination)
        return
    damaged = _verify(session, destination, in_place) if verify else []
    summary.failed += damaged
    report_downloads(session, summary, destination, next_step=_REPLACE_HINT if damaged else RETRY_HINT)


def _previewer(session: CommandSession) -> Callable[[TransferEvent], None]:
    def handle(event: TransferEvent) -> None:
        if event.kind == "queued" and session.out.form == "text":
            session.out.lines([f"download {visible(event.path)}"])
        elif event.kind == "failed":
            session.out.problem(f"{event.path or THE_FOLDER}: {event.reason}")

    return handle


def _report_preview(session: CommandSession, summary: TransferSummary, destination: Path) -> None:
    session.out.record(
        TransferRecord(
            done=summary.queued,
            skipped=summary.skipped,
            bytes=summary.bytes_queued,
            failed=[FailureRecord(path=one.path, reason=one.reason) for one in summary.failed],
            dry_run=True,
        )
    )
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
            for path, reason in _damaged_files(destination, paths, meter.finished)
        ]
    for failure in damaged:
        session.out.problem(f"{failure.path}: {failure.reason}")
    if not damaged:
        session.out.note(f"Verified {format_count(len(paths), 'file')}.")
    return damaged


def _damaged_files(
    destination: Path, paths: Iterable[str], read: Callable[[str, int], None] | None = None
) -> Iterator[tuple[str, str]]:
    """Read the files again, and yield those that do not match the server's hash, with the reason.

    `read` is called with the path and size of every file that was read.
    """
    folders: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        folder, _, name = path.rpartition("/")
        folders[folder].append(name)
    state = DownloadState(destination / STATE_FOLDER / "state.db")
    try:
        for folder, names in folders.items():
            for begin in range(0, len(names), _LOOKUP_BATCH):
                batch = names[begin : begin + _LOOKUP_BATCH]
                known = state.known(folder, batch)
                for name in batch:
                    local_path = destination / folder / name
                    reason = _find_damage(local_path, known[name].md5 if name in known else None)
                    if read is not None and name in known:
                        read(str(local_path), known[name].size)
                    if reason is not None:
                        yield f"{folder}/{name}".lstrip("/"), reason
    finally:
        state.close()


def _find_damage(path: Path, md5: str | None) -> str | None:
    if md5 is None:
        # An existing folder is reported like a file.
        return "it is not in the backup's records" if path.is_file() else None
    digest = hashlib.md5(usedforsecurity=False)
    try:
        with path.open("rb") as content:
            while piece := content.read(_READ_BYTES):
                digest.update(piece)
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    return None if digest.hexdigest() == md5 else "content differs from the download"
