"""Accounts as the source of an import, and exports as such: recognised, read, and trusted no more than any folder."""

import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Protocol, TypeVar

import msgspec

from skyshelf.service.contacts.vcards import CardError, cards_in, contact_of
from skyshelf.service.exporting import (
    ALBUMS,
    CONTACTS,
    FORMAT,
    VERSION,
    ExportedAlbum,
    ExportedObject,
    ExportedVersion,
    PartHead,
)
from skyshelf.service.importing import ImportRun, Summary
from skyshelf.service.importing.prepare import FilePreparer
from skyshelf.service.importing.trees import SourceFile
from skyshelf.storage.errors import StorageError
from skyshelf.wire.resources.contacts import Contact
from skyshelf.wire.times import in_range, to_epoch_ms

_HEADS: Final = "metadata/part-*.json"
_HEAD_IN_ZIP: Final = re.compile(r"metadata/part-[0-9]{4,}\.json")
_LINE_BYTES_MAX: Final = 64 * 1024 * 1024
_HEAD_BYTES_MAX: Final = 64 * 1024
_OUTSIDE: Final = "its path leads out of the export"
_Line = TypeVar("_Line")

NEVER: Final = (
    "members of albums and invitations: invite them again",
    "public links: create them again",
    "devices, app passwords, passkeys, password and settings",
    "activity and the history of changes",
)
"""What no import of an account brings."""


class ExportSummary(Summary, kw_only=True):
    """The result of an import of an export."""

    albums: int = 0
    contacts: int = 0
    tags: int = 0
    favorites: int = 0
    trashed: int = 0
    not_imported: list[str] = msgspec.field(default_factory=list)
    """What the account does not get, in sentences."""


class ExportUnreadable(StorageError):
    """The folder has an export that cannot be imported, or not all of it."""


class Unusable(Exception):
    """A content of the source cannot be read; the message says why."""


class AccountSource(Protocol):
    """An account that is imported into another one, or into itself."""

    place: str
    """Where it is, for people."""

    def objects(self) -> Iterator[ExportedObject]:
        """Yield files and folders in any order; each call begins again."""

    def albums(self) -> Iterator[ExportedAlbum]:
        """Yield the albums."""

    def contacts(self) -> Iterator[Contact | str]:
        """Yield the address book, with a sentence for a card that cannot be read."""

    def file(self, one: ExportedObject, version: ExportedVersion) -> SourceFile:
        """Return a version of a file as the preparer reads it; Unusable if that is impossible."""

    def preparer(self, run: ImportRun) -> FilePreparer:
        """Return what reads its files."""


class SourceExport(AccountSource):
    """An export in a folder of this machine."""

    def __init__(self, folder: Path, heads: list[PartHead]) -> None:
        self.folder = folder
        self.place = str(folder)
        self.head = heads[0]
        self._parts = sorted(head.part for head in heads)

    def objects(self) -> Iterator[ExportedObject]:
        """Yield the objects of all parts."""
        for part in self._parts:
            yield from self._lines(f"metadata/objects-{part:04d}.jsonl", ExportedObject)

    def albums(self) -> Iterator[ExportedAlbum]:
        return self._lines(ALBUMS, ExportedAlbum)

    def contacts(self) -> Iterator[Contact | str]:
        path = self.folder / CONTACTS
        for card in cards_in(path.read_text("utf-8", "replace") if path.is_file() else ""):
            try:
                yield contact_of(card)
            except CardError as error:
                yield f"contact {card.number:,}: {error}"

    def file(self, one: ExportedObject, version: ExportedVersion) -> SourceFile:
        del one
        path = self._path(version.path or "")
        if path is None:
            raise Unusable(_OUTSIDE)
        try:
            state = path.lstat()
        except OSError as error:
            raise Unusable(f"cannot be read: {error.strerror}") from error
        return SourceFile(str(path), path.name, state.st_size, epoch(version.modified))

    def preparer(self, run: ImportRun) -> FilePreparer:
        return FilePreparer(run)

    def _path(self, name: str) -> Path | None:
        """Return the path of a file in the export; None for a name that leads out of it, or through a link."""
        parts = name.split("/")
        if any(part in {"", ".", ".."} or "\0" in part for part in parts):
            return None
        path = self.folder
        for part in parts:
            path /= part
            if path.is_symlink():
                return None
        return path

    def _lines(self, name: str, kind: type[_Line]) -> Iterator[_Line]:
        decoder = msgspec.json.Decoder(kind)
        try:
            with (self.folder / name).open("rb") as lines:
                while line := lines.readline(_LINE_BYTES_MAX):
                    yield decoder.decode(line)
        except FileNotFoundError as missing:
            raise ExportUnreadable(f"the export has no {name}: export again, or restore the file") from missing
        except msgspec.MsgspecError as wrong:
            raise ExportUnreadable(f"{name} of the export cannot be read: {wrong}") from wrong


