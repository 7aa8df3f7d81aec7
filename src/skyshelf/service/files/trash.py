"""The trash: listing, restoring and deleting for good. Objects are moved to it by a batch operation."""

from skyshelf.service.audit import about_keys, kinds, new_event
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, canonical_key, codes, unprocessed
from skyshelf.service.files.listings import Space, encode_listing, space_of
from skyshelf.service.pages import after_of, sort_order
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts.tree import SortBy, StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.wire_cache import key_in, wire_object
from skyshelf.wire.cursors import encode_cursor, next_link
from skyshelf.wire.keys import clean_key, is_key
from skyshelf.wire.names import order_key
from skyshelf.wire.resources import batch as wire
from skyshelf.wire.resources.objects import CloudObject, TrashQuery

PURGE = "purge"
"""The kind of the job that removes deleted objects (jobs/maintenance.py)."""


def trash_listing(ctx: ServiceContext, caller: Caller, query: TrashQuery, origin: str, path: str) -> bytes:
    """Return a page of trashed objects (not their contents) as JSON, last trashed first unless an order is given."""
    sort, descending = (None, True) if query.sort is None else sort_order(query.sort)
    after, cursor = after_of(sort, query.cursor), None
    # A snapshot: the last object of the page must still exist when its position is looked up.
    with ctx.metadata.snapshot() as unit:
        objects = unit.tree.trash_page(
            caller.account_id,
            sort=sort,
            descending=descending,
            limit=query.limit + 1,
            offset=query.page * query.limit if after is None else 0,
            after=after,
        )
        if len(objects) > query.limit:
            objects = objects.without_last()
            last = unit.tree.get(caller.account_id, key_in(objects.last))
            cursor = encode_cursor(_place(last, sort), last.object_key)
        space = space_of(unit, caller, ctx.clock.now())
    return encode_listing(space, objects, origin, next_link(path, query, cursor))


def _place(trashed: StoredObject, sort: SortBy | None) -> int | bytes:
    """Return an object's sort value in the trash."""
    values: dict[SortBy | None, int | bytes] = {
        None: trashed.trashed_at,
        SortBy.NAME: order_key(trashed.name),
        SortBy.CREATED: trashed.file_created_at,
        SortBy.MODIFIED: trashed.last_modified_at,
        SortBy.SIZE: trashed.size,
    }
    return values[sort]


def restore(ctx: ServiceContext, caller: Caller, request: wire.RestoreRequest, origin: str) -> wire.RestoreAnswer:
    """Restore objects in one transaction; each succeeds or fails separately."""
    now = ctx.clock.now()
    keys = [clean_key(key) for key in request.object_keys if is_key(key)]

    outcomes, space = ctx.write_as(
        caller, lambda unit: (unit.tree.restore(caller.account_id, keys, now), space_of(unit, caller, now))
    )
    results = iter(outcomes)
    restored: list[CloudObject] = []
    rejected: list[wire.UnprocessedEntry] = []
    for key in request.object_keys:
        result = next(results) if is_key(key) else ServiceError(codes.OBJECT_NOT_FOUND)
        if isinstance(result, StorageError | ServiceError):
            rejected.append(unprocessed(key, result))
        else:
            restored.append(wire_object(result, origin))
    return wire.RestoreAnswer(
        objects=restored, unprocessed=rejected, used_space=space.used, is_upload_allowed=space.is_upload_allowed
    )


def purge(ctx: ServiceContext, caller: Caller, request: wire.PurgeRequest) -> wire.PurgeAnswer:
    """Delete trashed objects for good. They disappear at once; their bytes are deleted in the background."""
    now, account_id = ctx.clock.now(), caller.account_id
    keys = [clean_key(key) for key in request.object_keys if is_key(key)]
    event = new_event(ctx, kinds.DELETED, caller)

    def work(unit: Unit) -> tuple[list[str], Space]:
        gone = unit.purge.mark_for_deletion(account_id, keys, now)
        if gone:
            enqueue_purge(unit, account_id, now)
            unit.audit.add([about_keys(event, gone)])
        return gone, space_of(unit, caller, now)

    gone, space = ctx.write_as(caller, work)
    ctx.job_notifier.notify()
    left = {canonical_key(key): key for key in request.object_keys}
    for key in gone:
        del left[key]
    return wire.PurgeAnswer(
        objects=[wire.PurgedObject(object_key=key) for key in gone],
        unprocessed=[unprocessed(key, ServiceError(codes.NOT_IN_TRASH)) for key in left.values()],
        used_space=space.used,
        is_upload_allowed=space.is_upload_allowed,
    )


def empty_trash(ctx: ServiceContext, caller: Caller) -> wire.EmptyTrashAnswer:
    """Empty the trash. It is empty at once; the bytes are deleted in the background."""
    now, account_id, event = ctx.clock.now(), caller.account_id, new_event(ctx, kinds.TRASH_EMPTIED, caller)

    def work(unit: Unit) -> Space:
        if unit.purge.mark_all_for_deletion(account_id, now):
            enqueue_purge(unit, account_id, now)
            unit.audit.add([event])
        return space_of(unit, caller, now)

    space = ctx.write_as(caller, work)
    # People who empty the trash often need the space right away.
    ctx.job_notifier.notify()
    return wire.EmptyTrashAnswer(used_space=space.used, is_upload_allowed=space.is_upload_allowed)


def enqueue_purge(unit: Unit, account_id: int, now: int) -> None:
    """Schedule the removal of marked objects; call it in the transaction that marks them."""
    unit.outbox.put(PURGE, str(account_id), b"", now)


def reject_legacy_delete(request: wire.LegacyDeleteRequest) -> wire.LegacyDeleteAnswer:
    """Return every key as unprocessed: the interface has withdrawn this call, and it deletes nothing."""
    rejected = [
        wire.UnprocessedEntry(object=wire.UnprocessedObject(object_key=canonical_key(key)))
        for key in request.object_keys
    ]
    return wire.LegacyDeleteAnswer(objects=[], unprocessed=rejected)
