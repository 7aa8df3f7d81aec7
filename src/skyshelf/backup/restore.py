"""A store made of a cut, in an empty place.

Contents come first, each verified; they get new locations, which are noted as they become durable, so that an
interrupted restore goes on. Then the rows are completed and copied into the database. The new store has its own
id: neither the blobs nor the database of the former one can be mistaken for its other half.

Uploads in progress, thumbnails and what waits for its deletion are not restored: clients start such uploads over, and
thumbnails are made again.
"""

import secrets
import shutil
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Final

import apsw
import msgspec

from skyshelf.backup.chunks import read_rows
from skyshelf.backup.cut import Cut, Found
from skyshelf.backup.errors import BackupRefused, CutDamaged
from skyshelf.backup.inventory import Entry
from skyshelf.backup.known import entries_of
from skyshelf.backup.places import Place
from skyshelf.backup.progress import Progress, Silent
from skyshelf.backup.sealing import Names, Opener
from skyshelf.backup.sources import FORMER_STORES, IDENTITY, Copy, Rows
from skyshelf.backup.verify import names_of
from skyshelf.storage.blobs.protocols import BlobBatch, BlobStore
from skyshelf.storage.blobs.records import StoredBlob
from skyshelf.storage.errors import SizeMismatch
from skyshelf.storage.identity import RESTORES, Identity, Restore, read_restores
from skyshelf.storage.metadata.read_only import SETTING as READ_ONLY
from skyshelf.storage.metadata.transfer.stores import import_sqlite, refuse_filled
from skyshelf.storage.metadata.transfer.tables import TransferFailed
from skyshelf.storage.open import open_blobs

_AT_ONCE: Final = 256
_BYTES_AT_ONCE: Final = 256 * 1024 * 1024
_ROWS: Final = "rows.db"
_RESTORED: Final = "restored.db"
_STATE: Final = "state.json"


class Target(msgspec.Struct, frozen=True):
    """Where the new store goes, and a folder of this machine for what is needed on the way."""

    metadata: str
    blobs: str
    work: Path
    link: bool = False
    """Whether contents may be hard links to the backup: for a rehearsal, which only reads them."""


class Restored(msgspec.Struct, frozen=True):
    cut: str
    time: str
    files: int
    bytes: int
    problems: list[str]
    """A sentence for each content that could not be restored."""
    resumed: bool = False


class _State(msgspec.Struct, frozen=True):
    """What an interrupted restore leaves; only the same restore goes on with it."""

    cut: str
    metadata: str
    blobs: str
    identity: Identity


def restore(
    place: Place, found: Found, target: Target, *, opener: Opener | None = None, progress: Progress | None = None
) -> Restored:
    """Make a store of a cut; BackupRefused when the place is not empty."""
    names, opener = names_of(found, opener)
    assert found.cut is not None
    state, resumed = _begin(found.cut, target)
    blobs = open_blobs(target.blobs)
    try:
        _take_blobs(blobs, state, resumed=resumed)
        run = _Restore(place, found.cut, names, opener, target=target, blobs=blobs, progress=progress or Silent())
        problems = run.contents(resumed=resumed)
        run.complete_rows(state.identity)
        # The blobs first: in this order, no crash leaves a database that is finished and whose blobs are refused.
        blobs.write_identity(msgspec.json.encode(state.identity))
    finally:
        blobs.close()
    run.rows_into_database()
    shutil.rmtree(target.work)
    return Restored(found.id, found.cut.time, run.files, run.bytes, problems, resumed)


def _begin(cut: Cut, target: Target) -> tuple[_State, bool]:
    try:
        refuse_filled(target.metadata)
    except TransferFailed as error:
        raise BackupRefused(f"a restore never replaces anything. {error}") from error
    file = target.work / _STATE
    if file.exists():
        state = msgspec.json.decode(file.read_bytes(), type=_State)
        if (state.cut, state.metadata, state.blobs) == (cut.id, target.metadata, target.blobs):
            return state, True
        raise BackupRefused(
            f"an unfinished restore of the cut {state.cut} is in {target.work}: finish it with the same options, or"
            " delete that folder and what it has restored"
        )
    target.work.mkdir(mode=0o700, parents=True, exist_ok=True)
    state = _State(cut.id, target.metadata, target.blobs, Identity(secrets.token_hex(16), cut.generation + 1))
    file.with_suffix(".new").write_bytes(msgspec.json.encode(state))
    file.with_suffix(".new").replace(file)
    return state, False


