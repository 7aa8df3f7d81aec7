"""What takes up an account's space: large files, duplicates, earlier versions, the trash."""

from msgspec.structs import replace

from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.files.listings import Space, space_of
from skyshelf.service.pages import after_number
from skyshelf.storage.metadata.contracts.tree import PageCursor
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.wire_cache import wire_object
from skyshelf.wire.cursors import CursorQuery, encode_cursor
from skyshelf.wire.resources.storage import (
    DuplicateGroup,
    Duplicates,
    DuplicatesQuery,
    FileWithOldVersions,
    OldVersions,
    RemovedVersions,
    StorageUse,
    VersionRemoval,
)
from skyshelf.wire.resources.tags import ObjectPage


def storage_use(ctx: ServiceContext, caller: Caller) -> StorageUse:
    """Bytes by what they are used for. The quota counts everything, so files are what is left of it."""
    with ctx.metadata.snapshot() as unit:
        quota = unit.quotas.get(caller.account_id, ctx.clock.now())
        used = unit.usage.used(caller.account_id)
        history = unit.history.used(caller.account_id)

    def files(category: str, counted: int) -> int:
        return counted - used.trash.get(category, 0) - used.old_versions.get(category, 0)

    return StorageUse(
        allocated_space=quota.allocated,
        used_space=quota.used,
        photos=files("photo", quota.photo_used),
        videos=files("video", quota.video_used),
        audio=files("audio", quota.audio_used),
        documents=files("document", quota.document_used),
        old_versions=sum(used.old_versions.values()),
        trash=sum(used.trash.values()),
        history=history,
        is_estimate=not used.is_complete,
    )


def largest_files(ctx: ServiceContext, caller: Caller, query: CursorQuery, origin: str) -> ObjectPage:
    """A page of all files, the largest first."""
    after = after_number(query.cursor)
    with ctx.metadata.snapshot() as unit:
        page = unit.usage.largest(caller.account_id, limit=query.limit, after=after)
    return ObjectPage(objects=[wire_object(file, origin) for file in page.files], next_cursor=_cursor(page.next))


def duplicates(ctx: ServiceContext, caller: Caller, query: DuplicatesQuery, origin: str) -> Duplicates:
    """Groups of files with the same content."""
    after = after_number(query.cursor)
    with ctx.metadata.snapshot() as unit:
        page = unit.usage.duplicates(caller.account_id, limit=query.limit, after=after)
    return Duplicates(
        groups=[
            DuplicateGroup(
                hash=files[0].md5,
                size_in_bytes=files[0].size,
                objects=[wire_object(file, origin) for file in files],
            )
            for files in page.groups
        ],
        next_cursor=_cursor(page.next),
    )


def old_versions(ctx: ServiceContext, caller: Caller, query: CursorQuery, origin: str) -> OldVersions:
    """Files with earlier versions, by the space that these take."""
    after = after_number(query.cursor)
    with ctx.metadata.snapshot() as unit:
        page = unit.usage.old_versions(caller.account_id, limit=query.limit, after=after)
    return OldVersions(
        files=[
            FileWithOldVersions(object=wire_object(one.file, origin), versions=one.versions, size_in_bytes=one.size)
            for one in page.files
        ],
        next_cursor=_cursor(page.next),
    )


def remove_versions(ctx: ServiceContext, caller: Caller, request: VersionRemoval) -> RemovedVersions:
    """Delete earlier versions for good; keys that the caller does not have are left out."""
    now, event = ctx.clock.now(), new_event(ctx, kinds.VERSIONS_DELETED, caller, keys=list(request.object_keys))

    def work(unit: Unit) -> tuple[int, int, Space]:
        unit.act_as(caller.actor)
        versions, size = unit.usage.remove_old_versions(caller.account_id, request.object_keys, now)
        if versions:
            unit.audit.add([replace(event, times=versions)])
        return versions, size, space_of(unit, caller, now)

    versions, size, space = ctx.metadata.write(work)
    return RemovedVersions(
        versions=versions, freed_bytes=size, used_space=space.used, is_upload_allowed=space.is_upload_allowed
    )


def _cursor(place: PageCursor | None) -> str | None:
    return None if place is None else encode_cursor(*place)
