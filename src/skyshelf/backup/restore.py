"""A store made of a cut, in an empty place.

Contents come first, each verified. They get new locations, which name their SHA-256, so an interrupted restore goes on
from what a listing of the new blobs shows. Then the rows are copied into the database, with these locations. The new
store has its own id: neither the blobs nor the database of the former one can be mistaken for its other half.

Uploads in progress, thumbnails and what waits for its deletion are not restored: clients start such uploads over, and
thumbnails are made again.
"""

import secrets
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from skyshelf.backup.chunks import read_rows
from skyshelf.backup.cut import Cut, Manifest
from skyshelf.backup.inventory import Entry, entries_in
from skyshelf.backup.packs import get_list
from skyshelf.backup.places import BackupRefused, CutDamaged, Place, Progress
from skyshelf.backup.sealing import Names, Opener
from skyshelf.backup.sources import FORMER_STORES, IDENTITY, Copy, Rows
from skyshelf.backup.verify import names_of
from skyshelf.storage.blobs.protocols import BlobBatch, BlobStore, StoredBlob
from skyshelf.storage.errors import BlobCorrupt, BlobMissing, SizeMismatch
from skyshelf.storage.identity import RESTORES, Identity, Restore, read_restores
from skyshelf.storage.metadata.contracts.content import StoredContent
from skyshelf.storage.metadata.read_only import SETTING as READ_ONLY
from skyshelf.storage.metadata.transfer.stores import import_sqlite, refuse_filled
from skyshelf.storage.metadata.transfer.tables import Rows as TableRows
from skyshelf.storage.metadata.transfer.tables import Table, TransferFailed
from skyshelf.storage.moving.copies import Copies, Locations, listed
from skyshelf.storage.moving.switch import changes_on_the_way, left_behind
from skyshelf.storage.open import open_blobs
from skyshelf.storage.space import naming_full

_ROWS: Final = "rows.db"
_STATE_FILE: Final = "state.json"


class Target(msgspec.Struct, frozen=True):
    """Where the new store goes, and a folder of this machine for what is needed on the way."""

    metadata: str
    blobs: str
    work: Path
    link: bool = False
    """Whether contents may be hard links to the backup: for a rehearsal, which only reads them."""


class RestoreResult(msgspec.Struct, frozen=True):
    """The outcome of a restore."""

    cut: str
    time: str
    files: int
    bytes: int
    problems: list[str]
    """A sentence for each content that could not be restored."""
    resumed: bool = False
    fetched: int = 0
    """How many contents this run has brought from the backup."""


class State(msgspec.Struct, frozen=True):
    """What an interrupted restore leaves; only the same restore goes on with it."""

    cut: str
    metadata: str
    blobs: str
    identity: Identity


def restore(
    place: Place, found: Manifest, target: Target, *, opener: Opener | None = None, progress: Progress | None = None
) -> RestoreResult:
    """Make a store of a cut; BackupRefused when the place is not empty."""
    names, opener = names_of(found, opener)
    assert found.cut is not None
    state, resumed = begin(found.cut, target)
    run = RestoreRun(place, found.cut, names, opener, target, progress or Progress())
    with naming_full(target.work), closing(open_blobs(target.blobs)) as blobs:
        _take_blobs(blobs, state, resumed=resumed)
        run.fetch_rows()
        with listed(blobs) as known:
            problems = run.contents(blobs, known)
            # The blobs first: in this order, no crash leaves a database that is finished and whose blobs are refused.
            blobs.write_identity(msgspec.json.encode(state.identity))
            run.rows_into_database(state.identity, known)
    shutil.rmtree(target.work)
    return run.result(problems, resumed=resumed)