def _take_blobs(blobs: BlobStore, state: _State, *, resumed: bool) -> None:
    """Mark the blobs as ours. With the mark, no service starts with what is not complete."""
    mark = msgspec.json.encode(Identity(f"unfinished restore of {state.cut}", 0))
    kept = blobs.identity()
    if resumed and kept in {mark, msgspec.json.encode(state.identity)}:
        return
    if kept is not None or next(blobs.list(), None) is not None or next(blobs.list_uploads(), None) is not None:
        raise BackupRefused(
            "a restore never replaces anything, and the place for the file contents is not empty: name an empty one"
        )
    blobs.write_identity(mark)


class _Restore:
    def __init__(
        self,
        place: Place,
        cut: Cut,
        names: Names,
        opener: Opener,
        *,
        target: Target,
        blobs: BlobStore,
        progress: Progress,
    ) -> None:
        self._place = place
        self._cut = cut
        self._names = names
        self._opener = opener
        self._target = target
        self._blobs = blobs
        self._progress = progress
        self._rows = target.work / _ROWS
        self._stopped = threading.Event()
        self._in_files = not target.blobs.startswith("s3:")
        self.files = self.bytes = 0

    def contents(self, *, resumed: bool) -> list[str]:
        """Restore contents, as far as they are missing; sentences about those that cannot be."""
        if not self._rows.exists():
            self._progress.step("reading the rows")
            partial = self._rows.with_suffix(".partial")
            read_rows(self._place, self._opener, self._names, self._cut.database, partial)
            partial.replace(self._rows)
        self._progress.step("restoring contents")
        problems: list[str] = []
        with (
            closing(apsw.Connection(str(self._target.work / _RESTORED))) as done,
            closing(Rows(Copy(self._rows))) as rows,
            ThreadPoolExecutor(self._place.writers, "restore") as threads,
        ):
            done.execute(_MAKE_RESTORED).close()
            if resumed:
                self._remove_unknown(done)
            entries = {entry.name: entry for part in entries_of(self._place, self._cut, threads) for entry in part}
            waiting = self._waiting(rows, done)
            try:
                while some := list(_group(waiting)):
                    problems += self._restore_some(some, entries, rows, done, threads)
            except BaseException:
                self._stopped.set()
                raise
            self.files, self.bytes = done.execute("SELECT count(*), coalesce(sum(size), 0) FROM restored").get
        return problems

    def _remove_unknown(self, done: apsw.Connection) -> None:
        """What an interrupted run has written and not noted."""
        for blob in list(self._blobs.list()):
            if not done.execute("SELECT 1 FROM restored WHERE location = ?", (blob.location,)).get:
                self._blobs.delete(blob.location)
        for upload in list(self._blobs.list_uploads()):
            self._blobs.discard(upload.upload_id)

    def _waiting(self, rows: Rows, done: apsw.Connection) -> Iterator[tuple[bytes, int]]:
        waiting = [
            (sha256, size)
            for sha256, size in rows.contents()
            if not done.execute("SELECT 1 FROM restored WHERE content = ?", (sha256,)).get
        ]
        for _, size in waiting:
            self._progress.queued(size)
        self._progress.all_queued()
        return iter(waiting)

    def _restore_some(
        self,
        some: list[tuple[bytes, int]],
        entries: dict[bytes, Entry],
        rows: Rows,
        done: apsw.Connection,
        threads: ThreadPoolExecutor,
    ) -> list[str]:
        problems = []
        restored = []
        with self._blobs.batch() as batch:

            def one(content: tuple[bytes, int]) -> StoredBlob | str:
                return self._restore_one(content, entries.get(self._names.of(content[0])), batch)

            for (sha256, size), outcome in zip(some, threads.map(one, some), strict=True):
                if isinstance(outcome, str):
                    problem = f"{sha256.hex()} {outcome}; it belongs to {rows.holders(sha256)}"
                    self._progress.failed(sha256.hex()[:12], problem)
                    problems.append(problem)
                else:
                    restored.append((sha256, outcome.location, size))
            batch.seal()
        with done:
            done.executemany("INSERT INTO restored (content, location, size) VALUES (?, ?, ?)", restored).close()
        return problems

    def _restore_one(self, content: tuple[bytes, int], entry: Entry | None, batch: BlobBatch) -> StoredBlob | str:
        """The content's new place, or what is wrong with it."""
        sha256, size = content
        if entry is None:
            return "is not in this cut, because the store had lost it"
        try:
            blob = self._stored(entry, size, batch)
        except FileNotFoundError:
            return "is missing in the backup"
        except (CutDamaged, SizeMismatch):
            return "is damaged in the backup"
        if blob.sha256 != sha256.hex():
            batch.drop(blob.location) if self._in_files else self._blobs.delete(blob.location)
            return "is damaged in the backup"
        self._progress.finished(sha256.hex()[:12], size)
        return blob

    def _stored(self, entry: Entry, size: int, batch: BlobBatch) -> StoredBlob:
        path = self._place.local_path(entry.object_name)
        if self._target.link and self._in_files and path is not None and not self._cut.encrypted:
            with path.open("rb") as file:
                return batch.take(file.fileno(), "hard", progress=self._check_stopped).blob
        chunks = self._opener.open(self._unless_stopped(self._place.read(entry.object_name, entry.size)))
        # A batch of files may be filled from several threads; a bucket has each object when it was put.
        return (batch if self._in_files else self._blobs).put(chunks, expected_size=size)

    def _unless_stopped(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        for chunk in chunks:
            self._check_stopped(0)
            yield chunk

    def _check_stopped(self, _: int) -> None:
        """Ends the other threads when one has failed or Ctrl-C was pressed."""
        if self._stopped.is_set():
            raise CutDamaged("it was not restored")

    def complete_rows(self, identity: Identity) -> None:
        """Give contents their new locations, and leave out what is not restored."""
        self._progress.step("restoring the rows")
        with closing(apsw.Connection(str(self._rows))) as rows:
            rows.execute("ATTACH ? AS work", (str(self._target.work / _RESTORED),)).close()
            tables = {name for (name,) in rows.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            with rows:
                for table in _LEFT_OUT & tables:
                    rows.execute(f"DELETE FROM {table}").close()  # noqa: S608 - our own names
                rows.execute("DELETE FROM blobs WHERE refs = 0").close()
                rows.execute("UPDATE account_counters SET reserved = 0 WHERE reserved <> 0").close()
                rows.execute(_NEW_LOCATIONS).close()
                for setting in _LEFT_OUT_SETTINGS:
                    rows.execute("DELETE FROM settings WHERE name = ?", (setting,)).close()
                former = rows.execute(_SETTING, (FORMER_STORES,)).get
                stores = msgspec.json.decode(former, type=list[str]) if former else []
                # Who kept a later state of a history can tell from it why that is no longer there.
                restored = _restores(rows.execute(_SETTING, (RESTORES,)).get, self._cut.at)
                for name, value in (
                    (RESTORES, msgspec.json.encode(restored)),
                    (FORMER_STORES, msgspec.json.encode(sorted({*stores, self._cut.store}))),
                    (IDENTITY, msgspec.json.encode(identity)),
                ):
                    rows.execute("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", (name, value)).close()

    def rows_into_database(self) -> None:
        import_sqlite(self._rows, self._target.metadata, lambda _done, _total: None)


_MAKE_RESTORED: Final = (
    "CREATE TABLE IF NOT EXISTS restored"
    " (content BLOB PRIMARY KEY, location TEXT NOT NULL UNIQUE, size INTEGER NOT NULL) STRICT"
)
_NEW_LOCATIONS: Final = (
    "UPDATE blobs SET location = r.location FROM work.restored r"
    " WHERE r.content = blobs.content AND r.location <> blobs.location"
)
_SETTING: Final = "SELECT value FROM settings WHERE name = ?"
_LEFT_OUT: Final = {"upload_parts", "uploads", "thumbnails", "quarantine", "damaged_contents"}
"""Tables about bytes that are not in a cut. Uploads in progress are started over, thumbnails are made again."""
_LEFT_OUT_SETTINGS: Final = (READ_ONLY, "scrub")
"""What is true of the former store alone: that it is read-only, and which of its bytes were read lately."""


def _restores(kept: bytes | None, state_at: int) -> list[Restore]:
    """The restores so far and this one, once, even if it was interrupted."""
    before = [one for one in read_restores(kept) if one.state_at != state_at]
    return [*before, Restore(time.time_ns() // 1_000_000, state_at)]


def _group(waiting: Iterator[tuple[bytes, int]]) -> Iterator[tuple[bytes, int]]:
    """As many contents as become durable together."""
    count = size = 0
    while count < _AT_ONCE and size < _BYTES_AT_ONCE and (one := next(waiting, None)) is not None:
        yield one
        count, size = count + 1, size + one[1]
