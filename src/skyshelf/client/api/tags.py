"""Words that people put on objects."""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from functools import partial

from msgspec import Raw, Struct

from skyshelf.client.api import Calls
from skyshelf.client.engine.capabilities import beyond
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pagination import walk
from skyshelf.client.engine.requests import build_request_model
from skyshelf.client.errors import RequestFailedError
from skyshelf.client.objects import lookup
from skyshelf.client.objects.listing import PAGE_SIZE
from skyshelf.client.objects.outcomes import BatchResult, Outcome, TolerantAnswer, read_outcomes, unanswered
from skyshelf.client.objects.remote_object import RemoteObject, Target, remote_object
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoint import Endpoint
from skyshelf.wire.endpoints import tags as tag_endpoints
from skyshelf.wire.endpoints.feeds import OBJECT_TAGS, RECENT_TAGS
from skyshelf.wire.endpoints.tags import TAG_LIST
from skyshelf.wire.limits import BATCH_ENTRIES_MAX
from skyshelf.wire.models import QueryModel, RequestModel
from skyshelf.wire.resources.feeds import ManualTag
from skyshelf.wire.resources.tags import TagGiving, TagList, TagRenaming, TagTaking

# Tags that are given and taken, the timeline and the favourites. All of it is beyond the interface.

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


# Words that people put on objects.


class TagCalls(Calls):
    """Words that people put on objects."""

    async def tags(self, *, page_size: int = PAGE_SIZE) -> AsyncIterator[ManualTag]:
        """All tags, by name."""
        async for found in tags(self._engine, page_size):
            yield found

    async def add_tag(self, name: str, targets: Iterable[Target]) -> BatchResult:
        """Give a tag to files and folders; it is made where there is none of that name."""
        resolver = lookup.PathResolver(self._engine)
        keys = [await resolver.key(target) for target in targets]

        def request(part: list[str]) -> TagGiving:
            return TagGiving(tag_name=name, object_keys=part)

        return await change_tags(self._engine, tag_endpoints.ADD_TAG, keys, request)

    async def remove_tag(self, tag_id: str, targets: Iterable[Target]) -> BatchResult:
        """Take a tag off files and folders; one that nothing bears any more is gone."""
        resolver = lookup.PathResolver(self._engine)
        keys = [await resolver.key(target) for target in targets]

        def request(part: list[str]) -> TagTaking:
            return build_request_model(partial(TagTaking, tag_id=tag_id, object_keys=part))

        return await change_tags(self._engine, tag_endpoints.REMOVE_TAG, keys, request)

    async def tagged(self, tag_id: str, *, page_size: int = PAGE_SIZE) -> AsyncIterator[RemoteObject]:
        """What bears a tag, tagged last first."""

        def query(cursor: str | None) -> CursorQuery:
            return CursorQuery(cursor=cursor, limit=page_size)

        keys = {"tag_key": tag_id}
        async for found in objects(
            self._engine, tag_endpoints.TAGGED_OBJECTS, query, "a list of what bears a tag", keys
        ):
            yield found

    async def rename_tag(self, tag_id: str, name: str) -> ManualTag:
        """Call a tag otherwise, on everything that bears it."""
        with beyond(TAGS):
            return await self._engine.call(
                tag_endpoints.RENAME_TAG, ManualTag, body=TagRenaming(tag_name=name), keys={"tag_key": tag_id}
            )

    async def delete_tag(self, tag_id: str) -> None:
        """Take a tag off everything."""
        with beyond(TAGS):
            await self._engine.send(self._engine.plan(tag_endpoints.DELETE_TAG, keys={"tag_key": tag_id}))

    async def recent_tags(self) -> list[ManualTag]:
        """Tags used lately."""
        return await self._engine.call(RECENT_TAGS, list[ManualTag])

    async def object_tags(self, target: Target) -> list[ManualTag]:
        """The tags of an object."""
        key = await lookup.PathResolver(self._engine).key(target)
        return await self._engine.call(OBJECT_TAGS, list[ManualTag], keys={"object_key": key})
