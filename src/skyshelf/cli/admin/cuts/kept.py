"""The unpacked rows of a cut, kept for an hour, so that each further look at the cut reads only what it shows.

They are in a folder that their owner alone may read, and found by what they were made of. A command that uses one holds
its lock; every command that looks into a backup removes those that were not used lately. Rows of an encrypted backup
are never kept.
"""

import fcntl
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from skyshelf.backup.cut import Manifest
from skyshelf.backup.opened import unpack_rows
from skyshelf.backup.places import Place
from skyshelf.backup.sealing import Opener
from skyshelf.cli.admin.outcomes import ShownProgress
from skyshelf.storage.open import METADATA_FILE
from skyshelf.wire.version import VERSION

PREFIX: Final = "skyshelf-cut-"
SECONDS: Final = 3600
_CUTS_MAX: Final = 2
_SHARE: Final = 4
"""Kept rows take at most this part of the space that is free beside them."""
_LOCK, _ROWS, _UNFINISHED = "lock", "rows", "unfinished"
_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")


@contextmanager
def unpacked(
    place: Place, found: Manifest, opener: Opener | None, work: Path | None, progress: ShownProgress
) -> Iterator[Path]:
    """Yield a folder with the rows of a cut, which this process alone uses until the block ends."""
    assert found.cut is not None
    folder = None if found.cut.encrypted else _own_folder(work)
    if folder is not None:
        with _held(folder / _name_of(found)) as kept:
            if kept is not None:
                rows = kept / _ROWS
                if not rows.exists():
                    shutil.rmtree(kept / _UNFINISHED, ignore_errors=True)
                    try:
                        unpack_rows(place, found, kept / _UNFINISHED, opener=opener, progress=progress)
                    except BaseException:
                        shutil.rmtree(kept)
                        raise
                    (kept / _UNFINISHED).rename(rows)
                try:
                    yield rows
                finally:
                    os.utime(kept / _LOCK)
                    if _is_too_large(rows):
                        shutil.rmtree(kept)
                return
    with tempfile.TemporaryDirectory(prefix=PREFIX, dir=work) as temporary:
        unpack_rows(place, found, Path(temporary), opener=opener, progress=progress)
        yield Path(temporary)


def unpack_own(place: Place, found: Manifest, opener: Opener | None, folder: Path, progress: ShownProgress) -> None:
    """Unpack the rows into a folder where they may be changed, as by logins; from kept ones if there are any."""
    assert found.cut is not None
    if found.cut.encrypted:
        unpack_rows(place, found, folder, opener=opener, progress=progress)
        return
    with unpacked(place, found, opener, folder.parent, progress) as rows:
        for file in rows.glob(f"{METADATA_FILE}*"):
            shutil.copyfile(file, folder / file.name)


def remove_unused(work: Path | None) -> None:
    """Remove kept rows that were not used for an hour, and all but the last ones; what is in use stays."""
    with suppress(OSError):  # the system may have no usable temporary folder, as with full disks
        folder = _path(work)
        if not _is_own(folder):
            return
        by_use = sorted(folder.iterdir(), key=_used_at, reverse=True)
        for number, one in enumerate(by_use):
            if number >= _CUTS_MAX or not 0 <= time.time() - _used_at(one) < SECONDS:
                with _held(one) as kept:
                    if kept is not None:
                        shutil.rmtree(kept)
        folder.rmdir()


def _path(work: Path | None) -> Path:
    return (work or Path(tempfile.gettempdir())) / f"{PREFIX}kept-{os.getuid()}"


def _own_folder(work: Path | None) -> Path | None:
    """Return the folder of what is kept; None if somebody else made it, as anybody can in /tmp."""
    folder = _path(work)
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder if _is_own(folder) else None
    return None


def _is_own(folder: Path) -> bool:
    found = folder.lstat()
    return folder.is_dir() and not folder.is_symlink() and found.st_uid == os.getuid() and not found.st_mode & 0o077


def _name_of(found: Manifest) -> str:
    """Name the rows by what they are made of. What was unpacked before the machine stopped may be half on the disk."""
    assert found.cut is not None
    database = found.cut.database
    boot = _BOOT.read_text() if _BOOT.exists() else ""
    told = (VERSION, boot, found.cut.store, found.id, database.chunks.name, str(database.schema))
    return hashlib.sha256("\0".join(told).encode()).hexdigest()[:32]


@contextmanager
def _held(kept: Path) -> Iterator[Path | None]:
    """Hold kept rows, or a place for them; None while another command does."""
    try:
        kept.mkdir(mode=0o700, exist_ok=True)
        lock = os.open(kept / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError:
        yield None
        return
    try:
        yield kept if _is_locked(lock, kept / _LOCK) else None
    finally:
        os.close(lock)


def _is_locked(lock: int, path: Path) -> bool:
    with suppress(OSError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Another command may have removed it in between.
        return os.fstat(lock).st_ino == path.stat().st_ino
    return False


def _used_at(kept: Path) -> float:
    try:
        return (kept / _LOCK).stat().st_mtime
    except OSError:
        return 0


def _is_too_large(rows: Path) -> bool:
    size = sum(file.stat().st_size for file in rows.iterdir())
    return _SHARE * size > shutil.disk_usage(rows).free
