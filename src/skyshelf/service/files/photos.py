"""Photos: a month of the timeline, facts about pictures and videos, and where they were taken."""

from collections.abc import Iterable

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.pages import after_number, cursor_after, encode_response, raw_objects
from skyshelf.storage.metadata.contracts.media_facts import MICRODEGREES, PhotoFacts
from skyshelf.wire.cursors import CursorQuery, encode_cursor, number_cursor
from skyshelf.wire.resources.feeds import TimelineQuery
from skyshelf.wire.resources.photos import PhotoFact, PhotoFactList, PhotoFactsQuery, PhotoPlaceList, TimelinePage

_MINUTE_MS = 60 * 1000


def timeline_objects(ctx: ServiceContext, caller: Caller, query: TimelineQuery, origin: str) -> bytes:
    """A page of a month, newest first, as JSON; an empty month is an empty page."""
    after = after_number(query.cursor)
    month = query.year * 12 + query.month - 1
    with ctx.metadata.read() as unit:
        found = unit.timeline.page(caller.account_id, month, limit=query.limit, after=after)
        places = [row.cursor for row in found]
        facts = unit.photos.of_objects(caller.account_id, [place.key for place in places])
    page = TimelinePage(
        objects=raw_objects([row.encoded for row in found]),
        facts=_wire_facts(facts),
        next_cursor=cursor_after(places, query.limit),
    )
    return encode_response(page, origin)


def photo_facts(ctx: ServiceContext, caller: Caller, query: PhotoFactsQuery) -> PhotoFactList:
    """Facts about the caller's own pictures and videos."""
    with ctx.metadata.read() as unit:
        return PhotoFactList(facts=_wire_facts(unit.photos.of_objects(caller.account_id, query.keys)))


def photo_places(ctx: ServiceContext, caller: Caller, query: CursorQuery) -> PhotoPlaceList:
    """A page of the caller's pictures and videos whose place is known, in the order of their keys."""
    after = None if query.cursor is None else number_cursor(query.cursor)[1]
    with ctx.metadata.read() as unit:
        found, next_key = unit.photos.located(caller.account_id, limit=query.limit, after=after)
    next_cursor = None if next_key is None else encode_cursor(0, next_key)
    return PhotoPlaceList(places=_wire_facts(found), next_cursor=next_cursor)


def _wire_facts(found: Iterable[PhotoFacts]) -> list[PhotoFact]:
    return [
        PhotoFact(
            object_key=key,
            version=version,
            taken_date=None if taken_at is None else taken_at + (facts.utc_offset or 0) * _MINUTE_MS,
            width=facts.width,
            height=facts.height,
            latitude=None if facts.latitude is None else facts.latitude / MICRODEGREES,
            longitude=None if facts.longitude is None else facts.longitude / MICRODEGREES,
        )
        for key, version, taken_at, facts in found
    ]
