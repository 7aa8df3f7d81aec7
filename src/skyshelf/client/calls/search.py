"""Finding by words."""

from collections.abc import AsyncIterator

from skyshelf.client import paths
from skyshelf.client.calls.base import Calls
from skyshelf.client.objects import Target
from skyshelf.client.search import matcher
from skyshelf.client.search import search as searched
from skyshelf.client.search_conditions import Conditions
from skyshelf.client.server_search import SearchMissingError, can_be_asked, found_on_server
from skyshelf.client.walk import WalkedObject
from skyshelf.client.walk import walk as walked


class SearchCalls(Calls):
    """Finding by words."""

    async def search(
        self,
        query: str = "",
        *,
        extension: str | None = None,
        larger_than: int | None = None,
        modified_after: int | None = None,
        favorites: bool = False,
        folder: Target | None = None,
        case_sensitive: bool = False,
        folders: bool = True,
        limit: int | None = None,
        walk: bool = False,
    ) -> AsyncIterator[WalkedObject]:
        """What has all the words in its name, or in the path that a backup took it from, anywhere below a folder.

        Accents and case do not count. `larger_than` is in bytes and finds files, `modified_after` in epoch
        milliseconds. A server that can search is asked, and gives the best matches first; others are
        walked through, folder by folder, as they are with `walk`. Both find the same.
        """
        key = await paths.PathResolver(self._engine).folder_key(folder)
        conditions = Conditions(
            extension=extension, larger_than=larger_than, modified_after=modified_after, favorites=favorites
        )
        matches = matcher(query, conditions, case_sensitive=case_sensitive, folders=folders)
        if not walk and can_be_asked(self._engine, query, conditions):
            # A limit is the server's only where the server's hits are all ours.
            most = limit if not case_sensitive and folders else None
            root_key = await paths.root_key(self._engine)
            asked = found_on_server(self._engine, query, conditions, folder_key=key, root_key=root_key, limit=most)
            try:
                async for found in searched(asked, matches, limit):
                    yield found
            except SearchMissingError:
                pass
            else:
                return
        async for found in searched(walked(self._engine, key), matches, limit):
            yield found
