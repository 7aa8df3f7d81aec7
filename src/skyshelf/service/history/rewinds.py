"""Rewinds: plans, starting and undoing one, and progress. The job is in jobs/maintenance.py."""

from collections import Counter
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from skyshelf.service.audit import kinds, new_event, recorded
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.history.history import actor_of, moment, state
from skyshelf.service.pages import packed_cursor, projected, unpacked_cursor
from skyshelf.storage.errors import Missing, ObjectMissing
from skyshelf.storage.metadata.history import rewinds as stored
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.keys import clean_key, is_key
from skyshelf.wire.resources import rewind as wire

REWIND: Final = "rewind"
"""The kind of the job."""
_KEPT: Final = 100
"""Number of an account's rewinds that are listed."""
_SOURCES: Final = frozenset({"way", "changed", "purged", "tagged"})
_COUNTED: Final = (
    "restored",
    "moved",
    "renamed",
    "content",
    "favorite",
    "tags",
    "boards",
    "links",
    "others",
    "trashed",
)


def plan_rewind(ctx: ServiceContext, caller: Caller, request: wire.RewindPlanRequest) -> wire.RewindPlan:
    """Return a page of what a rewind would do."""
    now, account_id = ctx.clock.now(), caller.account_id
    place, fixed = (None, None) if request.cursor is None else _place(request.cursor)
    with ctx.metadata.snapshot() as unit:
        scope = _scope(unit, caller, request, now)
        if fixed is not None:
            bounds = unit.history.bounds(account_id, even_forgotten=caller.is_command)
            if not bounds.oldest <= fixed[0] <= fixed[1] <= bounds.newest:
                raise ServiceError(codes.BAD_CURSOR)
            scope = replace(scope, seq=fixed[0], upto=fixed[1])
        page = unit.rewinds.plan(account_id, scope, limit=request.limit, after=place)
        others = 0 if place else unit.rewinds.others(account_id, scope)
        quota = unit.quotas.get(account_id, now)
    return wire.RewindPlan(
        items=[
            replace(_item(one), path=one.path, actions=list(one.actions), size_in_bytes=one.size) for one in page.found
        ],
        counts=_planned_counts(page.found, others),
        size_in_bytes=sum(one.size for one in page.found),
        free_in_bytes=max(0, quota.allocated - quota.used - quota.reserved),
        number=scope.seq,
        next_cursor=None if page.next is None else _cursor(page.next, scope),
    )


def start_rewind(
    ctx: ServiceContext,
    caller: Caller,
    request: wire.RewindRequest,
    admit: Callable[[Unit], None] = lambda _unit: None,
) -> wire.Rewind:
    """Start a rewind, which `admit` may still refuse."""
    now, key = ctx.clock.now(), ctx.new_key()
    event = new_event(ctx, kinds.REWIND_STARTED, caller, object_key=request.folder_key or "", rewind=key)

    def work(unit: Unit) -> stored.StoredRewind:
        admit(unit)
        return _start(unit, caller, key, _scope(unit, caller, request, now), now)

    started = recorded(ctx, work, event)
    ctx.job_notifier.notify()
    return _wire(started)


def undo_rewind(ctx: ServiceContext, caller: Caller, rewind_key: str) -> wire.Rewind:
    """Start a rewind that undoes another."""
    now, key = ctx.clock.now(), ctx.new_key()
    event = new_event(ctx, kinds.REWIND_STARTED, caller, rewind=key, undone=rewind_key)

    def work(unit: Unit) -> stored.StoredRewind:
        undone = _get(unit, caller, rewind_key)
        if undone.state in stored.ACTIVE_STATES:
            raise ServiceError(codes.REWIND_RUNNING)
        bounds = unit.history.bounds(caller.account_id)
        if undone.scope.upto < bounds.oldest:
            raise ServiceError(codes.HISTORY_NOT_KEPT)
        # Its changes of tags and boards may carry the time of its start.
        scope = stored.Scope(seq=undone.scope.upto, at=undone.created_at - 1, upto=bounds.newest, actor=undone.actor)
        return _start(unit, caller, key, scope, now, undo_of=rewind_key)

    started = recorded(ctx, work, event)
    ctx.job_notifier.notify()
    return _wire(started)


def rewinds(ctx: ServiceContext, caller: Caller) -> wire.Rewinds:
    with ctx.metadata.read() as unit:
        found = unit.rewinds.latest(caller.account_id, _KEPT)
    return wire.Rewinds(rewinds=[_wire(one) for one in found])


def rewind(ctx: ServiceContext, caller: Caller, rewind_key: str) -> wire.Rewind:
    """Return a rewind and its progress."""
    with ctx.metadata.read() as unit:
        return _wire(_get(unit, caller, rewind_key))


def rewind_problems(ctx: ServiceContext, caller: Caller, rewind_key: str, query: CursorQuery) -> wire.RewindProblems:
    """Return a page of what a rewind could not undo."""
    after = query.cursor or ""
    if after and not is_key(after):
        raise ServiceError(codes.BAD_CURSOR)
    with ctx.metadata.snapshot() as unit:
        _get(unit, caller, rewind_key)
        after = clean_key(after) if after else ""
        found = unit.rewinds.problems(caller.account_id, rewind_key, limit=query.limit, after=after)
    return wire.RewindProblems(
        items=[_item(one) for one in found], next_cursor=found[-1].object_key if len(found) == query.limit else None
    )


