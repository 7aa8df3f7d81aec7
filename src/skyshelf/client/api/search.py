"""Search."""

import re
from collections.abc import AsyncIterator, Callable
from typing import Final
from unicodedata import normalize

from msgspec import Struct

from skyshelf.client.api.calls import Calls
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pagination import CursorTrail, ListingCount, Repeats
from skyshelf.client.engine.requests import decode
from skyshelf.client.errors import RequestFailedError
from skyshelf.client.http.messages import BufferedResponse, PlannedRequest
from skyshelf.client.objects.lookup import PathResolver, root_key
from skyshelf.client.objects.remote_object import FoundObject, RemoteObject, Target, page_objects
from skyshelf.client.objects.walk import walk as walk_below
from skyshelf.wire.endpoints.objects import SEARCH
from skyshelf.wire.limits import FILE_BYTES_MAX, NAME_BYTES_MAX, SEARCH_LIMIT_MAX, SEARCH_QUERY_CHARS_MAX, TIME_MS_MAX
from skyshelf.wire.resources.search import SearchPage, SearchQuery
from skyshelf.wire.search_rule import SearchText

_UNSENDABLE: Final = re.compile("[\\0\\ud800-\\udfff]")


class SearchCalls(Calls):
    """Search."""

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
    ) -> AsyncIterator[FoundObject]:
        """Find files and folders by words of their names, or of the path that a backup copied them from.

        A server that can search does so, and returns the best matches first. On others the folders are walked, which
        finds the same objects.

        Args:
            query: Words that must all occur, in any order; accents and case are ignored.
            extension: Only files with this extension.
            larger_than: Only files with more bytes.
            modified_after: Only what changed later, in epoch milliseconds.
            favorites: Only favourites.
            folder: Search below this folder: an object, a key or a path; None for everywhere.
            case_sensitive: Match case and accents.
            folders: Find folders too.
            limit: How many matches to find at most.
            walk: Walk through the folders instead of using the server's search.

        Example:
            ```python
            for found in client.search("beach", extension="jpg", larger_than=1_000_000):
                print(found.path)
            ```
        """
        key = await PathResolver(self._engine).folder_key(folder)
        conditions = _Conditions(
            extension=extension, larger_than=larger_than, modified_after=modified_after, favorites=favorites
        )
        matches = _matcher(query, conditions, case_sensitive=case_sensitive, folders=folders)
        if not walk and _can_be_sent(self._engine, query, conditions):
            # The server can apply the limit only if none of its matches is filtered out here.
            most = limit if not case_sensitive and folders else None
            root = await root_key(self._engine)
            hits = _search_on_server(self._engine, query, conditions, folder_key=key, root_key=root, limit=most)
            try:
                async for found in _filtered(hits, matches, limit):
                    yield found
            except _SearchMissingError:
                pass
            else:
                return
        async for found in _filtered(walk_below(self._engine, key), matches, limit):
            yield found


class _Conditions(Struct, frozen=True, kw_only=True):
    """What must hold besides the words, for a request and for a walk. An extension and a size exclude folders."""

    extension: str | None = None
    larger_than: int | None = None
    modified_after: int | None = None
    favorites: bool = False

    @property
    def ending(self) -> str | None:
        """The extension as names are compared with it."""
        return self.extension.lstrip(".").lower() if self.extension else None

    @property
    def size_from(self) -> int | None:
        """The smallest size."""
        return None if self.larger_than is None else max(0, self.larger_than + 1)

    @property
    def modified_from(self) -> int | None:
        """The earliest time, in epoch milliseconds."""
        return None if self.modified_after is None else max(0, self.modified_after + 1)

    @property
    def can_be_sent(self) -> bool:
        """Whether they are within the interface's limits; otherwise only a walk can apply them."""
        return (
            len(self.extension or "") <= NAME_BYTES_MAX
            and (self.size_from or 0) <= FILE_BYTES_MAX
            and (self.modified_from or 0) <= TIME_MS_MAX
        )

    def hold_for(self, found: RemoteObject) -> bool:
        """Whether they hold for an object."""
        if self.ending is not None and (found.is_folder or found.extension != self.ending):
            return False
        if self.size_from is not None and (found.is_folder or (found.size or 0) < self.size_from):
            return False
        if self.modified_from is not None and (found.modified_ms or 0) < self.modified_from:
            return False
        return found.is_favorite or not self.favorites


