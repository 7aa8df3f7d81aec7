"""`skyshelf admin move`: contents first, while everything goes on; then the rows, while nothing is written.

1. Contents are copied while the service runs. They never change, so most of the work is done before anybody notices.
2. The store is read-only (metadata/read_only.py). Contents that came in since then, and unfinished uploads, are copied.
3. The new blobs are listed and compared with all rows, then the rows are copied in one step, read back and compared.
4. The new halves get the store's identity with a raised generation; the old ones say where the store is now.

Killed at any moment, the same command goes on: what is in the new blobs already is not copied again, and rows are in
the new database completely or not at all. Until 4., the old store is the one that counts.
"""

import secrets
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final, Protocol
from urllib.parse import urlsplit

import msgspec

from skyshelf.storage.access import Access
from skyshelf.storage.blobs.protocols import BlobStore
from skyshelf.storage.errors import StorageError, UploadDamaged
from skyshelf.storage.identity import SETTING as IDENTITY
from skyshelf.storage.identity import Identity, check_identity, read_identity
from skyshelf.storage.metadata.read_only import (
    MOVE,
    MoveRecord,
    ReadOnly,
    even_while_read_only,
    read_only,
    switch_off,
    switch_on,
)
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.storage.metadata.transfer.stores import fill, refuse_filled, rows_of
from skyshelf.storage.metadata.transfer.tables import TransferFailed
from skyshelf.storage.moving.copies import Copies, CopyFailed
from skyshelf.storage.moving.locations import Locations, listed
from skyshelf.storage.moving.lock import only_mover
from skyshelf.storage.moving.switch import changes_on_the_way, switch_in_place
from skyshelf.storage.open import open_blobs, open_metadata

# A round that copied no more than this took moments: what came in during it is left for the read-only time.
_FEW: Final = 200
_PAGE: Final = 500


class MoveRefused(StorageError):
    """The move cannot be made like this; nothing was changed, and the sentence says what to do."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """From where to where; a half that stays has no target."""

    metadata: str
    blobs: str
    to_metadata: str | None
    to_blobs: str | None
    reason: str
    threads: int = 8

    @property
    def target(self) -> str:
        """The new place in words, without passwords."""
        return " and ".join(described(url) for url in (self.to_metadata, self.to_blobs) if url is not None)


class Figures(msgspec.Struct, kw_only=True, rename="camel"):
    """What there is to move, or what was moved."""

    contents: int = 0
    bytes: int = 0
    rows: int = 0
    uploads: int = 0
    damaged_uploads: int = 0
    read_only_seconds: float = 0.0
    resumed: bool = False


class Watcher(Protocol):
    """Shows progress; raises to interrupt."""

    def phase(self, sentence: str) -> None: ...
    def expect(self, size: int) -> None: ...
    def copied(self, contents: int, size: int) -> None: ...
    def rows(self, done: int, total: int) -> None: ...


def described(url: str) -> str:
    """A URL without its password and options."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" if parts.scheme else url


def measure(plan: Plan) -> Figures:
    """What a move would do; changes nothing."""
    metadata, blobs = open_metadata(plan.metadata, Access.LOOK), open_blobs(plan.blobs, Access.LOOK)
    try:
        if plan.to_metadata is not None:
            refuse_filled(plan.to_metadata)
        figures = Figures()
        for content in _contents(metadata):
            figures.contents += 1
            figures.bytes += content
        figures.uploads = sum(1 for _ in _uploads(metadata))
        with rows_of(plan.metadata) as rows:
            figures.rows = sum(map(rows.count, rows.tables()))
        return figures
    finally:
        blobs.close()
        metadata.close()


def move(plan: Plan, watcher: Watcher) -> Figures:
    """Make the move, or go on with one that was interrupted."""
    with only_mover(plan.metadata), ExitStack() as opened:
        metadata = open_metadata(plan.metadata, Access.WRITE)
        opened.callback(metadata.close)
        blobs = open_blobs(plan.blobs, Access.WRITE)
        opened.callback(blobs.close)
        target = None
        if plan.to_blobs is not None:
            target = open_blobs(plan.to_blobs)
            opened.callback(target.close)
        return _Move(plan, watcher, metadata, blobs, target).run()