def begin(cut: Cut, target: Target) -> tuple[State, bool]:
    """Note what is restored, and whether an interrupted restore goes on; BackupRefused when the database has rows."""
    refuse_rows(target)
    if (state := unfinished(target)) is not None:
        if state.cut == cut.id:
            return state, True
        raise BackupRefused(
            f"an unfinished restore of the cut {state.cut} is in {target.work}: finish it with the same options, or"
            " delete that folder and what it has restored"
        )
    file = target.work / _STATE_FILE
    state = State(cut.id, target.metadata, target.blobs, Identity(secrets.token_hex(16), cut.generation + 1))
    with naming_full(target.work):
        target.work.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.with_suffix(".new").write_bytes(msgspec.json.encode(state))
        file.with_suffix(".new").replace(file)
    return state, False


def refuse_rows(target: Target) -> None:
    """Raise BackupRefused when the database has rows."""
    try:
        refuse_filled(target.metadata)
    except TransferFailed as error:
        raise BackupRefused(f"a restore never replaces anything. {error}") from error


def unfinished(target: Target) -> State | None:
    """Return what an interrupted restore to the same places has left; BackupRefused for one to other places."""
    file = target.work / _STATE_FILE
    if not file.exists():
        return None
    state = msgspec.json.decode(file.read_bytes(), type=State)
    if (state.metadata, state.blobs) != (target.metadata, target.blobs):
        raise BackupRefused(
            f"an unfinished restore to other places is in {target.work}: finish it with the same options, or delete"
            " that folder and what it has restored"
        )
    return state


def _take_blobs(blobs: BlobStore, state: State, *, resumed: bool) -> None:
    """Mark the blobs as ours. With the mark, no service starts with what is not complete."""
    mark = msgspec.json.encode(Identity(f"unfinished restore of {state.cut}", 0))
    kept = blobs.identity()
    if resumed and kept in {mark, msgspec.json.encode(state.identity)}:
        for upload in list(blobs.list_uploads()):
            blobs.discard(upload.upload_id)
        return
    if kept is not None or next(blobs.list(), None) is not None or next(blobs.list_uploads(), None) is not None:
        raise BackupRefused(
            "a restore never replaces anything, and the place for the file contents is not empty: name an empty one"
        )
    blobs.write_identity(mark)


class _RestoredCopies(Copies):
    """Brings contents from a cut into the new store."""

    def __init__(self, run: "RestoreRun", entries: dict[bytes, Entry], target: BlobStore, known: Locations) -> None:
        super().__init__(target, known, lambda _contents, _bytes: None, run.place.readers)
        self._run = run
        self._entries = entries
        self._links = run.target.link and not run.target.blobs.startswith("s3:") and not run.cut.encrypted

    def put(self, content: StoredContent, batch: BlobBatch) -> StoredBlob:
        try:
            blob = self._linked(content, batch) or super().put(content, batch)
        except FileNotFoundError as error:
            raise BlobMissing("is missing in the backup") from error
        except (CutDamaged, SizeMismatch, BlobCorrupt) as error:
            raise BlobCorrupt("is damaged in the backup") from error
        self._run.progress.finished(content.sha256[:12], content.size)
        return blob

    def read(self, content: StoredContent) -> Iterator[bytes]:
        entry = self._entry(content)
        return self._run.opener.open(self._run.place.read(entry.object_name, entry.size))

    def _entry(self, content: StoredContent) -> Entry:
        entry = self._entries.get(self._run.names.of(bytes.fromhex(content.sha256)))
        if entry is None:
            raise BlobMissing("is not in this cut, because the store had lost it")
        return entry

    def _linked(self, content: StoredContent, batch: BlobBatch) -> StoredBlob | None:
        path = self._run.place.local_path(self._entry(content).object_name) if self._links else None
        if path is None:
            return None
        with path.open("rb") as file:
            blob = batch.take(file.fileno(), "hard", progress=self.check_stopped).blob
        if blob.sha256 != content.sha256:
            batch.drop(blob.location)
            raise BlobCorrupt("The content does not match its SHA-256")
        return blob


