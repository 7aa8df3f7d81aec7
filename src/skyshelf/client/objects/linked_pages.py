"""Pages of objects by their number, and by the links to the next page that some servers send instead."""

import re
from collections.abc import Callable
from typing import Final
from urllib.parse import urldefrag, urljoin, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.requests import decode
from skyshelf.client.errors import BrokenListingError, UnexpectedAnswerError
from skyshelf.client.http.messages import BufferedResponse, PlannedRequest
from skyshelf.client.objects.remote_object import RemoteObject, page_objects
from skyshelf.wire.keys import is_key
from skyshelf.wire.resources.objects import CloudObject

_URL: Final = re.compile(r"[!-~]+")
_NO_FOLDER: Final = "0" * 32


class _Page(Struct, rename="camel"):
    objects: list[CloudObject] | None = None
    next_link: str | None = None


class LinkedPages:
    """The pages of one listing.

    They are requested by number. Where a page has a link to the next one, and the number leads to nothing new, the
    server does not know numbers, and its links are followed. With `are_numbered` false there are links alone. Pages
    that are another folder's than `folder_key` are refused: a cache in between may know one listing alone.
    """

    def __init__(
        self,
        engine: Engine,
        request: Callable[[int], PlannedRequest],
        *,
        folder_key: str | None = None,
        are_numbered: bool = True,
    ) -> None:
        self._engine = engine
        self._request = request
        self._folder_key = folder_key
        self._are_numbered = are_numbered
        self._links: dict[int, str] = {}
        self._followed: dict[str, int] = {}
        self._first: frozenset[str] = frozenset()

    @property
    def lead_on(self) -> bool:
        """Whether the first page has a link to a second one, however short it is."""
        return 1 in self._links

    async def fetch(self, number: int) -> list[RemoteObject]:
        """Return a page; it is empty after the last one. Its predecessor was fetched before."""
        link = self._links.get(number)
        if self._are_numbered or not number:
            found, following = await self._read(self._request(number))
            if not number:
                self._first = frozenset(one.key for one in found) if following else frozenset()
            if link is None or self._has_news(found):
                return self._noted(found, following, number)
            self._are_numbered = False
        if link is None:
            return []
        found, following = await self._read(self._linked(link))
        if (found and not self._has_news(found)) or self._followed.setdefault(link, number) != number:
            raise _broken("the server's link leads back")
        return self._noted(found, following, number)

    def _has_news(self, found: list[RemoteObject]) -> bool:
        return any(one.key not in self._first for one in found)

    def _noted(self, found: list[RemoteObject], following: str | None, number: int) -> list[RemoteObject]:
        self._links.pop(number + 1, None)
        if following:
            self._links[number + 1] = following
        return found

    async def _read(self, request: PlannedRequest) -> tuple[list[RemoteObject], str | None]:
        def read(response: BufferedResponse) -> tuple[list[RemoteObject], str | None]:
            page = decode(_Page, response.body, request)
            found = page_objects(page.objects, response.body)
            if self._folder_key is not None and _are_elsewhere(self._engine, found, self._folder_key):
                raise UnexpectedAnswerError(
                    "the server sent the contents of another folder than the one that was requested",
                    method=request.method,
                    path=request.path,
                )
            return found, page.next_link

        return await self._engine.read(request, read)

    def _linked(self, link: str) -> PlannedRequest:
        first = self._request(0)
        try:
            url = urldefrag(urljoin(first.url, link)).url
            here, there = urlsplit(first.url), urlsplit(url)
        except ValueError:
            raise _broken("the server's link to it is not a URL") from None
        if (here.scheme, here.netloc) != (there.scheme, there.netloc) or not _URL.fullmatch(url):
            raise _broken("it is on another server, to which the session is not sent")
        return replace(first, url=url, path=there.path)


def _are_elsewhere(engine: Engine, found: list[RemoteObject], folder_key: str) -> bool:
    """Whether objects name their folders, and none of them the one that was listed.

    A server may list what this client has just moved where it was, and a folder by another name than its key.
    """
    named = {one.wire.parent_object_key for one in found if one.wire.parent_object_key}
    if any(key.upper() == folder_key.upper() for key in named):
        return False
    named = {one.parent_key or "" for one in found if engine.written.state(one.key) is None}
    return any(is_key(key) and key != _NO_FOLDER for key in named)


def _broken(reason: str) -> BrokenListingError:
    return BrokenListingError(f"the next page of the listing cannot be requested: {reason}")
