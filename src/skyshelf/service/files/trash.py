"""Trash: looking at it, taking objects out of it, and deleting for good. What goes in is an operation of a batch."""

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import Refused, known_spelling, unprocessed
from skyshelf.service.files.listings import encoded_listing
from skyshelf.service.jobs.maintenance import ask_for_purge
from skyshelf.service.pages import Space, sort_order, space_of
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts.tree import Outcome
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.wire_cache import wire_object
from skyshelf.wire import error_codes as codes
from skyshelf.wire.keys import clean_key, is_key
from skyshelf.wire.resources.batch import (
    LegacyDeleteAnswer,
    LegacyDeleteRequest,
    RestoreAnswer,
    RestoreRequest,
    UnprocessedEntry,
    UnprocessedObject,
)
from skyshelf.wire.resources.objects import CloudObject, TrashQuery
from skyshelf.wire.resources.trash import EmptyTrashAnswer, PurgeAnswer, PurgedObject, PurgeRequest


def trash_listing(ctx: ServiceContext, caller: Caller, query: TrashQuery, origin: str) -> bytes:
    """A page of what was trashed itself, as JSON; newest trashed first unless another order is asked for."""
    sort, descending = (None, True) if query.sort is None else sort_order(query.sort)
    with ctx.metadata.read() as unit:
        objects = unit.tree.trash_page(
            caller.account_id, sort=sort, descending=descending, limit=query.limit, offset=query.page * query.limit
        )
        space = space_of(unit, caller, ctx.clock.now())
    return encoded_listing(space, objects, origin)


def restore(ctx: ServiceContext, caller: Caller, request: RestoreRequest, origin: str) -> RestoreAnswer:
    """Take objects out of the trash, each on its own, in one transaction."""
    now = ctx.clock.now()
    keys = [clean_key(key) for key in request.object_keys if is_key(key)]

    def work(unit: Unit) -> tuple[list[Outcome], Space]:
        return unit.tree.restore(caller.account_id, keys, now), space_of(unit, caller, now)

    outcomes, space = ctx.metadata.write(work)
    tried = iter(outcomes)
    restored: list[CloudObject] = []
    refused: list[UnprocessedEntry] = []
    for key in request.object_keys:
        result = next(tried) if is_key(key) else Refused(codes.OBJECT_NOT_FOUND)
        if isinstance(result, StorageError | Refused):
            refused.append(unprocessed(key, result))
        else:
            restored.append(wire_object(result, origin))
    return RestoreAnswer(
        objects=restored,
        unprocessed=refused,
        used_space=space.used,
        is_upload_allowed=space.is_upload_allowed,
    )


def purge(ctx: ServiceContext, caller: Caller, request: PurgeRequest) -> PurgeAnswer:
    """Delete chosen objects of the trash for good. They are gone at once; their bytes follow in the background."""
    now, account_id = ctx.clock.now(), caller.account_id
    keys = [clean_key(key) for key in request.object_keys if is_key(key)]

    def work(unit: Unit) -> tuple[list[str], Space]:
        gone = unit.files.mark_for_deletion(account_id, keys, now)
        if gone:
            ask_for_purge(unit, account_id, now)
        return gone, space_of(unit, caller, now)

    gone, space = ctx.metadata.write(work)
    ctx.job_notifier.notify()
    left = {known_spelling(key): key for key in request.object_keys}
    for key in gone:
        del left[key]
    return PurgeAnswer(
        objects=[PurgedObject(object_key=key) for key in gone],
        unprocessed=[unprocessed(key, Refused(codes.NOT_IN_TRASH)) for key in left.values()],
        used_space=space.used,
        is_upload_allowed=space.is_upload_allowed,
    )


def empty_trash(ctx: ServiceContext, caller: Caller) -> EmptyTrashAnswer:
    """Delete everything in the trash for good. It is empty at once; the bytes follow in the background."""
    now, account_id = ctx.clock.now(), caller.account_id

    def work(unit: Unit) -> Space:
        unit.files.mark_all_for_deletion(account_id, now)
        ask_for_purge(unit, account_id, now)
        return space_of(unit, caller, now)

    space = ctx.metadata.write(work)
    # Whoever empties the trash often needs the room at once.
    ctx.job_notifier.notify()
    return EmptyTrashAnswer(used_space=space.used, is_upload_allowed=space.is_upload_allowed)


def refuse_legacy_delete(request: LegacyDeleteRequest) -> LegacyDeleteAnswer:
    """Every key comes back: this way of deleting is gone, and never touches anything."""
    refused = [
        UnprocessedEntry(object=UnprocessedObject(object_key=known_spelling(key))) for key in request.object_keys
    ]
    return LegacyDeleteAnswer(objects=[], unprocessed=refused)
