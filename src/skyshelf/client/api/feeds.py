"""Lists that the server puts together: favourites, recent files, memories, pictures by month."""

from collections.abc import AsyncIterator
from functools import partial
from typing import Literal

from skyshelf.client.api.calls import Calls
from skyshelf.client.objects.listing import PAGE_SIZE
from skyshelf.client.objects.own_writes import in_feed
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.wire.endpoints.feeds import FAVORITES, LINKED_APP, RECENT, SPOTLIGHTS, TIMELINE, TIMELINE_OBJECTS
from skyshelf.wire.models import PagedQuery
from skyshelf.wire.resources import feeds as models
from skyshelf.wire.resources.feeds import LINKED_APP_DEFAULT, RecentObjects, Spotlight, TimelineMonth


class FeedCalls(Calls):
    """Lists that the server puts together."""

    def favorites(
        self, *, order: Literal["newest", "name"] = "newest", page_size: int = PAGE_SIZE
    ) -> AsyncIterator[RemoteObject]:
        """List your favourites. `set_favorite` adds and removes them.

        Args:
            order: `newest` for the most recently added first, or `name`.
            page_size: How many objects one request asks for.

        Raises:
            NotOfferedError: The server cannot list favourites; `search(favorites=True)` finds them everywhere.
        """
        return self._objects_by_cursor(
            FAVORITES,
            partial(models.FavoritesQuery, limit=page_size, order=order),
            feature="list favourites; search for them instead",
        )

    async def recent(self) -> RecentObjects:
        """Get the newest pictures and videos, and the newest other files."""
        found = await self._call(RECENT)
        if not self._engine.written:
            return found
        return RecentObjects(
            objects_imgs=await in_feed(self._engine, found.objects_imgs),
            objects_docs=await in_feed(self._engine, found.objects_docs),
        )

    def memories(self, *, page_size: int = 200) -> AsyncIterator[Spotlight]:
        """List memories: pictures and videos of this day and of this month in earlier years.

        Args:
            page_size: How many memories one request asks for.
        """

        async def fetch(number: int) -> list[Spotlight]:
            query = PagedQuery(page=number, limit=page_size)
            return (await self._call(SPOTLIGHTS, query=query)).spot_lights or []

        return self._by_page(fetch, _identity, page_size)

    def uploaded_by_app(
        self, appcode: str = LINKED_APP_DEFAULT, *, page_size: int = PAGE_SIZE
    ) -> AsyncIterator[RemoteObject]:
        """List the files that an app uploaded under its code.

        Args:
            appcode: The app's code, as `UploadOptions(appcode=...)` sends it.
            page_size: How many objects one request asks for.
        """
        return self._objects_by_page(
            LINKED_APP, lambda number: models.LinkedAppQuery(page=number, limit=page_size, appcode=appcode), page_size
        )


def _identity(memory: Spotlight) -> object:
    if memory.spot_light_id:
        return memory.spot_light_id
    return memory.title, memory.date, tuple(found.object_key for found in memory.objects or ())


class AsyncTimeline(Calls):
    """Pictures and videos by month. An extension: see `NotOfferedError`.

    Example:
        ```python
        for month in client.timeline.months():
            print(month.year, month.month, month.count)
        ```
    """

    _feature = "show a timeline"

    async def months(self) -> list[TimelineMonth]:
        """List the months that have pictures or videos, newest first, with how many there are."""
        return (await self._call(TIMELINE)).months or []

    def objects(self, year: int, month: int, *, page_size: int = PAGE_SIZE) -> AsyncIterator[RemoteObject]:
        """List a month's pictures and videos, newest first.

        Args:
            year: The year, such as 2024.
            month: The month, 1 to 12.
            page_size: How many objects one request asks for.
        """
        return self._objects_by_cursor(
            TIMELINE_OBJECTS, partial(models.TimelineQuery, limit=page_size, year=year, month=month)
        )
