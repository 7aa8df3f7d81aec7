"""Downloading an export of the account: its parts, one after the other, each verified and then unpacked or kept.

The state in the destination names the parts that are complete. Whenever the download ends, it continues with the first
part that is not: nothing of a part counts before all of it is verified and on disk.
"""

import asyncio
import hashlib
import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Final

import msgspec

from skyshelf.client.download.bulk.destination import OpenFolders
from skyshelf.client.download.file import ContentFetcher, at_most_twice
from skyshelf.client.download.integrity import ContentSource, ExpectedContent
from skyshelf.client.download.part_file import PartFile
from skyshelf.client.engine.engine import Engine
from skyshelf.client.errors import IntegrityError, LocalFileError
from skyshelf.client.local.disk_threads import DiskThreads
from skyshelf.client.local.files import LocalFolder, lock_file, sync_file, translate_os_errors, write_private
from skyshelf.client.local.names import safe_name
from skyshelf.wire.endpoints.exports import DOWNLOAD_EXPORT
from skyshelf.wire.resources.exports import ExportPart, ExportPartQuery

STATE: Final = ".skyshelf-export.json"
_LOCK: Final = ".skyshelf-export.lock"
_PIECE: Final = 1024 * 1024
_DOCUMENT_MAX: Final = 256 * 1024 * 1024
"""Bytes of the list of objects, or of the checksums, of one part."""


class KeptPart(msgspec.Struct, frozen=True, kw_only=True):
    """A part as the state has it; `files` and `size` are those of one that is complete."""

    part: str
    number: int
    size: int = 0
    is_done: bool = False
    files: int = 0


class ExportState(msgspec.Struct, kw_only=True):
    """The state of an export in its destination."""

    begun: int
    expires: int
    keep_zips: bool
    parts: list[KeptPart]

    @property
    def is_complete(self) -> bool:
        return all(one.is_done for one in self.parts)


class ExportEvent(msgspec.Struct, frozen=True):
    """Progress: so many bytes of a part have arrived, or the part is complete."""

    number: int
    count: int
    received: int
    expected: int
    is_done: bool = False


class _Times(msgspec.Struct):
    """What unpacking needs of a line of the list of objects."""

    path: str
    modified: str
    versions: "list[_Version]" = []


class _Version(msgspec.Struct):
    modified: str
    path: str | None = None


def state_of(destination: Path) -> ExportState | None:
    """Return the state of the export in a folder; None where none was begun."""
    path = destination / STATE
    try:
        return msgspec.json.decode(path.read_bytes(), type=ExportState)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise LocalFileError(f"{path} cannot be read: delete {destination}, and export again") from error


def save_state(destination: Path, state: ExportState) -> None:
    with translate_os_errors("cannot write", destination, STATE):
        write_private(destination / STATE, msgspec.json.encode(state))


def check_new(destination: Path) -> None:
    """Raise LocalFileError unless a new export can be put there."""
    with translate_os_errors("cannot read the folder", destination):
        if destination.is_dir() and any(one.name != _LOCK for one in destination.iterdir()):
            raise LocalFileError(f"{destination} is not empty: name a new folder for the export")


@contextmanager
def locked(destination: Path) -> Iterator[None]:
    """Keep other exports out of the folder, which is created if it is missing."""
    with closing(LocalFolder.open(destination)) as folder:
        lock = folder.open_file(_LOCK, create=True)
        try:
            if not lock_file(lock):
                raise LocalFileError(f"another export into {destination} is running")
            yield
            folder.remove(_LOCK)
        finally:
            os.close(lock)


async def download_part(
    engine: Engine,
    destination: Path,
    part: KeptPart,
    count: int,
    *,
    keep_zip: bool,
    progress: Callable[[ExportEvent], None],
) -> KeptPart:
    """Download a part, verify all of it, and unpack it or keep it as a ZIP file."""
    threads = DiskThreads()
    source = ContentSource(DOWNLOAD_EXPORT, ExportPartQuery(part=part.part))
    name = f"part-{part.number:04d}-of-{count:04d}.zip"

    def arrived(received: int) -> None:
        progress(ExportEvent(part.number, count, received, part.size))

    with closing(await threads.run(LocalFolder.open, destination)) as folder:
        file = await threads.run(PartFile, folder, f".{name}.part")
        try:

            async def fetched() -> int:
                await ContentFetcher(engine, threads).fetch(
                    "", ExpectedContent(), file, source=source, on_bytes=arrived
                )
                return await asyncio.to_thread(check_part, file, part.number, None if keep_zip else destination)

            files = await at_most_twice(fetched)
            if keep_zip:
                await threads.run(sync_file, file.file)
                await threads.run(lambda: folder.rename_part(file.name, name, replace=True))
                file.close()
            else:
                file.discard()
            folder.sync()
        except BaseException:
            file.discard()
            raise
    return msgspec.structs.replace(part, is_done=True, files=files, size=file.length)