@dataclass
class RestoreRun:
    """One restore, step by step."""

    place: Place
    cut: Cut
    names: Names
    opener: Opener
    target: Target
    progress: Progress

    def __post_init__(self) -> None:
        self.rows_file = self.target.work / _ROWS
        self._lost: set[bytes] = set()
        self.files = self.bytes = self.fetched = 0

    def fetch_rows(self) -> None:
        """Read the rows of the cut into a file, unless an interrupted run has."""
        if not self.rows_file.exists():
            self.progress.step("reading the rows")
            unfinished = self.rows_file.with_suffix(".partial")
            read_rows(self.place, self.opener, self.names, self.cut.database, unfinished)
            unfinished.replace(self.rows_file)

    def contents(self, blobs: BlobStore, known: Locations, *, surplus_is_ours: bool = True) -> list[str]:
        """Restore contents, as far as they are missing; returns sentences about those that cannot be.

        Anything else among the blobs is what an interrupted run has left, and is deleted, where it is ours.
        """
        self.progress.step("restoring contents")
        with closing(Rows(Copy(self.rows_file))) as rows, ThreadPoolExecutor(self.place.readers, "restore") as threads:
            lists = threads.map(partial(get_list, self.place), self.cut.contents)
            entries = {entry.name: entry for data in lists for entry in entries_in(data, encrypted=self.cut.encrypted)}
            wanted = [StoredContent(sha256.hex(), "", size, "", 1, 0) for sha256, size in rows.contents()]
            waiting = list(known.lacking(wanted))
            for one in waiting:
                self.progress.queued(one.size)
            self.progress.all_queued()
            copies = _RestoredCopies(self, entries, blobs, known)
            self.fetched = copies.copy(waiting)
            self._lost = {bytes.fromhex(sha256) for sha256 in copies.damaged}
            restored = [one.size for one in wanted if one.sha256 not in copies.damaged]
            self.files, self.bytes = len(restored), sum(restored)
            if surplus_is_ours:
                # What an interrupted run has left of damaged contents.
                known.use([bytes.fromhex(one.sha256) for one in wanted])
                for location in known.unused():
                    blobs.delete(location)
            return [
                f"{sha256} {problem}; it belongs to {rows.holders(bytes.fromhex(sha256))}"
                for sha256, problem in sorted(copies.damaged.items())
            ]

    def result(self, problems: list[str], *, resumed: bool) -> RestoreResult:
        return RestoreResult(self.cut.id, self.cut.time, self.files, self.bytes, problems, resumed, self.fetched)

    def rows_into_database(self, identity: Identity, known: Locations) -> None:
        """Copy the rows, with the new locations, and without what is not restored."""
        self.progress.step("restoring the rows")
        with closing(Rows(Copy(self.rows_file))) as rows:
            # Who kept a later state of a history can tell from the restores why that is no longer there.
            before = [one for one in read_restores(rows.setting(RESTORES)) if one.state_at != self.cut.at]
            settings = {
                RESTORES: msgspec.json.encode([*before, Restore(time.time_ns() // 1_000_000, self.cut.at)]),
                FORMER_STORES: msgspec.json.encode(sorted({*rows.former_stores(), self.cut.store})),
                IDENTITY: msgspec.json.encode(identity),
            }
        changes = changes_on_the_way(settings, known, {}, lost=self._lost, left_out=LEFT_OUT_SETTINGS)
        changes |= dict.fromkeys(LEFT_OUT, left_behind) | {"account_counters": _without_reservations}
        import_sqlite(self.rows_file, self.target.metadata, lambda _done, _total: None, changes=changes)


def _without_reservations(table: Table, rows: TableRows) -> TableRows:
    reserved = table.position("reserved")
    return [(*row[:reserved], 0, *row[reserved + 1 :]) for row in rows]


LEFT_OUT: Final = ("upload_parts", "uploads")
"""Tables about bytes that are not in a cut: uploads in progress are started over."""
LEFT_OUT_SETTINGS: Final = (READ_ONLY, "scrub")
"""What is true of the former store alone: that it is read-only, and which of its bytes were read lately."""
