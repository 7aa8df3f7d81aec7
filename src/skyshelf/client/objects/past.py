"""An account's tree as it was at a moment: objects by path or key, folders, and everything below them."""

from collections import deque
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from typing import Final
from unicodedata import normalize

from msgspec import Raw, Struct

from skyshelf.client.engine.capabilities import require_extension
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.listing_bounds import ListingCount
from skyshelf.client.engine.pagination import walk as pages_by_cursor
from skyshelf.client.errors import BrokenListingError
from skyshelf.client.objects.lookup import not_found, root_key, split_path
from skyshelf.client.objects.remote_object import (
    SEPARATOR,
    FoundObject,
    RemoteObject,
    Target,
    is_path,
    key_of,
    remote_object,
    root_object,
)
from skyshelf.wire.endpoints.history import PAST_FOLDER, PAST_OBJECT
from skyshelf.wire.limits import CLIENT_DEPTH_MAX, LISTING_LIMIT_MAX
from skyshelf.wire.resources.history import PastFileQuery, PastFolderQuery

FEATURE: Final = "look back"

Moment = datetime | int
"""A moment: a date and time, or epoch milliseconds."""


def milliseconds(moment: Moment) -> int:
    """A moment as the interface names it. A date without a time zone is local, as Python takes it."""
    return moment if isinstance(moment, int) else int(moment.timestamp() * 1000)


class _Page(Struct, rename="camel"):
    objects: list[Raw] | None = None
    next_cursor: str | None = None


class _Object(Struct):
    object: Raw | None = None


class PastTree:
    """The tree at a moment, in epoch milliseconds."""

    def __init__(self, engine: Engine, at: int) -> None:
        self._engine = engine
        self.at = at

    async def get(self, target: Target) -> RemoteObject:
        """A file or folder as it was; a path is the one that it had then."""
        if is_path(target):
            return await self._by_path(str(target))
        key = key_of(target)
        if key == await root_key(self._engine):
            return root_object(key)
        with require_extension(FEATURE):
            found = await self._engine.call(
                PAST_OBJECT, _Object, query=PastFileQuery(at=self.at), keys={"object_key": key}
            )
        if found.object is None:
            raise not_found(f"object with the key {key} at that moment")
        return remote_object(found.object)

    async def folder_key(self, target: Target | None) -> str:
        """The key of a folder; no target means the root. A key is not checked."""
        if target is None:
            return await root_key(self._engine)
        return (await self._by_path(str(target))).key if is_path(target) else key_of(target)

    async def _by_path(self, path: str) -> RemoteObject:
        parts = split_path(path)
        current = root_object(await root_key(self._engine))
        for depth, part in enumerate(parts, 1):
            name = normalize("NFC", part)
            async for found in self.children(current.key, name=name):
                if normalize("NFC", found.name) == name:
                    current = found
                    break
            else:
                raise not_found(f"{SEPARATOR}{SEPARATOR.join(parts[:depth])} at that moment")
        return current

    def children(self, folder_key: str, *, name: str | None = None) -> AsyncIterator[RemoteObject]:
        """What a folder held; with a name, the object that had it."""

        async def fetch(cursor: str | None) -> tuple[list[RemoteObject], str | None]:
            query = PastFolderQuery(at=self.at, name=name, cursor=cursor, limit=LISTING_LIMIT_MAX)
            with require_extension(FEATURE):
                page = await self._engine.call(PAST_FOLDER, _Page, query=query, keys={"object_key": folder_key})
            return [remote_object(one) for one in page.objects or ()], page.next_cursor

        return pages_by_cursor(fetch, lambda found: found.sent(), most=self._engine.bounds.objects)

    async def walk(
        self, folder_key: str, *, enter: Callable[[FoundObject], bool] | None = None
    ) -> AsyncIterator[FoundObject]:
        """Everything that was below a folder, breadth first."""
        waiting: deque[tuple[str, tuple[str, ...]]] = deque([(folder_key, ())])
        # A server may list a folder inside itself.
        entered, folders = {folder_key}, ListingCount(self._engine.bounds.kept, "folders")
        while waiting:
            key, parts = waiting.popleft()
            async for child in self.children(key):
                found = FoundObject((*parts, child.name), child, key)
                if child.is_folder and child.key not in entered and (enter is None or enter(found)):
                    if len(found.parts) > CLIENT_DEPTH_MAX:
                        raise BrokenListingError(f"the folders are nested more than {CLIENT_DEPTH_MAX:,} deep")
                    folders.add(1)
                    entered.add(child.key)
                    waiting.append((child.key, found.parts))
                yield found
