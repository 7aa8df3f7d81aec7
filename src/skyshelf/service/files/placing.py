"""Placing: objects get a place and a name in one step, and what has that name already goes to the trash.

That is how WebDAV moves and copies. Every step checks its guard in its own transaction.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import about, new_event
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.capture_dates import READ_DATES
from skyshelf.service.files.locks import Guard, HeldLocks
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts.copies import CopyOf
from skyshelf.storage.metadata.contracts.tree import NewFolder, Relocate, Rename, StoredObject, Trash, TreeChange
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import COPIES_MAX, WEBDAV_COPY_MAX


class Spot(NamedTuple):
    """A place for an object: a folder, and a name in it."""

    folder_key: str
    name: str


class Placed(msgspec.Struct, frozen=True):
    object: StoredObject
    replaced: StoredObject | None
    """What was there before, and is in the trash now."""


def make_folder(ctx: ServiceContext, caller: Caller, spot: Spot, guard: Guard) -> StoredObject:
    now, key = ctx.clock.now(), ctx.new_key()

    def work(unit: Unit) -> StoredObject:
        unit.act_as(caller.actor)
        unit.locks.hold_account(caller.account_id)
        guard(unit)
        folder = NewFolder(object_key=key, parent_key=spot.folder_key, name=spot.name)
        return unit.tree.add_folder(caller.account_id, folder, now)

    return ctx.metadata.write(work)


def trash(ctx: ServiceContext, caller: Caller, object_key: str, guard: Guard) -> None:
    """Into the trash; its locks, and those below it, end."""
    now, event = ctx.clock.now(), new_event(ctx, kinds.TRASHED, caller)

    def work(unit: Unit) -> None:
        unit.act_as(caller.actor)
        unit.locks.hold_account(caller.account_id)
        guard(unit)
        _release_at(unit, caller, object_key, now)
        unit.audit.add([about(event, _apply(unit, caller, [Trash(object_key)], now))])

    ctx.metadata.write(work)


def move(ctx: ServiceContext, caller: Caller, object_key: str, spot: Spot, guard: Guard, *, overwrite: bool) -> Placed:
    """Move and rename. A lock stays behind: it is about the place."""
    now, event = ctx.clock.now(), new_event(ctx, kinds.TRASHED, caller)

    def work(unit: Unit) -> Placed:
        unit.act_as(caller.actor)
        unit.locks.hold_account(caller.account_id)
        guard(unit)
        replaced = _occupant(unit, caller, spot, object_key, overwrite=overwrite)
        _release_at(unit, caller, object_key, now)
        changes: list[TreeChange] = [Relocate(object_key, spot.folder_key, spot.name)]
        if replaced is not None:
            _release_at(unit, caller, replaced.object_key, now)
            changes.insert(0, Trash(replaced.object_key))
            unit.audit.add([about(event, [replaced])])
        return Placed(_apply(unit, caller, changes, now)[-1], replaced)

    return ctx.metadata.write(work)


def copy(
    ctx: ServiceContext,
    caller: Caller,
    source: StoredObject,
    spot: Spot,
    guard: Guard,
    *,
    overwrite: bool,
    is_deep: bool,
) -> Placed:
    """Copy an object, and with `is_deep` everything below it; no byte is copied.

    A large tree is copied in several transactions. If one fails, what was copied goes to the trash, and what had been
    there before comes back.
    """
    if source.is_folder and is_deep:
        _refuse_large(ctx, caller, source)
    now, copy_key, event = ctx.clock.now(), ctx.new_key(), new_event(ctx, kinds.TRASHED, caller)

    def work(unit: Unit) -> tuple[Placed, bool]:
        unit.act_as(caller.actor)
        unit.locks.hold_account(caller.account_id)
        guard(unit)
        replaced = _occupant(unit, caller, spot, source.object_key, overwrite=overwrite)
        if replaced is not None:
            _release_at(unit, caller, replaced.object_key, now)
            unit.audit.add([about(event, _apply(unit, caller, [Trash(replaced.object_key)], now))])
        copied, needs_dates = _copy_into(unit, caller, [CopyOf(source.object_key, copy_key)], spot.folder_key, now)
        renamed = (
            _apply(unit, caller, [Rename(copy_key, spot.name)], now)[0] if copied[0].name != spot.name else copied[0]
        )
        return Placed(renamed, replaced), needs_dates

    placed, needs_dates = ctx.metadata.write(work)
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
    """Folder by folder, a few entries at a time; whether some copies wait for their capture date."""
    waiting, needs_dates = [(source_key, copy_key)], False
    while waiting:
        from_key, to_key = waiting.pop()
        for page in _pages(ctx, caller, from_key):
            copies = [CopyOf(one.object_key, ctx.new_key()) for one in page]
            needs_dates |= _copy_page(ctx, caller, copies, to_key)
            waiting += [
                (one.object_key, copy.copy_key) for one, copy in zip(page, copies, strict=True) if one.is_folder
            ]
    return needs_dates


def _copy_page(ctx: ServiceContext, caller: Caller, copies: Sequence[CopyOf], folder_key: str) -> bool:
    now = ctx.clock.now()

    def work(unit: Unit) -> bool:
        unit.act_as(caller.actor)
        return _copy_into(unit, caller, copies, folder_key, now)[1]

    return ctx.metadata.write(work)


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


def _pages(ctx: ServiceContext, caller: Caller, folder_key: str) -> Iterator[list[StoredObject]]:
    last = None
    while True:
        with ctx.metadata.read() as unit:
            page = unit.tree.children(caller.account_id, folder_key, after=last, limit=COPIES_MAX)
        if page:
            yield page
        if len(page) < COPIES_MAX:
            return
        last = page[-1]


def _refuse_large(ctx: ServiceContext, caller: Caller, source: StoredObject) -> None:
    waiting, found = [source.object_key], 0
    while waiting:
        for page in _pages(ctx, caller, waiting.pop()):
            found += len(page)
            if found > WEBDAV_COPY_MAX:
                raise ServiceError(codes.TREE_TOO_LARGE)
            waiting += [one.object_key for one in page if one.is_folder]


def _undo_copy(ctx: ServiceContext, caller: Caller, placed: Placed) -> None:
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        unit.act_as(caller.actor)
        unit.tree.apply(caller.account_id, [Trash(placed.object.object_key)], now)
        if placed.replaced is not None:
            unit.tree.restore(caller.account_id, [placed.replaced.object_key], now)

    ctx.metadata.write(work)


def _occupant(unit: Unit, caller: Caller, spot: Spot, moved_key: str, *, overwrite: bool) -> StoredObject | None:
    """What has the name at that place already, if it may go."""
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
    return _successes(unit.tree.apply(caller.account_id, changes, now))


def _successes(outcomes: Sequence[StoredObject | StorageError]) -> list[StoredObject]:
    """All of them; the first refusal is raised, and undoes the transaction."""
    made = []
    for outcome in outcomes:
        if isinstance(outcome, StorageError):
            raise outcome
        made.append(outcome)
    return made
