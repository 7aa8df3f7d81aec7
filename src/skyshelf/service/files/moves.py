"""Moves and copies as WebDAV makes them: to a folder and a name in one step, replacing what has that name.

A replaced object goes to the trash. Every step checks its guard in its own transaction.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from skyshelf.service.audit import about, kinds, new_event
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.files.capture_dates import READ_DATES
from skyshelf.service.files.locks import Guard, HeldLocks
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.audit_events import AuditEvent
from skyshelf.storage.metadata.contracts.files import CopyOf
from skyshelf.storage.metadata.contracts.tree import NewFolder, Relocate, Rename, StoredObject, Trash, TreeChange
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import COPIES_MAX, WEBDAV_COPY_MAX

T = TypeVar("T")


class Spot(NamedTuple):
    """A destination: a folder, and a name in it."""

    folder_key: str
    name: str


class MoveResult(msgspec.Struct, frozen=True):
    object: StoredObject
    replaced: StoredObject | None
    """The object that had the name before, now in the trash."""


def _guarded(ctx: ServiceContext, caller: Caller, guard: Guard, work: Callable[[Unit], T]) -> T:
    """Run a write that its guard permits, while the account is held."""

    def guarded(unit: Unit) -> T:
        unit.locks.hold_account(caller.account_id)
        guard(unit)
        return work(unit)

    return ctx.write_as(caller, guarded)


def make_folder(ctx: ServiceContext, caller: Caller, spot: Spot, guard: Guard) -> StoredObject:
    now, folder = ctx.clock.now(), NewFolder(object_key=ctx.new_key(), parent_key=spot.folder_key, name=spot.name)
    return _guarded(ctx, caller, guard, lambda unit: unit.tree.add_folder(caller.account_id, folder, now))


def trash(ctx: ServiceContext, caller: Caller, object_key: str, guard: Guard) -> None:
    """Move an object to the trash; its locks, and those below it, end."""
    now, event = ctx.clock.now(), new_event(ctx, kinds.TRASHED, caller)
    _guarded(ctx, caller, guard, lambda unit: _trash(unit, caller, object_key, now, event))


def _trash(unit: Unit, caller: Caller, object_key: str, now: int, event: AuditEvent) -> None:
    _release_at(unit, caller, object_key, now)
    unit.audit.add([about(event, _apply(unit, caller, [Trash(object_key)], now))])


def move(
    ctx: ServiceContext, caller: Caller, object_key: str, spot: Spot, guard: Guard, *, overwrite: bool
) -> MoveResult:
    """Move and rename an object. Locks do not move with it."""
    now, event = ctx.clock.now(), new_event(ctx, kinds.TRASHED, caller)

    def work(unit: Unit) -> MoveResult:
        replaced = _occupant(unit, caller, spot, object_key, overwrite=overwrite)
        _release_at(unit, caller, object_key, now)
        changes: list[TreeChange] = [Relocate(object_key, spot.folder_key, spot.name)]
        if replaced is not None:
            _release_at(unit, caller, replaced.object_key, now)
            changes.insert(0, Trash(replaced.object_key))
            unit.audit.add([about(event, [replaced])])
        return MoveResult(_apply(unit, caller, changes, now)[-1], replaced)

    return _guarded(ctx, caller, guard, work)


def copy(
    ctx: ServiceContext,
    caller: Caller,
    source: StoredObject,
    spot: Spot,
    guard: Guard,
    *,
    overwrite: bool,
    is_deep: bool,
) -> MoveResult:
    """Copy an object, and with `is_deep` everything below it; no byte is copied.

    A large tree is copied in several transactions. If one fails, the copy goes to the trash, and the object that it
    replaced comes back.
    """
    if source.is_folder and is_deep:
        with ctx.metadata.read() as unit:
            refuse_large(unit, caller.account_id, source.object_key, WEBDAV_COPY_MAX)
    now, copy_key, event = ctx.clock.now(), ctx.new_key(), new_event(ctx, kinds.TRASHED, caller)

    def work(unit: Unit) -> tuple[MoveResult, bool]:
        replaced = _occupant(unit, caller, spot, source.object_key, overwrite=overwrite)
        if replaced is not None:
            _trash(unit, caller, replaced.object_key, now, event)
        [copied], needs_dates = _copy_into(unit, caller, [CopyOf(source.object_key, copy_key)], spot.folder_key, now)
        if copied.name != spot.name:
            [copied] = _apply(unit, caller, [Rename(copy_key, spot.name)], now)
        return MoveResult(copied, replaced), needs_dates

    placed, needs_dates = _guarded(ctx, caller, guard, work)
    if source.is_folder and is_deep:
        try:
            needs_dates |= _copy_below(ctx, caller, source.object_key, placed.object.object_key)
        except BaseException:
            _undo_copy(ctx, caller, placed)
            raise
    if needs_dates:
        ctx.job_notifier.notify()
    return placed


def _copy_below(ctx: ServiceContext, caller: Caller, source_key: str, copy_key: str) -> bool:
    """Copy folder by folder, a few entries at a time; returns whether some copies wait for their capture date."""
    waiting, needs_dates = [(source_key, copy_key)], False
    while waiting:
        from_key, to_key = waiting.pop()
        for page in folder_pages(ctx, caller.account_id, from_key):
            copies = [CopyOf(one.object_key, ctx.new_key()) for one in page]
            needs_dates |= _copy_page(ctx, caller, copies, to_key)
            waiting += [
                (one.object_key, copy.copy_key) for one, copy in zip(page, copies, strict=True) if one.is_folder
            ]
    return needs_dates


def _copy_page(ctx: ServiceContext, caller: Caller, copies: Sequence[CopyOf], folder_key: str) -> bool:
    now = ctx.clock.now()
    return ctx.write_as(caller, lambda unit: _copy_into(unit, caller, copies, folder_key, now)[1])


def _copy_into(
    unit: Unit, caller: Caller, copies: Sequence[CopyOf], folder_key: str, now: int
) -> tuple[list[StoredObject], bool]:
    copied = unit.copies.copy(caller.account_id, copies, folder_key, now, created_by=caller.first_name)
    made = _successes(copied.outcomes)
    if unit.dead_properties.any_of(caller.account_id):
        unit.dead_properties.copy(caller.account_id, [(one.object_key, one.copy_key) for one in copies])
    if copied.needs_dates:
        unit.outbox.put(READ_DATES, str(caller.account_id), b"", now)
    return made, copied.needs_dates


def folder_pages(
    ctx: ServiceContext, account_id: int, folder_key: str, limit: int = COPIES_MAX
) -> Iterator[list[StoredObject]]:
    """Yield the entries of a folder page by page, each in a separate read."""
    last = None
    while True:
        with ctx.metadata.read() as unit:
            page = unit.tree.children(account_id, folder_key, after=last, limit=limit)
        if page:
            yield page
        if len(page) < limit:
            return
        last = page[-1]


def refuse_large(unit: Unit, account_id: int, folder_key: str, most: int) -> None:
    """Raise TREE_TOO_LARGE if more is below a folder."""
    if unit.tree.count_below(account_id, folder_key, most + 1) > most:
        raise ServiceError(codes.TREE_TOO_LARGE)


def _undo_copy(ctx: ServiceContext, caller: Caller, placed: MoveResult) -> None:
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        # Without the caller's leave, which may be why the copy has failed: this only undoes what it did.
        unit.act_as(caller.actor)
        unit.tree.apply(caller.account_id, [Trash(placed.object.object_key)], now)
        if placed.replaced is not None:
            unit.tree.restore(caller.account_id, [placed.replaced.object_key], now)

    ctx.metadata.write(work)


def _occupant(unit: Unit, caller: Caller, spot: Spot, moved_key: str, *, overwrite: bool) -> StoredObject | None:
    """Return the object that has the name already, if it may be replaced."""
    occupant = unit.tree.child_named(caller.account_id, spot.folder_key, spot.name)
    if occupant is None:
        return None
    if occupant.object_key == moved_key:
        raise ServiceError(codes.MOVE_INTO_ITSELF, "Source and destination are the same")
    if not overwrite:
        raise ServiceError(codes.CONDITION_FAILED, "There is something at the destination already")
    above = unit.tree.ancestors(caller.account_id, moved_key)
    if any(folder.object_key == occupant.object_key for folder in above):
        raise ServiceError(codes.MOVE_INTO_ITSELF, "The destination is a folder around the source")
    return occupant


def _release_at(unit: Unit, caller: Caller, object_key: str, now: int) -> None:
    ended = HeldLocks(unit, caller.account_id, now).at_or_below(object_key)
    unit.locks.remove(caller.account_id, [lock.lock_key for lock in ended])


def _apply(unit: Unit, caller: Caller, changes: Sequence[TreeChange], now: int) -> list[StoredObject]:
    return _successes(unit.tree.apply(caller.account_id, changes, now, whole=True))


def _successes(outcomes: Sequence[StoredObject | StorageError]) -> list[StoredObject]:
    """Return all outcomes; the first refusal is raised and undoes the transaction."""
    made = []
    for outcome in outcomes:
        if isinstance(outcome, StorageError):
            raise outcome
        made.append(outcome)
    return made
