"""Copying contents into a place: several at once, each hashed as it is copied, and noted when it is durable."""

import hashlib
import secrets
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Final

from skyshelf.backup.inventory import NONCE_BYTES, Entry, encoded, entries_in, object_name
from skyshelf.backup.places import Batch, Place, Progress
from skyshelf.backup.sealing import Names, Sealer
from skyshelf.backup.sources import Row, Rows, Source
from skyshelf.storage.errors import BadLocation, BlobCorrupt, BlobMissing, StorageError

_PIECE: Final = 4 * 1024 * 1024
UNFINISHED: Final = "unfinished/"
_AT_ONCE: Final = 2000
_BYTES_AT_ONCE: Final = 2000 * 1024 * 1024


class ContentDamaged(StorageError):
    """The store's own copy is not what it should be."""


class ContentGone(StorageError):
    """Nothing refers to the content, so the store may have deleted it."""


class Journal:
    """What an unfinished run has copied: the next run need not copy it again."""

    def __init__(self, place: Place, *, encrypted: bool) -> None:
        self._place = place
        self._encrypted = encrypted
        self.names = [kept.name for kept in place.list(UNFINISHED)]

    def entries(self) -> dict[bytes, Entry]:
        found: dict[bytes, Entry] = {}
        for name in self.names:
            data = self._place.get(name)
            kind, sealed, records = data[:1], data[1:33], data[33:]
            if kind == _kind(self._encrypted) and hashlib.sha256(records).digest() == sealed:
                found.update((entry.name, entry) for entry in entries_in(records, encrypted=self._encrypted))
        return found

    def note(self, entries: list[Entry]) -> None:
        records = encoded(entries, encrypted=self._encrypted)
        name = f"{UNFINISHED}{secrets.token_hex(8)}"
        self._place.put(name, _kind(self._encrypted) + hashlib.sha256(records).digest() + records)
        self.names.append(name)

    def clear(self) -> None:
        self._place.delete(self.names)
        self.names = []


def _kind(encrypted: bool) -> bytes:
    return b"\x01" if encrypted else b"\x00"


class Copier:
    """Copies contents; `lacking` has a sentence for each that the store has lost, by its SHA-256."""

    def __init__(
        self, source: Source, place: Place, sealer: Sealer, names: Names, *, journal: Journal, progress: Progress
    ) -> None:
        self._source = source
        self._place = place
        self._sealer = sealer
        self._names = names
        self._journal = journal
        self._progress = progress
        self._stopped = threading.Event()
        self.lacking: dict[bytes, str] = {}
        self.gone: set[bytes] = set()
        self.copied: dict[bytes, Entry] = {}

    def copy(self, rows: Rows, wanted: list[tuple[bytes, int]]) -> None:
        """Copy these contents; they are durable and noted when it returns."""
        for _, size in wanted:
            self._progress.queued(size)
        self._progress.all_queued()
        with (
            self._place.batch() as batch,
            ThreadPoolExecutor(self._place.writers, "backup") as threads,
            ThreadPoolExecutor(1, "backup-seal") as sealer,
        ):
            running: dict[Future[Entry], bytes] = {}
            done: list[Entry] = []
            sealing: Future[None] | None = None
            try:
                for sha256, _ in wanted:
                    if len(running) >= 2 * self._place.writers:
                        done += self._settle(rows, running)
                    if len(done) >= _AT_ONCE or sum(entry.size for entry in done) >= _BYTES_AT_ONCE:
                        # The disk catches up while the next ones are copied.
                        if sealing is not None:
                            sealing.result()
                        sealing = sealer.submit(self._keep, batch, done)
                        done = []
                    running[threads.submit(self._copy_one, rows.row(sha256), batch)] = sha256
                while running:
                    done += self._settle(rows, running)
                if sealing is not None:
                    sealing.result()
                self._keep(batch, done)
            except BaseException:
                self._stopped.set()
                raise

    def _keep(self, batch: Batch, done: list[Entry]) -> None:
        if done:
            batch.seal()
            self._journal.note(done)
            self.copied.update((entry.name, entry) for entry in done)

    def _settle(self, rows: Rows, running: dict[Future[Entry], bytes]) -> list[Entry]:
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        entries = []
        for future in done:
            sha256 = running.pop(future)
            try:
                entries.append(future.result())
            except ContentGone:
                self.gone.add(sha256)
            except ContentDamaged as error:
                self.lacking[sha256] = f"{sha256.hex()} {error}; it belongs to {rows.holders(sha256)}"
        return entries

    def _copy_one(self, row: Row, batch: Batch) -> Entry:
        try:
            return self._attempt(row, row.location, batch)
        except (BlobMissing, BlobCorrupt, BadLocation, ContentDamaged) as error:
            # Since the copy of the rows, a new upload may have replaced it, or its last file may have gone.
            now = self._source.location_of(row.sha256)
            if now is None:
                raise ContentGone(row.sha256.hex()) from error
            if now != row.location:
                try:
                    return self._attempt(row, now, batch)
                except (BlobMissing, BlobCorrupt, BadLocation, ContentDamaged) as again:
                    raise _damaged(again) from again
            raise _damaged(error) from error

    def _attempt(self, row: Row, location: str, batch: Batch) -> Entry:
        name = self._names.of(row.sha256)
        encrypted = self._names.key is not None
        nonce = secrets.token_bytes(NONCE_BYTES) if encrypted else b""
        stored = hashlib.sha256()
        size = 0

        def sealed() -> Iterator[bytes]:
            nonlocal size
            for chunk in self._sealer.seal(self._verified(row, location)):
                if encrypted:
                    stored.update(chunk)
                size += len(chunk)
                yield chunk

        batch.add(object_name(name, nonce), sealed())
        self._progress.finished(row.sha256.hex()[:12], row.size)
        return Entry(name, size, stored.digest() if encrypted else name, nonce)

    def _pieces(self, location: str) -> Iterator[bytes]:
        """Large pieces from a file: between two pieces other threads have their turn, which takes long on a busy
        machine."""
        path = self._source.blobs.local_path(location)
        if path is not None:
            yield from _read(path)
            return
        stream = self._source.blobs.read(location)
        try:
            yield from stream
        finally:
            stream.close()

    def _verified(self, row: Row, location: str) -> Iterator[bytes]:
        """Yield the bytes of a content; ContentDamaged at the end if they are not what its name says."""
        digest = hashlib.sha256()
        done = 0
        try:
            for piece in self._pieces(location):
                if self._stopped.is_set():
                    raise ContentDamaged("was not copied")
                digest.update(piece)
                done += len(piece)
                if done < row.size:
                    self._progress.moved(row.sha256.hex()[:12], done)
                yield piece
        except OSError as error:
            raise ContentDamaged(f"cannot be read ({error.strerror})") from error
        if digest.digest() != row.sha256:
            raise ContentDamaged("does not match its hash")


def _read(path: Path) -> Iterator[bytes]:
    with path.open("rb", buffering=0) as file:
        while piece := file.read(_PIECE):
            yield piece


def _damaged(error: StorageError) -> ContentDamaged:
    if isinstance(error, ContentDamaged):
        return error
    return ContentDamaged("is missing" if isinstance(error, BlobMissing) else "is damaged")
