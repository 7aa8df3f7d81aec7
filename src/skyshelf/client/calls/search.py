"""Finding by words."""

from collections.abc import AsyncIterator

from skyshelf.client import (
    paths,
)
from skyshelf.client.calls.base import Calls
from skyshelf.client.objects import Target
from skyshelf.client.search import matcher
from skyshelf.client.search import search as searched
from skyshelf.client.walk import WalkedObject
from skyshelf.client.walk import walk as walked


class SearchCalls(Calls):
    """Finding by words."""

    async def search(
        self,
        query: str = "",
        *,
        extension: str | None = None,
        folder: Target | None = None,
        case_sensitive: bool = False,
        folders: bool = True,
        limit: int | None = None,
    ) -> AsyncIterator[WalkedObject]:
        """What has the text in its name, or in the path that a backup took it from, anywhere below a folder."""
        key = await paths.PathResolver(self._engine).folder_key(folder)
        matches = matcher(query, extension=extension, case_sensitive=case_sensitive, folders=folders)
        async for found in searched(walked(self._engine, key), matches, limit):
            yield found
