"""Whether a file of a bulk download is in its place already, and whether its place may be taken."""

import hashlib
import os
import stat
from typing import Final

from msgspec import Struct

from skyshelf.client.download.bulk.plan import PlannedFile
from skyshelf.client.download.bulk.state import KnownFile
from skyshelf.client.download.integrity import ExpectedContent
from skyshelf.client.errors import DestinationExistsError
from skyshelf.client.local.files import LocalFolder, translate_os_errors

_READ_BYTES: Final = 1024 * 1024


class UpToDate(Struct, frozen=True):
    """The file is there and right; `new` is what was found out about it by reading it."""

    new: KnownFile | None = None


class NeedsDownload(Struct, frozen=True):
    """The file has to be fetched; `replace` tells that what has its name may go."""

    replace: bool


def compare_with_local(
    file: PlannedFile, folder: LocalFolder, known: KnownFile | None, *, overwrite: bool
) -> UpToDate | NeedsDownload | DestinationExistsError:
    """What to do about a file.

    A file that we have put there and that nobody has touched since may be replaced by what the server has now.
    Whatever else is there is somebody's own, and stays unless `overwrite`.
    """
    found = folder.look(file.name)
    if found is None:
        return NeedsDownload(replace=False)
    if stat.S_ISREG(found.st_mode):
        untouched = known is not None and (found.st_size, found.st_mtime_ns) == (known.size, known.mtime_ns)
        if known is not None and untouched:
            return UpToDate() if _is_same(file, known) else NeedsDownload(replace=True)
        expected = ExpectedContent.of(file.size, file.md5)
        if expected.md5 is not None and found.st_size == expected.size and _md5(folder, file.name) == expected.md5:
            return UpToDate(_learned(file, found, expected.md5))
    if overwrite and not stat.S_ISDIR(found.st_mode):
        return NeedsDownload(replace=True)
    return DestinationExistsError(f"{folder.path / file.name} is there already, and is something else")


def _is_same(file: PlannedFile, known: KnownFile) -> bool:
    """Whether the server still has what we fetched; without a hash, its time has to tell."""
    expected = ExpectedContent.of(file.size, file.md5)
    if file.key != known.key or (expected.size is not None and expected.size != known.size):
        return False
    if expected.md5 is not None:
        return expected.md5 == known.md5
    return file.modified_ms is not None and file.modified_ms == known.remote_modified


def _learned(file: PlannedFile, found: os.stat_result, md5: str) -> KnownFile:
    return KnownFile(
        folder=file.folder,
        name=file.name,
        key=file.key,
        size=found.st_size,
        mtime_ns=found.st_mtime_ns,
        md5=md5,
        remote_modified=file.modified_ms,
    )


def _md5(folder: LocalFolder, name: str) -> str:
    digest = hashlib.md5(usedforsecurity=False)
    opened = folder.read_file(name)
    try:
        with translate_os_errors("cannot read", folder.path, name):
            while piece := os.read(opened, _READ_BYTES):
                digest.update(piece)
    finally:
        os.close(opened)
    return digest.hexdigest()
