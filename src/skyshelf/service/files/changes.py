"""The change feed: changes since a cursor, and a listing of everything to start from."""

import re
from typing import Final

from msgspec.structs import replace

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.pages import encode_response, raw_objects
from skyshelf.storage.identity import epoch_of, epoch_start
from skyshelf.storage.metadata.contracts.changes import EMPTIED
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.keys import is_key
from skyshelf.wire.limits import OBJECT_CHANGES_AMONG, OBJECT_CHANGES_MAX
from skyshelf.wire.resources import changes as wire

# The number and time of a change. After a restore from a backup, numbers are used again, and an old cursor must not
# pass for a new one.
_CURSOR: Final = re.compile(r"c(\d{1,18})-(\d{1,18})", re.ASCII)
_PAGE: Final = re.compile(r"e([0-9A-F]{32})-(.+)", re.ASCII)


def changes(ctx: ServiceContext, caller: Caller, query: wire.ChangesQuery, origin: str) -> bytes:
    """Return the changes since the cursor, as JSON; without a cursor, only the current cursor."""
    with ctx.metadata.snapshot() as unit:
        if query.cursor is None:
            cursor = current_cursor(unit, caller.account_id)
            page = wire.ChangesPage(changes=[], objects=[], cursor=cursor, has_more=False, epoch=epoch_of(unit))
        else:
            page = _in_epoch(unit, _page(unit, caller.account_id, query.cursor, query.limit))
    return encode_response(page, origin)


def everything(ctx: ServiceContext, caller: Caller, query: wire.ChangesQuery, origin: str) -> bytes:
    """Return a page of all objects in the account, as JSON."""
    after, since = (None, None) if query.cursor is None else _decode_page_cursor(query.cursor)
    with ctx.metadata.snapshot() as unit:
        since = since or current_cursor(unit, caller.account_id)
        found = unit.changes.everything(caller.account_id, after=after, limit=query.limit)
        epoch_now = epoch_of(unit)
    next_cursor = f"e{found[-1][0]}-{since}" if len(found) == query.limit else None
    page = wire.Everything(
        objects=raw_objects([encoded for _, encoded in found]),
        next_cursor=next_cursor,
        changes_cursor=since,
        epoch=epoch_now,
    )
    return encode_response(page, origin)


def epoch(ctx: ServiceContext, caller: Caller, query: wire.EpochQuery) -> wire.ServerEpoch:
    """Return the epoch of the data, how it began, and whether a cursor belongs to this history."""
    with ctx.metadata.snapshot() as unit:
        start = epoch_start(unit)
        return wire.ServerEpoch(
            epoch=epoch_of(unit),
            cursor=current_cursor(unit, caller.account_id),
            is_cursor_known=None if query.cursor is None else _is_known(unit, caller.account_id, query.cursor),
            reason=None if start is None else start.reason,
            date=None if start is None else start.at,
            state_date=None if start is None else start.state_at,
            keeps_executable=True,
        )


def object_changes(ctx: ServiceContext, caller: Caller, object_key: str) -> wire.ObjectChanges:
    with ctx.metadata.snapshot() as unit:
        unit.tree.visible(caller.account_id, object_key)
        found = unit.changes.of_object(
            caller.account_id, object_key, among=OBJECT_CHANGES_AMONG, limit=OBJECT_CHANGES_MAX
        )
    return wire.ObjectChanges(
        changes=[wire.Change(kind=change.kind, object_key=change.object_key, date=change.at) for change in found]
    )


def start_of_stream(ctx: ServiceContext, caller: Caller, cursor: str | None) -> str:
    """Return the cursor at which a stream begins: the given one if it is still valid, else the current one."""
    with ctx.metadata.snapshot() as unit:
        if cursor is None:
            return current_cursor(unit, caller.account_id)
        _checked_seq(unit, caller.account_id, cursor)
        return cursor


def next_event(ctx: ServiceContext, account_id: int, cursor: str, limit: int, origin: str) -> tuple[str, bytes] | None:
    """Return the next cursor and the changes up to it, as JSON without line breaks; None if there are none."""
    with ctx.metadata.snapshot() as unit:
        page = _page(unit, account_id, cursor, limit)
        if not page.changes:
            return None
        page = _in_epoch(unit, page)
    assert page.cursor is not None
    return page.cursor, encode_response(page, origin)


def newest(ctx: ServiceContext, account_ids: list[int]) -> dict[int, int]:
    """Return the number of the newest change of each account, to see whether there is anything new."""
    with ctx.metadata.read() as unit:
        return unit.changes.newest_of(account_ids)


def current_cursor(unit: Unit, account_id: int) -> str:
    """Return the cursor after the newest change."""
    seq = unit.changes.newest(account_id)
    return f"c{seq}-{unit.changes.at(account_id, seq) or 0}"


def _page(unit: Unit, account_id: int, cursor: str, limit: int) -> wire.ChangesPage:
    seq = _checked_seq(unit, account_id, cursor)
    found = unit.changes.since(account_id, seq, limit + 1)
    more, found = len(found) > limit, found[:limit]
    # An emptied trash names no objects.
    keys = [change.object_key for change in found if change.kind != EMPTIED]
    return wire.ChangesPage(
        changes=[
            wire.Change(kind=one.kind, object_key=None if one.kind == EMPTIED else one.object_key, date=one.at)
            for one in found
        ],
        objects=raw_objects(unit.changes.objects(account_id, keys)),
        cursor=f"c{found[-1].seq}-{found[-1].at}" if found else cursor,
        has_more=more,
    )


def _in_epoch(unit: Unit, page: wire.ChangesPage) -> wire.ChangesPage:
    return replace(page, epoch=epoch_of(unit))


def _checked_seq(unit: Unit, account_id: int, cursor: str) -> int:
    """Return the number in a cursor; CURSOR_TOO_OLD if some of the following changes are gone."""
    seq = int(_parts(cursor)[1])
    if seq < unit.changes.oldest(account_id) - 1 or not _is_known(unit, account_id, cursor):
        raise ServiceError(codes.CURSOR_TOO_OLD)
    return seq


def _is_known(unit: Unit, account_id: int, cursor: str) -> bool:
    """Whether the change in a cursor is one of the account's, or so old that its time is no longer kept."""
    parts = _parts(cursor)
    seq, at = int(parts[1]), int(parts[2])
    known_at = unit.changes.at(account_id, seq)
    return seq <= unit.changes.newest(account_id) and (known_at is None or at in (known_at, 0))


def _parts(cursor: str) -> re.Match[str]:
    parts = _CURSOR.fullmatch(cursor)
    if parts is None:
        raise ServiceError(codes.BAD_CURSOR)
    return parts


def _decode_page_cursor(cursor: str) -> tuple[str, str]:
    parts = _PAGE.fullmatch(cursor)
    if parts is None or not is_key(parts[1]) or _CURSOR.fullmatch(parts[2]) is None:
        raise ServiceError(codes.BAD_CURSOR)
    return parts[1], parts[2]


def is_session_open(ctx: ServiceContext, caller: Caller) -> bool:
    """Whether a stream's session is still open: a stream must not outlive a logout."""
    with ctx.metadata.read() as unit:
        return unit.sessions.find(caller.session_hash, ctx.clock.now()) is not None
