"""`skyshelf backup verify`, `log` and `kept`: a backup on its own, without its server."""

import os
import stat
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click
from msgspec import DecodeError, Struct, json

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.output import Row
from skyshelf.cli.base.params import EXISTING_FOLDER
from skyshelf.cli.base.progress import Meter
from skyshelf.cli.base.records import FailureRecord
from skyshelf.cli.base.session import CommandSession, client_command
from skyshelf.cli.base.text import format_count, local_time
from skyshelf.cli.commands.mirror_plan import file_md5
from skyshelf.client.download.bulk.state import DownloadState, KnownFile
from skyshelf.client.errors import IntegrityError
from skyshelf.client.local.names import REPLACED_FOLDER, STATE_FOLDER
from skyshelf.client.transfers import TransferSummary
from skyshelf.wire.batches import batched
from skyshelf.wire.sizes import format_size
from skyshelf.wire.times import to_epoch_ms

_LOOKUP_BATCH: Final = 500


class BackupCheckRecord(Struct, frozen=True, kw_only=True):
    """The files of a backup that were read, and those that are not as they were downloaded."""

    files: int
    bytes: int
    damaged: list[FailureRecord]


class BackupRunRecord(Struct, frozen=True, kw_only=True):
    """A run of `skyshelf backup`; `stopped` is the reason of one that ended early."""

    began: str
    seconds: int
    done: int
    bytes: int
    replaced: int
    failed: int
    stopped: str | None = None


class KeptFileRecord(Struct, frozen=True, kw_only=True):
    """A former content of a file: the run that replaced it, and where it is kept."""

    run: str
    path: str
    size_bytes: int
    modified: str


@client_command("verify", "skyshelf backup verify ~/drive-backup", record=BackupCheckRecord)
@click.argument("destination", type=EXISTING_FOLDER, metavar="DEST")
def verify(*, session: CommandSession, destination: Path) -> None:
    """Compare a backup with what was downloaded.

    All files are read, and no server is needed. Files that are missing, damaged or changed are named, and the exit code
    is 1.
    """
    files = size = 0
    damaged: list[FailureRecord] = []
    with closing(_state_of(destination)) as state, Meter(session.out, None) as meter:
        for known in state.everything():
            path = f"{known.folder}/{known.name}".lstrip("/")
            reason = find_damage(destination / path, known)
            files, size = files + 1, size + known.size
            meter.finished(path, known.size)
            if reason is not None:
                damaged.append(FailureRecord(path=path, reason=reason))
    session.out.record(BackupCheckRecord(files=files, bytes=size, damaged=damaged))
    for failure in damaged:
        session.out.problem(f"{failure.path}: {failure.reason}")
    if damaged:
        raise CommandFailed(
            f"{format_count(len(damaged), 'file')} of {files:,} missing, damaged or changed; see above. The next"
            " `skyshelf backup` downloads missing files again, and with --overwrite the other ones, too.",
            IntegrityError.exit_code,
        )
    session.out.note(f"Verified {format_count(files, 'file')} ({format_size(size)}).")


@client_command("log", "skyshelf backup log ~/drive-backup", records=BackupRunRecord)
@click.argument("destination", type=EXISTING_FOLDER, metavar="DEST")
def log(*, session: CommandSession, destination: Path) -> None:
    """List the runs of a backup, newest first."""
    runs = read_log(destination)
    session.out.rows(reversed(runs), lambda run: run, _run_row, right={1, 2, 3}, empty="No run is recorded.")


@client_command("kept", "skyshelf backup kept ~/drive-backup Photos/beach.jpg", records=KeptFileRecord)
@click.argument("destination", type=EXISTING_FOLDER, metavar="DEST")
@click.argument("file", metavar="FILE")
def kept(*, session: CommandSession, destination: Path, file: str) -> None:
    """List the former contents of a file, newest first.

    They are those that runs have replaced and kept. FILE is a path in the backup. Copy the content that you want from
    the place that is printed.
    """
    none = f"No former content of {file} is kept."
    session.out.rows(_kept(destination, file), lambda one: one, _kept_row, right={1}, empty=none)


