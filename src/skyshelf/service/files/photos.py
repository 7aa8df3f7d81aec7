"""Photos: a month of the timeline, facts about pictures and videos, where they were taken, and memories of this day."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Final

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.pages import after_number, cursor_after, encode_response, raw_objects
from skyshelf.storage.metadata.contracts.files import MICRODEGREES, PhotoFacts
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.wire_cache import wire_object
from skyshelf.wire.cursors import CursorQuery, encode_cursor, number_cursor
from skyshelf.wire.models import PagedQuery
from skyshelf.wire.resources import feeds as wire
from skyshelf.wire.resources.downloads import FileKeysQuery
from skyshelf.wire.times import from_epoch_ms, to_epoch_ms

_MINUTE_MS = 60 * 1000
OBJECTS_PER_MEMORY: Final = 100
"""Maximum per memory; the newest are shown."""

# Half a year ago is always between this year's and last year's pictures of the same month.
_HALF_A_YEAR_MS: Final = 31_556_952_000 // 2
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

# English on every machine; strftime would follow the locale.
_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def timeline_objects(ctx: ServiceContext, caller: Caller, query: wire.TimelineQuery, origin: str) -> bytes:
    """Return a page of a month, newest first, as JSON; an empty month is an empty page."""
    after = after_number(query.cursor)
    month = query.year * 12 + query.month - 1
    with ctx.metadata.read() as unit:
        found = unit.timeline.page(caller.account_id, month, limit=query.limit, after=after)
        places = [row.cursor for row in found]
        facts = unit.photos.of_objects(caller.account_id, [place.key for place in places])
    page = wire.TimelinePage(
        objects=raw_objects([row.encoded for row in found]),
        facts=_wire_facts(facts),
        next_cursor=cursor_after(places, query.limit),
    )
    return encode_response(page, origin)


def photo_facts(ctx: ServiceContext, caller: Caller, query: FileKeysQuery) -> wire.PhotoFactList:
    """Return facts about the caller's own pictures and videos."""
    with ctx.metadata.read() as unit:
        return wire.PhotoFactList(facts=_wire_facts(unit.photos.of_objects(caller.account_id, query.keys)))


def photo_places(ctx: ServiceContext, caller: Caller, query: CursorQuery) -> wire.PhotoPlaceList:
    """Return a page of the caller's pictures and videos whose place is known, in the order of their keys."""
    after = None if query.cursor is None else number_cursor(query.cursor)[1]
    with ctx.metadata.read() as unit:
        found, next_key = unit.photos.located(caller.account_id, limit=query.limit, after=after)
    next_cursor = None if next_key is None else encode_cursor(0, next_key)
    return wire.PhotoPlaceList(places=_wire_facts(found), next_cursor=next_cursor)


def _wire_facts(found: Iterable[PhotoFacts]) -> list[wire.PhotoFact]:
    return [
        wire.PhotoFact(
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


def spotlights(ctx: ServiceContext, caller: Caller, query: PagedQuery, origin: str) -> wire.Spotlights:
    """Return a page of memories: from this day, latest year first, then from the rest of this month.

    Today is the server's date in UTC, because requests carry no time zone. A picture's day is the date of its camera's
    clock.
    """
    now = ctx.clock.now()
    today = from_epoch_ms(now).date()
    first, last = _days_remembered(today)
    month = today.month * 100

    def taken(unit: Unit, first_day: int, last_day: int) -> list[StoredObject]:
        return unit.tree.taken_on(
            caller.account_id,
            first_day=first_day,
            last_day=last_day,
            before=now - _HALF_A_YEAR_MS,
            per_year=OBJECTS_PER_MEMORY,
        )

    with ctx.metadata.read() as unit:
        of_day = taken(unit, first, last)
        # The month leaves out the pictures that the day shows.
        of_month = taken(unit, last + 1, month + 31) + taken(unit, month + 1, first - 1)
    start = query.page * query.limit
    page = islice(_in_order(of_day, of_month, today, origin), start, start + query.limit)
    return wire.Spotlights(spot_lights=list(page))


def _days_remembered(today: date) -> tuple[int, int]:
    """Return the first and the last day of the year to show today, as month times 100 plus day.

    A leap day's pictures are shown on 28 February where the year has no 29th.
    """
    day = today.month * 100 + today.day
    is_last_of_february = day == 228 and (today + timedelta(days=1)).month == 3
    return day, 229 if is_last_of_february else day


def _in_order(
    of_day: Iterable[StoredObject], of_month: Iterable[StoredObject], today: date, origin: str
) -> Iterator[wire.Spotlight]:
    """Yield memories from one day, then from the rest of its month; ids are stable for the same day or month."""

    def memory(key: str, title: str, midnight: int, objects: Iterable[StoredObject]) -> wire.Spotlight:
        shown = [wire_object(one, origin) for one in objects]
        return wire.Spotlight(spot_light_id=key, title=title, date=midnight, objects=shown)

    for year, objects in _by_year(of_day):
        title = "1 year ago" if today.year - year == 1 else f"{today.year - year} years ago"
        yield memory(f"day-{year:04d}-{today:%m-%d}", title, _beginning(year, today.month, today.day), objects)
    for year, objects in _by_year(of_month):
        title = f"{_MONTHS[today.month - 1]} {year}"
        yield memory(f"month-{year:04d}-{today:%m}", title, _beginning(year, today.month, 1), objects)


def _by_year(taken: Iterable[StoredObject]) -> Iterator[tuple[int, list[StoredObject]]]:
    """Group by year, latest first, and within each the newest objects first, up to the limit."""
    years: dict[int, list[StoredObject]] = {}
    for one in taken:
        years.setdefault(_year_taken(one), []).append(one)
    for year in sorted(years, reverse=True):
        newest_first = sorted(years[year], key=lambda one: (one.taken_at or 0, one.object_key), reverse=True)
        yield year, newest_first[:OBJECTS_PER_MEMORY]


def _year_taken(taken: StoredObject) -> int:
    """Return the year by the camera's clock, which around New Year may differ from UTC."""
    moment = _EPOCH + timedelta(milliseconds=taken.taken_at or 0)
    month = (taken.taken_day or 0) // 100
    if (month, moment.month) == (12, 1):
        return moment.year - 1
    return moment.year + 1 if (month, moment.month) == (1, 12) else moment.year


def _beginning(year: int, month: int, day: int) -> int:
    """Return midnight of a day in UTC, in epoch milliseconds."""
    return to_epoch_ms(datetime(year, month, 1, tzinfo=UTC) + timedelta(days=day - 1))
