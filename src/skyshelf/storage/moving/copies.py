"""Copies of contents into a blob store: several at once, each compared with its SHA-256 as it is written."""

import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import apsw

from skyshelf.storage import errors
from skyshelf.storage.blobs.protocols import BlobBatch, BlobStore, Part, StoredBlob
from skyshelf.storage.metadata.contracts.content import StoredContent
from skyshelf.storage.metadata.contracts.files import Upload, UploadPart
from skyshelf.storage.metadata.sql.statements import Row
from skyshelf.storage.metadata.sqlite.file import our_errors
from skyshelf.storage.metadata.store import MetadataStore, referred_contents
from skyshelf.wire.batches import batched

SMALL_BYTES: Final = 1 << 20
_GROUP_BYTES: Final = 16 << 20
_GROUP: Final = 64
_GROUP_OF_MANY_THREADS: Final = 16
_MANY_THREADS: Final = 16
"""Threads that wait for a network: with smaller groups, all of them have something to do."""
_LARGE_AT_ONCE: Final = 8
"""Each of them holds a few blocks in memory."""
_ATTEMPTS_TO_HOLD: Final = 240
_WAIT_SECONDS: Final = 0.5
_STEP: Final = 500


class Locations:
    """Contents of the new blob store by their SHA-256, in a temporary file: memory stays flat whatever their number.

    A location names its content's SHA-256 and its size, so a listing of the target is the journal of a move: one that
    was killed goes on from there.
    """

    def __init__(self, path: Path) -> None:
        self._connection = apsw.Connection(str(path))
        for pragma in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -32000"):
            self._connection.execute(f"PRAGMA {pragma}").close()
        self._connection.execute(
            "CREATE TABLE found (location TEXT PRIMARY KEY, sha256 BLOB NOT NULL, size INTEGER NOT NULL,"
            " used INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID"
        ).close()
        self._connection.execute("CREATE INDEX found_content ON found (sha256, location)").close()

    def add(self, blobs: Iterable[StoredBlob]) -> None:
        rows = [(blob.location, bytes.fromhex(blob.sha256), blob.size) for blob in blobs]
        self._connection.executemany(
            "INSERT OR IGNORE INTO found (location, sha256, size) VALUES (?, ?, ?)", rows
        ).close()

    def of(self, contents: Sequence[bytes]) -> dict[bytes, tuple[str, int]]:
        """Return the location and size of those that are there. Of several copies it is always the same one."""
        found: dict[bytes, tuple[str, int]] = {}
        for some in batched(contents, _STEP):
            places = ", ".join("?" * len(some))
            rows: list[Row] = self._connection.execute(
                f"SELECT sha256, min(location), size FROM found WHERE sha256 IN ({places}) GROUP BY sha256",  # noqa: S608
                some,
            ).fetchall()
            found |= {sha256: (location, size) for sha256, location, size in rows}
        return found

    def prefer(self, places: Iterable[tuple[bytes, str]]) -> None:
        """Keep the copy at a content's own location, if there is one among several."""
        rows = [(sha256, location, location, sha256) for sha256, location in places]
        self._connection.executemany(
            "DELETE FROM found WHERE sha256 = ? AND location <> ?"
            " AND EXISTS (SELECT 1 FROM found AS own WHERE own.location = ? AND own.sha256 = ?)",
            rows,
        ).close()

    def lacking(self, contents: Sequence[StoredContent]) -> Iterator[StoredContent]:
        """Yield those that are not there, or not with their size."""
        found = self.of([bytes.fromhex(one.sha256) for one in contents])
        for one in contents:
            if found.get(bytes.fromhex(one.sha256), ("", -1))[1] != one.size:
                yield one

    def use(self, contents: Sequence[bytes]) -> None:
        """Note that these are needed."""
        rows = [(location,) for location, _ in self.of(contents).values()]
        self._connection.executemany("UPDATE found SET used = 1 WHERE location = ?", rows).close()

    def unused(self) -> Iterator[str]:
        """Yield the locations of unused contents."""
        for (location,) in self._connection.execute("SELECT location FROM found WHERE used = 0"):
            yield str(location)

    def close(self) -> None:
        self._connection.close()


@contextmanager
def listed(blobs: BlobStore) -> Iterator[Locations]:
    """What a store has right now."""
    with tempfile.TemporaryDirectory(prefix="skyshelf-move-") as folder, our_errors(Path(folder)):
        locations = Locations(Path(folder) / "locations.db")
        try:
            batch: list[StoredBlob] = []
            for one in blobs.list():
                batch.append(StoredBlob(one.location, one.size, "", blobs.recorded_sha256(one.location)))
                if len(batch) == _STEP:
                    locations.add(batch)
                    batch = []
            locations.add(batch)
            yield locations
        finally:
            locations.close()


class CopyFailed(errors.StorageError):
    """Contents of the source are missing or damaged; the sentence says what to do."""


