"""Share archives: a whole share, or one of its folders, as a ZIP file."""

from skyshelf.service.archives.archive import Archive, plan_of
from skyshelf.service.context import ServiceContext
from skyshelf.service.sharing.visitor import shared_object, shared_objects
from skyshelf.storage.metadata.contracts.shares import Share


def plan_archive(ctx: ServiceContext, share: Share, object_key: str | None) -> Archive:
    """Plan the archive of a whole share, or of one object in it."""
    with ctx.metadata.snapshot() as unit:
        top = shared_objects(unit, share) if object_key is None else [shared_object(unit, share, object_key)[0]]
        return plan_of(unit, top, share.board_name or share.name)
