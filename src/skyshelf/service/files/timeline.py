"""The timeline of pictures and videos, month by month, and the favourites."""

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.pages import after_bytes, after_number, encoded_page
from skyshelf.wire.resources.feeds import FavoritesQuery, TimelineMonth, TimelineMonths, TimelineQuery


def timeline_months(ctx: ServiceContext, caller: Caller) -> TimelineMonths:
    """Every month that has something to see, and how much, newest first."""
    with ctx.metadata.read() as unit:
        months = unit.timeline.months(caller.account_id)
    return TimelineMonths(
        months=[TimelineMonth(year=one.number // 12, month=one.number % 12 + 1, count=one.files) for one in months]
    )


def timeline_objects(ctx: ServiceContext, caller: Caller, query: TimelineQuery, origin: str) -> bytes:
    """A page of a month, newest first, as JSON; a month that has nothing is an empty page."""
    after = after_number(query.cursor)
    month = query.year * 12 + query.month - 1
    with ctx.metadata.read() as unit:
        found = unit.timeline.page(caller.account_id, month, limit=query.limit, after=after)
    return encoded_page(found, query.limit, origin)


def favorites(ctx: ServiceContext, caller: Caller, query: FavoritesQuery, origin: str) -> bytes:
    """A page of the favourites, the newest arrival first or by name, as JSON."""
    by_name = query.order == "name"
    after = after_bytes(query.cursor) if by_name else after_number(query.cursor)
    with ctx.metadata.read() as unit:
        found = unit.tree.favorites(caller.account_id, by_name=by_name, limit=query.limit, after=after)
    return encoded_page(found, query.limit, origin)
