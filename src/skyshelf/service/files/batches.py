"""Batches (favourite, rename, move and trash; each entry succeeds or fails separately), and creating folders."""

from collections.abc import Sequence

from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import about, new_event
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, unprocessed
from skyshelf.service.files.listings import Space, space_of
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts.tree import (
    Move,
    NewFolder,
    Outcome,
    Rename,
    SetFavorite,
    StoredObject,
    Trash,
    TreeChange,
)
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.wire_cache import wire_object
from skyshelf.wire import error_codes as codes
from skyshelf.wire.keys import clean_key, is_key
from skyshelf.wire.names import clean_name
from skyshelf.wire.refusals import Refusal
from skyshelf.wire.resources.batch import (
    BatchAnswer,
    BatchEntry,
    BatchRequest,
    EchoedObject,
    Operation,
    ProcessedEntry,
    UnprocessedEntry,
)
from skyshelf.wire.resources.objects import CloudObject, FolderCreation, ObjectStatus


def apply_batch(ctx: ServiceContext, caller: Caller, request: BatchRequest, origin: str) -> BatchAnswer:
    """Apply the entries in order in one transaction; one result for each."""
    now = ctx.clock.now()
    planned = [_planned(entry) for entry in request.objects]
    changes = [plan for plan in planned if not isinstance(plan, Refusal)]

    is_trashing = any(isinstance(change, Trash) for change in changes)
    event = new_event(ctx, kinds.TRASHED, caller) if is_trashing else None

    def work(unit: Unit) -> tuple[list[Outcome], Space]:
        unit.act_as(caller.actor)
        outcomes = unit.tree.apply(caller.account_id, changes, now)
        if event is not None and (trashed := _trashed(changes, outcomes)):
            unit.audit.add([about(event, trashed)])
        return outcomes, space_of(unit, caller, now)

    outcomes, space = ctx.metadata.write(work)
    applied = iter(outcomes)
    results = [plan if isinstance(plan, Refusal) else next(applied) for plan in planned]
    return _answer(request.objects, results, space, origin)


def _trashed(changes: Sequence[TreeChange], outcomes: Sequence[Outcome]) -> list[StoredObject]:
    """What a batch has moved to the trash."""
    return [
        outcome
        for change, outcome in zip(changes, outcomes, strict=True)
        if isinstance(change, Trash) and isinstance(outcome, StoredObject)
    ]


def _planned(entry: BatchEntry) -> TreeChange | Refusal:
    """The change that an entry requests, or why it is invalid. Whether the object exists is up to the store."""
    try:
        _check_echo(entry.object)
        return _change(entry.operation, entry.object)
    except Refusal as refusal:
        return refusal


def _check_echo(echo: EchoedObject) -> None:
    if echo.object_name is None:
        raise ServiceError(codes.OBJECT_NAME_MISSING)
    if not echo.source_name:
        raise ServiceError(codes.SOURCE_NAME_MISSING)


def _change(operation: Operation, echo: EchoedObject) -> TreeChange:
    if operation is Operation.TRASH and echo.status != ObjectStatus.TRASHED:
        raise ServiceError(codes.BATCH_MALFORMED)
    name = clean_name(echo.object_name or "") if operation is Operation.RENAME else ""
    target = _target(echo) if operation is Operation.MOVE else ""
    if not is_key(echo.object_key):
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    key = clean_key(echo.object_key)
    match operation:
        case Operation.SET_FAVORITE | Operation.UNSET_FAVORITE:
            return SetFavorite(key, operation is Operation.SET_FAVORITE)
        case Operation.RENAME:
            return Rename(key, name)
        case Operation.MOVE:
            return Move(key, target)
        case Operation.TRASH:
            return Trash(key)


def _target(echo: EchoedObject) -> str:
    """The folder to move into."""
    if echo.parent_object_key is None or not is_key(echo.parent_object_key):
        raise ServiceError(codes.TARGET_NOT_FOLDER)
    return clean_key(echo.parent_object_key)


def _answer(
    entries: Sequence[BatchEntry], results: Sequence[Outcome | Refusal], space: Space, origin: str
) -> BatchAnswer:
    processed: list[ProcessedEntry] = []
    rejected: list[UnprocessedEntry] = []
    for entry, result in zip(entries, results, strict=True):
        operation, correlation_id = entry.operation.value, entry.correlation_id
        if isinstance(result, StorageError | Refusal):
            rejected.append(
                unprocessed(entry.object.object_key, result, operation=operation, correlation_id=correlation_id)
            )
        else:
            changed = wire_object(result, origin)
            processed.append(ProcessedEntry(operation=operation, correlation_id=correlation_id, object=changed))
    return BatchAnswer(
        objects=processed,
        unprocessed=rejected,
        used_space=space.used,
        is_upload_allowed=space.is_upload_allowed,
    )


def create_folder(ctx: ServiceContext, caller: Caller, request: FolderCreation, origin: str) -> CloudObject:
    """Create a folder."""
    now = ctx.clock.now()
    folder = NewFolder(
        object_key=ctx.new_key(),
        parent_key=request.parent_object_key,
        name=request.object_name,
        source_name=request.source_name,
    )

    def work(unit: Unit) -> StoredObject:
        unit.act_as(caller.actor)
        return unit.tree.add_folder(caller.account_id, folder, now)

    return wire_object(ctx.metadata.write(work), origin)