class Copies:
    """Brings contents into a store."""

    def __init__(self, target: BlobStore, known: Locations, copied: Callable[[int, int], None], threads: int) -> None:
        self._target = target
        self._known = known
        self._copied = copied
        """Called with the numbers of further contents and bytes that are copied; may raise to end them."""
        self._threads = threads
        self._stopping = threading.Event()
        self._large = threading.Semaphore(_LARGE_AT_ONCE)
        self.damaged: dict[str, str] = {}
        """The SHA-256 of each content that the source has lost, and what is wrong with it."""

    def copy(self, contents: Iterable[StoredContent]) -> int:
        """Copy these; returns how many. Those that the source has lost are in `damaged`."""
        self.damaged = {}
        done = 0
        with ThreadPoolExecutor(self._threads, "skyshelf-copy") as pool:
            running: set[Future[list[StoredBlob]]] = set()
            try:
                for group in _groups(contents, _GROUP if self._threads < _MANY_THREADS else _GROUP_OF_MANY_THREADS):
                    running.add(pool.submit(self._copy_group, group))
                    while len(running) > 2 * self._threads:
                        done += self._collect(running)
                while running:
                    done += self._collect(running)
            except BaseException:
                self._stopping.set()
                raise
        return done

    def _collect(self, running: set[Future[list[StoredBlob]]]) -> int:
        """Wait for one of them; takes out all that have ended, and returns how many contents they copied."""
        ended, _ = wait(running, return_when=FIRST_COMPLETED)
        running -= ended
        done = 0
        for future in ended:
            copied = future.result()
            self._known.add(copied)
            done += len(copied)
            self._copied(len(copied), sum(blob.size for blob in copied))
        return done

    def _copy_group(self, group: Sequence[StoredContent]) -> list[StoredBlob]:
        copied: list[StoredBlob] = []
        with self._target.batch() as batch:
            for content in group:
                self.check_stopped()
                try:
                    blob = self.put(content, batch)
                except (errors.BlobMissing, errors.BlobCorrupt, errors.BadLocation, errors.SizeMismatch) as error:
                    self.damaged[content.sha256] = str(error)
                    continue
                copied.append(blob)
            batch.seal()
        return copied

    def put(self, content: StoredContent, batch: BlobBatch) -> StoredBlob:
        """Bring one content over; BlobCorrupt when it is not what its SHA-256 says."""
        is_small = content.size <= SMALL_BYTES
        if is_small:
            blob = batch.put(self._unless_stopped(content), expected_size=content.size)
        else:
            with self._large:
                blob = self._target.put(self._unless_stopped(content), expected_size=content.size)
        if blob.sha256 != content.sha256:
            (batch.drop if is_small else self._target.delete)(blob.location)
            raise errors.BlobCorrupt("The content does not match its SHA-256")
        return blob

    def _unless_stopped(self, content: StoredContent) -> Iterator[bytes]:
        for chunk in self.read(content):
            self.check_stopped()
            yield chunk

    def check_stopped(self, _done: int = 0) -> None:
        """End the other threads when one has failed or Ctrl-C was pressed."""
        if self._stopping.is_set():
            raise CopyFailed("The copies were stopped")

    def read(self, content: StoredContent) -> Iterator[bytes]:
        """Yield the bytes of a content where it is now."""
        raise NotImplementedError


class StoreCopies(Copies):
    """Brings contents from one store to another."""

    def __init__(
        self, source: BlobStore, target: BlobStore, known: Locations, copied: Callable[[int, int], None], threads: int
    ) -> None:
        super().__init__(target, known, copied, threads)
        self._source = source

    def missing(
        self, metadata: MetadataStore, seen: Callable[[list[bytes]], None] = lambda _contents: None
    ) -> Iterator[StoredContent]:
        """Contents that are referred to and not in the target yet; seen hears of all that are referred to."""
        for page in referred_contents(metadata):
            seen([bytes.fromhex(one.sha256) for one in page])
            yield from self._known.lacking(page)

    def read(self, content: StoredContent) -> Iterator[bytes]:
        """Report an unreadable local file as damaged; a bucket that does not respond is not damage."""
        try:
            yield from self._source.read(content.location)
        except errors.StoreUnavailable as error:
            if self._source.local_path(content.location) is None:
                raise
            raise errors.BlobCorrupt(str(error)) from error

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
            with suppress(errors.StorageError):
                self._source.delete(whole.location, keep_upload=True)

    def _whole(self, upload_key: str, parts: Sequence[Part], received: int) -> StoredBlob:
        """Return what was acknowledged so far, as a blob that can be read. A chunk that is being sent is refused."""
        for _ in range(_ATTEMPTS_TO_HOLD):
            try:
                with self._source.uploading(upload_key) as held:
                    return held.finish(parts, received)
            except errors.UploadBusy:
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
                    raise errors.UploadDamaged(f"The upload {upload_key} is damaged from {part.offset} on")
                tokens[part.offset] = after.token
                self._copied(0, part.size)
        return tokens


def _groups(contents: Iterable[StoredContent], most: int) -> Iterator[list[StoredContent]]:
    """Small ones together, so that they share the waits for the disk; each large one alone."""
    group: list[StoredContent] = []
    size = 0
    for content in contents:
        if content.size > SMALL_BYTES:
            yield [content]
            continue
        group.append(content)
        size += content.size
        if len(group) == most or size >= _GROUP_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group
