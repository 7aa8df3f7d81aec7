"""Damaged content: recorded when a read or the scrub finds it, and listed until it is sound again."""

import logging
from contextlib import suppress

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.storage.errors import BlobMissing, StorageError
from skyshelf.storage.metadata.contracts.content import DamagedContent
from skyshelf.storage.metadata.contracts.inspection import NamedVersion

_log = logging.getLogger("skyshelf.storage")
_HOLDERS_NAMED = 20
_PAGE = 500


class DamageReport(msgspec.Struct, frozen=True, rename="camel"):
    """Damaged content and the files that hold it."""

    sha256: str
    location: str
    fault: str
    found_at: int
    holders: list[NamedVersion]


def fault_of(problem: StorageError) -> str:
    """Describe a problem in words."""
    return "is missing" if isinstance(problem, BlobMissing) else str(problem).rstrip(".")


def note(ctx: ServiceContext, sha256: str, location: str, fault: str) -> bool:
    """Report damage, once per process: in the log, and in the list that all instances share.

    Returns false if the content has another location now, because a new copy has replaced it. Without a row it is not a
    file's content, and the caller has to decide what that means.
    """
    with ctx.metadata.read() as unit:
        known, is_listed = unit.content.get(sha256), unit.damage.is_listed(sha256)
    if known is None:
        return True
    if known.location != location:
        return False
    now, fingerprint = ctx.clock.now(), None
    with suppress(StorageError):
        fingerprint = ctx.blobs.fingerprint(location)
    if ctx.integrity.damaged(location, fingerprint, now) or not is_listed:
        advice = "restore it from a backup, or upload the file again"
        _log.error("content %s at %s is damaged (%s): %s", sha256, location, fault, advice)
        # If the store fails now, the next read records it.
        with suppress(StorageError):
            ctx.metadata.write(lambda unit: unit.damage.note(sha256, location, fault, now))
    return True


def clear_if_listed(ctx: ServiceContext, sha256: str) -> None:
    """Remove content that is sound again from the list of damage."""
    with ctx.metadata.read() as unit:
        is_listed = unit.damage.is_listed(sha256)
    if is_listed and ctx.metadata.write(lambda unit: unit.damage.clear(sha256)):
        _log.warning("content %s was damaged and is right again", sha256)


def reports(ctx: ServiceContext) -> list[DamageReport]:
    """List all damaged content, with the files that hold it."""
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