def note_run(destination: Path, began: datetime, summary: TransferSummary, *, stopped: str | None = None) -> None:
    """Append a run to the log of a backup."""
    run = BackupRunRecord(
        began=began.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        seconds=round((datetime.now(UTC) - began).total_seconds()),
        done=summary.done,
        bytes=summary.bytes_done,
        replaced=summary.replaced,
        failed=len(summary.failed),
        stopped=stopped or (str(summary.stopped_by) if summary.stopped_by is not None else None),
    )
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        with os.fdopen(os.open(_log_file(destination), flags, 0o600), "ab") as opened:
            opened.write(json.encode(run) + b"\n")
    except OSError as error:
        raise CommandFailed(f"cannot write the log of the backup: {error.strerror}") from None


def read_log(destination: Path) -> list[BackupRunRecord]:
    """Return the runs of a backup, oldest first; a line that was cut off by a crash is left out."""
    try:
        lines = _log_file(destination).read_bytes().splitlines()
    except FileNotFoundError:
        return []
    runs = []
    for line in lines:
        try:
            runs.append(json.decode(line, type=BackupRunRecord))
        except DecodeError:
            continue
    return runs


def damaged_files(
    destination: Path, paths: Iterable[str], read: Callable[[str, int], None] | None = None
) -> Iterator[tuple[str, str]]:
    """Read files again, and yield those that do not match the server's hash, with the reason.

    `read` is called with the path and size of every file that was read.
    """
    folders: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        folder, _, name = path.rpartition("/")
        folders[folder].append(name)
    with closing(_state_of(destination)) as state:
        for folder, names in folders.items():
            for batch in batched(names, _LOOKUP_BATCH):
                known = state.known(folder, batch)
                for name in batch:
                    local_path = destination / folder / name
                    reason = find_damage(local_path, known.get(name))
                    if read is not None and name in known:
                        read(str(local_path), known[name].size)
                    if reason is not None:
                        yield f"{folder}/{name}".lstrip("/"), reason


def find_damage(path: Path, known: KnownFile | None) -> str | None:
    """Say what is wrong with a file of a backup; None if it is as it was downloaded."""
    if known is None:
        # Folders that exist are reported like files.
        return "it is not in the backup's records" if path.is_file() else None
    try:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode):
            return "it is no longer a file"
        if file_md5(path) == known.md5:
            return None
    except FileNotFoundError:
        return "it is missing"
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    is_same_time = (found.st_size, found.st_mtime_ns) == (known.size, known.mtime_ns)
    return "content differs from the download" if is_same_time else "it was changed after the download"


def _state_of(destination: Path) -> DownloadState:
    path = destination / STATE_FOLDER / "state.db"
    if not path.is_file():
        raise CommandFailed(f"{destination} is not a backup: {path} does not exist")
    return DownloadState(path)


def _log_file(destination: Path) -> Path:
    return destination / STATE_FOLDER / "log.jsonl"


def _kept(destination: Path, file: str) -> Iterator[KeptFileRecord]:
    runs = destination / REPLACED_FOLDER
    for run in sorted(runs.iterdir() if runs.is_dir() else (), reverse=True):
        path = run / file.strip("/")
        if path.is_file():
            found = path.stat()
            modified = datetime.fromtimestamp(found.st_mtime, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            yield KeptFileRecord(run=run.name, path=str(path), size_bytes=found.st_size, modified=modified)


def _kept_row(one: KeptFileRecord) -> Row:
    return one.run, format_size(one.size_bytes), one.path


def _run_row(run: BackupRunRecord) -> Row:
    began = local_time(to_epoch_ms(datetime.fromisoformat(run.began)))
    downloaded = f"{format_count(run.done, 'file')} ({format_size(run.bytes)})"
    return began, downloaded, f"{run.replaced:,} replaced", f"{run.failed:,} failed", run.stopped or ""