def _matcher(
    query: str, conditions: _Conditions, *, case_sensitive: bool, folders: bool
) -> Callable[[FoundObject], bool]:
    """Whether an object's name, or its path in a backup, has all words, and the conditions hold.

    Accents and case are ignored, by the rule that servers use, unless `case_sensitive`.
    """
    text = SearchText(query)
    exact = normalize("NFC", query).split()

    def has_all(spelled: str) -> bool:
        composed = normalize("NFC", spelled)
        return all(word in composed for word in exact)

    def matches(candidate: FoundObject) -> bool:
        found = candidate.object
        if (found.is_folder and not folders) or not conditions.hold_for(found):
            return False
        if case_sensitive:
            return has_all(found.name) or (bool(found.source_folder) and has_all(found.source_folder))
        return text.rank(found.name, found.source_folder) is not None

    return matches


async def _filtered(
    candidates: AsyncIterator[FoundObject], matches: Callable[[FoundObject], bool], limit: int | None
) -> AsyncIterator[FoundObject]:
    """Yield the matches, up to `limit` of them."""
    count = 0
    if limit is not None and limit <= 0:
        return
    async for candidate in candidates:
        if matches(candidate):
            yield candidate
            count += 1
            if count == limit:
                return


class _SearchMissingError(Exception):
    """The server cannot search; nothing was found yet."""


def _can_be_sent(engine: Engine, query: str, conditions: _Conditions) -> bool:
    """Whether to ask the server; one that could not search before is not asked again."""
    return (
        not engine.capabilities.search.is_abandoned
        and len(query) <= SEARCH_QUERY_CHARS_MAX
        and conditions.can_be_sent
        and not _UNSENDABLE.search(query + (conditions.extension or ""))
    )


async def _search_on_server(
    engine: Engine, query: str, conditions: _Conditions, *, folder_key: str, root_key: str, limit: int | None
) -> AsyncIterator[FoundObject]:
    """Yield what the server finds below a folder, best first. Moved objects may have their old path."""
    folder_key, root_key = folder_key.upper(), root_key.upper()
    cursor: str | None = None
    trail, repeats = CursorTrail(ListingCount(engine.bounds.objects)), Repeats()
    while True:
        request = engine.plan(
            SEARCH,
            query=SearchQuery(
                query=query,
                extension=conditions.extension or None,
                is_favorite=True if conditions.favorites else None,
                size_from=conditions.size_from,
                modified_from=conditions.modified_from,
                folder_key=None if folder_key == root_key else folder_key,
                cursor=cursor,
                limit=min(limit or SEARCH_LIMIT_MAX, SEARCH_LIMIT_MAX),
            ),
        )
        try:
            response, page = await _search_page(engine, request)
        except RequestFailedError:
            if cursor is None:
                # Whatever the reason, a walk finds the same objects, and reports what is really wrong.
                raise _SearchMissingError from None
            raise
        parents = {
            folder.object_key: (folder.parent_object_key, folder.object_name or "") for folder in page.folders or ()
        }
        hits = page_objects(page.objects, response.body)
        new = repeats.new_among(found.key for found in hits)
        for place, found in enumerate(hits):
            if place not in new:
                continue
            names = (*_names_above(found, parents, folder_key), found.name)
            yield FoundObject(names, found, found.parent_key or folder_key)
        cursor = page.next_cursor
        if cursor is None:
            return
        trail.follow(cursor, len(hits))


async def _search_page(engine: Engine, request: PlannedRequest) -> tuple[BufferedResponse, SearchPage]:
    endpoint = engine.capabilities.search
    with endpoint.probe():
        return await engine.read(
            endpoint.planned(request), lambda response: (response, decode(SearchPage, response.body, request))
        )


def _names_above(found: RemoteObject, parents: dict[str, tuple[str | None, str]], folder_key: str) -> tuple[str, ...]:
    """Return the names that lead from a folder to an object."""
    names: list[str] = []
    key = found.parent_key
    # At most as many steps as there are folders: a response may contain a cycle.
    for _ in parents:
        if key is None or key == folder_key or key not in parents or parents[key][0] is None:
            break
        key, name = parents[key]
        names.append(name)
    return tuple(reversed(names))
