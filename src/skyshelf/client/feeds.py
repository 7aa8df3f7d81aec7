"""Lists that are not folders, to their end: trash, what is shared, what apps uploaded, spotlights, boards."""

from collections.abc import AsyncIterator

from skyshelf.client.engine import Engine
from skyshelf.client.objects import RemoteObject, objects_in
from skyshelf.client.paging import pages
from skyshelf.wire.endpoint import Endpoint
from skyshelf.wire.endpoints.boards import BOARD_DETAILS, BOARD_LIST
from skyshelf.wire.endpoints.feeds import LINKED_APP, SHARED_BY_ME, SPOTLIGHTS
from skyshelf.wire.endpoints.objects import TRASH
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
from skyshelf.wire.resources.feeds import LinkedAppQuery, SharedByMeQuery, Spotlight, Spotlights
from skyshelf.wire.resources.objects import ObjectSort, TrashQuery


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
