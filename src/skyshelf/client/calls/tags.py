"""Words that people put on objects."""

from collections.abc import AsyncIterator, Iterable
from functools import partial

from skyshelf.client import paths, tagging
from skyshelf.client.beyond import beyond
from skyshelf.client.calls.base import Calls
from skyshelf.client.listings import PAGE_SIZE
from skyshelf.client.objects import RemoteObject, Target
from skyshelf.client.outcomes import BatchResult
from skyshelf.client.requests import built
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoints import tags as tag_endpoints
from skyshelf.wire.endpoints.feeds import OBJECT_TAGS, RECENT_TAGS
from skyshelf.wire.resources.feeds import ManualTag
from skyshelf.wire.resources.tags import TagGiving, TagRenaming, TagTaking


class TagCalls(Calls):
    """Words that people put on objects."""

    async def tags(self, *, page_size: int = PAGE_SIZE) -> AsyncIterator[ManualTag]:
        """All tags, by name."""
        async for found in tagging.tags(self._engine, page_size):
            yield found

    async def add_tag(self, name: str, targets: Iterable[Target]) -> BatchResult:
        """Give a tag to files and folders; it is made where there is none of that name."""
        resolver = paths.PathResolver(self._engine)
        keys = [await resolver.key(target) for target in targets]

        def request(part: list[str]) -> TagGiving:
            return TagGiving(tag_name=name, object_keys=part)

        return await tagging.change_tags(self._engine, tag_endpoints.ADD_TAG, keys, request)

    async def remove_tag(self, tag_id: str, targets: Iterable[Target]) -> BatchResult:
        """Take a tag off files and folders; one that nothing bears any more is gone."""
        resolver = paths.PathResolver(self._engine)
        keys = [await resolver.key(target) for target in targets]

        def request(part: list[str]) -> TagTaking:
            return built(partial(TagTaking, tag_id=tag_id, object_keys=part))

        return await tagging.change_tags(self._engine, tag_endpoints.REMOVE_TAG, keys, request)

    async def tagged(self, tag_id: str, *, page_size: int = PAGE_SIZE) -> AsyncIterator[RemoteObject]:
        """What bears a tag, tagged last first."""

        def query(cursor: str | None) -> CursorQuery:
            return CursorQuery(cursor=cursor, limit=page_size)

        keys = {"tag_key": tag_id}
        async for found in tagging.objects(
            self._engine, tag_endpoints.TAGGED_OBJECTS, query, "a list of what bears a tag", keys
        ):
            yield found

    async def rename_tag(self, tag_id: str, name: str) -> ManualTag:
        """Call a tag otherwise, on everything that bears it."""
        with beyond(tagging.TAGS):
            return await self._engine.call(
                tag_endpoints.RENAME_TAG, ManualTag, body=TagRenaming(tag_name=name), keys={"tag_key": tag_id}
            )

    async def delete_tag(self, tag_id: str) -> None:
        """Take a tag off everything."""
        with beyond(tagging.TAGS):
            await self._engine.send(self._engine.plan(tag_endpoints.DELETE_TAG, keys={"tag_key": tag_id}))

    async def recent_tags(self) -> list[ManualTag]:
        """Tags used lately."""
        return await self._engine.call(RECENT_TAGS, list[ManualTag])

    async def object_tags(self, target: Target) -> list[ManualTag]:
        """The tags of an object."""
        key = await paths.PathResolver(self._engine).key(target)
        return await self._engine.call(OBJECT_TAGS, list[ManualTag], keys={"object_key": key})
