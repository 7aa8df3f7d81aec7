"""Looking back: changes, objects and folders as they were, and differences between two moments."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple
from unicodedata import normalize

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.files.downloads import Original
from skyshelf.service.pages import packed_cursor, projected, unpacked_cursor
from skyshelf.service.retention import history_days
from skyshelf.storage.errors import ObjectMissing
from skyshelf.storage.metadata.contracts.tree import Page, StoredObject
from skyshelf.storage.metadata.history import contract as past
from skyshelf.storage.metadata.history.rewinds import ACTOR as REWIND_ACTOR
from skyshelf.storage.metadata.history.rewinds import COMMAND
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.wire_cache import wire_object
from skyshelf.wire.keys import is_key
from skyshelf.wire.names import order_key
from skyshelf.wire.resources import history as wire

_AMONG: Final = 5000
"""Maximum number of changes examined per page."""
_LINK: Final = "link"


def history(ctx: ServiceContext, caller: Caller, query: wire.HistoryQuery) -> wire.HistoryPage:
    before = None if query.cursor is None else _numbers(query.cursor, 1)[0]
    wanted = past.EntryFilter(
        object_key=query.object_key,
        since=query.since,
        until=query.until,
        kinds=[] if query.kind is None else [query.kind],
        actor=actor_of(query.device_key, query.session),
        below=query.folder_key,
    )
    account_id = caller.account_id
    with ctx.metadata.snapshot() as unit:
        bounds = unit.history.bounds(account_id)
        for key in {query.object_key, query.folder_key} - {None}:
            check_known(unit, account_id, str(key), bounds)
        page = unit.history.entries(account_id, wanted, limit=query.limit, among=_AMONG, before=before)
        oldest = oldest_date(unit, account_id, bounds)
        names = {device.device_key: device.device_name for device in unit.devices.of_account(account_id)}
    return wire.HistoryPage(
        entries=[entry_of(one, names) for one in page.found],
        oldest_date=oldest,
        days=history_days(ctx, bounds),
        next_cursor=None if page.next is None else str(page.next),
    )


def check_known(unit: Unit, account_id: int, object_key: str, bounds: past.HistoryBounds) -> None:
    """ObjectMissing for an object that the account neither has, nor had while history was kept."""
    if any(unit.history.at(account_id, seq).object(object_key) for seq in (bounds.newest, bounds.oldest)):
        return
    wanted = past.EntryFilter(object_key=object_key)
    if not unit.history.entries(account_id, wanted, limit=1, among=1).found:
        raise ObjectMissing("no such object")


def actor_of(device_key: str | None, session: str | None) -> str | None:
    """Return the actor by which changes are filtered; None for all."""
    return None if device_key is None and session is None else f"{device_key or ''}/{session or ''}"


class Actor(NamedTuple):
    """The author of a change: a session of a device, somebody with a link, a rewind, or the service itself."""

    device_key: str | None
    device_name: str | None
    session_id: str | None
    share_key: str | None
    rewind_key: str | None = None

    @classmethod
    def of(cls, actor: str, device_names: Mapping[str, str]) -> "Actor":
        device, _, session = actor.partition("/")
        if device == _LINK:
            return cls(None, None, None, session)
        if device == REWIND_ACTOR:
            return cls(None, None, None, None, session)
        if device == COMMAND:
            return cls(None, f"skyshelf admin {session}", None, None)
        return cls(device or None, device_names.get(device), session or None, None)


def entry_of(entry: past.Entry, device_names: Mapping[str, str]) -> wire.HistoryEntry:
    """Return a change as history shows it."""
    side = entry.before or entry.after
    return wire.HistoryEntry(
        number=entry.seq,
        date=entry.at,
        kind=entry.kind,
        object_key=None if entry.kind == "emptied" else entry.object_key,
        is_folder=None if side is None else side.is_folder,
        before=state(entry.before),
        after=state(entry.after),
        **Actor.of(entry.actor, device_names)._asdict(),
    )


def state(stored: StoredObject | None) -> wire.PastState | None:
    """Return an object as history shows it."""
    if stored is None:
        return None
    return wire.PastState(
        object_name=stored.name,
        parent_object_key=stored.parent_key,
        status=stored.status,
        is_favorite=stored.is_favorite,
        is_executable=stored.is_executable or None,
        version=None if stored.is_folder else stored.version,
        size_in_bytes=None if stored.is_folder else stored.size,
        hash=stored.md5,
    )


# A moment


def past_folder(
    ctx: ServiceContext, caller: Caller, object_key: str, query: wire.PastFolderQuery, origin: str
) -> wire.PastFolder:
    """Return a page of a folder's former contents."""
    after = None if query.cursor is None else _place(query.cursor)
    with ctx.metadata.snapshot() as unit:
        seq = moment(unit, caller, query.at, ctx.clock.now())
        way = unit.history.at(caller.account_id, seq).visible(object_key)
        if way is None:
            raise ObjectMissing("no such object")
        if not way[-1].is_folder:
            raise ServiceError(codes.FOLDER_EXPECTED)
        if query.name is None:
            page = unit.history.at(caller.account_id, seq).children(object_key, limit=query.limit, after=after)
        else:
            page = _named(unit, way, seq, normalize("NFC", query.name), after)
    objects, place = page.found, page.next
    next_cursor = None if place is None else packed_cursor([place.source, place.value.hex(), place.key])
    if after is None and page.next is None:
        objects = sorted(objects, key=lambda one: (not one.is_folder, order_key(one.name), one.object_key))
    return wire.PastFolder(objects=[wire_object(one, origin) for one in objects], next_cursor=next_cursor)


