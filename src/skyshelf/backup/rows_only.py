"""The rows of a cut over blobs that are still there: for a database that was lost alone.

The blobs are listed, and only contents that are missing among them come from the backup. Nothing that is there is
deleted or replaced: what is newer than the cut has no row now, and goes through the quarantine as anything else.
Until the rows are in, the blobs keep their identity, so a database that turns up after all can still be used.
"""

import shutil
from contextlib import closing
from typing import Final

import msgspec

from skyshelf.backup.cut import Cut, Manifest
from skyshelf.backup.places import BackupRefused, Place, Progress
from skyshelf.backup.restore import RestoreResult, RestoreRun, State, Target, begin, refuse_rows, unfinished
from skyshelf.backup.sealing import Opener
from skyshelf.backup.sources import Copy, Rows
from skyshelf.backup.verify import names_of
from skyshelf.storage.access import Access
from skyshelf.storage.blobs.protocols import BlobStore
from skyshelf.storage.identity import read_identity
from skyshelf.storage.moving.copies import Locations, listed
from skyshelf.storage.open import open_blobs
from skyshelf.wire.batches import batched

_STEP: Final = 500


def restore_rows(
    place: Place, found: Manifest, target: Target, *, opener: Opener | None = None, progress: Progress | None = None
) -> RestoreResult:
    """Make a database of a cut for blobs that exist; BackupRefused when they are not those of the cut's store."""
    names, opener = names_of(found, opener)
    assert found.cut is not None
    progress = progress or Progress()
    refuse_rows(target)
    with closing(open_blobs(target.blobs, Access.WRITE)) as blobs:
        _check_identity(blobs, found.cut, unfinished(target))
        state, resumed = begin(found.cut, target)
        run = RestoreRun(place, found.cut, names, opener, target, progress)
        run.fetch_rows()
        progress.step("looking for contents")
        with listed(blobs) as known:
            try:
                _compare(run, known, needs_proof=blobs.identity() is None)
            except BackupRefused:
                shutil.rmtree(target.work)
                raise
            problems = run.contents(blobs, known, surplus_is_ours=False)
            # In the order of a whole restore: no crash leaves rows whose blobs are refused.
            blobs.write_identity(msgspec.json.encode(state.identity))
            run.rows_into_database(state.identity, known)
    shutil.rmtree(target.work)
    return run.result(problems, resumed=resumed)


def _check_identity(blobs: BlobStore, cut: Cut, state: State | None) -> None:
    """BackupRefused for blobs of another store, and for ones that are no longer or not yet in use."""
    known = read_identity(blobs.identity())
    if known is None or (state is not None and known == state.identity):
        return
    if known.moved_to:
        raise BackupRefused(
            f"these file contents were moved to {known.moved_to}: name those with --blobs; nothing was changed"
        )
    if known.is_being_filled or known.store != cut.store:
        raise BackupRefused(
            f"these file contents belong to the store {known.store}, and the cut to the store {cut.store}: name the"
            " right ones, or restore without --rows-only into an empty place; nothing was changed"
        )


def _compare(run: RestoreRun, known: Locations, *, needs_proof: bool) -> None:
    """Let the rows keep their locations where the bytes are; blobs without an identity must have most contents."""
    present = total = 0
    with closing(Rows(Copy(run.rows_file))) as rows:
        for some in batched(rows.stored(), _STEP):
            known.prefer((sha256, location) for sha256, _, location in some)
            found = known.of([sha256 for sha256, _, _ in some])
            total += len(some)
            present += sum(found.get(sha256, ("", -1))[1] == size for sha256, size, _ in some)
    if needs_proof and 2 * present < total:
        raise BackupRefused(
            f"of {total:,} contents of the cut, {present:,} are among these file contents, which do not say which store"
            " they belong to: name the right ones, or restore without --rows-only into an empty place"
        )
