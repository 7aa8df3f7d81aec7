"""Copies of contents into another blob store: several at once, each compared with its SHA-256 as it is written."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Final, Protocol

from skyshelf.storage.blobs.protocols import BlobStore
from skyshelf.storage.blobs.records import Part, StoredBlob
from skyshelf.storage.errors import (
    BadLocation,
    BlobCorrupt,
    BlobMissing,
    SizeMismatch,
    StorageError,
    StoreUnavailable,
    UploadBusy,
    UploadDamaged,
)
from skyshelf.storage.metadata.contracts.content import StoredContent
from skyshelf.storage.metadata.contracts.uploads import Upload, UploadPart
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.storage.moving.locations import Locations
from skyshelf.storage.moving.plan import contents_of

SMALL_BYTES: Final = 1 << 20
_GROUP_BYTES: Final = 16 << 20
_GROUP: Final = 64
_ATTEMPTS_TO_HOLD: Final = 240
_WAIT_SECONDS: Final = 0.5


class CopyFailed(StorageError):
    """Contents of the source are missing or damaged; the sentence says what to do."""


class Watcher(Protocol):
    """Hears how far the copies are; may raise to end them."""

    def copied(self, contents: int, size: int) -> None: ...


class Copies:
    """Brings contents from one store to another."""

    def __init__(self, source: BlobStore, target: BlobStore, known: Locations, watcher: Watcher, threads: int) -> None:
        self._source = source
        self._target = target
        self._known = known
        self._watcher = watcher
        self._threads = threads
        self._stopping = threading.Event()
        self.damaged: list[str] = []
        """The SHA-256 of each content that the source has lost."""

    def missing(
        self, metadata: MetadataStore, seen: Callable[[list[bytes]], None] = lambda _contents: None
    ) -> Iterator[StoredContent]:
        """Contents that are referred to and not in the target yet; seen hears of all that are referred to."""
        for page in contents_of(metadata):
            needed = [bytes.fromhex(one.sha256) for one in page]
            seen(needed)
            known = self._known.of(needed)
            yield from (one for one in page if not _is_in(known, one))

    def copy(self, contents: Iterator[StoredContent], *, may_vanish: bool) -> int:
        """Copy these; how many. may_vanish: one may be deleted in the source while the copies are made."""
        damaged = self.damaged = []
        done = 0
        with ThreadPoolExecutor(self._threads, "skyshelf-move") as pool:
            running: set[Future[tuple[list[StoredBlob], list[str]]]] = set()
            try:
                for group in _groups(contents):
                    running.add(pool.submit(self._copy_group, group))
                    while len(running) > 2 * self._threads:
                        running, done = self._collect(running, done, damaged)
                while running:
                    running, done = self._collect(running, done, damaged)
            except BaseException:
                self._stopping.set()
                raise
        if damaged and not may_vanish:
            raise CopyFailed(
                f"{len(damaged)} of the contents missing or damaged in the source, the first is {damaged[0]}. Nothing"
                " was switched over. `skyshelf admin doctor --deep` on the source names the files: restore them from a"
                " backup, or delete them, then run the same move again; with --leave-damaged it leaves them out"
            )
        return done

    def _collect(
        self, running: set[Future[tuple[list[StoredBlob], list[str]]]], done: int, damaged: list[str]
    ) -> tuple[set[Future[tuple[list[StoredBlob], list[str]]]], int]:
        ended, rest = wait(running, return_when=FIRST_COMPLETED)
        for future in ended:
            copied, bad = future.result()
            self._known.add(copied)
            damaged += bad
            done += len(copied)
            self._watcher.copied(len(copied), sum(blob.size for blob in copied))
        return rest, done

    def _copy_group(self, group: Sequence[StoredContent]) -> tuple[list[StoredBlob], list[str]]:
        copied: list[StoredBlob] = []
        damaged: list[str] = []
        with self._target.batch() as batch:
            for content in group:
                if self._stopping.is_set():
                    break
                put = batch.put if content.size <= SMALL_BYTES else self._target.put
                drop = batch.drop if content.size <= SMALL_BYTES else self._target.delete
                try:
                    blob = put(self._read(content.location), expected_size=content.size)
                except (BlobMissing, BlobCorrupt, BadLocation, SizeMismatch):
                    damaged.append(content.sha256)
                    continue
                if blob.sha256 != content.sha256:
                    drop(blob.location)
                    damaged.append(content.sha256)
                else:
                    copied.append(blob)
            batch.seal()
        return copied, damaged

    def _read(self, location: str) -> Iterator[bytes]:
        """A file of this machine that cannot be read is damaged; a bucket that does not respond is none of it."""
        try:
            yield from self._source.read(location)
        except StoreUnavailable as error:
            if self._source.local_path(location) is None:
                raise
            raise BlobCorrupt(str(error)) from error

    def move_upload(self, upload: Upload, parts: Sequence[UploadPart]) -> dict[int, str]:
        """Bring the acknowledged chunks of an unfinished upload over; the new token of each, by where it starts."""
        self._target.discard(upload.upload_key)
        if not parts:
            return {}
        ours = [Part(one.start, one.size, one.md5, one.token) for one in parts]
        whole = self._whole(upload.upload_key, ours, upload.received)
        try:
            return self._appended(upload.upload_key, ours, whole)
        finally:
            # The upload itself stays as it was.
            with suppress(StorageError):
                self._source.delete(whole.location, keep_upload=True)

    def _whole(self, upload_key: str, parts: Sequence[Part], received: int) -> StoredBlob:
        """What was acknowledged so far, as a blob that can be read. A chunk that is being sent is refused."""
        for _ in range(_ATTEMPTS_TO_HOLD):
            try:
                with self._source.uploading(upload_key) as held:
                    return held.finish(parts, received)
            except UploadBusy:
                time.sleep(_WAIT_SECONDS)
        raise CopyFailed(f"The upload {upload_key} is still being sent: stop the service, then run the move again")

    def _appended(self, upload_key: str, parts: Sequence[Part], whole: StoredBlob) -> dict[int, str]:
        tokens: dict[int, str] = {}
        after: Part | None = None
        with self._target.uploading(upload_key) as new:
            for part in parts:
                chunks = self._source.read(whole.location, part.offset, part.size)
                after = new.append(chunks, after=after, expected_size=part.size)
                if after.md5 != part.md5:
                    raise UploadDamaged(f"The upload {upload_key} is damaged from {part.offset} on")
                tokens[part.offset] = after.token
                self._watcher.copied(0, part.size)
        return tokens


def _is_in(known: dict[bytes, tuple[str, int]], content: StoredContent) -> bool:
    found = known.get(bytes.fromhex(content.sha256))
    return found is not None and found[1] == content.size


def _groups(contents: Iterator[StoredContent]) -> Iterator[list[StoredContent]]:
    """Small ones together, so that they share the waits for the disk; each large one alone."""
    group: list[StoredContent] = []
    size = 0
    for content in contents:
        if content.size > SMALL_BYTES:
            yield [content]
            continue
        group.append(content)
        size += content.size
        if len(group) == _GROUP or size >= _GROUP_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group
