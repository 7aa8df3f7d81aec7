"""Words that people put on objects."""

from skyshelf.client import (
    paths,
)
from skyshelf.client.calls.base import Calls
from skyshelf.client.objects import Target
from skyshelf.wire.endpoints.feeds import OBJECT_TAGS, RECENT_TAGS
from skyshelf.wire.feeds import (
    ManualTag,
)


class TagCalls(Calls):
    """Words that people put on objects."""

    async def recent_tags(self) -> list[ManualTag]:
        """Tags used lately."""
        return await self._engine.call(RECENT_TAGS, list[ManualTag])

    async def object_tags(self, target: Target) -> list[ManualTag]:
        """The tags of an object."""
        key = await paths.PathResolver(self._engine).key(target)
        return await self._engine.call(OBJECT_TAGS, list[ManualTag], keys={"object_key": key})