def _named(
    unit: Unit, way: Sequence[StoredObject], seq: int, name: str, after: past.PastPlace | None
) -> Page[StoredObject, past.PastPlace]:
    """Return the object with that name, or where to continue: objects that changed since are not ordered by name."""
    account_id, folder_key = way[-1].account_id, way[-1].object_key
    if after is None:
        found = unit.history.at(account_id, seq).unchanged_child(folder_key, name)
        if found is not None:
            return Page([found], None)
        after = past.PastPlace("changed", b"", "")
    page = unit.history.at(account_id, seq).children(folder_key, limit=_AMONG, after=after)
    named = [one for one in page.found if one.name == name]
    return Page(named, None if named else page.next)


def past_original(ctx: ServiceContext, caller: Caller, object_key: str, at: int) -> Original:
    """Return the content that a file had; VERSION_NOT_FOUND if its bytes are gone."""
    with ctx.metadata.snapshot() as unit:
        seq = moment(unit, caller, at, ctx.clock.now())
        way = unit.history.at(caller.account_id, seq).visible(object_key)
        if way is None:
            raise ObjectMissing("no such object")
        stored = way[-1]
        if stored.is_folder or stored.sha256 is None or stored.md5 is None:
            raise ServiceError(codes.FILE_EXPECTED)
        place = unit.history.content(stored.sha256)
    if place is None:
        raise ServiceError(codes.VERSION_NOT_FOUND)
    mime = f"{stored.mime_type}/{stored.mime_subtype}"
    modified_at = stored.last_modified_at
    return projected(
        Original, stored, mime=mime, location=place.location, modified_at=modified_at, has_unique_date=False
    )


def moment(unit: Unit, caller: Caller, at: int, now: int) -> int:
    """Return the number of the last change up to a time; HISTORY_NOT_KEPT for a time before history begins."""
    account_id = caller.account_id
    bounds = unit.history.bounds(account_id, even_forgotten=caller.is_command)
    if at >= now:
        return bounds.newest
    seq = unit.history.moment(account_id, at)
    if seq < bounds.oldest or (0 < seq == bounds.oldest and not _has_happened(unit, account_id, seq, at)):
        raise ServiceError(codes.HISTORY_NOT_KEPT)
    return seq


def _has_happened(unit: Unit, account_id: int, seq: int, at: int) -> bool:
    """Return whether a change is known to be no later than a time; nothing is known of one that is no longer kept."""
    found = unit.changes.at(account_id, seq)
    return found is not None and found <= at


def oldest_date(unit: Unit, account_id: int, bounds: past.HistoryBounds) -> int | None:
    """Return the time of the oldest moment that history covers."""
    return unit.changes.at(account_id, bounds.oldest) or unit.changes.at(account_id, bounds.oldest + 1)


# Cursors


