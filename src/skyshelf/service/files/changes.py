"""Changes: what happened in an account since a cursor, and all it holds to begin from."""

import re
from typing import Final

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.pages import encode_response, raw_objects
from skyshelf.storage.metadata.contracts.changes import EMPTIED
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.keys import is_key
from skyshelf.wire.resources.changes import Change, ChangesPage, ChangesQuery, Everything, EverythingQuery

# The number of a change and when it happened: where a store was put back from a backup, numbers are given again, and
# a cursor from before must not pass for one of the new ones.
_CURSOR: Final = re.compile(r"c(\d{1,18})-(\d{1,18})", re.ASCII)
_PAGE: Final = re.compile(r"e([0-9A-F]{32})-(.+)", re.ASCII)


def changes(ctx: ServiceContext, caller: Caller, query: ChangesQuery, origin: str) -> bytes:
    """What happened since the cursor, as JSON; without a cursor nothing, and the cursor of now."""
    with ctx.metadata.snapshot() as unit:
        if query.cursor is None:
            here = current_cursor(unit, caller.account_id)
            return encode_response(ChangesPage(changes=[], objects=[], cursor=here, has_more=False), origin)
        return encode_response(_page(unit, caller.account_id, query.cursor, query.limit), origin)


def everything(ctx: ServiceContext, caller: Caller, query: EverythingQuery, origin: str) -> bytes:
    """A page of all that the account holds, as JSON."""
    after, since = (None, None) if query.cursor is None else _opened_page(query.cursor)
    with ctx.metadata.snapshot() as unit:
        since = since or current_cursor(unit, caller.account_id)
        found = unit.changes.everything(caller.account_id, after=after, limit=query.limit)
    next_cursor = f"e{found[-1][0]}-{since}" if len(found) == query.limit else None
    page = Everything(
        objects=raw_objects([encoded for _, encoded in found]), next_cursor=next_cursor, changes_cursor=since
    )
    return encode_response(page, origin)


def start_of_stream(ctx: ServiceContext, caller: Caller, cursor: str | None) -> str:
    """Where a stream begins: the cursor, if it is still good, or now."""
    with ctx.metadata.snapshot() as unit:
        if cursor is None:
            return current_cursor(unit, caller.account_id)
        _checked(unit, caller.account_id, cursor)
        return cursor


def next_event(ctx: ServiceContext, account_id: int, cursor: str, limit: int, origin: str) -> tuple[str, bytes] | None:
    """The next cursor and what happened up to it, as JSON without line breaks; None when nothing did."""
    with ctx.metadata.snapshot() as unit:
        page = _page(unit, account_id, cursor, limit)
    assert page.cursor is not None
    return (page.cursor, encode_response(page, origin)) if page.changes else None


def newest(ctx: ServiceContext, account_ids: list[int]) -> dict[int, int]:
    """The number of the newest change of each account: to see whether there is anything to tell."""
    with ctx.metadata.read() as unit:
        return unit.changes.newest_of(account_ids)


def current_cursor(unit: Unit, account_id: int) -> str:
    """The cursor after everything that has happened."""
    seq = unit.changes.newest(account_id)
    return f"c{seq}-{unit.changes.at(account_id, seq) or 0}"


def _page(unit: Unit, account_id: int, cursor: str, limit: int) -> ChangesPage:
    seq = _checked(unit, account_id, cursor)
    found = unit.changes.since(account_id, seq, limit + 1)
    more, found = len(found) > limit, found[:limit]
    # Of an emptied trash no object is told: what is gone is what was in it.
    keys = [one.object_key for one in found if one.kind != EMPTIED]
    return ChangesPage(
        changes=[
            Change(kind=one.kind, object_key=None if one.kind == EMPTIED else one.object_key, date=one.at)
            for one in found
        ],
        objects=raw_objects(unit.changes.objects(account_id, keys)),
        cursor=f"c{found[-1].seq}-{found[-1].at}" if found else cursor,
        has_more=more,
    )


def _checked(unit: Unit, account_id: int, cursor: str) -> int:
    """The number in a cursor; a refusal when what follows it is not all there."""
    parts = _CURSOR.fullmatch(cursor)
    if parts is None:
        raise ServiceError(codes.BAD_CURSOR)
    seq, at = int(parts[1]), int(parts[2])
    oldest, newest_ = unit.changes.oldest(account_id), unit.changes.newest(account_id)
    known_at = unit.changes.at(account_id, seq)
    if not oldest - 1 <= seq <= newest_ or (known_at is not None and at not in (known_at, 0)):
        raise ServiceError(codes.CURSOR_TOO_OLD)
    return seq


def _opened_page(cursor: str) -> tuple[str, str]:
    parts = _PAGE.fullmatch(cursor)
    if parts is None or not is_key(parts[1]) or _CURSOR.fullmatch(parts[2]) is None:
        raise ServiceError(codes.BAD_CURSOR)
    return parts[1], parts[2]


def may_go_on(ctx: ServiceContext, caller: Caller) -> bool:
    """Whether the session of a stream is still open: a stream outlives many calls, and must not outlive a logout."""
    with ctx.metadata.read() as unit:
        return unit.sessions.find(caller.session_hash, ctx.clock.now()) is not None
