"""Caches that save requests between calls: where objects are, and what searches found."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterable
from typing import Final

from msgspec import Struct

from skyshelf.agent.call import ToolResult
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import NotOfferedError, ObjectNotFoundError, RequestFailedError
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.wire.resources.objects import CloudObject

PARENTS_MAX: Final = 100_000
SEARCHES_MAX: Final = 32


class ParentCache:
    """Remembers the parent folder of every object in a result, so changing one does not start with a full walk.

    Entries are hints: an object that has moved since is looked up again.
    """

    def __init__(self) -> None:
        self._parents: OrderedDict[str, str] = OrderedDict()

    def remember(self, found: CloudObject) -> CloudObject:
        """Record an object's parent; returns the object."""
        if found.parent_object_key:
            key = found.object_key.upper()
            self._parents[key] = found.parent_object_key
            self._parents.move_to_end(key)
            if len(self._parents) > PARENTS_MAX:
                self._parents.popitem(last=False)
        return found

    async def resolve(self, client: AsyncClient, keys: Iterable[str]) -> list[RemoteObject]:
        """The current objects, complete enough to change; ObjectNotFoundError if one is missing."""
        wanted = list(dict.fromkeys(key.upper() for key in keys))
        hinted = [CloudObject(object_key=key, parent_object_key=self._parents.get(key)) for key in wanted]
        try:
            found = await client.get_many(hinted)
        except ObjectNotFoundError:
            # A hint is out of date: the object may be anywhere.
            found = await client.get_many(wanted)
        for remote in found:
            self.remember(remote.wire)
        return found


class _CachedSearch(Struct, frozen=True):
    """A result, and a change cursor taken before the search."""

    cursor: str
    result: ToolResult


class SearchCache:
    """Reuses search results while the account is unchanged, which takes one request to find out.

    Servers without a change feed are searched every time.
    """

    def __init__(self) -> None:
        self._cached: OrderedDict[tuple[str, Hashable], _CachedSearch] = OrderedDict()
        self._without_changes: set[str] = set()

    async def get_or_search(
        self, client: AsyncClient, arguments: Hashable, search: Callable[[], Awaitable[ToolResult]]
    ) -> ToolResult:
        """The cached result if it is still valid, otherwise that of `search`."""
        account = f"{client!r} {client.credentials.user_id if client.credentials else ''}"
        if account in self._without_changes:
            return await search()
        cached = self._cached.get((account, arguments))
        if cached is not None and await self._is_unchanged(client, cached.cursor):
            self._cached.move_to_end((account, arguments))
            return cached.result
        # Taken before the search, so a change during the search invalidates the entry.
        cursor = await self._current_cursor(client, account)
        result = await search()
        if cursor is not None:
            self._cached[account, arguments] = _CachedSearch(cursor, result)
            self._cached.move_to_end((account, arguments))
            if len(self._cached) > SEARCHES_MAX:
                self._cached.popitem(last=False)
        return result

    async def _current_cursor(self, client: AsyncClient, account: str) -> str | None:
        try:
            return await client.changes.current_cursor() or None
        except NotOfferedError:
            self._without_changes.add(account)
        except RequestFailedError:
            # Only an optimisation: if the server has a problem, the search reports it.
            pass
        return None

    @staticmethod
    async def _is_unchanged(client: AsyncClient, cursor: str) -> bool:
        try:
            page = await client.changes.since(cursor, limit=1)
        except RequestFailedError:
            # For example, the cursor is too old; if the session has ended, the search reports it.
            return False
        return not page.changes and not page.has_more
