"""Finding by words."""

import re
from collections.abc import AsyncIterator, Callable
from typing import Final
from unicodedata import normalize

from msgspec import Struct

from skyshelf.client.api import Calls
from skyshelf.client.engine.capabilities import is_absent
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.requests import decode
from skyshelf.client.errors import RequestFailedError
from skyshelf.client.objects import lookup
from skyshelf.client.objects.remote_object import RemoteObject, Target, objects_in
from skyshelf.client.objects.walk import WalkedObject
from skyshelf.client.objects.walk import walk as walked
from skyshelf.wire.endpoints.objects import SEARCH
from skyshelf.wire.limits import FILE_BYTES_MAX, NAME_BYTES_MAX, SEARCH_LIMIT_MAX, SEARCH_QUERY_CHARS_MAX, TIME_MS_MAX
from skyshelf.wire.resources.search import SearchPage, SearchQuery
from skyshelf.wire.search_rule import SearchText

# What must hold for an object beside its words: one rule, as a question to a server and for a walk.


class Conditions(Struct, frozen=True, kw_only=True):
    """All that is given must hold. An extension and a size leave folders out."""

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
        """The smallest size that holds."""
        return None if self.larger_than is None else max(0, self.larger_than + 1)

    @property
    def modified_from(self) -> int | None:
        """The earliest time that holds, in epoch milliseconds."""
        return None if self.modified_after is None else max(0, self.modified_after + 1)

    @property
    def can_be_sent(self) -> bool:
        """Whether a server takes them: what is beyond its limits can only be walked for."""
        return (
            len(self.extension or "") <= NAME_BYTES_MAX
            and (self.size_from or 0) <= FILE_BYTES_MAX
            and (self.modified_from or 0) <= TIME_MS_MAX
        )

    def hold_for(self, found: RemoteObject) -> bool:
        """Whether an object is as it should be."""
        if self.ending is not None and (found.is_folder or found.extension != self.ending):
            return False
        if self.size_from is not None and (found.is_folder or (found.size or 0) < self.size_from):
            return False
        if self.modified_from is not None and (found.modified_ms or 0) < self.modified_from:
            return False
        return found.is_favorite or not self.favorites


# Search: a filter over a walk of everything, for servers that have none of their own.


def matcher(
    query: str, conditions: Conditions, *, case_sensitive: bool = False, folders: bool = True
) -> Callable[[WalkedObject], bool]:
    """Whether an object's name, or the path that a backup took it from, has all words, and the conditions hold.

    Accents and case do not count, by the rule that servers search by; with `case_sensitive` both do.
    """
    text = SearchText(query)
    exact = normalize("NFC", query).split()

    def has_all(spelled: str) -> bool:
        composed = normalize("NFC", spelled)
        return all(word in composed for word in exact)

    def matches(walked: WalkedObject) -> bool:
        found = walked.object
        if (found.is_folder and not folders) or not conditions.hold_for(found):
            return False
        if case_sensitive:
            return has_all(found.name) or (bool(found.source_folder) and has_all(found.source_folder))
        return text.rank(found.name, found.source_folder) is not None

    return matches


async def search(
    walked: AsyncIterator[WalkedObject], matches: Callable[[WalkedObject], bool], limit: int | None = None
) -> AsyncIterator[WalkedObject]:
    """What matches, and no more than `limit` of it where there is one."""
    count = 0
    if limit is not None and limit <= 0:
        return
    async for one in walked:
        if matches(one):
            yield one
            count += 1
            if count == limit:
                return


# Searching on a server that can: one call per page instead of a walk, and the same hits.

_UNSENDABLE: Final = re.compile("[\\0\\ud800-\\udfff]")


class SearchMissingError(Exception):
    """The server cannot be asked; nothing was found yet."""


def can_be_asked(engine: Engine, query: str, conditions: Conditions) -> bool:
    """Whether a server may be asked this: one that could not search before is not asked again."""
    return (
        not engine.capabilities.search.is_abandoned
        and len(query) <= SEARCH_QUERY_CHARS_MAX
        and conditions.can_be_sent
        and not _UNSENDABLE.search(query + (conditions.extension or ""))
    )


async def found_on_server(
    engine: Engine, query: str, conditions: Conditions, *, folder_key: str, root_key: str, limit: int | None
) -> AsyncIterator[WalkedObject]:
    """What the server finds below a folder, the best first; SearchMissingError where it does not offer that.

    The paths are whole as of one moment each; what is moved meanwhile may come with its way of before.
    """
    folder_key, root_key = folder_key.upper(), root_key.upper()
    cursor: str | None = None
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
            answer = await engine.send(request)
        except RequestFailedError as error:
            if cursor is None and is_absent(error):
                engine.capabilities.search.abandon()
                raise SearchMissingError from None
            raise
        page = decode(SearchPage, answer.body, request)
        above = {one.object_key: (one.parent_object_key, one.object_name or "") for one in page.folders or ()}
        for each in objects_in(answer.body, request):
            yield WalkedObject((*_names(each, above, folder_key), each.name), each, each.parent_key or folder_key)
        cursor = page.next_cursor
        if cursor is None:
            return


def _names(found: RemoteObject, above: dict[str, tuple[str | None, str]], folder_key: str) -> tuple[str, ...]:
    """The names that lead to an object from a folder."""
    names: list[str] = []
    key = found.parent_key
    # No more steps than there are folders: an answer that leads in a circle must not keep us.
    for _ in above:
        if key is None or key == folder_key or key not in above or above[key][0] is None:
            break
        key, name = above[key]
        names.append(name)
    return tuple(reversed(names))


# Finding by words.


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
        key = await lookup.PathResolver(self._engine).folder_key(folder)
        conditions = Conditions(
            extension=extension, larger_than=larger_than, modified_after=modified_after, favorites=favorites
        )
        matches = matcher(query, conditions, case_sensitive=case_sensitive, folders=folders)
        if not walk and can_be_asked(self._engine, query, conditions):
            # A limit is the server's only where the server's hits are all ours.
            most = limit if not case_sensitive and folders else None
            root_key = await lookup.root_key(self._engine)
            asked = found_on_server(self._engine, query, conditions, folder_key=key, root_key=root_key, limit=most)
            try:
                async for found in search(asked, matches, limit):
                    yield found
            except SearchMissingError:
                pass
            else:
                return
        async for found in search(walked(self._engine, key), matches, limit):
            yield found
