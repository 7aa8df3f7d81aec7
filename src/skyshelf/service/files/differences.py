"""What is different between two moments, and single objects as they were."""

from typing import Final

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.history import Actor, check_known, moment, state
from skyshelf.storage.errors import ObjectMissing
from skyshelf.storage.metadata.history.contract import Difference, PlacedObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.wire_cache import wire_object
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.history import (
    DifferencesQuery,
    HistoryDifference,
    HistoryDifferences,
    PastFileQuery,
    PastObject,
)

_AMONG: Final = 5000
"""Changes that one page looks through."""


def past_object(ctx: ServiceContext, caller: Caller, object_key: str, query: PastFileQuery, origin: str) -> PastObject:
    """A file or folder as it was, and its path then."""
    with ctx.metadata.snapshot() as unit:
        seq = moment(unit, caller.account_id, query.at, ctx.clock.now())
        placed = unit.history.placed(caller.account_id, [object_key], seq).get(object_key)
    if placed is None:
        raise ObjectMissing("no such object")
    return PastObject(object=wire_object(placed.object, origin), path=_path(placed))


def differences(ctx: ServiceContext, caller: Caller, query: DifferencesQuery) -> HistoryDifferences:
    """A page of what is different. The moments of the first page are those of all pages."""
    account_id = caller.account_id
    with ctx.metadata.snapshot() as unit:
        bounds = unit.history.bounds(account_id)
        if query.folder_key is not None:
            check_known(unit, account_id, query.folder_key, bounds)
        since, until, after = _moments(ctx, unit, account_id, query)
        if since < bounds.oldest:
            raise ServiceError(codes.HISTORY_NOT_KEPT)
        below = None if query.folder_key == caller.root_key else query.folder_key
        page = unit.history.differences(
            account_id, (since, min(until, bounds.newest)), after, below=below, limit=query.limit, among=_AMONG
        )
        names = {device.device_key: device.device_name for device in unit.devices.of_account(account_id)}
    return HistoryDifferences(
        differences=[_difference(one, names) for one in page.differences],
        next_cursor=None if page.next is None else f"{since}-{until}-{page.next}",
    )


def _moments(ctx: ServiceContext, unit: Unit, account_id: int, query: DifferencesQuery) -> tuple[int, int, int]:
    """The two moments, and the change after which the page begins."""
    if query.cursor is not None:
        parts = query.cursor.split("-")
        if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) <= 18 for part in parts):
            raise ServiceError(codes.BAD_CURSOR)
        since, until, after = map(int, parts)
        if not since <= after <= until:
            raise ServiceError(codes.BAD_CURSOR)
        return since, until, after
    now = ctx.clock.now()
    since = moment(unit, account_id, query.since, now)
    until = moment(unit, account_id, now if query.until is None else max(query.since, query.until), now)
    return since, until, since


def _difference(one: Difference, device_names: dict[str, str]) -> HistoryDifference:
    actor = Actor.of(one.actor, device_names)
    side = one.after or one.before
    return HistoryDifference(
        object_key=one.object_key,
        is_folder=side is not None and side.object.is_folder,
        kinds=_kinds(one.before, one.after),
        before=None if one.before is None else state(one.before.object),
        before_path=None if one.before is None else _path(one.before),
        after=None if one.after is None else state(one.after.object),
        after_path=None if one.after is None else _path(one.after),
        date=one.at,
        device_key=actor.device_key,
        device_name=actor.device_name,
        session_id=actor.session_id,
        share_key=actor.share_key,
        rewind_key=actor.rewind_key,
    )


def _kinds(before: PlacedObject | None, after: PlacedObject | None) -> list[str]:
    if before is None:
        return ["added"]
    if after is None:
        return ["removed"]
    was, became = before.object, after.object
    differs = {
        "moved": was.parent_key != became.parent_key,
        "renamed": was.name != became.name,
        "content": (was.sha256, was.version) != (became.sha256, became.version),
        "favorite": was.is_favorite != became.is_favorite,
    }
    return [kind for kind, is_different in differs.items() if is_different]


def _path(placed: PlacedObject) -> str:
    return f"/{'/'.join(placed.names)}"
