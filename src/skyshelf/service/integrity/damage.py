"""Damaged content: noted durably when a read or the scrub finds it, and listed until it is right again."""

import logging
from contextlib import suppress

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.storage.errors import BlobMissing, StorageError
from skyshelf.storage.metadata.contracts.damage import DamagedContent
from skyshelf.storage.metadata.contracts.inspection import Holder

_log = logging.getLogger("skyshelf.storage")
_HOLDERS_NAMED = 20
_PAGE = 500


class DamageReport(msgspec.Struct, frozen=True, rename="camel"):
    """Damaged content and the files that hold it."""

    sha256: str
    location: str
    fault: str
    found_at: int
    holders: list[Holder]


def fault_of(problem: StorageError) -> str:
    """What is wrong, in words."""
    return "is missing" if isinstance(problem, BlobMissing) else str(problem).rstrip(".")


def note(ctx: ServiceContext, sha256: str, location: str, fault: str) -> bool:
    """Report damage, once per process: in the log, and in the list that all instances share.

    False where the content lives elsewhere now, because a new copy has taken its place. Without a row it is no content
    of a file, and only its caller can say what that means.
    """
    with ctx.metadata.read() as unit:
        known, is_listed = unit.content.get(sha256), unit.damage.is_listed(sha256)
    if known is None:
        return True
    if known.location != location:
        return False
    now = ctx.clock.now()
    if ctx.integrity.damaged(location, _fingerprint(ctx, location), now) or not is_listed:
        advice = "restore it from a backup, or upload the file again"
        _log.error("content %s at %s is damaged (%s): %s", sha256, location, fault, advice)
        # The next one who reads it notes it, if the store fails now.
        with suppress(StorageError):
            ctx.metadata.write(lambda unit: unit.damage.note(sha256, location, fault, now))
    return True


def clear_if_listed(ctx: ServiceContext, sha256: str) -> None:
    """Content that was damaged is right again."""
    with ctx.metadata.read() as unit:
        is_listed = unit.damage.is_listed(sha256)
    if is_listed and ctx.metadata.write(lambda unit: unit.damage.clear(sha256)):
        _log.warning("content %s was damaged and is right again", sha256)


def reports(ctx: ServiceContext) -> list[DamageReport]:
    """Everything that is damaged now, with the files that hold it."""
    found: list[DamageReport] = []
    after = ""
    with ctx.metadata.snapshot() as unit:
        while page := unit.damage.list(after, _PAGE):
            for one in page:
                holders = unit.inspection.holders(one.sha256, limit=_HOLDERS_NAMED)
                found.append(DamageReport(one.sha256, one.location, one.fault, one.found_at, holders))
            after = page[-1].sha256
    return found


def count(ctx: ServiceContext) -> int:
    with ctx.metadata.read() as unit:
        return unit.damage.count()


def listed(ctx: ServiceContext, after: str, limit: int) -> list[DamagedContent]:
    with ctx.metadata.read() as unit:
        return unit.damage.list(after, limit)


def _fingerprint(ctx: ServiceContext, location: str) -> str | None:
    try:
        return ctx.blobs.fingerprint(location)
    except StorageError:
        return None