def is_export(folder: Path) -> bool:
    """Whether a folder has an export, unpacked or as ZIP files."""
    return any(folder.glob(_HEADS)) or any(_head_in(path) for path in folder.glob("*.zip"))


@contextmanager
def opened(folder: Path) -> Iterator[SourceExport]:
    """Open the export in a folder; ZIP files are unpacked beside it for as long as it is open."""
    if any(folder.glob(_HEADS)):
        yield _complete(folder)
        return
    archives = [path for path in sorted(folder.glob("*.zip")) if _head_in(path)]
    try:
        with TemporaryDirectory(prefix="skyshelf-import-", dir=folder.parent) as unpacked:
            for path in archives:
                _unpack(path, Path(unpacked))
            yield _complete(Path(unpacked))
    except PermissionError as refused:
        raise ExportUnreadable(
            f"cannot unpack beside {folder}: unpack all ZIP files into one folder, and import that"
        ) from refused


def _complete(folder: Path) -> SourceExport:
    heads = []
    for path in sorted(folder.glob(_HEADS)):
        try:
            heads.append(msgspec.json.decode(path.read_bytes(), type=PartHead))
        except (OSError, msgspec.MsgspecError) as wrong:
            raise ExportUnreadable(f"{path.name} of the export cannot be read: {wrong}") from wrong
    first = heads[0]
    if any(head.format != FORMAT for head in heads):
        raise ExportUnreadable("this is an export of another program: import a folder of its files instead")
    if any(head.version > VERSION for head in heads):
        raise ExportUnreadable("the export was made by a later version: upgrade this server, then import it")
    if any((head.user_id, head.begun) != (first.user_id, first.begun) for head in heads):
        raise ExportUnreadable("the folder has parts of several exports: put each export into a folder of its own")
    missing = sorted(set(range(1, first.parts + 1)) - {head.part for head in heads})
    if missing:
        shown = ", ".join(map(str, missing[:10]))
        raise ExportUnreadable(
            f"some of the {first.parts} parts of the export are missing ({shown}): put all of them into the folder"
        )
    return SourceExport(folder, heads)


def _head_in(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            found = next((one for one in archive.infolist() if _HEAD_IN_ZIP.fullmatch(one.filename)), None)
            if found is None or found.file_size > _HEAD_BYTES_MAX:
                return False
            return msgspec.json.decode(archive.read(found), type=PartHead).format == FORMAT
    except (OSError, zipfile.BadZipFile, msgspec.MsgspecError, NotImplementedError):
        return False


def _unpack(path: Path, folder: Path) -> None:
    """Unpack a part; its checksums are compared by the import, content by content."""
    try:
        with zipfile.ZipFile(path) as archive:
            if any(info.compress_type != zipfile.ZIP_STORED for info in archive.infolist()):
                raise ExportUnreadable(f"{path.name} was packed by another program: unpack it, and import the folder")
            archive.extractall(folder)
    except zipfile.BadZipFile as broken:
        raise ExportUnreadable(f"{path.name} is damaged ({broken}): download the part again") from broken


def epoch(text: str) -> int:
    """Return a time in epoch milliseconds; the beginning of the epoch for one that cannot be read."""
    try:
        return in_range(to_epoch_ms(datetime.fromisoformat(text)))
    except (ValueError, TypeError, OverflowError):
        return 0
