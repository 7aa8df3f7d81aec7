"""Batches: favourite, rename, move, trash and copy. Each entry succeeds or fails separately. Also creates folders."""

from collections.abc import Sequence

from skyshelf.service.audit import about, kinds, new_event
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes, unprocessed
from skyshelf.service.files.capture_dates import READ_DATES
from skyshelf.service.files.listings import Space, space_of
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts import tree
from skyshelf.storage.metadata.contracts.files import CopyOf, CopyResult
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.wire_cache import wire_object
from skyshelf.wire.keys import clean_key, is_key
from skyshelf.wire.names import clean_name
from skyshelf.wire.refusals import Refusal
from skyshelf.wire.resources import batch as wire
from skyshelf.wire.resources.objects import CloudObject, FolderCreation, ObjectStatus


def apply_batch(ctx: ServiceContext, caller: Caller, request: wire.BatchRequest, origin: str) -> wire.BatchAnswer:
    """Apply the entries in order in one transaction; one result per entry.

    While the disk is at its reserve, entries may only move objects to the trash.
    """
    now = ctx.clock.now()
    has_space = ctx.reservations.disk.has_space()
    planned = [_planned(entry, has_space=has_space) for entry in request.objects]
    changes = [plan for plan in planned if not isinstance(plan, Refusal)]

    is_trashing = any(isinstance(change, tree.Trash) for change in changes)
    event = new_event(ctx, kinds.TRASHED, caller) if is_trashing else None

    def work(unit: Unit) -> tuple[list[tree.Outcome], Space]:
        outcomes = unit.tree.apply(caller.account_id, changes, now)
        if event is not None and (trashed := _trashed(changes, outcomes)):
            unit.audit.add([about(event, trashed)])
        return outcomes, space_of(unit, caller, now)

    outcomes, space = ctx.write_as(caller, work)
    applied = iter(outcomes)
    results = [plan if isinstance(plan, Refusal) else next(applied) for plan in planned]
    return _answer(request.objects, results, space, origin)


def _trashed(changes: Sequence[tree.TreeChange], outcomes: Sequence[tree.Outcome]) -> list[tree.StoredObject]:
    return [
        outcome
        for change, outcome in zip(changes, outcomes, strict=True)
        if isinstance(change, tree.Trash) and isinstance(outcome, tree.StoredObject)
    ]


def _planned(entry: wire.BatchEntry, *, has_space: bool) -> tree.TreeChange | Refusal:
    """Return the change that an entry requests, or why it is refused. The store checks whether the object exists."""
    try:
        if not has_space and entry.operation is not wire.Operation.TRASH:
            raise ServiceError(codes.DISK_FULL)
        if entry.object.object_name is None:
            raise ServiceError(codes.OBJECT_NAME_MISSING)
        if not entry.object.source_name:
            raise ServiceError(codes.SOURCE_NAME_MISSING)
        return _change(entry.operation, entry.object)
    except Refusal as refusal:
        return refusal


def _change(operation: wire.Operation, echo: wire.EchoedObject) -> tree.TreeChange:
    if operation is wire.Operation.TRASH and echo.status != ObjectStatus.TRASHED:
        raise ServiceError(codes.BATCH_MALFORMED)
    name = clean_name(echo.object_name or "") if operation is wire.Operation.RENAME else ""
    target = echo.parent_object_key or ""
    if operation is wire.Operation.MOVE and not is_key(target):
        raise ServiceError(codes.TARGET_NOT_FOLDER)
    if not is_key(echo.object_key):
        raise ServiceError(codes.OBJECT_NOT_FOUND)
    key = clean_key(echo.object_key)
    match operation:
        case wire.Operation.SET_FAVORITE | wire.Operation.UNSET_FAVORITE:
            return tree.SetFavorite(key, operation is wire.Operation.SET_FAVORITE)
        case wire.Operation.RENAME:
            return tree.Rename(key, name)
        case wire.Operation.MOVE:
            return tree.Move(key, clean_key(target))
        case wire.Operation.TRASH:
            return tree.Trash(key)


