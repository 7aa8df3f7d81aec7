"""Tags that are given and taken, the timeline and the favourites. All of it is beyond the interface."""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence

from msgspec import Raw, Struct

from skyshelf.client.beyond import beyond
from skyshelf.client.cursors import walk
from skyshelf.client.engine import Engine
from skyshelf.client.errors import RequestFailedError
from skyshelf.client.objects import RemoteObject, remote_object
from skyshelf.client.outcomes import BatchResult, Outcome, TolerantAnswer, read_outcomes, unanswered
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoint import Endpoint
from skyshelf.wire.endpoints.tags import TAG_LIST
from skyshelf.wire.limits import BATCH_ENTRIES_MAX
from skyshelf.wire.models import QueryModel, RequestModel
from skyshelf.wire.resources.feeds import ManualTag
from skyshelf.wire.resources.tags import TagList

TagRequest = Callable[[list[str]], RequestModel]
PageQuery = Callable[[str | None], QueryModel]

TAGS = "tags that can be given and taken: it only shows them"


class RawPage(Struct, rename="camel"):
    """A page of objects, each as the server wrote it."""

    objects: list[Raw] | None = None
    next_cursor: str | None = None


async def change_tags(engine: Engine, endpoint: Endpoint, keys: Sequence[str], request: TagRequest) -> BatchResult:
    """Give a tag to objects, or take one off; what became of each."""
    unique = list(dict.fromkeys(keys))
    outcomes: list[Outcome] = []
    for start in range(0, len(unique), BATCH_ENTRIES_MAX):
        part = unique[start : start + BATCH_ENTRIES_MAX]
        try:
            with beyond(TAGS):
                answer = await engine.call(endpoint, TolerantAnswer, body=request(part))
        except RequestFailedError as error:
            if not start:
                raise
            return BatchResult((*outcomes, *unanswered(unique[start:], error)))
        outcomes += read_outcomes(part, TolerantAnswer(None, answer.unprocessed))
    return BatchResult(tuple(outcomes))


async def tags(engine: Engine, page_size: int) -> AsyncIterator[ManualTag]:
    """All tags, by name."""

    async def fetch(cursor: str | None) -> tuple[Iterable[ManualTag], str | None]:
        with beyond(TAGS):
            page = await engine.call(TAG_LIST, TagList, query=CursorQuery(cursor=cursor, limit=page_size))
        return page.tags or (), page.next_cursor

    async for found in walk(fetch):
        yield found


async def objects(
    engine: Engine, endpoint: Endpoint, query: PageQuery, what: str, keys: dict[str, str] | None = None
) -> AsyncIterator[RemoteObject]:
    """Everything of a list of objects that is walked by cursor."""

    async def fetch(cursor: str | None) -> tuple[Iterable[RemoteObject], str | None]:
        with beyond(what):
            page = await engine.call(endpoint, RawPage, query=query(cursor), keys=keys)
        return [remote_object(one) for one in page.objects or ()], page.next_cursor

    async for found in walk(fetch):
        yield found
