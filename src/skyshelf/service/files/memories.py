"""Memories: pictures and videos from this day and this month in earlier years."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Final

import msgspec

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.wire_cache import wire_object
from skyshelf.wire.models import PagedQuery
from skyshelf.wire.resources.feeds import Spotlight, Spotlights
from skyshelf.wire.times import from_epoch_ms, to_epoch_ms

OBJECTS_PER_MEMORY: Final = 100
"""A memory shows the newest ones only."""

# Half a year ago is always between this year's and last year's pictures of the same month.
_HALF_A_YEAR_MS: Final = 31_556_952_000 // 2
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

# English on every machine; strftime would follow the locale.
_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


class Memory(msgspec.Struct, frozen=True):
    """Pictures and videos from one day, or from the rest of its month, newest first."""

    key: str
    """Stable for the same day or month."""
    title: str
    begins_at: int
    objects: list[StoredObject]


def spotlights(ctx: ServiceContext, caller: Caller, query: PagedQuery, origin: str) -> Spotlights:
    """A page of memories: from this day, latest year first, then from the rest of this month.

    Today is the server's date in UTC, because requests carry no time zone. A picture's day is that of its camera's
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
        # The month leaves out what the day shows.
        of_month = taken(unit, last + 1, month + 31) + taken(unit, month + 1, first - 1)
    start = query.page * query.limit
    page = islice(_in_order(of_day, of_month, today), start, start + query.limit)
    return Spotlights(spot_lights=[_wire_memory(memory, origin) for memory in page])


def _wire_memory(memory: Memory, origin: str) -> Spotlight:
    return Spotlight(
        spot_light_id=memory.key,
        title=memory.title,
        date=memory.begins_at,
        objects=[wire_object(one, origin) for one in memory.objects],
    )


def _days_remembered(today: date) -> tuple[int, int]:
    """The first and the last day of the year to show today, as month times 100 plus day.

    A leap day's pictures are shown on 28 February where the year has no 29th.
    """
    day = today.month * 100 + today.day
    is_last_of_february = day == 228 and (today + timedelta(days=1)).month == 3
    return day, 229 if is_last_of_february else day


def _in_order(of_day: Iterable[StoredObject], of_month: Iterable[StoredObject], today: date) -> Iterator[Memory]:
    for year, objects in _by_year(of_day):
        yield Memory(
            key=f"day-{year:04d}-{today:%m-%d}",
            title=_years_ago(today.year - year),
            begins_at=_beginning(year, today.month, today.day),
            objects=objects,
        )
    for year, objects in _by_year(of_month):
        yield Memory(
            key=f"month-{year:04d}-{today:%m}",
            title=f"{_MONTHS[today.month - 1]} {year}",
            begins_at=_beginning(year, today.month, 1),
            objects=objects,
        )


def _by_year(taken: Iterable[StoredObject]) -> Iterator[tuple[int, list[StoredObject]]]:
    """Latest year first, and in each the newest objects first, up to the limit."""
    years: dict[int, list[StoredObject]] = {}
    for one in taken:
        years.setdefault(_year_taken(one), []).append(one)
    for year in sorted(years, reverse=True):
        newest_first = sorted(years[year], key=lambda one: (one.taken_at or 0, one.object_key), reverse=True)
        yield year, newest_first[:OBJECTS_PER_MEMORY]


def _year_taken(taken: StoredObject) -> int:
    """The year by the camera's clock, which around New Year may differ from UTC."""
    moment = _EPOCH + timedelta(milliseconds=taken.taken_at or 0)
    month = (taken.taken_day or 0) // 100
    if (month, moment.month) == (12, 1):
        return moment.year - 1
    return moment.year + 1 if (month, moment.month) == (1, 12) else moment.year


def _years_ago(years: int) -> str:
    return "1 year ago" if years == 1 else f"{years} years ago"


def _beginning(year: int, month: int, day: int) -> int:
    """Midnight of a day in UTC, in epoch milliseconds."""
    return to_epoch_ms(datetime(year, month, 1, tzinfo=UTC) + timedelta(days=day - 1))
