"""Archives of what somebody has chosen in their drive or on their boards."""

from collections.abc import Sequence
from contextlib import suppress

from skyshelf.service.archives.archive import Archive, plan_of
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.downloads import visible_on_board
from skyshelf.storage.errors import Missing, ObjectMissing
from skyshelf.storage.metadata.contracts.archives import ChosenObjects
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.downloads import ArchiveRequest, OwnArchive

LIFETIME_MS = 24 * 60 * 60 * 1000


def create_archive(ctx: ServiceContext, caller: Caller, request: ArchiveRequest, origin: str) -> OwnArchive:
    """Remember what was chosen, so that a plain link downloads it; OBJECT_NOT_FOUND if nothing of it can be seen."""
    keys = list(dict.fromkeys(request.object_keys))
    with ctx.metadata.snapshot() as unit:
        found = _visible(unit, caller, keys)
    if not found:
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    chosen = ChosenObjects(
        archive_key=ctx.new_key(),
        name=request.archive_name,
        object_keys=[stored.object_key for stored in found],
        expires_at=ctx.clock.now() + LIFETIME_MS,
    )
    ctx.metadata.write(lambda unit: unit.archives.add(caller.account_id, chosen))
    return OwnArchive(
        archive_key=chosen.archive_key,
        url=f"{origin}/download/archives/{chosen.archive_key}",
        expiry_date=chosen.expires_at,
        missing=len(keys) - len(found),
    )


def plan_archive(ctx: ServiceContext, caller: Caller, archive_key: str) -> Archive:
    """Plan it: what can still be seen of it, as it is now."""
    with ctx.metadata.snapshot() as unit:
        try:
            chosen = unit.archives.get(caller.account_id, archive_key, ctx.clock.now())
        except Missing as missing:
            raise ServiceError(codes.ARCHIVE_NOT_FOUND) from missing
        return plan_of(unit, _visible(unit, caller, chosen.object_keys), chosen.name)


def _visible(unit: Unit, caller: Caller, object_keys: Sequence[str]) -> list[StoredObject]:
    """Those that the caller can see, in their order: their own objects, and files on their boards."""
    own = unit.tree.visible_many(caller.account_id, object_keys)
    found = []
    for key in object_keys:
        stored = own.get(key)
        if stored is None:
            with suppress(ObjectMissing):
                stored = visible_on_board(unit, caller, key)
        if stored is not None:
            found.append(stored)
    return found