def _answer(
    entries: Sequence[wire.BatchEntry], results: Sequence[tree.Outcome | Refusal], space: Space, origin: str
) -> wire.BatchAnswer:
    processed: list[wire.ProcessedEntry] = []
    rejected: list[wire.UnprocessedEntry] = []
    for entry, result in zip(entries, results, strict=True):
        operation, correlation_id = entry.operation.value, entry.correlation_id
        if isinstance(result, StorageError | Refusal):
            rejected.append(
                unprocessed(entry.object.object_key, result, operation=operation, correlation_id=correlation_id)
            )
        else:
            changed = wire_object(result, origin)
            processed.append(wire.ProcessedEntry(operation=operation, correlation_id=correlation_id, object=changed))
    return wire.BatchAnswer(
        objects=processed, unprocessed=rejected, used_space=space.used, is_upload_allowed=space.is_upload_allowed
    )


def create_folder(ctx: ServiceContext, caller: Caller, request: FolderCreation, origin: str) -> CloudObject:
    now = ctx.clock.now()
    folder = tree.NewFolder(
        object_key=ctx.new_key(),
        parent_key=request.parent_object_key,
        name=request.object_name,
        source_name=request.source_name,
    )
    return wire_object(ctx.write_as(caller, lambda unit: unit.tree.add_folder(caller.account_id, folder, now)), origin)


def copy(ctx: ServiceContext, caller: Caller, request: wire.CopyRequest, origin: str) -> wire.CopyAnswer:
    """Copy objects into a folder in one transaction; each succeeds or fails separately.

    A folder is copied without its contents: the caller lists them and copies them into the new folder, so every step is
    bounded, and a large copy shows its progress and can be stopped.
    """
    now, account_id = ctx.clock.now(), caller.account_id
    copies = [CopyOf(key, ctx.new_key()) for key in request.object_keys]

    def work(unit: Unit) -> tuple[CopyResult, Space]:
        copied = unit.copies.copy(account_id, copies, request.parent_object_key, now, created_by=caller.first_name)
        if copied.needs_dates:
            unit.outbox.put(READ_DATES, str(account_id), b"", now)
        return copied, space_of(unit, caller, now)

    copied, space = ctx.write_as(caller, work)
    if copied.needs_dates:
        ctx.job_notifier.notify()
    made: list[wire.CopiedObject] = []
    refused: list[wire.UnprocessedEntry] = []
    for key, outcome in zip(request.object_keys, copied.outcomes, strict=True):
        if isinstance(outcome, StorageError):
            refused.append(unprocessed(key, outcome))
        else:
            made.append(wire.CopiedObject(source_key=key, object=wire_object(outcome, origin)))
    return wire.CopyAnswer(
        objects=made, unprocessed=refused, used_space=space.used, is_upload_allowed=space.is_upload_allowed
    )


def set_executable(
    ctx: ServiceContext, caller: Caller, request: wire.ExecutableRequest, origin: str
) -> wire.ExecutableAnswer:
    """Say of files whether they may be run as programs; each succeeds or fails separately."""
    now, keys = ctx.clock.now(), list(dict.fromkeys(map(str.upper, request.object_keys)))
    changes = [tree.SetExecutable(key, request.is_executable) for key in keys if is_key(key)]
    outcomes = ctx.write_as(caller, lambda unit: unit.tree.apply(caller.account_id, changes, now))
    refused = [unprocessed(key, ServiceError(codes.OBJECT_NOT_FOUND)) for key in keys if not is_key(key)]
    changed: list[CloudObject] = []
    for change, outcome in zip(changes, outcomes, strict=True):
        if isinstance(outcome, StorageError):
            refused.append(unprocessed(change.object_key, outcome))
        else:
            changed.append(wire_object(outcome, origin))
    return wire.ExecutableAnswer(objects=changed, unprocessed=refused)
