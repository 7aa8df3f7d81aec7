"""An account's tree as it was at a moment: objects by path or key, and folders."""

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Final
from unicodedata import normalize

from msgspec import Raw, Struct

from skyshelf.client.engine.capabilities import require_extension
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pagination import walk as pages_by_cursor
from skyshelf.client.objects.lookup import not_found, root_key, split_path
from skyshelf.client.objects.remote_object import (
    SEPARATOR,
    RawPage,
    RemoteObject,
    Target,
    is_path,
    key_of,
    remote_object,
    root_object,
)
from skyshelf.wire.endpoints.history import PAST_FOLDER, PAST_OBJECT
from skyshelf.wire.limits import LISTING_LIMIT_MAX
from skyshelf.wire.resources.history import PastFileQuery, PastFolderQuery

FEATURE: Final = "look back"

Moment = datetime | int
"""A moment: a date and time, or epoch milliseconds."""


def milliseconds(moment: Moment) -> int:
    """Convert a moment to epoch milliseconds. A date without a time zone is local, as Python takes it."""
    return moment if isinstance(moment, int) else int(moment.timestamp() * 1000)


class _Object(Struct):
    object: Raw | None = None


class PastTree:
    """The tree at a moment, in epoch milliseconds."""

    def __init__(self, engine: Engine, at: int) -> None:
        self._engine = engine
        self.at = at

    async def get(self, target: Target) -> RemoteObject:
        """Return a file or folder as it was; a path is the one that it had then."""
        if is_path(target):
            return await self._by_path(str(target))
        key = key_of(target)
        if key == await root_key(self._engine):
            return root_object(key)
        with require_extension(FEATURE):
            found = await self._engine.call(
                PAST_OBJECT.read_as(_Object), query=PastFileQuery(at=self.at), keys={"object_key": key}
            )
        if found.object is None:
            raise not_found(f"object with the key {key} at that moment")
        return remote_object(found.object)

    async def folder_key(self, target: Target | None) -> str:
        """Return the key of a folder; no target means the root. A key is not checked."""
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
        """Yield what a folder held; with a name, the object that had it."""

        async def fetch(cursor: str | None) -> tuple[list[RemoteObject], str | None]:
            query = PastFolderQuery(at=self.at, name=name, cursor=cursor, limit=LISTING_LIMIT_MAX)
            with require_extension(FEATURE):
                page = await self._engine.call(
                    PAST_FOLDER.read_as(RawPage), query=query, keys={"object_key": folder_key}
                )
            return [remote_object(one) for one in page.objects or ()], page.next_cursor

        return pages_by_cursor(fetch, lambda found: found.sent(), most=self._engine.bounds.objects)
