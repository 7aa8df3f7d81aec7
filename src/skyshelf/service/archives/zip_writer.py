"""A streaming ZIP writer: sizes are known in advance, checksums only once the bytes have been sent.

Entries are stored uncompressed. Most data in a drive is compressed already: deflate saves less than 1 % of a photo,
at 30 MB/s where the checksum runs at 2 GB/s. In return the archive's length is known before its first byte, so
browsers show progress, and an interrupted download never looks complete. The same entries always give the same bytes,
so a part of an archive can be sent: an interrupted download is resumed.

Names are UTF-8. ZIP64 is used only where it is needed (files and archives of 4 GiB and more, more than 65,534
entries), because some unpackers do not support it.

docs/decisions/0017-zip-writer.md says why this is not a library.
"""

import struct
import zlib
from array import array
from collections.abc import Callable, Generator, Iterator, MutableSequence, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from skyshelf.storage.blobs.protocols import ByteStream
from skyshelf.storage.errors import BlobCorrupt
from skyshelf.wire.names import numbered, order_key, safe_name

_LOCAL = struct.Struct("<4s5H3L2H")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_END_64 = struct.Struct("<4sQ2H2L4Q")
_END_64_LOCATOR = struct.Struct("<4sLQL")
_DESCRIPTOR = struct.Struct("<4s3L")
_DESCRIPTOR_64 = struct.Struct("<4sLQQ")
_UTC_TIME = struct.Struct("<2HBL")

_FULL_16, _FULL_32 = 0xFFFF, 0xFFFFFFFF
_SIZES_FOLLOW, _NAME_IS_UTF8 = 1 << 3, 1 << 11
_ON_UNIX, _VERSION, _VERSION_64 = 3 << 8, 20, 45
_FILE_MODE, _FOLDER_MODE = 0o100644 << 16, 0o040755 << 16 | 0x10
_PIECE = 256 * 1024
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST, _LAST = datetime(1980, 1, 1, tzinfo=UTC), datetime(2107, 12, 31, 23, 59, 58, tzinfo=UTC)


class PathTooLong(Exception):
    """A path has more bytes than the format allows."""


class ZipEntry(NamedTuple):
    """A file, or a folder if the name ends with a slash. The name is relative and safe to unpack.

    The path is assembled when it is written: an archive of many entries in deep folders would otherwise hold the names
    of those folders once for each entry.
    """

    name: str
    size: int
    modified_ms: int
    content: str = ""
    """A reference by which the caller finds the bytes."""
    folder: int = -1
    """The number of the entry of its folder, which comes before it; -1 at the top."""


OpenContent = Callable[[ZipEntry, int], ByteStream]
"""Opens the content of an entry at an offset."""

Checksums = MutableSequence[int]
"""CRC-32 by the number of the entry."""
UNKNOWN: Final = -1


class _Paths:
    """The paths of entries, in order. Entries of one folder usually follow each other."""

    def __init__(self, entries: Sequence[ZipEntry]) -> None:
        self._entries = entries
        self._folder, self._prefix = -1, b""

    def path(self, entry: ZipEntry) -> bytes:
        if entry.folder != self._folder:
            names: list[bytes] = []
            number = self._folder = entry.folder
            while number >= 0:
                folder = self._entries[number]
                names.append(folder.name.encode())
                number = folder.folder
            self._prefix = b"".join(reversed(names))
        return self._prefix + entry.name.encode()


def zip_length(entries: Sequence[ZipEntry]) -> int:
    """Compute the exact length of the archive in bytes. PathTooLong if the format has no room for a path."""
    offset = directory = 0
    lengths = array("L")
    for entry in entries:
        path = len(entry.name.encode()) + (lengths[entry.folder] if entry.folder >= 0 else 0)
        if path > _FULL_16:
            raise PathTooLong(f"a path has {path} bytes")
        lengths.append(path)
        directory += len(_in_directory(entry, b"", 0, offset)) + path
        offset += len(_before(entry, b"")) + path + entry.size + len(_after(entry, 0))
    return offset + directory + len(_end(len(entries), directory, offset))


def unknown_checksums(count: int) -> Checksums:
    """Return room for the checksums of that many entries."""
    return array("q", [UNKNOWN]) * count


def zip_stream(
    entries: Sequence[ZipEntry],
    open_content: OpenContent,
    *,
    start: int = 0,
    end: int | None = None,
    checksums: Checksums | None = None,
) -> Generator[bytes, None, None]:
    """Stream the archive from start up to, but excluding, end. BlobCorrupt when an entry is not as announced.

    Checksums are recorded as contents are read. The directory at the end repeats them all, so those of an earlier part
    of the same archive save reading its contents again.
    """
    if checksums is None:
        checksums = unknown_checksums(len(entries))
    gathered = bytearray()
    for at, whole in _pieces(entries, open_content, checksums, start, end):
        piece = whole[max(0, start - at) : None if end is None else max(0, end - at)]
        if len(piece) >= _PIECE:
            if gathered:
                yield bytes(gathered)
                gathered.clear()
            yield piece
            continue
        gathered += piece
        if len(gathered) >= _PIECE:
            yield bytes(gathered)
            gathered.clear()
    if gathered:
        yield bytes(gathered)


