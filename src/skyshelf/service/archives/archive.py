"""An archive: its entries, its bytes, and archives of objects that a user has selected in the drive or on boards."""

import hashlib
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from threading import Lock

import msgspec

from skyshelf.service.archives import zip_writer
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes, missing_as
from skyshelf.service.integrity import reading
from skyshelf.storage.blobs.protocols import ByteStream
from skyshelf.storage.errors import BlobMissing
from skyshelf.storage.metadata.contracts.shares import ChosenObjects
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import ARCHIVE_ENTRIES_MAX
from skyshelf.wire.names import safe_name
from skyshelf.wire.resources.downloads import ArchiveRequest, OwnArchive

_CHILDREN_AT_ONCE = 1000
_REMEMBERED = 32
LIFETIME_MS = 24 * 60 * 60 * 1000


class Archive(msgspec.Struct, frozen=True):
    """The entries of a ZIP file at one moment; their bytes are read when they are sent."""

    name: str
    entries: list[zip_writer.ZipEntry]
    length: int
    etag: str
    """Identifies the exact bytes, so a download is never resumed with others."""
    documents: Mapping[str, bytes] = {}
    """The bytes of entries that are no file's content, by the reference of the entry."""


def title_of(stored: StoredObject) -> str:
    """Return an object's name for people; the name of an account's root means nothing to them."""
    return "Files" if stored.parent_key is None else stored.name


def plan_of(unit: Unit, top: Sequence[StoredObject], name: str) -> Archive:
    """Plan the archive of these objects and everything below them. The unit is a snapshot."""
    if not top:
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    entries = list(_entries(unit, top))
    file_name = safe_name(title_of(top[0]) if len(top) == 1 else name)
    try:
        return Archive(f"{file_name}.zip", entries, zip_writer.zip_length(entries), etag_of(entries))
    except zip_writer.PathTooLong as too_long:
        raise ServiceError(codes.ARCHIVE_TOO_DEEP) from too_long


def etag_of(entries: Sequence[zip_writer.ZipEntry]) -> str:
    """Return the ETag of an archive with these entries; references to documents must name their bytes."""
    digest = hashlib.sha256()
    for entry in entries:
        digest.update(f"{entry.folder} {entry.size} {entry.modified_ms} {entry.content} {entry.name}\0".encode())
    return f'"{digest.hexdigest()[:32]}"'


def _entries(unit: Unit, top: Sequence[StoredObject]) -> Iterator[zip_writer.ZipEntry]:
    """Yield entries folder by folder, top down: only the keys of folders to come are kept in memory."""
    count = 0
    folders: deque[tuple[int, int, str]] = deque()
    number, objects = -1, iter(top)
    while True:
        names = zip_writer.FolderNames()
        for stored in objects:
            if count == ARCHIVE_ENTRIES_MAX:
                # Refused before all of them are in memory.
                raise ServiceError(codes.ARCHIVE_TOO_LARGE)
            name = names.take(title_of(stored))
            if stored.is_folder:
                folders.append((count, stored.account_id, stored.object_key))
                name += "/"
            yield zip_writer.ZipEntry(name, stored.size, stored.last_modified_at, stored.sha256 or "", number)
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
    """The bytes of an archive. It may be closed while another thread reads, for example when a server shuts down."""

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


class DocumentStream:
    """Bytes in memory, as a stream."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def __iter__(self) -> "DocumentStream":
        return self

    def __next__(self) -> bytes:
        data, self._data = self._data, b""
        if not data:
            raise StopIteration
        return data

    def close(self) -> None:
        self._data = b""


def open_entry(ctx: ServiceContext, archive: Archive, entry: zip_writer.ZipEntry, at: int = 0) -> ByteStream:
    """Open the bytes of an entry at an offset; BlobMissing if they are gone.

    A content is found by digest, in quarantine too: a newer version or a deletion since the plan does not change the
    archive.
    """
    document = archive.documents.get(entry.content)
    if document is not None:
        return DocumentStream(document[at:])
    with ctx.metadata.read() as unit:
        content = unit.history.content(entry.content)
    if content is None:
        raise BlobMissing("An entry's content was deleted after the archive was begun.")
    return reading.read(ctx, entry.content, content.location, content.size, start=at, length=content.size - at)


@lru_cache(_REMEMBERED)
def _checksums(account_id: int, etag: str, count: int) -> zip_writer.Checksums:  # noqa: ARG001 - parts of the key
    """Return the checksums of an archive sent lately, so resuming it does not read what was sent before.

    They are kept per account: shared ones would reveal by their speed that others have the files.
    """
    return zip_writer.unknown_checksums(count)


def archive_bytes(
    ctx: ServiceContext, account_id: int, archive: Archive, start: int = 0, end: int | None = None
) -> ArchiveStream:
    """Stream the ZIP file, or a part of it; after an exception, what was sent is not a usable archive."""
    checksums = _checksums(account_id, archive.etag, len(archive.entries))
    return ArchiveStream(
        zip_writer.zip_stream(
            archive.entries, partial(open_entry, ctx, archive), start=start, end=end, checksums=checksums
        )
    )


def create_archive(ctx: ServiceContext, caller: Caller, request: ArchiveRequest, origin: str) -> OwnArchive:
    """Store a selection, so a plain link downloads it; OBJECT_NOT_FOUND if none of it is visible."""
    keys = list(dict.fromkeys(request.object_keys))
    with ctx.metadata.snapshot() as unit:
        found = _visible(unit, caller, keys)
    if not found:
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    chosen = ChosenObjects(
        archive_key=ctx.new_key(),
        name=request.archive_name,
        object_keys=[stored.object_key for stored in found],
        expires_at=ctx.clock.now() + LIFETIME_MS,
    )
    ctx.metadata.write(lambda unit: unit.archives.add(caller.account_id, chosen))
    return OwnArchive(
        archive_key=chosen.archive_key,
        url=f"{origin}/download/archives/{chosen.archive_key}",
        expiry_date=chosen.expires_at,
        missing=len(keys) - len(found),
    )


def plan_archive(ctx: ServiceContext, caller: Caller, archive_key: str) -> Archive:
    """Plan the archive of a selection: the objects that are still visible, as they are now."""
    with ctx.metadata.snapshot() as unit:
        with missing_as(codes.ARCHIVE_NOT_FOUND):
            chosen = unit.archives.get(caller.account_id, archive_key, ctx.clock.now())
        return plan_of(unit, _visible(unit, caller, chosen.object_keys), chosen.name)


def _visible(unit: Unit, caller: Caller, object_keys: Sequence[str]) -> list[StoredObject]:
    """Return the objects that the caller can see, in order: their own, and files on their boards."""
    found = dict(unit.tree.visible_many(caller.account_id, object_keys))
    others = unit.board_items.owners_of(caller.account_id, [key for key in object_keys if key not in found])
    for owner in set(others.values()):
        found |= unit.tree.visible_many(owner, [key for key, one in others.items() if one == owner])
    return [found[key] for key in object_keys if key in found]
