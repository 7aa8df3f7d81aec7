"""Pictures and videos by month."""

from collections.abc import AsyncIterator
from typing import Final

from skyshelf.client.api.calls import Calls
from skyshelf.client.objects.listing import PAGE_SIZE
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.wire.endpoints.tags import TIMELINE, TIMELINE_OBJECTS
from skyshelf.wire.resources.feeds import TimelineMonth, TimelineMonths, TimelineQuery

_FEATURE: Final = "show a timeline"


class AsyncTimeline(Calls):
    """Pictures and videos by month. An extension: see `NotOfferedError`.

    Example:
        ```python
        for month in client.timeline.months():
            print(month.year, month.month, month.count)
        ```
    """

    async def months(self) -> list[TimelineMonth]:
        """List the months that have pictures or videos, newest first, with how many there are."""
        return (await self._call(TIMELINE, TimelineMonths, feature=_FEATURE)).months or []

    def objects(self, year: int, month: int, *, page_size: int = PAGE_SIZE) -> AsyncIterator[RemoteObject]:
        """List a month's pictures and videos, newest first.

        Args:
            year: The year, such as 2024.
            month: The month, 1 to 12.
            page_size: How many objects one request asks for.
        """
        return self._objects_by_cursor(
            TIMELINE_OBJECTS,
            lambda cursor: TimelineQuery(cursor=cursor, limit=page_size, year=year, month=month),
            feature=_FEATURE,
        )
