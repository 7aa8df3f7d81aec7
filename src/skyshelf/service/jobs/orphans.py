"""Orphans: stored bytes that no row refers to, left by crashes. storage/blobs/protocols.py has the rules.

The store is listed once. The listing comes in the order of the locations, so it is compared with ranges of the rows'
indexes, some thousand lines at a time, and only what no row explains is looked at again.
"""

import logging
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from typing import IO, Final, TypeAlias, TypeVar

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.integrity import leftovers, quarantine
from skyshelf.service.jobs import brakes
from skyshelf.service.uploads.duplicates import settle
from skyshelf.storage.blobs.protocols import SWEEP_GRACE_MS, ListedBlob, ListedUpload
from skyshelf.storage.errors import BlobCorrupt, BlobMissing
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.batches import batched

_log = logging.getLogger("skyshelf.background")

T = TypeVar("T")
Listed: TypeAlias = ListedBlob | ListedUpload
SWEEP: Final = "sweep-orphans"
STEP = 500
COMPARED: Final = 5000
"""Lines of a listing that are compared with the rows at once."""
_IN_MEMORY: Final = 1024 * 1024


def sweep_if_due(ctx: ServiceContext) -> Iterator[None]:
    """Sweep if a process may have left something behind since the last sweep; otherwise the store is not listed."""
    with ctx.metadata.read() as unit:
        due = leftovers.is_due(unit, ctx.clock.now())
    if due:
        yield from sweep_orphans(ctx)


def sweep_orphans(ctx: ServiceContext) -> Iterator[None]:
    """Put bytes that no row refers to into quarantine.

    They are counted first: crashes leave few, and many mean that something is wrong with the database.
    """
    began = ctx.clock.now()
    old = began - SWEEP_GRACE_MS
    brakes.check_halves(ctx)
    with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as file:
        found = _Orphans(file)
        for lines in batched(ctx.blobs.list_all(), COMPARED):
            found.add(unknown_among(ctx, lines, old), listed=len(lines))
            yield
        problem = None
        if brakes.are_too_many(found.count, found.listed):
            problem = (
                f"{found.count:,} of {found.listed:,} blobs are unknown to the database,"
                " far more than crashes leave behind"
            )
        brakes.check(ctx, SWEEP, problem)
        for lines in batched(found.lines(), STEP):
            # Listing a large store takes long: once more, right before they are touched.
            yield from _set_aside(ctx, unknown_among(ctx, lines, old))
    ctx.metadata.write(lambda unit: leftovers.note_swept(unit, began))


class _Orphans:
    """Orphans that were found, however many: few in memory, very many in a file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.count = 0
        self.listed = 0

    def add(self, lines: Sequence[Listed], *, listed: int) -> None:
        self._file.writelines(
            msgspec.json.encode((isinstance(line, ListedBlob), astuple(line))) + b"\n" for line in lines
        )
        self.count += len(lines)
        self.listed += listed

    def lines(self) -> Iterator[Listed]:
        self._file.seek(0)
        for line in self._file:
            is_blob, values = msgspec.json.decode(line)
            yield ListedBlob(*values) if is_blob else ListedUpload(*values)


def _set_aside(ctx: ServiceContext, orphans: Sequence[Listed]) -> Iterator[None]:
    for one in orphans:
        if isinstance(one, ListedBlob):
            _set_blob_aside(ctx, one.location, one.size)
            yield
    uploads = {one.upload_id: one.size for one in orphans if isinstance(one, ListedUpload)}
    if uploads:
        quarantine.set_aside_uploads(ctx, uploads, "orphan")
        _log.info("put %d orphaned uploads into quarantine", len(uploads))
    yield


def _set_blob_aside(ctx: ServiceContext, location: str, size: int) -> None:
    """Put an orphaned blob into quarantine, unless it is a copy of known content: then a good one of the two stays."""
    try:
        settle(ctx, ctx.blobs.recorded_sha256(location), size, new=location, reason="orphan")
    except BlobMissing:
        return
    except BlobCorrupt:
        quarantine.set_aside_blobs(ctx, {location: size}, "orphan")
    _log.info("an orphaned blob was a second copy, or is in quarantine now")


def unknown_among(ctx: ServiceContext, lines: Sequence[Listed], old: int) -> list[Listed]:
    """Return what is from before that time and without a row: blobs that are no content, thumbnail or upload in
    progress, and uploads that are not in progress, both without what is in quarantine."""
    judged = [line for line in lines if line.modified_ms < old]
    if not judged:
        return []
    uploads = {line.upload_id for line in judged if line.upload_id is not None}
    names = [_name(line) for line in judged]
    with ctx.metadata.snapshot() as unit:
        in_progress = _known_uploads(unit, sorted(uploads)) if uploads else set()
        explained = unit.content.explained(names)
    return [
        line
        for line, name in zip(judged, names, strict=True)
        if name not in explained and line.upload_id not in in_progress
    ]


def _name(line: Listed) -> str:
    """Return what the quarantine calls it."""
    return line.location if isinstance(line, ListedBlob) else line.upload_id


def _known_uploads(unit: Unit, upload_ids: list[str]) -> set[str]:
    """Return the ids that are uploads in progress, as the blob store spells them."""
    known = unit.uploads.known([upload_id.upper() for upload_id in upload_ids])
    return {upload_id for upload_id in upload_ids if upload_id.upper() in known}
