"""Whether a file of a bulk download already exists, and whether it may be replaced."""

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
    """The local file has the right content; `new` is its state, where the file had to be read."""

    new: KnownFile | None = None


class NeedsDownload(Struct, frozen=True):
    """The file has to be fetched; `replace` says that the existing one may be replaced."""

    replace: bool


def compare_with_local(
    file: PlannedFile, folder: LocalFolder, known: KnownFile | None, *, overwrite: bool
) -> UpToDate | NeedsDownload | DestinationExistsError:
    """What to do about a file.

    A file from an earlier run that has not been modified since may be replaced. Anything else belongs to the user, and
    stays unless `overwrite`.
    """
    found = folder.stat(file.name)
    if found is None:
        return NeedsDownload(replace=False)
    if stat.S_ISREG(found.st_mode):
        untouched = known is not None and (found.st_size, found.st_mtime_ns) == (known.size, known.mtime_ns)
        if known is not None and untouched:
            return UpToDate() if _is_same(file, known) else NeedsDownload(replace=True)
        expected = ExpectedContent.of(file.size, file.md5)
        if expected.md5 is not None and found.st_size == expected.size and _md5(folder, file.name) == expected.md5:
            return UpToDate(_state_of(file, found, expected.md5))
    if overwrite and not stat.S_ISDIR(found.st_mode):
        return NeedsDownload(replace=True)
    return DestinationExistsError(f"{folder.path / file.name} already exists with other content")


def _is_same(file: PlannedFile, known: KnownFile) -> bool:
    """Whether the server still has the fetched content; without a hash, by its modification time."""
    expected = ExpectedContent.of(file.size, file.md5)
    if file.key != known.key or (expected.size is not None and expected.size != known.size):
        return False
    if expected.md5 is not None:
        return expected.md5 == known.md5
    return file.modified_ms is not None and file.modified_ms == known.remote_modified


def _state_of(file: PlannedFile, found: os.stat_result, md5: str) -> KnownFile:
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