def cancel_rewind(ctx: ServiceContext, caller: Caller, rewind_key: str) -> wire.Rewind:
    """Stop a rewind; what it has done stays."""
    now = ctx.clock.now()

    def work(unit: Unit) -> stored.StoredRewind:
        _get(unit, caller, rewind_key)
        return unit.rewinds.cancel(caller.account_id, rewind_key, now)

    return _wire(ctx.metadata.write(work))


# Scopes


def _scope(unit: Unit, caller: Caller, request: wire.RewindRequest, now: int) -> stored.Scope:
    account_id = caller.account_id
    bounds = unit.history.bounds(account_id, even_forgotten=caller.is_command)
    if request.to_number is not None:
        if request.to_number < bounds.oldest:
            raise ServiceError(codes.HISTORY_NOT_KEPT)
        seq = min(request.to_number, bounds.newest)
        at = unit.changes.at(account_id, seq) or 0
    else:
        at = request.to or 0
        seq = moment(unit, caller, at, now)
    folder = None if request.folder_key == caller.root_key else request.folder_key
    if folder is not None:
        _check_folder(unit, account_id, folder, seq)
    return stored.Scope(
        seq=seq, at=at, upto=bounds.newest, folder_key=folder, actor=actor_of(request.device_key, request.session) or ""
    )


def _check_folder(unit: Unit, account_id: int, folder_key: str, seq: int) -> None:
    """ObjectMissing unless it is a folder that was visible at that moment, or is visible now."""
    way = unit.history.at(account_id, seq).visible(folder_key)
    if way is None:
        unit.tree.visible_folder(account_id, folder_key)
    elif not way[-1].is_folder:
        raise ServiceError(codes.FOLDER_EXPECTED)


# Rows


def _start(
    unit: Unit, caller: Caller, key: str, scope: stored.Scope, now: int, *, undo_of: str | None = None
) -> stored.StoredRewind:
    is_own = scope.actor.startswith(f"{caller.device_key}/")
    if not is_own or scope.at < unit.alarms.paused_since(caller.account_id, caller.device_key) - 1:
        # A device that an alarm has paused may undo what raised it, and nothing else.
        caller.act_in(unit)
        unit.alarms.refuse_paused(caller.account_id)
    rewind = stored.StoredRewind(
        rewind_key=key,
        account_id=caller.account_id,
        state=stored.PLANNING,
        scope=scope,
        asked_by=caller.actor,
        undo_of=undo_of,
        created_at=now,
        updated_at=now,
        place=stored.Place(),
        counts=stored.Counts(),
    )
    if not unit.rewinds.add(rewind, keep=_KEPT):
        raise ServiceError(codes.REWIND_RUNNING)
    unit.outbox.put(REWIND, rewind.rewind_key, b"", now)
    return rewind


def _get(unit: Unit, caller: Caller, rewind_key: str) -> stored.StoredRewind:
    try:
        return unit.rewinds.get(caller.account_id, rewind_key)
    except (Missing, ObjectMissing) as missing:
        raise ServiceError(codes.REWIND_NOT_FOUND) from missing


# Answers


def _wire(rewind: stored.StoredRewind) -> wire.Rewind:
    scope, counts = rewind.scope, rewind.counts
    device, _, session = scope.actor.partition("/")
    is_undo = device == stored.ACTOR
    return projected(
        wire.Rewind,
        rewind,
        to=scope.at,
        number=scope.seq,
        folder_key=scope.folder_key,
        device_key=None if is_undo or not device else device,
        session_id=None if is_undo or not session else session,
        total=counts.total,
        done=counts.done,
        counts=wire.RewindCounts(**{name: getattr(counts, name) for name in (*_COUNTED, "left")}),
        size_in_bytes=counts.size,
        missing_in_bytes=counts.missing if rewind.state == stored.REFUSED else None,
    )


def _item(one: stored.PlannedItem | stored.Problem) -> wire.RewindItem:
    side = one.current or one.target
    return wire.RewindItem(
        object_key=one.object_key,
        is_folder=None if side is None else side.is_folder,
        current=state(one.current),
        target=state(one.target),
        problem=one.problem or None,
    )


def _planned_counts(items: list[stored.PlannedItem], others: int) -> wire.RewindCounts:
    done = Counter(name for one in items for name in one.actions)
    done["others"] = others
    left = sum(bool(one.problem) for one in items)
    return wire.RewindCounts(**{name: done[name] for name in _COUNTED}, left=left)


def _cursor(place: stored.Place, scope: stored.Scope) -> str:
    return packed_cursor([place.source, place.value, place.key, scope.seq, scope.upto])


def _place(cursor: str) -> tuple[stored.Place, tuple[int, int]]:
    source, value, key, seq, upto = unpacked_cursor(cursor, tuple[str, int, str, int, int])
    is_sound = source in _SOURCES and (not key or is_key(key)) and all(0 <= one < 1 << 53 for one in (value, seq, upto))
    if not is_sound:
        raise ServiceError(codes.BAD_CURSOR)
    return stored.Place(source, value, clean_key(key) if key else ""), (seq, upto)
