"""Searching on a server that can: one call per page instead of a walk, and the same hits."""

import re
from collections.abc import AsyncIterator
from typing import Final

from skyshelf.client.beyond import is_absent
from skyshelf.client.engine import Engine
from skyshelf.client.errors import RequestFailedError
from skyshelf.client.objects import RemoteObject, objects_in
from skyshelf.client.requests import decode
from skyshelf.client.search_conditions import Conditions
from skyshelf.client.walk import WalkedObject
from skyshelf.wire.endpoints.objects import SEARCH
from skyshelf.wire.limits import SEARCH_LIMIT_MAX, SEARCH_QUERY_CHARS_MAX
from skyshelf.wire.resources.search import SearchPage, SearchQuery

_MISSING: Final = "search on the server is missing"
_UNSENDABLE: Final = re.compile("[\\0\\ud800-\\udfff]")


class SearchMissingError(Exception):
    """The server cannot be asked; nothing was found yet."""


def can_be_asked(engine: Engine, query: str, conditions: Conditions) -> bool:
    """Whether a server may be asked this: one that could not search before is not asked again."""
    return (
        not engine.learned.get(_MISSING)
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
                engine.learned[_MISSING] = True
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
