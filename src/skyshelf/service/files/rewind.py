"""Rewinds: what one would do, starting one, and how far it is. The job is in jobs/rewind.py."""

import base64
import binascii
from typing import Final

import msgspec

from skyshelf.service.audit import kinds
from skyshelf.service.audit.events import new_event
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.history import moment, state
from skyshelf.storage.errors import Missing, ObjectMissing
from skyshelf.storage.metadata.history.rewinds import (
    ACTIVE_STATES,
    ACTOR,
    PLANNING,
    REFUSED,
    Counts,
    Place,
    Planned,
    PlanPlace,
    Problem,
    Scope,
    StoredRewind,
)
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.keys import clean_key, is_key
from skyshelf.wire.resources.past.rewind import (
    Rewind,
    RewindCounts,
    RewindItem,
    RewindPlan,
    RewindPlanRequest,
    RewindProblems,
    RewindProblemsQuery,
    RewindRequest,
    Rewinds,
)

REWIND: Final = "rewind"
"""The kind of the job."""
_KEPT: Final = 100
"""Rewinds of an account that are listed."""
_SOURCES: Final = frozenset({"way", "changed", "purged", "tagged"})
_COUNTED: Final = ("restored", "moved", "renamed", "content", "favorite", "tags", "albums", "links", "trashed")


def plan_rewind(ctx: ServiceContext, caller: Caller, request: RewindPlanRequest) -> RewindPlan:
    """A page of what a rewind would do."""
    now, account_id = ctx.clock.now(), caller.account_id
    place, fixed = (None, None) if request.cursor is None else _place(request.cursor)
    with ctx.metadata.snapshot() as unit:
        scope = _scope(unit, caller, request, now)
        if fixed is not None:
            bounds = unit.history.bounds(account_id)
            if not bounds.oldest <= fixed[0] <= fixed[1] <= bounds.newest:
                raise ServiceError(codes.BAD_CURSOR)
            scope = msgspec.structs.replace(scope, seq=fixed[0], upto=fixed[1])
        page = unit.rewinds.plan(account_id, scope, limit=request.limit, after=place)
        quota = unit.quotas.get(account_id, now)
    return RewindPlan(
        items=[_item(one) for one in page.items],
        counts=_planned_counts(page.items),
        size_in_bytes=sum(one.size for one in page.items),
        free_in_bytes=max(0, quota.allocated - quota.used - quota.reserved),
        number=scope.seq,
        next_cursor=None if page.next is None else _cursor(page.next, scope),
    )


def start_rewind(ctx: ServiceContext, caller: Caller, request: RewindRequest) -> Rewind:
    """Start a rewind."""
    now, key = ctx.clock.now(), ctx.new_key()
    event = new_event(ctx, kinds.REWIND_STARTED, caller, object_key=request.folder_key or "", rewind=key)

    def work(unit: Unit) -> StoredRewind:
        scope = _scope(unit, caller, request, now)
        _refuse_paused(unit, caller, scope)
        rewind = _new(key, caller, scope, now)
        _add(unit, rewind, now)
        unit.audit.add([event])
        return rewind

    started = ctx.metadata.write(work)
    ctx.job_notifier.notify()
    return _wire(started)


def undo_rewind(ctx: ServiceContext, caller: Caller, rewind_key: str) -> Rewind:
    """Undo what a rewind has done."""
    now, key = ctx.clock.now(), ctx.new_key()
    event = new_event(ctx, kinds.REWIND_STARTED, caller, rewind=key, undone=rewind_key)

    def work(unit: Unit) -> StoredRewind:
        undone = _get(unit, caller, rewind_key)
        if undone.state in ACTIVE_STATES:
            raise ServiceError(codes.REWIND_RUNNING)
        bounds = unit.history.bounds(caller.account_id)
        if undone.scope.upto < bounds.oldest:
            raise ServiceError(codes.HISTORY_NOT_KEPT)
        # What it did to tags and albums may have the time of its start.
        scope = Scope(seq=undone.scope.upto, at=undone.created_at - 1, upto=bounds.newest, actor=undone.actor)
        _refuse_paused(unit, caller, scope)
        rewind = _new(key, caller, scope, now, undo_of=rewind_key)
        _add(unit, rewind, now)
        unit.audit.add([event])
        return rewind

    started = ctx.metadata.write(work)
    ctx.job_notifier.notify()
    return _wire(started)


def rewinds(ctx: ServiceContext, caller: Caller) -> Rewinds:
    """The latest rewinds."""
    with ctx.metadata.read() as unit:
        found = unit.rewinds.latest(caller.account_id, _KEPT)
    return Rewinds(rewinds=[_wire(one) for one in found])


def rewind(ctx: ServiceContext, caller: Caller, rewind_key: str) -> Rewind:
    """A rewind and how far it is."""
    with ctx.metadata.read() as unit:
        return _wire(_get(unit, caller, rewind_key))


def rewind_problems(ctx: ServiceContext, caller: Caller, rewind_key: str, query: RewindProblemsQuery) -> RewindProblems:
    """What a rewind could not undo."""
    after = query.cursor or ""
    if after and not is_key(after):
        raise ServiceError(codes.BAD_CURSOR)
    with ctx.metadata.snapshot() as unit:
        _get(unit, caller, rewind_key)
        found = unit.rewinds.problems(
            caller.account_id, rewind_key, limit=query.limit, after=clean_key(after) if after else ""
        )
    return RewindProblems(
        items=[_problem(one) for one in found],
        next_cursor=found[-1].object_key if len(found) == query.limit else None,
    )


