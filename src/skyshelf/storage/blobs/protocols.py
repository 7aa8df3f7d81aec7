"""The contract of a blob store, and what it hands out: stored blobs, parts of an upload, lines of its listings.

Every store is safe to use from several threads, and from several processes on one folder or bucket at once.

A write: the bytes are durable at a new location (put, or an upload's finish), then one commit of the
metadata refers to it, then the caller responds. A crash in between leaves unreferenced bytes, and the sweeper
puts them into quarantine: a row notes their location, the bytes stay. The contract between the callers and the sweeper
is short, and every rule in it carries weight:

Callers
  1. Commit a location within half of SWEEP_GRACE_MS after put or finish returned it, or not at all.
  2. Write the upload's row before the first append, and take the row away in the same commit that refers to the
     blob, or that gives the upload up. A commit that finds the row gone refers to nothing. Ids are never reused.
  3. Call delete and discard only after the commit that justifies them, never before, and only for bytes that no
     commit ever referred to, or of which a verified copy stays. A blob of an upload whose row still exists is deleted
     with keep_upload. Content that loses its last reference goes to quarantine in the same commit.

Sweeper
  4. For a line of a blob older than SWEEP_GRACE_MS: query the metadata, in one snapshot, for the row of its
     upload_id (if it has one) and for a reference to its location. If neither exists, it goes to quarantine.
  5. For a line of an upload older than SWEEP_GRACE_MS: query the row of upload_id. If there is none, it goes to
     quarantine.

Quarantine
  6. When its time is over, one commit marks a row as being deleted, unless something refers to its location again; then
     delete(location) or discard(upload_id) is called (UploadBusy means that it is alive after all), then the row goes.
     A location that is referred to again leaves the quarantine in the commit that does so, which fails once the row
     is marked.

Why no race can lose data: a location is new at every put and finish, so one that is old and not referred to becomes
referred to through the quarantine alone (1, 6); the time between the query and the deletion does not matter. Bytes
that an upload shares with a blob are safe while the row exists (4, 5). When the row is gone, every blob of that
upload that will ever be committed is already written (2), so delete and discard, which read the store after the
sweeper has read the metadata, see that blob and keep what it needs. A put that stalls for longer than half of the
grace fails, because no row protects it. The halves leave twelve hours for clocks that differ.
"""

import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, Self, TypeAlias

from skyshelf.storage.errors import BadLocation
from skyshelf.storage.samples import UNSEEN, Sample
from skyshelf.storage.space import Space

BytesLike: TypeAlias = bytes | bytearray | memoryview

SWEEP_GRACE_MS = 24 * 60 * 60 * 1000
"""How old something must be before the sweeper may judge it. A longer grace is always safe, a shorter one is not."""

_UPLOAD_ID = re.compile(r"[0-9a-f]{32}|[0-9A-F]{32}")


@dataclass(frozen=True, slots=True)
class StoredBlob:
    """Bytes that are durable. The location is opaque to everybody but the store that gave it out."""

    location: str
    size: int
    md5: str
    sha256: str
    sample: Sample = UNSEEN


LinkMode = Literal["copy", "reflink", "hard"]
"""How a file of this machine is brought into a store.

- copy: its bytes are written again.
- reflink: both share their blocks on the disk; a write to one of them copies the written blocks.
- hard: both are one file with two names. A write to one of them changes the other.
"""


@dataclass(frozen=True, slots=True)
class TakenFile:
    """A file as a batch took it, and how: a file that the system cannot link is copied."""

    blob: StoredBlob
    mode: LinkMode


@dataclass(frozen=True, slots=True)
class Part:
    """One acknowledged chunk of an upload, as the caller keeps it beside the upload's row.

    The token names this very attempt: two chunks that were sent for the same offset have two tokens.
    """

    offset: int
    size: int
    md5: str
    token: str

    @property
    def end(self) -> int:
        return self.offset + self.size


@dataclass(frozen=True, slots=True)
class ListedBlob:
    """A blob as the sweeper sees it; upload_id is set where it shares its bytes with that upload."""

    location: str
    size: int
    modified_ms: int
    upload_id: str | None = None


