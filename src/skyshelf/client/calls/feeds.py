"""Lists that the server puts together."""

from collections.abc import AsyncIterator
from typing import Literal

from skyshelf.client import feeds, tagging
from skyshelf.client.beyond import beyond
from skyshelf.client.calls.base import Calls
from skyshelf.client.listings import PAGE_SIZE
from skyshelf.client.objects import RemoteObject
from skyshelf.wire.endpoints.feeds import RECENT, SUPPORTED_DOCUMENTS
from skyshelf.wire.endpoints.tags import FAVORITES, TIMELINE, TIMELINE_OBJECTS
from skyshelf.wire.resources.feeds import (
    LINKED_APP_DEFAULT,
    FavoritesQuery,
    RecentObjects,
    Spotlight,
    SupportedDocuments,
    SupportedExtensions,
    TimelineMonth,
    TimelineMonths,
    TimelineQuery,
)


class FeedCalls(Calls):
    """Lists that the server puts together."""

    async def recent(self) -> RecentObjects:
        """The newest pictures and videos, and the newest other files."""
        return await self._engine.call(RECENT, RecentObjects)

    async def spotlights(self, *, page_size: int = 200) -> AsyncIterator[Spotlight]:
        """Memories: pictures and videos of this day and of this month in earlier years."""
        async for found in feeds.spotlights(self._engine, page_size):
            yield found

    async def shared_by_me(self, *, page_size: int = PAGE_SIZE) -> AsyncIterator[RemoteObject]:
        """Objects with a live share link, newest share first."""
        async for found in feeds.shared_by_me(self._engine, page_size):
            yield found

    async def linked_app(
        self, appcode: str = LINKED_APP_DEFAULT, *, page_size: int = PAGE_SIZE
    ) -> AsyncIterator[RemoteObject]:
        """Objects that an app uploaded under its code."""
        async for found in feeds.linked_app(self._engine, appcode, page_size):
            yield found

    async def favorites(
        self, *, order: Literal["newest", "name"] = "newest", page_size: int = PAGE_SIZE
    ) -> AsyncIterator[RemoteObject]:
        """Your favourites, the newest arrival first or by name."""

        def query(cursor: str | None) -> FavoritesQuery:
            return FavoritesQuery(cursor=cursor, limit=page_size, order=order)

        async for found in tagging.objects(self._engine, FAVORITES, query, "a list of favourites"):
            yield found

    async def timeline(self) -> list[TimelineMonth]:
        """How many pictures and videos there are of each month, newest first."""
        with beyond("a timeline"):
            answer = await self._engine.call(TIMELINE, TimelineMonths)
        return answer.months or []

    async def timeline_objects(
        self, year: int, month: int, *, page_size: int = PAGE_SIZE
    ) -> AsyncIterator[RemoteObject]:
        """The pictures and videos of a month, newest first."""

        def query(cursor: str | None) -> TimelineQuery:
            return TimelineQuery(cursor=cursor, limit=page_size, year=year, month=month)

        async for found in tagging.objects(self._engine, TIMELINE_OBJECTS, query, "a timeline"):
            yield found

    async def supported_documents(self) -> SupportedExtensions:
        """Extensions that the web client can show and edit."""
        answer = await self._engine.call(SUPPORTED_DOCUMENTS, SupportedDocuments)
        return answer.supported_extensions or SupportedExtensions()
