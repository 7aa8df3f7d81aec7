"""Quarantine: unreferenced bytes stay for a while, so a mistake can be undone.

Nothing is copied or renamed: a row says that the bytes at a location are in quarantine, why, and since when. A restored
database therefore still finds every blob that it refers to.
"""

import logging
from collections.abc import Iterator, Mapping
from contextlib import suppress

import msgspec

from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import ServiceContext
from skyshelf.storage.errors import BadLocation, BlobCorrupt, BlobMissing, UploadBusy
from skyshelf.storage.metadata.contracts.content import QuarantineEntry, Reason
from skyshelf.storage.metadata.store import Unit

_log = logging.getLogger("skyshelf.background")
STEP = 500
_EMPTIED = "quarantine.emptied"
_EMPTIED_KEPT = 20


def set_aside_blobs(ctx: ServiceContext, sizes: Mapping[str, int], reason: Reason) -> None:
    """Put blobs into quarantine, given by location and size. Blobs that a row refers to are left out."""
    now = ctx.clock.now()
    things = [
        QuarantineEntry(location=location, sha256=_recorded_sha256(ctx, location), size=size, reason=reason, since=now)
        for location, size in sizes.items()
    ]
    ctx.metadata.write(lambda unit: unit.quarantine.add(things))


def set_aside_uploads(ctx: ServiceContext, sizes: Mapping[str, int], reason: Reason) -> None:
    """Put the bytes of uploads into quarantine, given by id and size; none of them may have a row."""
    now = ctx.clock.now()
    things = [
        QuarantineEntry(location=upload_id, kind="upload", size=size, reason=reason, since=now)
        for upload_id, size in sizes.items()
    ]
    ctx.metadata.write(lambda unit: unit.quarantine.add(things))


def _recorded_sha256(ctx: ServiceContext, location: str) -> str | None:
    try:
        return ctx.blobs.recorded_sha256(location)
    except (BlobMissing, BlobCorrupt, BadLocation):
        return None


# Deleting


def delete_quarantined(
    ctx: ServiceContext,
    since_up_to: int,
    *,
    reason: Reason | None = None,
    step: int = STEP,
    spare_history: bool = False,
    account_id: int | None = None,
) -> Iterator[list[QuarantineEntry]]:
    """Delete for good what has been in quarantine since that time, oldest first; yields what each step deleted."""

    def begin(unit: Unit) -> list[QuarantineEntry]:
        return unit.quarantine.begin_deleting(
            since_up_to, step, reason, spare_history=spare_history, account_id=account_id
        )

    while begun := ctx.metadata.write(begin):
        _delete(ctx, begun)
        yield begun


def finish_deletions(ctx: ServiceContext) -> Iterator[None]:
    """Continue where an earlier run was interrupted."""
    while True:
        with ctx.metadata.read() as unit:
            begun = unit.quarantine.being_deleted(STEP)
        if not begun:
            return
        _delete(ctx, begun)
        yield


class QuarantineDeletion(msgspec.Struct, frozen=True):
    """An early deletion by an operator."""

    at: int
    count: int
    size: int
    reason: str


def note_emptied(ctx: ServiceContext, count: int, size: int, reason: str) -> None:
    """Record what an operator deleted, when and why."""
    new = QuarantineDeletion(ctx.clock.now(), count, size, reason)
    event = new_event(ctx, kinds.QUARANTINE_EMPTIED, times=count, bytes=size, reason=reason)

    def work(unit: Unit) -> None:
        known = unit.settings.load(_EMPTIED, list[QuarantineDeletion]) or []
        unit.settings.store(_EMPTIED, [*known, new][-_EMPTIED_KEPT:])

    recorded(ctx, work, event)
    _log.info("an operator deleted %d contents from quarantine: %s", count, reason)


def emptied(ctx: ServiceContext) -> list[QuarantineDeletion]:
    """List the last deletions by operators, oldest first."""
    with ctx.metadata.read() as unit:
        return unit.settings.load(_EMPTIED, list[QuarantineDeletion]) or []


def _delete(ctx: ServiceContext, begun: list[QuarantineEntry]) -> None:
    """Delete the bytes first and the rows afterwards: after an interruption, it is repeated."""
    with ctx.metadata.read() as unit:
        in_progress = unit.uploads.known([one.location.upper() for one in begun if one.kind == "upload"])
    for one in begun:
        if one.kind == "blob":
            ctx.blobs.delete(one.location)
        elif one.location.upper() not in in_progress:
            # An upload that somebody holds is in use after all: it only leaves the quarantine.
            with suppress(UploadBusy):
                ctx.blobs.discard(one.location)
    ctx.metadata.write(lambda unit: unit.quarantine.end_deleting([one.location for one in begun]))
