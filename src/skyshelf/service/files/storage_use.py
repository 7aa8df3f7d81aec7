"""Storage use: large files, duplicates, earlier versions, the trash."""

from msgspec import convert
from msgspec.structs import replace

from skyshelf.service.audit import kinds, new_event
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.files.listings import Space, space_of
from skyshelf.service.pages import after_number
from skyshelf.storage.metadata.contracts.tree import PageCursor
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.wire_cache import wire_object
from skyshelf.wire.cursors import CursorQuery, encode_cursor
from skyshelf.wire.resources import storage as wire
from skyshelf.wire.resources.feeds import ObjectPage


def storage_use(ctx: ServiceContext, caller: Caller) -> wire.StorageUse:
    """Return bytes by purpose. The quota counts everything, so current files are the remainder."""
    with ctx.metadata.snapshot() as unit:
        quota = unit.quotas.get(caller.account_id, ctx.clock.now())
        used = unit.usage.used(caller.account_id)
        kept = unit.usage.kept(caller.account_id, ctx.clock.now())

    def files(category: str, counted: int) -> int:
        return counted - used.trash.get(category, 0) - used.old_versions.get(category, 0)

    return wire.StorageUse(
        allocated_space=quota.allocated,
        used_space=quota.used,
        photos=files("photo", quota.photo_used),
        videos=files("video", quota.video_used),
        audio=files("audio", quota.audio_used),
        documents=files("document", quota.document_used),
        old_versions=sum(used.old_versions.values()),
        trash=sum(used.trash.values()),
        history=quota.history_used,
        is_estimate=not used.is_complete,
        kept=convert(kept, list[wire.KeptKind], from_attributes=True),
    )


def largest_files(ctx: ServiceContext, caller: Caller, query: CursorQuery, origin: str) -> ObjectPage:
    """Return a page of all files, largest first."""
    after = after_number(query.cursor)
    with ctx.metadata.snapshot() as unit:
        page = unit.usage.largest(caller.account_id, limit=query.limit, after=after)
    return ObjectPage(objects=[wire_object(file, origin) for file in page.found], next_cursor=_cursor(page.next))


def duplicates(ctx: ServiceContext, caller: Caller, query: wire.DuplicatesQuery, origin: str) -> wire.Duplicates:
    """Return groups of files with the same content."""
    after = after_number(query.cursor)
    with ctx.metadata.snapshot() as unit:
        page = unit.usage.duplicates(caller.account_id, limit=query.limit, after=after)
    return wire.Duplicates(
        groups=[
            wire.DuplicateGroup(
                hash=first.md5,
                size_in_bytes=first.size,
                objects=[wire_object(file, origin) for file in (first, *others)],
            )
            for first, *others in page.found
        ],
        next_cursor=_cursor(page.next),
    )


def old_versions(ctx: ServiceContext, caller: Caller, query: CursorQuery, origin: str) -> wire.OldVersions:
    """Return files with earlier versions, by the space that these take."""
    after = after_number(query.cursor)
    with ctx.metadata.snapshot() as unit:
        page = unit.usage.old_versions(caller.account_id, limit=query.limit, after=after)
    return wire.OldVersions(
        files=[
            wire.FileWithOldVersions(
                object=wire_object(one.file, origin), versions=one.versions, size_in_bytes=one.size
            )
            for one in page.found
        ],
        next_cursor=_cursor(page.next),
    )


def remove_versions(ctx: ServiceContext, caller: Caller, request: wire.VersionRemoval) -> wire.RemovedVersions:
    """Delete earlier versions for good; unknown keys are ignored."""
    now, event = ctx.clock.now(), new_event(ctx, kinds.VERSIONS_DELETED, caller, keys=list(request.object_keys))

    def work(unit: Unit) -> tuple[int, int, Space]:
        versions, size = unit.usage.remove_old_versions(caller.account_id, request.object_keys, now)
        if versions:
            unit.audit.add([replace(event, times=versions)])
        return versions, size, space_of(unit, caller, now)

    versions, size, space = ctx.write_as(caller, work)
    return wire.RemovedVersions(
        versions=versions, freed_bytes=size, used_space=space.used, is_upload_allowed=space.is_upload_allowed
    )


def _cursor(place: PageCursor | None) -> str | None:
    return None if place is None else encode_cursor(*place)