def cancel_rewind(ctx: ServiceContext, caller: Caller, rewind_key: str) -> Rewind:
    """Stop a rewind; what it has done stays."""
    now = ctx.clock.now()

    def work(unit: Unit) -> StoredRewind:
        _get(unit, caller, rewind_key)
        return unit.rewinds.cancel(caller.account_id, rewind_key, now)

    return _wire(ctx.metadata.write(work))


# Scopes


def _scope(unit: Unit, caller: Caller, request: RewindRequest, now: int) -> Scope:
    account_id = caller.account_id
    bounds = unit.history.bounds(account_id)
    if request.to_number is not None:
        seq = request.to_number
        if seq < bounds.oldest:
            raise ServiceError(codes.HISTORY_NOT_KEPT)
        seq = min(seq, bounds.newest)
        at = unit.changes.at(account_id, seq) or 0
    else:
        at = request.to or 0
        seq = moment(unit, account_id, at, now)
    folder = None if request.folder_key == caller.root_key else request.folder_key
    if folder is not None:
        _check_folder(unit, account_id, folder, seq)
    return Scope(seq=seq, at=at, upto=bounds.newest, folder_key=folder, actor=_actor(request))


def _actor(request: RewindRequest) -> str:
    if request.device_key is None and request.session is None:
        return ""
    return f"{request.device_key or ''}/{request.session or ''}"


def _check_folder(unit: Unit, account_id: int, folder_key: str, seq: int) -> None:
    """ObjectMissing unless it is a folder that could be seen at the moment, or can be seen now."""
    way = unit.history.visible(account_id, folder_key, seq)
    if way is None:
        unit.tree.visible_folder(account_id, folder_key)
    elif not way[-1].is_folder:
        raise ServiceError(codes.FOLDER_EXPECTED)


def _refuse_paused(unit: Unit, caller: Caller, scope: Scope) -> None:
    """A device that an alarm has paused may undo what it did itself, and nothing else."""
    if not scope.actor.startswith(f"{caller.device_key}/"):
        unit.act_as(caller.actor)
        unit.alarms.refuse_paused(caller.account_id)


# Rows


def _new(key: str, caller: Caller, scope: Scope, now: int, undo_of: str | None = None) -> StoredRewind:
    return StoredRewind(
        rewind_key=key,
        account_id=caller.account_id,
        state=PLANNING,
        scope=scope,
        asked_by=caller.actor,
        undo_of=undo_of,
        created_at=now,
        updated_at=now,
        place=Place(),
        counts=Counts(),
    )


def _add(unit: Unit, rewind: StoredRewind, now: int) -> None:
    if not unit.rewinds.add(rewind, keep=_KEPT):
        raise ServiceError(codes.REWIND_RUNNING)
    unit.outbox.put(REWIND, rewind.rewind_key, b"", now)


def _get(unit: Unit, caller: Caller, rewind_key: str) -> StoredRewind:
    try:
        return unit.rewinds.get(caller.account_id, rewind_key)
    except (Missing, ObjectMissing) as missing:
        raise ServiceError(codes.REWIND_NOT_FOUND) from missing


# Answers


def _wire(rewind: StoredRewind) -> Rewind:
    scope, counts = rewind.scope, rewind.counts
    device, _, session = scope.actor.partition("/")
    is_undo = device == ACTOR
    return Rewind(
        rewind_key=rewind.rewind_key,
        state=rewind.state,
        to=scope.at,
        number=scope.seq,
        folder_key=scope.folder_key,
        device_key=None if is_undo or not device else device,
        session_id=None if is_undo or not session else session,
        undo_of=rewind.undo_of,
        created_date=rewind.created_at,
        updated_date=rewind.updated_at,
        total=counts.total,
        done=counts.done,
        counts=RewindCounts(**{name: getattr(counts, name) for name in (*_COUNTED, "left")}),
        size_in_bytes=counts.size,
        missing_in_bytes=counts.missing if rewind.state == REFUSED else None,
    )


def _item(planned: Planned) -> RewindItem:
    side = planned.current or planned.target
    return RewindItem(
        object_key=planned.object_key,
        is_folder=None if side is None else side.is_folder,
        path=planned.path,
        actions=list(planned.actions),
        current=state(planned.current),
        target=state(planned.target),
        problem=planned.problem or None,
        size_in_bytes=planned.size,
    )


def _problem(problem: Problem) -> RewindItem:
    side = problem.current or problem.target
    return RewindItem(
        object_key=problem.object_key,
        is_folder=None if side is None else side.is_folder,
        current=state(problem.current),
        target=state(problem.target),
        problem=problem.problem,
    )


def _planned_counts(items: list[Planned]) -> RewindCounts:
    found = dict.fromkeys((*_COUNTED, "left"), 0)
    for one in items:
        for name in one.actions:
            found[name] += 1
        found["left"] += bool(one.problem)
    return RewindCounts(**found)


def _cursor(place: PlanPlace, scope: Scope) -> str:
    encoded = msgspec.json.encode([place.source, place.value, place.key, scope.seq, scope.upto])
    return base64.urlsafe_b64encode(encoded).decode().rstrip("=")


def _place(cursor: str) -> tuple[PlanPlace, tuple[int, int]]:
    try:
        padded = base64.b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True)
        source, value, key, seq, upto = msgspec.json.decode(padded, type=tuple[str, int, str, int, int])
    except (msgspec.MsgspecError, binascii.Error, ValueError) as wrong:
        raise ServiceError(codes.BAD_CURSOR) from wrong
    is_sound = source in _SOURCES and (not key or is_key(key)) and all(0 <= one < 1 << 53 for one in (value, seq, upto))
    if not is_sound:
        raise ServiceError(codes.BAD_CURSOR)
    return PlanPlace(source, value, clean_key(key) if key else ""), (seq, upto)
