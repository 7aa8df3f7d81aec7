"""An archive: which entries it has, and its bytes."""

import hashlib
from collections import OrderedDict, deque
from collections.abc import Generator, Iterator, Sequence
from threading import Lock

import msgspec

from skyshelf.service.archives.zip_writer import (
    Checksums,
    FolderNames,
    PathTooLong,
    ZipEntry,
    unknown_checksums,
    zip_length,
    zip_stream,
)
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.integrity import reading
from skyshelf.storage.blobs.protocols import ByteStream
from skyshelf.storage.errors import BlobMissing
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import ARCHIVE_ENTRIES_MAX
from skyshelf.wire.safe_names import safe_name

_CHILDREN_AT_ONCE = 1000
_REMEMBERED = 32


class Archive(msgspec.Struct, frozen=True):
    """The entries of a ZIP at one moment; their bytes are read when they are sent."""

    name: str
    entries: list[ZipEntry]
    length: int
    etag: str
    """The same for the same bytes only, so a download is resumed with nothing else."""


def title_of(stored: StoredObject) -> str:
    """An object's name for people; that of an account's root means nothing to them."""
    return "Files" if stored.parent_key is None else stored.name


def plan_of(unit: Unit, top: Sequence[StoredObject], name: str) -> Archive:
    """The archive of these objects and everything below them. The unit is a snapshot."""
    if not top:
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    entries = list(_bounded(_entries(unit, top)))
    file_name = safe_name(title_of(top[0]) if len(top) == 1 else name)
    try:
        return Archive(f"{file_name}.zip", entries, zip_length(entries), _etag(entries))
    except PathTooLong as too_long:
        raise ServiceError(codes.ARCHIVE_TOO_DEEP) from too_long


def _etag(entries: Sequence[ZipEntry]) -> str:
    digest = hashlib.sha256()
    for entry in entries:
        digest.update(f"{entry.folder} {entry.size} {entry.modified_ms} {entry.content} {entry.name}\0".encode())
    return f'"{digest.hexdigest()[:32]}"'


def _bounded(entries: Iterator[ZipEntry]) -> Iterator[ZipEntry]:
    """Refuse an archive with too many entries, before all of them are in memory."""
    for number, entry in enumerate(entries, 1):
        if number > ARCHIVE_ENTRIES_MAX:
            raise ServiceError(codes.ARCHIVE_TOO_LARGE)
        yield entry


def _entries(unit: Unit, top: Sequence[StoredObject]) -> Iterator[ZipEntry]:
    """Folder by folder, those further up first: of the folders to come, only the keys are kept."""
    count = 0
    folders: deque[tuple[int, int, str]] = deque()
    number, objects = -1, iter(top)
    while True:
        names = FolderNames()
        for stored in objects:
            name = names.take(title_of(stored))
            if stored.is_folder:
                folders.append((count, stored.account_id, stored.object_key))
                name += "/"
            yield ZipEntry(name, stored.size, stored.last_modified_at, stored.sha256 or "", number)
            count += 1
        if not folders:
            return
        number, account_id, key = folders.popleft()
        objects = _children(unit, account_id, key)


def _children(unit: Unit, account_id: int, folder_key: str) -> Iterator[StoredObject]:
    last = None
    while page := unit.tree.children(account_id, folder_key, after=last, limit=_CHILDREN_AT_ONCE):
        yield from page
        last = page[-1]


class ArchiveStream:
    """The bytes of an archive. It may be closed while another thread reads, as when a server shuts down."""

    def __init__(self, pieces: Generator[bytes, None, None]) -> None:
        self._pieces = pieces
        self._lock = Lock()

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        with self._lock:
            return next(self._pieces)

    def close(self) -> None:
        with self._lock:
            self._pieces.close()


class _RememberedChecksums:
    """The checksums of the archives that were sent last, so resuming one need not read what was sent before."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._by_archive: OrderedDict[tuple[int, str], Checksums] = OrderedDict()

    def of(self, account_id: int, archive: Archive) -> Checksums:
        """Per account: with common ones, a fast answer would show that somebody else has the same files."""
        key = account_id, archive.etag
        with self._lock:
            found = self._by_archive.setdefault(key, unknown_checksums(archive.entries))
            self._by_archive.move_to_end(key)
            if len(self._by_archive) > _REMEMBERED:
                self._by_archive.popitem(last=False)
        return found


_remembered = _RememberedChecksums()


def archive_bytes(
    ctx: ServiceContext, account_id: int, archive: Archive, start: int = 0, end: int | None = None
) -> ArchiveStream:
    """The ZIP, or a part of it, in pieces; after an exception, what was sent is not a usable archive."""

    def open_content(entry: ZipEntry, at: int) -> ByteStream:
        # By its digest: a newer version or a deletion since the plan does not change the archive.
        with ctx.metadata.read() as unit:
            content = unit.content.get(entry.content)
        if content is None:
            raise BlobMissing("An entry's content was deleted after the archive was begun.")
        return reading.read(ctx, content.sha256, content.location, content.size, start=at, length=content.size - at)

    checksums = _remembered.of(account_id, archive)
    return ArchiveStream(zip_stream(archive.entries, open_content, start=start, end=end, checksums=checksums))
