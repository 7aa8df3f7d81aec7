"""Earlier contents of a file."""

from skyshelf.client import (
    paths,
)
from skyshelf.client.calls.base import Calls
from skyshelf.client.objects import Target
from skyshelf.wire.endpoints.objects import VERSIONS
from skyshelf.wire.versions import FileVersions


class VersionCalls(Calls):
    """Earlier contents of a file."""

    async def versions(self, target: Target) -> FileVersions:
        """The versions of a file, newest first."""
        key = await paths.PathResolver(self._engine).key(target)
        return await self._engine.call(VERSIONS, FileVersions, keys={"object_key": key})
