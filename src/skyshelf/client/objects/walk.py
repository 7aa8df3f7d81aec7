"""Walking a tree: many folders in parallel, in a fixed order, breadth first, folders before files.

A window of folders is requested ahead, only the first pages of each: the rest of a large folder follows at its turn. So
memory stays flat however large the tree is.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import suppress
from typing import Final, NamedTuple

from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.pagination import ListingCount
from skyshelf.client.errors import BrokenListingError, ObjectNotFoundError
from skyshelf.client.objects.listing import KINDS, PAGE_SIZE, folder_pages, whole_folder
from skyshelf.client.objects.own_writes import learn_extensions
from skyshelf.client.objects.remote_object import FoundObject, RemoteObject
from skyshelf.wire.limits import CLIENT_DEPTH_MAX
from skyshelf.wire.resources.objects import ObjectSort

WINDOW: Final = 32
"""Folders requested ahead; each takes two requests, or one where the server lists both kinds together."""

_MANY_FOLDERS: Final = 16
"""Number of waiting folders that justifies a request to find out whether the server has our extensions."""


class _Folder(NamedTuple):
    key: str
    parts: tuple[str, ...]


class _Ahead:
    """Pages, the first of which is requested at once."""

    def __init__(self, pages: AsyncIterator[list[RemoteObject]]) -> None:
        self._pages = pages
        self._first = asyncio.ensure_future(anext(pages, None))

    async def pages(self) -> AsyncIterator[list[RemoteObject]]:
        first = await self._first
        if first is None:
            return
        yield first
        async for found in self._pages:
            yield found

    async def close(self) -> None:
        self._first.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await self._first
        await self._pages.aclose()  # type: ignore[attr-defined]


async def _pages_of(engine: Engine, folder_key: str, sort: ObjectSort, limit: int) -> AsyncIterator[list[RemoteObject]]:
    """Yield the pages of a folder, folders first; both kinds are requested at once, together where the server can."""
    if engine.capabilities.has_extensions:
        whole = await whole_folder(engine, folder_key, limit=limit, sort=sort)
        if whole is not None:
            yield whole
            return
    kinds = [_Ahead(folder_pages(engine, folder_key, kind, limit=limit, sort=sort, trusting=True)) for kind in KINDS]
    try:
        for kind in kinds:
            async for found in kind.pages():
                yield found
    finally:
        for kind in kinds:
            await kind.close()


async def walk(
    engine: Engine,
    folder_key: str,
    *,
    sort: ObjectSort = "+objectName",
    window: int = WINDOW,
    limit: int = PAGE_SIZE,
    enter: Callable[[FoundObject], bool] | None = None,
    vanished: Callable[[tuple[str, ...], ObjectNotFoundError], None] | None = None,
) -> AsyncGenerator[FoundObject, None]:
    """Yield everything below a folder.

    `enter` selects the folders to enter, by default all. A folder that no longer exists at its turn is an error, unless
    `vanished` is given, which is called for it.
    """
    waiting = deque([_Folder(folder_key, ())])
    objects, folders = ListingCount(engine.bounds.objects), ListingCount(engine.bounds.kept, "folders")
    ahead: deque[tuple[_Folder, _Ahead]] = deque()
    is_asked = False
    # A server may list a folder inside itself.
    entered = {folder_key}

    def look_ahead() -> None:
        while waiting and len(ahead) < window:
            folder = waiting.popleft()
            ahead.append((folder, _Ahead(_pages_of(engine, folder.key, sort, limit))))

    look_ahead()
    try:
        while ahead:
            folder, reader = ahead[0]
            try:
                async for found in reader.pages():
                    objects.add(len(found))
                    walked = [FoundObject((*folder.parts, each.name), each, folder.key) for each in found]
                    for one in walked:
                        if (
                            one.object.wire.is_folder
                            and one.object.key not in entered
                            and (enter is None or enter(one))
                        ):
                            _check_depth(one)
                            folders.add(1)
                            entered.add(one.object.key)
                            waiting.append(_Folder(one.object.key, one.parts))
                    if not is_asked and len(waiting) >= _MANY_FOLDERS:
                        is_asked = True
                        await learn_extensions(engine, waiting[0].key)
                    look_ahead()
                    for one in walked:
                        yield one
            except ObjectNotFoundError as error:
                if vanished is None or not folder.parts:
                    raise
                vanished(folder.parts, error)
            ahead.popleft()
            await reader.close()
            look_ahead()
    finally:
        for _, reader in ahead:
            await reader.close()


def _check_depth(folder: FoundObject) -> None:
    """Refuse an endless chain of folders: paths grow with the depth, and so does the memory per folder."""
    if len(folder.parts) > CLIENT_DEPTH_MAX:
        raise BrokenListingError(f"the folders are nested more than {CLIENT_DEPTH_MAX:,} deep: list them one by one")