def _pieces(
    entries: Sequence[ZipEntry], open_content: OpenContent, checksums: Checksums, start: int, end: int | None
) -> Iterator[tuple[int, bytes]]:
    """Yield pieces with their offsets: all that overlap the part, and few others. The caller cuts them."""
    offsets, paths = array("Q"), _Paths(entries)
    at = 0
    for number, entry in enumerate(entries):
        if end is not None and at >= end:
            return
        offsets.append(at)
        path = paths.path(entry)
        before = _before(entry, path)
        content_at = at + len(before)
        after_at = content_at + entry.size
        ends_at = after_at + len(_after(entry, 0))
        if ends_at > start:
            yield at, before
            if entry.size:
                for offset, piece in _content(entry, open_content, checksums, number, max(0, start - content_at)):
                    yield content_at + offset, piece
                    if end is not None and content_at + offset + len(piece) >= end:
                        return
            yield after_at, _after(entry, max(0, checksums[number]))
        at = ends_at
    directory_at = at
    for number, (entry, offset) in enumerate(zip(entries, offsets, strict=True)):
        if entry.size and checksums[number] == UNKNOWN:
            for _ in _content(entry, open_content, checksums, number, 0):
                pass
        line = _in_directory(entry, paths.path(entry), max(0, checksums[number]), offset)
        yield at, line
        at += len(line)
    yield at, _end(len(entries), at - directory_at, directory_at)


def _content(
    entry: ZipEntry, open_content: OpenContent, checksums: Checksums, number: int, start: int
) -> Iterator[tuple[int, bytes]]:
    """Yield the content in pieces with offsets, from `start` if the checksum is known, else from the beginning."""
    is_known = checksums[number] != UNKNOWN
    at = start if is_known else 0
    if at >= entry.size:
        return
    checksum = 0
    stream = open_content(entry, at)
    try:
        for piece in stream:
            if at + len(piece) > entry.size:
                raise BlobCorrupt("An entry's content is not as long as announced.")
            if not is_known:
                checksum = zlib.crc32(piece, checksum)
            yield at, piece
            at += len(piece)
    finally:
        stream.close()
    if at != entry.size:
        raise BlobCorrupt("An entry's content is not as long as announced.")
    if not is_known:
        checksums[number] = checksum


def _before(entry: ZipEntry, path: bytes) -> bytes:
    """Return the local header. Sizes and checksum follow the bytes, if there are any."""
    extra = _utc_time(entry)
    size, version = 0, _VERSION
    if _is_large(entry.size):
        size, version = _FULL_32, _VERSION_64
        extra += struct.pack("<2H2Q", 1, 16, 0, 0)
    date, time = _dos_time(entry)
    return (
        _LOCAL.pack(b"PK\3\4", version, _flags(entry), 0, time, date, 0, size, size, len(path), len(extra))
        + path
        + extra
    )


def _after(entry: ZipEntry, checksum: int) -> bytes:
    if not entry.size:
        return b""
    descriptor = _DESCRIPTOR_64 if _is_large(entry.size) else _DESCRIPTOR
    return descriptor.pack(b"PK\7\x08", checksum, entry.size, entry.size)


def _in_directory(entry: ZipEntry, path: bytes, checksum: int, offset: int) -> bytes:
    extra, large = _utc_time(entry), []
    size, shown_offset, version = entry.size, offset, _VERSION
    if _is_large(size):
        large += [size, size]
        size = _FULL_32
    if _is_large(offset):
        large.append(offset)
        shown_offset = _FULL_32
    if large:
        version = _VERSION_64
        extra += struct.pack(f"<2H{len(large)}Q", 1, 8 * len(large), *large)
    date, time = _dos_time(entry)
    mode = _FOLDER_MODE if entry.name.endswith("/") else _FILE_MODE
    head = (b"PK\1\2", _ON_UNIX | version, version, _flags(entry), 0, time, date, checksum, size, size)
    return _CENTRAL.pack(*head, len(path), len(extra), 0, 0, 0, mode, shown_offset) + path + extra


def _end(count: int, directory: int, offset: int) -> bytes:
    end = _END.pack(b"PK\5\6", 0, 0, *[min(count, _FULL_16)] * 2, min(directory, _FULL_32), min(offset, _FULL_32), 0)
    if count < _FULL_16 and not _is_large(directory) and not _is_large(offset):
        return end
    large = _END_64.pack(
        b"PK\6\6", _END_64.size - 12, _ON_UNIX | _VERSION_64, _VERSION_64, 0, 0, count, count, directory, offset
    )
    return large + _END_64_LOCATOR.pack(b"PK\6\7", 0, offset + directory, 1) + end


def _is_large(number: int) -> bool:
    return number >= _FULL_32


def _flags(entry: ZipEntry) -> int:
    return _NAME_IS_UTF8 | (_SIZES_FOLLOW if entry.size else 0)


def _dos_time(entry: ZipEntry) -> tuple[int, int]:
    """Return the DOS date and time, to two seconds, from 1980 to 2107; in UTC, since a server has no local time."""
    moment = _LAST
    with suppress(OverflowError):
        moment = min(max(_EPOCH + timedelta(milliseconds=entry.modified_ms), _FIRST), _LAST)
    date = (moment.year - 1980) << 9 | moment.month << 5 | moment.day
    return date, moment.hour << 11 | moment.minute << 5 | moment.second // 2


def _utc_time(entry: ZipEntry) -> bytes:
    """Return the extended timestamp, which current unpackers read: to the second, in UTC."""
    seconds = entry.modified_ms // 1000
    return _UTC_TIME.pack(0x5455, 5, 1, seconds) if 0 <= seconds < 1 << 31 else b""


class FolderNames:
    """Gives the entries of one folder names that are safe to unpack on every system, and unique."""

    def __init__(self) -> None:
        self._taken: set[bytes] = set()
        self._next: dict[bytes, int] = {}

    def take(self, name: str) -> str:
        """Return a safe name that no other entry of the folder has, ignoring case."""
        wanted = candidate = safe_name(name)
        number = self._next.get(order_key(wanted), 0)
        while order_key(candidate) in self._taken:
            number += 1
            candidate = safe_name(numbered(wanted, number))
        self._taken.add(order_key(candidate))
        if number:
            self._next[order_key(wanted)] = number
        return candidate