class _Move:
    def __init__(
        self, plan: Plan, watcher: Watcher, metadata: MetadataStore, blobs: BlobStore, target: BlobStore | None
    ) -> None:
        self._plan = plan
        self._watcher = watcher
        self._metadata = metadata
        self._blobs = blobs
        self._target = target
        self._figures = Figures()
        self._before: ReadOnly | None = None
        """The mode that an operator had chosen."""

    def run(self) -> Figures:
        if self._was_marked():
            return self._figures
        identity = check_identity(self._metadata, self._blobs)
        new = self._switched()
        if new is None:
            self._claim(identity)
            if self._plan.to_metadata is not None:
                refuse_filled(self._plan.to_metadata)
            with self._known() as known:
                self._copy_ahead(known)
                new = self._switch(known)
        self._mark(new)
        return self._figures

    # Where an earlier try has come to

    def _was_marked(self) -> bool:
        """Whether the old store says already that it is there; the rest of the marks is then made up for."""
        ours = self._identity_of(self._metadata)
        theirs = read_identity(self._blobs.identity())
        halves = [half for half in (ours, theirs) if half is not None and half.moved_to == self._plan.target]
        if not halves:
            return False
        self._mark_old(halves[0])
        self._figures.resumed = True
        return True

    def _switched(self) -> Identity | None:
        """The identity of a new store that has all rows of this read-only time; None where there is none."""
        mode = read_only(self._metadata)
        if mode is None or not mode.move:
            return None
        if self._plan.to_metadata is None:
            store, close = self._metadata, False
        else:
            try:
                refuse_filled(self._plan.to_metadata)
            except TransferFailed:
                store, close = open_metadata(self._plan.to_metadata, Access.LOOK), True
            else:
                return None
        try:
            with store.read() as unit:
                value = unit.settings.get(MOVE)
            record = None if value is None else msgspec.json.decode(value, type=MoveRecord)
            if record is None or (record.id, record.to) != (mode.move, self._plan.target):
                return None
            self._figures.resumed = True
            return self._identity_of(store)
        finally:
            if close:
                store.close()

    def _claim(self, identity: Identity) -> None:
        """Mark empty blobs as the target of this move: no service starts with them before it is complete."""
        if self._target is None:
            return
        mark = Identity(identity.store, 0, is_being_filled=True)
        found = read_identity(self._target.identity())
        if found is None and next(self._target.list(), None) is None:
            self._target.write_identity(msgspec.json.encode(mark))
        elif found == mark:
            self._figures.resumed = True
        else:
            whose = "a store without identity" if found is None else f"the store {found.store}"
            raise MoveRefused(
                f"The target for the file contents is not empty, it belongs to {whose}: name an empty one"
            )

    # The steps

    @contextmanager
    def _known(self) -> Iterator[Locations | None]:
        if self._target is None:
            yield None
            return
        self._watcher.phase("Looking at the target")
        with listed(self._target) as known:
            yield known

    def _copies(self, known: Locations) -> Copies:
        assert self._target is not None
        return Copies(self._blobs, self._target, known, self, self._plan.threads)

    def copied(self, contents: int, size: int) -> None:
        """Count what the copies report."""
        self._figures.contents += contents
        self._figures.bytes += size
        self._watcher.copied(contents, size)

    def _copy_ahead(self, known: Locations | None) -> None:
        if known is None:
            return
        self._watcher.phase("Copying contents while the service goes on")
        self._watcher.expect(sum(one.size for one in self._copies(known).missing(self._metadata)))
        before = None
        while True:
            copies = self._copies(known)
            copied = copies.copy(copies.missing(self._metadata), may_vanish=True)
            # Where as much comes in as is copied, more rounds bring nothing nearer.
            if copied <= _FEW or (before is not None and copied >= before / 2):
                return
            before = copied

    def _switch(self, known: Locations | None) -> Identity:
        began = time.monotonic()
        mode = self._fence()
        try:
            identity = self._identity_of(self._metadata)
            assert identity is not None
            new = msgspec.structs.replace(identity, generation=identity.generation + 1)
            record = MoveRecord(mode.move, self._plan.target, _now())
            if known is None:
                self._copy_rows(new, record, None, {})
            else:
                self._watcher.phase("Read-only: copying what came in since then")
                copies = self._copies(known)
                copies.copy(copies.missing(self._metadata), may_vanish=False)
                tokens = self._move_uploads(copies)
                with self._verified() as there:
                    self._copy_rows(new, record, there, tokens)
        except BaseException:
            # Nothing has been switched over: the store goes on as before.
            self._unfence()
            raise
        self._figures.read_only_seconds = round(time.monotonic() - began, 3)
        return new

    def _fence(self) -> ReadOnly:
        self._watcher.phase("Waiting for changes that are running; from now on the service is read-only")
        mode = read_only(self._metadata)
        if mode is None or not mode.move:
            self._before = mode
            reason = self._plan.reason if mode is None else mode.reason
            mode = ReadOnly(reason, _now(), secrets.token_hex(8))
        switch_on(self._metadata, mode)
        return mode

    def _unfence(self) -> None:
        if self._before is None:
            switch_off(self._metadata)
        else:
            switch_on(self._metadata, self._before)

    def _move_uploads(self, copies: Copies) -> dict[tuple[bytes, int], str]:
        tokens: dict[tuple[bytes, int], str] = {}
        for account_id, key in _uploads(self._metadata):
            with self._metadata.read() as unit:
                upload, parts = unit.uploads.get(account_id, key), unit.uploads.parts(account_id, key)
            try:
                moved = copies.move_upload(upload, parts)
            except UploadDamaged:
                # Its row goes over; the service refuses its next chunk, and the client starts it again.
                self._figures.damaged_uploads += 1
                continue
            self._figures.uploads += 1
            tokens |= {(bytes.fromhex(key), start): token for start, token in moved.items()}
        return tokens

    @contextmanager
    def _verified(self) -> Iterator[Locations]:
        """The target as it is now: every content that a row refers to is there, with its size and its SHA-256."""
        assert self._target is not None
        self._watcher.phase("Read-only: comparing the target with all rows")
        with listed(self._target) as there:
            missing = next(self._copies(there).missing(self._metadata, there.use), None)
            if missing is not None:
                raise CopyFailed(f"The content {missing.sha256} is not in the target: run the same move again")
            # Deleted in the source since it was copied, or copied twice by tries that were killed.
            for location in there.unused():
                self._target.delete(location)
            yield there

    def _copy_rows(
        self, new: Identity, record: MoveRecord, locations: Locations | None, tokens: dict[tuple[bytes, int], str]
    ) -> None:
        if self._plan.to_metadata is None:
            assert locations is not None
            self._watcher.phase("Read-only: writing the new locations")
            switch_in_place(self._metadata, new, record, locations, tokens)
            return
        self._watcher.phase("Read-only: copying the rows, and reading them back")
        with rows_of(self._plan.metadata) as source:
            changes = changes_on_the_way(new, record, locations, tokens)
            copied = fill(source, self._plan.to_metadata, self._watcher.rows, changes=changes)
        self._figures.rows = sum(copied.rows.values())

    # The marks

    def _mark(self, new: Identity) -> None:
        self._watcher.phase("Marking the old store as moved")
        (self._target or self._blobs).write_identity(msgspec.json.encode(new))
        self._mark_old(
            Identity(new.store, new.generation - 1, moved_to=self._plan.target, moved_at=_now()),
        )

    def _mark_old(self, moved: Identity) -> None:
        value = msgspec.json.encode(moved)
        if self._target is not None:
            self._blobs.write_identity(value)
        if self._plan.to_metadata is not None:
            with even_while_read_only():
                self._metadata.write(lambda unit: unit.settings.set(IDENTITY, value))

    @staticmethod
    def _identity_of(store: MetadataStore) -> Identity | None:
        with store.read() as unit:
            return read_identity(unit.settings.get(IDENTITY))


def _now() -> int:
    return time.time_ns() // 1_000_000


def _contents(metadata: MetadataStore) -> Iterator[int]:
    """The sizes of all contents that are referred to."""
    after = ""
    while True:
        with metadata.read() as unit:
            page = unit.inspection.contents(after, limit=_PAGE)
        if not page:
            return
        yield from (one.size for one in page if one.refs)
        after = page[-1].sha256


def _uploads(metadata: MetadataStore) -> Iterator[tuple[int, str]]:
    """All unfinished uploads, as account and key."""
    after = ""
    while True:
        with metadata.read() as unit:
            page = unit.inspection.uploads(after, limit=_PAGE)
        if not page:
            return
        yield from ((one.account_id, one.upload_key) for one in page)
        after = page[-1].upload_key