@dataclass(frozen=True, slots=True)
class ListedUpload:
    """Bytes that belong to no blob yet, as the sweeper sees them."""

    upload_id: str
    size: int
    modified_ms: int


def check_upload_id(upload_id: str) -> str:
    """Return the id itself, when it is 32 hex digits in one case; BadLocation for anything else.

    The case is kept as it was given: to the sweeper, an id that came back in another case would be an
    unknown upload.
    """
    if not _UPLOAD_ID.fullmatch(upload_id):
        raise BadLocation("An upload id is 32 hex digits, and this one is not.")
    return upload_id


def is_upload_id(name: str) -> bool:
    return _UPLOAD_ID.fullmatch(name) is not None


def new_upload_id() -> str:
    """Return an id for bytes that arrive in one call: nobody else will ever ask for it."""
    return secrets.token_hex(16)


def new_nonce() -> str:
    """Sixteen hex digits that make a name unique: a location or a token is never given out twice."""
    return secrets.token_hex(8)


class ByteStream(Protocol):
    """The bytes of a blob in large pieces. Close it when it is not read to its end."""

    def __iter__(self) -> Iterator[bytes]: ...

    def __next__(self) -> bytes: ...

    def close(self) -> None:
        """Let go of files and requests; may be called twice."""


class BlobBatch(Protocol):
    """New blobs that become durable together: many small files share the waits for the disk."""

    def take(self, file: int, mode: LinkMode = "copy", *, progress: Callable[[int], None] = ...) -> TakenFile:
        """Take the content of an open file of this machine; any thread may call.

        The file is read from its first byte, and progress hears how many bytes that was so far. Its location cannot be
        read before the batch is sealed. An OSError is about the file that is taken; StoreFull and StoreUnavailable are
        about the store.
        """

    def put(self, chunks: Iterable[BytesLike], *, expected_size: int | None = None) -> StoredBlob:
        """Like take, for bytes that come from elsewhere; errors of the store may come out of seal instead.

        SizeMismatch, StoreFull, StoreUnavailable and exceptions of the iterator as for BlobStore.put.
        """

    def drop(self, location: str) -> None:
        """Undo a take, before the batch is sealed."""

    def seal(self) -> None:
        """Everything that was taken is durable and can be read when this returns. A batch is sealed once."""


class BlobUpload(Protocol):
    """One upload in progress, held by one caller. Read the upload's row after you hold it, not before."""

    def append(self, chunks: Iterable[BytesLike], *, after: Part | None, expected_size: int | None = None) -> Part:
        """Write one chunk behind the acknowledged part `after` (None: at the start); durable when it returns.

        The part counts once the caller has committed it, and not before: bytes past `after` from an attempt
        that was never committed are discarded. Whatever goes wrong, everything up to the end of `after` stays
        whole. UploadDamaged when `after` is not there; SizeMismatch, StoreFull, StoreUnavailable and exceptions of
        the iterator as for put. On a store without locks two callers may append at one offset at once: both get
        a part, and the one whose row commits first (compare the row's offset in the same statement) has won.
        """

    def discard_part(self, part: Part) -> None:
        """Undo an append whose part will not be committed, so that repeated attempts do not pile up."""

    def finish(self, parts: Sequence[Part], size: int) -> StoredBlob:
        """Make a blob of exactly these parts, without copying them; durable when it returns.

        The upload stays as it is until discard, so finish may be called again, also by another process after a
        crash, and also after one more append; each call gives a new location. UploadDamaged when the parts
        do not join up to size, or when their bytes are not all there.
        """

    def discard(self) -> None:
        """Release the upload's own hold on its bytes; blobs that finish created stay. May be called twice."""