def _numbers(cursor: str, count: int) -> list[int]:
    parts = cursor.split("-")
    if len(parts) != count or not all(part.isascii() and part.isdigit() and len(part) <= 18 for part in parts):
        raise ServiceError(codes.BAD_CURSOR)
    return [int(part) for part in parts]


def _place(cursor: str) -> past.PastPlace:
    source, value, key = unpacked_cursor(cursor, tuple[str, str, str])
    try:
        place = past.PastPlace(source, bytes.fromhex(value), key)
    except ValueError as wrong:
        raise ServiceError(codes.BAD_CURSOR) from wrong
    is_sound = {
        "here": (is_key(key) and bool(value)) or (not key and not value),
        "changed": not key and len(place.value) in (0, 8) and not place.value[:1] > b"\x7f",
        "purged": not value and (not key or is_key(key)),
    }.get(source, False)
    if not is_sound:
        raise ServiceError(codes.BAD_CURSOR)
    return place


# Differences between two moments, and single objects as they were


def past_object(
    ctx: ServiceContext, caller: Caller, object_key: str, query: wire.PastFileQuery, origin: str
) -> wire.PastObject:
    """Return a file or folder as it was, and its path then."""
    with ctx.metadata.snapshot() as unit:
        seq = moment(unit, caller, query.at, ctx.clock.now())
        placed = unit.history.at(caller.account_id, seq).placed([object_key]).get(object_key)
    if placed is None:
        raise ObjectMissing("no such object")
    return wire.PastObject(object=wire_object(placed.object, origin), path=_path(placed))


def differences(ctx: ServiceContext, caller: Caller, query: wire.DifferencesQuery) -> wire.HistoryDifferences:
    """Return a page of differences. The moments of the first page apply to all pages."""
    account_id = caller.account_id
    with ctx.metadata.snapshot() as unit:
        bounds = unit.history.bounds(account_id)
        if query.folder_key is not None:
            check_known(unit, account_id, query.folder_key, bounds)
        since, until, after = _moments(ctx, unit, caller, query)
        if since < bounds.oldest:
            raise ServiceError(codes.HISTORY_NOT_KEPT)
        below = None if query.folder_key == caller.root_key else query.folder_key
        page = unit.history.differences(
            account_id, (since, min(until, bounds.newest)), after, below=below, limit=query.limit, among=_AMONG
        )
        names = {device.device_key: device.device_name for device in unit.devices.of_account(account_id)}
    return wire.HistoryDifferences(
        differences=[_difference(one, names) for one in page.found],
        next_cursor=None if page.next is None else f"{since}-{until}-{page.next}",
    )


def _moments(ctx: ServiceContext, unit: Unit, caller: Caller, query: wire.DifferencesQuery) -> tuple[int, int, int]:
    """Return the two moments, and the change after which the page begins."""
    if query.cursor is not None:
        since, until, after = _numbers(query.cursor, 3)
        if not since <= after <= until:
            raise ServiceError(codes.BAD_CURSOR)
        return since, until, after
    now = ctx.clock.now()
    since = moment(unit, caller, query.since, now)
    until = moment(unit, caller, now if query.until is None else max(query.since, query.until), now)
    return since, until, since


def _difference(one: past.Difference, device_names: dict[str, str]) -> wire.HistoryDifference:
    side = one.after or one.before
    return wire.HistoryDifference(
        object_key=one.object_key,
        is_folder=side is not None and side.object.is_folder,
        kinds=_kinds(one.before, one.after),
        before=None if one.before is None else state(one.before.object),
        before_path=None if one.before is None else _path(one.before),
        after=None if one.after is None else state(one.after.object),
        after_path=None if one.after is None else _path(one.after),
        date=one.at,
        **Actor.of(one.actor, device_names)._asdict(),
    )


def _kinds(before: past.PlacedObject | None, after: past.PlacedObject | None) -> list[str]:
    if before is None:
        return ["added"]
    if after is None:
        return ["removed"]
    was, became = before.object, after.object
    differs = {
        "moved": was.parent_key != became.parent_key,
        "renamed": was.name != became.name,
        "content": was.sha256 != became.sha256,
        "favorite": was.is_favorite != became.is_favorite,
        "executable": was.is_executable != became.is_executable,
    }
    return [kind for kind, is_different in differs.items() if is_different]


def _path(placed: past.PlacedObject) -> str:
    return f"/{'/'.join(placed.names)}"
