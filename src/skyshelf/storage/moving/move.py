"""`skyshelf admin move`: contents first, while everything goes on; then the rows, while nothing is written.

1. Contents are copied while the service runs. They never change, so most of the work is done before anybody notices.
2. The store is read-only (metadata/read_only.py). Contents that came in since then, and unfinished uploads, are copied.
3. The new blobs are listed and compared with all rows, then the rows are copied in one step, read back and compared.
4. The new halves get the store's identity with a raised generation; the old ones say where the store is now.

Killed at any moment, the same command goes on: what is in the new blobs already is not copied again, and rows are in
the new database completely or not at all. Until 4., the old store is the one that counts.
"""

import fcntl
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Final

import msgspec

from skyshelf.storage.access import Access
from skyshelf.storage.blobs.protocols import BlobStore
from skyshelf.storage.errors import StorageError, UploadDamaged
from skyshelf.storage.identity import SETTING as IDENTITY
from skyshelf.storage.identity import Identity, check_identity, read_identity
from skyshelf.storage.local_paths import is_postgres, local_path
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
from skyshelf.storage.moving.copies import CopyFailed, Locations, StoreCopies, listed
from skyshelf.storage.moving.plan import Figures, MoveRefused, Plan, Watcher, holders_of, uploads_of
from skyshelf.storage.moving.switch import changes_on_the_way, switch_in_place
from skyshelf.storage.open import open_blobs, open_metadata

_LOCK: Final = 0x534B5956


class AlreadyMoving(StorageError):
    """Another process is moving this store."""


_TRIES: Final = 40
_PAUSE_SECONDS: Final = 0.25
"""How often the lock is asked for: a busy database notices late that a process is gone."""


@contextmanager
def only_mover(metadata_url: str) -> Iterator[None]:
    """Hold the lock; a process that dies holds nothing, once the database has noticed it."""
    if is_postgres(metadata_url):
        import psycopg

        from skyshelf.storage.metadata.postgres.dialect import our_errors

        with our_errors(), psycopg.connect(metadata_url, autocommit=True, connect_timeout=10) as connection:
            for _ in range(_TRIES):
                if connection.execute("SELECT pg_try_advisory_lock(%s)", (_LOCK,)).fetchone() == (True,):
                    break
                time.sleep(_PAUSE_SECONDS)
            else:
                raise AlreadyMoving("Another process is moving this store: wait for it, or stop it first")
            yield
        return
    # The folder and not the file: closing a file would release SQLite's own locks on it.
    folder = os.open(local_path(metadata_url).parent, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AlreadyMoving("Another process is moving this store: wait for it, or stop it first") from None
        yield
    finally:
        os.close(folder)


# A round that copied no more than this took moments: what came in during it is left for the read-only time.
_FEW: Final = 200


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
        self._lost: set[bytes] = set()
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
        """Return whether the old store says already that it is there; the rest of the marks is then made up for."""
        ours = self._identity_of(self._metadata)
        theirs = read_identity(self._blobs.identity())
        halves = [half for half in (ours, theirs) if half is not None and half.moved_to == self._plan.target]
        if not halves:
            return False
        self._mark_old(halves[0])
        self._figures.resumed = True
        return True

    def _switched(self) -> Identity | None:
        """Return the identity of a new store that has all rows of this read-only time; None where there is none."""
        mode = read_only(self._metadata)
        if mode is None or not mode.move:
            return None
        with ExitStack() as opened:
            store = self._metadata
            if self._plan.to_metadata is not None:
                with suppress(TransferFailed):
                    refuse_filled(self._plan.to_metadata)
                    return None
                store = open_metadata(self._plan.to_metadata, Access.LOOK)
                opened.callback(store.close)
            with store.read() as unit:
                record = unit.settings.load(MOVE, MoveRecord)
            if record is None or (record.id, record.to) != (mode.move, self._plan.target):
                return None
            self._figures.resumed = True
            self._figures.left_out = record.left_out
            return self._identity_of(store)

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

    def _copies(self, known: Locations) -> StoreCopies:
        assert self._target is not None
        return StoreCopies(self._blobs, self._target, known, self._count, self._plan.threads)

    def _count(self, contents: int, size: int) -> None:
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
            copied = copies.copy(copies.missing(self._metadata))
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
            new = identity.in_new_place()
            if known is None:
                self._copy_rows(new, MoveRecord(mode.move, self._plan.target, _now()), None, {})
            else:
                self._watcher.phase("Read-only: copying what came in since then")
                copies = self._copies(known)
                copies.copy(copies.missing(self._metadata))
                self._leave_out(sorted(copies.damaged))
                record = MoveRecord(mode.move, self._plan.target, _now(), self._figures.left_out)
                tokens = self._move_uploads(copies)
                with self._verified() as there:
                    self._copy_rows(new, record, there, tokens)
        except BaseException:
            # Nothing has been switched over: the store goes on as before.
            self._unfence()
            raise
        self._figures.read_only_seconds = round(time.monotonic() - began, 3)
        return new

    def _leave_out(self, damaged: list[str]) -> None:
        """Their rows go over, so that files are found to lack their content, and an upload of the same bytes heals."""
        if damaged and not self._plan.leave_damaged:
            raise CopyFailed(
                f"{len(damaged)} of the contents missing or damaged in the source, the first is {damaged[0]}. Nothing"
                " was switched over. `skyshelf admin doctor --deep` on the source names the files: restore them from a"
                " backup, or delete them, then run the same move again; with --leave-damaged it leaves them out"
            )
        self._lost = {bytes.fromhex(sha256) for sha256 in damaged}
        self._figures.left_out = [
            f"content {sha256} is missing or damaged; it belongs to {holders_of(self._metadata, sha256)}"
            for sha256 in damaged
        ]

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

    def _move_uploads(self, copies: StoreCopies) -> dict[tuple[bytes, int], str]:
        tokens: dict[tuple[bytes, int], str] = {}
        for account_id, key in uploads_of(self._metadata):
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
            for missing in self._copies(there).missing(self._metadata, there.use):
                if bytes.fromhex(missing.sha256) not in self._lost:
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
            switch_in_place(self._metadata, new, record, locations, tokens, lost=self._lost)
            return
        self._watcher.phase("Read-only: copying the rows, and reading them back")
        with rows_of(self._plan.metadata) as source:
            settings = {IDENTITY: msgspec.json.encode(new), MOVE: msgspec.json.encode(record)}
            changes = changes_on_the_way(settings, locations, tokens, lost=self._lost)
            copied = fill(source, self._plan.to_metadata, self._watcher.rows, changes=changes)
        self._figures.rows = sum(copied.rows.values())

    # The marks

    def _mark(self, new: Identity) -> None:
        self._watcher.phase("Marking the old store as moved")
        (self._target or self._blobs).write_identity(msgspec.json.encode(new))
        self._mark_old(Identity(new.store, new.generation - 1, moved_to=self._plan.target, moved_at=_now()))

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