# The contents of a part


def check_part(file: PartFile, number: int, destination: Path | None) -> int:
    """Verify every file of a part, and write it below the destination, if there is one; how many there are."""
    try:
        with os.fdopen(os.dup(file.file), "rb") as opened, zipfile.ZipFile(opened) as archive:
            sums = _sums(archive, number)
            times = _times(archive, number)
            if destination is None:
                return sum(_copy(archive, info, sums, None) for info in archive.infolist())
            with closing(OpenFolders(destination)) as folders:
                count = sum(_put(archive, info, sums, times, folders) for info in archive.infolist())
    except (zipfile.BadZipFile, NotImplementedError, EOFError, UnicodeDecodeError) as error:
        raise IntegrityError(f"part {number} of the export is damaged: {error}") from error
    if hasattr(os, "sync"):
        os.sync()
    return count


def _sums(archive: zipfile.ZipFile, number: int) -> dict[str, str]:
    """Return the checksums of a part, which must name all of its files."""
    name = f"SHA256SUMS-{number:04d}.txt"
    sums = {}
    for line in _document(archive, name).decode().splitlines():
        digest, _, path = line.partition("  ")
        sums[path] = digest
    listed = {info.filename for info in archive.infolist() if not info.is_dir()}
    if listed != sums.keys() | {name}:
        raise IntegrityError(f"part {number} of the export does not have the files that its checksums name")
    return sums


def _times(archive: zipfile.ZipFile, number: int) -> dict[str, int]:
    """Return the dates of files and folders, in epoch milliseconds, by their paths."""
    from datetime import datetime

    def epoch(text: str) -> int:
        with suppress(ValueError, OverflowError):
            return round(datetime.fromisoformat(text).timestamp() * 1000)
        return -1

    found = {}
    decoder = msgspec.json.Decoder(_Times)
    for line in _document(archive, f"metadata/objects-{number:04d}.jsonl").splitlines():
        try:
            one = decoder.decode(line)
        except msgspec.MsgspecError as error:
            raise IntegrityError(f"the list of objects of part {number} cannot be read") from error
        found[one.path] = epoch(one.modified)
        found |= {version.path: epoch(version.modified) for version in one.versions if version.path}
    return found


def _document(archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        info = archive.getinfo(name)
    except KeyError:
        raise IntegrityError(f"the part has no {name}") from None
    if info.file_size > _DOCUMENT_MAX or info.compress_type != zipfile.ZIP_STORED:
        raise IntegrityError(f"{name} is not what this server writes")
    return archive.read(info)


def _put(
    archive: zipfile.ZipFile,
    info: zipfile.ZipInfo,
    sums: dict[str, str],
    times: dict[str, int],
    folders: OpenFolders,
) -> int:
    """Write a file or a folder below the destination."""
    path = info.filename.rstrip("/")
    names = path.split("/")
    if any(safe_name(name) != name for name in names):
        raise IntegrityError(f"the export has an unsafe path: {path!r}")
    if info.is_dir():
        with folders.using(path):
            return 0
    with folders.using("/".join(names[:-1])) as folder:
        aside = f".{hashlib.sha256(path.encode()).hexdigest()[:16]}.part"
        part = PartFile(folder, aside)
        try:
            with os.fdopen(os.dup(part.file), "wb") as target:
                target.truncate(0)
                _copy(archive, info, sums, target)
            part.set_time(times.get(path))
            folder.rename_part(aside, names[-1], replace=True)
        except BaseException:
            part.discard()
            raise
        part.close()
    return 1


def _copy(archive: zipfile.ZipFile, info: zipfile.ZipInfo, sums: dict[str, str], target: IO[bytes] | None) -> int:
    """Read a file, and write it where there is a target; IntegrityError if it is not what its checksum says."""
    if info.is_dir():
        return 0
    if info.compress_type != zipfile.ZIP_STORED:
        # Nothing that is larger than what arrived.
        raise IntegrityError(f"{info.filename!r} is compressed, which this server does not do")
    digest = hashlib.sha256()
    with archive.open(info) as content:
        while piece := content.read(_PIECE):
            digest.update(piece)
            if target is not None:
                with translate_os_errors("cannot write", info.filename):
                    target.write(piece)
    expected = sums.get(info.filename)
    if expected is not None and digest.hexdigest() != expected:
        raise IntegrityError(f"{info.filename!r} does not match its checksum")
    return 1


def kept_parts(parts: list[ExportPart]) -> list[KeptPart]:
    """Return the parts of a new export, as the state has them."""
    return [
        KeptPart(part=one.part, number=one.number or at, size=one.size_in_bytes or 0) for at, one in enumerate(parts, 1)
    ]
