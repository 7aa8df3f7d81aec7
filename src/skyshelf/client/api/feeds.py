"""Lists that the server puts together."""

from collections.abc import AsyncIterator
from typing import Literal

from skyshelf.client.api import Calls, tags
from skyshelf.client.engine.capabilities import beyond
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pagination import pages
from skyshelf.client.objects.listing import PAGE_SIZE
from skyshelf.client.objects.remote_object import RemoteObject, objects_in
from skyshelf.wire.endpoint import Endpoint
from skyshelf.wire.endpoints.boards import BOARD_DETAILS, BOARD_LIST
from skyshelf.wire.endpoints.feeds import LINKED_APP, RECENT, SHARED_BY_ME, SPOTLIGHTS, SUPPORTED_DOCUMENTS
from skyshelf.wire.endpoints.objects import TRASH
from skyshelf.wire.endpoints.tags import FAVORITES, TIMELINE, TIMELINE_OBJECTS
from skyshelf.wire.limits import BOARD_DETAILS_LIMIT_DEFAULT
from skyshelf.wire.models import PagedQuery, QueryModel
from skyshelf.wire.resources.boards import (
    Board,
    BoardDetails,
    BoardDetailsQuery,
    BoardList,
    BoardListQuery,
    BoardObject,
)
from skyshelf.wire.resources.feeds import (
    LINKED_APP_DEFAULT,
    FavoritesQuery,
    LinkedAppQuery,
    RecentObjects,
    SharedByMeQuery,
    Spotlight,
    Spotlights,
    SupportedDocuments,
    SupportedExtensions,
    TimelineMonth,
    TimelineMonths,
    TimelineQuery,
)
from skyshelf.wire.resources.objects import ObjectSort, TrashQuery

# Lists that are not folders, to their end: trash, what is shared, what apps uploaded, spotlights, boards.


async def _objects(engine: Engine, endpoint: Endpoint, query: QueryModel) -> list[RemoteObject]:
    request = engine.plan(endpoint, query=query)
    return await engine.read(request, lambda answer: objects_in(answer.body, request))


async def trash(engine: Engine, sort: ObjectSort | None, limit: int) -> AsyncIterator[RemoteObject]:
    """What is in the trash, newest trashed first unless another order is asked for."""

    async def fetch(page: int) -> list[RemoteObject]:
        return await _objects(engine, TRASH, TrashQuery(page=page, limit=limit, sort=sort))

    async for found in pages(fetch, lambda each: each.key, limit):
        for each in found:
            yield each


async def shared_by_me(engine: Engine, limit: int) -> AsyncIterator[RemoteObject]:
    """Objects with a live share link, newest share first."""

    async def fetch(page: int) -> list[RemoteObject]:
        return await _objects(engine, SHARED_BY_ME, SharedByMeQuery(page=page, limit=limit))

    async for found in pages(fetch, lambda each: each.key, limit):
        for each in found:
            yield each


async def linked_app(engine: Engine, appcode: str, limit: int) -> AsyncIterator[RemoteObject]:
    """Objects that an app uploaded under its code."""

    async def fetch(page: int) -> list[RemoteObject]:
        return await _objects(engine, LINKED_APP, LinkedAppQuery(page=page, limit=limit, appcode=appcode))

    async for found in pages(fetch, lambda each: each.key, limit):
        for each in found:
            yield each


async def spotlights(engine: Engine, limit: int) -> AsyncIterator[Spotlight]:
    """Memories."""

    async def fetch(page: int) -> list[Spotlight]:
        answer = await engine.call(SPOTLIGHTS, Spotlights, query=PagedQuery(page=page, limit=limit))
        return answer.spot_lights or []

    async for found in pages(fetch, _spotlight_mark, limit):
        for each in found:
            yield each


def _spotlight_mark(spotlight: Spotlight) -> object:
    if spotlight.spot_light_id:
        return spotlight.spot_light_id
    return spotlight.title, spotlight.date, tuple(each.object_key for each in spotlight.objects or ())


async def boards(engine: Engine, limit: int) -> AsyncIterator[Board]:
    """The boards that the user is a member of."""

    async def fetch(page: int) -> list[Board]:
        answer = await engine.call(BOARD_LIST, BoardList, query=BoardListQuery(page=page, limit=limit))
        return answer.boards or []

    async for found in pages(fetch, lambda each: each.board_key, limit):
        for each in found:
            yield each


async def board(engine: Engine, board_key: str, sort: ObjectSort) -> BoardDetails:
    """A board and all that is on it."""
    shown: list[Board] = []

    async def fetch(page: int) -> list[BoardObject]:
        query = BoardDetailsQuery(page=page, limit=BOARD_DETAILS_LIMIT_DEFAULT, sort=sort)
        answer = await engine.call(BOARD_DETAILS, BoardDetails, query=query, keys={"board_key": board_key})
        if answer.board is not None and not shown:
            shown.append(answer.board)
        return answer.objects or []

    listed = pages(fetch, lambda each: each.object_key, BOARD_DETAILS_LIMIT_DEFAULT)
    objects = [each async for found in listed for each in found]
    return BoardDetails(board=shown[0] if shown else None, objects=objects)


# Lists that the server puts together.


class FeedCalls(Calls):
    """Lists that the server puts together."""

    async def recent(self) -> RecentObjects:
        """The newest pictures and videos, and the newest other files."""
        return await self._engine.call(RECENT, RecentObjects)

    async def spotlights(self, *, page_size: int = 200) -> AsyncIterator[Spotlight]:
        """Memories: pictures and videos of this day and of this month in earlier years."""
        async for found in spotlights(self._engine, page_size):
            yield found

    async def shared_by_me(self, *, page_size: int = PAGE_SIZE) -> AsyncIterator[RemoteObject]:
        """Objects with a live share link, newest share first."""
        async for found in shared_by_me(self._engine, page_size):
            yield found

    async def linked_app(
        self, appcode: str = LINKED_APP_DEFAULT, *, page_size: int = PAGE_SIZE
    ) -> AsyncIterator[RemoteObject]:
        """Objects that an app uploaded under its code."""
        async for found in linked_app(self._engine, appcode, page_size):
            yield found

    async def favorites(
        self, *, order: Literal["newest", "name"] = "newest", page_size: int = PAGE_SIZE
    ) -> AsyncIterator[RemoteObject]:
        """Your favourites, the newest arrival first or by name."""

        def query(cursor: str | None) -> FavoritesQuery:
            return FavoritesQuery(cursor=cursor, limit=page_size, order=order)

        async for found in tags.objects(self._engine, FAVORITES, query, "a list of favourites"):
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

        async for found in tags.objects(self._engine, TIMELINE_OBJECTS, query, "a timeline"):
            yield found

    async def supported_documents(self) -> SupportedExtensions:
        """Extensions that the web client can show and edit."""
        answer = await self._engine.call(SUPPORTED_DOCUMENTS, SupportedDocuments)
        return answer.supported_extensions or SupportedExtensions()