class BlobStore(Protocol):
    """All verbs of a store. What returns None here is what a store does that has nothing like it on this machine."""

    def put(self, chunks: Iterable[BytesLike], *, expected_size: int | None = None) -> StoredBlob:
        """Store the chunks, one after the other, as a new blob; durable when it returns.

        Nothing can be read before that. The same content put twice gives two locations.
        SizeMismatch when the stream is longer (as soon as that shows) or shorter than expected_size; StoreFull
        when there is no space; StoreUnavailable when the store fails. An exception of the iterator comes out as
        it is. No location was given out then, and what may be left of the bytes is in list or list_uploads.
        """

    def batch(self) -> AbstractContextManager[BlobBatch]:
        """Open a new batch; what it has taken is removed again when the block ends and it was not sealed.

        The same rules hold for its locations, from sealing on, as for those of put.
        """

    def read(self, location: str, start: int = 0, length: int | None = None) -> ByteStream:
        """Return the bytes from start on, length of them or all that are left, in pieces of about a mebibyte.

        BlobMissing and BadLocation are raised by this call and not by the first piece. A blob that is not as
        long as it was when it was stored is BlobCorrupt, here or while it is read: a stream never ends early
        without an error. A range that is not within the blob is a ValueError.
        """

    def size(self, location: str) -> int:
        """Return how long the blob is; BlobMissing when it is gone, BlobCorrupt when its length has changed."""

    def fingerprint(self, location: str) -> str | None:
        """Return what changes whenever the blob's bytes are written to, by whomever; errors as of size().

        None, without a look, from a store where that would be a request.
        """

    def read_if_cached(self, location: str, start: int, length: int) -> tuple[str, bytes] | None:  # noqa: ARG002
        """Return the fingerprint and these bytes, where they are in this machine's memory; errors as of size().

        None where they would have to be waited for.
        """
        return None

    def open_if_cached(self, location: str) -> tuple[str, int] | None:  # noqa: ARG002
        """Return the fingerprint and a descriptor, which the caller closes, where all bytes are in this machine's
        memory.

        None where they would have to be waited for, and where anything is wrong.
        """
        return None

    def recorded_sha256(self, location: str) -> str:
        """Return the SHA-256 that the content had when it was stored; its bytes are not read."""

    def delete(self, location: str, *, keep_upload: bool = False) -> None:
        """Remove a blob; nothing happens when it is gone already.

        keep_upload says that the upload which it was made of goes on: its row exists, and its bytes stay.

        Interrupted, it can be called again. A crash of the machine may bring a deleted blob back: then it is
        in list() again, and the sweeper's. See the module for when this may be called.
        """

    def list(self) -> Iterator[ListedBlob]:
        """Yield every blob, in no order, as it is found: memory stays flat whatever the number.

        Blobs that come or go in the meantime may be in it or not. modified_ms is when the blob became readable, to the
        minute, by the store's own clock.
        """

    def local_path(self, location: str) -> Path | None:
        """Return the file that holds exactly this blob, for sendfile; None from a store that has no such files.

        Same errors as size(). The file is never written again, and a reader that has opened it keeps it.
        """

    def uploading(self, upload_id: str) -> AbstractContextManager[BlobUpload]:
        """Hold an upload, new or begun; keep it until the metadata commit is done.

        UploadBusy, at once, when somebody else holds it and the store cannot serve both. A process that dies
        holds nothing.
        """

    def discard(self, upload_id: str) -> None:
        """Upload.discard without holding it; UploadBusy while somebody holds it."""

    def has_parts(self, upload_id: str, parts: Sequence[Part]) -> bool:
        """Return whether all bytes of these acknowledged parts are stored, also where a blob was made of them."""

    def list_all(self) -> Iterator[ListedBlob | ListedUpload]:
        """Yield the lines of list and of list_uploads, with one look at each stored object.

        Blobs come in the order of their locations, as far as the store has them in it: a comparison with rows can
        read ranges of them.
        """

    def list_uploads(self) -> Iterator[ListedUpload]:
        """Yield every upload that has bytes, leftovers of a put included, as they are found.

        modified_ms is that of the youngest bytes. An upload that has just become a blob may still be listed.
        """

    def identity(self) -> bytes | None:
        """Return what was written last; None when nothing was."""

    def write_identity(self, value: bytes) -> None:
        """Replace it; durable when it returns."""

    def check(self) -> None:
        """Return when the store can be used; StoreUnavailable, with a sentence for the operator, when not.

        StoreFull when it can be read and nothing can be added.
        """

    def space(self) -> Space | None:
        """Return the space of the store's file system; None where there is none that this process can see."""
        return None

    def close(self) -> None:
        """Let go of threads and connections; may be called twice. The store is not used after that."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
