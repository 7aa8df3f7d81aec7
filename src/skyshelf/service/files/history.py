"""Looking back: what changed, what a folder held at a moment, and what a file's content was."""

import base64
import binascii
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple
from unicodedata import normalize

import msgspec

from skyshelf.service.context import COMMAND, Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.downloads import Original
from skyshelf.service.history_days import history_days
from skyshelf.storage.errors import ObjectMissing
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.history.contract import Entry, EntryFilter, HistoryBounds, PastPage, PastPlace
from skyshelf.storage.metadata.history.rewinds import ACTOR as REWIND_ACTOR
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.wire_cache import wire_object
from skyshelf.wire import error_codes as codes
from skyshelf.wire.keys import is_key
from skyshelf.wire.names import order_key
from skyshelf.wire.resources.history import (
    HistoryEntry,
    HistoryPage,
    HistoryQuery,
    PastFolder,
    PastFolderQuery,
    PastState,
)

_AMONG: Final = 5000
"""Changes that one page looks through."""
_LINK: Final = "link"


def history(ctx: ServiceContext, caller: Caller, query: HistoryQuery) -> HistoryPage:
    """A page of changes."""
    before = None if query.cursor is None else _number(query.cursor)
    has_actor = query.device_key is not None or query.session is not None
    actor = f"{query.device_key or ''}/{query.session or ''}" if has_actor else None
    wanted = EntryFilter(
        object_key=query.object_key,
        since=query.since,
        until=query.until,
        kinds=[] if query.kind is None else [query.kind],
        actor=actor,
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
    return HistoryPage(
        entries=[_entry(one, names) for one in page.entries],
        oldest_date=oldest,
        days=history_days(ctx, bounds),
        next_cursor=None if page.next is None else str(page.next),
    )


def check_known(unit: Unit, account_id: int, object_key: str, bounds: HistoryBounds) -> None:
    """ObjectMissing for an object that the account does not have, and did not have while history was kept."""
    if any(unit.history.object(account_id, object_key, seq) for seq in (bounds.newest, bounds.oldest)):
        return
    wanted = EntryFilter(object_key=object_key)
    if not unit.history.entries(account_id, wanted, limit=1, among=1).entries:
        raise ObjectMissing("no such object")


class Actor(NamedTuple):
    """Who made a change: a session of a device, somebody with a link, a rewind, or the service itself."""

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


def _entry(entry: Entry, device_names: Mapping[str, str]) -> HistoryEntry:
    actor = Actor.of(entry.actor, device_names)
    side = entry.before or entry.after
    return HistoryEntry(
        number=entry.seq,
        date=entry.at,
        kind=entry.kind,
        object_key=None if entry.kind == "emptied" else entry.object_key,
        is_folder=None if side is None else side.is_folder,
        before=state(entry.before),
        after=state(entry.after),
        device_key=actor.device_key,
        device_name=actor.device_name,
        session_id=actor.session_id,
        share_key=actor.share_key,
        rewind_key=actor.rewind_key,
    )


def state(stored: StoredObject | None) -> PastState | None:
    """An object as history shows it."""
    if stored is None:
        return None
    return PastState(
        object_name=stored.name,
        parent_object_key=stored.parent_key,
        status=stored.status,
        is_favorite=stored.is_favorite,
        version=None if stored.is_folder else stored.version,
        size_in_bytes=None if stored.is_folder else stored.size,
        hash=stored.md5,
    )


# A moment


def past_folder(
    ctx: ServiceContext, caller: Caller, object_key: str, query: PastFolderQuery, origin: str
) -> PastFolder:
    """A page of what a folder held."""
    after = None if query.cursor is None else _place(query.cursor)
    with ctx.metadata.snapshot() as unit:
        seq = moment(unit, caller.account_id, query.at, ctx.clock.now())
        way = unit.history.visible(caller.account_id, object_key, seq)
        if way is None:
            raise ObjectMissing("no such object")
        if not way[-1].is_folder:
            raise ServiceError(codes.FOLDER_EXPECTED)
        if query.name is None:
            page = unit.history.children(caller.account_id, object_key, seq, limit=query.limit, after=after)
        else:
            page = _named(unit, way, seq, normalize("NFC", query.name), after)
    objects = page.objects
    if after is None and page.next is None:
        objects = sorted(objects, key=lambda one: (not one.is_folder, order_key(one.name), one.object_key))
    return PastFolder(
        objects=[wire_object(one, origin) for one in objects],
        next_cursor=None if page.next is None else _cursor(page.next),
    )


def _named(unit: Unit, way: Sequence[StoredObject], seq: int, name: str, after: PastPlace | None) -> PastPage:
    """The object of that name, or where to go on looking for it: what has changed since is in no order of names."""
    account_id, folder_key = way[-1].account_id, way[-1].object_key
    if after is None:
        found = unit.history.unchanged_child(account_id, folder_key, name, seq)
        if found is not None:
            return PastPage([found], None)
        after = PastPlace("changed", b"", "")
    page = unit.history.children(account_id, folder_key, seq, limit=_AMONG, after=after)
    named = [one for one in page.objects if one.name == name]
    return PastPage(named, None if named else page.next)


def past_original(ctx: ServiceContext, caller: Caller, object_key: str, at: int) -> Original:
    """The content that a file had; VERSION_NOT_FOUND when its bytes are gone."""
    with ctx.metadata.snapshot() as unit:
        seq = moment(unit, caller.account_id, at, ctx.clock.now())
        way = unit.history.visible(caller.account_id, object_key, seq)
        if way is None:
            raise ObjectMissing("no such object")
        stored = way[-1]
        if stored.is_folder or stored.sha256 is None or stored.md5 is None:
            raise ServiceError(codes.FILE_EXPECTED)
        place = unit.history.content(stored.sha256)
    if place is None:
        raise ServiceError(codes.VERSION_NOT_FOUND)
    return Original(
        account_id=caller.account_id,
        name=stored.name,
        mime=f"{stored.mime_type}/{stored.mime_subtype}",
        size=stored.size,
        md5=stored.md5,
        location=place.location,
        sha256=stored.sha256,
        modified_at=stored.last_modified_at,
        arrived_at=stored.arrived_at,
        has_unique_date=False,
    )


def moment(unit: Unit, account_id: int, at: int, now: int) -> int:
    """The last change up to a time; HISTORY_NOT_KEPT for a time before history begins."""
    bounds = unit.history.bounds(account_id)
    if at >= now:
        return bounds.newest
    seq = unit.history.moment(account_id, at)
    if seq < bounds.oldest:
        raise ServiceError(codes.HISTORY_NOT_KEPT)
    return seq


def oldest_date(unit: Unit, account_id: int, bounds: HistoryBounds) -> int | None:
    """The time of the oldest moment that can be looked at."""
    return unit.changes.at(account_id, bounds.oldest) or unit.changes.at(account_id, bounds.oldest + 1)


# Cursors


def _number(cursor: str) -> int:
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 18:
        raise ServiceError(codes.BAD_CURSOR)
    return int(cursor)


def _cursor(place: PastPlace) -> str:
    encoded = msgspec.json.encode([place.source, place.value.hex(), place.key])
    return base64.urlsafe_b64encode(encoded).decode().rstrip("=")


def _place(cursor: str) -> PastPlace:
    try:
        padded = base64.b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True)
        source, value, key = msgspec.json.decode(padded, type=tuple[str, str, str])
        place = PastPlace(source, bytes.fromhex(value), key)
    except (msgspec.MsgspecError, binascii.Error, ValueError) as wrong:
        raise ServiceError(codes.BAD_CURSOR) from wrong
    is_sound = {
        "here": (is_key(key) and bool(value)) or (not key and not value),
        "changed": not key and len(place.value) in (0, 8) and not place.value[:1] > b"\x7f",
        "purged": not value and (not key or is_key(key)),
    }.get(source, False)
    if not is_sound:
        raise ServiceError(codes.BAD_CURSOR)
    return place
