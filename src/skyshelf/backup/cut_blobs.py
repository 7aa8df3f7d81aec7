"""The contents of a cut as a blob store that is only read: a server, or a copy of one account, needs nothing unpacked.

A location begins with the SHA-256 and ends with the size of its content; `opened.py` sees to that.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final, NoReturn

from skyshelf.backup.lookup import CutContents
from skyshelf.storage.blobs import protocols
from skyshelf.storage.blobs.streams import end_of_range, regroup
from skyshelf.storage.errors import BadLocation, BlobCorrupt, ReadOnly

_LOCATION = re.compile(r"([0-9a-f]{64})-[0-9a-f]{16}\.(0|[1-9][0-9]{0,18})")
_PIECE: Final = 1024 * 1024
NO_NONCE: Final = f"-{0:016x}."
"""Between the SHA-256 and the size, in a location that was made for a cut."""


class CutBlobs(protocols.BlobStore):
    """The contents of a cut. A range is read from the beginning of its content, because that may be encrypted."""

    def __init__(self, contents: CutContents, identity: bytes | None) -> None:
        self._contents = contents
        self._identity = identity
        self._closing: Callable[[], None] = _nothing

    def on_close(self, closing: Callable[[], None]) -> None:
        """Have something closed with this."""
        self._closing = closing

    def read(self, location: str, start: int = 0, length: int | None = None) -> "_CutStream":
        sha256, size = _parsed(location)
        end = end_of_range(size, start, length)
        return _CutStream(self._contents.read(bytes.fromhex(sha256)), start, end, size)

    def size(self, location: str) -> int:
        sha256, size = _parsed(location)
        self._contents.entry(bytes.fromhex(sha256))
        return size

    def fingerprint(self, location: str) -> None:
        """Nothing is trusted that was verified before: a backup may be on a disk that others write to."""
        _parsed(location)

    def recorded_sha256(self, location: str) -> str:
        return _parsed(location)[0]

    def local_path(self, location: str) -> Path | None:
        """Have every content pass through this process, which verifies it."""
        _parsed(location)
        return None

    def has_parts(self, upload_id: str, parts: Sequence[protocols.Part]) -> bool:
        """A cut has no uploads in progress."""
        return not upload_id and not parts

    def list(self) -> Iterator[protocols.ListedBlob]:
        return iter(())

    def list_uploads(self) -> Iterator[protocols.ListedUpload]:
        return iter(())

    def list_all(self) -> Iterator[protocols.ListedBlob | protocols.ListedUpload]:
        return iter(())

    def identity(self) -> bytes | None:
        return self._identity

    def check(self) -> None:
        """Opening the cut was the check."""

    def close(self) -> None:
        """Without on_close, the caller closes the place."""
        self._closing()

    def put(self, chunks: Iterable[protocols.BytesLike], *, expected_size: int | None = None) -> NoReturn:
        del chunks, expected_size
        _refuse()

    def batch(self) -> AbstractContextManager[protocols.BlobBatch]:
        _refuse()

    def delete(self, location: str, *, keep_upload: bool = False) -> None:
        del location, keep_upload
        _refuse()

    def uploading(self, upload_id: str) -> AbstractContextManager[protocols.BlobUpload]:
        del upload_id
        _refuse()

    def discard(self, upload_id: str) -> None:
        del upload_id
        _refuse()

    def write_identity(self, value: bytes) -> None:
        del value
        _refuse()


def _nothing() -> None:
    """Close nothing."""


def _refuse() -> NoReturn:
    raise ReadOnly("a backup is only read: restore it to change something")


def _parsed(location: str) -> tuple[str, int]:
    match = _LOCATION.fullmatch(location)
    if match is None:
        raise BadLocation("This is not a location of a content in a backup.")
    return match[1], int(match[2])


class _CutStream:
    """A range of a content, in pieces of a mebibyte; one that is shorter or longer than it was is BlobCorrupt."""

    def __init__(self, chunks: Iterator[bytes], start: int, end: int, size: int) -> None:
        self._chunks = chunks
        self._pieces = regroup(self._between(start, end, size), _PIECE)

    def _between(self, start: int, end: int, size: int) -> Iterator[bytes]:
        at = 0
        for chunk in self._chunks:
            first, at = at, at + len(chunk)
            if at > size:
                break
            if at > start and first < end:
                yield chunk[max(0, start - first) : end - first]
            if at >= end and end < size:
                return
        if at != size:
            raise BlobCorrupt("The content does not have its size in the backup.")

    def __iter__(self) -> "_CutStream":
        return self

    def __next__(self) -> bytes:
        return bytes(next(self._pieces))

    def close(self) -> None:
        self._pieces = iter(())
        # A generator that reads a file or decrypts has something to let go of.
        close = getattr(self._chunks, "close", None)
        if close is not None:
            close()
