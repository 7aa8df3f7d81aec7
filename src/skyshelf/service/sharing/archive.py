"""Share archives: a whole share, or one of its folders, as a ZIP file."""

from collections import deque
from collections.abc import Generator, Iterator
from threading import Lock

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.integrity import reading
from skyshelf.service.sharing.visitor import shared_object, shared_objects, title_of
from skyshelf.service.sharing.zip_writer import FolderNames, PathTooLong, ZipEntry, zip_length, zip_stream
from skyshelf.storage.blobs.protocols import ByteStream
from skyshelf.storage.errors import BlobMissing
from skyshelf.storage.metadata.contracts.shares import Share
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import ARCHIVE_ENTRIES_MAX
from skyshelf.wire.safe_names import safe_name

_CHILDREN_AT_ONCE = 1000


class Archive(msgspec.Struct, frozen=True):
    """The entries of a ZIP at one moment; their bytes are read when they are sent."""

    name: str
    entries: list[ZipEntry]
    length: int


def plan_archive(ctx: ServiceContext, share: Share, object_key: str | None) -> Archive:
    """Plan the archive of a whole share, or of one object in it."""
    with ctx.metadata.snapshot() as unit:
        top = shared_objects(unit, share) if object_key is None else [shared_object(unit, share, object_key)[0]]
        if not top:
            raise ServiceError(codes.OBJECT_NOT_FOUND)
        entries = list(_bounded(_entries(unit, share.account_id, top)))
    name = safe_name(title_of(top[0]) if len(top) == 1 else share.name)
    try:
        return Archive(f"{name}.zip", entries, zip_length(entries))
    except PathTooLong as too_long:
        raise ServiceError(codes.ARCHIVE_TOO_DEEP) from too_long


def _bounded(entries: Iterator[ZipEntry]) -> Iterator[ZipEntry]:
    """Refuse an archive with too many entries, before all of them are in memory."""
    for number, entry in enumerate(entries, 1):
        if number > ARCHIVE_ENTRIES_MAX:
            raise ServiceError(codes.ARCHIVE_TOO_LARGE)
        yield entry


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


def archive_bytes(ctx: ServiceContext, archive: Archive) -> ArchiveStream:
    """The ZIP in pieces; after an exception, what was sent is not a usable archive."""

    def open_content(entry: ZipEntry) -> ByteStream:
        # By its digest: a newer version or a deletion since the plan does not change the archive.
        with ctx.metadata.read() as unit:
            content = unit.content.get(entry.content)
        if content is None:
            raise BlobMissing("An entry's content was deleted after the archive was begun.")
        return reading.read(ctx, content.sha256, content.location, content.size)

    return ArchiveStream(zip_stream(archive.entries, open_content))


def _entries(unit: Unit, account_id: int, top: list[StoredObject]) -> Iterator[ZipEntry]:
    """Folder by folder, those further up first: of the folders to come, only the keys are kept."""
    count = 0
    folders: deque[tuple[int, str]] = deque()
    number, objects = -1, iter(top)
    while True:
        names = FolderNames()
        for stored in objects:
            name = names.take(title_of(stored))
            if stored.is_folder:
                folders.append((count, stored.object_key))
                name += "/"
            yield ZipEntry(name, stored.size, stored.last_modified_at, stored.sha256 or "", number)
            count += 1
        if not folders:
            return
        number, key = folders.popleft()
        objects = _children(unit, account_id, key)


def _children(unit: Unit, account_id: int, folder_key: str) -> Iterator[StoredObject]:
    last = None
    while page := unit.tree.children(account_id, folder_key, after=last, limit=_CHILDREN_AT_ONCE):
        yield from page
        last = page[-1]
